/* bench_dynamics.h -- forward dynamics of chains of hinges: ours and those of every library that is installed. */
#ifndef BENCH_DYNAMICS_H
#define BENCH_DYNAMICS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "peers/chain_peer.h"

/** States that are gone through in turn, so that nobody can keep a result. */
enum { BENCH_CHAIN_STATES = 8 };

/** A chain and states of it; numbers of state s begin at s * links. */
typedef struct bench_chain_problem {
    bench_chain chain;
    bench_chain_link *link;
    double *q, *u, *torque;
} bench_chain_problem;

/** Links of a tenth of a metre with axes that follow no plane; angles and speeds up to 1. false: no memory. */
bool bench_chain_make(int links, uint64_t seed, bench_chain_problem *problem);
void bench_chain_free(bench_chain_problem *problem);

/** crn_tree_forward() behind the same interface as the others. */
extern const bench_chain_peer bench_chain_cairn;

#endif
