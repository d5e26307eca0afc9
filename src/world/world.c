/* A world's life and its steps. */
#include "world/world.h"

#include "model/model_room.h"

#include <math.h>
#include <string.h>

crn_status crn_world_create(const crn_world_def *def, const crn_allocator *allocator, crn_world **world,
                            crn_error *error)
{
    crn_world_def mine = def ? *def : crn_world_def_default();
    crn_clear(error);
    if (!world) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "world is NULL");
    }
    crn_status status = crn_world_def_check(&mine, "world", error);
    if (status != CRN_OK) {
        return status;
    }
    crn_world *w = crn_allocate(allocator, 1, sizeof *w);
    if (!w) {
        return crn_fail(error, CRN_ERR_MEMORY, "world: out of memory");
    }
    memset(w, 0, sizeof *w);
    w->stepper.allocator = allocator ? *allocator : crn_allocator_default();
    w->stepper.find.broad.allocator = w->stepper.find.scratch.allocator = w->stepper.allocator;
    w->stepper.problem.workspace = crn_workspace_with(w->stepper.allocator);
    w->stepper.def = mine;
    *world = w;
    return CRN_OK;
}

static void free_slots(const crn_allocator *allocator, crn_slot *slot, int count)
{
    for (int i = 0; i < count; ++i) {
        crn_world_clear_slot(allocator, &slot[i]);
    }
    crn_release(allocator, slot);
}

void crn_world_destroy(crn_world *w)
{
    if (!w) {
        return;
    }
    crn_allocator allocator = w->stepper.allocator;
    free_slots(&allocator, w->body, w->stepper.bodies);
    free_slots(&allocator, w->joint, w->stepper.joints);
    free_slots(&allocator, w->load, w->stepper.loads);
    free_slots(&allocator, w->site, w->sites);
    crn_release(&allocator, w->site_at);
    crn_world_free_actuators(w);
    crn_world_free_tendons(w);
    crn_release(&allocator, w->overlaps.list);
    crn_step_free(&w->stepper);
    crn_release(&allocator, w->backup);
    crn_release(&allocator, w);
}

/* --- From a model --- */

/* A message about "body..." becomes one about "bodies[3]...". */
static crn_status place_in_list(crn_status status, const char *noun, const char *list, int index, crn_error *error)
{
    size_t length = strlen(noun);
    if (error && status != CRN_OK && strncmp(error->text, noun, length) == 0) {
        char rest[sizeof error->text];
        memcpy(rest, error->text + length, sizeof rest - length);
        return crn_fail(error, status, "%s[%d]%.200s", list, index, rest);
    }
    return status;
}

static crn_status add_bodies(crn_world *w, const crn_model *model, crn_error *error)
{
    crn_status status = CRN_OK;
    for (int i = 0; i < crn_model_bodies(model) && status == CRN_OK; ++i) {
        crn_body_id id;
        status = place_in_list(crn_body_create(w, crn_model_body(model, i), &id, error), "body", "bodies", i, error);
    }
    return status;
}

static crn_status add_joints(crn_world *w, const crn_model *model, crn_error *error)
{
    crn_status status = CRN_OK;
    for (int i = 0; i < crn_model_joints(model) && status == CRN_OK; ++i) {
        const crn_joint_def *def = crn_model_joint(model, i);
        crn_joint_id id;
        status = crn_joint_create(w, def, crn_world_body(w, def->a + 1), crn_world_body(w, def->b + 1), &id, error);
        status = place_in_list(status, "joint", "joints", i, error);
    }
    return status;
}

static crn_status add_sites(crn_world *w, const crn_model *model, crn_error *error)
{
    crn_status status = CRN_OK;
    for (int i = 0; i < crn_model_sites(model) && status == CRN_OK; ++i) {
        const crn_site_def *def = crn_model_site(model, i);
        crn_site_id id;
        status = crn_site_create(w, def, crn_world_body(w, def->body + 1), &id, error);
        status = place_in_list(status, "site", "sites", i, error);
    }
    return status;
}

static crn_status add_tendons(crn_world *w, const crn_model *model, crn_error *error)
{
    crn_status status = CRN_OK;
    for (int i = 0; i < crn_model_tendons(model) && status == CRN_OK; ++i) {
        int index;
        status = crn_tendon_create(w, crn_model_tendon(model, i), &index, error);
        status = place_in_list(status, "tendon", "tendons", i, error);
    }
    return status;
}

static crn_status add_actuators(crn_world *w, const crn_model *model, crn_error *error)
{
    crn_status status = CRN_OK;
    for (int i = 0; i < crn_model_actuators(model) && status == CRN_OK; ++i) {
        const crn_actuator_def *def = crn_model_actuator(model, i);
        int index;
        status = crn_actuator_create(w, def, crn_world_joint(w, def->joint + 1), &index, error);
        status = place_in_list(status, "actuator", "actuators", i, error);
    }
    return status;
}

static crn_status add_pairs(crn_world *w, const crn_model *model, crn_error *error)
{
    crn_status status = CRN_OK;
    for (int i = 0; i < crn_model_pairs(model) && status == CRN_OK; ++i) {
        const crn_pair_def *def = crn_model_pair(model, i);
        status = crn_world_set_pair(w, crn_world_body(w, def->a + 1), crn_world_body(w, def->b + 1), def, error);
        status = place_in_list(status, "pair", "pairs", i, error);
    }
    return status;
}

static crn_status add_loads(crn_world *w, const crn_model *model, crn_error *error)
{
    crn_status status = CRN_OK;
    for (int i = 0; i < crn_model_loads(model) && status == CRN_OK; ++i) {
        const crn_load_def *def = crn_model_load(model, i);
        crn_load_id id;
        status = crn_load_create(w, def, crn_world_body(w, def->body + 1), &id, error);
        status = place_in_list(status, "load", "loads", i, error);
    }
    return status;
}

crn_status crn_world_create_from(const crn_model *model, const crn_allocator *allocator, crn_world **world,
                                 crn_error *error)
{
    if (!model || !world) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "model or world is NULL");
    }
    crn_world *w = NULL;
    crn_status status = crn_model_check(model, error);
    status = status == CRN_OK ? crn_world_create(crn_model_world_of(model), allocator, &w, error) : status;
    if (status != CRN_OK) {
        return status;
    }
    status = add_bodies(w, model, error);
    status = status == CRN_OK ? add_joints(w, model, error) : status;
    status = status == CRN_OK ? add_sites(w, model, error) : status;
    status = status == CRN_OK ? add_tendons(w, model, error) : status;
    status = status == CRN_OK ? add_actuators(w, model, error) : status;
    status = status == CRN_OK ? add_pairs(w, model, error) : status;
    status = status == CRN_OK ? add_loads(w, model, error) : status;
    status = status == CRN_OK ? crn_step_plant(&w->stepper, error) : status;
    status = status == CRN_OK ? crn_world_find_overlaps(w, error) : status;
    if (status != CRN_OK) {
        crn_world_destroy(w);
        return status;
    }
    *world = w;
    return CRN_OK;
}

/* --- Settings --- */

const crn_world_def *crn_world_definition(const crn_world *w)
{
    return w ? &w->stepper.def : NULL;
}

/* Velocities as the caller sees them, and trees from poses: another integrator has its own meaning of what lies between. */
static void leave_integrator(crn_stepper *s)
{
    bool is_hart = s->def.integrator == CRN_INTEGRATOR_HART;
    for (int i = 0; i < s->bodies; ++i) {
        crn_step_body *b = &s->body[i];
        b->rigid.w = is_hart ? b->rigid.w : b->shown_w;
        b->rigid.v = is_hart ? b->rigid.v : b->shown_v;
        b->shown_w = b->rigid.w;
        b->shown_v = b->rigid.v;
        b->is_fresh = true;
    }
    crn_step_fell(s);
    s->link_states = 0;
}

crn_status crn_world_configure(crn_world *w, const crn_world_def *def, crn_error *error)
{
    crn_clear(error);
    if (!w || !def) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "world or def is NULL");
    }
    if (def->is_planar != w->stepper.def.is_planar) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "world.is_planar: cannot change");
    }
    crn_status status = crn_world_def_check(def, "world", error);
    if (status == CRN_OK) {
        if (def->integrator != w->stepper.def.integrator) {
            leave_integrator(&w->stepper);
        }
        w->stepper.def = *def;
        for (int i = 0; i < w->stepper.bodies; ++i) {
            crn_step_freshen(&w->stepper, i); /* gravity may be another one */
            crn_step_wake(&w->stepper, i);
        }
    }
    return status;
}

/* --- Steps --- */

crn_status crn_world_set_solver(crn_world *w, crn_step_solver solver, void *user)
{
    if (!w) {
        return CRN_ERR_ARGUMENT;
    }
    w->stepper.solver = solver;
    w->stepper.solver_user = user;
    return CRN_OK;
}

/* What the caller pushed with was meant for the step that has failed, and may be why. */
static void drop_pushes(crn_stepper *s)
{
    for (int i = 0; i < s->bodies; ++i) {
        s->body[i].force = s->body[i].torque = crn_v3(0, 0, 0);
    }
    for (int i = 0; i < s->joints; ++i) {
        memset(s->joint[i].force, 0, sizeof s->joint[i].force);
    }
}

crn_status crn_world_step(crn_world *w, double dt, crn_step_stats *stats, crn_error *error)
{
    crn_step_stats mine;
    crn_clear(error);
    if (stats) {
        memset(stats, 0, sizeof *stats);
    }
    if (!w) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "world is NULL");
    }
    if (!(dt > 0.0) || !isfinite(dt)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "dt %g: must be > 0 and finite", dt);
    }
    crn_world_activate(w, dt);
    crn_status status = crn_world_advance(w, dt, stats ? stats : &mine, error);
    w->has_stepped = true; /* also after a failure: the problem is there to be looked at */
    if (status == CRN_ERR_DIVERGED) {
        drop_pushes(&w->stepper);
    }
    if (status != CRN_OK) {
        crn_world_deactivate(w);
    }
    return status;
}

double crn_world_time(const crn_world *w)
{
    return w ? w->stepper.time : 0.0;
}

const crn_contact *crn_world_contacts(const crn_world *w, int *count)
{
    if (count) {
        *count = w ? w->stepper.last.contacts : 0;
    }
    return w ? w->stepper.last.contact : NULL;
}

const crn_contact_event *crn_world_events(const crn_world *w, int *count)
{
    if (count) {
        *count = w ? w->stepper.events : 0;
    }
    return w ? w->stepper.event : NULL;
}

const crn_contact_problem *crn_world_problem(const crn_world *w)
{
    if (!w || !w->has_stepped) {
        return NULL;
    }
    const crn_contact_problem *problem = &w->stepper.problem.problem;
    return problem->bodies == 0 || problem->body ? problem : NULL; /* a step may fail before it is built */
}

crn_status crn_world_overlap(crn_world *w, double *penetration, crn_body_id *a, crn_body_id *b)
{
    crn_body_id none = {0, 0};
    crn_body_id first = none, second = none;
    double deepest = 0.0;
    if (!w) {
        return CRN_ERR_ARGUMENT;
    }
    crn_status status = crn_step_detect(&w->stepper, w->stepper.def.dt, NULL);
    for (int i = 0; i < w->stepper.now.contacts && status == CRN_OK; ++i) {
        const crn_contact *c = &w->stepper.now.contact[i];
        if (-c->gap > deepest) {
            deepest = -c->gap;
            first = c->a;
            second = c->b;
        }
    }
    if (penetration) {
        *penetration = deepest;
    }
    if (a) {
        *a = first;
    }
    if (b) {
        *b = second;
    }
    return status;
}
