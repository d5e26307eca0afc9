/* r_i <- the answer of contact i alone to u_i = W_ii r_i + (q_i + sum over j != i of W_ij r_j)  [JAJ98]. */
#include "contact/cone_sweep.h"

#include "contact/cone_law.h"

static void visit(const crn_cone_blocks *W, int i, double *r)
{
    const int d = W->d;
    const double *B = W->block + (size_t)(d * d) * (size_t)W->diagonal[i];
    double *ri = r + d * i, g[CRN_CONE_DIM];
    crn_cone_blocks_row(W, i, r, g);
    for (int k = 0; k < d; ++k) {
        double own = 0.0;
        for (int l = 0; l < d; ++l) {
            own += B[k + l * d] * ri[l];
        }
        g[k] += W->q[d * i + k] - own;
    }
    (void)crn_cone_one_contact(d, W->mu[i], B, g, ri); /* where there is no answer r_i stays */
}

void crn_cone_sweep(const crn_cone_blocks *W, int count, double *r)
{
    for (int k = 0; k < count; ++k) {
        for (int i = 0; i < W->contacts; ++i) {
            visit(W, k % 2 == 0 ? i : W->contacts - 1 - i, r);
        }
    }
}
