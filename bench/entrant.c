/* entrant.c -- who takes part. */
#include "entrant.h"

static const double tol_ours = 1e-9;
static const double tol_peers = 1e-6;

typedef struct setting {
    const char *name;
    crn_lcp_method method;
    crn_lcp_variant variant;
    double tie_width; /* lemke-lex only */
    bool is_timed;
} setting;

static const setting settings[] = {
    {"lemke", CRN_LCP_LEMKE, CRN_LCP_PLAIN, 0.0, false},
    {"lemke-lex 0", CRN_LCP_LEMKE_LEX, CRN_LCP_PLAIN, 0.0, false},
    {"lemke-lex 1e-8", CRN_LCP_LEMKE_LEX, CRN_LCP_PLAIN, 1e-8, true},
    {"lemke-lex 1e-6", CRN_LCP_LEMKE_LEX, CRN_LCP_PLAIN, 1e-6, false},
    {"lemke-lex 1e-4", CRN_LCP_LEMKE_LEX, CRN_LCP_PLAIN, 1e-4, false},
    {"yamane", CRN_LCP_YAMANE, CRN_LCP_PLAIN, 0.0, false},
    {"yamane authors", CRN_LCP_YAMANE, CRN_LCP_AUTHORS_ORDER, 0.0, false},
    {"search", CRN_LCP_SEARCH, CRN_LCP_PLAIN, 0.0, true},
    {"auto", CRN_LCP_AUTO, CRN_LCP_PLAIN, 0.0, true},
    {"murty", CRN_LCP_MURTY, CRN_LCP_PLAIN, 0.0, false},
    {"murty block", CRN_LCP_MURTY, CRN_LCP_BLOCK, 0.0, false},
    {"pgs", CRN_LCP_PGS, CRN_LCP_PLAIN, 0.0, false},
};

static bench_entrant ours(const setting *s)
{
    bench_entrant entrant = {.name = s->name, .version = crn_version(), .tol = tol_ours, .is_timed = s->is_timed};
    entrant.options = crn_lcp_options_default(s->method);
    entrant.options.variant = s->variant;
    if (s->method == CRN_LCP_LEMKE_LEX) {
        entrant.options.tie_width = s->tie_width;
    }
    return entrant;
}

int bench_entrants(bool with_peers, bool timed_only, bench_entrant *list)
{
    int count = 0;
    for (size_t k = 0; k < sizeof settings / sizeof settings[0]; ++k) {
        if (settings[k].is_timed || !timed_only) {
            list[count++] = ours(&settings[k]);
        }
    }
    for (int k = 0; with_peers && k < bench_peer_count() && count < BENCH_MAX_ENTRANTS; ++k) {
        const bench_peer *peer = bench_peer_at(k);
        list[count++] = (bench_entrant){
            .name = peer->name, .version = peer->version, .peer = peer, .tol = tol_peers, .is_timed = true};
    }
    return count;
}
