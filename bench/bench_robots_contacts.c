/* bench_robots_contacts.c -- how many contacts the pairs that touch could have, how many are given to the solver, how many push.
 *
 * Candidates are all touches of these pairs within NEAR, found as if nothing were known of how the bodies move: what a step would have
 * to take that cannot tell which of them matter. Merged are those of them that crn_touch_reduce() leaves at 1 mm, as `reduce_distance`
 * would. Poses are those after the step. */
#include "bench_robots.h"

#include <stdlib.h>

#include "math/rigid.h"

static const double MERGED_WITHIN = 1e-3; /* [m] */
static const double NEAR = 1e-2;          /* [m] */

crn_status robot_make_shapes(const crn_model *model, robot_scene *scene, crn_error *error)
{
    int bodies = crn_model_bodies(model), shapes = 0;
    for (int i = 0; i < bodies; ++i) {
        shapes += crn_model_body(model, i)->shapes;
    }
    scene->first_shape = calloc((size_t)bodies + 1, sizeof *scene->first_shape);
    scene->shape = calloc((size_t)shapes + 1, sizeof *scene->shape);
    if (!scene->first_shape || !scene->shape) {
        return CRN_ERR_MEMORY;
    }
    crn_status status = CRN_OK;
    for (int i = 0; i < bodies && status == CRN_OK; ++i) {
        const crn_body_def *body = crn_model_body(model, i);
        scene->first_shape[i] = scene->shapes;
        for (int k = 0; k < body->shapes && status == CRN_OK; ++k) {
            robot_shape *to = &scene->shape[scene->shapes++];
            to->local = crn_frame_of(&body->shape[k].pose);
            status = crn_shape_create(&body->shape[k].shape, NULL, &to->shape, error);
        }
    }
    return status;
}

void robot_free_shapes(robot_scene *scene)
{
    for (int i = 0; i < scene->shapes; ++i) {
        crn_shape_destroy(scene->shape[i].shape);
    }
    free(scene->shape);
    free(scene->first_shape);
}

/* The shape of a contact, and where it is. */
static const crn_shape *find_shape(const robot_scene *scene, crn_body_id body, int index, crn_frame *frame)
{
    const robot_shape *found = &scene->shape[scene->first_shape[body.index1 - 1] + index];
    crn_pose pose;
    (void)crn_body_pose(scene->world, body, &pose);
    crn_frame of_body = crn_frame_of(&pose);
    *frame = (crn_frame){crn_m3_product(&of_body.rotation, &found->local.rotation),
                         crn_frame_point(&of_body, found->local.position)};
    return found->shape;
}

static void count_pair(const robot_scene *scene, const crn_contact *pair, robot_contacts *sum)
{
    enum { ROOM = 8192 };
    static crn_touch touch[ROOM];
    crn_frame frame_a, frame_b;
    const crn_shape *a = find_shape(scene, pair->a, pair->shape_a, &frame_a);
    const crn_shape *b = find_shape(scene, pair->b, pair->shape_b, &frame_b);
    int count = crn_collide(a, &frame_a, b, &frame_b, NEAR, touch, ROOM);
    sum->candidates += count;
    sum->merged += crn_touch_reduce(touch, count < ROOM ? count : ROOM, MERGED_WITHIN);
    sum->pairs += 1.0;
}

static bool is_same_pair(const crn_contact *x, const crn_contact *y)
{
    return x->a.index1 == y->a.index1 && x->b.index1 == y->b.index1 && x->shape_a == y->shape_a &&
           x->shape_b == y->shape_b;
}

void robot_count_contacts(const robot_scene *scene, robot_contacts *sum)
{
    int count = 0;
    const crn_contact *contact = crn_world_contacts(scene->world, &count);
    for (int i = 0; i < count; ++i) { /* those of a pair stand together */
        sum->active += crn_v3_dot(contact[i].impulse, contact[i].normal) > 0.0;
        if (i == 0 || !is_same_pair(&contact[i], &contact[i - 1])) {
            count_pair(scene, &contact[i], sum);
        }
    }
    sum->contacts += count;
    sum->looks++;
}
