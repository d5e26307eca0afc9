/* Where links are: frames from the base outwards, motion columns and inertias, all in world axes.
 *
 *     A_i = X_parent frame_a            joint frame on the parent
 *     B_i = A_i J(q_i)                  joint frame on the link
 *     X_i = B_i frame_b^-1              the link: centre of mass, its axes
 *     S_i = columns of the joint's type about B_i's origin, moved to the tree's: (w; v + (B_i - origin) x w) */
#include "math/elementary.h"
#include "tree/tree_parts.h"

/* A_i J(q): the hinge and the slider are most joints, and need no product of matrices. */
CRN_TREE_INLINE crn_frame joint_side_b(const crn_frame *a, crn_joint_kind kind, const double *q)
{
    crn_vec3 z = crn_m3_column(&a->rotation, 2);
    if (kind == CRN_JOINT_HINGE) {
        crn_frame b = *a;
        crn_turn turn = crn_sin_cos(q[0]);
        crn_vec3 x = crn_m3_column(&a->rotation, 0), y = crn_m3_column(&a->rotation, 1);
        crn_v3_to(crn_v3_axpy(crn_v3_scale(turn.cos, x), turn.sin, y), b.rotation.m);
        crn_v3_to(crn_v3_axpy(crn_v3_scale(turn.cos, y), -turn.sin, x), b.rotation.m + 3);
        return b;
    }
    if (kind == CRN_JOINT_SLIDER) {
        return (crn_frame){a->rotation, crn_v3_axpy(a->position, q[0], z)};
    }
    if (kind == CRN_JOINT_FIXED) {
        return *a;
    }
    crn_frame j = crn_tree_joint_frame(kind, q);
    return crn_frame_product(a, &j);
}

/* A turn about n through the point at p from the origin. */
CRN_TREE_INLINE void turn_column(crn_vec3 n, crn_vec3 p, double *column)
{
    crn_v3_to(n, column);
    crn_v3_to(crn_v3_cross(p, n), column + 3);
}

CRN_TREE_INLINE void slide_column(crn_vec3 n, double *column)
{
    crn_v3_to(crn_v3(0, 0, 0), column);
    crn_v3_to(n, column + 3);
}

/* S of a link; p: B's origin from the tree's. */
CRN_TREE_INLINE void motion_columns(crn_link *link, const crn_frame *a, const crn_frame *b, crn_vec3 p)
{
    double *S = link->S;
    switch (link->kind) {
    case CRN_JOINT_HINGE: turn_column(crn_m3_column(&a->rotation, 2), p, S); break;
    case CRN_JOINT_SLIDER: slide_column(crn_m3_column(&a->rotation, 2), S); break;
    case CRN_JOINT_FREE:
    case CRN_JOINT_BALL:
        for (int k = 0; k < 3; ++k) {
            crn_vec3 e = crn_m3_column(&a->rotation, k);
            turn_column(e, p, S + 6 * k);
            if (link->kind == CRN_JOINT_FREE) {
                slide_column(e, S + 18 + 6 * k);
            }
        }
        break;
    case CRN_JOINT_FIXED: break;
    default: {
        crn_joint_sides sides = {*a, *b, a->position, b->position, 0.0};
        crn_joint_type_of(link->kind)->motion(&sides, S);
        for (int k = 0; k < link->freedom; ++k) {
            double *column = S + 6 * k;
            crn_v3_to(crn_v3_add(crn_v3_of(column + 3), crn_v3_cross(p, crn_v3_of(column))), column + 3);
        }
    }
    }
}

CRN_TREE_INLINE const crn_frame *parent_of(const crn_tree *tree, const crn_link *link)
{
    return link->parent < 0 ? &tree->base : &tree->link[link->parent].frame;
}

CRN_TREE_INLINE void place_link(crn_tree *tree, int i, const double *q)
{
    crn_link *link = &tree->link[i];
    crn_frame a = crn_frame_product(parent_of(tree, link), &link->frame_a);
    crn_frame b = joint_side_b(&a, link->kind, q + link->q);
    if (i == 0) {
        tree->origin = b.position;
    }
    link->arm = crn_m3_times(&b.rotation, link->from_b.position);
    link->frame.rotation = crn_m3_product(&b.rotation, &link->from_b.rotation);
    link->frame.position = crn_v3_add(b.position, link->arm);
    link->inertia_world = crn_m3_turned(&link->frame.rotation, &link->inertia);
    motion_columns(link, &a, &b, crn_v3_sub(b.position, tree->origin));
}

CRN_CLONES void crn_tree_place(crn_tree *tree, const double *q)
{
    for (int i = 0; i < tree->links; ++i) {
        place_link(tree, i, q);
    }
}

/* Does the joint slide along one axis, or turn about a point that both links share? */
static bool is_simple(crn_joint_kind kind)
{
    switch (kind) {
    case CRN_JOINT_HINGE:
    case CRN_JOINT_SLIDER:
    case CRN_JOINT_UNIVERSAL:
    case CRN_JOINT_BALL:
    case CRN_JOINT_FIXED: return true;
    default: return false;
    }
}

/* A link of a simple joint that has not turned: the joint is where the parent takes it. */
CRN_TREE_INLINE void follow_parent(crn_tree *tree, crn_link *link, const double *q)
{
    crn_vec3 b = crn_frame_point(parent_of(tree, link), link->frame_a.position);
    if (link->kind == CRN_JOINT_SLIDER) {
        b = crn_v3_axpy(b, q[link->q], crn_v3_of(link->S + 3));
    }
    link->frame.position = crn_v3_add(b, link->arm);
    for (int k = 0; k < link->freedom && link->kind != CRN_JOINT_SLIDER; ++k) {
        turn_column(crn_v3_of(link->S + 6 * k), crn_v3_sub(b, tree->origin), link->S + 6 * k);
    }
}

CRN_CLONES void crn_tree_move_root(crn_tree *tree, const double *q)
{
    for (int i = 0; i < tree->links; ++i) {
        if (i > 0 && is_simple(tree->link[i].kind)) {
            follow_parent(tree, &tree->link[i], q);
        } else {
            place_link(tree, i, q);
        }
    }
}

/* With c the centre of mass from the origin and [c] v = c x v:
 *
 *     I = ( I_c + m (c'c 1 - c c')   m [c] )
 *         ( -m [c]                   m 1   ) */
void crn_tree_link_inertia(const crn_tree *tree, const crn_link *link, double *inertia)
{
    const double *I = link->inertia_world.m;
    double m = link->mass;
    crn_vec3 c = crn_v3_sub(link->frame.position, tree->origin), mc = crn_v3_scale(m, c);
    double xx = mc.x * c.x, yy = mc.y * c.y, zz = mc.z * c.z, xy = mc.x * c.y, xz = mc.x * c.z, yz = mc.y * c.z;
    const double full[36] = {
        I[0] + (yy + zz),
        I[1] - xy,
        I[2] - xz,
        0.0,
        -mc.z,
        mc.y, /* */
        I[1] - xy,
        I[4] + (xx + zz),
        I[5] - yz,
        mc.z,
        0.0,
        -mc.x, /* */
        I[2] - xz,
        I[5] - yz,
        I[8] + (xx + yy),
        -mc.y,
        mc.x,
        0.0, /* */
        0.0,
        mc.z,
        -mc.y,
        m,
        0.0,
        0.0, /* */
        -mc.z,
        0.0,
        mc.x,
        0.0,
        m,
        0.0, /* */
        mc.y,
        -mc.x,
        0.0,
        0.0,
        0.0,
        m,
    };
    for (int k = 0; k < 36; ++k) {
        inertia[k] = full[k];
    }
}
