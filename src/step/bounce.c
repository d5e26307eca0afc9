/* Restitution by compression and decompression (Poisson's hypothesis), with one problem each [AP97].
 *
 * The step's problem brings colliding bodies exactly into touch at its end: that velocity moves the positions. The
 * collision itself happens there and changes the velocity only:
 *
 *     compression    rows of colliding contacts without gap: u_n >= 0, impulses c
 *     decompression  v := v_c + M^-1 sum J_n' e c, and the rows once more, so that nothing approaches
 *
 * A contact collides if it carries an impulse in the step's problem and the free motion closes it faster than the
 * restitution speed; slower ones come to rest. For one contact this is v_n+ = -e v_n-. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "math/rigid.h"
#include "step/trees.h"

static const double SPEED_OF_REST = 2.0; /* times |g| h: what gravity gives a resting body in two steps */

/* Normal velocity of the free motion at contact i, known surfaces included, the gap not. */
static double closing_speed(const crn_stepper *s, int i)
{
    const crn_contact *c = &s->now.contact[i];
    const crn_step_pair *pair = &s->now.pair[i];
    crn_vec3 u = {0, 0, 0};
    const int body[2] = {s->shape[pair->shape_a].body, s->shape[pair->shape_b].body};
    for (int side = 0; side < 2; ++side) {
        const crn_step_body *b = &s->body[body[side]];
        if (b->kind != CRN_BODY_FIXED) { /* of a link: its tree's free motion, see trees_kick.c */
            crn_vec3 arm = crn_v3_sub(c->point, b->rigid.pose.position);
            crn_vec3 v = crn_v3_add(b->next_v, crn_v3_cross(b->next_w, arm));
            u = crn_v3_axpy(u, side == 0 ? 1.0 : -1.0, v);
        }
    }
    return -crn_v3_dot(u, c->normal);
}

static double restitution_of(const crn_stepper *s, int i, double least)
{
    double e = s->now.pair[i].restitution;
    bool collides = e > 0.0 && s->problem.impulse[3 * i] > 0.0 && closing_speed(s, i) > least;
    return collides ? e : 0.0;
}

crn_status crn_step_list_colliding(crn_stepper *s, double h, int *colliding, crn_error *error)
{
    double least =
        s->def.restitution_speed > 0.0 ? s->def.restitution_speed : SPEED_OF_REST * crn_v3_length(s->def.gravity) * h;
    *colliding = 0;
    if (!crn_reserve(&s->allocator, (void **)&s->bounce, &s->bounce_capacity, s->now.contacts, sizeof *s->bounce)) {
        return crn_fail(error, CRN_ERR_MEMORY, "world: out of memory for collisions");
    }
    for (int i = 0; i < s->now.contacts; ++i) {
        s->bounce[i] = restitution_of(s, i, least);
        *colliding += s->bounce[i] > 0.0;
    }
    return CRN_OK;
}

/* free velocity := velocity + M^-1 J_n' (e c) of body `at` */
static void push(crn_stepper *s, int at, crn_vec3 point, crn_vec3 impulse)
{
    const crn_step_body *body = &s->body[s->problem.body_of[at]];
    crn_vec3 w, v, dw, dv;
    crn_rigid still = body->rigid;
    still.w = still.v = crn_v3(0, 0, 0);
    crn_vec3 torque = crn_v3_cross(crn_v3_sub(point, body->rigid.pose.position), impulse);
    crn_rigid_push(&still, 1.0, impulse, torque, 0.0, 0.0, &dw, &dv);
    crn_step_found(s, s->problem.velocity, at, &w, &v);
    crn_step_pack(s, crn_v3_add(w, dw), crn_v3_add(v, dv), s->problem.velocity, at);
}

/* The same of a mechanism: its velocities are whitened, so that the normal's column is what the impulse adds. */
static void push_mechanism(crn_stepper *s, int at, const double *jacobian, double impulse)
{
    for (int i = 0; i < s->forest.mechanisms; ++i) {
        const crn_step_mechanism *m = &s->forest.mechanism[i];
        for (int k = 0; m->at == at && k < m->dof; ++k) {
            s->problem.velocity[crn_step_first_velocity(s, m) + k] += impulse * jacobian[k];
        }
    }
}

/* One side of a contact. */
static void push_side(crn_stepper *s, int at, const double *jacobian, double given, crn_vec3 point, crn_vec3 impulse)
{
    if (at >= s->problem.rigid) {
        push_mechanism(s, at, jacobian, given);
    } else if (at >= 0) {
        push(s, at, point, impulse);
    }
}

/* The compression's impulses, with what restitution gives back, are kept where the start was. */
static void decompress(crn_stepper *s)
{
    crn_step_problem *p = &s->problem;
    memcpy(p->start_impulse, p->impulse, 3 * (size_t)p->problem.contacts * sizeof *p->impulse);
    if (p->problem.rows > 0) {
        memcpy(p->start_row, p->row_impulse, (size_t)p->problem.rows * sizeof *p->row_impulse);
    }
    memcpy(p->velocity, p->found, (size_t)crn_contact_dof(&p->problem) * sizeof *p->velocity);
    for (int i = 0; i < s->now.contacts; ++i) {
        double given = s->bounce[i] * p->impulse[3 * i];
        crn_vec3 impulse = crn_v3_scale(given, s->now.contact[i].normal);
        p->start_impulse[3 * i] += given;
        if (given > 0.0) {
            const crn_contact_point *point = &p->point[i];
            crn_vec3 at = s->now.contact[i].point;
            push_side(s, point->a, point->jacobian_a, given, at, impulse);
            push_side(s, point->b, point->jacobian_b, given, at, crn_v3_scale(-1.0, impulse));
        }
    }
}

/* The whole collision's impulses: of both phases. */
static void sum_impulses(crn_stepper *s)
{
    crn_step_problem *p = &s->problem;
    for (int i = 0; i < 3 * p->problem.contacts; ++i) {
        p->impulse[i] += p->start_impulse[i];
    }
    for (int i = 0; i < p->problem.rows; ++i) {
        p->row_impulse[i] += p->start_row[i];
    }
}

crn_status crn_step_bounce(crn_stepper *s, double h, crn_step_answer *answer, crn_error *error)
{
    crn_step_problem *p = &s->problem;
    for (int i = 0; i < s->now.contacts; ++i) {
        if (s->bounce[i] > 0.0) { /* where they touch there is no gap; only the surface's own speed stays */
            p->point[i].offset[0] -= crn_step_normal_offset(s, i, h);
        }
    }
    p->options.start_impulse = p->options.start_velocity = p->options.start_row_impulse = NULL;
    p->options.start = NULL;
    crn_status status = crn_step_solve_once(s, answer, error);
    if (status == CRN_OK) {
        decompress(s);
        status = crn_step_solve_once(s, answer, error);
    }
    if (status == CRN_OK) {
        sum_impulses(s);
    }
    return status;
}
