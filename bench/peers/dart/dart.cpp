/* dart.cpp -- adapter to DART's Lemke, which factorises the basis afresh at every pivot. */
#include "../peer.h"

#include <dart/config.hpp>
#include <dart/lcpsolver/Lemke.hpp>

namespace
{

int lemke(int n, const double *M, const double *q, double *z)
{
    try {
        const Eigen::MatrixXd matrix = Eigen::Map<const Eigen::MatrixXd>(M, n, n);
        const Eigen::VectorXd vector = Eigen::Map<const Eigen::VectorXd>(q, n);
        Eigen::VectorXd answer = Eigen::VectorXd::Zero(n);
        const int error = dart::lcpsolver::Lemke(matrix, vector, &answer);
        if (answer.size() != n) {
            return BENCH_PEER_FAILED;
        }
        Eigen::Map<Eigen::VectorXd>(z, n) = answer;
        return error == 0 ? BENCH_PEER_SOLVED : BENCH_PEER_FAILED;
    } catch (...) {
        return BENCH_PEER_FAILED;
    }
}

} // namespace

const bench_peer *bench_dart_peers(int *count)
{
    static const bench_peer peers[] = {{"dart-lemke", DART_VERSION, lemke}};
    *count = 1;
    return peers;
}
