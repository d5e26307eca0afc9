/* Bimatrix games by Lemke and Howson's path. */
#ifndef CRN_LCP_GAME_H
#define CRN_LCP_GAME_H

#include "lcp/basis.h"

/* One player's polytope {v >= 0, T v <= 1} as a tableau: basic = right - T (non-basic). */
typedef struct crn_game_side {
    int rows, columns;
    double *T;               /* rows x columns, column-major */
    double *right, *tie;     /* rows: values of the basic variables, and of a perturbed right-hand side */
    int *basic, *nonbasic;   /* labels: 0 .. m-1 belong to player one's strategies, the others to player two's */
    double *column, *pivots; /* scratch */
} crn_game_side;

typedef struct crn_game {
    crn_basis *basis; /* solves the equations of the answer once more */
    int m;            /* strategies of player one */
    crn_game_side side[2];
    double *A, *B; /* payoffs of the players, m x (n-m) and (n-m) x m, all positive */
    unsigned char *state;
} crn_game;

/* Is M = [0 C; D 0] with q < 0? Returns the number of strategies of player one, 0 if not. */
int crn_game_order(const crn_lcp_problem *problem);

void crn_game_layout(crn_game *game, const crn_job *job, crn_basis *basis, crn_arena *arena);
crn_lcp_outcome crn_game_run(crn_game *game, crn_job *job);

#endif
