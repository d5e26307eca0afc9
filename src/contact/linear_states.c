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

static bool is_same_list(const int *a, int count, const int *b, int other)
{
    return count == other && memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

/* The same bodies, contacts and rows, in the same order? */
static bool is_alike(const crn_island *a, const crn_island *b)
{
    return is_same_list(a->body_of, a->system.bodies, b->body_of, b->system.bodies) &&
           is_same_list(a->contact_of, a->system.contacts, b->contact_of, b->system.contacts) &&
           is_same_list(a->row_of, a->system.rows, b->row_of, b->system.rows);
}

/* By the neighbour's factor if it has the same island, else by Newton's method. */
static void solve_island(crn_contact_linear *k, int i, const crn_contact_linear *neighbour)
{
    bool is_known = neighbour && i < neighbour->compiled.islands &&
                    is_alike(&k->compiled.island[i], &neighbour->compiled.island[i]);
    if (!is_known || !crn_linear_step_by(&k->island[i], &neighbour->island[i])) {
        crn_linear_set_bounds(&k->island[i]);
        crn_linear_move(&k->island[i]);
        (void)crn_linear_polish(&k->island[i], crn_linear_violation(&k->island[i]), NEWTON_STEPS, false);
    }
}

crn_status crn_contact_solve_in_states(const crn_contact_problem *problem, const crn_linearize_options *options,
                                       bool is_even, const crn_contact_hint *contact, const crn_row_hint *row,
                                       const crn_contact_linear *neighbour, crn_workspace *workspace,
                                       const crn_contact_solution *solution, crn_error *error)
{
    crn_contact_linear *k = NULL;
    crn_status status = crn_linearize_open(problem, workspace, &k, error);
    if (status != CRN_OK) {
        return status;
    }
    for (int i = 0; i < k->compiled.islands; ++i) {
        take_hints(&k->compiled.island[i], contact, row, &k->island[i]);
        crn_linearize_scales(options, &k->island[i]);
        solve_island(k, i, neighbour);
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
