/* Any bytes as a mesh file: the first byte chooses the name's ending, the rest is the file.
 *
 * Nothing may crash, leak or take long; a failure must leave nothing and a message of one line that names the file. What is
 * read must have triangles that lead to points, and is inspected and made into a shape, whose distance to points near it
 * must be that of its nearest point. */
#include "collide/mesh/mesh.h"
#include "io/io_room.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void demand(bool condition)
{
    if (!condition) {
        abort();
    }
}

static void check_distances(const crn_shape *shape)
{
    const crn_mesh *m = shape->mesh;
    for (int k = 0; k < 4; ++k) {
        crn_vec3 v = m->vertex[k * 7 % m->vertices], q;
        crn_vec3 p = crn_v3_add(v, crn_v3_scale(0.1 * m->size, crn_v3(0.3 * k, 0.5 - 0.2 * k, 0.1)));
        double distance = crn_mesh_distance(m, p, &q);
        demand(isfinite(distance));
        demand(fabs(fabs(distance) - crn_v3_length(crn_v3_sub(p, q))) <= 1e-9 * m->size);
        demand(fabs(distance) <= crn_v3_length(crn_v3_sub(p, v)) + 1e-9 * m->size);
    }
}

static void check_features(const crn_mesh *m)
{
    for (int t = 0; t < m->triangles; ++t) {
        demand(fabs(crn_v3_length(m->normal[t]) - 1.0) < 1e-9);
    }
    for (int v = 0; v < m->vertices; ++v) {
        demand(fabs(crn_v3_length(m->pseudo[v]) - 1.0) < 1e-9);
    }
    for (int e = 0; e < m->edges; ++e) {
        demand(fabs(crn_v3_length(m->edge[e].middle) - 1.0) < 1e-9 && m->edge[e].half >= 0.0);
    }
}

static void use(const crn_mesh_data *data)
{
    crn_shape_def def = {.kind = CRN_SHAPE_MESH,
                         .points = data->points,
                         .count = data->count,
                         .triangles = data->triangles,
                         .triangle_count = data->triangle_count};
    crn_mesh_report report;
    crn_shape *shape = NULL;
    crn_error error = {.status = CRN_OK};
    crn_status status = crn_mesh_inspect(&def, NULL, &report, &error);
    demand(error.status == status);
    if (status == CRN_OK) {
        demand(report.triangles > 0 && report.shells > 0 && isfinite(report.volume));
    }
    if (crn_shape_create(&def, NULL, &shape, &error) == CRN_OK) {
        demand(crn_shape_is_solid(shape) == (report.open_edges == 0));
        check_features(shape->mesh);
        check_distances(shape);
    }
    crn_shape_destroy(shape);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char *const names[4] = {"m.obj", "m.stl", "m.ply", "m.dae"};
    if (size == 0) {
        return 0;
    }
    crn_mesh_data data;
    crn_error error = {.status = CRN_OK};
    crn_vec3 scale = {1.0, bytes[0] & 4 ? -2.0 : 1.0, 1.0};
    crn_status status =
        crn_io_read_mesh_text((const char *)bytes + 1, size - 1, names[bytes[0] & 3], scale, NULL, &data, &error);
    demand(error.status == status);
    if (status != CRN_OK) {
        demand(data.points == NULL && data.triangles == NULL && strchr(error.text, '\n') == NULL);
        demand(strncmp(error.text, "m.", 2) == 0);
        return 0;
    }
    demand(data.triangle_count > 0);
    for (size_t k = 0; k < 3 * (size_t)data.triangle_count; ++k) {
        demand(data.triangles[k] >= 0 && data.triangles[k] < data.count);
    }
    use(&data);
    crn_mesh_data_free(&data);
    return 0;
}
