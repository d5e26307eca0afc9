/* Joints between two moving bodies, for tests: where the bodies are, how they move, what the rows say. */
#ifndef CRN_TEST_JOINT_CASE_H
#define CRN_TEST_JOINT_CASE_H

#include "tree/tree_room.h"

#include "math/rigid.h"
#include "test_support.h"

/* A body's centre of mass with its velocity, and the joint frame that it carries. */
typedef struct joint_side {
    crn_pose com;
    crn_vec3 w, v;
    crn_pose frame; /* in the body */
} joint_side;

typedef struct joint_case {
    joint_side a, b;
    double length;
} joint_case;

static inline crn_vec3 joint_random_vector(crn_random *random, double size)
{
    double x = crn_random_uniform(random, -size, size), y = crn_random_uniform(random, -size, size);
    return crn_v3(x, y, crn_random_uniform(random, -size, size));
}

static inline crn_quat joint_random_rotation(crn_random *random)
{
    double w = crn_random_normal(random), x = crn_random_normal(random), y = crn_random_normal(random);
    return crn_quat_unit((crn_quat){w, x, y, crn_random_normal(random)});
}

static inline joint_side joint_random_side(crn_random *random)
{
    joint_side side;
    side.com = (crn_pose){joint_random_vector(random, 1.0), joint_random_rotation(random)};
    side.w = joint_random_vector(random, 1.0);
    side.v = joint_random_vector(random, 1.0);
    side.frame = (crn_pose){joint_random_vector(random, 1.0), joint_random_rotation(random)};
    return side;
}

/* The pose of a side's joint frame at time t: the body moves and turns evenly. */
static inline crn_pose joint_frame_at(const joint_side *side, double t)
{
    crn_pose com = {crn_v3_axpy(side->com.position, t, side->v),
                    crn_quat_unit(crn_quat_product(crn_quat_exp(crn_v3_scale(t, side->w)), side->com.rotation))};
    crn_pose frame = crn_pose_product(&com, &side->frame);
    frame.rotation = crn_quat_unit(frame.rotation);
    return frame;
}

static inline crn_joint_sides joint_sides_at(const joint_case *c, double t)
{
    crn_pose a = joint_frame_at(&c->a, t), b = joint_frame_at(&c->b, t);
    crn_joint_sides sides = {crn_frame_of(&a), crn_frame_of(&b), crn_v3_axpy(c->a.com.position, t, c->a.v),
                             crn_v3_axpy(c->b.com.position, t, c->b.v), c->length};
    return sides;
}

/* Put b so that its joint frame is at `relative` seen from a's. */
static inline void joint_place(joint_case *c, crn_pose relative)
{
    crn_pose a = joint_frame_at(&c->a, 0.0), goal = crn_pose_product(&a, &relative);
    crn_quat back = crn_quat_conjugate(c->b.frame.rotation);
    c->b.com.rotation = crn_quat_unit(crn_quat_product(goal.rotation, back));
    c->b.com.position = crn_v3_sub(goal.position, crn_quat_turn(c->b.com.rotation, c->b.frame.position));
}

/* Let b move relative to a with the spatial velocity (angular; linear) at b's joint origin. */
static inline void joint_set_relative(joint_case *c, const double *twist)
{
    crn_vec3 origin = joint_frame_at(&c->b, 0.0).position;
    crn_vec3 at_a = crn_v3_add(c->a.v, crn_v3_cross(c->a.w, crn_v3_sub(origin, c->a.com.position)));
    c->b.w = crn_v3_add(c->a.w, crn_v3_of(twist));
    c->b.v =
        crn_v3_add(crn_v3_add(at_a, crn_v3_of(twist + 3)), crn_v3_cross(c->b.w, crn_v3_sub(c->b.com.position, origin)));
}

static inline double joint_speed(const joint_case *c, const crn_joint_row *row)
{
    return crn_v3_dot(crn_v3_of(row->a), c->a.w) + crn_v3_dot(crn_v3_of(row->a + 3), c->a.v) +
           crn_v3_dot(crn_v3_of(row->b), c->b.w) + crn_v3_dot(crn_v3_of(row->b + 3), c->b.v);
}

/* The relative pose of a closed joint with these coordinates, written down apart from the library. */
static inline crn_pose joint_closed_pose(crn_joint_kind kind, const double *q)
{
    crn_pose pose = crn_pose_identity();
    switch (kind) {
    case CRN_JOINT_BALL: pose.rotation = crn_quat_exp(crn_v3(q[0], q[1], q[2])); break;
    case CRN_JOINT_HINGE: pose.rotation = crn_quat_exp(crn_v3(0, 0, q[0])); break;
    case CRN_JOINT_SLIDER: pose.position.z = q[0]; break;
    case CRN_JOINT_UNIVERSAL:
        pose.rotation = crn_quat_product(crn_quat_exp(crn_v3(q[0], 0, 0)), crn_quat_exp(crn_v3(0, q[1], 0)));
        break;
    case CRN_JOINT_FIXED: break;
    case CRN_JOINT_DISTANCE: pose = (crn_pose){{q[0] * 0.6, 0, q[0] * 0.8}, crn_quat_exp(crn_v3(q[1], q[2], 1))}; break;
    case CRN_JOINT_PLANAR: pose = (crn_pose){{q[0], q[1], 0}, crn_quat_exp(crn_v3(0, 0, q[2]))}; break;
    case CRN_JOINT_FREE: pose = (crn_pose){{q[0], q[1], 0.5}, crn_quat_exp(crn_v3(q[2], q[1], 1))}; break;
    }
    return pose;
}

/* Rank of an m x n matrix, row-major with n columns, by elimination with complete pivoting; m, n <= 12. */
static inline int joint_rank(int m, int n, const double *entries)
{
    double a[12 * 12];
    memcpy(a, entries, (size_t)(m * n) * sizeof *a);
    for (int rank = 0; rank < m; ++rank) {
        int row = -1, column = 0;
        double most = 1e-9; /* entries are of order 1 */
        for (int i = rank * n; i < m * n; ++i) {
            if (fabs(a[i]) > most) {
                most = fabs(a[i]);
                row = i / n;
                column = i % n;
            }
        }
        if (row < 0) {
            return rank;
        }
        for (int j = 0; j < n; ++j) {
            double swap = a[row * n + j];
            a[row * n + j] = a[rank * n + j];
            a[rank * n + j] = swap;
        }
        for (int i = rank + 1; i < m; ++i) {
            double factor = a[i * n + column] / a[rank * n + column];
            for (int j = 0; j < n; ++j) {
                a[i * n + j] -= factor * a[rank * n + j];
            }
            a[i * n + column] = 0.0;
        }
    }
    return m;
}

#endif
