/* The solver note of a frame: how the contact problem of a step is solved by pivoting, and which impulses there are.
 *
 * The problem is the last one that the step solved (after a collision, that of the velocities that follow it). It is solved
 * again from nothing, by contact states and, assembled, by pivot search; the simulation does not know. In worlds with round
 * cones, which have no corners, the note is about the polygon problem with NOTE_ROUND_DIRECTIONS corners. */
#ifndef CAIRN_CLI_SIM_NOTE_H
#define CAIRN_CLI_SIM_NOTE_H

#include "text_buffer.h"

#include <cairn/cairn.h>

enum {
    NOTE_CONTACTS_MAX = 64,   /* a problem with more contacts has no note, */
    NOTE_ORDER_MAX = 200,     /* one whose LCP is larger only the contact states, */
    NOTE_EVENTS_MAX = 200,    /* and of each trace so many events are kept */
    NOTE_ROUND_DIRECTIONS = 8 /* corners that stand for a round cone */
};

/* Zero-initialise it, write a note as often as wanted, free it. */
typedef struct sim_note {
    const char *text; /* one JSON object; NULL: there is nothing to note. Valid until the next call */

    /* The problem and its answers, for whoever looks closer; valid as text is. */
    crn_contact_problem problem;
    crn_contact_result states, even; /* even.outcome is CRN_LCP_UNSOLVED if it was not tried */
    crn_contact_uniqueness uniqueness;
    crn_lcp_result lcp;
    int order;                                       /* of the LCP; 0: it was not solved */
    double *impulse, *even_impulse, *row, *even_row; /* 3 per contact; 1 per row */
    int *contact;                                    /* index among the world's contacts, -1: none (a joint's limit) */

    crn_contact_change change[NOTE_EVENTS_MAX];
    crn_lcp_event pivot[NOTE_EVENTS_MAX];
    int changes, pivots; /* all that there were */

    text_buffer buffer;
    crn_workspace workspace;
    double *numbers;
    size_t number_capacity;
    crn_contact_point point[NOTE_CONTACTS_MAX];
    crn_contact_state state[NOTE_CONTACTS_MAX];
    int contact_index[NOTE_CONTACTS_MAX];
} sim_note;

/* The note of the step that the world made last. An answer that is not found is noted as such; fails without memory. */
crn_status sim_note_write(sim_note *note, const crn_world *world, crn_error *error);

void sim_note_free(sim_note *note);

/* sim_note_json.c: what was found, as text, into the buffer. */
void sim_note_put(sim_note *note);

#endif
