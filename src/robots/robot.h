/* What readers of robot files share: messages that are said once, files beside the robot's, meshes as shapes. */
#ifndef CRN_ROBOTS_ROBOT_H
#define CRN_ROBOTS_ROBOT_H

#include <cairn/robot_files.h>

#include "text/source.h"
#include "text/xml.h"

/* --- Warnings, once by name (robot.c) --- */

/* Distinct warnings of a file; behind them one more says that there are others. */
enum { CRN_ROBOT_WARNINGS_MOST = 100 };

typedef struct crn_robot_warnings {
    crn_io_warning warn; /* NULL: nobody listens */
    void *user;
    const char *key[CRN_ROBOT_WARNINGS_MOST]; /* what has been said; strings that outlive this */
    const char *owner[CRN_ROBOT_WARNINGS_MOST];
    int count;
    bool is_full;
    bool is_strict;    /* the first one is the reader's failure at the end: */
    crn_error refused; /* OK: there was none */
} crn_robot_warnings;

/* Say "file:line: <element>: message" unless it was said of this owner and key before. */
void crn_robot_warn(crn_robot_warnings *warnings, const crn_xml *xml, const crn_xml_node *node, const char *owner,
                    const char *key, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 6, 7)))
#endif
    ;

/* The same about what does not change how the robot moves: no failure where the options are strict. */
void crn_robot_note(crn_robot_warnings *warnings, const crn_xml *xml, const crn_xml_node *node, const char *owner,
                    const char *key, const char *what);

/* Fail with what strict options refuse. */
crn_status crn_robot_refuse(const crn_robot_warnings *warnings, crn_error *error);

/* --- Files (robot_file.c) --- */

enum { CRN_ROBOT_PATH_SIZE = 4096 };

/* Is there such a file? Folders are none, nor are pipes and devices: a hostile file could name one that never ends. The second asks
 * for these. */
bool crn_robot_is_file(const char *path);
bool crn_robot_is_special(const char *path);

/* Where a file that the robot's names is: relative to the robot's folder; package://NAME/ and model://NAME/ in
 * package_path, or, if that is NULL, looked for from the robot's folder upwards. False: no such file; path then holds the
 * place where it should have been. */
bool crn_robot_find_file(const char *robot, const char *package_path, const char *name, char path[CRN_ROBOT_PATH_SIZE]);

/* --- Meshes (robot_mesh.c) --- */

/* What has become of a mesh. */
typedef enum crn_robot_mesh_kind {
    CRN_ROBOT_MESH_SOLID = 0, /* exactly: as a closed mesh, or as the hull that it is */
    CRN_ROBOT_MESH_OPEN,      /* the convex hull: the mesh is not closed */
    CRN_ROBOT_MESH_CROSSED,   /* the convex hull: the mesh passes through itself */
    CRN_ROBOT_MESH_LARGE      /* the convex hull: the mesh has too many triangles */
} crn_robot_mesh_kind;

/* Triangles beyond which a mesh that is not convex is replaced by its hull: pairs of such meshes cost too much. */
enum { CRN_ROBOT_TRIANGLES_MOST = 10000 };

/* Read a mesh and make it a shape; shape points into data, which the caller frees. */
crn_status crn_robot_read_mesh(const char *path, crn_vec3 scale, const crn_allocator *allocator, crn_mesh_data *data,
                               crn_shape_def *shape, crn_robot_mesh_kind *kind, crn_error *error);

#endif
