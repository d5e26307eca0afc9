/* cairn/robot_files.h -- robots (URDF, MJCF) and meshes from files into a model. Every message names file, line and element. */
#ifndef CAIRN_ROBOT_FILES_H
#define CAIRN_ROBOT_FILES_H

#include <cairn/base.h>
#include <cairn/collide.h>
#include <cairn/linalg.h>
#include <cairn/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Was the library built with XML (URDF, MJCF and COLLADA)? Always: by expat, or by a parser of our own. */
CRN_API bool crn_io_has_xml(void);

/** What a reader has to say without failing: what is not supported, once by name, with file and line. */
typedef void (*crn_io_warning)(void *user, const char *text);

/* --- Meshes --- */

/** A mesh from a file: what a crn_shape_def of kind mesh points to. */
typedef struct crn_mesh_data {
    double *points; /* 3 per vertex */
    int count;
    int *triangles; /* 3 per triangle */
    int triangle_count;
    crn_allocator allocator; /* that the arrays came from */
} crn_mesh_data;

/** Read OBJ, STL (text or binary), PLY or COLLADA (.dae), by what the file begins with and its ending. Polygons are cut into triangles.
 *  scale multiplies all coordinates; points that differ by rounding are joined (STL: by 1e-5 of the size). A negative scale
 *  mirrors, and keeps the outside outside. */
CRN_API crn_status crn_io_read_mesh(const char *path, crn_vec3 scale, const crn_allocator *allocator,
                                    crn_mesh_data *mesh, crn_error *error);
/** The same from memory; name tells the format by its ending, and what messages call it. */
CRN_API crn_status crn_io_read_mesh_text(const char *text, size_t length, const char *name, crn_vec3 scale,
                                         const crn_allocator *allocator, crn_mesh_data *mesh, crn_error *error);
CRN_API void crn_mesh_data_free(crn_mesh_data *mesh); /* NULL is fine */

/* --- Robots: URDF and MJCF into a model --- */

/** How a robot is put into a model. Fill with crn_robot_options_default(), then change fields. */
typedef struct crn_robot_options {
    crn_pose pose;            /* of the robot's root frame in the world */
    bool is_fixed;            /* URDF: weld the root to the world; MJCF says so itself */
    bool self_collision;      /* URDF: do links of the robot touch each other? MJCF says so itself */
    const char *prefix;       /* of all names in the model; NULL: none */
    const char *package_path; /* what package://NAME/ stands for; NULL: looked for from the file's folder upwards */
    double friction;          /* URDF, which has none: mu of all shapes */
    bool skip_missing_meshes; /* leave shapes out whose file is missing, with a warning, instead of failing */
    crn_io_warning warn;      /* may be NULL */
    void *user;
    bool has_pictures; /* URDF: read <visual> too, for pages; what is missing is told, and left out */
    bool
        is_strict; /* fail at the end with the first warning, instead of doing without; pictures and solvers' parameters do not count */
} crn_robot_options;

CRN_API crn_robot_options crn_robot_options_default(void); /* at the origin, floating, friction 0.5, meshes needed */

/** Add a robot to a model: links become bodies, joints joints in trees. The message names file, line and element. On
 *  failure the model may hold a part of the robot. options NULL: defaults. MJCF also sets gravity and step of the world if
 *  the model is empty. */
CRN_API crn_status crn_io_read_urdf(const char *path, const crn_robot_options *options, crn_model *model,
                                    crn_error *error);
CRN_API crn_status crn_io_read_mjcf(const char *path, const crn_robot_options *options, crn_model *model,
                                    crn_error *error);
/** Either of them, by the first element of the file. */
CRN_API crn_status crn_io_read_robot(const char *path, const crn_robot_options *options, crn_model *model,
                                     crn_error *error);
/** The same from memory; path: where relative files are looked for, and what messages call it. */
CRN_API crn_status crn_io_read_urdf_text(const char *text, size_t length, const char *path,
                                         const crn_robot_options *options, crn_model *model, crn_error *error);
CRN_API crn_status crn_io_read_mjcf_text(const char *text, size_t length, const char *path,
                                         const crn_robot_options *options, crn_model *model, crn_error *error);

#ifdef __cplusplus
}
#endif

#endif
