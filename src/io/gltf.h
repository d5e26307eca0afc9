/* A binary glTF 2.0 file in the making: its lists as JSON, item by item, and its bytes. A lack of memory is remembered and
 * told when the file is written. */
#ifndef CAIRN_IO_GLTF_H
#define CAIRN_IO_GLTF_H

#include "io/scene.h"

#include <stdio.h>

/** The lists of the file. */
typedef enum crn_gltf_list {
    CRN_GLTF_NODES,
    CRN_GLTF_MESHES,
    CRN_GLTF_MATERIALS,
    CRN_GLTF_CHANNELS, /* these two are the animation's */
    CRN_GLTF_SAMPLERS,
    CRN_GLTF_ACCESSORS,
    CRN_GLTF_VIEWS,
    CRN_GLTF_LISTS
} crn_gltf_list;

typedef struct crn_gltf {
    crn_allocator allocator;
    crn_scene_out list[CRN_GLTF_LISTS]; /* items with commas between */
    int count[CRN_GLTF_LISTS];
    unsigned char *bytes;
    size_t length, capacity;
    bool is_short; /* no memory */
    bool is_huge;  /* a number that 32 bits cannot hold */
} crn_gltf;

/** What bytes are for. */
typedef enum crn_gltf_use { CRN_GLTF_MOTION = 0, CRN_GLTF_VERTICES = 34962, CRN_GLTF_INDICES = 34963 } crn_gltf_use;

crn_gltf crn_gltf_begin(const crn_allocator *allocator);
void crn_gltf_free(crn_gltf *gltf);

/** Begin an item of a list: write its members to the text, then call crn_scene_end(). *index: its place in the list. */
crn_scene_out *crn_gltf_item(crn_gltf *gltf, crn_gltf_list list, int *index);

/** A member with a whole number; -1: none, nothing is written. */
void crn_gltf_put_index(crn_scene_out *out, const char *key, int index);

/** count rows of `width` (1, 3 or 4) numbers, with their bounds; the accessor. */
int crn_gltf_floats(crn_gltf *gltf, crn_gltf_use use, const float *values, int count, int width);

/** Corners of triangles of `points` points; the accessor. */
int crn_gltf_corners(crn_gltf *gltf, const int *corners, int count, int points);

/** Write the file. Node 0 is the scene. The animation is left out if it has no channels. path: for messages. */
crn_status crn_gltf_write(crn_gltf *gltf, FILE *file, const char *path, crn_error *error);

#endif
