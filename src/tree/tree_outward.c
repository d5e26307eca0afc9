/* From the base to the leaves: where joints are, how links move, and the wrenches that make them move so [F08 ch. 5].
 *
 * With R the axes of a joint's frame b, r its origin seen from the parent's, w', a the accelerations of the link and of the
 * joint's origin as its point, (w_J, v_J) = S u and (w'_J, v'_J) = S u' what the joint adds, c the centre of mass:
 *
 *     w  = w_p + w_J
 *     w' = w'_p + w_p x w_J + w'_J                                     (universal: + x_a u_0 x y_b u_1)
 *     a  = a_p + w'_p x r + w_p x (w_p x r) + 2 w_p x v_J + v'_J
 *     f  = m (a + w' x c + w x (w x c)),    n = I w' + w x I w + c x f      about the joint's origin
 *
 * Gravity is an upward acceleration of the base; wrenches from outside are taken off. */
#include "math/elementary.h"
#include "tree/tree_parts.h"

/* --- Parts --- */

enum { STATE_NUMBERS = sizeof(crn_tree_state) / sizeof(double) };

size_t crn_tree_scratch_size(int links, int velocities)
{
    return STATE_NUMBERS * (size_t)links + CRN_TREE_WIDE * (size_t)velocities;
}

crn_tree_state *crn_tree_states(const crn_tree *tree)
{
    return (crn_tree_state *)(void *)tree->scratch;
}

double *crn_tree_wide(const crn_tree *tree, int velocity)
{
    return tree->scratch + STATE_NUMBERS * tree->links + CRN_TREE_WIDE * velocity;
}

void crn_tree_fill_parts(crn_tree *tree)
{
    for (int i = 0; i < tree->links; ++i) {
        const crn_link *link = &tree->link[i];
        crn_tree_part *part = &tree->part[i];
        crn_mat3 inertia = crn_m3_turned(&link->from_b.rotation, &link->inertia);
        const double *m = inertia.m;
        *part = (crn_tree_part){.parent = link->parent,
                                .q = link->q,
                                .u = link->u,
                                .kind = link->kind,
                                .a = link->frame_a,
                                .com = link->from_b.position,
                                .inertia = {m[0], m[1], m[2], m[4], m[5], m[8]},
                                .mass = link->mass,
                                .armature = link->armature[0]};
        if (link->parent >= 0) {
            part->a = crn_frame_product(&tree->link[link->parent].from_b, &link->frame_a);
        }
    }
}

/* --- Joints: axes of b, and what the joint adds to the motion --- */

typedef struct joint_motion {
    crn_vec3 w, v;          /* S u */
    crn_vec3 turning, pace; /* S u' */
    crn_vec3 spin;          /* rate of w seen from a, u' = 0: of universal joints only */
    crn_vec3 from_a;        /* b's origin from a's */
} joint_motion;

/* Columns of S about b's origin: kept for the way back, and summed up. */
static joint_motion wide_motion(const crn_tree *tree, const crn_tree_part *part, const crn_mat3 *a, const crn_frame *j,
                                crn_mat3 *axes, const double *u, const double *acceleration)
{
    crn_frame side_a = {*a, {0, 0, 0}}, side_b = crn_frame_product(&side_a, j);
    crn_joint_sides sides = {side_a, side_b, {0, 0, 0}, {0, 0, 0}, 0.0};
    const crn_joint_type *type = crn_joint_type_of(part->kind);
    joint_motion motion = {.from_a = side_b.position};
    double *S = crn_tree_wide(tree, part->u), sum[6] = {0}, rate[6] = {0};
    *axes = side_b.rotation;
    type->motion(&sides, S);
    for (int k = 0; k < type->freedom; ++k) {
        crn_sp_add(u != NULL ? u[part->u + k] : 0.0, S + 6 * k, sum);
        crn_sp_add(acceleration != NULL ? acceleration[part->u + k] : 0.0, S + 6 * k, rate);
    }
    motion.w = crn_v3_of(sum);
    motion.v = crn_v3_of(sum + 3);
    motion.turning = crn_v3_of(rate);
    motion.pace = crn_v3_of(rate + 3);
    if (part->kind == CRN_JOINT_UNIVERSAL && u != NULL) {
        motion.spin = crn_v3_scale(u[part->u] * u[part->u + 1], crn_v3_cross(crn_v3_of(S), crn_v3_of(S + 6)));
    }
    return motion;
}

CRN_TREE_INLINE joint_motion add_joint(const crn_tree *tree, const crn_tree_part *part, const crn_mat3 *a,
                                       const double *q, const double *u, const double *acceleration, crn_mat3 *axes)
{
    joint_motion motion = {.w = {0, 0, 0}};
    if (part->kind == CRN_JOINT_HINGE) {
        crn_vec3 x = crn_m3_column(a, 0), y = crn_m3_column(a, 1), z = crn_m3_column(a, 2);
        crn_turn turn = crn_sin_cos(q[part->q]);
        crn_v3_to(crn_v3_axpy(crn_v3_scale(turn.cos, x), turn.sin, y), axes->m);
        crn_v3_to(crn_v3_axpy(crn_v3_scale(turn.cos, y), -turn.sin, x), axes->m + 3);
        crn_v3_to(z, axes->m + 6);
        motion.w = crn_v3_scale(u != NULL ? u[part->u] : 0.0, z);
        motion.turning = crn_v3_scale(acceleration != NULL ? acceleration[part->u] : 0.0, z);
    } else if (part->kind == CRN_JOINT_SLIDER) {
        crn_vec3 z = crn_m3_column(a, 2);
        *axes = *a;
        motion.from_a = crn_v3_scale(q[part->q], z);
        motion.v = crn_v3_scale(u != NULL ? u[part->u] : 0.0, z);
        motion.pace = crn_v3_scale(acceleration != NULL ? acceleration[part->u] : 0.0, z);
    } else if (part->kind == CRN_JOINT_FIXED) {
        *axes = *a;
    } else if (part->kind == CRN_JOINT_BALL) {
        const double *at = q + part->q;
        crn_mat3 j = crn_quat_matrix(crn_quat_unit((crn_quat){at[0], at[1], at[2], at[3]}));
        double *S = crn_tree_wide(tree, part->u);
        *axes = crn_m3_product(a, &j);
        for (int k = 0; k < 3; ++k) {
            crn_v3_to(crn_m3_column(a, k), S + 6 * k);
            crn_v3_to(crn_v3(0, 0, 0), S + 6 * k + 3);
        }
        motion.w = u != NULL ? crn_m3_times(a, crn_v3_of(u + part->u)) : motion.w;
        motion.turning = acceleration != NULL ? crn_m3_times(a, crn_v3_of(acceleration + part->u)) : motion.turning;
    } else {
        crn_frame j = crn_tree_joint_frame(part->kind, q + part->q);
        motion = wide_motion(tree, part, a, &j, axes, u, acceleration);
    }
    return motion;
}

/* --- Links --- */

/* R I R' */
CRN_TREE_INLINE void turn_inertia(const crn_mat3 *R, const double *I, double *turned)
{
    const double *r = R->m;
    double t[9];
    for (int i = 0; i < 3; ++i) { /* R I */
        t[i] = r[i] * I[0] + r[i + 3] * I[1] + r[i + 6] * I[2];
        t[i + 3] = r[i] * I[1] + r[i + 3] * I[3] + r[i + 6] * I[4];
        t[i + 6] = r[i] * I[2] + r[i + 3] * I[4] + r[i + 6] * I[5];
    }
    for (int i = 0, k = 0; i < 3; ++i) {
        for (int j = i; j < 3; ++j, ++k) {
            turned[k] = t[i] * r[j] + t[i + 3] * r[j + 3] + t[i + 6] * r[j + 6];
        }
    }
}

CRN_TREE_INLINE crn_vec3 packed_times(const double *I, crn_vec3 v)
{
    return crn_v3(I[0] * v.x + I[1] * v.y + I[2] * v.z, I[1] * v.x + I[3] * v.y + I[4] * v.z,
                  I[2] * v.x + I[4] * v.y + I[5] * v.z);
}

/* Inertia about the joint's origin, c the centre of mass from it. */
CRN_TREE_INLINE void set_inertia(const double *I, double m, crn_vec3 c, crn_tree_inertia *to)
{
    crn_vec3 mc = crn_v3_scale(m, c);
    double xx = mc.x * c.x, yy = mc.y * c.y, zz = mc.z * c.z;
    to->A[0] = I[0] + (yy + zz);
    to->A[1] = I[1] - mc.x * c.y;
    to->A[2] = I[2] - mc.x * c.z;
    to->A[3] = I[3] + (xx + zz);
    to->A[4] = I[4] - mc.y * c.z;
    to->A[5] = I[5] + (xx + yy);
    to->H[0] = to->H[4] = to->H[8] = 0.0;
    to->H[1] = mc.z;
    to->H[2] = -mc.y;
    to->H[3] = -mc.z;
    to->H[5] = mc.x;
    to->H[6] = mc.y;
    to->H[7] = -mc.x;
    to->M[0] = to->M[3] = to->M[5] = m;
    to->M[1] = to->M[2] = to->M[4] = 0.0;
}

/* The wrench that makes the link move as it does. */
CRN_TREE_INLINE void set_wrench(const crn_tree_part *part, bool wants_inertia, crn_tree_state *s)
{
    double I[6];
    turn_inertia(&s->axes, part->inertia, I);
    crn_vec3 c = crn_m3_times(&s->axes, part->com);
    crn_vec3 whirl = crn_v3_cross(s->w, crn_v3_cross(s->w, c));
    crn_vec3 pace = crn_v3_add(crn_v3_add(s->pace, crn_v3_cross(s->turning, c)), whirl);
    crn_vec3 spin = crn_v3_cross(s->w, packed_times(I, s->w));
    s->force = crn_v3_scale(part->mass, pace);
    s->torque = crn_v3_add(crn_v3_add(packed_times(I, s->turning), spin), crn_v3_cross(c, s->force));
    if (wants_inertia) {
        set_inertia(I, part->mass, c, &s->inertia);
    }
}

/* Motion of a link from its parent's. */
CRN_TREE_INLINE void set_motion(const crn_tree *tree, const crn_tree_part *part, const crn_tree_state *p,
                                const double *q, const double *u, const double *acceleration, crn_tree_state *s)
{
    crn_mat3 a = crn_m3_product(&p->axes, &part->a.rotation);
    joint_motion j = add_joint(tree, part, &a, q, u, acceleration, &s->axes);
    crn_vec3 r = crn_v3_add(crn_m3_times(&p->axes, part->a.position), j.from_a);
    s->from_parent = r;
    s->at = crn_v3_add(p->at, r);
    s->w = crn_v3_add(p->w, j.w);
    crn_vec3 carried = crn_v3_add(crn_v3_cross(p->turning, r), crn_v3_cross(p->w, crn_v3_cross(p->w, r)));
    if (part->kind == CRN_JOINT_HINGE) { /* no v, no spin */
        s->turning = crn_v3_add(crn_v3_add(p->turning, crn_v3_cross(p->w, j.w)), j.turning);
        s->pace = crn_v3_add(p->pace, carried);
        return;
    }
    s->turning = crn_v3_add(crn_v3_add(p->turning, crn_v3_cross(p->w, j.w)), crn_v3_add(j.spin, j.turning));
    s->pace = crn_v3_add(p->pace, crn_v3_add(carried, crn_v3_axpy(j.pace, 2.0, crn_v3_cross(p->w, j.v))));
}

/* Wrenches from outside, given about the world's origin. */
static void take_off(const crn_tree *tree, const double *wrench)
{
    crn_tree_state *state = crn_tree_states(tree);
    for (int i = 0; i < tree->links; ++i) {
        crn_vec3 force = crn_v3_of(wrench + 6 * i + 3);
        crn_vec3 torque = crn_v3_sub(crn_v3_of(wrench + 6 * i), crn_v3_cross(state[i].at, force));
        state[i].force = crn_v3_sub(state[i].force, force);
        state[i].torque = crn_v3_sub(state[i].torque, torque);
    }
}

void crn_tree_outward(const crn_tree *tree, const double *q, const double *u, const double *acceleration,
                      const crn_tree_load *load, bool wants_inertia)
{
    crn_tree_state *state = crn_tree_states(tree), base = {.axes = tree->base.rotation, .at = tree->base.position};
    base.pace = load != NULL ? crn_v3_scale(-1.0, load->gravity) : crn_v3(0, 0, 0);
    for (int i = 0; i < tree->links; ++i) {
        const crn_tree_part *part = &tree->part[i];
        set_motion(tree, part, part->parent < 0 ? &base : &state[part->parent], q, u, acceleration, &state[i]);
        set_wrench(part, wants_inertia, &state[i]);
    }
    if (load != NULL && load->wrench != NULL) {
        take_off(tree, load->wrench);
    }
}
