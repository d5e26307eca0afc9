/* world_peers.c -- the engines that CMake looked for, and which it found. The only file that asks. */
#include "world_peer.h"

#include <stddef.h>

/* The engine if it was found. */
#ifdef BENCH_HAVE_WORLD_ODE
#define ODE (&bench_world_ode)
#else
#define ODE NULL
#endif
#ifdef BENCH_HAVE_WORLD_BULLET
#define BULLET (&bench_world_bullet)
#else
#define BULLET NULL
#endif
#ifdef BENCH_HAVE_WORLD_DART
#define DART (&bench_world_dart)
#else
#define DART NULL
#endif
#ifdef BENCH_HAVE_WORLD_MUJOCO
#define MUJOCO (&bench_world_mujoco)
#else
#define MUJOCO NULL
#endif
#ifdef BENCH_HAVE_WORLD_BOX2D
#define BOX2D (&bench_world_box2d)
#else
#define BOX2D NULL
#endif
#ifdef BENCH_HAVE_WORLD_CHIPMUNK
#define CHIPMUNK (&bench_world_chipmunk)
#else
#define CHIPMUNK NULL
#endif

static const bench_world_known known[] = {{"ODE", ODE},       {"Bullet", BULLET}, {"DART", DART},
                                          {"MuJoCo", MUJOCO}, {"Box2D", BOX2D},   {"Chipmunk", CHIPMUNK}};

int bench_world_known_count(void)
{
    return sizeof known / sizeof *known;
}

bench_world_known bench_world_known_at(int index)
{
    return known[index];
}
