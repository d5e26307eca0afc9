/* A mesh that grows while its file is read: points, triangles, corners of the polygon at hand. */
#include "robots/mesh_file.h"

#include "base/memory.h"

#include <limits.h>
#include <string.h>

crn_status crn_mesh_no_memory(const crn_mesh_reader *reader)
{
    return crn_fail(reader->error, CRN_ERR_MEMORY, "%s: no memory for the mesh", reader->source->name);
}

/* Room for one more of `size` bytes at *array. */
static bool has_room(crn_mesh_reader *reader, void **array, int *capacity, int count, size_t size)
{
    return count < INT_MAX && crn_reserve(&reader->allocator, array, capacity, count + 1, size);
}

crn_status crn_mesh_add_point(crn_mesh_reader *reader, const double point[3])
{
    crn_mesh_data *m = reader->mesh;
    void *array = m->points;
    bool fits = has_room(reader, &array, &reader->point_capacity, m->count, 3 * sizeof(double));
    m->points = array;
    if (!fits) {
        return crn_mesh_no_memory(reader);
    }
    memcpy(m->points + 3 * (size_t)m->count++, point, 3 * sizeof(double));
    return CRN_OK;
}

crn_status crn_mesh_add_triangle(crn_mesh_reader *reader, int a, int b, int c)
{
    crn_mesh_data *m = reader->mesh;
    void *array = m->triangles;
    bool fits = has_room(reader, &array, &reader->triangle_capacity, m->triangle_count, 3 * sizeof(int));
    m->triangles = array;
    if (!fits) {
        return crn_mesh_no_memory(reader);
    }
    int *to = m->triangles + 3 * (size_t)m->triangle_count++;
    to[0] = a;
    to[1] = b;
    to[2] = c;
    return CRN_OK;
}

crn_status crn_mesh_add_corner(crn_mesh_reader *reader, int point)
{
    void *array = reader->corner;
    bool fits = has_room(reader, &array, &reader->corner_capacity, reader->corners, sizeof(int));
    reader->corner = array;
    if (!fits) {
        return crn_mesh_no_memory(reader);
    }
    reader->corner[reader->corners++] = point;
    return CRN_OK;
}
