/* A recording on its way to glTF.
 *
 *   recording_gltf.c         the way: scene, shapes, motion, nodes, file
 *   recording_gltf_shapes.c  equal shapes once; their triangles; planes cut to the motion
 *   recording_gltf_motion.c  which frames and bodies; where all is; the tracks
 *   recording_gltf_look.c    materials
 */
#ifndef CAIRN_IO_RECORDING_GLTF_H
#define CAIRN_IO_RECORDING_GLTF_H

#include <cairn/draw.h>

#include "io/gltf.h"
#include "io/recording.h"

enum { CRN_GLTF_LOOKS = 10 }; /* materials: fixed, driven, and colours for the rest */

/** Triangles of a shape, shared by all that are equal. */
typedef struct crn_gltf_shape {
    const crn_shape_def *def;
    crn_triangles triangles;
    double radius;                /* of its farthest point; 0 of planes, which have none */
    int points, normals, corners; /* accessors; corners < 0: not written yet */
    int mesh[CRN_GLTF_LOOKS];     /* by material; -1: none yet */
} crn_gltf_shape;

typedef struct crn_gltf_body {
    crn_pose pose; /* in the first frame; without frames: in the scene */
    double radius; /* of all its shapes about its origin */
    int look;
    int first_shape;    /* places of its shapes in crn_gltf_work.place */
    bool moves, turns;  /* its translation, its rotation changes */
    float *way, *turn;  /* tracks: 3 and 4 numbers a frame; NULL if it does not */
    crn_quat last_turn; /* in the frame before: signs are chosen to be near it */
} crn_gltf_body;

typedef struct crn_gltf_work {
    crn_recording *recording;
    const char *path;
    crn_allocator allocator;
    crn_model *model; /* NULL: the recording has no scene */
    int bodies;
    bool is_planar;
    crn_gltf_body *body;
    crn_gltf_shape *shape; /* all different ones */
    int shapes, shape_capacity;
    int *place;             /* of the shapes of all bodies, one after another: which of `shape` it is */
    double low[3], high[3]; /* of what moves, in all frames */
    int *frame;             /* frames that are written: their time differs in 32 bits */
    float *time;
    int frames;
    crn_shape_def marker;     /* without a scene: a box for each body */
    int look[CRN_GLTF_LOOKS]; /* place in the list of materials; -1: none yet */
    crn_gltf file;
} crn_gltf_work;

/** The definition of body i; NULL without a scene. */
static inline const crn_body_def *crn_gltf_def_of(const crn_gltf_work *work, int i)
{
    return work->model != NULL ? crn_model_body(work->model, i) : NULL;
}

/* --- Shapes --- */

/** Find the different shapes, and how large bodies are. */
crn_status crn_gltf_find_shapes(crn_gltf_work *work, crn_error *error);

/** Planes and planar shapes, whose size and thickness follow from the motion. */
crn_status crn_gltf_fit_shapes(crn_gltf_work *work, crn_error *error);

/** The mesh of a shape in a material; written when it is first asked for. */
crn_status crn_gltf_mesh(crn_gltf_work *work, crn_gltf_shape *shape, int look, int *mesh, crn_error *error);

/* --- Motion --- */

/** Look through all frames: where all begin, who moves, and how far. */
crn_status crn_gltf_scan_motion(crn_gltf_work *work, crn_error *error);

/** Write the animation: node i + 1 is body i. */
crn_status crn_gltf_put_motion(crn_gltf_work *work, crn_error *error);

/** A unit quaternion; the identity for 0. */
crn_quat crn_gltf_unit(crn_quat q);

/* --- Looks --- */

/** Which of the materials each body has. */
void crn_gltf_choose_looks(crn_gltf_work *work);

/** Place in the list of materials; written when it is first asked for. */
int crn_gltf_material(crn_gltf_work *work, int index);

#endif
