/* Joining pieces: B hung onto port j of A, and two pieces with one foot.
 *
 * With a_j the acceleration of the link that B hangs on and F_B the wrench it gives to B, g_j := g_j - F_B. Eliminating both,
 *
 *     E  = (1 + Phi_jj K_B)^-1,    K^ = K_B E,    Phi^ = E Phi_jj           (K^ and Phi^ symmetric, not negative)
 *     K  = K_A + Psi_j' K^ Psi_j,                 p    = p_A + Psi_j'(K^ b_j + E'p_B)
 *     ports l of A:   Psi_l -= Phi_lj K^ Psi_j,   b_l -= Phi_lj (K^ b_j + E'p_B),    Phi_ll' -= Phi_lj K^ Phi_jl'
 *     ports m of B:   Psi_m := Psi_m E Psi_j,     b_m += Psi_m (E b_j - Phi^ p_B),   Phi_mm' += Psi_m Phi^ Psi_m''
 *     across:         Phi_ml = Psi_m E Phi_jl
 *
 * This is [F99]'s assembly with the roles of F and a exchanged on the side of the foot: no inertia is inverted, so links
 * without mass do not matter, and joints are inside of pieces, so neither S nor its complement appears. 1 + Phi_jj K_B
 * has eigenvalues of at least 1, whatever the rank of either. Down, with the wrenches of ports known:
 *
 *     s   = sum_m Psi_m' g_m - p_B
 *     a_j = E (Psi_j a + sum_l Phi_jl g_l + b_j + Phi_jj s),     F_B = K_B a_j - s */
#include "tree/assembly_kernel.h"
#include "tree/assembly_parts.h"

#include "math/simd.h"

/* --- (1 + Phi K)^-1 --- */

/* Exchange rows k and i of two 6 x 6 matrices. */
CRN_TREE_INLINE void exchange_rows(double *N, double *E, int k, int i)
{
    for (int j = 0; j < 6; ++j) {
        double n = N[k + 6 * j], e = E[k + 6 * j];
        N[k + 6 * j] = N[i + 6 * j];
        N[i + 6 * j] = n;
        E[k + 6 * j] = E[i + 6 * j];
        E[i + 6 * j] = e;
    }
}

/* E = N^-1 by elimination with row exchanges [GVL s3.4]; N is used up. */
CRN_TREE_INLINE void invert(double *N, double *E)
{
    for (int i = 0; i < 36; ++i) {
        E[i] = i % 7 == 0 ? 1.0 : 0.0;
    }
    for (int k = 0; k < 6; ++k) {
        int best = k;
        for (int i = k + 1; i < 6; ++i) {
            best = fabs(N[i + 6 * k]) > fabs(N[best + 6 * k]) ? i : best;
        }
        if (best != k) {
            exchange_rows(N, E, k, best);
        }
        double inverse = 1.0 / N[7 * k], factor[6];
        for (int i = 0; i < 6; ++i) {
            factor[i] = i > k ? N[i + 6 * k] * inverse : 0.0;
        }
        for (int j = 0; j < 6; ++j) {
            crn_sp_add(-N[k + 6 * j], factor, N + 6 * j);
            crn_sp_add(-E[k + 6 * j], factor, E + 6 * j);
        }
    }
    for (int k = 5; k >= 0; --k) {
        double inverse = 1.0 / N[7 * k];
        for (int j = 0; j < 6; ++j) {
            double x = E[k + 6 * j] * inverse;
            for (int i = 0; i < k; ++i) {
                E[i + 6 * j] -= N[i + 6 * k] * x;
            }
            E[k + 6 * j] = x;
        }
    }
}

/* A length by which turning compares with moving: rows and columns of Phi K are brought to one size with it. */
CRN_TREE_INLINE double length_of(const double *K)
{
    double turning = K[0] + K[7] + K[14], moving = K[21] + K[28] + K[35];
    return turning > 0.0 && moving > 0.0 ? sqrt(turning / moving) : 1.0;
}

/* E = (1 + Phi K)^-1, of symmetric, not negative Phi and K: its eigenvalues are in (0, 1]. */
CRN_TREE_INLINE void divide(const double *Phi, const double *K, double *E)
{
    double N[36], length = length_of(K), inverse = 1.0 / length;
    crn_m6_product(Phi, K, N);
    for (int j = 0; j < 6; ++j) {
        for (int i = 0; i < 6; ++i) {
            N[i + 6 * j] *= (i < 3 ? length : 1.0) * (j < 3 ? inverse : 1.0);
        }
        N[7 * j] += 1.0;
    }
    invert(N, E);
    for (int j = 0; j < 6; ++j) {
        for (int i = 0; i < 6; ++i) {
            E[i + 6 * j] *= (i < 3 ? inverse : 1.0) * (j < 3 ? length : 1.0);
        }
    }
}

/* --- Hanging --- */

/* Phi_lj of all ports l of a, in node->gather */
CRN_TREE_INLINE void gather_columns(const crn_assembly_node *a, int j, double *gather)
{
    for (int l = 0; l < a->ports; ++l) {
        if (l >= j) {
            crn_m6_copy(crn_assembly_phi(a, l, j), gather + 36 * (size_t)l);
        } else {
            crn_m6_transpose(crn_assembly_phi(a, j, l), gather + 36 * (size_t)l);
        }
    }
}

/* What the joint between A and B does: E, K^, Phi^, and the bias of the wrench and of the acceleration there. */
typedef struct hinge_point {
    const double *E;
    double K[36], Phi[36], EPsi[36], KPsi[36];
    double F[6]; /* K^ b_j + E'p_B */
    double a[6]; /* E b_j - Phi^ p_B */
} hinge_point;

CRN_TREE_INLINE void meet(const crn_assembly_node *node, const crn_assembly_node *a, const crn_assembly_node *b,
                          hinge_point *h)
{
    const double *Phi = crn_assembly_phi(a, node->j, node->j), *b_j = a->b_ + 6 * (size_t)node->j;
    divide(Phi, b->K, node->E);
    crn_m6_product(b->K, node->E, h->K);
    crn_m6_product(node->E, Phi, h->Phi);
    crn_m6_symmetrise(h->K);
    crn_m6_symmetrise(h->Phi);
    h->E = node->E;
    memset(h->F, 0, sizeof h->F);
    memset(h->a, 0, sizeof h->a);
    crn_m6_times(1.0, h->K, b_j, h->F);
    crn_m6_transposed_times(1.0, h->E, b->p, h->F);
    crn_m6_times(1.0, h->E, b_j, h->a);
    crn_m6_times(-1.0, h->Phi, b->p, h->a);
}

/* Towards the foot: K, p, and the products that Psi needs. */
CRN_TREE_INLINE void meet_foot(crn_assembly_node *node, const crn_assembly_node *a, hinge_point *h)
{
    const double *Psi = a->Psi + 36 * (size_t)node->j;
    double more[36];
    crn_m6_product(h->E, Psi, h->EPsi);
    crn_m6_product(h->K, Psi, h->KPsi);
    crn_m6_transposed_product(Psi, h->KPsi, more);
    crn_m6_symmetrise(more);
    for (int i = 0; i < 36; ++i) {
        node->K[i] = a->K[i] + more[i];
    }
    crn_sp_copy(a->p, node->p);
    crn_m6_transposed_times(1.0, Psi, h->F, node->p);
}

/* Port k of the result, which is port l of A. */
CRN_TREE_INLINE void keep_port(crn_assembly_node *node, const crn_assembly_node *a, const hinge_point *h, int k, int l)
{
    const double *Q = node->gather + 36 * (size_t)l;
    double QK[36], turned[36], *b = node->b_ + 6 * (size_t)k;
    if (node->foot >= 0) {
        double *Psi = node->Psi + 36 * (size_t)k;
        crn_m6_product(Q, h->KPsi, Psi);
        for (int i = 0; i < 36; ++i) {
            Psi[i] = a->Psi[36 * (size_t)l + (size_t)i] - Psi[i];
        }
    }
    crn_sp_copy(a->b_ + 6 * (size_t)l, b);
    crn_m6_times(-1.0, Q, h->F, b);
    crn_m6_product(Q, h->K, QK);
    for (int k2 = 0; k2 <= k; ++k2) {
        int l2 = node->source[k2].port;
        double *Phi = crn_assembly_phi(node, k, k2);
        crn_m6_transpose(node->gather + 36 * (size_t)l2, turned);
        crn_m6_copy(crn_assembly_phi(a, l, l2), Phi);
        double change[36];
        crn_m6_product(QK, turned, change);
        for (int i = 0; i < 36; ++i) {
            Phi[i] -= change[i];
        }
    }
    crn_m6_symmetrise(crn_assembly_phi(node, k, k));
}

/* Port k of the result, which is port m of B. */
CRN_TREE_INLINE void hang_port(crn_assembly_node *node, const crn_assembly_node *b, const hinge_point *h, int k, int m)
{
    const double *Psi = b->Psi + 36 * (size_t)m;
    double PsiE[36], PsiPhi[36], turned[36], *bias = node->b_ + 6 * (size_t)k;
    if (node->foot >= 0) {
        crn_m6_product(Psi, h->EPsi, node->Psi + 36 * (size_t)k);
    }
    crn_sp_copy(b->b_ + 6 * (size_t)m, bias);
    crn_m6_times(1.0, Psi, h->a, bias);
    crn_m6_product(Psi, h->E, PsiE);
    crn_m6_product(Psi, h->Phi, PsiPhi);
    for (int k2 = 0; k2 <= k; ++k2) {
        int other = node->source[k2].port;
        double *Phi = crn_assembly_phi(node, k, k2);
        if (!node->source[k2].from_b) { /* ports of A come first */
            crn_m6_product_transposed(PsiE, node->gather + 36 * (size_t)other, Phi);
            continue;
        }
        double change[36];
        crn_m6_transpose(b->Psi + 36 * (size_t)other, turned);
        crn_m6_product(PsiPhi, turned, change);
        const double *before = crn_assembly_phi(b, m, other);
        for (int i = 0; i < 36; ++i) {
            Phi[i] = before[i] + change[i];
        }
    }
    crn_m6_symmetrise(crn_assembly_phi(node, k, k));
}

CRN_CLONES void crn_assembly_hang_up(crn_assembly *s, crn_assembly_node *node)
{
    const crn_assembly_node *a = &s->node[node->a], *b = &s->node[node->b];
    hinge_point h;
    gather_columns(a, node->j, node->gather);
    meet(node, a, b, &h);
    if (node->foot >= 0) {
        meet_foot(node, a, &h);
    }
    for (int k = 0; k < node->ports; ++k) {
        if (node->source[k].from_b) {
            hang_port(node, b, &h, k, node->source[k].port);
        } else {
            keep_port(node, a, &h, k, node->source[k].port);
        }
    }
}

void crn_assembly_hang_down(crn_assembly *s, crn_assembly_node *node)
{
    crn_assembly_node *a = &s->node[node->a], *b = &s->node[node->b];
    double y[6], sum[6];
    crn_sp_copy(node->a_in, a->a_in);
    memset(a->g, 0, 6 * (size_t)a->ports * sizeof *a->g);
    for (int k = 0; k < node->ports; ++k) {
        const crn_assembly_source *source = &node->source[k];
        crn_sp_copy(node->g + 6 * (size_t)k, (source->from_b ? b : a)->g + 6 * (size_t)source->port);
    }
    /* sum = sum_m Psi_m' g_m - p_B, y = Psi_j a + sum_l Phi_jl g_l + b_j + Phi_jj sum */
    for (int i = 0; i < 6; ++i) {
        sum[i] = -b->p[i];
    }
    for (int m = 0; m < b->ports; ++m) {
        crn_m6_transposed_times(1.0, b->Psi + 36 * (size_t)m, b->g + 6 * (size_t)m, sum);
    }
    crn_sp_copy(a->b_ + 6 * (size_t)node->j, y);
    if (node->foot >= 0) {
        crn_m6_times(1.0, a->Psi + 36 * (size_t)node->j, node->a_in, y);
    }
    for (int l = 0; l < a->ports; ++l) { /* Phi_jl = Phi_lj' */
        crn_m6_transposed_times(1.0, node->gather + 36 * (size_t)l, a->g + 6 * (size_t)l, y);
    }
    crn_m6_times(1.0, node->gather + 36 * (size_t)node->j, sum, y);
    memset(b->a_in, 0, 6 * sizeof *b->a_in);
    crn_m6_times(1.0, node->E, y, b->a_in);
    /* g_j -= F_B = K_B a_j - sum */
    double *g = a->g + 6 * (size_t)node->j;
    crn_m6_times(-1.0, b->K, b->a_in, g);
    crn_sp_add(1.0, sum, g);
}

/* --- Beside --- */

CRN_CLONES void crn_assembly_beside_up(crn_assembly *s, crn_assembly_node *node)
{
    const crn_assembly_node *a = &s->node[node->a], *b = &s->node[node->b];
    for (int i = 0; i < 36 && node->foot >= 0; ++i) {
        node->K[i] = a->K[i] + b->K[i];
    }
    for (int i = 0; i < 6 && node->foot >= 0; ++i) {
        node->p[i] = a->p[i] + b->p[i];
    }
    for (int k = 0; k < node->ports; ++k) {
        const crn_assembly_source *source = &node->source[k];
        const crn_assembly_node *from = source->from_b ? b : a;
        if (node->foot >= 0) {
            crn_m6_copy(from->Psi + 36 * (size_t)source->port, node->Psi + 36 * (size_t)k);
        }
        crn_sp_copy(from->b_ + 6 * (size_t)source->port, node->b_ + 6 * (size_t)k);
        for (int l = 0; l <= k; ++l) {
            double *Phi = crn_assembly_phi(node, k, l);
            if (node->source[l].from_b == source->from_b) {
                crn_m6_copy(crn_assembly_phi(from, source->port, node->source[l].port), Phi);
            } else {
                memset(Phi, 0, 36 * sizeof *Phi);
            }
        }
    }
}

void crn_assembly_beside_down(crn_assembly *s, crn_assembly_node *node)
{
    crn_assembly_node *a = &s->node[node->a], *b = &s->node[node->b];
    crn_sp_copy(node->a_in, a->a_in);
    crn_sp_copy(node->a_in, b->a_in);
    for (int k = 0; k < node->ports; ++k) {
        const crn_assembly_source *source = &node->source[k];
        crn_sp_copy(node->g + 6 * (size_t)k, (source->from_b ? b : a)->g + 6 * (size_t)source->port);
    }
}
