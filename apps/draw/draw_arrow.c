/* Contact forces as arrows: a round shaft and a cone; flat in planar pictures. */
#include "draw_arrow.h"

#include <stdlib.h>

enum { SIDES = 14, FRAMES_MOST = 40, IMPULSES_MOST = 20000 };

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sizes of impulses in frames spread over the recording. */
static crn_status collect(crn_recording *recording, double *impulse, int *count, crn_error *error)
{
    int all = crn_recording_frames(recording), frames = all < FRAMES_MOST ? all : FRAMES_MOST;
    for (int f = 0; f < frames; ++f) {
        crn_recording_frame frame;
        int index = frames > 1 ? (int)((long long)f * (all - 1) / (frames - 1)) : 0;
        crn_status status = crn_recording_read(recording, index, &frame, error);
        if (status != CRN_OK) {
            return status;
        }
        for (int i = 0; i < frame.contacts && *count < IMPULSES_MOST; ++i) {
            double size = length(frame.contact[i].impulse);
            impulse[*count] = size;
            *count += size > 0.0;
        }
    }
    return CRN_OK;
}

/* Nine in ten arrows are shorter than a tenth of the picture; blows do not set the scale. */
crn_status draw_arrows_choose(draw_arrows *arrows, crn_recording *recording, double size, bool is_planar,
                              crn_error *error)
{
    double *impulse = malloc((IMPULSES_MOST + 1) * sizeof *impulse);
    int count = 0;
    if (impulse == NULL) {
        return crn_fail(error, CRN_ERR_MEMORY, "picture: out of memory");
    }
    crn_status status = collect(recording, impulse, &count, error);
    qsort(impulse, (size_t)count, sizeof *impulse, by_size);
    double large = count > 0 ? impulse[(size_t)count * 9 / 10] : 1.0;
    *arrows = (draw_arrows){.per_impulse = 0.1 * size / large, .longest = 0.2 * size, .is_planar = is_planar};
    free(impulse);
    return status;
}

static void add_flat(draw_list *list, crn_vec3 from, crn_vec3 way, double reach, double half, int paint)
{
    crn_vec3 side = vec(-way.y, way.x, 0.0);
    double head = fmin(5.0 * half, 0.5 * reach);
    from.z = 0.5; /* any layer: arrows lie on top */
    crn_vec3 neck = along(from, reach - head, way);
    int first = list->vertices;
    const crn_vec3 corner[7] = {along(from, -half, side),     along(neck, -half, side),       along(neck, half, side),
                                along(from, half, side),      along(neck, -0.5 * head, side), along(from, reach, way),
                                along(neck, 0.5 * head, side)};
    for (int i = 0; i < 7; ++i) {
        (void)draw_list_vertex(list, corner[i], vec(0, 0, 1));
    }
    draw_list_triangle(list, first, first + 1, first + 2, paint);
    draw_list_triangle(list, first, first + 2, first + 3, paint);
    draw_list_triangle(list, first + 4, first + 5, first + 6, paint);
}

/* A ring of quads between two circles about the axis. */
static void add_cone(draw_list *list, crn_vec3 from, crn_vec3 to, const crn_vec3 axes[3], double radius_from,
                     double radius_to, int paint)
{
    double slope = (radius_from - radius_to) / fmax(length(sub(to, from)), 1e-30);
    int first = list->vertices;
    for (int k = 0; k < SIDES; ++k) {
        double angle = 2.0 * DRAW_PI * k / SIDES;
        crn_vec3 out = along(scaled(axes[0], cos(angle)), sin(angle), axes[1]);
        crn_vec3 normal = unit(along(out, slope, axes[2]));
        (void)draw_list_vertex(list, along(from, radius_from, out), normal);
        (void)draw_list_vertex(list, along(to, radius_to, out), normal);
    }
    for (int k = 0; k < SIDES; ++k) {
        int a = first + 2 * k, b = first + 2 * ((k + 1) % SIDES);
        draw_list_triangle(list, a, b, b + 1, paint);
        draw_list_triangle(list, a, b + 1, a + 1, paint);
    }
}

static void add_round(draw_list *list, crn_vec3 from, crn_vec3 way, double reach, double radius, int paint)
{
    crn_vec3 side = unit(cross(way, fabs(way.z) < 0.9 ? vec(0, 0, 1) : vec(1, 0, 0)));
    crn_vec3 axes[3] = {side, cross(way, side), way};
    double head = fmin(6.0 * radius, 0.5 * reach), brim = 0.42 * head;
    crn_vec3 neck = along(from, reach - head, way), tip = along(from, reach, way);
    add_cone(list, from, neck, axes, radius, radius, paint);
    add_cone(list, neck, tip, axes, brim, 0.0, paint);
    add_cone(list, neck, along(neck, 1e-3 * head, way), axes, radius, brim, paint);
}

static bool is_free(const crn_model *model, int body)
{
    return body >= 0 && crn_model_body(model, body)->kind == CRN_BODY_FREE;
}

void draw_arrows_add(const draw_arrows *arrows, const crn_model *model, const crn_recording_frame *frame,
                     draw_list *list, int paint)
{
    for (int i = 0; i < frame->contacts && !list->is_short; ++i) {
        const crn_recording_contact *contact = &frame->contact[i];
        double reach = fmin(length(contact->impulse) * arrows->per_impulse, arrows->longest);
        if (reach > 0.02 * arrows->longest) {
            crn_vec3 way = scaled(unit(contact->impulse), is_free(model, contact->a) ? 1.0 : -1.0);
            double thick = 0.007 * arrows->longest + 0.013 * reach;
            (arrows->is_planar ? add_flat : add_round)(list, contact->point, way, reach, thick, paint);
        }
    }
}
