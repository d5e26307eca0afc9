/* shim.h -- calls that Python makes in one go, where the library has several: a call from Python costs as much as a small solve.
 * write_module.py reads this file as it reads the public headers. */
#ifndef CAIRN_PYTHON_SHIM_H
#define CAIRN_PYTHON_SHIM_H

#include <cairn/cairn.h>

/* --- LCP --- */

/* What a thread keeps from solve to solve. Zero-initialised. */
typedef struct shim_solver {
    crn_workspace workspace;
    crn_error error;
    double *columns; /* a matrix that came row by row, turned round */
    size_t capacity; /* entries at columns */
} shim_solver;

void shim_solver_free(shim_solver *solver);

/* Numbers (of 8 bytes) that an answer takes: the result, z, w and ray of n each, and n bytes of the basis. */
int shim_lcp_numbers(int n);

/* Where in them z begins. */
int shim_lcp_first(void);

/* Solve a dense problem whose M has no gaps, row after row or column after column. options may be NULL. All arrays are doubles: as
 * void they need no type in Python, which takes 60 ns each. */
crn_status shim_lcp_dense(shim_solver *solver, int n, const void *M, bool is_by_rows, const void *q, const void *lower,
                          const void *upper, const crn_lcp_options *options, void *answer);

/* Solve one row after row, z >= 0, with the usual options. */
crn_status shim_lcp_plain(shim_solver *solver, int n, const void *M, const void *q, void *answer);

/* Solve any problem into the same layout. */
crn_status shim_lcp_solve(shim_solver *solver, const crn_lcp_problem *problem, const crn_lcp_options *options,
                          double *answer);

/* --- Reading robots --- */

/* Lines of text, one after another. Zero-initialised. */
typedef struct shim_lines {
    char *text; /* NULL: none */
    size_t length, capacity;
} shim_lines;

/* A crn_io_warning whose user is a shim_lines. */
void shim_warn(void *user, const char *text);
void shim_lines_free(shim_lines *lines);
crn_status shim_read_robot(const char *path, crn_robot_options *options, shim_lines *lines, crn_model *model,
                           crn_error *error);
crn_status shim_read_scene(const char *path, shim_lines *lines, crn_model **model, crn_error *error);
void shim_free(void *block); /* of the default allocator */

/* --- Stepping --- */

/* Up to `steps` steps; stops at the first that fails. stats: of the last one that was made. done: how many. */
crn_status shim_world_steps(crn_world *world, double dt, int steps, crn_step_stats *stats, int *done, crn_error *error);

/* --- Recordings --- */

/* Append the world as it is: poses of bodies 1 .. bodies, contacts and figures of the last step (stats NULL: none). The arrays have
 * room for all bodies and contacts. */
crn_status shim_record(crn_recorder *recorder, const crn_world *world, int64_t step, const crn_step_stats *stats,
                       crn_pose *pose, int bodies, crn_recording_contact *contact, crn_error *error);

/* Times, poses (bodies of each frame) and figures (those of the header, frame after frame) of all frames. */
crn_status shim_recording_arrays(crn_recording *recording, double *time, crn_pose *pose, double *figure,
                                 crn_error *error);

/* Every so many frames of a recording into another file. */
crn_status shim_recording_thin(crn_recording *recording, int stride, const char *path, crn_error *error);

#endif
