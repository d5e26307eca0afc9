/* Forward dynamics: u' with H u' = tau - C + sum J'w, the articulated-body algorithm [F08 ch. 7].
 *
 * crn_tree_outward() finds the wrench p of each link that would make its motion with u' = 0: velocity products need no place
 * in what follows. Then, leaves to root, about the joint's own origin,
 *
 *     U = I^A S,    D = S'U + armature,    y = D^-1 (tau - S'p)
 *     I^A_parent += I^A - U D^-1 U',    p_parent += p + U y                  both moved to the parent's origin
 *
 * and root to leaves, with a the acceleration that u' adds,
 *
 *     a' = a_parent moved,    u' = y - D^-1 U'a',    a = a' + S u'.
 *
 * Departure: joints with more than one velocity use the square root of D, as crn_tree_factor() does. Moving by r (an
 * acceleration (w', a) becomes (w', a + w' x r)):
 *
 *     H_p = H + [r] M,    A_p = A + ([r] H')' + [r] H_p'. */
#include "tree/tree_parts.h"

/* --- Inertias --- */

CRN_TREE_INLINE crn_vec3 row(const double *H, int i)
{
    return crn_v3(H[i], H[i + 3], H[i + 6]);
}

/* to += I moved by r */
CRN_TREE_INLINE void add_moved(const crn_tree_inertia *I, crn_vec3 r, crn_tree_inertia *to)
{
    const double *A = I->A, *H = I->H, *M = I->M;
    crn_vec3 m0 = {M[0], M[1], M[2]}, m1 = {M[1], M[3], M[4]}, m2 = {M[2], M[4], M[5]};
    double P[9];
    crn_v3_to(crn_v3_add(crn_v3_of(H), crn_v3_cross(r, m0)), P);
    crn_v3_to(crn_v3_add(crn_v3_of(H + 3), crn_v3_cross(r, m1)), P + 3);
    crn_v3_to(crn_v3_add(crn_v3_of(H + 6), crn_v3_cross(r, m2)), P + 6);
    crn_vec3 a0 = crn_v3_cross(r, row(H, 0)), a1 = crn_v3_cross(r, row(H, 1)), a2 = crn_v3_cross(r, row(H, 2));
    crn_vec3 b0 = crn_v3_cross(r, row(P, 0)), b1 = crn_v3_cross(r, row(P, 1)), b2 = crn_v3_cross(r, row(P, 2));
    to->A[0] += A[0] + (a0.x + b0.x);
    to->A[1] += A[1] + (a0.y + b1.x);
    to->A[2] += A[2] + (a0.z + b2.x);
    to->A[3] += A[3] + (a1.y + b1.y);
    to->A[4] += A[4] + (a1.z + b2.y);
    to->A[5] += A[5] + (a2.z + b2.z);
    for (int k = 0; k < 9; ++k) {
        to->H[k] += P[k];
    }
    for (int k = 0; k < 6; ++k) {
        to->M[k] += M[k];
    }
}

/* A u u' s taken off the packed a */
CRN_TREE_INLINE void take_square(double s, crn_vec3 u, double *a)
{
    crn_vec3 v = crn_v3_scale(s, u);
    a[0] -= v.x * u.x;
    a[1] -= v.x * u.y;
    a[2] -= v.x * u.z;
    a[3] -= v.y * u.y;
    a[4] -= v.y * u.z;
    a[5] -= v.z * u.z;
}

/* I -= s (t; f)(t; f)' */
CRN_TREE_INLINE void take_off(double s, crn_vec3 t, crn_vec3 f, crn_tree_inertia *I)
{
    take_square(s, t, I->A);
    take_square(s, f, I->M);
    crn_vec3 v = crn_v3_scale(s, t);
    crn_v3_to(crn_v3_axpy(crn_v3_of(I->H), -f.x, v), I->H);
    crn_v3_to(crn_v3_axpy(crn_v3_of(I->H + 3), -f.y, v), I->H + 3);
    crn_v3_to(crn_v3_axpy(crn_v3_of(I->H + 6), -f.z, v), I->H + 6);
}

CRN_TREE_INLINE crn_vec3 packed_times(const double *a, crn_vec3 v)
{
    return crn_v3(a[0] * v.x + a[1] * v.y + a[2] * v.z, a[1] * v.x + a[3] * v.y + a[4] * v.z,
                  a[2] * v.x + a[4] * v.y + a[5] * v.z);
}

CRN_TREE_INLINE crn_vec3 full_times(const double *H, crn_vec3 v)
{
    return crn_v3_axpy(crn_v3_axpy(crn_v3_scale(v.x, crn_v3_of(H)), v.y, crn_v3_of(H + 3)), v.z, crn_v3_of(H + 6));
}

CRN_TREE_INLINE crn_vec3 full_transposed_times(const double *H, crn_vec3 v)
{
    return crn_v3(crn_v3_dot(crn_v3_of(H), v), crn_v3_dot(crn_v3_of(H + 3), v), crn_v3_dot(crn_v3_of(H + 6), v));
}

/* --- Leaves to root --- */

/* What a link hands to its parent. */
CRN_TREE_INLINE void hand_on(const crn_tree_inertia *I, crn_vec3 torque, crn_vec3 force, crn_vec3 r,
                             crn_tree_state *parent)
{
    add_moved(I, r, &parent->inertia);
    parent->force = crn_v3_add(parent->force, force);
    parent->torque = crn_v3_add(parent->torque, crn_v3_add(torque, crn_v3_cross(r, force)));
}

/* Hinge or slider: S is (z; 0) or (0; z). */
CRN_TREE_INLINE void eliminate_one(const crn_tree_part *part, double tau, bool is_hinge, crn_tree_state *s,
                                   crn_tree_state *parent)
{
    crn_vec3 z = crn_m3_column(&s->axes, 2);
    crn_vec3 t = is_hinge ? packed_times(s->inertia.A, z) : full_times(s->inertia.H, z);
    crn_vec3 f = is_hinge ? full_transposed_times(s->inertia.H, z) : packed_times(s->inertia.M, z);
    double inverse = 1.0 / (crn_v3_dot(z, is_hinge ? t : f) + part->armature);
    double y = inverse * (tau - crn_v3_dot(z, is_hinge ? s->torque : s->force));
    if (parent != NULL) {
        crn_tree_inertia I = s->inertia;
        take_off(inverse, t, f, &I);
        hand_on(&I, crn_v3_axpy(s->torque, y, t), crn_v3_axpy(s->force, y, f), s->from_parent, parent);
    }
    s->U_torque = crn_v3_scale(inverse, t);
    s->U_force = crn_v3_scale(inverse, f);
    s->y = y;
}

/* (S_a)'x, of three numbers if the joint only turns */
CRN_TREE_INLINE double projected(const double *S, const double *x, bool has_slides)
{
    return has_slides ? crn_sp_dot(S, x) : crn_v3_dot(crn_v3_of(S), crn_v3_of(x));
}

/* A joint of d velocities; tau: its forces, NULL: 0. has_slides false: the lower half of S is 0. */
CRN_TREE_INLINE void eliminate_wide(const double *armature, const double *tau, double *wide, crn_tree_state *s,
                                    crn_tree_state *parent, bool has_slides, int d)
{
    double *S = wide, *l = wide + 12 * d, *scale = wide + (12 + CRN_JOINT_FREEDOM_MAX) * d, *y = scale + d;
    crn_tree_inertia I = s->inertia;
    double p[6], U[6 * CRN_JOINT_FREEDOM_MAX];
    crn_v3_to(s->torque, p);
    crn_v3_to(s->force, p + 3);
    for (int j = 0; j < d; ++j) {
        crn_vec3 w = crn_v3_of(S + 6 * j), t = packed_times(I.A, w), f = full_transposed_times(I.H, w);
        if (has_slides) {
            crn_vec3 v = crn_v3_of(S + 6 * j + 3);
            t = crn_v3_add(t, full_times(I.H, v));
            f = crn_v3_add(f, packed_times(I.M, v));
        }
        crn_v3_to(t, U + 6 * j);
        crn_v3_to(f, U + 6 * j + 3);
    }
    for (int j = 0; j < d; ++j) {
        for (int i = j; i < d; ++i) {
            l[i + d * j] = projected(S + 6 * i, U + 6 * j, has_slides);
        }
        l[j + d * j] += armature[j];
        y[j] = (tau != NULL ? tau[j] : 0.0) - projected(S + 6 * j, p, has_slides);
    }
    (void)crn_tree_cholesky(l, d);
    crn_tree_set_scale(l, scale, d);
    crn_tree_lower(l, scale, y, d);
    for (int j = 0; j < d; ++j) { /* U l^-T */
        for (int k = 0; k < j; ++k) {
            crn_sp_add(-l[j + d * k], U + 6 * k, U + 6 * j);
        }
        for (int k = 0; k < 6; ++k) {
            wide[6 * d + k + 6 * j] = U[k + 6 * j] *= scale[j];
        }
        take_off(1.0, crn_v3_of(U + 6 * j), crn_v3_of(U + 6 * j + 3), &I);
        crn_sp_add(y[j], U + 6 * j, p);
    }
    if (parent != NULL) {
        hand_on(&I, crn_v3_of(p), crn_v3_of(p + 3), s->from_parent, parent);
    }
}

static void eliminate(const crn_tree *tree, int i, const double *force)
{
    const crn_tree_part *part = &tree->part[i];
    crn_tree_state *state = crn_tree_states(tree), *s = &state[i],
                   *parent = part->parent < 0 ? NULL : &state[part->parent];
    const double *tau = force != NULL ? force + part->u : NULL, *armature = tree->link[i].armature;
    double *wide = crn_tree_wide(tree, part->u);
    switch (part->kind) {
    case CRN_JOINT_HINGE: eliminate_one(part, tau != NULL ? tau[0] : 0.0, true, s, parent); break;
    case CRN_JOINT_SLIDER: eliminate_one(part, tau != NULL ? tau[0] : 0.0, false, s, parent); break;
    case CRN_JOINT_UNIVERSAL: eliminate_wide(armature, tau, wide, s, parent, false, 2); break;
    case CRN_JOINT_BALL: eliminate_wide(armature, tau, wide, s, parent, false, 3); break;
    case CRN_JOINT_PLANAR: eliminate_wide(armature, tau, wide, s, parent, true, 3); break;
    case CRN_JOINT_FREE: eliminate_wide(armature, tau, wide, s, parent, true, 6); break;
    case CRN_JOINT_FIXED:
    case CRN_JOINT_DISTANCE:
        if (parent != NULL) {
            hand_on(&s->inertia, s->torque, s->force, s->from_parent, parent);
        }
        break;
    }
}

/* --- Root to leaves --- */

CRN_TREE_INLINE void accelerate_wide(const double *wide, double *a, double *result, int d)
{
    const double *S = wide, *U = wide + 6 * d, *l = wide + 12 * d;
    const double *scale = wide + (12 + CRN_JOINT_FREEDOM_MAX) * d, *y = scale + d;
    for (int k = 0; k < d; ++k) {
        result[k] = y[k] - crn_sp_dot(U + 6 * k, a);
    }
    crn_tree_upper(l, scale, result, d);
    for (int k = 0; k < d; ++k) {
        crn_sp_add(result[k], S + 6 * k, a);
    }
}

static void accelerate(const crn_tree *tree, int i, double *acceleration)
{
    const crn_tree_part *part = &tree->part[i];
    crn_tree_state *state = crn_tree_states(tree), *s = &state[i];
    crn_vec3 turning = {0, 0, 0}, pace = {0, 0, 0}, z = crn_m3_column(&s->axes, 2);
    double *result = acceleration + part->u;
    if (part->parent >= 0) {
        const crn_tree_state *parent = &state[part->parent];
        turning = parent->turning;
        pace = crn_v3_add(parent->pace, crn_v3_cross(turning, s->from_parent));
    }
    if (part->kind == CRN_JOINT_HINGE || part->kind == CRN_JOINT_SLIDER) {
        *result = s->y - (crn_v3_dot(s->U_torque, turning) + crn_v3_dot(s->U_force, pace));
        crn_vec3 *moved = part->kind == CRN_JOINT_HINGE ? &turning : &pace;
        *moved = crn_v3_axpy(*moved, *result, z);
    } else if (part->kind != CRN_JOINT_FIXED) {
        double a[6];
        crn_v3_to(turning, a);
        crn_v3_to(pace, a + 3);
        CRN_TREE_FREEDOM(tree->link[i].freedom, accelerate_wide, crn_tree_wide(tree, part->u), a, result);
        turning = crn_v3_of(a);
        pace = crn_v3_of(a + 3);
    }
    s->turning = turning;
    s->pace = pace;
}

void crn_tree_forward(crn_tree *tree, const double *q, const double *u, const crn_tree_load *load, double *acceleration)
{
    if (tree == NULL || q == NULL || acceleration == NULL) {
        return;
    }
    crn_tree_outward(tree, q, u, NULL, load, true);
    for (int i = tree->links - 1; i >= 0; --i) {
        eliminate(tree, i, load != NULL ? load->force : NULL);
    }
    for (int i = 0; i < tree->links; ++i) {
        accelerate(tree, i, acceleration);
    }
}
