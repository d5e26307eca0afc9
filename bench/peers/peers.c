/* peers.c -- the list of peers that CMake found. The only file that asks which libraries there are. */
#include "peer.h"

#include <stddef.h>

typedef const bench_peer *(*peer_list)(int *count);

static const peer_list lists[] = {
#ifdef BENCH_HAVE_SICONOS
    bench_siconos_peers,
#endif
#ifdef BENCH_HAVE_DART
    bench_dart_peers,
#endif
#ifdef BENCH_HAVE_BULLET
    bench_bullet_peers,
#endif
#ifdef BENCH_HAVE_ODE
    bench_ode_peers,
#endif
    NULL,
};

int bench_peer_count(void)
{
    int total = 0;
    for (int k = 0; lists[k]; ++k) {
        int count = 0;
        lists[k](&count);
        total += count;
    }
    return total;
}

const bench_peer *bench_peer_at(int index)
{
    for (int k = 0; lists[k]; ++k) {
        int count = 0;
        const bench_peer *list = lists[k](&count);
        if (index < count) {
            return &list[index];
        }
        index -= count;
    }
    return NULL;
}
