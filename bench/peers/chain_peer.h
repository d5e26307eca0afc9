/* chain_peer.h -- what a foreign library that computes accelerations of a chain of hinges looks like to the benchmark.
 *
 * A chain is given plainly: link i turns about the z axis of its own frame, whose origin lies on the joint. An adapter builds
 * the library's own model from it and, given coordinates, velocities and torques, hands back accelerations. It judges nothing:
 * bench_dynamics.c compares all results before any time is taken. */
#ifndef BENCH_CHAIN_PEER_H
#define BENCH_CHAIN_PEER_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bench_chain_link {
    double position[3]; /* of the joint in the frame of the link before (first: in the world) [m] */
    double rotation[4]; /* of the link's frame at angle 0 in that frame: (w, x, y, z) */
    double mass;        /* [kg] */
    double com[3];      /* in the link's frame [m] */
    double inertia[3];  /* about the centre of mass, along the link's axes [kg m^2] */
} bench_chain_link;

typedef struct bench_chain {
    int links;
    const bench_chain_link *link; /* not needed after create() */
    double gravity[3];            /* [m/s^2] */
} bench_chain;

typedef struct bench_chain_peer {
    const char *name;
    const char *version; /* found when the benchmark was built; NULL: ours */
    const char *method;  /* what is called */
    /** The chain in the library's own form; NULL if that failed. */
    void *(*create)(const bench_chain *chain);
    /** Accelerations from angles, speeds and torques, one each per link. */
    void (*accelerate)(void *model, const double *q, const double *u, const double *torque, double *acceleration);
    void (*destroy)(void *model);
} bench_chain_peer;

/* One per library; only those found by CMake are linked. */
extern const bench_chain_peer bench_chain_mujoco;
extern const bench_chain_peer bench_chain_dart;
extern const bench_chain_peer bench_chain_bullet;

/** A library that the benchmark knows. */
typedef struct bench_chain_known {
    const char *name;
    const bench_chain_peer *peer; /* NULL: not installed when the benchmark was built */
} bench_chain_known;

int bench_chain_known_count(void);
bench_chain_known bench_chain_known_at(int index);

#ifdef __cplusplus
}
#endif
#endif
