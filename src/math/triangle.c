/* Left-looking, column by column. */
#include "math/triangle.h"

#include "math/vec.h"

#include <float.h>
#include <math.h>

/* A pivot this small against its diagonal entry is rounding of a singular matrix: not positive definite. Of large ones it is more. */
static const double TOL_DEFINITE = 1e-14;

int crn_triangle_factor(int n, double *A)
{
    size_t ld = (size_t)n;
    double least = crn_max(TOL_DEFINITE, n * DBL_EPSILON);
    for (size_t j = 0; j < ld; ++j) {
        double diagonal = A[j + j * ld];
        for (size_t l = 0; l < j; ++l) {
            double g = A[j + l * ld];
            for (size_t i = j; i < ld; ++i) {
                A[i + j * ld] -= A[i + l * ld] * g;
            }
        }
        double pivot = A[j + j * ld];
        if (!(pivot > least * diagonal) || !isfinite(pivot)) {
            return (int)j;
        }
        double root = sqrt(pivot), inverse = 1.0 / root;
        A[j + j * ld] = root;
        for (size_t i = j + 1; i < ld; ++i) {
            A[i + j * ld] *= inverse;
        }
    }
    return n;
}

void crn_triangle_solve(size_t n, const double *G, size_t ld, double *x)
{
    for (size_t j = 0; j < n; ++j) {
        if (x[j] != 0.0) { /* columns of free bodies and trees have many exact zeros */
            x[j] /= G[j + j * ld];
            for (size_t i = j + 1; i < n; ++i) {
                x[i] -= G[i + j * ld] * x[j];
            }
        }
    }
}

void crn_triangle_solve_transposed(size_t n, const double *G, size_t ld, double *x)
{
    for (size_t j = n; j-- > 0;) {
        double sum = x[j];
        for (size_t i = j + 1; i < n; ++i) {
            sum -= G[i + j * ld] * x[i];
        }
        x[j] = sum / G[j + j * ld];
    }
}
