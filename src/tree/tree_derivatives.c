/* How inverse and forward dynamics change with coordinates and velocities, in O(n d) for trees of depth d [C18, SW22].
 *
 * A change of coordinate j moves all that hangs on its joint by the twist S_j, and that twist has the rate and acceleration
 *
 *     S'_j  = z x S_j,     S''_j = z' x S_j + z x S'_j,       z: velocity of what j moves against, z' its acceleration
 *
 * z is the parent's velocity and that of those columns of the same joint that j does not carry along: a ball's columns are axes of the
 * parent and stay when it turns, a slide carries the turns of its joint along. With velocities kept, links below move by
 *
 *     dv = S_j x v + S'_j,        da = S_j x a + S'_j x v + S''_j
 *
 * and S_j x alone changes no force along a joint, since it turns all below. What is left, summed up over links (I composite inertia),
 *
 *     df = I S''_j + B S'_j,      B m = v x* I m - I (v x m) + m x* I v = (X m_w; -2 p x m_w)
 *
 *     dtau_k/dq_j = S_k'(B_k S'_j + I_k S''_j)                     k below j, or carried by it
 *                 = S_k'(B_j S'_j + I_j S''_j + S_j x* F_j)        k above j, or beside it in the joint
 *     dtau_k/du_j = S_k'(B S_j + I (S'_j + Sdot_j))                B, I of the lower of both; Sdot: rate of the column itself
 *
 * p is the momentum of what hangs there, X = w x A - A w x - m (l c' + c l' - 2 l.c) - L x of a link with velocity (w, l), angular
 * momentum L and inertia A about the tree's origin: most of B is 0. */
#include "tree/tree_parts.h"

#include <string.h>

/* A link and all that hangs on it. */
typedef struct branch {
    double mass;
    crn_vec3 moment, momentum; /* mass times its centre; p */
    crn_mat3 A, X;
    double F[6], W[6]; /* forces that its motion takes, gravity included; what acts from outside */
    double v[6], a[6]; /* of the link */
} branch;

/* A velocity. */
typedef struct column {
    double rate[6], twist_rate[6], twist_rate2[6]; /* Sdot, S', S'' */
    double by_B[6], by_I[6];                       /* B'S, I S of its link */
} column;

enum { BRANCH_NUMBERS = sizeof(branch) / sizeof(double), COLUMN_NUMBERS = sizeof(column) / sizeof(double) };

size_t crn_tree_derivatives_size(int links, int velocities)
{
    return (size_t)BRANCH_NUMBERS * (size_t)links + (size_t)COLUMN_NUMBERS * (size_t)velocities;
}

static branch *branches(const crn_tree *tree)
{
    return (branch *)(void *)tree->scratch;
}

static column *columns(const crn_tree *tree)
{
    return (column *)(void *)(tree->scratch + (size_t)BRANCH_NUMBERS * (size_t)tree->links);
}

/* Does velocity j of a joint carry column k of the same joint along? */
static bool is_carried(crn_joint_kind kind, int j, int k)
{
    switch (kind) {
    case CRN_JOINT_UNIVERSAL: return j == 0 && k == 1;
    case CRN_JOINT_PLANAR: return j < 2 && k == 2;
    case CRN_JOINT_FREE: return j >= 3 && k < 3;
    default: return false;
    }
}

/* --- One link --- */

/* z of the comment above, of column j; v: velocity of the parent */
static void carrier_of(const crn_link *link, int j, const double *u, const double *v, double *z)
{
    crn_sp_copy(v, z);
    for (int k = 0; k < link->freedom; ++k) {
        crn_sp_add(is_carried(link->kind, j, k) ? 0.0 : u[link->u + k], link->S + 6 * k, z);
    }
}

/* (angular, linear about the tree's origin) of a motion as that of a point */
static void move_to(crn_vec3 arm, double *motion)
{
    crn_v3_to(crn_v3_add(crn_v3_of(motion + 3), crn_v3_cross(crn_v3_of(motion), arm)), motion + 3);
}

/* dv of the comment above for column k, as that of the link's centre of mass, which is moved. */
static void change_velocity(const crn_link *joint, int k, const double *u, const double *v, const double *V,
                            crn_vec3 arm, const double *moved, double *change)
{
    double z[6], rate[6];
    carrier_of(joint, k, u, v, z);
    crn_sp_cross(z, joint->S + 6 * k, rate);
    crn_sp_cross(joint->S + 6 * k, V, change);
    crn_sp_add(1.0, rate, change);
    move_to(arm, change);
    crn_v3_to(crn_v3_add(crn_v3_of(change + 3), crn_v3_cross(crn_v3_of(V), crn_v3_of(moved + 3))), change + 3);
}

/* From the link upwards: V is that of the link, v that of the one whose joint is looked at. */
void crn_tree_link_motion(const crn_tree *tree, int link, const double *u, double *J, double *B)
{
    crn_vec3 arm = crn_v3_sub(tree->link[link].frame.position, tree->origin);
    double V[6] = {0}, v[6];
    memset(J, 0, 6 * (size_t)tree->velocities * sizeof *J);
    if (B) {
        memset(B, 0, 6 * (size_t)tree->velocities * sizeof *B);
    }
    for (int i = link; i >= 0; i = tree->link[i].parent) {
        for (int k = 0; k < tree->link[i].freedom; ++k) {
            crn_sp_add(u[tree->link[i].u + k], tree->link[i].S + 6 * k, V);
        }
    }
    crn_sp_copy(V, v);
    for (int i = link; i >= 0; i = tree->link[i].parent) {
        const crn_link *joint = &tree->link[i];
        for (int k = 0; k < joint->freedom; ++k) {
            crn_sp_add(-u[joint->u + k], joint->S + 6 * k, v);
        }
        for (int k = 0; k < joint->freedom; ++k) {
            double *moved = J + 6 * (joint->u + k);
            crn_sp_copy(joint->S + 6 * k, moved);
            move_to(arm, moved);
            if (B) {
                change_velocity(joint, k, u, v, V, arm, moved, B + 6 * (joint->u + k));
            }
        }
    }
}

/* --- Outwards: motion, and what each link takes --- */

/* a += s (v x m) */
static void add_cross(double s, const double *v, const double *m, double *a)
{
    double rate[6];
    crn_sp_cross(v, m, rate);
    crn_sp_add(s, rate, a);
}

/* Columns of the joint of link i; v, a: of its parent. */
static void fill_columns(const crn_tree *tree, int i, const double *u, const double *acceleration, const double *v,
                         const double *a)
{
    const crn_link *link = &tree->link[i];
    column *c = columns(tree) + link->u;
    for (int k = 0; k < link->freedom; ++k) {
        double carrier[6];
        crn_sp_copy(v, carrier);
        for (int j = 0; j < link->freedom; ++j) {
            crn_sp_add(is_carried(link->kind, j, k) ? u[link->u + j] : 0.0, link->S + 6 * j, carrier);
        }
        crn_sp_cross(carrier, link->S + 6 * k, c[k].rate);
    }
    for (int j = 0; j < link->freedom; ++j) {
        double z[6], rate[6];
        crn_sp_copy(v, z);
        crn_sp_copy(a, rate);
        for (int k = 0; k < link->freedom; ++k) {
            if (!is_carried(link->kind, j, k)) {
                crn_sp_add(u[link->u + k], link->S + 6 * k, z);
                crn_sp_add(u[link->u + k], c[k].rate, rate);
                crn_sp_add(acceleration ? acceleration[link->u + k] : 0.0, link->S + 6 * k, rate);
            }
        }
        crn_sp_cross(z, link->S + 6 * j, c[j].twist_rate);
        crn_sp_cross(rate, link->S + 6 * j, c[j].twist_rate2);
        add_cross(1.0, z, c[j].twist_rate, c[j].twist_rate2);
    }
}

static void move_link(const crn_tree *tree, int i, const double *u, const double *acceleration, branch *b)
{
    const crn_link *link = &tree->link[i];
    const column *c = columns(tree) + link->u;
    for (int k = 0; k < link->freedom; ++k) {
        crn_sp_add(u[link->u + k], link->S + 6 * k, b->v);
        crn_sp_add(u[link->u + k], c[k].rate, b->a);
        crn_sp_add(acceleration ? acceleration[link->u + k] : 0.0, link->S + 6 * k, b->a);
    }
}

/* (A m_w + c x m_l; mass m_l - c x m_w), c being the moment */
static void times_inertia(const branch *b, const double *m, double *to)
{
    crn_vec3 w = crn_v3_of(m), l = crn_v3_of(m + 3);
    crn_v3_to(crn_v3_add(crn_m3_times(&b->A, w), crn_v3_cross(b->moment, l)), to);
    crn_v3_to(crn_v3_sub(crn_v3_scale(b->mass, l), crn_v3_cross(b->moment, w)), to + 3);
}

/* X of a single link. */
static crn_mat3 turning_part(const branch *b, crn_vec3 L)
{
    crn_vec3 w = crn_v3_of(b->v), l = crn_v3_of(b->v + 3), c = b->moment;
    const double W[9] = {0, w.z, -w.y, -w.z, 0, w.x, w.y, -w.x, 0}, a[3] = {l.x, l.y, l.z}, d[3] = {c.x, c.y, c.z};
    const double spin[9] = {0, L.z, -L.y, -L.z, 0, L.x, L.y, -L.x, 0};
    double twice = 2.0 * crn_v3_dot(l, c);
    crn_mat3 X;
    for (int j = 0; j < 3; ++j) {
        for (int i = 0; i < 3; ++i) {
            double sum = (i == j ? twice : 0.0) - a[i] * d[j] - d[i] * a[j] - spin[i + 3 * j];
            for (int k = 0; k < 3; ++k) {
                sum += W[i + 3 * k] * b->A.m[k + 3 * j] - b->A.m[i + 3 * k] * W[k + 3 * j];
            }
            X.m[i + 3 * j] = sum;
        }
    }
    return X;
}

static void weigh_link(const crn_tree *tree, int i, const crn_tree_load *load, branch *b)
{
    const crn_link *link = &tree->link[i];
    crn_vec3 c = crn_v3_sub(link->frame.position, tree->origin);
    double m = link->mass, h[6], turned[6], square = crn_v3_dot(c, c);
    const double *at = &c.x;
    b->mass = m;
    b->moment = crn_v3_scale(m, c);
    for (int j = 0; j < 9; ++j) {
        b->A.m[j] = link->inertia_world.m[j] + m * ((j % 4 == 0 ? square : 0.0) - at[j % 3] * at[j / 3]);
    }
    times_inertia(b, b->v, h);
    times_inertia(b, b->a, b->F);
    crn_sp_cross_force(b->v, h, turned);
    crn_sp_add(1.0, turned, b->F);
    b->momentum = crn_v3_of(h + 3);
    b->X = turning_part(b, crn_v3_of(h));
    memset(b->W, 0, sizeof b->W);
    if (load && load->wrench) {
        crn_sp_copy(load->wrench + 6 * i, b->W);
        crn_vec3 torque = crn_v3_sub(crn_v3_of(b->W), crn_v3_cross(tree->origin, crn_v3_of(b->W + 3)));
        crn_v3_to(torque, b->W);
    }
}

static void go_outwards(crn_tree *tree, const double *u, const double *acceleration, const crn_tree_load *load)
{
    branch *b = branches(tree);
    for (int i = 0; i < tree->links; ++i) {
        int parent = tree->link[i].parent;
        if (parent >= 0) {
            crn_sp_copy(b[parent].v, b[i].v);
            crn_sp_copy(b[parent].a, b[i].a);
        } else { /* gravity is an acceleration of the base */
            memset(b[i].v, 0, sizeof b[i].v);
            memset(b[i].a, 0, sizeof b[i].a);
            crn_v3_to(load ? crn_v3_scale(-1.0, load->gravity) : crn_v3(0, 0, 0), b[i].a + 3);
        }
        fill_columns(tree, i, u, acceleration, b[i].v, b[i].a);
        move_link(tree, i, u, acceleration, &b[i]);
        weigh_link(tree, i, load, &b[i]);
    }
}

/* --- Inwards: entries of each joint with those of its path --- */

static void hand_on(const branch *b, branch *parent)
{
    parent->mass += b->mass;
    parent->moment = crn_v3_add(parent->moment, b->moment);
    parent->momentum = crn_v3_add(parent->momentum, b->momentum);
    for (int k = 0; k < 9; ++k) {
        parent->A.m[k] += b->A.m[k];
        parent->X.m[k] += b->X.m[k];
    }
    crn_sp_add(1.0, b->F, parent->F);
    crn_sp_add(1.0, b->W, parent->W);
}

static void times_B(const branch *b, const double *m, double *to)
{
    crn_vec3 w = crn_v3_of(m);
    crn_v3_to(crn_m3_times(&b->X, w), to);
    crn_v3_to(crn_v3_scale(-2.0, crn_v3_cross(b->momentum, w)), to + 3);
}

/* B's: its lower half is 0. */
static void times_B_transposed(const branch *b, const double *s, double *to)
{
    crn_vec3 low = crn_v3_scale(2.0, crn_v3_cross(b->momentum, crn_v3_of(s + 3)));
    crn_v3_to(crn_v3_add(crn_m3_transposed_times(&b->X, crn_v3_of(s)), low), to);
    crn_v3_to(crn_v3(0, 0, 0), to + 3);
}

/* Where entries go: n x n, column-major; any NULL. */
typedef struct tables {
    double *by_q, *by_u, *H;
    size_t n;
} tables;

/* S_k'(B S'_j + I S''_j), less what the turned column takes of the outer wrench */
static double below(const column *k, const double *S_k, const column *j, const double *S_j, const double *W)
{
    double turned[6];
    crn_sp_cross(S_j, S_k, turned);
    return crn_sp_dot(k->by_B, j->twist_rate) + crn_sp_dot(k->by_I, j->twist_rate2) - crn_sp_dot(turned, W);
}

/* dtau of all above and beside by velocity j of link i, and of it by theirs. */
static void fill_entries(const crn_tree *tree, int i, int j, const tables *to)
{
    const crn_link *link = &tree->link[i];
    const branch *b = &branches(tree)[i];
    const column *all = columns(tree), *mine = &all[link->u + j];
    const double *S = link->S + 6 * j;
    size_t row = (size_t)(link->u + j);
    double sum[6], by_q[6], by_u[6], part[6];
    crn_sp_copy(mine->rate, sum);
    crn_sp_add(1.0, mine->twist_rate, sum);
    times_B(b, S, by_u);
    times_inertia(b, sum, part);
    crn_sp_add(1.0, part, by_u);
    times_B(b, mine->twist_rate, by_q);
    times_inertia(b, mine->twist_rate2, part);
    crn_sp_add(1.0, part, by_q);
    crn_sp_cross_force(S, b->F, part);
    crn_sp_add(1.0, part, by_q);
    for (int m = i; m >= 0; m = tree->link[m].parent) {
        const crn_link *other = &tree->link[m];
        for (int k = 0; k < other->freedom; ++k) {
            const double *S_k = other->S + 6 * k;
            const column *theirs = &all[other->u + k];
            size_t at = (size_t)(other->u + k);
            bool is_beside = m == i;
            if (to->H) {
                to->H[row + to->n * at] = to->H[at + to->n * row] = crn_sp_dot(mine->by_I, S_k);
            }
            if (to->by_u) {
                to->by_u[at + to->n * row] = crn_sp_dot(S_k, by_u);
            }
            if (to->by_u && !is_beside) {
                crn_sp_copy(theirs->rate, sum);
                crn_sp_add(1.0, theirs->twist_rate, sum);
                to->by_u[row + to->n * at] = crn_sp_dot(mine->by_B, S_k) + crn_sp_dot(mine->by_I, sum);
            }
            if (to->by_q && (!is_beside || !is_carried(link->kind, j, k))) {
                to->by_q[at + to->n * row] = crn_sp_dot(S_k, by_q);
            }
            if (to->by_q && is_beside && is_carried(link->kind, j, k)) {
                to->by_q[at + to->n * row] = below(theirs, S_k, mine, S, b->W);
            } else if (to->by_q && !is_beside) {
                to->by_q[row + to->n * at] = below(mine, S, theirs, S_k, b->W);
            }
        }
    }
}

static void clear(double *table, int n)
{
    if (table) {
        memset(table, 0, (size_t)n * (size_t)n * sizeof *table);
    }
}

void crn_tree_inverse_derivatives(crn_tree *tree, const double *q, const double *u, const double *acceleration,
                                  const crn_tree_load *load, double *by_q, double *by_u, double *H)
{
    if (tree == NULL || q == NULL || u == NULL) {
        return;
    }
    branch *b = branches(tree);
    column *c = columns(tree);
    tables to = {by_q, by_u, H, (size_t)tree->velocities};
    clear(by_q, tree->velocities);
    clear(by_u, tree->velocities);
    clear(H, tree->velocities);
    crn_tree_place(tree, q);
    go_outwards(tree, u, acceleration, load);
    for (int i = tree->links - 1; i >= 0; --i) {
        const crn_link *link = &tree->link[i];
        for (int k = 0; k < link->freedom; ++k) {
            times_B_transposed(&b[i], link->S + 6 * k, c[link->u + k].by_B);
            times_inertia(&b[i], link->S + 6 * k, c[link->u + k].by_I);
        }
        for (int k = 0; k < link->freedom; ++k) {
            fill_entries(tree, i, k, &to);
        }
        for (int k = 0; k < link->freedom && H; ++k) {
            H[(to.n + 1) * (size_t)(link->u + k)] += link->armature[k];
        }
        if (link->parent >= 0) {
            hand_on(&b[i], &b[link->parent]);
        }
    }
}

/* --- Forward dynamics: H du' = dtau - dID --- */

/* Columns of a table become -H^-1 times them; what is no whitened velocity is none of a tree of <cairn/tree.h>. */
static void solve_columns(crn_tree *tree, double sign, double *table)
{
    int n = tree->velocities;
    double *p = tree->scratch, *nu = p + 6 * tree->links;
    for (int j = 0; j < n; ++j) {
        double *x = table + (size_t)j * (size_t)n;
        memset(p, 0, 6 * (size_t)tree->links * sizeof *p);
        crn_tree_whiten(tree, p, x, nu);
        crn_tree_unwhiten(tree, nu, x, p);
        for (int i = 0; i < n; ++i) {
            x[i] *= sign;
        }
    }
}

void crn_tree_forward_derivatives(crn_tree *tree, const double *q, const double *u, const crn_tree_load *load,
                                  double *acceleration, double *by_q, double *by_u, double *by_force)
{
    if (tree == NULL || q == NULL || u == NULL || acceleration == NULL) {
        return;
    }
    size_t n = (size_t)tree->velocities;
    crn_tree_forward(tree, q, u, load, acceleration);
    crn_tree_inverse_derivatives(tree, q, u, acceleration, load, by_q, by_u, NULL);
    (void)crn_tree_factor(tree, NULL);
    if (by_q) {
        solve_columns(tree, -1.0, by_q);
    }
    if (by_u) {
        solve_columns(tree, -1.0, by_u);
    }
    if (by_force) {
        memset(by_force, 0, n * n * sizeof *by_force);
        for (size_t i = 0; i < n; ++i) {
            by_force[i + n * i] = 1.0;
        }
        solve_columns(tree, 1.0, by_force);
    }
}
