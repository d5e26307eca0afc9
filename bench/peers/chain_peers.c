/* chain_peers.c -- the libraries for chains that CMake looked for, and which it found. The only file that asks. */
#include "chain_peer.h"

#include <stddef.h>

/* The library if it was found. */
#ifdef BENCH_HAVE_CHAIN_MUJOCO
#define MUJOCO (&bench_chain_mujoco)
#else
#define MUJOCO NULL
#endif
#ifdef BENCH_HAVE_CHAIN_DART
#define DART (&bench_chain_dart)
#else
#define DART NULL
#endif
#ifdef BENCH_HAVE_CHAIN_BULLET
#define BULLET (&bench_chain_bullet)
#else
#define BULLET NULL
#endif

static const bench_chain_known known[] = {{"MuJoCo", MUJOCO}, {"DART", DART}, {"Bullet", BULLET}};

int bench_chain_known_count(void)
{
    return sizeof known / sizeof *known;
}

bench_chain_known bench_chain_known_at(int index)
{
    return known[index];
}
