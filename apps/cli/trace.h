/* What pivoting did, kept event by event and printed as a table or as JSON. */
#ifndef CAIRN_CLI_TRACE_H
#define CAIRN_CLI_TRACE_H

#include "json.h"

#include <cairn/cairn.h>

/* Of an LCP. */
typedef struct cli_pivots {
    crn_lcp_event *event;
    size_t count, capacity;
    bool is_cut; /* there was no memory for more */
} cli_pivots;

/* Of a contact problem. */
typedef struct cli_changes {
    crn_contact_change *change;
    size_t count, capacity;
    bool is_cut;
} cli_changes;

/* To be given to the solver, the list being user. */
void cli_pivots_keep(void *user, const crn_lcp_event *event);
void cli_changes_keep(void *user, const crn_contact_change *change);

void cli_pivots_free(cli_pivots *pivots);
void cli_changes_free(cli_changes *changes);

/* A table on standard output. n: order of the LCP; contacts: those before the rows. */
void cli_pivots_print(const cli_pivots *pivots, int n);
void cli_changes_print(const cli_changes *changes, int contacts);

/* The member "trace": an object per event. */
void cli_pivots_json(const cli_pivots *pivots, cli_json *json);
void cli_changes_json(const cli_changes *changes, cli_json *json);

#endif
