/* Mesh files: a mesh that grows while a file is read, and the readers.
 *
 *   mesh_file.c     which format; scale; the public functions
 *   mesh_grow.c     the mesh that grows
 *   mesh_obj.c      OBJ
 *   mesh_stl.c      STL, text and binary
 *   mesh_dae.c      COLLADA
 *   mesh_near.c     joining points that differ by rounding
 *   mesh_ply.c      PLY: header and elements
 *   mesh_polygon.c  polygons into triangles
 *
 * Coordinates are as in the file until all is read; then they are scaled. */
#ifndef CAIRN_ROBOTS_MESH_FILE_H
#define CAIRN_ROBOTS_MESH_FILE_H

#include <cairn/robot_files.h>

#include "text/text.h"

typedef struct crn_mesh_reader {
    const crn_io_source *source;
    crn_allocator allocator;
    crn_mesh_data *mesh;
    int point_capacity, triangle_capacity;
    int *corner; /* of the polygon being read */
    int corners, corner_capacity;
    struct crn_mesh_ear *ear; /* scratch of mesh_polygon.c */
    int ear_capacity;
    crn_error *error;
} crn_mesh_reader;

crn_status crn_mesh_add_point(crn_mesh_reader *reader, const double point[3]);
crn_status crn_mesh_add_triangle(crn_mesh_reader *reader, int a, int b, int c);

/* A corner of the polygon being read. */
crn_status crn_mesh_add_corner(crn_mesh_reader *reader, int point);

/* Cut the polygon of the corners into triangles; there are none afterwards. where: for messages, "line 3" or the like. */
crn_status crn_mesh_add_polygon(crn_mesh_reader *reader, const char *where);

crn_status crn_mesh_no_memory(const crn_mesh_reader *reader);

/* Join points nearer than tolerance, relative to the longest side of the bounds: triangles then lead to the first of them. */
crn_status crn_mesh_join_near(crn_mesh_reader *reader, double tolerance);

crn_status crn_mesh_read_obj(crn_mesh_reader *reader);
crn_status crn_mesh_read_stl_text(crn_mesh_reader *reader);
crn_status crn_mesh_read_stl_binary(crn_mesh_reader *reader);
crn_status crn_mesh_read_ply(crn_mesh_reader *reader);
crn_status crn_mesh_read_dae(crn_mesh_reader *reader);

/* Is the number of triangles in the header what the size says? */
bool crn_mesh_is_stl_binary(const crn_io_source *source);

/* The four bytes as a number of single precision, lowest byte first. */
float crn_mesh_get_f32(const unsigned char *at);

#endif
