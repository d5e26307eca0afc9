/* world_stacks.c -- stacks of boxes: at rest, leaning, of growing mass, dropped. */
#include <math.h>

#include "build.h"
#include "gallery_worlds.h"
#include "worlds.h"

crn_status crn_gallery_stack_of(crn_model *model, const crn_gallery_stack *stack, crn_error *error)
{
    const double half = 0.5;
    crn_build b = crn_build_begin(model, error);
    crn_build_world(&b, false, 0.01, 10.0);
    crn_build_floor(&b);
    int top = -1;
    for (int k = 0; k < stack->boxes; ++k) {
        int i = stack->is_from_top ? stack->boxes - 1 - k : k;
        double share = stack->boxes > 1 ? (double)i / (stack->boxes - 1) : 0.0;
        double mass = stack->mass * pow(stack->mass_ratio, share);
        crn_vec3 at = {i % 2 ? stack->lean : -stack->lean, 0.0, half * (2 * i + 1) + stack->drop * (i + 1)};
        int body = crn_build_body(&b, NULL, crn_build_box(&b, half, half, half), mass, at);
        top = i == stack->boxes - 1 ? body : top;
    }
    crn_build_probe(&b, CRN_PROBE_POSITION, top);
    return b.status;
}

static crn_status stack_of(crn_model *model, int boxes, double lean, double ratio, crn_error *error)
{
    crn_gallery_stack stack = {.boxes = boxes, .lean = lean, .mass = 1.0, .mass_ratio = ratio};
    return crn_gallery_stack_of(model, &stack, error);
}

crn_status crn_gallery_stack_10(crn_model *model, crn_error *error)
{
    return stack_of(model, 10, 0.0, 1.0, error);
}

crn_status crn_gallery_stack_30(crn_model *model, crn_error *error)
{
    return stack_of(model, 30, 0.0, 1.0, error);
}

crn_status crn_gallery_stack_100(crn_model *model, crn_error *error)
{
    return stack_of(model, 100, 0.0, 1.0, error);
}

crn_status crn_gallery_stack_leaning(crn_model *model, crn_error *error)
{
    return stack_of(model, 100, 0.05, 1.0, error);
}

crn_status crn_gallery_stack_masses(crn_model *model, crn_error *error)
{
    return stack_of(model, 5, 0.0, 1e4, error);
}

crn_status crn_gallery_heavy_on_light(crn_model *model, crn_error *error)
{
    return stack_of(model, 2, 0.0, 100.0, error);
}
