/* Where the camera stands. */
#include "draw_view.h"

#include <stdlib.h>

enum { FRAMES_MOST = 48, FRAMES_LEAST = 6, POINTS_WANTED = 300000 };

/* The picture does not follow a body that leaves for good: nothing farther from the beginning than this many of its sizes
 * counts. */
static const double leaving = 4.0;

/* --- Boxes --- */

typedef struct extent {
    crn_vec3 low, high;
} extent;

static extent extent_of(const draw_point *at, int count)
{
    extent e = {vec(INFINITY, INFINITY, INFINITY), vec(-INFINITY, -INFINITY, -INFINITY)};
    for (int i = 0; i < count; ++i) {
        crn_vec3 p = at[i].at;
        double r = at[i].radius;
        e.low = vec(lesser(e.low.x, p.x - r), lesser(e.low.y, p.y - r), lesser(e.low.z, p.z - r));
        e.high = vec(greater(e.high.x, p.x + r), greater(e.high.y, p.y + r), greater(e.high.z, p.z + r));
    }
    return e;
}

static extent widened(extent e, double by)
{
    crn_vec3 more = vec(by, by, by);
    return (extent){sub(e.low, more), add(e.high, more)};
}

static crn_vec3 held(crn_vec3 p, const extent *e)
{
    return vec(clamped(p.x, e->low.x, e->high.x), clamped(p.y, e->low.y, e->high.y), clamped(p.z, e->low.z, e->high.z));
}

static double size_of(const extent *e)
{
    return length(sub(e->high, e->low));
}

/* --- Who counts --- */

/* Bodies that hang together with `follow` by joints. */
static void mark_joined(const crn_model *model, int follow, bool *is_joined)
{
    bool has_grown = true;
    is_joined[follow] = true;
    while (has_grown) {
        has_grown = false;
        for (int i = 0; i < crn_model_joints(model); ++i) {
            const crn_joint_def *joint = crn_model_joint(model, i);
            if (joint->a >= 0 && joint->b >= 0 && is_joined[joint->a] != is_joined[joint->b]) {
                is_joined[joint->a] = is_joined[joint->b] = has_grown = true;
            }
        }
    }
}

/* Bodies whose motion the picture must show. */
static int mark_moving(const draw_scene *scene, int follow, bool *is_shown)
{
    int count = 0;
    if (follow >= 0) {
        mark_joined(scene->model, follow, is_shown);
    }
    for (int i = 0; i < scene->bodies; ++i) {
        bool is_moving = crn_model_body(scene->model, i)->kind != CRN_BODY_FIXED;
        is_shown[i] = (follow >= 0 ? is_shown[i] : is_moving) && scene->body[i].vertices > 0;
        count += is_shown[i];
    }
    for (int i = 0; i < scene->bodies && count == 0; ++i) { /* nothing moves: show what there is */
        is_shown[i] = scene->body[i].vertices > 0;
    }
    return count;
}

static void add_body(const draw_scene *scene, int body, const crn_pose *pose, crn_vec3 shift, draw_points *points)
{
    for (int k = 0; k < scene->body[body].supports; ++k) {
        const draw_point *p = &scene->body[body].support[k];
        points->at[points->count++] = (draw_point){sub(placed(&pose[body], p->at), shift), p->radius};
    }
}

/* Frames of a recording that are looked at: count of them, from first to last. */
typedef struct selection {
    int first, last, count;
} selection;

static int frame_of(const selection *s, int i)
{
    return s->count > 1 ? s->first + (int)((long long)i * (s->last - s->first) / (s->count - 1)) : s->first;
}

/* Points of the moving bodies; those of the first frame come first. */
static crn_status collect_moving(const draw_scene *scene, crn_recording *recording, const selection *frames, int follow,
                                 const bool *is_shown, draw_points *points, int *first, crn_error *error)
{
    crn_vec3 start = vec(0, 0, 0);
    for (int f = 0; f < frames->count; ++f) {
        crn_recording_frame frame;
        crn_status status = crn_recording_read(recording, frame_of(frames, f), &frame, error);
        if (status != CRN_OK) {
            return status;
        }
        crn_vec3 here = follow >= 0 ? frame.pose[follow].position : start;
        start = f == 0 ? here : start;
        for (int i = 0; i < scene->bodies; ++i) {
            if (is_shown[i]) {
                add_body(scene, i, frame.pose, sub(here, start), points);
            }
        }
        *first = f == 0 ? points->count : *first;
    }
    return CRN_OK;
}

/* Fixed bodies count where they are near the motion. */
static crn_status collect_fixed(const draw_scene *scene, crn_recording *recording, const bool *is_shown,
                                draw_points *points, crn_error *error)
{
    crn_recording_frame frame;
    crn_status status = crn_recording_read(recording, 0, &frame, error);
    extent moving = extent_of(points->at, points->count);
    extent near = widened(moving, 0.15 * size_of(&moving));
    for (int i = 0; i < scene->bodies && status == CRN_OK && points->count > 0; ++i) {
        int first = points->count;
        if (!is_shown[i] && scene->body[i].vertices > 0) {
            add_body(scene, i, frame.pose, vec(0, 0, 0), points);
        }
        for (int k = first; k < points->count; ++k) {
            points->at[k].at = held(points->at[k].at, &near);
        }
    }
    return status;
}

static crn_status collect_all(const draw_scene *scene, crn_recording *recording, int follow, const selection *frames,
                              bool *is_shown, draw_points *points, crn_error *error)
{
    int first = 0;
    (void)mark_moving(scene, follow, is_shown);
    crn_status status = collect_moving(scene, recording, frames, follow, is_shown, points, &first, error);
    if (status != CRN_OK) {
        return status;
    }
    extent start = extent_of(points->at, first);
    extent limit = widened(start, leaving * size_of(&start));
    for (int i = first; i < points->count; ++i) {
        points->at[i].at = held(points->at[i].at, &limit);
    }
    return follow < 0 ? collect_fixed(scene, recording, is_shown, points, error) : CRN_OK;
}

crn_status draw_view_collect(const draw_scene *scene, crn_recording *recording, int first, int last, int follow,
                             draw_points *points, crn_error *error)
{
    int all = last - first + 1, each = DRAW_SUPPORTS * (scene->bodies + 1);
    selection frames = {first, last, (int)clamped((double)POINTS_WANTED / each, FRAMES_LEAST, FRAMES_MOST)};
    frames.count = frames.count < all ? frames.count : all;
    bool *is_shown = calloc((size_t)scene->bodies + 1, sizeof *is_shown);
    *points = (draw_points){.at = malloc(((size_t)frames.count + 1) * (size_t)each * sizeof *points->at)};
    crn_status status = is_shown != NULL && points->at != NULL
                            ? collect_all(scene, recording, follow, &frames, is_shown, points, error)
                            : crn_fail(error, CRN_ERR_MEMORY, "picture: out of memory");
    free(is_shown);
    return status;
}

/* --- The side --- */

/* A direction and an angle of view. */
typedef struct side {
    crn_vec3 forward;
    double field; /* [rad] */
} side;

static const double degree = DRAW_PI / 180.0;

/* What is this much taller than wide would be a thin line: it is seen from its foot, looking up. */
static const double tower = 8.0;

/* Across the longer side of the motion, from above, and the lower the taller it is. */
static side pleasant_side(const draw_points *points)
{
    extent e = extent_of(points->at, points->count);
    crn_vec3 size = sub(e.high, e.low);
    double tall = size.z / greater(greater(size.x, size.y), 1e-9);
    double azimuth = (size.x >= size.y ? -62.0 : -28.0) * degree;
    double height = (tall > tower ? -37.5 : 26.0 - 4.0 * lesser(tall, 4.0)) * degree;
    crn_vec3 forward = vec(-cos(height) * cos(azimuth), -cos(height) * sin(azimuth), -sin(height));
    return (side){forward, (tall > tower ? 94.0 : 28.0) * degree};
}

draw_camera draw_view_from(const draw_scene *scene, const draw_points *points, bool is_following, int width, int height)
{
    draw_point origin = {.radius = 1.0};
    draw_points shown = points->count > 0 ? *points : (draw_points){.at = &origin, .count = 1};
    double margin = is_following ? 0.2 : 0.09;
    if (scene->is_planar) {
        draw_camera camera = draw_camera_along(vec(0, 0, -1), width, height);
        draw_camera_fit_parallel(&camera, shown.at, shown.count, margin);
        camera.eye.z = 1.0; /* near is z, the layer */
        camera.range = 1.0;
        return camera;
    }
    side chosen = pleasant_side(&shown);
    draw_camera camera = draw_camera_along(chosen.forward, width, height);
    draw_camera_fit(&camera, shown.at, shown.count, chosen.field, margin);
    return camera;
}
