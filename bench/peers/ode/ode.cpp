/* ode.cpp -- adapter to ODE's Dantzig solver. ODE keeps it to itself; DART ships and exports the same code. */
#include "../peer.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include <dart/config.hpp>
#include <dart/external/odelcpsolver/lcp.h>

#include "../symmetric.h"

namespace
{

/* Solve A x = b + w with bounds 0 and infinity, so b = -q. M is symmetric: its columns are rows too. */
int dantzig(int n, const double *M, const double *q, double *z)
{
    if (!bench_is_symmetric(n, M)) {
        return BENCH_PEER_DECLINED;
    }
    try {
        const auto order = static_cast<std::size_t>(n);
        const auto stride = static_cast<std::size_t>(dPAD(n));
        std::vector<double> a(order * stride, 0.0), b(q, q + order);
        std::vector<double> x(order, 0.0), w(order, 0.0), low(order, 0.0), high(order, dInfinity);
        std::vector<int> no_friction(order, -1);
        for (std::size_t i = 0; i < order; ++i) {
            std::copy(M + i * order, M + (i + 1) * order, a.begin() + static_cast<std::ptrdiff_t>(i * stride));
            b[i] = -b[i];
        }
        const bool is_solved = dart::external::ode::dSolveLCP(n, a.data(), x.data(), b.data(), w.data(), 0, low.data(),
                                                              high.data(), no_friction.data(), false);
        std::copy(x.begin(), x.end(), z);
        return is_solved ? BENCH_PEER_SOLVED : BENCH_PEER_FAILED;
    } catch (...) {
        return BENCH_PEER_FAILED;
    }
}

} // namespace

const bench_peer *bench_ode_peers(int *count)
{
    static const bench_peer peers[] = {{"ode-dantzig", DART_VERSION " (DART's copy)", dantzig}};
    *count = 1;
    return peers;
}
