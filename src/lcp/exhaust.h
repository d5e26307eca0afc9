/* The last resort for small problems: look at all choices of complementary sides, and prove that none works. */
#ifndef CRN_LCP_EXHAUST_H
#define CRN_LCP_EXHAUST_H

#include "lcp/search.h"

enum { CRN_EXHAUST_NODES = 3000 }; /* of a tree at most */

/* Told of each node, depth first: the index whose sides are tried next, or -1 and the y that refutes the sides chosen; or
 * CRN_EXHAUST_AFRESH: the tree begins once more. */
enum { CRN_EXHAUST_AFRESH = -2 };
typedef void crn_exhaust_tell(void *user, int index, const double *y);

typedef struct crn_exhaust {
    /* Feasibility of the sides chosen so far, as a problem of its own (exhaust.c). */
    crn_lcp_problem relaxed;
    double *M, *q, *upper; /* its data, order up to 4 n */
    int *index;            /* its variables: which z_i or y_i, */
    double *sign;          /* and with which sign; first the z, then the y */
    int z_count;           /* how many of them are z */
    double margin;  /* (scaled) by which the inequalities are made easier, so that a proof holds strictly; 0: not */
    double *offset; /* n: z_i = offset_i + sum of its variables */
    crn_job job;    /* the solver's frame for it, laid out anew for each order */
    crn_basis basis;
    crn_search search;
    crn_lcp_result result;
    unsigned char *memory; /* all of the above live here, laid out when the search begins */
    size_t memory_size;
    crn_arena rest;         /* what is left for the solver's frame */
    int *branch;            /* n: index decided at each depth */
    unsigned char *tried;   /* n: sides tried there */
    unsigned char *chosen;  /* n: side of each index, or FREE_CHOICE */
    int *settled;           /* n: at how many points it was complementary while undecided */
    crn_exhaust_tell *tell; /* NULL: nobody */
    void *tell_user;
} crn_exhaust;

/* Is the problem small enough? Nothing is laid out otherwise. */
bool crn_exhaust_is_possible(const crn_job *job);

/* Bytes that a problem of order n needs, in closed form; and counted, for the test that the form is an upper bound. */
size_t crn_exhaust_bytes(int n);
size_t crn_exhaust_bytes_counted(int n);

void crn_exhaust_layout(crn_exhaust *exhaust, const crn_job *job, crn_arena *arena);

/* Look at up to nodes_most nodes (0: the usual number). CRN_LCP_SOLVED, CRN_LCP_INFEASIBLE with its proof, or CRN_LCP_UNSOLVED if neither could be shown. */
crn_lcp_outcome crn_exhaust_run(crn_exhaust *exhaust, crn_job *job, int nodes_most);

#endif
