/* What a step leaves to be looked at and to start from: contacts with impulses, impulses of joints, counts. */
#include <string.h>

#include "base/memory.h"
#include "math/rigid.h"
#include "step/tendons.h"

static crn_vec3 composed(const double *r, crn_vec3 n, crn_vec3 t1, crn_vec3 t2)
{
    return crn_v3_axpy(crn_v3_axpy(crn_v3_scale(r[0], n), r[1], t1), r[2], t2);
}

static void note_answers(crn_stepper *s, double h)
{
    const crn_step_problem *p = &s->problem;
    for (int i = 0; i < s->now.contacts; ++i) {
        crn_contact *c = &s->now.contact[i];
        const crn_contact_point *point = &p->point[i];
        const double *r = p->impulse + 3 * i, *u = p->u + 3 * i;
        crn_vec3 n = c->normal, t1 = crn_v3_of(point->t1), t2 = crn_v3_of(point->t2);
        double motion[3] = {u[0] - crn_step_normal_offset(s, i, h), u[1], u[2]};
        c->impulse = composed(r, n, t1, t2);
        c->velocity = composed(motion, n, t1, t2);
        c->kind = p->state[i].kind;
        s->now.pair[i].corner = p->state[i].corner;
    }
}

void crn_step_record_contacts(crn_stepper *s, double h)
{
    note_answers(s, h);
    crn_step_record_start(s);
}

void crn_step_keep_round(crn_stepper *s, double h)
{
    crn_step_contacts before = s->round;
    note_answers(s, h);
    for (int i = 0; i < s->now.contacts; ++i) {
        s->now.pair[i].start = s->now.contact[i].impulse;
    }
    s->round = s->now;
    s->now = before;
}

void crn_step_record_joints(crn_stepper *s)
{
    for (int i = 0; i < s->joints; ++i) {
        memset(s->joint[i].limit, 0, sizeof s->joint[i].limit);
    }
    for (int i = 0; i < s->tendons; ++i) {
        s->tendon[i].limit[0] = s->tendon[i].limit[1] = 0.0;
    }
    for (int i = 0; i < s->limits; ++i) {
        *crn_step_limit_impulse(s, &s->limit[i]) = s->problem.impulse[3 * (s->now.contacts + i)];
    }
    for (int i = 0; i < s->forest.stops; ++i) {
        s->forest.stop[i].impulse = s->problem.impulse[3 * (s->now.contacts + s->limits + i)];
    }
    for (int i = 0; i < s->rows; ++i) {
        s->last_row[i] = s->problem.row_impulse[i];
    }
    s->last_rows = s->rows;
}

/* The step's contacts become the last ones: what the world shows, and what the next step starts from. */
void crn_step_keep_contacts(crn_stepper *s)
{
    crn_step_contacts before = s->last;
    for (int i = 0; i < s->shapes; ++i) {
        s->shape[i].is_known = s->shape[i].body >= 0;
    }
    s->last = s->now;
    s->now = before;
}

static int moving_links(const crn_stepper *s)
{
    int count = 0;
    for (int i = 0; i < s->forest.links; ++i) {
        count += s->body[s->forest.body[i]].at >= 0;
    }
    return count;
}

void crn_step_tell(const crn_step_answer *answer, const crn_stepper *s, crn_step_stats *stats)
{
    const crn_contact_result *result = &answer->result;
    stats->problems = answer->problems;
    stats->outcome = result->outcome;
    stats->law = result->law;
    stats->method = result->method;
    stats->certificate = result->certificate.relative;
    stats->shift = answer->shift;
    stats->pivots = result->pivots;
    stats->iterations = result->iterations;
    stats->is_warm = result->is_warm;
    stats->is_relaxed = answer->is_relaxed;
    stats->islands = result->islands;
    stats->bodies = s->problem.rigid + moving_links(s);
    stats->contacts = s->now.contacts;
    stats->rows = s->rows;
    crn_step_figures_before(s, stats);
}

/* --- Roll back a failed step --- */

void crn_step_remember(crn_stepper *s)
{
    for (int i = 0; i < s->bodies; ++i) {
        s->body[i].begin.rest = s->body[i].rest;
        s->body[i].begin.asleep = s->body[i].asleep;
        s->body[i].end_v = s->body[i].rigid.v;
        s->body[i].end_w = s->body[i].rigid.w;
        s->body[i].begin.pose = s->body[i].rigid.pose;
    }
}

/* Who was woken sleeps again; driven bodies have the velocity of the step before. */
void crn_step_undo(crn_stepper *s)
{
    for (int i = 0; i < s->bodies; ++i) {
        crn_step_body *body = &s->body[i];
        body->rest = body->begin.rest;
        body->asleep = body->begin.asleep;
        if (body->id.index1 != 0 && body->kind == CRN_BODY_DRIVEN) {
            body->rigid.v = body->end_v;
            body->rigid.w = body->end_w;
        }
    }
}

/* --- Room --- */

/* Memory of all that follows the solution, so that nothing has moved if there is none. */
crn_status crn_step_make_room(crn_stepper *s, crn_error *error)
{
    crn_status status = crn_step_events(s, error);
    if (status == CRN_OK &&
        !crn_reserve(&s->allocator, (void **)&s->last_row, &s->last_row_capacity, s->rows, sizeof *s->last_row)) {
        status = crn_fail(error, CRN_ERR_MEMORY, "world: out of memory for joints");
    }
    if (status == CRN_OK) {
        status = crn_is_hart(s) ? crn_step_repair_begin(s, error) : CRN_OK;
    }
    return status == CRN_OK ? crn_step_sleep_begin(s, error) : status;
}
