/* Binary glTF: a header of 12 bytes, then the JSON and the bytes as chunks, each with its length and kind, both filled up
 * to a multiple of 4. All numbers are little-endian. */
#include "io/gltf.h"

#include "base/memory.h"
#include "text/bytes.h"

#include <math.h>

enum {
    HEADER_SIZE = 12,
    CHUNK_HEAD_SIZE = 8,
    FLOAT_NUMBERS = 5126, /* kinds of numbers in accessors */
    SHORT_NUMBERS = 5123,
    INT_NUMBERS = 5125,
    SHORT_POINTS = 65535 /* the index 65535 itself is not allowed */
};
#define MAGIC      0x46546C67u /* "glTF" */
#define JSON_CHUNK 0x4E4F534Au /* "JSON" */
#define BIN_CHUNK  0x004E4942u /* "BIN" */

static const char *const list_name[CRN_GLTF_LISTS] = {
    [CRN_GLTF_NODES] = "nodes",       [CRN_GLTF_MESHES] = "meshes",     [CRN_GLTF_MATERIALS] = "materials",
    [CRN_GLTF_CHANNELS] = "channels", [CRN_GLTF_SAMPLERS] = "samplers", [CRN_GLTF_ACCESSORS] = "accessors",
    [CRN_GLTF_VIEWS] = "bufferViews",
};

/* --- Lists --- */

crn_gltf crn_gltf_begin(const crn_allocator *allocator)
{
    crn_gltf gltf = {.allocator = crn_io_allocator(allocator)};
    for (int k = 0; k < CRN_GLTF_LISTS; ++k) {
        gltf.list[k].allocator = gltf.allocator;
    }
    return gltf;
}

void crn_gltf_free(crn_gltf *gltf)
{
    for (int k = 0; k < CRN_GLTF_LISTS; ++k) {
        crn_release(&gltf->allocator, gltf->list[k].text);
        gltf->list[k].text = NULL;
    }
    crn_release(&gltf->allocator, gltf->bytes);
    gltf->bytes = NULL;
}

crn_scene_out *crn_gltf_item(crn_gltf *gltf, crn_gltf_list list, int *index)
{
    crn_scene_out *out = &gltf->list[list];
    crn_scene_put(out, gltf->count[list] == 0 ? "" : ",\n");
    crn_scene_begin(out);
    *index = gltf->count[list]++;
    return out;
}

static void put_whole(crn_scene_out *out, const char *key, unsigned long long value)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%llu", value);
    crn_scene_key(out, key);
    crn_scene_put(out, text);
}

void crn_gltf_put_index(crn_scene_out *out, const char *key, int index)
{
    if (index >= 0) {
        put_whole(out, key, (unsigned long long)index);
    }
}

/* --- Bytes --- */

/* Room for more bytes at the end; NULL if there is no memory. Every piece begins at a multiple of 4. */
static unsigned char *take_bytes(crn_gltf *g, size_t size)
{
    size_t needed = g->length + (size + 3) / 4 * 4;
    if (needed > g->capacity && !g->is_short) {
        size_t capacity = g->capacity + g->capacity / 2 > needed ? g->capacity + g->capacity / 2 : needed;
        unsigned char *grown = (unsigned char *)g->allocator.resize(g->allocator.user, g->bytes, capacity);
        g->is_short = grown == NULL;
        g->bytes = grown != NULL ? grown : g->bytes;
        g->capacity = grown != NULL ? capacity : g->capacity;
    }
    if (g->is_short) {
        return NULL;
    }
    unsigned char *at = g->bytes + g->length;
    memset(at, 0, needed - g->length);
    g->length = needed;
    return at;
}

static int add_view(crn_gltf *g, size_t size, crn_gltf_use use)
{
    int index;
    crn_scene_out *out = crn_gltf_item(g, CRN_GLTF_VIEWS, &index);
    put_whole(out, "buffer", 0);
    put_whole(out, "byteOffset", g->length);
    put_whole(out, "byteLength", size);
    if (use != CRN_GLTF_MOTION) {
        put_whole(out, "target", (unsigned long long)use);
    }
    crn_scene_end(out);
    return index;
}

static crn_scene_out *begin_accessor(crn_gltf *g, int view, int number, int count, const char *type, int *index)
{
    crn_scene_out *out = crn_gltf_item(g, CRN_GLTF_ACCESSORS, index);
    crn_gltf_put_index(out, "bufferView", view);
    crn_gltf_put_index(out, "componentType", number);
    crn_gltf_put_index(out, "count", count);
    crn_scene_key(out, "type");
    crn_scene_put_string(out, type);
    return out;
}

static void put_bounds(crn_gltf *g, crn_scene_out *out, const float *values, int count, int width)
{
    double low[4] = {0}, high[4] = {0};
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < width; ++k) {
            double value = (double)values[(size_t)i * (size_t)width + (size_t)k];
            low[k] = i == 0 || value < low[k] ? value : low[k];
            high[k] = i == 0 || value > high[k] ? value : high[k];
            g->is_huge = g->is_huge || !isfinite(value);
        }
    }
    crn_scene_key(out, "min");
    crn_scene_put_reals(out, low, (size_t)width);
    crn_scene_key(out, "max");
    crn_scene_put_reals(out, high, (size_t)width);
}

int crn_gltf_floats(crn_gltf *gltf, crn_gltf_use use, const float *values, int count, int width)
{
    static const char *const type[] = {NULL, "SCALAR", NULL, "VEC3", "VEC4"};
    size_t numbers = (size_t)count * (size_t)width;
    int view = add_view(gltf, 4 * numbers, use), index;
    crn_scene_out *out = begin_accessor(gltf, view, FLOAT_NUMBERS, count, type[width], &index);
    put_bounds(gltf, out, values, count, width);
    crn_scene_end(out);
    unsigned char *at = take_bytes(gltf, 4 * numbers);
    for (size_t i = 0; at != NULL && i < numbers; ++i) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        crn_put_u32(at + 4 * i, bits);
    }
    return index;
}

int crn_gltf_corners(crn_gltf *gltf, const int *corners, int count, int points)
{
    bool is_short = points <= SHORT_POINTS;
    size_t each = is_short ? 2 : 4;
    int view = add_view(gltf, each * (size_t)count, CRN_GLTF_INDICES), index;
    crn_scene_end(begin_accessor(gltf, view, is_short ? SHORT_NUMBERS : INT_NUMBERS, count, "SCALAR", &index));
    unsigned char *at = take_bytes(gltf, each * (size_t)count);
    for (int i = 0; at != NULL && i < count; ++i) {
        uint32_t corner = (uint32_t)corners[i];
        if (is_short) {
            at[2 * (size_t)i] = (unsigned char)(corner & 0xFFU);
            at[2 * (size_t)i + 1] = (unsigned char)(corner >> 8);
        } else {
            crn_put_u32(at + 4 * (size_t)i, corner);
        }
    }
    return index;
}

/* --- The file --- */

static void put_list(const crn_gltf *g, crn_scene_out *out, crn_gltf_list list)
{
    if (g->count[list] > 0 && g->list[list].text != NULL) {
        crn_scene_key(out, list_name[list]);
        crn_scene_put(out, "[\n");
        crn_scene_put(out, g->list[list].text);
        crn_scene_put(out, "\n]");
    }
}

static void put_animation(const crn_gltf *g, crn_scene_out *out)
{
    if (g->count[CRN_GLTF_CHANNELS] > 0) {
        crn_scene_key(out, "animations");
        crn_scene_put(out, "[");
        crn_scene_begin(out);
        crn_scene_key(out, "name");
        crn_scene_put_string(out, "motion");
        put_list(g, out, CRN_GLTF_CHANNELS);
        put_list(g, out, CRN_GLTF_SAMPLERS);
        crn_scene_end(out);
        crn_scene_put(out, "]");
    }
}

static void put_json(const crn_gltf *g, crn_scene_out *out)
{
    char generator[64];
    (void)snprintf(generator, sizeof generator, "cairn %s", crn_version());
    crn_scene_begin(out);
    crn_scene_key(out, "asset");
    crn_scene_begin(out);
    crn_scene_key(out, "version");
    crn_scene_put_string(out, "2.0");
    crn_scene_key(out, "generator");
    crn_scene_put_string(out, generator);
    crn_scene_end(out);
    put_whole(out, "scene", 0);
    crn_scene_key(out, "scenes");
    crn_scene_put(out, "[{\"nodes\": [0]}]");
    put_list(g, out, CRN_GLTF_NODES);
    put_list(g, out, CRN_GLTF_MESHES);
    put_list(g, out, CRN_GLTF_MATERIALS);
    put_animation(g, out);
    put_list(g, out, CRN_GLTF_ACCESSORS);
    put_list(g, out, CRN_GLTF_VIEWS);
    if (g->length > 0) {
        crn_scene_key(out, "buffers");
        crn_scene_put(out, "[");
        crn_scene_begin(out);
        put_whole(out, "byteLength", g->length);
        crn_scene_end(out);
        crn_scene_put(out, "]");
    }
    crn_scene_end(out);
    for (int more = (int)(out->length % 4); more > 0 && more < 4; ++more) {
        crn_scene_put(out, " ");
    }
}

static void write_chunk(FILE *file, uint32_t kind, const void *bytes, size_t size)
{
    unsigned char head[CHUNK_HEAD_SIZE];
    crn_put_u32(head, (uint32_t)size);
    crn_put_u32(head + 4, kind);
    (void)fwrite(head, 1, sizeof head, file);
    (void)fwrite(bytes, 1, size, file);
}

static void write_chunks(const crn_gltf *g, const crn_scene_out *json, size_t total, FILE *file)
{
    unsigned char head[HEADER_SIZE];
    crn_put_u32(head, MAGIC);
    crn_put_u32(head + 4, 2);
    crn_put_u32(head + 8, (uint32_t)total);
    (void)fwrite(head, 1, sizeof head, file);
    write_chunk(file, JSON_CHUNK, json->text, json->length);
    if (g->length > 0) {
        write_chunk(file, BIN_CHUNK, g->bytes, g->length);
    }
}

static bool lacks_memory(const crn_gltf *g)
{
    bool is_short = g->is_short;
    for (int k = 0; k < CRN_GLTF_LISTS; ++k) {
        is_short = is_short || g->list[k].is_full;
    }
    return is_short;
}

crn_status crn_gltf_write(crn_gltf *gltf, FILE *file, const char *path, crn_error *error)
{
    crn_scene_out json = {.allocator = gltf->allocator};
    put_json(gltf, &json);
    crn_status status = CRN_OK;
    size_t total = HEADER_SIZE + 2 * (size_t)CHUNK_HEAD_SIZE + json.length + gltf->length;
    total -= gltf->length == 0 ? CHUNK_HEAD_SIZE : 0;
    if (json.is_full || lacks_memory(gltf)) {
        status = crn_fail(error, CRN_ERR_MEMORY, "%s: out of memory", path);
    } else if (gltf->is_huge) {
        status = crn_fail(error, CRN_ERR_UNSUPPORTED, "%s: a position is too large for glTF", path);
    } else if (total > UINT32_MAX) {
        status = crn_fail(error, CRN_ERR_UNSUPPORTED, "%s: more than the 4 GB of a glTF file", path);
    } else {
        write_chunks(gltf, &json, total, file); /* closing it finds out whether it could be written */
    }
    crn_release(&gltf->allocator, json.text);
    return status;
}
