/* Fewer contacts: solve those that matter, and check that the others do not [docs/theory/surfaces.md].
 *
 * Let W be some of the contacts and (v, r) a solution of the problem with W alone. If  u_n >= 0  of every other contact at v, then
 * r = 0 there completes it: (v, r) solves the whole problem, since an open contact carries nothing. So W begins with the contacts
 * that pushed in the last step; those that the answer violates are added and the problem is solved again, until none is. Nothing is
 * assumed about which contacts may push, and W only grows. */
#include "step/lazy.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "contact/contact_room.h"
#include "math/rigid.h"

static const int CONTACTS_LEAST = 24;     /* fewer are solved at once */
static const double ACTIVE_MOST = 0.34;   /* of all: where more pushed, there is little to gain */
static const double ALLOWED_SHARE = 0.01; /* of the tolerance, as a velocity: what others may be violated by */
static const double ADDED_SHARE = 0.3;    /* of the worst violation: contacts violated by more join at once */
enum { ROUNDS_MOST = 6 };

/* --- Velocity at a contact --- */

/* Of one body along n, t1 and t2, by its own columns. */
static void add_columns(const double *jacobian, const double *v, int dof, double u[3])
{
    for (int k = 0; k < 3 && jacobian != NULL; ++k) {
        for (int i = 0; i < dof; ++i) {
            u[k] += jacobian[(size_t)k * (size_t)dof + (size_t)i] * v[i];
        }
    }
}

static void add_rigid(const crn_contact_body *body, const crn_contact_point *point, const double *v, double sign,
                      double u[3])
{
    bool is_planar = body->kind == CRN_MASS_PLANAR;
    crn_vec3 w = is_planar ? crn_v3(0, 0, v[0]) : crn_v3_of(v);
    crn_vec3 linear = is_planar ? crn_v3(v[1], v[2], 0) : crn_v3_of(v + 3);
    crn_vec3 com = crn_v3(body->com[0], body->com[1], is_planar ? point->position[2] : body->com[2]);
    crn_vec3 speed = crn_v3_add(linear, crn_v3_cross(w, crn_v3_sub(crn_v3_of(point->position), com)));
    u[0] += sign * crn_v3_dot(speed, crn_v3_of(point->normal));
    u[1] += sign * crn_v3_dot(speed, crn_v3_of(point->t1));
    u[2] += sign * crn_v3_dot(speed, crn_v3_of(point->t2));
}

/* u of contact i, offset included. */
static void velocity_at(const crn_stepper *s, int i, double u[3])
{
    const crn_step_problem *p = &s->problem;
    const crn_contact_point *point = &p->point[i];
    const int body[2] = {point->a, point->b};
    memcpy(u, point->offset, 3 * sizeof *u);
    for (int side = 0; side < 2; ++side) {
        if (body[side] < 0) {
            continue;
        }
        const double *v = p->found + s->lazy.first[body[side]];
        if (point->jacobian_a != NULL || point->jacobian_b != NULL) {
            add_columns(side == 0 ? point->jacobian_a : point->jacobian_b, v, p->body[body[side]].dof, u);
        } else {
            add_rigid(&p->body[body[side]], point, v, side == 0 ? 1.0 : -1.0, u);
        }
    }
}

/* --- The part that is solved --- */

static bool reserve(crn_stepper *s)
{
    crn_step_lazy *z = &s->lazy;
    const crn_contact_problem *p = &s->problem.problem;
    bool is_fine = true;
#define ROOM(field, count) \
    is_fine = is_fine && crn_reserve(&s->allocator, (void **)&z->field, &z->field##_capacity, (count), sizeof *z->field)
    ROOM(is_in, p->contacts);
    ROOM(index, p->contacts);
    ROOM(first, p->bodies);
    ROOM(point, p->contacts);
    ROOM(impulse, 3 * p->contacts);
    ROOM(u, 3 * p->contacts);
    ROOM(start_impulse, 3 * p->contacts);
    ROOM(start_u, 3 * p->contacts);
    ROOM(state, p->contacts);
    ROOM(start, p->contacts);
#undef ROOM
    return is_fine;
}

/* Those that pushed in the last step, and all that are no contacts of shapes. */
static void choose(crn_stepper *s)
{
    crn_step_lazy *z = &s->lazy;
    const crn_step_problem *p = &s->problem;
    for (int i = 0; i < p->problem.contacts; ++i) {
        z->is_in[i] = i >= s->now.contacts || p->start_impulse[3 * i] > 0.0;
    }
    for (int i = 0, first = 0; i < p->problem.bodies; ++i) {
        z->first[i] = first;
        first += p->body[i].dof;
    }
}

static int gather(crn_stepper *s)
{
    crn_step_lazy *z = &s->lazy;
    const crn_step_problem *p = &s->problem;
    int count = 0;
    for (int i = 0; i < p->problem.contacts; ++i) {
        if (!z->is_in[i]) {
            continue;
        }
        z->index[count] = i;
        z->point[count] = p->point[i];
        memcpy(z->start_impulse + 3 * count, p->start_impulse + 3 * i, 3 * sizeof(double));
        memcpy(z->start_u + 3 * count, p->start_u + 3 * i, 3 * sizeof(double));
        z->start[count++] = p->start[i];
    }
    return count;
}

static crn_status solve_part(crn_stepper *s, int count, crn_contact_result *result, crn_error *error)
{
    crn_step_lazy *z = &s->lazy;
    crn_step_problem *p = &s->problem;
    crn_contact_problem part = p->problem;
    crn_contact_options options = p->options;
    part.contacts = count;
    part.contact = z->point;
    if (options.start != NULL) {
        options.start = z->start;
        options.start_impulse = z->start_impulse;
        options.start_velocity = z->start_u;
    }
    crn_contact_solution solution = {z->impulse, p->found, z->u, p->row_impulse, z->state};
    return crn_contact_solve_built(&part, &options, &p->workspace, &solution, result, error);
}

/* The answer as one of the whole problem; the worst violation of contacts that are not in it. */
static double spread(crn_stepper *s, int count)
{
    crn_step_lazy *z = &s->lazy;
    crn_step_problem *p = &s->problem;
    double worst = 0.0;
    for (int k = 0; k < count; ++k) {
        int i = z->index[k];
        memcpy(p->impulse + 3 * i, z->impulse + 3 * k, 3 * sizeof(double));
        memcpy(p->u + 3 * i, z->u + 3 * k, 3 * sizeof(double));
        p->state[i] = z->state[k];
    }
    for (int i = 0; i < p->problem.contacts; ++i) {
        if (!z->is_in[i]) {
            memset(p->impulse + 3 * i, 0, 3 * sizeof(double));
            memset(&p->state[i], 0, sizeof p->state[i]);
            velocity_at(s, i, p->u + 3 * i);
            worst = crn_fmax(worst, -p->u[3 * i]);
        }
    }
    return worst;
}

/* What an answer leaves in W is where the next search starts. */
static void add_violated(crn_stepper *s, double worst)
{
    crn_step_lazy *z = &s->lazy;
    crn_step_problem *p = &s->problem;
    for (int i = 0; i < p->problem.contacts; ++i) {
        if (z->is_in[i]) {
            memcpy(p->start_impulse + 3 * i, p->impulse + 3 * i, 3 * sizeof(double));
            memcpy(p->start_u + 3 * i, p->u + 3 * i, 3 * sizeof(double));
            p->start[i] = p->state[i];
        } else if (-p->u[3 * i] > ADDED_SHARE * worst) {
            z->is_in[i] = true;
        }
    }
}

bool crn_lazy_is_worth(const crn_stepper *s)
{
    const crn_step_problem *p = &s->problem;
    int count = 0;
    if (s->solver != NULL || s->now.contacts < CONTACTS_LEAST || s->kick.purpose != CRN_FOR_KICK || p->options.even ||
        p->options.start == NULL) {
        return false;
    }
    for (int i = 0; i < s->now.contacts; ++i) {
        count += p->start_impulse[3 * i] > 0.0;
    }
    return count > 0 && count <= ACTIVE_MOST * s->now.contacts;
}

crn_status crn_lazy_solve(crn_stepper *s, crn_contact_result *result, bool *is_solved, crn_error *error)
{
    *is_solved = false;
    if (!reserve(s)) {
        return crn_fail(error, CRN_ERR_MEMORY, "world: out of memory for the step's problem");
    }
    choose(s);
    crn_status status = CRN_OK;
    for (int round = 0; round < ROUNDS_MOST && status == CRN_OK; ++round) {
        int count = gather(s);
        status = solve_part(s, count, result, error);
        if (status != CRN_OK || !crn_is_answered(result->outcome)) {
            return status;
        }
        double worst = spread(s, count), tolerance = s->def.tol > 0.0 ? s->def.tol : 1e-8;
        if (worst <= ALLOWED_SHARE * tolerance * result->certificate.scale) {
            *is_solved = true;
            return status;
        }
        add_violated(s, worst);
    }
    return status;
}
