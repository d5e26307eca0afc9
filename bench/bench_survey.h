/* bench_survey.h -- random worlds, stepped in child processes, and what became of them. */
#ifndef BENCH_SURVEY_H
#define BENCH_SURVEY_H

#include "survey.h"

typedef struct survey_options {
    int worlds, steps, jobs;
    uint64_t seed; /* of the first world; the others follow */
    bool is_verbose;
    FILE *csv; /* NULL: none */
} survey_options;

/** What became of one world. */
typedef struct survey_result {
    uint64_t seed;
    bool is_crashed; /* its process ended */
    bool is_refused; /* the model or the world could not be made: survey.text tells why */
    crn_survey survey;
} survey_result;

/* --- bench_survey_run.c --- */

/** Make the world of a seed and step it. log: a line per step; NULL: none. */
void survey_world(uint64_t seed, int steps, FILE *log, survey_result *result);

/** All worlds of the options, in the order of their seeds, in as many processes as there are jobs. false: no process. */
bool survey_all(const survey_options *options, void (*tell)(void *user, const survey_result *result), void *user);

/* --- bench_survey_report.c --- */

enum { SURVEY_GROUPS = 8, SURVEY_LISTED = 12 };

/** Worlds of a kind, summed up. */
typedef struct survey_group {
    const char *name;
    int worlds, judged, exceeding, overlapping, open, unsolved, not_finite, diverged;
    double excess; /* the worst */
} survey_group;

/** Worst worlds by some figure, worst first. */
typedef struct survey_worst {
    const char *title;
    int count;
    double value[SURVEY_LISTED];
    uint64_t seed[SURVEY_LISTED];
} survey_worst;

typedef struct survey_sums {
    int worlds, crashed, refused, diverged, not_finite, judged, closed, exceeding, exceeding_certified;
    double steps, exceeded, raised, exceeded_certified, unsolved, other_law, relaxed, bounced, touching, overlapping,
        open;
    double verdict[CRN_VERDICT_COUNT];
    double excess, overlap, opening, aslant, unexplained, momentum, angular, repaired, seconds, slowest;
    int with_ledger, overlapping_worlds, open_worlds;
    survey_group group[SURVEY_GROUPS];
    survey_worst gain, mended, deep, loose, slow, broken;
} survey_sums;

void survey_sums_begin(survey_sums *sums);
void survey_sums_add(survey_sums *sums, const survey_result *result);
void survey_sums_print(const survey_sums *sums);
bool survey_sums_are_fine(const survey_sums *sums); /* nothing is not finite, no certified step exceeds */

void survey_csv_heading(FILE *csv);
void survey_csv_line(FILE *csv, const survey_result *result);

#endif
