/* Tendons: made from their definition, looked at. The step knows them by bodies and joints: step/tendons.h. */
#include "world/world.h"

#include <string.h>

/* --- Life --- */

/* A point of a body's frame, or of the world, in the frame of the centre of mass. */
static crn_frame local_frame(const crn_stepper *s, int body, const crn_pose *pose)
{
    crn_frame frame = crn_frame_of(pose);
    if (body >= 0) {
        frame.position = crn_v3_sub(frame.position, s->body[body].com);
    }
    return frame;
}

static bool has_body(const crn_stepper *s, int body)
{
    return body == -1 || (body >= 0 && body < s->bodies && s->body[body].id.index1 != 0);
}

static bool has_site(const crn_world *w, int site)
{
    return site >= 0 && site < w->sites && w->site_at[site].is_used;
}

static bool has_joint(const crn_stepper *s, const crn_tendon_part *part)
{
    bool is_there = part->joint >= 0 && part->joint < s->joints && s->joint[part->joint].is_used;
    return is_there && crn_joint_has_tendon(&s->joint[part->joint].def, part->coordinate);
}

/* False: what it names is not there. */
static bool take_part(const crn_world *w, const crn_tendon_part *from, crn_step_tendon_part *to)
{
    const crn_stepper *s = &w->stepper;
    *to = (crn_step_tendon_part){.kind = from->kind,
                                 .joint = from->joint,
                                 .coordinate = from->coordinate,
                                 .factor = from->factor,
                                 .body = from->body,
                                 .radius = from->radius};
    switch (from->kind) {
    case CRN_TENDON_JOINT: return has_joint(s, from);
    case CRN_TENDON_PULLEY: return true;
    case CRN_TENDON_SITE:
        if (!has_site(w, from->site)) {
            return false;
        }
        to->body = w->site_at[from->site].body;
        to->local = local_frame(s, to->body, &w->site_at[from->site].pose);
        return true;
    default: break;
    }
    to->has_side = from->side > 0;
    if (!has_body(s, from->body) || (to->has_side && !has_site(w, from->side - 1))) {
        return false;
    }
    to->local = local_frame(s, from->body, &from->pose);
    if (to->has_side) {
        const crn_world_site_slot *side = &w->site_at[from->side - 1];
        to->side_body = side->body;
        to->side = local_frame(s, side->body, &side->pose).position;
    }
    return true;
}

static crn_status make(crn_world *w, const crn_tendon_def *def, crn_step_tendon *t, crn_error *error)
{
    const crn_allocator *allocator = &w->stepper.allocator;
    *t = (crn_step_tendon){.is_used = true, .def = *def, .mechanism = -1};
    t->def.part = NULL;
    t->def.name = NULL;
    t->part = crn_allocate(allocator, (size_t)def->parts, sizeof *t->part);
    t->pull = crn_allocate(allocator, CRN_TENDON_PULLS * (size_t)def->parts, sizeof *t->pull);
    if (!t->part || !t->pull) {
        return crn_fail(error, CRN_ERR_MEMORY, "world: out of memory for a tendon");
    }
    for (int i = 0; i < def->parts; ++i) {
        if (!take_part(w, &def->part[i], &t->part[i])) {
            return crn_fail(error, CRN_ERR_ARGUMENT, "tendon.parts[%d]: the world has no such body, joint or site", i);
        }
    }
    return CRN_OK;
}

/* Its spring is at rest where everything is. */
static crn_status rest_here(crn_world *w, int index, crn_error *error)
{
    crn_status status = crn_step_plant(&w->stepper, error);
    crn_step_tendon *t = &w->stepper.tendon[index];
    crn_tendon_place(&w->stepper, t);
    t->def.rest_lower = t->def.rest_upper = t->length;
    return status;
}

crn_status crn_tendon_create(crn_world *w, const crn_tendon_def *def, int *index, crn_error *error)
{
    crn_clear(error);
    if (!w || !index) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "tendon: world or index is NULL");
    }
    crn_stepper *s = &w->stepper;
    crn_status status = crn_tendon_def_check(def, s->def.is_planar, "tendon", error);
    if (status == CRN_OK && s->def.integrator == CRN_INTEGRATOR_HART) {
        status = crn_fail(error, CRN_ERR_UNSUPPORTED, "tendon: worlds with the integrator hart have none");
    }
    if (status != CRN_OK) {
        return status;
    }
    if (!crn_reserve(&s->allocator, (void **)&s->tendon, &s->tendon_capacity, s->tendons + 1, sizeof *s->tendon) ||
        !crn_reserve(&s->allocator, (void **)&w->tendon, &w->tendon_capacity, s->tendons + 1, sizeof *w->tendon)) {
        return crn_fail(error, CRN_ERR_MEMORY, "world: out of memory for a tendon");
    }
    crn_step_tendon *t = &s->tendon[s->tendons];
    status = make(w, def, t, error);
    w->tendon[s->tendons] = (crn_slot){.generation = 1};
    if (status == CRN_OK && !crn_world_copy_name(&s->allocator, def->name, &w->tendon[s->tendons].name)) {
        status = crn_fail(error, CRN_ERR_MEMORY, "world: out of memory for a tendon");
    }
    if (status != CRN_OK) {
        crn_release(&s->allocator, t->part);
        crn_release(&s->allocator, t->pull);
        return status;
    }
    *index = s->tendons++;
    s->forest.is_stale = true;
    s->books.is_closed = false;
    return def->rest_lower > def->rest_upper ? rest_here(w, *index, error) : CRN_OK;
}

void crn_world_drop_tendons(crn_world *w, int body, int joint)
{
    for (int i = 0; i < w->stepper.tendons; ++i) {
        crn_step_tendon *t = &w->stepper.tendon[i];
        if (t->is_used && crn_tendon_passes(t, body, joint)) {
            t->is_used = false;
            t->pulls = 0;
            w->stepper.forest.is_stale = true;
            w->stepper.books.is_closed = false;
        }
    }
}

void crn_world_free_tendons(crn_world *w)
{
    for (int i = 0; i < w->stepper.tendons; ++i) {
        crn_world_clear_slot(&w->stepper.allocator, &w->tendon[i]);
    }
    crn_release(&w->stepper.allocator, w->tendon);
}

/* --- Looking --- */

int crn_world_tendons(const crn_world *w)
{
    return w ? w->stepper.tendons : 0;
}

int crn_world_find_tendon(const crn_world *w, const char *name)
{
    for (int i = 0; w && name && i < w->stepper.tendons; ++i) {
        if (w->tendon[i].name != NULL && strcmp(w->tendon[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

const char *crn_tendon_name(const crn_world *w, int index)
{
    return w && index >= 0 && index < w->stepper.tendons ? w->tendon[index].name : NULL;
}

crn_status crn_tendon_length(const crn_world *w, int index, double *length, double *speed)
{
    if (!w || index < 0 || index >= w->stepper.tendons || !w->stepper.tendon[index].is_used) {
        return CRN_ERR_ARGUMENT;
    }
    crn_step_tendon t = w->stepper.tendon[index]; /* its pulls serve as scratch */
    crn_tendon_place(&w->stepper, &t);
    if (length) {
        *length = t.length;
    }
    if (speed) {
        *speed = crn_tendon_shown_speed(&w->stepper, &t);
    }
    return CRN_OK;
}
