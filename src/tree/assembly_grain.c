/* Grains: a few links swept one by one, leaves first [F08 s7.3], with ports.
 *
 * About the centre of mass of each link i, with X the move from the parent's centre of mass, a_i = X a_parent + c_i + S_i u'_i:
 *
 *     U = I^A S,   D = S'U + armature = l l',   S^ = S l^-T,   U^ = U l^-T
 *     y   = l^-1 tau - S^'p - U^'c
 *     a_i = (1 - S^ U^') X a_parent + z + S^ sum_k (Psi_k S^)' g_k,     z = c + S^ y
 *
 * so for the ports k, l at link i or below, with Psi_k what takes a_i to a_k (1 at i itself):
 *
 *     Phi_kl += (Psi_k S^)(Psi_l S^)',    b_k += Psi_k z,    Psi_k := (Psi_k - (Psi_k S^) U^') X
 *     I^A_parent += X'(I^A - U^U^')X,     p_parent += X'(p + I^A c + U^ y)
 *
 * Nothing but D is inverted, and armature is a part of it. Where the grain ends, K and p are what would go to the parent. Down:
 * wrenches of ports are handed up, w_parent += X'(w - U^ S^'w), then from the top
 *
 *     x = y + S^'w - U^'X a_parent,    a_i = X a_parent + c + S^ x,    u' = l^-T x */
#include "tree/assembly_kernel.h"
#include "tree/assembly_parts.h"

#include "math/simd.h"

/* --- What a link is and what acts on it --- */

static int freedom_of(const crn_link *link)
{
    return link->is_driven ? 0 : link->freedom;
}

/* From the parent's centre of mass to the link's; 0 on the base, whose acceleration is 0. */
CRN_TREE_INLINE crn_vec3 move_of(const crn_tree *tree, const crn_link *link)
{
    if (link->parent < 0) {
        return crn_v3(0, 0, 0);
    }
    return crn_v3_sub(link->frame.position, tree->link[link->parent].frame.position);
}

CRN_TREE_INLINE void add_inertia(const crn_link *link, double *I)
{
    const double *m = link->inertia_world.m;
    for (int j = 0; j < 3; ++j) {
        for (int i = 0; i < 3; ++i) {
            I[i + 6 * j] += m[i + 3 * j];
        }
        I[21 + 7 * j] += link->mass;
    }
}

/* Motion of a group of a joint's columns, S u, about the centre of mass at r from the tree's origin */
CRN_TREE_INLINE void partial_motion(const crn_link *link, const double *u, crn_vec3 r, int first, int end, double *m)
{
    double sum[6] = {0, 0, 0, 0, 0, 0};
    for (int k = first; k < end; ++k) {
        crn_sp_add(u[k], link->S + 6 * k, sum);
    }
    crn_sp_move(r, sum, m);
}

/* c = V_parent x S u + (first columns) x (last columns): the second part where columns move within a's frame. The axis y_b of
 * a universal joint is turned by its first angle; axes through b's origin (planar, free) go along with that origin. */
static void velocity_product(const crn_link *link, const double *u, const double *parent, crn_vec3 r, double *c)
{
    double m[6], first[6], last[6], more[6];
    partial_motion(link, u, r, 0, link->freedom, m);
    crn_sp_cross(parent, m, c);
    switch (link->kind) {
    case CRN_JOINT_UNIVERSAL:
        partial_motion(link, u, r, 0, 1, first);
        partial_motion(link, u, r, 1, 2, last);
        break;
    case CRN_JOINT_PLANAR:
        partial_motion(link, u, r, 0, 2, first);
        partial_motion(link, u, r, 2, 3, last);
        break;
    case CRN_JOINT_FREE:
        partial_motion(link, u, r, 3, 6, first);
        partial_motion(link, u, r, 0, 3, last);
        break;
    default: return;
    }
    crn_sp_cross(first, last, more);
    crn_sp_add(1.0, more, c);
}

/* p += V x* I V - gravity - wrench, about the centre of mass; c */
static void add_bias(const crn_assembly_input *in, int i, double *p, double *c)
{
    const crn_link *link = &in->tree->link[i];
    crn_vec3 com = link->frame.position, force = crn_v3_scale(-link->mass, in->load.gravity), torque = {0, 0, 0};
    memset(c, 0, 6 * sizeof *c);
    if (in->V != NULL) {
        double v[6], parent[6] = {0, 0, 0, 0, 0, 0};
        crn_vec3 r = crn_v3_sub(com, in->tree->origin);
        crn_sp_move(r, in->V + 6 * i, v);
        if (link->parent >= 0) {
            crn_sp_move(r, in->V + 6 * link->parent, parent);
        }
        velocity_product(link, in->u + link->u, parent, r, c);
        crn_vec3 w = crn_v3_of(v);
        force = crn_v3_axpy(force, link->mass, crn_v3_cross(w, crn_v3_of(v + 3)));
        torque = crn_v3_cross(w, crn_m3_times(&link->inertia_world, w));
    }
    if (in->load.wrench != NULL) {
        const double *f = in->load.wrench + 6 * i;
        crn_vec3 push = crn_v3_of(f + 3);
        torque = crn_v3_sub(torque, crn_v3_sub(crn_v3_of(f), crn_v3_cross(com, push)));
        force = crn_v3_sub(force, push);
    }
    const double more[6] = {torque.x, torque.y, torque.z, force.x, force.y, force.z};
    crn_sp_add(1.0, more, p);
}

/* --- Up --- */

/* x = x l^-T, 6 x d: columns from left to right */
CRN_TREE_INLINE void divide_columns(const double *l, double *x, int d)
{
    for (int j = 0; j < d; ++j) {
        for (int k = 0; k < j; ++k) {
            crn_sp_add(-l[j + d * k], x + 6 * k, x + 6 * j);
        }
        double s = 1.0 / l[j + d * j];
        for (int i = 0; i < 6; ++i) {
            x[i + 6 * j] *= s;
        }
    }
}

/* l, S^, U^ of a joint */
CRN_TREE_INLINE void factor_joint(const crn_link *link, crn_vec3 r, const double *I, double *S, double *U, double *l,
                                  int d)
{
    for (int j = 0; j < d; ++j) {
        crn_sp_move(r, link->S + 6 * j, S + 6 * j);
        for (int i = 0; i < 6; ++i) {
            U[i + 6 * j] = crn_sp_dot(I + 6 * i, S + 6 * j);
        }
    }
    for (int j = 0; j < d; ++j) {
        for (int i = j; i < d; ++i) {
            l[i + d * j] = crn_sp_dot(S + 6 * i, U + 6 * j);
        }
        l[j + d * j] += link->armature[j];
    }
    (void)crn_tree_cholesky(l, d); /* positive: crn_tree_create() and the plan have seen to it */
    divide_columns(l, S, d);
    divide_columns(l, U, d);
}

/* One port at link i or below: PS = Psi S^, b += Psi z, Psi -= PS U^' */
CRN_TREE_INLINE void update_port(const double *S, const double *U, const double *z, double *Psi, double *b, double *PS,
                                 bool is_last, int d)
{
    crn_m6_times(1.0, Psi, z, b);
    for (int k = 0; k < d; ++k) {
        for (int i = 0; i < 6; ++i) {
            PS[i + 6 * k] = 0.0;
        }
        crn_m6_times(1.0, Psi, S + 6 * k, PS + 6 * k);
    }
    for (int j = 0; j < 6 && !is_last; ++j) {
        for (int k = 0; k < d; ++k) {
            crn_sp_add(-U[j + 6 * k], PS + 6 * k, Psi + 6 * j);
        }
    }
}

/* Phi += PS_k PS_l' */
CRN_TREE_INLINE void update_pair(const double *a, const double *b, double *Phi, int d)
{
    for (int j = 0; j < 6; ++j) {
        for (int k = 0; k < d; ++k) {
            crn_sp_add(b[j + 6 * k], a + 6 * k, Phi + 6 * j);
        }
    }
}

/* All ports at a link or below; their Psi S^ are kept in the node's `gather` for a moment. */
CRN_TREE_INLINE void update_ports(crn_assembly_node *node, int first, int end, const double *S, const double *U,
                                  const double *z, bool is_last, int d)
{
    for (int k = first; k < end; ++k) {
        double *PS = node->gather + 36 * (size_t)k;
        update_port(S, U, z, node->Psi + 36 * (size_t)k, node->b_ + 6 * (size_t)k, PS, is_last, d);
        for (int l = first; l <= k && d > 0; ++l) {
            update_pair(PS, node->gather + 36 * (size_t)l, crn_assembly_phi(node, k, l), d);
        }
    }
}

/* y = l^-1 tau - S^'p - U^'c; then p += I c + U^ y and z = c + S^ y */
CRN_TREE_INLINE void bias_of_joint(const double *tau, const double *S, const double *U, const double *l,
                                   const double *I, const double *c, double *y, double *p, double *z, int d)
{
    for (int k = 0; k < d; ++k) {
        y[k] = tau != NULL ? tau[k] : 0.0;
    }
    crn_tree_solve_lower(l, y, d);
    crn_m6_times(1.0, I, c, z); /* z was 0 and is I c for a moment */
    for (int k = 0; k < d; ++k) {
        y[k] -= crn_sp_dot(S + 6 * k, p) + crn_sp_dot(U + 6 * k, c);
    }
    crn_sp_add(1.0, z, p);
    crn_sp_copy(c, z);
    for (int k = 0; k < d; ++k) {
        crn_sp_add(y[k], U + 6 * k, p);
        crn_sp_add(y[k], S + 6 * k, z);
    }
}

/* I - U^U^' in place */
CRN_TREE_INLINE void reduce_inertia(const double *U, double *I, int d)
{
    for (int j = 0; j < 6; ++j) {
        for (int k = 0; k < d; ++k) {
            crn_sp_add(-U[j + 6 * k], U + 6 * k, I + 6 * j);
        }
    }
}

/* All of one link but for handing on. */
CRN_TREE_INLINE void sweep_link(crn_assembly *s, const crn_assembly_input *in, crn_assembly_node *node, int i, int d)
{
    const crn_link *link = &in->tree->link[i];
    double *S = s->S + 6 * link->u, *U = s->U + 6 * link->u, *l = s->l + 6 * link->u, *I = s->I + 36 * (size_t)i;
    double z[6] = {0, 0, 0, 0, 0, 0}, *p = s->p + 6 * (size_t)i, *c = s->c + 6 * (size_t)i;
    const double *tau = in->load.force != NULL ? in->load.force + link->u : NULL;
    factor_joint(link, crn_v3_sub(link->frame.position, in->tree->origin), I, S, U, l, d);
    bias_of_joint(tau, S, U, l, I, c, s->y + link->u, p, z, d);
    update_ports(node, s->port_first[i], s->port_end[i], S, U, z, link->parent < 0, d);
    reduce_inertia(U, I, d);
}

static void begin_port(crn_assembly_node *node, int k)
{
    double *Psi = node->Psi + 36 * (size_t)k;
    memset(Psi, 0, 36 * sizeof *Psi);
    for (int i = 0; i < 6; ++i) {
        Psi[7 * i] = 1.0;
    }
    memset(node->b_ + 6 * (size_t)k, 0, 6 * sizeof *node->b_);
    memset(crn_assembly_phi(node, k, 0), 0, 36 * ((size_t)k + 1) * sizeof *node->Phi);
}

/* What link i and all below it in the grain are to its parent; the grain's K and p if it is the topmost. */
CRN_TREE_INLINE void hand_on(crn_assembly *s, const crn_tree *tree, crn_assembly_node *node, int i, bool is_top)
{
    const crn_link *link = &tree->link[i];
    if (link->parent < 0) {
        return;
    }
    crn_vec3 r = move_of(tree, link);
    double *I = s->I + 36 * (size_t)i, *to = s->I + 36 * (size_t)link->parent;
    crn_m6_move_columns(r, I);
    crn_m6_move_wrenches(r, I);
    for (int k = s->port_first[i]; k < s->port_end[i]; ++k) {
        crn_m6_move_columns(r, node->Psi + 36 * (size_t)k);
    }
    if (is_top) {
        crn_m6_copy(I, node->K);
        memset(node->p, 0, 6 * sizeof *node->p);
        crn_sp_hand_up(r, s->p + 6 * (size_t)i, node->p);
        return;
    }
    for (int k = 0; k < 36; ++k) {
        to[k] += I[k];
    }
    crn_sp_hand_up(r, s->p + 6 * (size_t)i, s->p + 6 * (size_t)link->parent);
}

CRN_CLONES void crn_assembly_grain_up(crn_assembly *s, const crn_assembly_input *in, crn_assembly_node *node)
{
    for (int n = node->first_link; n < node->end_link; ++n) {
        size_t i = (size_t)s->order[n];
        memset(s->I + 36 * i, 0, 36 * sizeof *s->I);
        memset(s->p + 6 * i, 0, 6 * sizeof *s->p);
    }
    for (int k = 0; k < node->ports; ++k) {
        begin_port(node, k);
    }
    for (int n = node->end_link - 1; n >= node->first_link; --n) {
        int i = s->order[n];
        const crn_link *link = &in->tree->link[i];
        add_inertia(link, s->I + 36 * (size_t)i);
        add_bias(in, i, s->p + 6 * (size_t)i, s->c + 6 * (size_t)i);
        switch (freedom_of(link)) {
        case 0: sweep_link(s, in, node, i, 0); break;
        case 1: sweep_link(s, in, node, i, 1); break;
        case 2: sweep_link(s, in, node, i, 2); break;
        case 3: sweep_link(s, in, node, i, 3); break;
        default: sweep_link(s, in, node, i, CRN_JOINT_FREEDOM_MAX); break;
        }
        hand_on(s, in->tree, node, i, n == node->first_link);
    }
}

/* --- Down --- */

/* y += S^'w, w := w - U^ S^'w */
static void take_wrench(crn_assembly *s, const crn_link *link, double *w)
{
    double along[CRN_JOINT_FREEDOM_MAX];
    int d = freedom_of(link);
    for (int k = 0; k < d; ++k) {
        along[k] = crn_sp_dot(s->S + 6 * (link->u + k), w);
        s->y[link->u + k] += along[k];
    }
    for (int k = 0; k < d; ++k) {
        crn_sp_add(-along[k], s->U + 6 * (link->u + k), w);
    }
}

/* a_i and u' from the parent's acceleration */
static void accelerate(crn_assembly *s, const crn_link *link, crn_vec3 r, const double *parent, int i, double *u)
{
    double *a = s->a + 6 * (size_t)i, x[CRN_JOINT_FREEDOM_MAX];
    int d = freedom_of(link);
    crn_sp_move(r, parent, a);
    for (int k = 0; k < d; ++k) {
        x[k] = s->y[link->u + k] - crn_sp_dot(s->U + 6 * (link->u + k), a);
    }
    crn_sp_add(1.0, s->c + 6 * (size_t)i, a);
    for (int k = 0; k < d; ++k) {
        crn_sp_add(x[k], s->S + 6 * (link->u + k), a);
    }
    crn_tree_solve_upper(s->l + 6 * link->u, x, d);
    for (int k = 0; k < link->freedom; ++k) {
        u[k] = k < d ? x[k] : 0.0; /* what is driven is not asked */
    }
}

void crn_assembly_grain_down(crn_assembly *s, const crn_assembly_input *in, crn_assembly_node *node)
{
    const crn_tree *tree = in->tree;
    for (int n = node->first_link; n < node->end_link; ++n) {
        memset(s->p + 6 * (size_t)s->order[n], 0, 6 * sizeof *s->p);
    }
    for (int k = 0; k < node->ports; ++k) {
        crn_sp_copy(node->g + 6 * (size_t)k, s->p + 6 * (size_t)node->port[k]);
    }
    for (int n = node->end_link - 1; n >= node->first_link && node->ports > 0; --n) {
        int i = s->order[n];
        const crn_link *link = &tree->link[i];
        take_wrench(s, link, s->p + 6 * (size_t)i);
        if (n > node->first_link) {
            crn_sp_hand_up(move_of(tree, link), s->p + 6 * (size_t)i, s->p + 6 * (size_t)link->parent);
        }
    }
    for (int n = node->first_link; n < node->end_link; ++n) {
        int i = s->order[n];
        const crn_link *link = &tree->link[i];
        const double *parent = n == node->first_link ? node->a_in : s->a + 6 * (size_t)link->parent;
        accelerate(s, link, move_of(tree, link), parent, i, in->acceleration + link->u);
    }
}
