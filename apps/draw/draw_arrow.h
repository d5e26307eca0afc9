/* Contact forces as arrows. */
#ifndef CAIRN_CLI_DRAW_ARROW_H
#define CAIRN_CLI_DRAW_ARROW_H

#include "draw_list.h"

#include <cairn/io.h>

/* How long arrows are. */
typedef struct draw_arrows {
    double per_impulse; /* [m/(N s)] */
    double longest;     /* [m] */
    bool is_planar;
} draw_arrows;

/* Choose lengths for a recording whose motion has this size [m]. */
crn_status draw_arrows_choose(draw_arrows *arrows, crn_recording *recording, double size, bool is_planar,
                              crn_error *error);

/* Add the arrows of a frame: from the contact point the way body a is pushed, or b if a is not free. */
void draw_arrows_add(const draw_arrows *arrows, const crn_model *model, const crn_recording_frame *frame,
                     draw_list *list, int paint);

#endif
