/* cairn/io.h -- reading and writing problems and scenes. Every message names file, line and field; on failure nothing is left. */
#ifndef CAIRN_IO_H
#define CAIRN_IO_H

#include <cairn/base.h>
#include <cairn/cone.h>
#include <cairn/contact.h>
#include <cairn/lcp.h>
#include <cairn/model.h>

#ifdef __cplusplus
extern "C" {
#endif

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
} crn_cone_data;

/** Release the arrays; data is empty afterwards. NULL and empty are fine. */
CRN_API void crn_contact_data_free(crn_contact_data *data);
CRN_API void crn_cone_data_free(crn_cone_data *data);

/** Was the library built with JSON (jansson), with FCLIB (HDF5)? Without, the functions that need them answer
 *  CRN_ERR_UNSUPPORTED. */
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

/** Write a scene with 17 digits; it reads back to the same bits. Needs no jansson. */
CRN_API crn_status crn_io_write_scene(const char *path, const crn_model *model, crn_error *error);

/** The same into memory: a string that ends with '\0', to be released through allocator (NULL: the default one, so by
 *  free()). length (may be NULL): without the '\0'. */
CRN_API crn_status crn_io_write_scene_text(const crn_model *model, const crn_allocator *allocator, char **text,
                                           size_t *length, crn_error *error);

#ifdef __cplusplus
}
#endif
#endif
