/* Reading a mesh file: which format is it, read it, scale it. */
#include "robots/mesh_file.h"

#include <cairn/file_format.h>

#include "base/memory.h"

#include <math.h>
#include <string.h>

/* --- Scale --- */

/* Points of OBJ, PLY and COLLADA that are one but for the noise of a computation, relative to the longest side of the bounds: below the
 * spacing of single precision, so that what a file keeps apart stays apart. */
#define NOISE 1e-9

/* A mirror image has its triangles the other way round. */
static crn_status scale_mesh(crn_mesh_reader *reader, crn_vec3 scale)
{
    crn_mesh_data *m = reader->mesh;
    const double factor[3] = {scale.x, scale.y, scale.z};
    for (size_t k = 0; k < 3 * (size_t)m->count; ++k) {
        m->points[k] *= factor[k % 3];
        if (!isfinite(m->points[k])) {
            return crn_fail(reader->error, CRN_ERR_FORMAT, "%s: point %zu: not finite when scaled",
                            reader->source->name, k / 3);
        }
    }
    bool is_mirror = (scale.x < 0.0) != ((scale.y < 0.0) != (scale.z < 0.0));
    for (size_t t = 0; is_mirror && t < (size_t)m->triangle_count; ++t) {
        int swap = m->triangles[3 * t + 1];
        m->triangles[3 * t + 1] = m->triangles[3 * t + 2];
        m->triangles[3 * t + 2] = swap;
    }
    return CRN_OK;
}

/* --- Formats --- */

static bool starts_with(const crn_io_source *source, const char *text)
{
    size_t length = strlen(text);
    return source->size >= length && memcmp(source->text, text, length) == 0;
}

/* What a file begins with decides before its ending: binary STL may begin with "solid" too, but has its own size. */
static crn_status read_by_format(crn_mesh_reader *reader)
{
    const crn_io_source *source = reader->source;
    crn_file_format format = crn_file_format_of(source->name);
    if (starts_with(source, "ply\n") || starts_with(source, "ply\r")) {
        crn_status status = crn_mesh_read_ply(reader);
        return status == CRN_OK ? crn_mesh_join_near(reader, NOISE) : status;
    }
    if (format == CRN_FILE_OBJ) {
        crn_status status = crn_mesh_read_obj(reader);
        return status == CRN_OK ? crn_mesh_join_near(reader, NOISE) : status;
    }
    if (format == CRN_FILE_DAE) {
        crn_status status = crn_mesh_read_dae(reader);
        return status == CRN_OK ? crn_mesh_join_near(reader, NOISE) : status;
    }
    if (crn_mesh_is_stl_binary(source)) {
        return crn_mesh_read_stl_binary(reader);
    }
    if (starts_with(source, "solid")) {
        return crn_mesh_read_stl_text(reader);
    }
    if (format == CRN_FILE_STL) {
        return crn_mesh_read_stl_binary(reader); /* says what is wrong with its size */
    }
    if (format == CRN_FILE_PLY) {
        return crn_fail(reader->error, CRN_ERR_FORMAT, "%s:1: must begin with a line 'ply'", source->name);
    }
    return crn_fail(reader->error, CRN_ERR_UNSUPPORTED,
                    "%s: not OBJ, STL, PLY or COLLADA (.dae): other mesh files are not read", source->name);
}

static crn_status parse_mesh(const crn_io_source *source, crn_vec3 scale, const crn_allocator *allocator,
                             crn_mesh_data *mesh, crn_error *error)
{
    mesh->allocator = *allocator;
    crn_mesh_reader reader = {.source = source, .allocator = *allocator, .mesh = mesh, .error = error};
    crn_status status = read_by_format(&reader);
    if (status == CRN_OK && mesh->triangle_count == 0) {
        status = crn_fail(error, CRN_ERR_FORMAT, "%s: has no triangles", source->name);
    }
    status = status == CRN_OK ? scale_mesh(&reader, scale) : status;
    crn_release(&reader.allocator, reader.corner);
    crn_release(&reader.allocator, reader.ear);
    if (status != CRN_OK) {
        crn_mesh_data_free(mesh);
    }
    return status;
}

/* --- Public functions --- */

static crn_status check_scale(crn_vec3 scale, crn_error *error)
{
    bool is_good = isfinite(scale.x) && isfinite(scale.y) && isfinite(scale.z) && scale.x != 0.0 && scale.y != 0.0 &&
                   scale.z != 0.0;
    return is_good ? CRN_OK
                   : crn_fail(error, CRN_ERR_ARGUMENT, "scale: must be finite and not 0, but is (%g, %g, %g)", scale.x,
                              scale.y, scale.z);
}

crn_status crn_io_read_mesh_text(const char *text, size_t length, const char *name, crn_vec3 scale,
                                 const crn_allocator *allocator, crn_mesh_data *mesh, crn_error *error)
{
    crn_clear(error);
    if (mesh == NULL || (text == NULL && length > 0)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s: NULL", mesh == NULL ? "mesh" : "text");
    }
    *mesh = (crn_mesh_data){0};
    crn_allocator hooks = crn_io_allocator(allocator);
    crn_io_source source = {.name = name != NULL ? name : "mesh", .text = text, .size = length};
    crn_status status = check_scale(scale, error);
    return status == CRN_OK ? parse_mesh(&source, scale, &hooks, mesh, error) : status;
}

crn_status crn_io_read_mesh(const char *path, crn_vec3 scale, const crn_allocator *allocator, crn_mesh_data *mesh,
                            crn_error *error)
{
    crn_clear(error);
    if (mesh == NULL || path == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s: NULL", mesh == NULL ? "mesh" : "path");
    }
    *mesh = (crn_mesh_data){0};
    crn_allocator hooks = crn_io_allocator(allocator);
    crn_io_source source;
    crn_status status = check_scale(scale, error);
    status = status == CRN_OK ? crn_io_load(path, &hooks, &source, error) : status;
    if (status == CRN_OK) {
        status = parse_mesh(&source, scale, &hooks, mesh, error);
        crn_io_unload(&hooks, &source);
    }
    return status;
}

void crn_mesh_data_free(crn_mesh_data *mesh)
{
    if (mesh == NULL) {
        return;
    }
    crn_release(&mesh->allocator, mesh->points);
    crn_release(&mesh->allocator, mesh->triangles);
    *mesh = (crn_mesh_data){0};
}
