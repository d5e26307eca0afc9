/* Solving in given states: the problem's neighbours by Newton's method, to rounding and without a choice. */
#include <string.h>

#include "contact/contact_room.h"
#include "contact/linearize.h"
#include "math/vec.h"

enum { NEWTON_STEPS = 12 }; /* from a neighbour's impulses: it doubles digits */

crn_status crn_contact_remember(const crn_contact_linear *linear, crn_contact_hint *contact, crn_row_hint *row)
{
    for (int at = 0; at < linear->compiled.islands; ++at) {
        const crn_island *island = &linear->compiled.island[at];
        const crn_linear_island *k = &linear->island[at];
        for (int i = 0; i < k->system->contacts; ++i) {
            const crn_mode *mode = &k->mode[i];
            crn_contact_hint *to = &contact[island->contact_of[i]];
            *to = (crn_contact_hint){(int)mode->kind, {mode->d[0], mode->d[1]}, mode->share, mode->is_rim, {0, 0, 0}};
            memcpy(to->impulse, k->r + 3 * (size_t)i, sizeof to->impulse);
        }
        for (int i = 0; i < k->system->rows; ++i) {
            row[island->row_of[i]] = (crn_row_hint){(int)k->hold[i], k->l[i]};
        }
    }
    return CRN_OK;
}

static void take_hints(const crn_island *island, const crn_contact_hint *contact, const crn_row_hint *row,
                       crn_linear_island *k)
{
    for (int i = 0; i < k->system->contacts; ++i) {
        const crn_contact_hint *from = &contact[island->contact_of[i]];
        crn_mode *mode = &k->mode[i];
        memset(mode, 0, sizeof *mode);
        bool is_slick =
            k->system->mu[i] == 0.0 || k->system->directions[i] == 0; /* it may have lost its friction since */
        mode->kind = is_slick && from->kind > CRN_MODE_SLICK ? CRN_MODE_SLICK : (crn_mode_kind)from->kind;
        memcpy(mode->d, from->d, sizeof mode->d);
        mode->share = from->share;
        mode->is_rim = from->is_rim;
        memcpy(k->r + 3 * (size_t)i, from->impulse, sizeof from->impulse);
    }
    for (int i = 0; i < k->system->rows; ++i) {
        k->hold[i] = (crn_hold)row[island->row_of[i]].hold;
        k->l[i] = row[island->row_of[i]].impulse;
    }
}

/* For each contact and row of an island its neighbour, in the neighbour's island that they are all in; NULL: they are in none, or in several.
 * of: for each contact of the caller that of the neighbour, -1 for none. Rows are the same. */
static const crn_linear_island *find_neighbours(const crn_contact_linear *k, int i, const crn_contact_linear *neighbour,
                                                const int *of, int *item)
{
    const crn_island *island = &k->compiled.island[i];
    int contacts = island->system.contacts, all = neighbour->contacts, found = -1;
    for (int j = 0; j < contacts + island->system.rows; ++j) {
        int other = j < contacts ? of[island->contact_of[j]] : all + island->row_of[j - contacts];
        const crn_item_place *place = other >= 0 ? &neighbour->place[other] : NULL;
        place = place && place->island >= 0 ? place : NULL; /* there nothing could move it */
        found = place && found < 0 ? place->island : found;
        if (place && place->island != found) {
            return NULL;
        }
        item[j] = place ? place->item : -1;
    }
    return found >= 0 ? &neighbour->island[found] : NULL;
}

/* By the neighbour's factor if it has the same equations, else by Newton's method. */
static void solve_island(crn_contact_linear *k, int i, const crn_contact_linear *neighbour, const int *of)
{
    crn_linear_island *island = &k->island[i];
    const crn_linear_island *other = neighbour ? find_neighbours(k, i, neighbour, of, k->item) : NULL;
    if (!other || !crn_linear_step_by(island, other, k->item)) {
        crn_linear_set_bounds(island);
        crn_linear_move(island);
        (void)crn_linear_polish(island, crn_linear_violation(island), NEWTON_STEPS, false);
    }
}

crn_status crn_contact_solve_in_states(const crn_contact_problem *problem, const crn_linearize_options *options,
                                       bool is_even, const crn_contact_hint *contact, const crn_row_hint *row,
                                       const crn_contact_linear *neighbour, const int *of, crn_workspace *workspace,
                                       const crn_contact_solution *solution, crn_error *error)
{
    crn_contact_linear *k = NULL;
    crn_status status = crn_linearize_open(problem, is_even, workspace, &k, error);
    if (status != CRN_OK) {
        return status;
    }
    for (int i = 0; i < k->compiled.islands; ++i) {
        take_hints(&k->compiled.island[i], contact, row, &k->island[i]);
        crn_linearize_scales(options, &k->island[i]);
        solve_island(k, i, neighbour, of);
        if (is_even) {
            crn_linear_even(&k->island[i]);
        }
        crn_linearize_keep(k, i);
    }
    for (int i = 0; i < problem->contacts; ++i) {
        solution->state[i] = k->branch[i].state;
    }
    return crn_contact_linear_solution(k, solution, error);
}

crn_status crn_contact_linearize_in_states(const crn_contact_problem *problem, const crn_linearize_options *options,
                                           const crn_contact_hint *contact, const crn_row_hint *row,
                                           crn_workspace *workspace, crn_contact_linear **linear,
                                           crn_linearize_report *report, crn_error *error)
{
    crn_contact_linear *k = NULL;
    crn_status status = crn_linearize_open(problem, false, workspace, &k, error);
    if (status != CRN_OK) {
        return status;
    }
    for (int i = 0; i < k->compiled.islands; ++i) {
        crn_linear_island *island = &k->island[i];
        take_hints(&k->compiled.island[i], contact, row, island);
        crn_linearize_scales(options, island);
        crn_linear_set_bounds(island);
        crn_linear_move(island);
        double left = crn_linear_polish(island, crn_linear_violation(island), NEWTON_STEPS, true);
        k->report.residual = crn_max(k->report.residual, left);
        crn_linearize_keep(k, i);
    }
    crn_linearize_sum_up(k);
    *report = k->report;
    *linear = k;
    return CRN_OK;
}
