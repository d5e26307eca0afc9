/* Velocities and columns without what loops hold: nu := (1 - Q Q') nu, Q being the orthonormal basis of held directions. */
#include "math/vec.h"
#include "step/loops.h"

void crn_loops_reduce(const crn_step_mechanism *m, double *nu)
{
    int n = m->whitened;
    for (int pass = 0; pass < 2 && m->closure.held > 0; ++pass) {
        for (int i = 0; i < m->closure.held; ++i) {
            const double *q = m->closure.Q + (size_t)i * (size_t)n;
            crn_axpy(n, -crn_dot(n, q, nu), q, nu);
        }
    }
}
