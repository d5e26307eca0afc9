/* Calls that Python makes in one go. */
#include "shim.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* --- LCP --- */

enum { NUMBER = sizeof(double), RESULT_NUMBERS = (sizeof(crn_lcp_result) + NUMBER - 1) / NUMBER };

void shim_solver_free(shim_solver *solver)
{
    crn_workspace_free(&solver->workspace);
    free(solver->columns);
    memset(solver, 0, sizeof *solver);
}

int shim_lcp_first(void)
{
    return RESULT_NUMBERS;
}

int shim_lcp_numbers(int n)
{
    return n <= INT_MAX / 8 ? RESULT_NUMBERS + 3 * n + (n + NUMBER - 1) / NUMBER : -1;
}

crn_status shim_lcp_solve(shim_solver *solver, const crn_lcp_problem *problem, const crn_lcp_options *options,
                          double *answer)
{
    int n = problem->n;
    double *z = answer + RESULT_NUMBERS;
    crn_lcp_solution solution = {.z = z, .w = z + n, .ray = z + 2 * n, .basis = (unsigned char *)(z + 3 * n)};
    return crn_lcp_solve(problem, options, &solver->workspace, &solution, (crn_lcp_result *)(void *)answer,
                         &solver->error);
}

static crn_status turn(shim_solver *solver, int n, const double *rows)
{
    size_t size = (size_t)n * (size_t)n;
    if (size > solver->capacity) {
        double *grown = realloc(solver->columns, size * sizeof *grown);
        if (grown == NULL) {
            return crn_fail(&solver->error, CRN_ERR_MEMORY, "M: no memory for a copy of %d x %d", n, n);
        }
        solver->columns = grown;
        solver->capacity = size;
    }
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            solver->columns[(size_t)j * (size_t)n + (size_t)i] = rows[(size_t)i * (size_t)n + (size_t)j];
        }
    }
    return CRN_OK;
}

crn_status shim_lcp_dense(shim_solver *solver, int n, const void *M, bool is_by_rows, const void *q, const void *lower,
                          const void *upper, const crn_lcp_options *options, void *answer)
{
    crn_status status = is_by_rows ? turn(solver, n, M) : CRN_OK;
    if (status != CRN_OK) {
        return status;
    }
    const double *columns = is_by_rows ? solver->columns : M;
    crn_lcp_problem problem = {.n = n, .M = columns, .ld = n, .q = q, .lower = lower, .upper = upper};
    return shim_lcp_solve(solver, &problem, options, answer);
}

crn_status shim_lcp_plain(shim_solver *solver, int n, const void *M, const void *q, void *answer)
{
    return shim_lcp_dense(solver, n, M, true, q, NULL, NULL, NULL, answer);
}

/* --- Reading robots --- */

void shim_warn(void *user, const char *text)
{
    shim_lines *lines = user;
    size_t more = strlen(text) + 2;
    if (lines->length + more > lines->capacity) {
        size_t capacity = 2 * (lines->length + more);
        char *grown = realloc(lines->text, capacity);
        if (grown == NULL) {
            return; /* a warning less */
        }
        lines->text = grown;
        lines->capacity = capacity;
    }
    memcpy(lines->text + lines->length, text, more - 2);
    lines->length += more - 1;
    lines->text[lines->length - 1] = '\n';
    lines->text[lines->length] = '\0';
}

void shim_lines_free(shim_lines *lines)
{
    free(lines->text);
    memset(lines, 0, sizeof *lines);
}

void shim_free(void *block)
{
    crn_allocator allocator = crn_allocator_default();
    allocator.release(allocator.user, block);
}

crn_status shim_read_robot(const char *path, crn_robot_options *options, shim_lines *lines, crn_model *model,
                           crn_error *error)
{
    options->warn = shim_warn;
    options->user = lines;
    return crn_io_read_robot(path, options, model, error);
}

crn_status shim_read_scene(const char *path, shim_lines *lines, crn_model **model, crn_error *error)
{
    return crn_io_read_scene_warned(path, shim_warn, lines, NULL, model, error);
}

/* --- Stepping --- */

crn_status shim_world_steps(crn_world *world, double dt, int steps, crn_step_stats *stats, int *done, crn_error *error)
{
    crn_status status = CRN_OK;
    for (*done = 0; *done < steps && status == CRN_OK; *done += status == CRN_OK) {
        status = crn_world_step(world, dt, stats, error);
    }
    return status;
}

/* --- Recordings --- */

crn_status shim_record(crn_recorder *recorder, const crn_world *world, int64_t step, const crn_step_stats *stats,
                       crn_pose *pose, int bodies, crn_recording_contact *contact, crn_error *error)
{
    crn_recording_frame frame = {.step = step,
                                 .time = crn_world_time(world),
                                 .pose = pose,
                                 .contact = contact,
                                 .figures = {.outcome = CRN_LCP_SOLVED}};
    for (int i = 0; i < bodies; ++i) {
        crn_status status = crn_body_pose(world, crn_world_body(world, i + 1), &pose[i]);
        if (status != CRN_OK) {
            return crn_fail(error, status, "bodies[%d]: has been removed; a recording needs all bodies", i);
        }
    }
    if (stats != NULL) {
        const crn_contact *from = crn_world_contacts(world, &frame.contacts);
        frame.figures = *stats;
        for (int i = 0; i < frame.contacts; ++i) {
            contact[i] = (crn_recording_contact){.a = from[i].a.index1 - 1,
                                                 .b = from[i].b.index1 - 1,
                                                 .kind = from[i].kind,
                                                 .point = from[i].point,
                                                 .normal = from[i].normal,
                                                 .gap = from[i].gap,
                                                 .impulse = from[i].impulse};
        }
    }
    return crn_recorder_append(recorder, &frame, error);
}

crn_status shim_recording_arrays(crn_recording *recording, double *time, crn_pose *pose, double *figure,
                                 crn_error *error)
{
    const crn_recording_header *header = crn_recording_header_of(recording);
    crn_status status = CRN_OK;
    for (int i = 0; i < crn_recording_frames(recording) && status == CRN_OK; ++i) {
        crn_recording_frame frame;
        status = crn_recording_read(recording, i, &frame, error);
        if (status == CRN_OK) {
            size_t bodies = (size_t)header->bodies;
            time[i] = frame.time;
            if (bodies > 0) {
                memcpy(pose + (size_t)i * bodies, frame.pose, bodies * sizeof *pose);
            }
            for (int k = 0; k < header->figures; ++k) {
                *figure++ = crn_step_figure_get(header->figure[k], &frame.figures);
            }
        }
    }
    return status;
}

crn_status shim_recording_thin(crn_recording *recording, int stride, const char *path, crn_error *error)
{
    crn_recording_header header = *crn_recording_header_of(recording);
    crn_recorder *recorder = NULL;
    header.every = header.every <= INT_MAX / stride ? header.every * stride : INT_MAX;
    crn_status status = crn_recorder_create(path, &header, NULL, &recorder, error);
    for (int i = 0; i < crn_recording_frames(recording) && status == CRN_OK; i += stride) {
        crn_recording_frame frame;
        status = crn_recording_read(recording, i, &frame, error);
        status = status == CRN_OK ? crn_recorder_append(recorder, &frame, error) : status;
    }
    crn_status closed = crn_recorder_close(recorder, status == CRN_OK ? error : NULL);
    return status == CRN_OK ? closed : status;
}
