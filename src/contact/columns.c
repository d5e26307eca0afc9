/* Columns of a contact between rigid bodies: n acts at the point, so on body a it gives the impulse ((p - com) x n, n)
 * and on body b the opposite  [L05 s2]. Of planar bodies the components w_z, v_x, v_y of that are left. */
#include <math.h>
#include <string.h>

#include "contact/problem.h"
#include "math/vec3.h"

/* to = from / |from|; exactly unit vectors stay as they are. */
static void normalize(const double *from, double *to)
{
    double square = crn_dot3(from, from);
    double factor = crn_unit_factor(square);
    for (int k = 0; k < 3; ++k) {
        to[k] = factor * from[k];
    }
}

/* A tangent of our choice: the axis after the largest component of n, made orthogonal to n. */
static void choose_tangent(const double *n, double *t)
{
    int largest = fabs(n[0]) > fabs(n[1]) ? 0 : 1;
    largest = fabs(n[2]) >= fabs(n[largest]) ? 2 : largest;
    double axis[3] = {0.0, 0.0, 0.0};
    axis[(largest + 1) % 3] = 1.0;
    double along = crn_dot3(axis, n);
    for (int k = 0; k < 3; ++k) {
        axis[k] -= along * n[k];
    }
    normalize(axis, t);
}

void crn_contact_frame(const crn_contact_problem *problem, const crn_contact_point *contact, double *frame)
{
    normalize(contact->normal, frame);
    if (crn_dot3(contact->t1, contact->t1) == 0.0) {
        if (crn_contact_is_planar(problem, contact)) {
            const double in_plane[6] = {-frame[1], frame[0], 0.0, 0.0, 0.0, 1.0};
            memcpy(frame + 3, in_plane, sizeof in_plane);
            return;
        }
        choose_tangent(frame, frame + 3);
        crn_cross(frame, frame + 3, frame + 6);
    } else {
        normalize(contact->t1, frame + 3);
        normalize(contact->t2, frame + 6);
    }
}

/* (w_z, v_x, v_y) of the three columns; whatever t2 is, it leaves the plane and moves nothing. */
static void planar_columns(const double *arm, const double *frame, double *space)
{
    for (int j = 0; j < 2; ++j) {
        const double *n = frame + 3 * j;
        space[3 * j] = arm[0] * n[1] - arm[1] * n[0];
        space[3 * j + 1] = n[0];
        space[3 * j + 2] = n[1];
    }
    space[6] = space[7] = space[8] = 0.0;
}

const double *crn_contact_columns(const crn_contact_problem *problem, const crn_contact_point *contact, int side,
                                  double *space)
{
    if (!crn_contact_is_geometric(problem, contact)) {
        return side == 0 ? contact->jacobian_a : contact->jacobian_b;
    }
    const crn_contact_body *body = &problem->body[side == 0 ? contact->a : contact->b];
    double sign = side == 0 ? 1.0 : -1.0;
    double frame[9], arm[3];
    crn_contact_frame(problem, contact, frame);
    for (int k = 0; k < 3; ++k) {
        arm[k] = contact->position[k] - body->com[k];
    }
    for (int j = 0; j < 9; ++j) {
        frame[j] *= sign;
    }
    if (body->kind == CRN_MASS_PLANAR) {
        planar_columns(arm, frame, space);
        return space;
    }
    for (int j = 0; j < 3; ++j) {
        crn_cross(arm, frame + 3 * j, space + 6 * j);
        memcpy(space + 6 * j + 3, frame + 3 * j, 3 * sizeof *space);
    }
    return space;
}
