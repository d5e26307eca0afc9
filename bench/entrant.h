/* entrant.h -- who takes part: our methods with their settings, and the peers. */
#ifndef BENCH_ENTRANT_H
#define BENCH_ENTRANT_H

#include <stdbool.h>

#include <cairn/lcp.h>

#include "peers/peer.h"

#define BENCH_MAX_ENTRANTS 32

typedef struct bench_entrant {
    const char *name;
    const char *version;
    const bench_peer *peer;  /* NULL: one of ours */
    crn_lcp_options options; /* ours */
    double tol;              /* relative certificate that counts as solved: 1e-9 for ours, 1e-6 for peers */
    bool is_timed;           /* takes part in the section on speed */
} bench_entrant;

/** Fill list (BENCH_MAX_ENTRANTS long) with ours and, if asked, the peers; timed_only leaves out what the section on
 *  speed does not need. Returns the number. */
int bench_entrants(bool with_peers, bool timed_only, bench_entrant *list);

#endif
