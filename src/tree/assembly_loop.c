/* A loop joint between two handles of one assembly (docs/theory/trees.md, section 5). With p and c the handles on either side,
 * f_J the joint's wrench on c and -f_J that on p, all about one origin,
 *
 *     T'(a_c - a_p - c_J) = 0,    f_J = T x + f_a
 *     X_i = Phi_ic - Phi_ip,      V = X_c - X_p,      W = T (T'V T)^+ T'
 *     f_J = f_a - W (V f_a + b_c - b_p - c_J)              when no other wrench acts on handles
 *     Phi_ij -= X_i W X_j',       b_i += X_i f_J
 *
 * A loop that repeats what tree and other loops hold already makes T'VT singular: it is factorised with pivots in the order of
 * their size, as far as these are more than rounding [GVL s4.2.8], each relative to its diagonal entry, since columns of T
 * mean metres or radians. */
#include "tree/assembly_loop.h"

#include "math/elementary.h"
#include "tree/assembly_kernel.h"

/* Of a row's mobility before loops are closed: pivots below are rounding. Phi is good to some 1e-14 of its size; a mechanism
 * that can move has pivots of at least 1e-6 of it unless it is near a dead centre. */
static const double RANK_BELOW = 1e-11;

typedef struct loop_factor {
    int rank;
    int order[6]; /* rows in the order of pivots */
    double l[36]; /* lower triangle in that order, rank columns */
} loop_factor;

/* Phi_kl e, 6 numbers; a handle of -1 is the base, which does not move */
static void add_column(const double *phi, size_t ld, size_t i, int handle, const double *e, double s, double *to)
{
    if (handle < 0) {
        return;
    }
    for (size_t k = 0; k < 6; ++k) {
        const double *column = phi + ld * (6 * (size_t)handle + k) + 6 * i;
        crn_sp_add(s * e[k], column, to);
    }
}

/* X_i e */
static void response(const double *phi, size_t ld, size_t i, const crn_assembly_loop *loop, const double *e, double *to)
{
    memset(to, 0, 6 * sizeof *to);
    add_column(phi, ld, i, loop->child, e, 1.0, to);
    add_column(phi, ld, i, loop->parent, e, -1.0, to);
}

/* The relative acceleration of c against p per wrench e between them: V e */
static void relative(const double *phi, size_t ld, const crn_assembly_loop *loop, const double *e, double *to)
{
    double on[6];
    memset(to, 0, 6 * sizeof *to);
    if (loop->child >= 0) {
        response(phi, ld, (size_t)loop->child, loop, e, to);
    }
    if (loop->parent >= 0) {
        response(phi, ld, (size_t)loop->parent, loop, e, on);
        crn_sp_add(-1.0, on, to);
    }
}

/* e'Phi_hh e */
static double mobility(const double *phi, size_t ld, int handle, const double *e)
{
    double on[6] = {0, 0, 0, 0, 0, 0};
    if (handle >= 0) {
        add_column(phi, ld, (size_t)handle, handle, e, 1.0, on);
    }
    return crn_sp_dot(e, on);
}

/* Pivoted Cholesky of the m x m matrix a, used up; scale[i]: what its diagonal is measured with. */
static void factorise(double *a, int m, const double *scale, loop_factor *f)
{
    for (int i = 0; i < m; ++i) {
        f->order[i] = i;
    }
    memset(f->l, 0, sizeof f->l);
    for (f->rank = 0; f->rank < m; ++f->rank) {
        int k = f->rank, best = k;
        double most = 0.0;
        for (int i = k; i < m; ++i) {
            int row = f->order[i];
            double share = scale[row] > 0.0 ? a[row + 6 * row] / scale[row] : 0.0;
            best = share > most ? i : best;
            most = crn_fmax(most, share);
        }
        if (!(most > RANK_BELOW)) {
            return;
        }
        int pivot = f->order[best];
        f->order[best] = f->order[k];
        f->order[k] = pivot;
        double root = sqrt(a[7 * pivot]);
        for (int i = 0; i < m; ++i) {
            f->l[i + 6 * k] = a[i + 6 * pivot] / root; /* rows stay where they are */
        }
        for (int j = 0; j < m; ++j) {
            for (int i = 0; i < m; ++i) {
                a[i + 6 * j] -= f->l[i + 6 * k] * f->l[j + 6 * k];
            }
        }
    }
}

/* x = l^-1 of the rows with pivots: rank numbers from m */
static void forward(const loop_factor *f, const double *r, double *x)
{
    for (int k = 0; k < f->rank; ++k) {
        double s = r[f->order[k]];
        for (int j = 0; j < k; ++j) {
            s -= f->l[f->order[k] + 6 * j] * x[j];
        }
        x[k] = s / f->l[f->order[k] + 6 * k];
    }
}

/* x = l^-T x, and the wrench T x of it: the other rows have no part in it */
static void backward(const loop_factor *f, const double *T, double *x, double *wrench)
{
    memset(wrench, 0, 6 * sizeof *wrench);
    for (int k = f->rank - 1; k >= 0; --k) {
        for (int j = k + 1; j < f->rank; ++j) {
            x[k] -= f->l[f->order[j] + 6 * k] * x[j];
        }
        x[k] /= f->l[f->order[k] + 6 * k];
        crn_sp_add(x[k], T + 6 * f->order[k], wrench);
    }
}

static void factor_loop(const double *phi, size_t ld, const crn_assembly_loop *loop, loop_factor *f)
{
    double a[36] = {0}, scale[6], VT[6];
    for (int j = 0; j < loop->rows; ++j) {
        const double *e = loop->T + 6 * j;
        relative(phi, ld, loop, e, VT);
        for (int i = 0; i < loop->rows; ++i) {
            a[i + 6 * j] = crn_sp_dot(loop->T + 6 * i, VT);
        }
        scale[j] = mobility(phi, ld, loop->child, e) + mobility(phi, ld, loop->parent, e);
        if (loop->mobility != NULL) {
            scale[j] = crn_fmax(scale[j], loop->mobility[j]);
        }
    }
    for (int j = 0; j < loop->rows; ++j) {
        for (int i = 0; i < j; ++i) {
            a[i + 6 * j] = a[j + 6 * i] = 0.5 * (a[i + 6 * j] + a[j + 6 * i]);
        }
    }
    factorise(a, loop->rows, scale, f);
}

void crn_assembly_loop_mobility(const double *phi, int handles, const crn_assembly_loop *loop, double *mobilities)
{
    size_t ld = 6 * (size_t)handles;
    for (int j = 0; j < loop->rows; ++j) {
        const double *e = loop->T + 6 * j;
        mobilities[j] = mobility(phi, ld, loop->child, e) + mobility(phi, ld, loop->parent, e);
    }
}

/* Z = l^-1 T'X' of all handles, rank x 6 handles, column after column with stride 6 */
static void spread(const double *phi, int handles, const crn_assembly_loop *loop, const loop_factor *f, double *Z)
{
    size_t ld = 6 * (size_t)handles;
    for (size_t i = 0; i < (size_t)handles; ++i) {
        double XT[36], r[6];
        for (int j = 0; j < loop->rows; ++j) {
            response(phi, ld, i, loop, loop->T + 6 * j, XT + 6 * j);
        }
        for (size_t row = 0; row < 6; ++row) {
            for (int j = 0; j < loop->rows; ++j) {
                r[j] = XT[row + 6 * (size_t)j];
            }
            forward(f, r, Z + 6 * (6 * i + row));
        }
    }
}

/* f_J without other wrenches */
static void joint_wrench(const double *phi, const double *bias, size_t ld, const crn_assembly_loop *loop,
                         const loop_factor *f, double *wrench)
{
    static const double zero[6];
    const double *applied = loop->applied != NULL ? loop->applied : zero;
    double gap[6], r[6], x[6];
    relative(phi, ld, loop, applied, gap);
    if (loop->child >= 0) {
        crn_sp_add(1.0, bias + 6 * loop->child, gap);
    }
    if (loop->parent >= 0) {
        crn_sp_add(-1.0, bias + 6 * loop->parent, gap);
    }
    if (loop->product != NULL) {
        crn_sp_add(-1.0, loop->product, gap);
    }
    for (int j = 0; j < loop->rows; ++j) {
        r[j] = -crn_sp_dot(loop->T + 6 * j, gap);
    }
    forward(f, r, x);
    backward(f, loop->T, x, wrench);
    crn_sp_add(1.0, applied, wrench);
}

int crn_assembly_close(double *phi, double *bias, int handles, const crn_assembly_loop *loop, double *work)
{
    size_t ld = 6 * (size_t)handles;
    loop_factor f;
    double wrench[6], change[6];
    factor_loop(phi, ld, loop, &f);
    spread(phi, handles, loop, &f, work);
    if (bias != NULL) {
        joint_wrench(phi, bias, ld, loop, &f, wrench);
        for (size_t i = 0; i < (size_t)handles; ++i) {
            response(phi, ld, i, loop, wrench, change);
            crn_sp_add(1.0, change, bias + 6 * i);
        }
    }
    for (size_t j = 0; j < ld; ++j) {
        for (size_t i = 0; i < ld; ++i) {
            double sum = 0.0;
            for (int k = 0; k < f.rank; ++k) {
                sum += work[6 * i + (size_t)k] * work[6 * j + (size_t)k];
            }
            phi[i + ld * j] -= sum;
        }
    }
    return f.rank;
}
