/* A large block factorisation on several threads, with the same bits on any number of them.
 *
 * Only targets are divided among the threads, never a sum: every entry is computed by one of them, from finished entries,
 * in the order that the pattern fixes. First come whole subtrees of the elimination tree, the tasks of the pattern; they
 * need nothing from each other. Then the supernodes above, one after the other, all threads on each:
 *
 *     collect    what supernodes before it owe it          columns divided
 *     then, CRN_BLOCK_CHUNK columns at a time,
 *     update     what its finished columns owe these       rows divided, in whole tiles
 *     top        the rows of these columns                 one thread
 *     below      all rows further down                     rows divided
 *
 * block_team.c does this with OpenMP; in builds without it block_team_none.c does everything alone. */
#ifndef CRN_MATH_BLOCK_TEAM_H
#define CRN_MATH_BLOCK_TEAM_H

#include "math/block_cholesky.h"

/* Columns of a supernode are finished in chunks of so many. */
enum { CRN_BLOCK_CHUNK = 8 };

/* Who works: thread `rank` of `team`, with scratch of its own. */
typedef struct crn_block_hand {
    int rank, team;
    double *buffer; /* height_most x size_most */
    int *position;  /* n */
} crn_block_hand;

/* The steps of a factorisation. False: a pivot was refused. */
typedef struct crn_block_method {
    /* All of the supernodes in columns first .. end-1, alone. */
    bool (*columns)(crn_block_matrix *matrix, const crn_block_hand *hand, int first, int end);
    /* A hand's part of supernode head .. end-1, */
    void (*collect)(crn_block_matrix *matrix, const crn_block_hand *hand, int head, int end);
    /* of columns chunk .. end-1 of the supernode that begins with head, */
    void (*update)(crn_block_matrix *matrix, const crn_block_hand *hand, int head, int chunk, int end);
    bool (*top)(crn_block_matrix *matrix, int chunk, int end);
    void (*below)(crn_block_matrix *matrix, const crn_block_hand *hand, int chunk, int end);
} crn_block_method;

/* How many hands a large factorisation needs scratch for. */
int crn_block_team_most(void);

/* Factorise with as many hands as the matrix has scratch for and OpenMP offers. */
bool crn_block_factorise(crn_block_matrix *matrix, const crn_block_method *method);

#endif
