/* The header of a recording as bytes; recording.h has the layout. */
#include "io/recording.h"

#include "text/bytes.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* A byte with the high bit, line ends of both kinds and an end-of-file mark: transfers that change such bytes are seen at
 * once. */
static const unsigned char magic[8] = {0x89, 'C', 'R', 'N', '\r', '\n', 0x1A, '\n'};

/* Bytes 4, 3, 2, 1 in a little-endian file. */
#define ORDER         UINT32_C(0x01020304)
#define ORDER_SWAPPED UINT32_C(0x04030201)

/* Bits of flags. */
#define FLAG_PLANAR UINT32_C(1)

/* Where the header's checksum stands. */
enum { CHECKSUM_AT = CRN_RECORDING_HEADER_SIZE - 4 };

size_t crn_recording_header_size(size_t scene_size, size_t list_size)
{
    return CRN_RECORDING_HEADER_SIZE + (size_t)(crn_recording_filled(scene_size) + crn_recording_filled(list_size));
}

void crn_recording_put_header(const crn_recording_header *header, const crn_recording_layout *layout,
                              crn_recording_seal *seal, unsigned char *bytes)
{
    size_t scene_size = header->scene != NULL ? strlen(header->scene) : 0;
    size_t list_size = crn_recording_list(layout, NULL, 0);
    char *scene = (char *)bytes + CRN_RECORDING_HEADER_SIZE, *list = scene + crn_recording_filled(scene_size);
    memset(bytes, 0, crn_recording_header_size(scene_size, list_size));
    memcpy(bytes, magic, sizeof magic);
    crn_put_u32(bytes + 8, CRN_RECORDING_VERSION);
    crn_put_u32(bytes + 12, ORDER);
    crn_put_u32(bytes + 16, header->is_planar ? FLAG_PLANAR : 0);
    crn_put_u32(bytes + 20, (uint32_t)header->bodies);
    crn_put_f64(bytes + 24, header->dt);
    crn_put_u32(bytes + 32, (uint32_t)header->every);
    crn_put_u64(bytes + 40, scene_size);
    crn_put_u64(bytes + 48, list_size);
    if (scene_size > 0) {
        memcpy(scene, header->scene, scene_size);
    }
    (void)crn_recording_list(layout, list, list_size);
    (void)crn_recording_check_header(bytes, scene, (size_t)crn_recording_filled(scene_size), list,
                                     (size_t)crn_recording_filled(list_size), seal);
    crn_put_u32(bytes + CHECKSUM_AT, seal->start);
}

bool crn_recording_check_header(const unsigned char *bytes, const char *scene, size_t scene_size, const char *list,
                                size_t list_size, crn_recording_seal *seal)
{
    crn_checksum_prepare(&seal->table);
    uint32_t sum = crn_checksum(&seal->table, 0, bytes, CHECKSUM_AT);
    sum = crn_checksum(&seal->table, sum, scene, scene_size);
    seal->start = crn_checksum(&seal->table, sum, list, list_size);
    return crn_get_u32(bytes + CHECKSUM_AT) == seal->start;
}

/* Magic, version and byte order. */
static crn_status check_kind(const unsigned char *bytes, size_t size, const char *name, crn_error *error)
{
    if (size == 0) {
        return crn_fail(error, CRN_ERR_FORMAT, "%s: the file is empty", name);
    }
    if (memcmp(bytes, magic, size < sizeof magic ? size : sizeof magic) != 0) {
        return crn_fail(error, CRN_ERR_FORMAT, "%s: not a recording", name);
    }
    if (size < CRN_RECORDING_HEADER_SIZE) {
        return crn_fail(error, CRN_ERR_FORMAT, "%s: cut off within the header", name);
    }
    uint32_t order = crn_get_u32(bytes + 12), version = crn_get_u32(bytes + 8);
    if (order == ORDER_SWAPPED) {
        return crn_fail(error, CRN_ERR_UNSUPPORTED, "%s: numbers are big-endian; recordings are little-endian", name);
    }
    if (order != ORDER) {
        return crn_fail(error, CRN_ERR_FORMAT, "%s: the header is damaged: no byte order mark", name);
    }
    if (version < CRN_RECORDING_OLDEST || version > CRN_RECORDING_VERSION) {
        return crn_fail(error, CRN_ERR_UNSUPPORTED,
                        "%s: a recording of version %lu; this library reads versions %d to %d", name,
                        (unsigned long)version, CRN_RECORDING_OLDEST, CRN_RECORDING_VERSION);
    }
    return CRN_OK;
}

crn_status crn_recording_get_header(const unsigned char *bytes, size_t size, const char *name,
                                    crn_recording_start *start, crn_error *error)
{
    crn_status status = check_kind(bytes, size, name, error);
    if (status != CRN_OK) {
        return status;
    }
    uint32_t flags = crn_get_u32(bytes + 16), bodies = crn_get_u32(bytes + 20), every = crn_get_u32(bytes + 32);
    double dt = crn_get_f64(bytes + 24);
    *start = (crn_recording_start){
        .header = {.bodies = (int)bodies, .dt = dt, .every = (int)every, .is_planar = (flags & FLAG_PLANAR) != 0},
        .version = crn_get_u32(bytes + 8),
        .scene_size = crn_get_u64(bytes + 40)};
    start->list_size = start->version >= CRN_RECORDING_LISTED ? crn_get_u64(bytes + 48) : 0;
    const char *wrong = bodies > INT_MAX                             ? "bodies: too many"
                        : every < 1 || every > INT_MAX               ? "every: not positive"
                        : !isfinite(dt) || dt < 0.0                  ? "dt: not a time step"
                        : (flags & ~FLAG_PLANAR) != 0                ? "flags: unknown"
                        : start->scene_size > (uint64_t)INT_MAX      ? "scene: too long"
                        : start->list_size > CRN_RECORDING_LIST_SIZE ? "figures: too many"
                                                                     : NULL;
    return wrong == NULL ? CRN_OK : crn_fail(error, CRN_ERR_FORMAT, "%s: the header is damaged: %s", name, wrong);
}
