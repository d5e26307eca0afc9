/* bullet.cpp -- adapter to Bullet's Lemke and Dantzig solvers, in double precision. */
#include "../peer.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include <BulletDynamics/MLCPSolvers/btDantzigLCP.h>
#include <BulletDynamics/MLCPSolvers/btLemkeAlgorithm.h>

#include "../symmetric.h"

#define BENCH_TEXT_OF(x) #x /* 324 is version 3.24 */
#define BENCH_TEXT(x)    BENCH_TEXT_OF(x)

namespace
{

/* The number of loops that btLemkeSolver.h uses: without it Bullet may never come back. */
const unsigned int max_loops = 1000;

int lemke(int n, const double *M, const double *q, double *z)
{
    try {
        btMatrixXu matrix(n, n);
        btVectorXu vector(n);
        for (int i = 0; i < n; ++i) {
            vector[i] = q[i];
            for (int j = 0; j < n; ++j) {
                matrix.setElem(i, j, M[i + static_cast<std::ptrdiff_t>(j) * n]);
            }
        }
        btLemkeAlgorithm solver(matrix, vector);
        const btVectorXu answer = solver.solve(max_loops);
        /* the first half of the answer is w, the second z */
        for (int i = 0; i < n; ++i) {
            z[i] = answer.rows() == 2 * n ? answer[n + i] : 0.0;
        }
        return solver.getInfo() >= 0 && answer.rows() == 2 * n ? BENCH_PEER_SOLVED : BENCH_PEER_FAILED;
    } catch (...) {
        return BENCH_PEER_FAILED;
    }
}

/* Solve A x = b + w with bounds 0 and infinity, so b = -q. M is symmetric: its columns are rows too. */
int dantzig(int n, const double *M, const double *q, double *z)
{
    if (!bench_is_symmetric(n, M)) {
        return BENCH_PEER_DECLINED;
    }
    try {
        const auto order = static_cast<std::size_t>(n);
        std::vector<btScalar> a(M, M + order * order), b(q, q + order);
        std::vector<btScalar> x(order, 0.0), w(order, 0.0), low(order, 0.0), high(order, BT_INFINITY);
        std::vector<int> no_friction(order, -1);
        for (btScalar &value : b) {
            value = -value;
        }
        btDantzigScratchMemory scratch;
        const bool is_solved = btSolveDantzigLCP(n, a.data(), x.data(), b.data(), w.data(), 0, low.data(), high.data(),
                                                 no_friction.data(), scratch);
        std::copy(x.begin(), x.end(), z);
        return is_solved ? BENCH_PEER_SOLVED : BENCH_PEER_FAILED;
    } catch (...) {
        return BENCH_PEER_FAILED;
    }
}

} // namespace

const bench_peer *bench_bullet_peers(int *count)
{
    static const char version[] = BENCH_TEXT(BT_BULLET_VERSION);
    static const bench_peer peers[] = {{"bullet-lemke", version, lemke}, {"bullet-dantzig", version, dantzig}};
    *count = 2;
    return peers;
}
