/* LDL' without pivoting: left-looking, so that a column is finished in one pass over the columns before it. */
#include "math/ldl.h"

#include "math/vec.h"

#include <math.h>
#include <stddef.h>

/* v_j = -L_kj D_j for the columns j < k. Returns sum_j |L_kj^2 D_j|, what has gone into and out of A_kk. */
static double row_times_d(const crn_ldl *ldl, int k, double *v)
{
    double sum = 0.0;
    for (int j = 0; j < k; ++j) {
        const double *column = ldl->a + (long)j * ldl->ld;
        v[j] = -column[k] * column[j];
        sum += fabs(column[k] * v[j]);
    }
    return sum;
}

bool crn_ldl_factor(crn_ldl *ldl, double tol_singular)
{
    const int n = ldl->n;
    double least = INFINITY, most = 0.0;
    ldl->negative = 0;
    for (int k = 0; k < n; ++k) { /* [GVL s4.1] */
        double *column = ldl->a + (long)k * ldl->ld;
        double taken = row_times_d(ldl, k, ldl->work);
        /* D_k = A_kk - sum_j L_kj D_j L_kj and, in the same pass, D_k L_ik = A_ik - sum_j L_ij D_j L_kj below it */
        crn_gemv_columns(n - k, k, ldl->a + k, ldl->ld, NULL, ldl->work, column + k);
        double pivot = fabs(column[k]);
        if (!(pivot > tol_singular * (pivot + taken))) { /* false for NaN and infinity, too */
            return false;
        }
        ldl->negative += column[k] < 0.0;
        crn_scal(n - k - 1, 1.0 / column[k], column + k + 1); /* L_ik */
        least = pivot < least ? pivot : least;
        most = pivot > most ? pivot : most;
    }
    ldl->rcond = n > 0 ? least / most : 1.0;
    return true;
}

void crn_ldl_solve(const crn_ldl *ldl, double *x)
{
    const int n = ldl->n;
    for (int k = 0; k < n; ++k) { /* x = L \ x */
        if (x[k] != 0.0) {
            crn_axpy(n - k - 1, -x[k], ldl->a + (long)k * ldl->ld + k + 1, x + k + 1);
        }
    }
    for (int k = 0; k < n; ++k) { /* x = D \ x */
        x[k] /= ldl->a[(long)k * ldl->ld + k];
    }
    for (int k = n - 1; k >= 0; --k) { /* x = L' \ x */
        x[k] -= crn_dot(n - k - 1, ldl->a + (long)k * ldl->ld + k + 1, x + k + 1);
    }
}
