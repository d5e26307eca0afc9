/* The motion of a recording as a glTF animation: a track of translations and one of rotations for each body that moves,
 * over common times. The file is read twice: first to see who moves, then to fill the tracks.
 *
 * Rotations are unit and their signs continue: q and -q are the same turn, but halfway between them lies another. */
#include "io/recording_gltf.h"

#include "base/memory.h"
#include "math/rigid.h"

#include <string.h>

static crn_status no_memory(const crn_gltf_work *w, crn_error *error)
{
    return crn_fail(error, CRN_ERR_MEMORY, "%s: out of memory", w->path);
}

crn_quat crn_gltf_unit(crn_quat q)
{
    double length = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return length > 0.0 ? crn_quat_unit(q) : (crn_quat){1, 0, 0, 0};
}

/* The unit quaternion of the same turn whose sign is that of `near`. */
static crn_quat continued(crn_quat q, crn_quat near)
{
    q = crn_gltf_unit(q);
    double dot = q.w * near.w + q.x * near.x + q.y * near.y + q.z * near.z;
    return dot < 0.0 ? (crn_quat){-q.w, -q.x, -q.y, -q.z} : q;
}

static void put_way(crn_vec3 p, float to[3])
{
    to[0] = (float)p.x;
    to[1] = (float)p.y;
    to[2] = (float)p.z;
}

/* glTF has w last. */
static void put_turn(crn_quat q, float to[4])
{
    to[0] = (float)q.x;
    to[1] = (float)q.y;
    to[2] = (float)q.z;
    to[3] = (float)q.w;
}

/* --- Who moves, and how far --- */

static bool differ(const float *a, const float *b, int count)
{
    bool do_differ = false;
    for (int k = 0; k < count; ++k) {
        do_differ = do_differ || a[k] != b[k];
    }
    return do_differ;
}

/* Do the numbers differ as they would be written? */
static void compare(crn_gltf_body *body, const crn_pose *now)
{
    float before[4], after[4];
    put_way(body->pose.position, before);
    put_way(now->position, after);
    body->moves = body->moves || differ(before, after, 3);
    put_turn(body->pose.rotation, before);
    put_turn(continued(now->rotation, body->pose.rotation), after);
    body->turns = body->turns || differ(before, after, 4);
}

static bool counts_for_size(const crn_gltf_work *w, int i)
{
    const crn_body_def *def = crn_gltf_def_of(w, i);
    return def == NULL || def->kind != CRN_BODY_FIXED;
}

static void extend(crn_gltf_work *w, crn_vec3 at, double radius)
{
    const double p[3] = {at.x, at.y, at.z};
    for (int k = 0; k < 3; ++k) {
        w->low[k] = crn_fmin(w->low[k], p[k] - radius);
        w->high[k] = crn_fmax(w->high[k], p[k] + radius);
    }
}

static void look_at_frame(crn_gltf_work *w, const crn_pose *pose, bool is_first)
{
    for (int i = 0; i < w->bodies; ++i) {
        crn_gltf_body *body = &w->body[i];
        if (is_first) {
            body->pose = (crn_pose){pose[i].position, crn_gltf_unit(pose[i].rotation)};
        } else {
            compare(body, &pose[i]);
        }
        if (counts_for_size(w, i)) {
            extend(w, pose[i].position, body->radius);
        }
    }
}

/* Times must grow in 32 bits, and not be negative: the others are left out. */
static void keep_frame(crn_gltf_work *w, int frame, double time)
{
    float t = (float)time;
    if (t >= 0.0f && (w->frames == 0 || t > w->time[w->frames - 1])) {
        w->frame[w->frames] = frame;
        w->time[w->frames++] = t;
    }
}

static crn_status look_at_all(crn_gltf_work *w, crn_error *error)
{
    int frames = crn_recording_frames(w->recording);
    for (int k = 0; k < frames; ++k) {
        crn_recording_frame frame;
        crn_status status = crn_recording_read(w->recording, k, &frame, error);
        if (status != CRN_OK) {
            return status;
        }
        look_at_frame(w, frame.pose, k == 0);
        keep_frame(w, k, frame.time);
    }
    return CRN_OK;
}

/* Where bodies are before any frame. */
static void begin_at_scene(crn_gltf_work *w)
{
    for (int i = 0; i < w->bodies; ++i) {
        const crn_body_def *def = crn_gltf_def_of(w, i);
        w->body[i].pose = def != NULL ? def->pose : (crn_pose){{0, 0, 0}, {1, 0, 0, 0}};
        if (crn_recording_frames(w->recording) == 0 && counts_for_size(w, i)) {
            extend(w, w->body[i].pose.position, w->body[i].radius);
        }
    }
}

crn_status crn_gltf_scan_motion(crn_gltf_work *work, crn_error *error)
{
    size_t frames = (size_t)crn_recording_frames(work->recording) + 1;
    work->frame = (int *)crn_allocate(&work->allocator, frames, sizeof(int));
    work->time = (float *)crn_allocate(&work->allocator, frames, sizeof(float));
    if (work->frame == NULL || work->time == NULL) {
        return no_memory(work, error);
    }
    for (int k = 0; k < 3; ++k) {
        work->low[k] = (double)INFINITY;
        work->high[k] = -(double)INFINITY;
    }
    begin_at_scene(work);
    crn_status status = look_at_all(work, error);
    if (!(work->low[0] <= work->high[0])) { /* nothing there that could move */
        memset(work->low, 0, sizeof work->low);
        memset(work->high, 0, sizeof work->high);
    }
    return status;
}

/* --- Tracks --- */

static crn_status take_tracks(crn_gltf_work *w, crn_error *error)
{
    size_t frames = (size_t)w->frames;
    for (int i = 0; i < w->bodies; ++i) {
        crn_gltf_body *body = &w->body[i];
        body->last_turn = body->pose.rotation;
        body->way = body->moves ? (float *)crn_allocate(&w->allocator, 3 * frames, sizeof(float)) : NULL;
        body->turn = body->turns ? (float *)crn_allocate(&w->allocator, 4 * frames, sizeof(float)) : NULL;
        if ((body->moves && body->way == NULL) || (body->turns && body->turn == NULL)) {
            return no_memory(w, error);
        }
    }
    return CRN_OK;
}

static void fill_tracks(crn_gltf_work *w, size_t k, const crn_pose *pose)
{
    for (int i = 0; i < w->bodies; ++i) {
        crn_gltf_body *body = &w->body[i];
        if (body->way != NULL) {
            put_way(pose[i].position, body->way + 3 * k);
        }
        if (body->turn != NULL) {
            body->last_turn = continued(pose[i].rotation, body->last_turn);
            put_turn(body->last_turn, body->turn + 4 * k);
        }
    }
}

static void put_track(crn_gltf_work *w, int times, int body, const float *values, int width)
{
    int sampler, channel, output = crn_gltf_floats(&w->file, CRN_GLTF_MOTION, values, w->frames, width);
    crn_scene_out *out = crn_gltf_item(&w->file, CRN_GLTF_SAMPLERS, &sampler);
    crn_gltf_put_index(out, "input", times);
    crn_gltf_put_index(out, "output", output);
    crn_scene_end(out);
    out = crn_gltf_item(&w->file, CRN_GLTF_CHANNELS, &channel);
    crn_gltf_put_index(out, "sampler", sampler);
    crn_scene_key(out, "target");
    crn_scene_begin(out);
    crn_gltf_put_index(out, "node", body + 1);
    crn_scene_key(out, "path");
    crn_scene_put_string(out, width == 3 ? "translation" : "rotation");
    crn_scene_end(out);
    crn_scene_end(out);
}

static void put_tracks(crn_gltf_work *w)
{
    int times = -1;
    for (int i = 0; i < w->bodies; ++i) {
        const crn_gltf_body *body = &w->body[i];
        if (times < 0 && (body->moves || body->turns)) {
            times = crn_gltf_floats(&w->file, CRN_GLTF_MOTION, w->time, w->frames, 1);
        }
        if (body->moves) {
            put_track(w, times, i, body->way, 3);
        }
        if (body->turns) {
            put_track(w, times, i, body->turn, 4);
        }
    }
}

crn_status crn_gltf_put_motion(crn_gltf_work *work, crn_error *error)
{
    if (work->frames == 0) {
        return CRN_OK;
    }
    crn_status status = take_tracks(work, error);
    for (int k = 0; k < work->frames && status == CRN_OK; ++k) {
        crn_recording_frame frame;
        status = crn_recording_read(work->recording, work->frame[k], &frame, error);
        if (status == CRN_OK) {
            fill_tracks(work, (size_t)k, frame.pose);
        }
    }
    if (status == CRN_OK) {
        put_tracks(work);
    }
    return status;
}
