/* cairn/io.h -- reading and writing problems, scenes and recordings. Every message names file, line and field; on failure nothing is
 * left. */
#ifndef CAIRN_IO_H
#define CAIRN_IO_H

#include <cairn/base.h>
#include <cairn/cone.h>
#include <cairn/contact.h>
#include <cairn/lcp.h>
#include <cairn/proof.h>
#include <cairn/model.h>
#include <cairn/linalg.h>
#include <cairn/robot_files.h>
#include <cairn/step.h>

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- Files that appear whole --- */

#define CRN_IO_PATH 4096 /* bytes of a path at most, with its '\0' */

/** A file being written. It grows beside its place under a name of its own (PATH.part; PATH.part1, ... if that exists) and takes
 *  its place when it is whole and on the disk: until then what is there stays as it is, also if the program is killed, the disk
 *  is full or two programs write the same file. Everything that this library writes is written in this way. */
typedef struct crn_io_output {
    FILE *file;             /* write here; NULL: not open */
    char path[CRN_IO_PATH]; /* its place, links followed */
    char part[CRN_IO_PATH]; /* where it grows */
    unsigned mode;          /* permissions of the file that it replaces; 0: there is none */
} crn_io_output;

/** Begin a file. Folders, devices, pipes, sockets and files that may not be written are refused. */
CRN_API crn_status crn_io_output_open(crn_io_output *output, const char *path, crn_error *error);

/** Put the file in its place if status is CRN_OK, or else remove the part that was written: what went wrong before is passed on.
 *  Returns status if that is a failure, which error tells already. */
CRN_API crn_status crn_io_output_close(crn_io_output *output, crn_status status, crn_error *error);

/** A problem that owns its arrays; problem's pointers lead into them. Zero-initialise, free with
 *  crn_lcp_data_free(). Not to be copied by assignment while both copies are in use. */
typedef struct crn_lcp_data {
    crn_lcp_problem problem;
    void *storage[7];        /* M or start, row, value; q; lower; upper */
    crn_allocator allocator; /* what took them */
} crn_lcp_data;

/** Release the arrays; data is empty afterwards. NULL and empty are fine. */
CRN_API void crn_lcp_data_free(crn_lcp_data *data);

/** Read an LCP from a pair of Matrix Market files: M (array or coordinate; real, integer or pattern; general,
 *  symmetric or skew-symmetric) and q (a single column, array or coordinate). lower_path and upper_path, bounds as
 *  Matrix Market vectors ("inf" and "-inf" allowed), may be NULL. */
CRN_API crn_status crn_io_read_matrix_market(const char *M_path, const char *q_path, const char *lower_path,
                                             const char *upper_path, const crn_allocator *allocator, crn_lcp_data *data,
                                             crn_error *error);

/** Read a Matrix Market matrix of any shape: data's problem gets its arrays, n is the number of columns, ld of a dense one that
 *  of rows. There is no q then: this is no problem to be solved. */
CRN_API crn_status crn_io_read_matrix(const char *path, const crn_allocator *allocator, crn_lcp_data *data, int *rows,
                                      crn_error *error);

/** Read a Matrix Market vector of length n ("inf" and "-inf" allowed) into values, the caller's array: bounds, a basis
 *  for a warm start, a z to be certified. allocator (NULL: the default) is used during the call only. */
CRN_API crn_status crn_io_read_vector(const char *path, int n, double *values, const crn_allocator *allocator,
                                      crn_error *error);

/** What a Siconos .dat file holds. The files do not say, so ANY tries the kinds in this order. */
typedef enum crn_siconos_kind {
    CRN_SICONOS_ANY = 0,
    CRN_SICONOS_LCP,
    CRN_SICONOS_BOX, /* relay: lower and upper bounds follow q */
    CRN_SICONOS_MLCP /* mixed: free variables have infinite bounds */
} crn_siconos_kind;

/** Read a Siconos .dat file (dense, block-sparse, or CSparse print). */
CRN_API crn_status crn_io_read_siconos(const char *path, crn_siconos_kind kind, const crn_allocator *allocator,
                                       crn_lcp_data *data, crn_error *error);

/** Write a matrix or vector as Matrix Market with 17 digits: dense as array, sparse as coordinate. */
CRN_API crn_status crn_io_write_matrix(const char *path, const crn_lcp_problem *problem, crn_error *error);
CRN_API crn_status crn_io_write_vector(const char *path, int n, const double *values, crn_error *error);

/** Write a proof as JSON; docs/theory/proofs.md describes the file. */
CRN_API crn_status crn_io_write_proof(const char *path, const crn_proof *proof, crn_error *error);

/** Read a proof file. Its digest must be that of its text; whether the proof holds is for crn_proof_check() to say.
 *  @param proof zero-initialised; freed with crn_proof_free() */
CRN_API crn_status crn_io_read_proof(const char *path, const crn_allocator *allocator, crn_proof *proof,
                                     crn_error *error);

/* --- Contact problems: docs/guide/contact-files.md describes the formats --- */

/** What a contact file describes. */
typedef enum crn_contact_file {
    CRN_CONTACT_FILE_RIGID = 0,  /* free rigid bodies and contact points */
    CRN_CONTACT_FILE_GENERALIZED /* one mechanism: mass matrix and Jacobian */
} crn_contact_file;

/** A contact problem that owns its arrays, and what its file says beyond the problem. Zero-initialise, free with
 *  crn_contact_data_free(). Not to be copied by assignment while both copies are in use. To write a problem of your own,
 *  set problem (and h if you like) and leave the rest 0: crn_io_write_contact_json() reads nothing else. */
typedef struct crn_contact_data {
    crn_contact_problem problem;
    crn_contact_file kind; /* of the file that was read */
    double h;              /* time step [s]; 0: not known */
    /* How free velocity and offsets came about; NULL: not known. Spatial vectors are angular first, as in problem. */
    const double *velocity; /* of all bodies before the step: problem.velocity = velocity + h M^-1 wrench */
    const double *wrench;   /* (torque, force) on each body [N m, N]; NULL: none */
    const double *gap;      /* of each contact [m]: offset[0] = gap / h. NaN where the file gives the offset itself */
    void *storage[10];
    crn_allocator allocator; /* what took them */
} crn_contact_data;

/** A friction problem that owns its arrays. Zero-initialise, free with crn_cone_data_free(). */
typedef struct crn_cone_data {
    crn_cone_problem problem;
    void *storage[13];
    crn_allocator allocator; /* what took them */
    /* Of W (local) or M (global) in the file: largest |W(i,j) - W(j,i)| over the largest entry, where (from 0), and whether both were
     * replaced by their mean: above 1e-14, up to 1e-7 for W (one that differs by more is taken as given) and 2e-6 for M (refused
     * above by crn_cone_check()). */
    double asymmetry;
    int asymmetry_row, asymmetry_column;
    bool is_symmetrised;
} crn_cone_data;

/** Release the arrays; data is empty afterwards. NULL and empty are fine. */
CRN_API void crn_contact_data_free(crn_contact_data *data);
CRN_API void crn_cone_data_free(crn_cone_data *data);

/** Was the library built with JSON (always: jansson or a parser of our own), with FCLIB (HDF5)? Without, the functions that need
 *  them answer CRN_ERR_UNSUPPORTED. Of XML see crn_io_has_xml(). */
CRN_API bool crn_io_has_json(void);
CRN_API bool crn_io_has_fclib(void);

/** Read contact JSON, of either kind. */
CRN_API crn_status crn_io_read_contact_json(const char *path, const crn_allocator *allocator, crn_contact_data *data,
                                            crn_error *error);

/** Write contact JSON with 17 digits; it reads back to the same bits. Problems of rigid bodies and contact geometry are
 *  written as "rigid", all others as "generalized" with the matrices of all bodies together. Bodies given by a callback
 *  are not supported. allocator (NULL: the default) is used during the call only. */
CRN_API crn_status crn_io_write_contact_json(const char *path, const crn_contact_data *data,
                                             const crn_allocator *allocator, crn_error *error);

/** Read an FCLIB file (HDF5), local or global; matrices as triplets, compressed columns or rows. HDF5 is not made for
 *  several threads: one call of this or of crn_io_write_fclib() at a time. */
CRN_API crn_status crn_io_read_fclib(const char *path, const crn_allocator *allocator, crn_cone_data *data,
                                     crn_error *error);

/** Write an FCLIB file; it reads back to the same bits (entries that are 0 are left out). title: free text, may be
 *  NULL. */
CRN_API crn_status crn_io_write_fclib(const char *path, const crn_cone_problem *problem, const char *title,
                                      const crn_allocator *allocator, crn_error *error);

/** What a Siconos friction file holds. The files do not say; ANY finds out by their structure. */
typedef enum crn_siconos_friction {
    CRN_SICONOS_FRICTION_ANY = 0,
    CRN_SICONOS_FRICTION_LOCAL,
    CRN_SICONOS_FRICTION_GLOBAL
} crn_siconos_friction;

/** Read a Siconos friction .dat file. */
CRN_API crn_status crn_io_read_siconos_friction(const char *path, crn_siconos_friction kind,
                                                const crn_allocator *allocator, crn_cone_data *data, crn_error *error);

/** A contact problem as a global friction problem: M, H = J', G = B' and f = M v_f of all bodies. Its cones are round, so
 *  directions only say whether a contact has friction; if all that have it have 2, the problem becomes planar (dim 2).
 *  Bodies given by a callback are not supported. */
CRN_API crn_status crn_io_contact_to_cone(const crn_contact_problem *problem, const crn_allocator *allocator,
                                          crn_cone_data *data, crn_error *error);

/** The local form of a global problem: W = H'M^-1 H and q = H'M^-1 f + w, bilateral rows eliminated. Dense inside: for
 *  problems of some thousand velocities at most. */
CRN_API crn_status crn_io_cone_to_local(const crn_cone_problem *problem, const crn_allocator *allocator,
                                        crn_cone_data *data, crn_error *error);

/* --- Scenes: docs/guide/scenes.md describes the format, docs/scene.schema.json is its schema --- */

/** Read a scene (JSON). Destroy the model with crn_model_destroy(); on failure it is NULL. The message names file, line and
 *  field: "scene.json:12: bodies[3].mass: must be > 0, but is -1". */
CRN_API crn_status crn_io_read_scene(const char *path, const crn_allocator *allocator, crn_model **model,
                                     crn_error *error);

/** The same from memory: length bytes, no terminator needed. name: what messages call it (NULL: "scene"). */
CRN_API crn_status crn_io_read_scene_text(const char *text, size_t length, const char *name,
                                          const crn_allocator *allocator, crn_model **model, crn_error *error);

/** As crn_io_read_scene(); warn is told what the robots of the scene (`models`) say without failing. */
CRN_API crn_status crn_io_read_scene_warned(const char *path, crn_io_warning warn, void *user,
                                            const crn_allocator *allocator, crn_model **model, crn_error *error);

/** Write a scene with 17 digits; it reads back to the same bits. Needs no jansson. */
CRN_API crn_status crn_io_write_scene(const char *path, const crn_model *model, crn_error *error);

/** The same into memory: a string that ends with '\0', to be released through allocator (NULL: the default one, so by
 *  free()). length (may be NULL): without the '\0'. */
CRN_API crn_status crn_io_write_scene_text(const crn_model *model, const crn_allocator *allocator, char **text,
                                           size_t *length, crn_error *error);

/** A copy of a model with one value changed: place is that of the scene's format with dots between its words, entries of lists by
 *  name or number: "bodies.box.mass", "joints.hip.limits.0"; value is JSON ("0.5", "[0, 0, 1]") or a word ("fixed"). The message names
 *  the place. */
CRN_API crn_status crn_io_change_scene(const crn_model *model, const char *place, const char *value,
                                       const crn_allocator *allocator, crn_model **changed, crn_error *error);

/* --- Recordings of a motion (.crn): docs/guide/recordings.md describes the format --- */

#define CRN_RECORDING_MEASURES_MAX 900 /* numbers that are measured in a frame */

/** What a recording says before its first frame. */
typedef struct crn_recording_header {
    const char *scene; /* the scene as JSON text, so that a viewer knows shapes and names; NULL: none */
    int bodies;        /* poses in every frame */
    double dt;         /* of a step [s]; 0: not known */
    int every;         /* steps from one frame to the next, >= 1 */
    bool is_planar;    /* bodies move in the plane z = 0 */
    const crn_step_figure *const
        *figure; /* that every frame holds; NULL: all there are. Of a recording: those that it has */
    int figures;
    const char *const
        *measure; /* names of what else is measured in every frame; no blanks, no line ends. May be NULL */
    int measures; /* at most CRN_RECORDING_MEASURES_MAX */
} crn_recording_header;

/** One contact point of a frame. */
typedef struct crn_recording_contact {
    int a, b;         /* bodies by index; -1: none */
    int kind;         /* crn_contact_kind: off, on, slide, edge, stick */
    crn_vec3 point;   /* world [m] */
    crn_vec3 normal;  /* unit, out of b into a */
    double gap;       /* [m] */
    crn_vec3 impulse; /* on a, world axes [N s] */
} crn_recording_contact;

/** One moment of the motion. Pointers are the caller's when it is appended, and the recording's when it is read: those are
 *  valid until the next frame is read or the recording is closed. */
typedef struct crn_recording_frame {
    int64_t step; /* steps since the beginning, >= 0 */
    double time;  /* [s] */
    const crn_pose *pose;
    const crn_recording_contact *contact;
    int contacts;          /* at contact; figures.contacts may be more */
    const double *measure; /* as many as the header names; NULL: they are 0 */
    crn_step_stats
        figures;      /* of the step that led here; those that the header does not name are 0. A first frame without a
                               step has zeros, outcome CRN_LCP_SOLVED */
    const char *note; /* what else there is to know, one JSON object: how its problem was solved; NULL: nothing */
} crn_recording_frame;

/** Where bytes go, in order. False: they could not be written. */
typedef bool (*crn_io_sink)(void *user, const void *bytes, size_t size);

/** A recording being written. It grows as PATH.part (see crn_io_output) and each frame is handed to the system at once: what was
 *  appended survives a crash of the program, in the part file, which can be read. */
typedef struct crn_recorder crn_recorder;

/** Begin a file; one of that name is replaced when the recording is closed. allocator NULL: the default one. */
CRN_API crn_status crn_recorder_create(const char *path, const crn_recording_header *header,
                                       const crn_allocator *allocator, crn_recorder **recorder, crn_error *error);

/** The same into a sink; name: what messages call it (NULL: "recording"). sink and user must stay until it is closed. */
CRN_API crn_status crn_recorder_create_into(crn_io_sink sink, void *user, const char *name,
                                            const crn_recording_header *header, const crn_allocator *allocator,
                                            crn_recorder **recorder, crn_error *error);

/** Append a frame. One with numbers that are not finite, or with bodies that there are not, is refused and nothing is
 *  written. After a failure to write (CRN_ERR_IO) no more frames are taken; those before it stay in PATH.part and can be read. */
CRN_API crn_status crn_recorder_append(crn_recorder *recorder, const crn_recording_frame *frame, crn_error *error);

/** Write the end mark, put the file in its place and release everything, also on failure: then the frames so far stay in
 *  PATH.part. NULL is fine. */
CRN_API crn_status crn_recorder_close(crn_recorder *recorder, crn_error *error);

/** How a recording ends. */
typedef enum crn_recording_ending {
    CRN_RECORDING_FINISHED = 0, /* with its end mark */
    CRN_RECORDING_CUT,          /* without it: the program that wrote it, or the disk, stopped before */
    CRN_RECORDING_DAMAGED       /* bytes have changed: reading stops at the first frame that is not what was written */
} crn_recording_ending;

/** A recording being read. */
typedef struct crn_recording crn_recording;

/** Open a recording and find its whole frames. A file that is cut off or damaged behind its header opens, with the frames
 *  before that place; crn_recording_ending_of() tells. allocator NULL: the default one. */
CRN_API crn_status crn_recording_open(const char *path, const crn_allocator *allocator, crn_recording **recording,
                                      crn_error *error);
CRN_API void crn_recording_close(crn_recording *recording); /* NULL is fine */

/** The header; scene leads into the recording and is never NULL. */
CRN_API const crn_recording_header *crn_recording_header_of(const crn_recording *recording);

/** Does every frame hold the figure of this name? Recordings of versions 1 and 2 have no verdict and no ledger. */
CRN_API bool crn_recording_has(const crn_recording *recording, const char *figure);

/** How many whole frames there are. */
CRN_API int crn_recording_frames(const crn_recording *recording);

/** How it ends, and in one line what is wrong there ("" if nothing is). why may be NULL. */
CRN_API crn_recording_ending crn_recording_ending_of(const crn_recording *recording, const char **why);

/** Frame by index, 0 .. frames-1, in any order. */
CRN_API crn_status crn_recording_read(crn_recording *recording, int index, crn_recording_frame *frame,
                                      crn_error *error);

/** Write all frames as CSV with 17 digits: a heading, then step, time, the figures of the header and poses, a row per frame.
 *  name: of each body, for the heading; NULL, or an item NULL: "body0", "body1", ... */
CRN_API crn_status crn_recording_write_csv(crn_recording *recording, const char *path, const char *const *name,
                                           crn_error *error);

/** Write all frames as binary glTF 2.0 (.glb): a node per body with the shapes of the recording's scene, and one animation
 *  that moves them. Axes: glTF's y is up, so the root node turns z there; planar motions stay as they are. */
CRN_API crn_status crn_recording_write_gltf(crn_recording *recording, const char *path, const crn_allocator *allocator,
                                            crn_error *error);

#ifdef __cplusplus
}
#endif
#endif
