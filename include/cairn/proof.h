/* cairn/proof.h -- proofs about complementarity problems (lcp.h) that can be kept and checked by somebody else.
 *
 * A proof is about the doubles given, taken as exact numbers. What each kind says, and how it is checked, is written in
 * docs/theory/proofs.md; tools/check_proof.py checks proof files with nothing but Python's own rational numbers. */
#ifndef CAIRN_PROOF_H
#define CAIRN_PROOF_H

#include <cairn/lcp.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a proof says; one thing each. */
typedef enum crn_proof_kind {
    CRN_PROOF_NONE = 0,          /* nothing could be shown */
    CRN_PROOF_ENCLOSURE,         /* a solution exists, within radius of z */
    CRN_PROOF_EXACT,             /* these rational numbers are a solution, also where it is degenerate */
    CRN_PROOF_BACKWARD,          /* z solves exactly the problem (M, q') with |q'_i - q_i| <= eps size_i */
    CRN_PROOF_INFEASIBLE,        /* y shows that no z within the bounds gives every w the sign that it needs */
    CRN_PROOF_INFEASIBLE_WITHIN, /* y shows it for a problem whose data differ by at most eps, relative */
    CRN_PROOF_EXHAUSTED,         /* no solution: every choice of complementary sides is refuted by a y of its own */
    CRN_PROOF_MOTION /* if M is monotone, (z - z*)'M(z - z*) <= gap for every solution z*: of a convex contact problem that is
                        |v - v*|^2 in the norm of the masses */
} crn_proof_kind;
#define CRN_PROOF_KIND_COUNT 8 /* how many there are */

/** Name as proof files have it: "none", "enclosure", "exact", "backward", "infeasible", "infeasible-within", "exhausted",
 *  "motion"; static. NULL if out of range. */
CRN_API const char *crn_proof_kind_name(crn_proof_kind kind);

/** A proof that owns its arrays. Zero-initialise (but for the allocator, if it is not to be the default one), free with
 *  crn_proof_free(). Arrays that a kind does not need are NULL. */
typedef struct crn_proof {
    crn_proof_kind kind;
    int n;                /* order of the problem */
    double eps;           /* backward, infeasible-within */
    double gap;           /* motion */
    unsigned char *basis; /* n: where variables stand; enclosure, exact, backward */
    double *z;            /* n: enclosure (its centre), backward, exact (rounded), motion */
    double *radius;       /* n: enclosure: the solution is within z_i - radius_i and z_i + radius_i; 0 if not basic */
    int k;                /* number of basic variables; enclosure, exact */
    double *weight;       /* k: powers of two, units of the basic variables; enclosure */
    double *inverse; /* k x k, column-major: approximate inverse of the basic block, in order of index; enclosure */
    char **number;   /* k + 1 hexadecimal integers: numerators of the basic variables, then the denominator; exact */
    double *size;    /* n: what changes of q are relative to; backward */
    double *y;       /* n: infeasible, infeasible-within; n for each leaf: exhausted */
    int nodes, leaves,
        *tree; /* exhausted: depth first, 1 + the index whose sides (lower, between, upper; those that it has)
                                 come next, or 0: a leaf */
    crn_allocator allocator;
} crn_proof;

/** Release the arrays; empty afterwards. NULL is fine. */
CRN_API void crn_proof_free(crn_proof *proof);

/** What crn_lcp_prove() shall try. */
typedef struct crn_proof_options {
    bool is_motion;      /* of a solution, bound the motion and nothing else */
    bool is_exact_first; /* rational numbers before an enclosure: dearer, and it proves all that an enclosure does */
    int exact_most; /* largest number of basic variables for rational numbers; their cost grows as its fourth power */
    int enclosure_most; /* the same for enclosures, whose cost and size grow as its third power and its square */
} crn_proof_options;

CRN_API crn_proof_options crn_proof_options_default(void); /* false, false, 100 and 1500 */

/** Is the part that computes with rational numbers in this build? Since 0.2 always: it needs no other library. */
CRN_API bool crn_proof_has_exact(void);

/** Make the best proof there is for an answer: enclosure, exact, backward; infeasible, infeasible-within; exhausted; none; or
 *  motion, if that is asked for.
 *  @param outcome of the solve: CRN_LCP_SOLVED looks at z and basis, CRN_LCP_INFEASIBLE at ray, or if that is 0 at
 *                 every choice of sides; for all others nothing is proved
 *  @param answer  z and basis, or ray, as crn_lcp_solve() gave them
 *  @param proof   zero-initialised */
CRN_API crn_status crn_lcp_prove(const crn_lcp_problem *problem, crn_lcp_outcome outcome,
                                 const crn_lcp_solution *answer, const crn_proof_options *options, crn_proof *proof,
                                 crn_error *error);

/** Check a proof against a problem, with nothing taken on trust.
 *  @param holds  whether the proof shows what it says; if not, error has the reason although the status is CRN_OK */
CRN_API crn_status crn_proof_check(const crn_lcp_problem *problem, const crn_proof *proof, bool *holds,
                                   crn_error *error);

#ifdef __cplusplus
}
#endif
#endif
