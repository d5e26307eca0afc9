/* Rays and neighbourhoods: questions about where things are, between steps. */
#include "world/world.h"

#include <math.h>
#include <stdlib.h>

crn_query_filter crn_query_filter_default(void)
{
    return (crn_query_filter){.mask = UINT32_MAX};
}

/* Is shape i of the world asked? Sets its frame. */
static bool is_asked(const crn_world *w, int i, const crn_query_filter *filter, crn_frame *frame)
{
    const crn_step_shape *shape = &w->stepper.shape[i];
    if (shape->body < 0 || (filter != NULL && !(shape->group & filter->mask))) {
        return false;
    }
    const crn_step_body *body = &w->stepper.body[shape->body];
    if (filter != NULL && crn_world_body_index(w, filter->except) == shape->body) {
        return false;
    }
    crn_frame of_body = {body->rigid.rotation, body->rigid.pose.position};
    *frame = crn_frame_product(&of_body, &shape->local);
    return true;
}

static crn_query_shape name_of(const crn_world *w, int i)
{
    const crn_step_shape *shape = &w->stepper.shape[i];
    return (crn_query_shape){w->stepper.body[shape->body].id, shape->index};
}

/* --- Rays --- */

/* The ray with a unit direction; false if it is nonsense. */
static bool settle_ray(const crn_world *w, const crn_ray *ray, crn_ray *mine)
{
    *mine = *ray;
    mine->direction.z = w->stepper.def.is_planar ? 0.0 : ray->direction.z;
    double length = crn_v3_length(mine->direction);
    if (!(length > 0.0) || !isfinite(length) || !crn_world_is_position(ray->from) || !(ray->reach >= 0.0)) {
        return false;
    }
    mine->direction = crn_v3_scale(1.0 / length, mine->direction);
    return true;
}

/* Can the ray meet the ball about the shape within its reach? */
static bool passes_near(const crn_ray *ray, crn_vec3 centre, double radius)
{
    crn_vec3 to = crn_v3_sub(centre, ray->from);
    double along = crn_v3_dot(to, ray->direction), square = crn_v3_dot(to, to) - along * along;
    bool is_aside = square > radius * radius * (1.0 + 1e-9) + 1e-24;
    return !is_aside && along + radius >= 0.0 && along - radius <= ray->reach;
}

bool crn_world_cast_ray(const crn_world *w, const crn_ray *ray, const crn_query_filter *filter, crn_query_shape *met,
                        crn_ray_hit *hit)
{
    crn_ray mine;
    crn_ray_hit own;
    int best = -1;
    if (met != NULL) {
        *met = (crn_query_shape){{0, 0}, -1};
    }
    if (w == NULL || ray == NULL || !settle_ray(w, ray, &mine)) {
        return false;
    }
    for (int i = 0; i < w->stepper.shapes; ++i) {
        crn_frame frame;
        const crn_shape *shape = w->stepper.shape[i].shape;
        if (is_asked(w, i, filter, &frame) && passes_near(&mine, frame.position, crn_shape_radius(shape)) &&
            crn_shape_cast_ray(shape, &frame, &mine, &own) && (best < 0 || own.distance < mine.reach)) {
            best = i;
            mine.reach = own.distance; /* what is farther is behind it */
            if (hit != NULL) {
                *hit = own;
            }
        }
    }
    if (best >= 0 && met != NULL) {
        *met = name_of(w, best);
    }
    return best >= 0;
}

/* --- What is near --- */

/* The lowest touch of a pair; false if there is none, *is_short without memory. */
static bool lowest_touch(const crn_shape *a, const crn_frame *fa, const crn_shape *b, const crn_frame *fb, double reach,
                         crn_touch *lowest, bool *is_short)
{
    crn_touch few[64], *touch = few;
    int count = crn_collide(a, fa, b, fb, reach, touch, 64);
    if (count > 64) {
        touch = crn_allocate(NULL, (size_t)count, sizeof *touch);
        count = touch != NULL ? crn_collide(a, fa, b, fb, reach, touch, count) : -1;
    }
    *is_short = *is_short || count < 0;
    for (int k = 0; k < count; ++k) {
        *lowest = k == 0 || touch[k].gap < lowest->gap ? touch[k] : *lowest;
    }
    if (touch != few) {
        crn_release(NULL, touch);
    }
    return count > 0;
}

/* Put it where it belongs among the count nearest so far; what falls off the end is forgotten. */
static void insert(crn_query_near *near, int count, int capacity, const crn_query_near *own)
{
    int at = count < capacity ? count : capacity;
    for (; at > 0 && near[at - 1].gap > own->gap; --at) {
        if (at < capacity) {
            near[at] = near[at - 1];
        }
    }
    if (at < capacity) {
        near[at] = *own;
    }
}

int crn_world_near(const crn_world *w, const crn_shape *shape, const crn_pose *pose, double reach,
                   const crn_query_filter *filter, crn_query_near *near, int capacity)
{
    int count = 0;
    bool is_short = false;
    if (w == NULL || shape == NULL || pose == NULL || !(reach >= 0.0) || !crn_world_is_position(pose->position) ||
        crn_shape_kind_is_planar(crn_shape_definition(shape)->kind) != w->stepper.def.is_planar) {
        return -1;
    }
    capacity = near != NULL && capacity > 0 ? capacity : 0;
    crn_frame own = crn_frame_of(pose);
    crn_bounds bounds = crn_shape_bounds(shape, &own, reach);
    for (int i = 0; i < w->stepper.shapes; ++i) {
        crn_frame frame;
        crn_touch low = {.gap = 0.0};
        const crn_shape *other = w->stepper.shape[i].shape;
        if (!is_asked(w, i, filter, &frame)) {
            continue;
        }
        crn_bounds theirs = crn_shape_bounds(other, &frame, 0.0);
        bool is_apart = false;
        for (int k = 0; k < 3; ++k) {
            is_apart = is_apart || bounds.low[k] > theirs.high[k] || bounds.high[k] < theirs.low[k];
        }
        if (!is_apart && lowest_touch(shape, &own, other, &frame, reach, &low, &is_short)) {
            crn_query_near found = {name_of(w, i), low.gap, crn_v3_axpy(low.point, 0.5 * low.gap, low.normal),
                                    crn_v3_axpy(low.point, -0.5 * low.gap, low.normal), low.normal};
            insert(near, count, capacity, &found);
            count++;
        }
    }
    return is_short ? -1 : count;
}
