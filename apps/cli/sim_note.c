/* Solving a step's problem once more to see how it is done. */
#include "sim_note.h"

#include <stdlib.h>
#include <string.h>

/* --- Memory --- */

/* The numbers of a problem: one block that only grows. */
typedef struct note_numbers {
    double *impulse, *even_impulse, *velocity; /* 3 per contact */
    double *row, *even_row;                    /* 1 per row */
    double *M, *q, *z, *lower, *upper;         /* of the LCP */
} note_numbers;

static double *cut(double **from, size_t count)
{
    double *piece = *from;
    *from += count;
    return piece;
}

static bool lay_out(sim_note *note, note_numbers *numbers)
{
    size_t contacts = (size_t)note->problem.contacts, rows = (size_t)note->problem.rows, n = (size_t)note->order;
    size_t wanted = 9 * contacts + 2 * rows + n * n + 4 * n;
    if (wanted > note->number_capacity) {
        double *grown = realloc(note->numbers, (wanted + wanted / 4) * sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        note->numbers = grown;
        note->number_capacity = wanted + wanted / 4;
    }
    double *at = note->numbers;
    numbers->impulse = note->impulse = cut(&at, 3 * contacts);
    numbers->even_impulse = note->even_impulse = cut(&at, 3 * contacts);
    numbers->velocity = cut(&at, 3 * contacts);
    numbers->row = note->row = cut(&at, rows);
    numbers->even_row = note->even_row = cut(&at, rows);
    numbers->q = cut(&at, n);
    numbers->z = cut(&at, n);
    numbers->lower = cut(&at, n);
    numbers->upper = cut(&at, n);
    numbers->M = at;
    return true;
}

/* --- The problem --- */

static bool is_same_place(const crn_contact_point *point, const crn_contact *contact)
{
    const crn_vec3 p = contact->point, n = contact->normal;
    const double place[6] = {p.x, p.y, p.z, n.x, n.y, n.z};
    for (int k = 0; k < 3; ++k) {
        if (point->position[k] != place[k] || point->normal[k] != place[3 + k]) {
            return false;
        }
    }
    return true;
}

/* Contacts come first and in the world's order, limits of joints behind them. Where they do not meet (a scheme that solved
 * for positions last), there is no index. */
static void find_contacts(sim_note *note, const crn_world *world)
{
    int count;
    const crn_contact *contact = crn_world_contacts(world, &count);
    note->contact = note->contact_index;
    for (int i = 0; i < note->problem.contacts; ++i) {
        note->contact_index[i] = i < count && is_same_place(&note->problem.contact[i], &contact[i]) ? i : -1;
    }
}

/* Round cones become polygons, except along one direction, where they are the same; without friction there are no corners. */
static void take_problem(sim_note *note, const crn_contact_problem *problem, bool is_round)
{
    note->problem = *problem;
    note->problem.contact = note->point;
    for (int i = 0; i < problem->contacts; ++i) {
        crn_contact_point *point = &note->point[i];
        *point = problem->contact[i];
        point->directions = !(point->mu > 0.0)                  ? 0
                            : is_round && point->directions > 2 ? NOTE_ROUND_DIRECTIONS
                                                                : point->directions;
    }
}

/* --- Contact states --- */

static void keep_change(void *user, const crn_contact_change *change)
{
    sim_note *note = user;
    if (note->changes < NOTE_EVENTS_MAX) {
        note->change[note->changes] = *change;
    }
    ++note->changes;
}

static crn_status solve_states(sim_note *note, const note_numbers *numbers, crn_error *error)
{
    crn_contact_options options = crn_contact_options_default();
    options.method = CRN_CONTACT_STATES;
    options.trace = keep_change;
    options.trace_user = note;
    crn_contact_solution solution = {.impulse = numbers->impulse,
                                     .contact_velocity = numbers->velocity,
                                     .row_impulse = numbers->row,
                                     .state = note->state};
    return crn_contact_solve(&note->problem, &options, &note->workspace, &solution, &note->states, error);
}

/* The even impulses, from the answer at hand, and how many constraints are redundant. */
static crn_status look_around(sim_note *note, const note_numbers *numbers, crn_error *error)
{
    crn_contact_options options = crn_contact_options_default();
    options.method = CRN_CONTACT_STATES;
    options.even = true;
    options.start = note->state;
    options.start_impulse = numbers->impulse;
    options.start_velocity = numbers->velocity;
    options.start_row_impulse = note->problem.rows > 0 ? numbers->row : NULL;
    crn_contact_solution solution = {.impulse = numbers->even_impulse, .row_impulse = numbers->even_row};
    crn_status status = crn_contact_solve(&note->problem, &options, &note->workspace, &solution, &note->even, error);
    if (status == CRN_OK) {
        status = crn_contact_redundancy_of(&note->problem, numbers->impulse, numbers->row, &note->workspace,
                                           &note->uniqueness, error);
    }
    return status;
}

/* --- The assembled LCP --- */

/* Rows without bounds always come in before the path begins: that is not worth telling. */
static void keep_pivot(void *user, const crn_lcp_event *event)
{
    sim_note *note = user;
    if (event->kind == CRN_LCP_EXCHANGE && event->depth < 0 && event->entering >= note->order - note->problem.rows) {
        return;
    }
    if (note->pivots < NOTE_EVENTS_MAX) {
        note->pivot[note->pivots] = *event;
    }
    ++note->pivots;
}

static crn_status solve_lcp(sim_note *note, const note_numbers *numbers, crn_error *error)
{
    crn_status status =
        crn_contact_assemble(&note->problem, &note->workspace, numbers->M, numbers->q, numbers->lower, error);
    if (status == CRN_OK) {
        status = crn_contact_lcp_bounds(&note->problem, numbers->lower, numbers->upper, error);
    }
    if (status != CRN_OK) {
        return status;
    }
    crn_lcp_options options = crn_lcp_options_default(CRN_LCP_SEARCH);
    options.trace = keep_pivot;
    options.trace_user = note;
    crn_lcp_problem problem = {.n = note->order,
                               .M = numbers->M,
                               .ld = note->order,
                               .q = numbers->q,
                               .lower = numbers->lower,
                               .upper = numbers->upper};
    crn_lcp_solution solution = {.z = numbers->z};
    return crn_lcp_solve(&problem, &options, &note->workspace, &solution, &note->lcp, error);
}

/* --- The note --- */

crn_status sim_note_write(sim_note *note, const crn_world *world, crn_error *error)
{
    const crn_contact_problem *problem = crn_world_problem(world);
    note_numbers numbers;
    note->text = NULL;
    note->changes = note->pivots = 0;
    note->even = (crn_contact_result){.outcome = CRN_LCP_UNSOLVED};
    if (problem == NULL || problem->contacts == 0 || problem->contacts > NOTE_CONTACTS_MAX) {
        return CRN_OK;
    }
    take_problem(note, problem, crn_world_definition(world)->cone == CRN_CONE_ROUND);
    find_contacts(note, world);
    int order = crn_contact_lcp_size(&note->problem);
    note->order = order > 0 && order <= NOTE_ORDER_MAX ? order : 0;
    if (!lay_out(note, &numbers)) {
        return crn_fail(error, CRN_ERR_MEMORY, "sim: out of memory for a solver note");
    }
    crn_status status = solve_states(note, &numbers, error);
    if (status == CRN_OK && note->states.outcome == CRN_LCP_SOLVED) {
        status = look_around(note, &numbers, error);
    }
    if (status == CRN_OK && note->order > 0) {
        status = solve_lcp(note, &numbers, error);
    }
    if (status != CRN_OK) {
        return status;
    }
    sim_note_put(note);
    if (note->buffer.is_full) {
        return crn_fail(error, CRN_ERR_MEMORY, "sim: out of memory for a solver note");
    }
    note->text = note->buffer.data;
    return CRN_OK;
}

void sim_note_free(sim_note *note)
{
    text_free(&note->buffer);
    crn_workspace_free(&note->workspace);
    free(note->numbers);
    memset(note, 0, sizeof *note);
}
