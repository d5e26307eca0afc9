/* Times of repeated solves, and their median. */
#ifndef CAIRN_CLI_TIMES_H
#define CAIRN_CLI_TIMES_H

#include <stdbool.h>

typedef struct cli_times {
    double *seconds; /* of each repetition */
    int count;
} cli_times;

/* Room for count times, all 0; false if there is no memory. Release with cli_times_free(). */
bool cli_times_take(cli_times *times, int count);
void cli_times_free(cli_times *times);

/* Median in seconds; sorts the times. */
double cli_times_median(cli_times *times);

/* The line "time" of a report for people. */
void cli_times_print(cli_times *times);

#endif
