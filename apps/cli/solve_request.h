/* What the user of `cairn solve` asked for. */
#ifndef CAIRN_CLI_SOLVE_REQUEST_H
#define CAIRN_CLI_SOLVE_REQUEST_H

#include <cairn/cairn.h>

typedef struct solve_request {
    const char *files[5]; /* M.mtx and q.mtx, or one .dat file; of a game two, of a programme five */
    bool is_game, is_qp;  /* what the files are instead of a complementarity problem */
    int file_count;
    const char *batch;                 /* list of problems, instead of files */
    const char *lower, *upper;         /* bounds of a pair, or NULL */
    const char *start;                 /* basis to start from, or NULL */
    const char *output, *basis_output; /* where z and the basis go, or NULL */
    const char *dump;                  /* folder for problems that were not solved, or NULL */
    crn_siconos_kind kind;             /* of .dat files */
    crn_lcp_options options;           /* without start */
    int repeat;                        /* solves per problem; the median of their times is told */
    bool has_trace;                    /* tell every pivot */
    bool is_json;
} solve_request;

/* Read the command line; false after a message. */
bool solve_request_read(solve_request *request, int argc, char **argv);

/* Read the command line and do what it says. */
int solve_run(int argc, char **argv);

/* Name of a variant as --variant takes it. */
const char *solve_variant_name(crn_lcp_variant variant);

#endif
