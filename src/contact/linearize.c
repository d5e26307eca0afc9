/* Door 2 differentiated: the linearisation of a problem at a solution. */
#include "contact/linearize.h"

#include <math.h>
#include <string.h>

#include "contact/contact_room.h"
#include "contact/problem.h"
#include "math/vec.h"

/* Impulses with a larger certificate are no solution: their states mean nothing. */
#define TOL_SOLUTION 1e-6
/* Violations and margins over their scales: below, impulses are a solution whatever the certificate would say. */
#define TOL_CLEAR 1e-8
/* Margins below this are kinks, if the caller does not say: certificates are a hundredth of it. */
#define KINK 1e-6

enum { POLISH_STEPS = 6 }; /* of Newton's method, which doubles digits: from 1e-6 three reach rounding */

static const char *const status_names[CRN_GRADIENT_STATUS_COUNT] = {"smooth",       "kink", "inconsistent",
                                                                    "undetermined", "jump", "uncovered"};
static const char *const kink_names[CRN_KINK_COUNT] = {"none", "graze", "rim", "apex", "bound", "touch", "changed"};

const char *crn_gradient_status_name(crn_gradient_status status)
{
    return (unsigned)status < CRN_GRADIENT_STATUS_COUNT ? status_names[status] : NULL;
}

const char *crn_kink_name(crn_kink kink)
{
    return (unsigned)kink < CRN_KINK_COUNT ? kink_names[kink] : NULL;
}

crn_linearize_options crn_linearize_options_default(void)
{
    return (crn_linearize_options){CRN_CONE_POLYGON, CRN_LAW_COULOMB, KINK};
}

/* --- Memory --- */

static void lay_out_first(crn_contact_linear *k, const crn_contact_problem *problem, crn_arena *arena)
{
    size_t contacts = (size_t)problem->contacts, rows = (size_t)problem->rows;
    crn_compiled_layout(&k->compiled, problem, arena);
    crn_measure_layout(&k->measure, problem, arena);
    size_t dof = (size_t)k->compiled.dof;
    k->branch = CRN_TAKE(arena, crn_contact_branch, contacts + rows);
    k->place = CRN_TAKE(arena, crn_item_place, contacts + rows);
    k->item = CRN_TAKE(arena, int, contacts + rows);
    k->impulse = CRN_TAKE(arena, double, 3 * contacts);
    k->row_impulse = CRN_TAKE(arena, double, rows);
    k->u = CRN_TAKE(arena, double, 3 * contacts);
    k->velocity = CRN_TAKE(arena, double, dof);
    k->first = CRN_TAKE(arena, double, dof);
    k->second = CRN_TAKE(arena, double, dof);
}

static void lay_out_islands(crn_contact_linear *k, bool is_dense, crn_arena *arena)
{
    crn_linear_island counting;
    crn_linear_island *island = CRN_TAKE(arena, crn_linear_island, (size_t)k->compiled.islands);
    for (int i = 0; i < k->compiled.islands; ++i) {
        crn_linear_layout(island ? &island[i] : &counting, &k->compiled.island[i].system, is_dense, arena);
    }
    k->island = island;
}

static crn_status fail_too_large(crn_error *error)
{
    return crn_fail(error, CRN_ERR_MEMORY, "the problem does not fit into memory");
}

/* Compile into a workspace of at least `bytes`; the linearisation itself is its first piece. */
static crn_status compile_into(const crn_contact_problem *problem, crn_workspace *workspace, size_t bytes,
                               crn_contact_linear **linear, crn_arena *arena, crn_error *error)
{
    crn_contact_linear probe;
    crn_arena counting = crn_arena_counting();
    (void)CRN_TAKE(&counting, crn_contact_linear, 1);
    lay_out_first(&probe, problem, &counting);
    if (counting.overflow) {
        return fail_too_large(error);
    }
    crn_status status = crn_workspace_arena(workspace, counting.used > bytes ? counting.used : bytes, arena, error);
    if (status != CRN_OK) {
        return status;
    }
    *linear = CRN_TAKE(arena, crn_contact_linear, 1);
    memset(*linear, 0, sizeof **linear);
    lay_out_first(*linear, problem, arena);
    return crn_compile(&(*linear)->compiled, error);
}

crn_status crn_linearize_open(const crn_contact_problem *problem, bool is_dense, crn_workspace *workspace,
                              crn_contact_linear **linear, crn_error *error)
{
    crn_arena arena;
    crn_status status = compile_into(problem, workspace, 0, linear, &arena, error);
    if (status != CRN_OK) {
        return status;
    }
    crn_arena counting = crn_arena_counting();
    counting.used = arena.used;
    lay_out_islands(*linear, is_dense, &counting);
    if (counting.overflow) {
        return fail_too_large(error);
    }
    if (counting.used > arena.size) { /* growing moves everything: once more, then it fits */
        status = compile_into(problem, workspace, counting.used, linear, &arena, error);
    }
    if (status == CRN_OK) {
        lay_out_islands(*linear, is_dense, &arena);
        crn_copy_numbers((*linear)->velocity, problem->velocity, (*linear)->compiled.dof);
        (*linear)->contacts = problem->contacts;
        for (int i = 0; i < problem->contacts + problem->rows; ++i) {
            (*linear)->place[i] = (crn_item_place){-1, -1};
        }
    }
    return status;
}

/* --- States --- */

static void take_impulses(const crn_island *from, const double *impulse, const double *row_impulse,
                          crn_linear_island *k)
{
    for (int i = 0; i < from->system.contacts; ++i) {
        memcpy(k->r + 3 * (size_t)i, impulse + 3 * (size_t)from->contact_of[i], 3 * sizeof *k->r);
    }
    for (int i = 0; i < from->system.rows; ++i) {
        k->l[i] = row_impulse[from->row_of[i]];
    }
}

void crn_linearize_scales(const crn_linearize_options *options, crn_linear_island *k)
{
    double most = crn_max(crn_max_abs(3 * k->system->contacts, k->r), crn_max_abs(k->system->rows, k->l));
    bool is_round = options->cone == CRN_CONE_ROUND || options->law == CRN_LAW_CONVEX;
    k->scale = (crn_branch_scale){.velocity = crn_system_velocity_scale(k->system),
                                  .impulse = most > 0.0 ? most : 1.0,
                                  .kink = options->kink > 0.0 ? options->kink : KINK,
                                  .cone = is_round ? CRN_CONE_ROUND : CRN_CONE_POLYGON,
                                  .law = options->law};
    crn_system_inverse_mass(k->system, k->delta);
}

/* A row is at its bound if it is nearer to that than to standing still; scaled like the certificate's natural map. */
static crn_hold choose_hold(const crn_linear_island *k, int i)
{
    const crn_system *s = k->system;
    double bound = s->row_bound[i], square = 0.0;
    if (!isfinite(bound)) {
        return CRN_HOLD_FREE;
    }
    for (int p = s->row_piece_start[i]; p < s->row_piece_start[i + 1]; ++p) {
        square += crn_dot(s->row_piece[p].dof, s->row_piece[p].x, s->row_piece[p].x);
    }
    if ((bound - fabs(k->l[i])) * square > fabs(k->e[i])) {
        return CRN_HOLD_FREE;
    }
    return k->l[i] > 0.0 ? CRN_HOLD_UPPER : CRN_HOLD_LOWER;
}

static void choose_states(crn_linear_island *k)
{
    crn_linear_move(k);
    for (int i = 0; i < k->system->contacts; ++i) {
        crn_mode_choose(k->system, i, &k->scale, k->delta[i], k->r + 3 * (size_t)i, k->u + 3 * (size_t)i, &k->mode[i]);
    }
    for (int i = 0; i < k->system->rows; ++i) {
        k->hold[i] = choose_hold(k, i);
    }
}

static void judge_row(const crn_linear_island *k, int i, crn_contact_branch *branch)
{
    double bound = k->system->row_bound[i];
    *branch = (crn_contact_branch){{CRN_CONTACT_ON, 0}, 1.0, CRN_KINK_NONE};
    if (!isfinite(bound)) {
        return;
    }
    if (k->hold[i] == CRN_HOLD_FREE) {
        branch->margin = (bound - fabs(k->l[i])) / k->scale.impulse;
    } else {
        branch->state = (crn_contact_state){CRN_CONTACT_OFF, k->hold[i] == CRN_HOLD_UPPER};
        branch->margin = fabs(k->e[i]) / k->scale.velocity;
    }
    branch->kink = branch->margin < k->scale.kink ? CRN_KINK_BOUND : CRN_KINK_NONE;
}

static void judge_island(crn_contact_linear *linear, int at)
{
    const crn_island *island = &linear->compiled.island[at];
    const crn_linear_island *k = &linear->island[at];
    int contacts = linear->compiled.problem->contacts;
    for (int i = 0; i < k->system->contacts; ++i) {
        crn_mode_judge(k->system, i, &k->scale, &k->mode[i], k->r + 3 * (size_t)i, k->u + 3 * (size_t)i,
                       &linear->branch[island->contact_of[i]]);
    }
    for (int i = 0; i < k->system->rows; ++i) {
        judge_row(k, i, &linear->branch[contacts + island->row_of[i]]);
    }
}

/* The solution of an island in the caller's order. */
static void keep_solution(crn_contact_linear *linear, int at)
{
    const crn_island *island = &linear->compiled.island[at];
    const crn_linear_island *k = &linear->island[at];
    int contacts = linear->compiled.problem->contacts;
    for (int i = 0; i < k->system->contacts; ++i) {
        size_t to = 3 * (size_t)island->contact_of[i], from = 3 * (size_t)i;
        memcpy(linear->impulse + to, k->r + from, 3 * sizeof *k->r);
        memcpy(linear->u + to, k->u + from, 3 * sizeof *k->u);
        linear->place[island->contact_of[i]] = (crn_item_place){at, i};
    }
    for (int i = 0; i < k->system->rows; ++i) {
        linear->row_impulse[island->row_of[i]] = k->l[i];
        linear->place[contacts + island->row_of[i]] = (crn_item_place){at, k->system->contacts + i};
    }
    crn_compiled_velocity(&linear->compiled, island, k->y, linear->velocity);
}

void crn_linearize_keep(crn_contact_linear *linear, int at)
{
    judge_island(linear, at);
    keep_solution(linear, at);
}

void crn_linearize_sum_up(crn_contact_linear *linear)
{
    const crn_contact_problem *p = linear->compiled.problem;
    crn_linearize_report *report = &linear->report;
    bool is_undetermined = false, is_singular = false;
    report->margin = 1.0;
    for (int i = 0; i < p->contacts + p->rows; ++i) {
        report->margin = crn_min(report->margin, linear->branch[i].margin);
        report->kinks += linear->branch[i].kink != CRN_KINK_NONE;
    }
    for (int i = 0; i < linear->compiled.islands; ++i) {
        crn_linear_island *k = &linear->island[i];
        report->held += k->hard;
        report->redundant += k->hard - k->rank;
        is_undetermined = is_undetermined || k->is_nearly_redundant || crn_linear_is_shift_felt(k);
        is_singular = is_singular || k->is_singular;
    }
    report->status = report->kinks > 0 ? CRN_GRADIENT_KINK : CRN_GRADIENT_SMOOTH;
    report->status = is_undetermined ? CRN_GRADIENT_UNDETERMINED : report->status;
    report->status = is_singular ? CRN_GRADIENT_JUMP : report->status;
}

/* --- The entry --- */

static crn_status check_call(const crn_contact_problem *problem, const double *impulse, const double *row_impulse,
                             const crn_workspace *workspace, crn_contact_linear **linear, crn_error *error)
{
    crn_status status = crn_contact_check(problem, error);
    if (status != CRN_OK) {
        return status;
    }
    if (!workspace || !linear || (problem->contacts && !impulse) || (problem->rows && !row_impulse)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "impulse, row_impulse, workspace or linear is NULL");
    }
    if (!crn_all_finite(impulse, 3 * problem->contacts) || !crn_all_finite(row_impulse, problem->rows)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "impulse or row_impulse is not finite");
    }
    return CRN_OK;
}

static crn_status check_solution(crn_contact_linear *linear, const crn_linearize_options *options,
                                 const double *impulse, const double *row_impulse, crn_error *error)
{
    crn_contact_certificate certificate;
    crn_measure_prepare(&linear->measure, linear->compiled.mass);
    linear->measure.cone = options->cone;
    linear->measure.law = options->law;
    crn_contact_measure(&linear->measure, impulse, row_impulse, linear->velocity, linear->u, &certificate);
    if (!(certificate.relative <= TOL_SOLUTION)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "impulse is not a solution: its certificate is %g",
                        certificate.relative);
    }
    return CRN_OK;
}

/* States, and how far impulses are from them. False: they may be no solution, which the certificate decides. */
static bool begin_island(crn_linear_island *k, double *violation)
{
    bool is_clear = true;
    choose_states(k);
    for (int i = 0; i < k->system->contacts; ++i) {
        crn_contact_branch branch;
        crn_mode_judge(k->system, i, &k->scale, &k->mode[i], k->r + 3 * (size_t)i, k->u + 3 * (size_t)i, &branch);
        is_clear = is_clear && branch.margin > -TOL_CLEAR;
    }
    for (int i = 0; i < k->system->rows; ++i) {
        is_clear = is_clear && !isfinite(k->system->row_bound[i]);
    }
    if (k->system->rows > 0) {
        crn_linear_set_bounds(k);
        crn_linear_move(k);
    }
    *violation = crn_linear_violation(k);
    return is_clear && *violation < TOL_CLEAR;
}

crn_status crn_linearize(const crn_contact_problem *problem, const crn_linearize_options *options, bool is_dense,
                         const double *impulse, const double *row_impulse, crn_workspace *workspace,
                         crn_contact_linear **linear, crn_linearize_report *report, crn_error *error)
{
    crn_linearize_options defaults = crn_linearize_options_default();
    crn_contact_linear *k = NULL;
    bool is_checked = false;
    options = options ? options : &defaults;
    crn_clear(error);
    crn_status status = check_call(problem, impulse, row_impulse, workspace, linear, error);
    if (status == CRN_OK) {
        status = crn_linearize_open(problem, is_dense, workspace, &k, error);
    }
    for (int i = 0; status == CRN_OK && i < k->compiled.islands; ++i) {
        crn_linear_island *island = &k->island[i];
        double violation;
        take_impulses(&k->compiled.island[i], impulse, row_impulse, island);
        crn_linearize_scales(options, island);
        if (!begin_island(island, &violation) && !is_checked) {
            status = check_solution(k, options, impulse, row_impulse, error);
            is_checked = true;
        }
        if (status == CRN_OK) {
            k->report.residual = crn_max(k->report.residual, crn_linear_polish(island, violation, POLISH_STEPS, true));
            crn_linearize_keep(k, i);
        }
    }
    if (status != CRN_OK) {
        return status;
    }
    crn_linearize_sum_up(k);
    *linear = k;
    if (report) {
        *report = k->report;
    }
    return CRN_OK;
}

crn_status crn_contact_linearize(const crn_contact_problem *problem, const crn_linearize_options *options,
                                 const double *impulse, const double *row_impulse, crn_workspace *workspace,
                                 crn_contact_linear **linear, crn_linearize_report *report, crn_error *error)
{
    return crn_linearize(problem, options, false, impulse, row_impulse, workspace, linear, report, error);
}

crn_status crn_contact_linear_solution(const crn_contact_linear *k, const crn_contact_solution *to, crn_error *error)
{
    if (!k || !to) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "linear or solution is NULL");
    }
    const crn_contact_problem *p = k->compiled.problem;
    if (to->impulse) {
        crn_copy_numbers(to->impulse, k->impulse, 3 * p->contacts);
    }
    if (to->contact_velocity) {
        crn_copy_numbers(to->contact_velocity, k->u, 3 * p->contacts);
    }
    if (to->velocity) {
        crn_copy_numbers(to->velocity, k->velocity, k->compiled.dof);
    }
    if (to->row_impulse) {
        crn_copy_numbers(to->row_impulse, k->row_impulse, p->rows);
    }
    return CRN_OK;
}

const crn_contact_branch *crn_contact_linear_branches(const crn_contact_linear *linear)
{
    return linear ? linear->branch : NULL;
}
