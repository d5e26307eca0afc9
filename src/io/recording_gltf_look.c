/* Materials: what is fixed is grey, what is driven dark; the rest take colours in turn, so that neighbours in the scene
 * differ. The same scene has the same colours. */
#include "io/recording_gltf.h"
#include "math/elementary.h"

#include <math.h>

enum { FIXED, DRIVEN, FIRST_COLOUR };

#define ROUGHNESS 0.6

typedef struct look {
    const char *name;
    int red, green, blue; /* as screens count, 0 .. 255 */
} look;

static const look looks[CRN_GLTF_LOOKS] = {
    {"fixed", 168, 173, 179},  {"driven", 92, 102, 112}, {"blue", 63, 124, 172}, {"orange", 242, 158, 76},
    {"green", 107, 163, 104},  {"red", 217, 93, 90},     {"teal", 79, 176, 174}, {"yellow", 233, 196, 106},
    {"violet", 142, 125, 190}, {"rose", 201, 123, 132},
};

void crn_gltf_choose_looks(crn_gltf_work *work)
{
    int coloured = 0;
    for (int i = 0; i < work->bodies; ++i) {
        const crn_body_def *def = crn_gltf_def_of(work, i);
        crn_body_kind kind = def != NULL ? def->kind : CRN_BODY_FREE;
        if (kind == CRN_BODY_FREE) {
            work->body[i].look = FIRST_COLOUR + coloured++ % (CRN_GLTF_LOOKS - FIRST_COLOUR);
        } else {
            work->body[i].look = kind == CRN_BODY_FIXED ? FIXED : DRIVEN;
        }
    }
}

/* glTF wants light, screens have sRGB: IEC 61966-2-1. */
static double light_of(int level)
{
    double s = level / 255.0;
    return s <= 0.04045 ? s / 12.92 : crn_exp(2.4 * crn_log((s + 0.055) / 1.055));
}

int crn_gltf_material(crn_gltf_work *work, int index)
{
    if (work->look[index] >= 0) {
        return work->look[index];
    }
    const look *l = &looks[index];
    const double colour[4] = {light_of(l->red), light_of(l->green), light_of(l->blue), 1.0};
    crn_scene_out *out = crn_gltf_item(&work->file, CRN_GLTF_MATERIALS, &work->look[index]);
    crn_scene_key(out, "name");
    crn_scene_put_string(out, l->name);
    crn_scene_key(out, "pbrMetallicRoughness");
    crn_scene_begin(out);
    crn_scene_key(out, "baseColorFactor");
    crn_scene_put_reals(out, colour, 4);
    crn_scene_key(out, "metallicFactor");
    crn_scene_put_real(out, 0.0);
    crn_scene_key(out, "roughnessFactor");
    crn_scene_put_real(out, ROUGHNESS);
    crn_scene_end(out);
    crn_scene_end(out);
    return work->look[index];
}
