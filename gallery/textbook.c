/* textbook.c -- small examples with known solutions. Problem index % 13; the seed plays no part. */
#include "families.h"
#include "gallery_data.h"

enum { ORDER_MAX = 4 };

typedef struct example {
    int n;
    double M[ORDER_MAX * ORDER_MAX]; /* by rows, as printed */
    double q[ORDER_MAX];
    double z[ORDER_MAX]; /* a solution */
} example;

static const example examples[] = {
    /* [HB99 ex. 10.2.2] M of ones: every z >= 0 with z1 + z2 = 1 */
    {2, {1, 1, 1, 1}, {-1, -1}, {1, 0}},
    /* [CPS92 ex. 4.4.7; HB99 ex. 10.2.3] */
    {3, {0, -1, 2, 2, 0, -2, -1, 1, 0}, {-3, 6, -1}, {0, 1, 3}},
    /* [HB99 ex. 10.2.4] a bimatrix game; (1/90, 2/45, 1/90, 2/45) is out of Lemke and Howson's reach */
    {4,
     {0, 0, 10, 20, 0, 0, 30, 15, 10, 20, 0, 0, 30, 15, 0, 0},
     {-1, -1, -1, -1},
     {1.0 / 90.0, 2.0 / 45.0, 1.0 / 90.0, 2.0 / 45.0}},
    /* [HB99 ex. 10.2.9] market equilibrium for three values of lambda = q_3 */
    {4,
     {11, 0, 10, -1, 0, 11, 10, -1, 10, 10, 21, -1, 1, 1, 1, 0},
     {50, 50, 1, -6},
     {17.0 / 13.0, 17.0 / 13.0, 44.0 / 13.0, 1277.0 / 13.0}},
    {4,
     {11, 0, 10, -1, 0, 11, 10, -1, 10, 10, 21, -1, 1, 1, 1, 0},
     {50, 50, 16, -6},
     {32.0 / 13.0, 32.0 / 13.0, 14.0 / 13.0, 1142.0 / 13.0}},
    {4, {11, 0, 10, -1, 0, 11, 10, -1, 10, 10, 21, -1, 1, 1, 1, 0}, {50, 50, 100, -6}, {3, 3, 0, 83}},
    /* Cyclic P-matrix: principal pivots on the wrong violated index run {1} {1,2} {2} {2,3} {3} {3,1} for ever */
    {3, {1, 2, 0, 0, 1, 2, 2, 0, 1}, {-1, -1, -1}, {1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0}},
    /* Murty's exponential example for n = 3  [M88 s6] */
    {3, {1, 0, 0, 2, 1, 0, 2, 2, 1}, {-8, -12, -14}, {8, 0, 0}},
    /* Symmetric, not P: three solutions (1, 0), (0, 1), (1/3, 1/3) */
    {2, {1, 2, 2, 1}, {-1, -1}, {1, 0}},
    /* Symmetric positive definite M-matrix */
    {2, {2, -1, -1, 2}, {-1, -1}, {1, 1}},
    /* Positive semidefinite of rank one, and yet one solution */
    {2, {1, -1, -1, 1}, {-1, 2}, {1, 0}},
    /* Hollow and copositive, but not copositive-plus */
    {2, {0, 1, 1, 0}, {-1, -1}, {1, 1}},
};

enum { EXAMPLE_COUNT = sizeof examples / sizeof examples[0] };

/* [HB99 ex. 10.2.1] Murty's triangle: ones on the diagonal, 2 above it, q = -e; z = (0, ..., 0, 1). */
static crn_status make_triangle(double *witness, crn_lcp_data *data, crn_error *error)
{
    return crn_gallery_murty_exp(15 + 14, 0, witness, data, error); /* kind 1, n = 16 */
}

crn_status crn_gallery_textbook(int index, uint64_t seed, double *witness, crn_lcp_data *data, crn_error *error)
{
    (void)seed;
    int which = index % (EXAMPLE_COUNT + 1);
    if (which == EXAMPLE_COUNT) {
        return make_triangle(witness, data, error);
    }
    const example *chosen = &examples[which];
    crn_status status = crn_gallery_dense(data, chosen->n, false, error);
    if (status != CRN_OK) {
        return status;
    }
    for (int i = 0; i < chosen->n; ++i) {
        for (int j = 0; j < chosen->n; ++j) {
            crn_gallery_set(data, i, j, chosen->M[i * chosen->n + j]);
        }
        crn_gallery_q(data)[i] = chosen->q[i];
        if (witness) {
            witness[i] = chosen->z[i];
        }
    }
    return CRN_OK;
}
