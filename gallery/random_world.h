/* random_world.h -- worlds that nobody has thought of: everything in them is decided by a seed.
 *
 * For tests and surveys that look for steps which gain energy, lose joints or are not solved. A world has 1 to about 20 free
 * bodies, most 2 to 8, of 0.01 to 2 m and 1e-4 to 1e4 kg; any shape, joint and ground that the model knows, in space or in the
 * plane; steps of 0.1 to 20 ms; speeds to 100 m/s. It is always a valid model. */
#ifndef CAIRN_GALLERY_RANDOM_WORLD_H
#define CAIRN_GALLERY_RANDOM_WORLD_H

#include <cairn/model.h>

/** Fill an empty model. Its name tells seed and theme: "random 17 stack". */
crn_status crn_random_world(uint64_t seed, crn_model *model, crn_error *error);

/** The themes: "pile", "stack", "bars", ...; NULL outside. */
int crn_random_theme_count(void);
const char *crn_random_theme_name(int i);

#endif
