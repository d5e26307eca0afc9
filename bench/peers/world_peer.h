/* world_peer.h -- what a foreign engine that steps whole scenes looks like to the benchmark.
 *
 * Every engine gets the same plain description, made from one of our models: free bodies, fixed and driven ones,
 * joints. An adapter builds the engine's own world from it, steps it with the settings of README.md and tells where
 * the free bodies are. It judges nothing: bench_world_judge.c does, the same for everybody. It may hang, print, crash
 * or end the process: bench_world_child.c keeps it in one of its own, which is also why a world is never taken down. */
#ifndef BENCH_WORLD_PEER_H
#define BENCH_WORLD_PEER_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum bench_plain_solid {
    BENCH_PLAIN_BOX = 0,
    BENCH_PLAIN_BALL,    /* planar scenes: a disk */
    BENCH_PLAIN_PLANE,   /* half-space; never a free body */
    BENCH_PLAIN_CAPSULE, /* along z: size[0] is the radius, size[1] half of the length without the caps */
    BENCH_PLAIN_CYLINDER /* along z: size[0] is the radius, size[1] half of the length */
} bench_plain_solid;

typedef enum bench_plain_kind { BENCH_PLAIN_FREE = 0, BENCH_PLAIN_FIXED, BENCH_PLAIN_DRIVEN } bench_plain_kind;

/** A solid in the frame of its body. */
typedef struct bench_plain_part {
    bench_plain_solid solid;
    double size[3], position[3], rotation[4]; /* size: as in bench_plain_body */
} bench_plain_part;

typedef struct bench_plain_body {
    bench_plain_kind kind;
    bench_plain_solid solid; /* the first one */
    double size[3];          /* half sides; balls: size[0] is the radius; planes: of the slab */
    double position[3];      /* of the centre at t = 0 [m]; planes: a point of the plane */
    double rotation[4];      /* (w, x, y, z), body's axes to world axes */
    double mass;             /* free bodies [kg] */
    double inertia[3]; /* free bodies: about the centre, along the solid's axes [kg m^2]; planar scenes: inertia[2] */
    double mu;         /* the same for all bodies of a scene, so that every engine's rule for pairs gives it */
    double normal[3];  /* planes: out of the half-space, unit */
    double slab[3];    /* planes: centre of a slab of half sides `size` whose upper face lies in the plane */
    double velocity[3], angular[3]; /* free bodies at t = 0, world axes [m/s, rad/s] */
    double restitution;             /* the same for all bodies of a scene */
    const bench_plain_part *part;   /* all solids of a free body; of others the one above, at the origin */
    int parts;
} bench_plain_body;

typedef enum bench_plain_link {
    BENCH_LINK_BALL = 0,
    BENCH_LINK_HINGE,
    BENCH_LINK_SLIDER,
    BENCH_LINK_FIXED
} bench_plain_link;

/** A joint between two bodies that do not touch each other. */
typedef struct bench_plain_joint {
    bench_plain_link kind;
    int a, b;                 /* bodies by their place in the description; -1: the world */
    double point[3], axis[3]; /* at t = 0, world axes; axis: hinges and sliders */
} bench_plain_joint;

typedef struct bench_plain_scene {
    bool is_planar;               /* bodies move in the plane z = 0 */
    double gravity[3];            /* [m/s^2] */
    double h;                     /* step [s] */
    int count, free;              /* bodies; the free ones come first */
    const bench_plain_body *body; /* not needed after create() */
    const bench_plain_part *part; /* of all bodies */
    int joints;
    const bench_plain_joint *joint;
    const void *model; /* crn_model that the description was made from: ours reads that */
} bench_plain_scene;

typedef struct bench_plain_state {
    double position[3], rotation[4]; /* as in bench_plain_body */
    double velocity[3];              /* of the centre [m/s] */
    double angular[3];               /* world axes [rad/s] */
} bench_plain_state;

/** Scenes that an engine can be given. */
enum {
    BENCH_TAKES_SPATIAL = 1,
    BENCH_TAKES_PLANAR = 2, /* all planar scenes */
    BENCH_TAKES_DISKS = 4   /* planar scenes of disks: an engine of space holds balls in the plane */
};

enum { BENCH_SETTINGS = 2 };

/** An engine. */
typedef struct bench_world_peer {
    const char *name;
    const char *version;                  /* found when the benchmark was built */
    const char *settings[BENCH_SETTINGS]; /* as delivered; the best that it offers without changing the scene */
    unsigned takes;
    /** The scene in the engine's own form; NULL if that failed. */
    void *(*create)(const bench_plain_scene *scene, int setting);
    /** One step. Driven bodies are displaced from their start by `from` when it begins and by `to` when it ends. */
    void (*step)(void *world, const double from[3], const double to[3]);
    /** A free body by its place in the description. */
    void (*state)(void *world, int body, bench_plain_state *state);
    /** Warnings and errors so far; NULL if the engine has no such thing. */
    int (*complaints)(void *world);
    /** A force at the centre of a free body during the next step, world axes [N]; NULL if the adapter has no such thing. */
    void (*push)(void *world, int body, const double force[3]);
    /** Contact force on a body by its place in the description, mean of the last step, world axes [N]. false: not told. */
    bool (*load)(void *world, int body, double force[3]);
} bench_world_peer;

/* One per engine; only those found by CMake are linked. */
extern const bench_world_peer bench_world_ode;
extern const bench_world_peer bench_world_bullet;
extern const bench_world_peer bench_world_dart;
extern const bench_world_peer bench_world_mujoco;
extern const bench_world_peer bench_world_box2d;
extern const bench_world_peer bench_world_chipmunk;

/** An engine that the benchmark knows. */
typedef struct bench_world_known {
    const char *name;
    const bench_world_peer *peer; /* NULL: not installed when the benchmark was built */
} bench_world_known;

int bench_world_known_count(void);
bench_world_known bench_world_known_at(int index);

#ifdef __cplusplus
}
#endif
#endif
