/* Making a session: everything in one workspace, in an order that needs no second look when it is large enough. */
#include "contact/session.h"

#include <string.h>

#include "math/vec.h"

/* Parts whose size is known before islands are. */
static void lay_out_first(crn_contact_session *s, const crn_contact_problem *problem, crn_arena *arena)
{
    size_t contacts = (size_t)problem->contacts, rows = (size_t)problem->rows;
    crn_compiled_layout(&s->compiled, problem, arena);
    crn_measure_layout(&s->measure, problem, arena);
    s->r = CRN_TAKE(arena, double, 3 * contacts);
    s->l = CRN_TAKE(arena, double, rows);
    s->impulse = CRN_TAKE(arena, double, 3 * contacts);
    s->row_impulse = CRN_TAKE(arena, double, rows);
    s->other = CRN_TAKE(arena, double, 3 * contacts);
    s->other_row = CRN_TAKE(arena, double, rows);
    s->start_impulse = CRN_TAKE(arena, double, 3 * contacts);
    s->start_velocity = CRN_TAKE(arena, double, 3 * contacts);
    s->start_row = CRN_TAKE(arena, double, rows);
    s->state = CRN_TAKE(arena, crn_contact_state, contacts);
    s->other_state = CRN_TAKE(arena, crn_contact_state, contacts);
}

/* Solvers of the islands: all of them, or those that come first. */
static void lay_out_solvers(crn_contact_session *s, bool is_all, crn_arena *arena)
{
    crn_island_solver unplaced;
    crn_island_solver *solver = CRN_TAKE(arena, crn_island_solver, (size_t)s->compiled.islands);
    for (int i = 0; i < s->compiled.islands; ++i) {
        crn_island_solver *at = solver ? &solver[i] : &unplaced;
        crn_island_layout(at, &s->compiled.island[i].system, &s->options, arena);
        at->room = &s->room;
        if (is_all || !at->has_delassus || s->options.even) {
            crn_island_layout_rest(at, arena);
        }
    }
    s->solver = solver;
}

static crn_status fail_too_large(crn_error *error)
{
    (void)crn_fail(error, CRN_ERR_MEMORY, "the problem does not fit into memory");
    return CRN_ERR_MEMORY;
}

/* Bytes of the session and its first parts; 0 if they do not fit. */
static size_t first_bytes(const crn_contact_problem *problem)
{
    crn_arena counting = crn_arena_counting();
    crn_contact_session unplaced;
    CRN_TAKE(&counting, crn_contact_session, 1);
    lay_out_first(&unplaced, problem, &counting);
    return counting.overflow ? 0 : counting.used;
}

static crn_contact_session *place_first(const crn_contact_problem *problem, crn_arena *arena)
{
    crn_contact_session *s = CRN_TAKE(arena, crn_contact_session, 1);
    if (s) {
        lay_out_first(s, problem, arena);
    }
    return s;
}

/* The session and its first parts in the workspace, which grows if need be, and to `bytes` at least. */
static crn_status make_session(const crn_contact_problem *problem, crn_workspace *workspace, size_t bytes,
                               crn_arena *arena, crn_contact_session **session, crn_error *error)
{
    *arena = crn_workspace_present(workspace);
    *session = arena->size >= bytes ? place_first(problem, arena) : NULL;
    if (*session && !arena->overflow) { /* as in nearly every step of a simulation */
        return CRN_OK;
    }
    size_t first = first_bytes(problem), needed = first > bytes ? first : bytes;
    crn_status status = first > 0 ? crn_workspace_arena(workspace, needed, arena, error) : fail_too_large(error);
    if (status == CRN_OK) {
        *session = place_first(problem, arena);
    }
    return status == CRN_OK && !*session ? fail_too_large(error) : status;
}

/* Make room for the first parts, factorise masses, prepare the measure. */
static crn_status begin_session(const crn_contact_problem *problem, const crn_contact_options *options,
                                crn_workspace *workspace, size_t bytes, crn_arena *arena, crn_contact_session **session,
                                crn_error *error)
{
    crn_status status = make_session(problem, workspace, bytes, arena, session, error);
    if (status != CRN_OK) {
        return status;
    }
    crn_contact_session *s = *session;
    s->options = *options;
    s->is_other_velocity = s->has_start = false;
    status = crn_compile_masses(&s->compiled, error);
    if (status == CRN_OK) {
        crn_measure_prepare(&s->measure, s->compiled.mass);
        s->measure.cone = options->cone;
        s->measure.law = options->law;
    }
    return status;
}

/* Bytes that a compiled session needs in all; 0 if they do not fit. */
static size_t bytes_needed(crn_contact_session *session, const crn_arena *first)
{
    crn_arena counting = crn_arena_counting();
    counting.used = first->used;
    lay_out_solvers(session, true, &counting);
    return counting.overflow ? 0 : counting.used;
}

/* The caller's warm start in the order of islands. */
static void take_start(crn_contact_session *s)
{
    const crn_contact_options *options = &s->options;
    size_t at = 0, row = 0;
    s->has_start = options->start != NULL;
    for (int i = 0; i < s->compiled.islands && s->has_start; ++i) {
        const crn_island *island = &s->compiled.island[i];
        for (int c = 0; c < island->system.contacts; ++c, ++at) {
            size_t from = (size_t)island->contact_of[c];
            s->state[at] = options->start[from];
            memcpy(s->start_impulse + 3 * at, options->start_impulse + 3 * from, 3 * sizeof(double));
            memcpy(s->start_velocity + 3 * at, options->start_velocity + 3 * from, 3 * sizeof(double));
        }
        for (int c = 0; c < island->system.rows && options->start_row_impulse; ++c, ++row) {
            s->start_row[row] = options->start_row_impulse[island->row_of[c]];
        }
    }
}

/* U of an island's free motion; the certificate's where that is the same. */
static double scale_of(const crn_contact_session *s, int island)
{
    return s->compiled.islands == 1 ? s->measure.scale : crn_system_velocity_scale(&s->compiled.island[island].system);
}

/* The body level measures the rows of an island by its own speed and length, the certificate all of them by the same. What
 * the islands are held to is the certificate's. */
static void share_tolerance(crn_contact_session *s)
{
    double longest = 0.0;
    bool is_needed = false;
    for (int i = 0; i < s->compiled.islands && s->compiled.islands > 1; ++i) {
        is_needed = is_needed || (s->solver[i].has_bodies && s->compiled.island[i].system.rows > 0);
    }
    for (int i = 0; i < s->compiled.islands && is_needed; ++i) {
        const crn_system *system = &s->compiled.island[i].system;
        longest = crn_max(longest, system->contacts > 0 ? crn_system_longest_normal(system) : 0.0);
    }
    for (int i = 0; i < s->compiled.islands && longest > 0.0; ++i) {
        const crn_system *system = &s->compiled.island[i].system;
        if (s->solver[i].has_bodies && system->rows > 0) {
            double own = crn_system_longest_normal(system) / scale_of(s, i);
            s->solver[i].tol_share = crn_min(1.0, own * s->measure.scale / longest);
        }
    }
}

void crn_session_set_velocity(crn_contact_session *s, const double *velocity)
{
    crn_compiled_set_velocity(&s->compiled, velocity);
    crn_measure_set_free(&s->measure, velocity);
    for (int i = 0; i < s->compiled.islands; ++i) {
        crn_island_set_velocity(&s->solver[i], scale_of(s, i));
    }
    share_tolerance(s);
}

crn_status crn_session_finish(crn_workspace *workspace, crn_arena *arena, int turn, bool is_all,
                              crn_contact_session **session, crn_error *error)
{
    crn_contact_session *s = *session;
    if (!s) {
        return fail_too_large(error);
    }
    s->compiled.turn = turn;
    crn_compile_columns(&s->compiled);
    crn_arena first = *arena;
    lay_out_solvers(s, is_all, arena);
    if (arena->overflow) { /* growing moves everything: once more, then it fits */
        const crn_contact_problem *problem = s->compiled.problem;
        const crn_contact_options options = s->options;
        size_t bytes = bytes_needed(s, &first);
        crn_status status = bytes > 0 ? begin_session(problem, &options, workspace, bytes, arena, session, error)
                                      : fail_too_large(error);
        if (status != CRN_OK || !*session) {
            return status;
        }
        s = *session;
        s->compiled.turn = turn;
        crn_compile_columns(&s->compiled);
        lay_out_solvers(s, is_all, arena);
    }
    s->room = *arena;
    for (int i = 0; i < s->compiled.islands; ++i) {
        crn_island_load(&s->solver[i], scale_of(s, i));
    }
    share_tolerance(s);
    take_start(s);
    return CRN_OK;
}

bool crn_session_is_short(const crn_contact_session *s)
{
    bool is_short = false;
    for (int i = 0; i < s->compiled.islands; ++i) {
        is_short = is_short || s->solver[i].is_short;
    }
    return is_short;
}

crn_status crn_session_begin(const crn_contact_problem *problem, const crn_contact_options *options,
                             crn_workspace *workspace, crn_arena *arena, crn_contact_session **session,
                             crn_error *error)
{
    crn_contact_options chosen = options ? *options : crn_contact_options_default();
    crn_status status = crn_contact_check_options(&chosen, error);
    if (status == CRN_OK) {
        status = crn_contact_check_method(problem, &chosen, error);
    }
    return status == CRN_OK ? begin_session(problem, &chosen, workspace, 0, arena, session, error) : status;
}

crn_status crn_session_check_call(const crn_contact_problem *problem, const crn_workspace *workspace, crn_error *error)
{
    crn_clear(error);
    if (!workspace) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "workspace is NULL");
    }
    return crn_contact_check(problem, error);
}

crn_status crn_contact_prepare(const crn_contact_problem *problem, const crn_contact_options *options,
                               crn_workspace *workspace, crn_contact_session **session, crn_error *error)
{
    double start = crn_seconds();
    crn_arena arena;
    if (!session) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "session is NULL");
    }
    crn_status status = crn_session_check_call(problem, workspace, error);
    if (status == CRN_OK) {
        status = crn_session_begin(problem, options, workspace, &arena, session, error);
    }
    if (status == CRN_OK) {
        status = crn_session_finish(workspace, &arena, 0, true, session, error);
    }
    if (status == CRN_OK) {
        (*session)->is_timed = true;
        (*session)->seconds_setup = crn_seconds() - start;
    }
    return status;
}

size_t crn_contact_workspace_size(const crn_contact_problem *problem, const crn_contact_options *options)
{
    crn_contact_options chosen = options ? *options : crn_contact_options_default();
    crn_workspace scratch = {0};
    crn_arena arena;
    crn_contact_session *session = NULL;
    size_t bytes = 0;
    if (crn_contact_check(problem, NULL) == CRN_OK && crn_contact_check_options(&chosen, NULL) == CRN_OK &&
        crn_contact_check_method(problem, &chosen, NULL) == CRN_OK &&
        begin_session(problem, &chosen, &scratch, 0, &arena, &session, NULL) == CRN_OK) {
        session->compiled.turn = 0;
        crn_compile_columns(&session->compiled);
        bytes = bytes_needed(session, &arena);
    }
    crn_workspace_free(&scratch);
    return bytes == 0 || bytes > SIZE_MAX - CRN_ARENA_ALIGN ? 0 : bytes + CRN_ARENA_ALIGN; /* room to align */
}
