/* The kick: forces and one complementarity problem, where everything is [docs/theory/stepping.md].
 *
 *     before --> after    forces for h, contacts, joints: one problem
 *     shown               the mean of both: the velocity at the moment itself
 *
 * If something bounces, impact.c finds the moments. The velocity after the kick may be faster than the one by which contacts
 * were looked for: then they are looked for again with this one, and the kick is made again if some would have been missed. */
#include "step/kick.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "step/clamp.h"
#include "step/impact.h"

enum { ROUNDS_MOST = 16 }; /* a chain of hits needs as many as it is long */

/* --- Free velocities --- */

/* How long forces act: in a first kick half a step, Euler's is a whole one. */
static double time_of(const crn_stepper *s, double h, crn_kick_kind kind)
{
    bool is_half = kind != CRN_KICK_WHOLE && s->def.integrator == CRN_INTEGRATOR_REFLECT;
    return is_half ? 0.5 * h : h;
}

/* Is this body left as it is? */
static bool is_left(const crn_step_body *body, crn_kick_kind kind)
{
    return kind == CRN_KICK_FIRST && !body->is_fresh;
}

static crn_status push_body(crn_stepper *s, crn_step_body *body, double time, crn_error *error)
{
    crn_vec3 weight = crn_v3_scale(body->rigid.mass * body->gravity_scale, s->def.gravity);
    crn_rigid_push(&body->rigid, time, crn_v3_add(body->load_force, weight), body->load_torque, body->linear_damping,
                   body->angular_damping, &body->next_w, &body->next_v);
    bool is_sane = crn_step_is_sane(body->next_v) && crn_step_is_sane(body->next_w);
    return is_sane ? CRN_OK : crn_step_diverged(body, s->time, "the free velocity", error);
}

static crn_status push_bodies(crn_stepper *s, double h, crn_kick_kind kind, crn_error *error)
{
    crn_status status = CRN_OK;
    for (int i = 0; i < s->bodies && status == CRN_OK; ++i) {
        crn_step_body *body = &s->body[i];
        if (body->id.index1 == 0 || body->kind != CRN_BODY_FREE || body->asleep || body->tree > 0) {
            continue;
        }
        if (is_left(body, kind)) {
            body->next_w = body->rigid.w;
            body->next_v = body->rigid.v;
        } else {
            status = push_body(s, body, time_of(s, h, kind), error);
        }
    }
    return status;
}

static crn_status check_links(const crn_stepper *s, const crn_step_mechanism *m, crn_error *error)
{
    const crn_step_forest *f = &s->forest;
    for (int t = m->tree; t < m->tree + m->trees; ++t) {
        for (int i = f->tree[t].link; i < f->tree[t].link + f->tree[t].tree->links; ++i) {
            const crn_step_body *body = &s->body[f->body[i]];
            if (!crn_step_is_sane(body->next_v) || !crn_step_is_sane(body->next_w)) {
                return crn_step_diverged(body, s->time, "the free velocity", error);
            }
        }
    }
    return CRN_OK;
}

static crn_status push_mechanisms(crn_stepper *s, double h, crn_kick_kind kind, crn_error *error)
{
    crn_status status = CRN_OK;
    for (int i = 0; i < s->forest.mechanisms && status == CRN_OK; ++i) {
        crn_step_mechanism *m = &s->forest.mechanism[i];
        bool stays = kind == CRN_KICK_FIRST && !m->kept.is_fresh;
        if (m->at < 0) {
            crn_trees_lead(s, m);
        } else if (!crn_trees_push(s, m, stays ? s->forest.u : s->forest.before, stays ? 0.0 : time_of(s, h, kind))) {
            status = crn_trees_singular(error);
        } else {
            status = check_links(s, m, error);
        }
    }
    return status;
}

/* --- The problem --- */

static crn_status solve(crn_stepper *s, double h, crn_kick_kind kind, crn_step_answer *answer, bool *is_impact,
                        crn_error *error)
{
    int colliding = 0;
    crn_status status = push_bodies(s, h, kind, error);
    if (status == CRN_OK) {
        status = push_mechanisms(s, h, kind, error);
    }
    if (status == CRN_OK) {
        status = crn_step_build(s, h, error);
    }
    if (status == CRN_OK) {
        status = crn_step_solve(s, answer, error);
    }
    if (status == CRN_OK) {
        status = crn_impact_list(s, h, &colliding, error);
    }
    *is_impact = colliding > 0;
    if (status == CRN_OK && *is_impact) {
        return crn_impact_solve(s, h, answer, error);
    }
    if (status == CRN_OK) {
        crn_moment_take_found(s, CRN_AFTER);
        crn_moment_copy(s, CRN_PUSHED, CRN_AFTER);
        crn_moment_mix(s, CRN_SHOWN, CRN_BEFORE, s->kick.share, CRN_AFTER);
    }
    return status;
}

/* --- Contacts that are missing --- */

/* Look for them with the velocities found; if there are any, list everything again. The next round starts from this one. */
static crn_status add_missing(crn_stepper *s, double h, bool *is_new, crn_error *error)
{
    crn_status status = crn_step_find_missing(s, crn_moment_bodies(s, CRN_AFTER), h, is_new, error);
    if (status == CRN_OK && *is_new) {
        crn_step_keep_round(s, h);
        status = crn_trees_look(s, h, error);
    }
    return status;
}

static crn_status solve_all(crn_stepper *s, double h, crn_kick_kind kind, crn_step_answer *answer, int *rounds,
                            bool *is_impact, crn_error *error)
{
    bool is_new = true;
    crn_status status = CRN_OK;
    s->find.wider_count = s->round.contacts = 0;
    for (*rounds = 0; *rounds < ROUNDS_MOST && is_new && status == CRN_OK; ++*rounds) {
        memset(answer, 0, sizeof *answer);
        status = solve(s, h, kind, answer, is_impact, error);
        if (status == CRN_OK) {
            status = add_missing(s, h, &is_new, error);
        }
    }
    if (status == CRN_OK && is_new) { /* the last look changed the list: its problem is still to be solved */
        status = solve(s, h, kind, answer, is_impact, error);
    }
    s->find.wider_count = s->round.contacts = 0;
    return status;
}

/* --- What it leaves --- */

/* Impulses of the whole kick, for the records; those after the moment that is shown are kept in impact.first. */
static void sum_impulses(crn_stepper *s)
{
    const crn_step_problem *p = &s->problem;
    for (int i = 0; i < 3 * p->problem.contacts; ++i) {
        s->impact.first[i] = p->impulse[i];
        p->impulse[i] += s->kick.share * s->impact.pushed[i] + s->impact.impulse[i];
    }
    for (int i = 0; i < s->rows; ++i) {
        p->row_impulse[i] = s->kick.share * s->impact.pushed_row[i] + s->impact.row[i] + s->impact.after_row[i];
    }
}

/* Ways on which something acts: until the moment that is shown, at it, after it. */
typedef struct legs {
    crn_leg first, struck, second;
} legs;

static legs legs_of(const crn_stepper *s, bool is_first, bool is_impact)
{
    const crn_step_problem *p = &s->problem;
    const crn_step_impact *impact = &s->impact;
    double share = s->kick.share, rest = 1.0 - share, time = s->kick.time;
    int later = is_first ? 0 : 1; /* all of a first kick belongs to the step at hand */
    if (is_impact) {
        return (legs){
            {CRN_BEFORE, CRN_STRUCK, share * time, impact->pushed, impact->pushed_row, share, share, 0},
            {CRN_STRUCK, CRN_SHOWN, 0.0, impact->impulse, impact->row, 1.0, 1.0, 0},
            {CRN_SHOWN, CRN_AFTER, rest * time, impact->first, impact->after_row, 1.0, 1.0, later},
        };
    }
    return (legs){
        {CRN_BEFORE, CRN_SHOWN, share * time, p->impulse, p->row_impulse, share, share, 0},
        {CRN_SHOWN, CRN_SHOWN, 0.0, NULL, NULL, 0.0, 0.0, 0},
        {CRN_SHOWN, CRN_AFTER, rest * time, p->impulse, p->row_impulse, rest, rest, later},
    };
}

static void settle_account(crn_stepper *s, const legs *way, bool is_impact, crn_account *until, crn_account *after)
{
    if (!is_impact && s->kick.share == 0.5) {
        crn_ledger_add_halves(s, &way->first, &way->second, until, after);
        return;
    }
    crn_ledger_add(s, &way->first, until);
    crn_ledger_add(s, &way->struck, until);
    crn_ledger_add(s, &way->second, after);
}

/* Take out what was gained; what acts after the moment that is shown then meets other velocities. */
static void clamp(crn_stepper *s, const legs *way, crn_account *until, crn_account *after)
{
    crn_account later = {0};
    if (crn_clamp_groups(s, until, &later)) {
        *after = later;
        for (int i = 0; i < s->bodies; ++i) {
            s->body[i].worked[way->second.part] = 0.0;
        }
        crn_ledger_add(s, &way->second, after);
    }
}

/* Energies are squares of speeds: a speed whose square is no normal number is rest. Else what comes to rest by
 * ever smaller fractions ends in numbers of which nothing can be proved. */
static double without_trace(double speed)
{
    return speed * speed < DBL_MIN ? 0.0 : speed;
}

static crn_vec3 settled(crn_vec3 speed)
{
    return crn_v3(without_trace(speed.x), without_trace(speed.y), without_trace(speed.z));
}

static crn_status take_bodies(crn_stepper *s, crn_kick_kind kind, crn_error *error)
{
    const crn_twist *shown = crn_moment_bodies(s, CRN_SHOWN), *after = crn_moment_bodies(s, CRN_AFTER);
    crn_status status = CRN_OK;
    for (int i = 0; i < s->bodies && status == CRN_OK; ++i) {
        crn_step_body *body = &s->body[i];
        if (body->id.index1 == 0 || body->kind != CRN_BODY_FREE || body->asleep) {
            continue;
        }
        if (body->tree == 0) { /* links have theirs from their trees */
            body->rigid.w = body->next_w = settled(after[i].angular);
            body->rigid.v = body->next_v = settled(after[i].linear);
        }
        if (kind == CRN_KICK_WHOLE && body->tree == 0) {
            body->shown_w = shown[i].angular;
            body->shown_v = shown[i].linear;
        }
        body->is_fresh = false;
        if (!crn_step_is_sane(body->rigid.v) || !crn_step_is_sane(body->rigid.w)) {
            status = crn_step_diverged(body, s->time, "the velocity", error);
        }
    }
    return status;
}

static void take_mechanisms(crn_stepper *s, crn_kick_kind kind)
{
    crn_step_forest *f = &s->forest;
    const double *after = crn_moment_speeds(s, CRN_AFTER);
    if (f->velocities == 0) {
        return;
    }
    for (int i = 0; i < f->velocities; ++i) {
        f->u[i] = without_trace(after[i]);
    }
    if (kind == CRN_KICK_WHOLE) {
        memcpy(f->shown, crn_moment_speeds(s, CRN_SHOWN), (size_t)f->velocities * sizeof *f->shown);
    }
    for (int i = 0; i < f->mechanisms; ++i) {
        crn_step_mechanism *m = &f->mechanism[i];
        m->kept.is_fresh = false;
        crn_trees_show(s, m);
    }
}

/* Which mechanisms contacts push. */
static void note_touched(crn_stepper *s)
{
    for (int i = 0; i < s->forest.mechanisms; ++i) {
        s->forest.mechanism[i].kept.is_touched = false;
    }
    crn_trees_note_touched(s);
}

crn_status crn_step_kick(crn_stepper *s, double h, crn_kick_kind kind, crn_step_answer *answer, crn_account *account,
                         int *rounds, crn_error *error)
{
    bool is_impact = false, is_first = kind != CRN_KICK_WHOLE;
    s->kick.time = time_of(s, h, kind);
    s->kick.share =
        is_first || s->def.integrator == CRN_INTEGRATOR_EULER ? 0.0 : 0.5; /* Euler's shows what it moved with */
    s->kick.is_for_all = kind != CRN_KICK_FIRST;
    crn_step_add_forces(s);
    crn_moment_take_before(s, is_first);
    crn_status status = solve_all(s, h, kind, answer, rounds, &is_impact, error);
    if (status == CRN_OK) {
        crn_account *until = is_first ? &s->books.open : account, *after = is_first ? until : &s->books.next;
        legs way = legs_of(s, is_first, is_impact);
        memset(&s->books.next, 0, sizeof s->books.next);
        if (is_impact) {
            sum_impulses(s);
        }
        settle_account(s, &way, is_impact, until, after);
        crn_copy_numbers(s->forest.solved, crn_moment_speeds(s, CRN_AFTER), s->forest.velocities);
        if (kind == CRN_KICK_WHOLE && s->def.integrator == CRN_INTEGRATOR_REFLECT) {
            clamp(s, &way, until, after);
            if (!s->branch) {
                crn_clamp_rest(s, after);
            }
        }
        note_touched(s);
        take_mechanisms(s, kind);
        status = take_bodies(s, kind, error);
    }
    return status;
}
