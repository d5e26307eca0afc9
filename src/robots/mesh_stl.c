/* STL, which has three corners for each triangle and no word on who shares them.
 *
 *   text    solid NAME / facet normal x y z / outer loop / vertex x y z, three times / endloop / endfacet / endsolid NAME
 *   binary  80 bytes of anything, the number of triangles (4), then for each: normal (12), corners (36), two bytes of anything
 *
 * Normals are not read: they follow from the corners, counter-clockwise seen from outside. Corners that differ by the
 * rounding of single precision, and by what exporters make of it, are joined. */
#include "robots/mesh_file.h"

#include "text/bytes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* How far apart corners may be that are one, relative to the longest side of the bounds: real files have gaps of some 1e-6,
 * and features are coarser than 1e-5. */
#define NEAR 1e-5

enum { HEADER = 84, TRIANGLE = 50, CORNERS = 12, COUNT = 80 };

/* --- Text --- */

static crn_status read_corners(crn_mesh_reader *reader, crn_io_text *text, const crn_io_word *word)
{
    double point[3];
    crn_status status = crn_io_text_reals(text, "vertex", CRN_IO_FINITE, 3, point);
    if (status == CRN_OK && reader->corners >= 3) {
        status = crn_io_text_fail(text, word->line, "vertex", "a facet has 3, this is one more");
    }
    status = status == CRN_OK ? crn_mesh_add_point(reader, point) : status;
    return status == CRN_OK ? crn_mesh_add_corner(reader, reader->mesh->count - 1) : status;
}

static crn_status end_facet(crn_mesh_reader *reader, crn_io_text *text, const crn_io_word *word)
{
    if (reader->corners != 3) {
        return crn_io_text_fail(text, word->line, "endfacet", "a facet has 3 vertices, this one %d", reader->corners);
    }
    const int *corner = reader->corner;
    reader->corners = 0;
    return crn_mesh_add_triangle(reader, corner[0], corner[1], corner[2]);
}

crn_status crn_mesh_read_stl_text(crn_mesh_reader *reader)
{
    crn_io_text text = crn_io_text_begin(reader->source, '\0', reader->error);
    crn_io_word word = {.line = 1};
    crn_status status = CRN_OK;
    reader->corners = 0;
    while (status == CRN_OK && crn_io_text_word(&text, &word)) {
        if (crn_io_word_is(&word, "vertex")) {
            status = read_corners(reader, &text, &word);
        } else if (crn_io_word_is(&word, "endfacet")) {
            status = end_facet(reader, &text, &word);
        } else if (crn_io_word_is(&word, "solid") || crn_io_word_is(&word, "endsolid") ||
                   crn_io_word_is(&word, "facet")) {
            (void)crn_io_text_rest_of_line(&text);
        } else if (!crn_io_word_is(&word, "outer") && !crn_io_word_is(&word, "loop") &&
                   !crn_io_word_is(&word, "endloop")) {
            char seen[CRN_IO_WORD_SHOWN + 4];
            status =
                crn_io_text_fail(&text, word.line, "facet", "'%s' is not a word of STL", crn_io_word_show(&word, seen));
        }
    }
    if (status == CRN_OK && reader->corners > 0) {
        status = crn_io_text_fail(&text, text.line, "facet", "the file ends in the middle of one");
    }
    return status == CRN_OK ? crn_mesh_join_near(reader, NEAR) : status;
}

/* --- Binary --- */

float crn_mesh_get_f32(const unsigned char *at)
{
    uint32_t bits = crn_get_u32(at);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t claimed_count(const crn_io_source *source)
{
    return crn_get_u32((const unsigned char *)source->text + COUNT);
}

bool crn_mesh_is_stl_binary(const crn_io_source *source)
{
    return source->size >= HEADER && (uint64_t)source->size == HEADER + (uint64_t)TRIANGLE * claimed_count(source);
}

static crn_status read_facet(crn_mesh_reader *reader, uint32_t facet)
{
    const size_t at = HEADER + (size_t)TRIANGLE * facet + CORNERS;
    const unsigned char *corner = (const unsigned char *)reader->source->text + at;
    crn_status status = CRN_OK;
    for (int i = 0; i < 3 && status == CRN_OK; ++i) {
        double point[3];
        for (int k = 0; k < 3; ++k) {
            size_t offset = 4 * (size_t)(3 * i + k);
            point[k] = (double)crn_mesh_get_f32(corner + offset);
            if (!isfinite(point[k])) {
                return crn_fail(reader->error, CRN_ERR_FORMAT, "%s: byte %zu: triangle %lu: corner %d is not finite",
                                reader->source->name, at + offset, (unsigned long)facet, i);
            }
        }
        status = crn_mesh_add_point(reader, point);
    }
    int last = reader->mesh->count;
    return status == CRN_OK ? crn_mesh_add_triangle(reader, last - 3, last - 2, last - 1) : status;
}

crn_status crn_mesh_read_stl_binary(crn_mesh_reader *reader)
{
    const crn_io_source *source = reader->source;
    if (source->size < HEADER) {
        return crn_fail(reader->error, CRN_ERR_FORMAT, "%s: %zu bytes are too short for STL", source->name,
                        source->size);
    }
    uint32_t count = claimed_count(source);
    if (!crn_mesh_is_stl_binary(source)) {
        unsigned long long size = HEADER + TRIANGLE * (unsigned long long)count;
        return crn_fail(reader->error, CRN_ERR_FORMAT,
                        "%s: byte 80: %lu triangles take %llu bytes, but the file has %zu", source->name,
                        (unsigned long)count, size, source->size);
    }
    crn_status status = CRN_OK;
    for (uint32_t i = 0; i < count && status == CRN_OK; ++i) {
        status = read_facet(reader, i);
    }
    return status == CRN_OK ? crn_mesh_join_near(reader, NEAR) : status;
}
