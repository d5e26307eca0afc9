/* Coordinates of joints: where they put b's frame in a's, how velocities move them, and what they are for given frames. */
#include "math/elementary.h"
#include "tree/joint_parts.h"
#include "tree/tree_parts.h"

#include <string.h>

enum { X, Y, Z };

/* --- Frames --- */

/* Columns of the rotation by q about axis k. */
static crn_mat3 axis_rotation(int k, double q)
{
    crn_turn turn = crn_sin_cos(q);
    int i = (k + 1) % 3, j = (k + 2) % 3;
    crn_mat3 r = {{0}};
    r.m[4 * k] = 1.0;
    r.m[i + 3 * i] = turn.cos;
    r.m[j + 3 * i] = turn.sin;
    r.m[i + 3 * j] = -turn.sin;
    r.m[j + 3 * j] = turn.cos;
    return r;
}

static crn_quat quat_at(const double *q)
{
    return crn_quat_unit((crn_quat){q[0], q[1], q[2], q[3]});
}

crn_frame crn_tree_joint_frame(crn_joint_kind kind, const double *q)
{
    crn_frame f = {{{1, 0, 0, 0, 1, 0, 0, 0, 1}}, {0, 0, 0}};
    switch (kind) {
    case CRN_JOINT_HINGE: f.rotation = axis_rotation(Z, q[0]); break;
    case CRN_JOINT_SLIDER: f.position.z = q[0]; break;
    case CRN_JOINT_BALL: f.rotation = crn_quat_matrix(quat_at(q)); break;
    case CRN_JOINT_FREE: f = (crn_frame){crn_quat_matrix(quat_at(q + 3)), crn_v3_of(q)}; break;
    case CRN_JOINT_PLANAR: f = (crn_frame){axis_rotation(Z, q[2]), {q[0], q[1], 0}}; break;
    case CRN_JOINT_UNIVERSAL: {
        crn_mat3 x = axis_rotation(X, q[0]), y = axis_rotation(Y, q[1]);
        f.rotation = crn_m3_product(&x, &y);
        break;
    }
    case CRN_JOINT_FIXED:
    case CRN_JOINT_DISTANCE: break;
    }
    return f;
}

/* --- Rest and motion --- */

/* Where a joint's quaternion begins among its coordinates; -1: it has none. */
static int quat_place(crn_joint_kind kind)
{
    return kind == CRN_JOINT_BALL ? 0 : kind == CRN_JOINT_FREE ? 3 : -1;
}

void crn_tree_rest(const crn_tree *tree, double *q)
{
    if (tree == NULL || q == NULL) {
        return;
    }
    for (int i = 0; i < tree->links; ++i) {
        const crn_link *link = &tree->link[i];
        int quat = quat_place(link->kind);
        for (int k = 0; k < link->coordinates; ++k) {
            q[link->q + k] = k == quat ? 1.0 : 0.0;
        }
    }
}

/* The quaternion q turned by the vector v, a's axes. A turn too small to change a digit changes none. */
static void turn(const double *q, crn_vec3 v, double *next)
{
    crn_quat old = {q[0], q[1], q[2], q[3]}, to = crn_quat_product(crn_quat_exp(v), old);
    if (to.w != old.w || to.x != old.x || to.y != old.y || to.z != old.z) {
        to = crn_quat_unit(to);
    }
    next[0] = to.w;
    next[1] = to.x;
    next[2] = to.y;
    next[3] = to.z;
}

void crn_tree_advance(const crn_tree *tree, const double *q, const double *u, double h, double *next)
{
    if (tree == NULL || q == NULL || u == NULL || next == NULL) {
        return;
    }
    for (int i = 0; i < tree->links; ++i) {
        const crn_link *link = &tree->link[i];
        const double *from = q + link->q, *rate = u + link->u;
        double *to = next + link->q;
        switch (link->kind) {
        case CRN_JOINT_BALL: turn(from, crn_v3_scale(h, crn_v3_of(rate)), to); break;
        case CRN_JOINT_FREE:
            crn_v3_to(crn_v3_axpy(crn_v3_of(from), h, crn_v3_of(rate + 3)), to);
            turn(from + 3, crn_v3_scale(h, crn_v3_of(rate)), to + 3);
            break;
        default:
            for (int k = 0; k < link->freedom; ++k) {
                to[k] = from[k] + h * rate[k];
            }
        }
    }
}

/* --- Measuring --- */

/* The quaternion of b in a, of the two that say the same the one nearer to q. */
static void measure_quat(const crn_joint_sides *sides, double *q)
{
    crn_mat3 relative = crn_m3_transposed_product(&sides->a.rotation, &sides->b.rotation);
    crn_quat r = crn_joint_quat(&relative);
    double sign = r.w * q[0] + r.x * q[1] + r.y * q[2] + r.z * q[3] < 0.0 ? -1.0 : 1.0;
    q[0] = sign * r.w;
    q[1] = sign * r.x;
    q[2] = sign * r.y;
    q[3] = sign * r.z;
}

void crn_tree_measure(const crn_tree *tree, int link, const crn_frame *side_a, const crn_frame *side_b, double *q)
{
    crn_joint_kind kind = tree->link[link].kind;
    const crn_joint_type *type = crn_joint_type_of(kind);
    crn_joint_sides sides = {*side_a, *side_b, side_a->position, side_b->position, 0.0};
    if (kind == CRN_JOINT_BALL) {
        measure_quat(&sides, q);
    } else if (kind == CRN_JOINT_FREE) {
        crn_v3_to(crn_frame_local(side_a, side_b->position), q);
        measure_quat(&sides, q + 3);
    } else if (type->coordinate != NULL) {
        crn_joint_row row[CRN_JOINT_COORDINATES_MAX];
        type->coordinate(&sides, row);
        for (int k = 0; k < type->coordinates; ++k) {
            bool is_angle = (type->angles >> k) & 1u;
            q[k] = is_angle ? crn_joint_unwind(row[k].value, q[k]) : row[k].value;
        }
    }
}
