/* cairn/lcp.h -- door 1: linear complementarity problems, solved and certified.
 *
 * One form covers three problems. Given M, q and bounds l <= u (infinite ones allowed), find z with
 *
 *     l <= z <= u,   w = M z + q,   and for each i:   z_i = l_i and w_i >= 0,
 *                                                or   z_i = u_i and w_i <= 0,
 *                                                or   l_i <= z_i <= u_i and w_i = 0.
 *
 *     LCP         l = 0, u = +inf (lower and upper NULL): z >= 0, w >= 0, z'w = 0      [CPS92 s1.1]
 *     mixed LCP   l_i = -inf, u_i = +inf for the free variables: their rows are equations w_i = 0
 *     box LCP     anything else
 *
 * Matrices are column-major. Every answer carries a certificate that is computed from the data given here, never from a
 * solver's working copy; "solved" is only said when the certificate is within the tolerance. */
#ifndef CAIRN_LCP_H
#define CAIRN_LCP_H

#include <cairn/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A problem, borrowed: read during the call, never kept, never changed. */
typedef struct crn_lcp_problem {
    int n;               /* order of M; 0 is a valid problem */
    const double *M;     /* dense: M(i,j) is M[i + j*ld]; NULL if the matrix is sparse */
    int ld;              /* leading dimension of dense M, ld >= n */
    const int *start;    /* sparse (compressed columns): column j is entries start[j] .. start[j+1]-1 */
    const int *row;      /* sparse: row of each entry, 0-based, increasing within a column */
    const double *value; /* sparse: value of each entry */
    const double *q;     /* length n */
    const double *lower; /* length n; NULL: all 0 */
    const double *upper; /* length n; NULL: all +inf */
} crn_lcp_problem;

/** How to solve. */
typedef enum crn_lcp_method {
    CRN_LCP_AUTO = 0,    /* by structure and size; falls through to search */
    CRN_LCP_SEARCH,      /* Lemke on a factorised basis, with backtracking: the robust one */
    CRN_LCP_LEMKE,       /* Lemke's method on a tableau, lowest index on ties */
    CRN_LCP_LEMKE_LEX,   /* the same with lexicographic ties of width tie_width */
    CRN_LCP_YAMANE,      /* Yamane and Nakamura's pivot search as printed */
    CRN_LCP_MURTY,       /* principal pivoting, least index or blocks */
    CRN_LCP_PGS,         /* projected Gauss-Seidel / SOR */
    CRN_LCP_TRIDIAGONAL, /* one elimination; sparse tridiagonal M whose bounds hold at one end of the line */
    CRN_LCP_MULTIGRID,   /* truncated Newton multigrid; sparse symmetric positive definite M */
    CRN_LCP_ACTIVE_SET,  /* primal-dual active sets on sparse factors; sparse M */
    CRN_LCP_INTERIOR,    /* interior points on sparse factors, then a crossover; sparse monotone M */
    CRN_LCP_GAME,        /* Lemke and Howson's path; M = [0 C; D 0], q < 0: bimatrix games */
    CRN_LCP_REFUTE /* looks for a proof that no z within the bounds gives every w its sign, and for nothing else */
} crn_lcp_method;
#define CRN_LCP_METHOD_COUNT 13 /* how many there are */

/** Name as the command line knows it ("auto", "search", "lemke", "lemke-lex", ...); static. NULL if out of range. */
CRN_API const char *crn_lcp_method_name(crn_lcp_method method);

/** A line on what the method does; static. NULL if out of range. */
CRN_API const char *crn_lcp_method_about(crn_lcp_method method);

/** Method of that name; false if there is none. */
CRN_API bool crn_lcp_method_find(const char *name, crn_lcp_method *method);

/** What did the mathematics say? */
typedef enum crn_lcp_outcome {
    CRN_LCP_UNSOLVED = 0, /* no method has run: bad input, see the status */
    CRN_LCP_SOLVED,       /* z is a solution; its certificate is within the tolerance */
    CRN_LCP_INFEASIBLE,   /* proved: result.proof says how, solution.ray holds the proof where it is a vector */
    CRN_LCP_RAY,          /* ended on a secondary ray (in solution.ray) that proves nothing for this M */
    CRN_LCP_SINGULAR,     /* a pivot block is singular: the method cannot go on */
    CRN_LCP_LIMIT,        /* the budget ran out: pivots, sweeps, nodes or seconds */
    CRN_LCP_STALLED,      /* no progress in doubles: the method ended or cycled, and its answer fails the certificate */
    CRN_LCP_CONVEX        /* contact only: Coulomb's law was asked for, and the answer is one of the convex law */
} crn_lcp_outcome;

/** "solved", "infeasible", "ray", "singular", "limit", "stalled", "convex" or "unsolved"; static. */
CRN_API const char *crn_lcp_outcome_name(crn_lcp_outcome outcome);

/** Why CRN_LCP_INFEASIBLE is certain. */
typedef enum crn_lcp_proof {
    CRN_LCP_NO_PROOF = 0,
    CRN_LCP_FARKAS,   /* ray y: no z within the bounds has all w of the needed signs; checked on the original data */
    CRN_LCP_EXHAUSTED /* every choice of complementary sides was refuted by a Farkas vector of its own */
} crn_lcp_proof;

/** Where a variable stands: the entries of a basis. */
enum { CRN_LCP_AT_LOWER = 0, CRN_LCP_BASIC = 1, CRN_LCP_AT_UPPER = 2 };

/** Ways in which a method can go about it. */
typedef enum crn_lcp_variant {
    CRN_LCP_PLAIN = 0,     /* yamane: cost as printed; murty: least index */
    CRN_LCP_AUTHORS_ORDER, /* yamane: cost less step count, and only the child in which z0 leaves if there is one */
    CRN_LCP_BLOCK          /* murty: whole infeasible blocks, least index as the safeguard */
} crn_lcp_variant;

/** What a pivoting method does, step by step. */
typedef enum crn_lcp_event_kind {
    CRN_LCP_ENTER = 0, /* the covering variable comes in: a path begins */
    CRN_LCP_EXCHANGE,  /* one variable enters the basis, another leaves it */
    CRN_LCP_BACKTRACK, /* the pivots of this depth and deeper are taken back */
    CRN_LCP_RESTART    /* all pivots are: another path from the beginning */
} crn_lcp_event_kind;

/** One event of a method's trace. Variables are those of the problem given: z_i is i, w_i is n + i, the covering variable
 *  2 n, none -1. Before the first event and after a RESTART every w is basic and every z stands at the bound nearest to 0 (a
 *  free one at 0); then exchanges of depth -1 make the basis that the path begins from: free variables come in, and what a
 *  warm or a random start has.
 *
 *      search      all kinds; candidates beyond the sixth are not counted as ties
 *      lemke       ENTER, EXCHANGE; ties are exact here, within tie_width with lemke-lex
 *      yamane      ENTER, EXCHANGE, BACKTRACK; going to another branch of the tree is a BACKTRACK to where it leaves this
 *                  one, and the exchanges that lead to it. ties: children that the node's parent has
 *      murty       EXCHANGE of z_i and w_i, no cover. ties: indices that are infeasible; a block has one depth
 *      pgs         none: it does not pivot. Nor has the look everywhere of search, where result.nodes > 0 */
typedef struct crn_lcp_event {
    crn_lcp_event_kind kind;
    int entering;
    int leaving;  /* the entering one itself: it went across its box to its other bound */
    int bound;    /* where a leaving z comes to stand: CRN_LCP_AT_LOWER or CRN_LCP_AT_UPPER */
    double cover; /* value of the covering variable afterwards, in units of q; 0: it is gone */
    int ties;     /* candidates that the ratio test could not tell apart: 1 is no tie; 0: there was no ratio test */
    int depth;    /* pivots before this one on the path; -1: of the beginning */
} crn_lcp_event;

/** Called for each event, during the solve: must not call back with the same workspace. */
typedef void (*crn_lcp_trace)(void *user, const crn_lcp_event *event);

/** Called now and then during a long solve: the method at work, its iterations so far (pivots, sweeps, factorisations) and the
 *  seconds since the solve began. Returns false to end it as a time limit would. */
typedef bool (*crn_lcp_progress)(void *user, crn_lcp_method method, int iterations, double seconds);

/** Fill with crn_lcp_options_default(), then change fields. All tolerances apply to the equilibrated problem, in which
 *  rows and columns of M have largest entries near 1 and q has largest entry 1, unless said otherwise. */
typedef struct crn_lcp_options {
    crn_lcp_method method;
    crn_lcp_variant variant;
    double tol;        /* largest relative certificate that counts as solved */
    int max_pivots;    /* pivots (pgs: sweeps; yamane: nodes); 0: the method's own bound */
    double tie_width;  /* lemke-lex: Delta, ratios this near to the least are ties (unscaled, as in the paper) */
    double epsilon;    /* yamane: how far below zero q' may fall (unscaled, as in the paper) */
    double error_max;  /* yamane: e_max, largest error of a node (unscaled, as in the paper) */
    double relaxation; /* pgs: omega in (0, 2) */
    uint64_t seed;     /* search: seed of the covering vectors */
    const unsigned char *start; /* warm start: n entries CRN_LCP_AT_LOWER, _BASIC or _AT_UPPER; NULL: cold */
    crn_lcp_trace trace;        /* told every pivot; NULL: none. The answer is the same to the last bit */
    void *trace_user;
    double time_limit;         /* seconds, after which the best point so far is returned with CRN_LCP_LIMIT; 0: none */
    crn_lcp_progress progress; /* told now and then; NULL: none */
    void *progress_user;
    uint32_t cookie; /* set by crn_lcp_options_default(): one that was not made there is refused */
} crn_lcp_options;

CRN_API crn_lcp_options crn_lcp_options_default(crn_lcp_method method); /* the same method with its usual settings */

/** How well z solves the problem, from the original data, with compensated sums. "Equilibrated" means measured after
 *  the row and column scaling of crn_lcp_certify(), so that the relative figure does not depend on units. */
typedef struct crn_lcp_certificate {
    double relative;      /* largest |natural map|, equilibrated, over scale; natural map: median of z - l, w, z - u */
    double absolute;      /* largest |natural map| in the caller's units; for an LCP max |min(z_i, w_i)| */
    double bound_error;   /* worst violation of l <= z <= u, caller's units */
    double sign_error;    /* worst violation of the sign of w, caller's units */
    double product_error; /* largest |w_i| * distance of z_i to the bound that w_i's sign asks for */
    double scale;         /* largest equilibrated |M z_bound + q| or 1 if that is 0; z_bound is z = 0 clamped to l, u */
    int worst;            /* index of the largest relative violation; -1 if n = 0 */
} crn_lcp_certificate;

/** Where results go: the caller's arrays of length n. z must be given (unless n = 0), the others may be NULL. */
typedef struct crn_lcp_solution {
    double *z;            /* best point found, also when not solved */
    double *w;            /* M z + q at that z */
    unsigned char *basis; /* where each variable stands; good as a warm start */
    double *ray;          /* secondary ray or proof; all 0 if there is none */
    double *history;      /* pgs: relative residual after each sweep, the first history_size of them; may be NULL */
    int history_size;     /* entries at history */
} crn_lcp_solution;

/** Written on every return. */
typedef struct crn_lcp_result {
    crn_lcp_outcome outcome;
    crn_lcp_outcome
        ending; /* how the method itself ended: not solved, while outcome is, if the point that it left passes */
    crn_lcp_method method; /* the one that gave the answer (auto says which it chose) */
    crn_lcp_proof proof;
    crn_lcp_certificate certificate;
    int pivots;           /* pivots, or sweeps of pgs */
    int refactorizations; /* fresh factorisations of a basis */
    int ties;             /* ratio tests with more than one candidate */
    int backtracks;       /* returns to an earlier choice */
    int restarts;         /* covering vectors tried after the first */
    int nodes;            /* nodes of a search tree */
    bool cycled;          /* a basis came back */
    double seconds;       /* of the solve alone */
} crn_lcp_result;

/** Bytes of workspace that crn_lcp_solve() needs for this problem and these options; 0 if it does not fit size_t. */
CRN_API size_t crn_lcp_workspace_size(const crn_lcp_problem *problem, const crn_lcp_options *options);

/** Solve. Takes no memory but through workspace, and none if that is large enough already.
 *  @param options   NULL: the defaults of CRN_LCP_AUTO
 *  @param workspace scratch memory, see base.h
 *  @param solution  where z and the rest go
 *  @param result    may be NULL
 *  @param error     may be NULL
 *  @return CRN_OK if a method ran: result->outcome tells what it found. Otherwise nothing was written to solution. */
CRN_API crn_status crn_lcp_solve(const crn_lcp_problem *problem, const crn_lcp_options *options,
                                 crn_workspace *workspace, const crn_lcp_solution *solution, crn_lcp_result *result,
                                 crn_error *error);

/** Judge any z, whoever computed it. Needs workspace for the scaling (crn_lcp_workspace_size() is enough). */
CRN_API crn_status crn_lcp_certify(const crn_lcp_problem *problem, const double *z, crn_workspace *workspace,
                                   crn_lcp_certificate *certificate, crn_error *error);

/** Check sizes, finiteness and bounds of a problem as crn_lcp_solve() does; the message names the entry. */
CRN_API crn_status crn_lcp_check(const crn_lcp_problem *problem, crn_error *error);

#ifdef __cplusplus
}
#endif
#endif
