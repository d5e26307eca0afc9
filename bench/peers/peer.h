/* peer.h -- what a foreign solver looks like to the benchmark.
 *
 * An adapter copies the problem into the peer's own form, calls the peer with the settings written in README.md and
 * copies z back. It judges nothing: judge.c does, the same for everybody. It may hang, print, crash or end the process:
 * runner.c keeps it in a process of its own. */
#ifndef BENCH_PEER_H
#define BENCH_PEER_H

#ifdef __cplusplus
extern "C" {
#endif

/** Answers of an adapter. */
enum {
    BENCH_PEER_DECLINED = -1, /* the peer is not made for such a matrix (Dantzig: M must be symmetric) */
    BENCH_PEER_FAILED = 0,    /* the peer says that it has no solution */
    BENCH_PEER_SOLVED = 1     /* the peer claims that z is one */
};

/** One method of one foreign library. */
typedef struct bench_peer {
    const char *name;    /* "siconos-lemke", ...: library and method */
    const char *version; /* of the library, found when the benchmark was built */
    /** Find z >= 0 with w = M z + q >= 0, z'w = 0. M is column-major with leading dimension n, n >= 1; z is written.
     *  @return one of the answers above */
    int (*solve)(int n, const double *M_colmajor, const double *q, double *z);
} bench_peer;

/* Methods of each library; the array is static. Only the libraries found by CMake are linked. */
const bench_peer *bench_siconos_peers(int *count);
const bench_peer *bench_dart_peers(int *count);
const bench_peer *bench_bullet_peers(int *count);
const bench_peer *bench_ode_peers(int *count);

/** Number of all methods of all libraries found. */
int bench_peer_count(void);

/** Method `index` of them, 0 <= index < bench_peer_count(). */
const bench_peer *bench_peer_at(int index);

#ifdef __cplusplus
}
#endif
#endif
