/* A ball falls on a floor and bounces: its motion is written to a recording, which is read back to find how high it came. It
 * bounces with half its speed, so that it rises to a quarter of the height. */
#include <cairn/io.h>
#include <cairn/world.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { FLOOR, BALL, BODIES };
static const double dt = 0.001, radius = 0.1, height = 1.0; /* height: of its lowest point [m] */
static crn_error error;

static crn_model *make_scene(void)
{
    crn_model *model = NULL;
    crn_body_shape plane = crn_body_shape_default(), sphere = crn_body_shape_default();
    crn_body_def floor = crn_body_def_default(), ball = crn_body_def_default();
    plane.shape.kind = CRN_SHAPE_PLANE;
    floor.name = "floor";
    floor.kind = CRN_BODY_FIXED;
    floor.shape = &plane;
    sphere.shape.size.x = radius;
    sphere.restitution = 0.5;
    ball.name = "ball";
    ball.pose.position.z = height + radius;
    ball.shape = &sphere;
    floor.shapes = ball.shapes = 1;
    bool is_made = crn_model_create(NULL, &model, &error) == CRN_OK &&
                   crn_model_add_body(model, &floor, NULL, &error) == CRN_OK &&
                   crn_model_add_body(model, &ball, NULL, &error) == CRN_OK;
    return is_made ? model : NULL;
}

/* Step for a second; every tenth step becomes a frame. */
static bool record(const crn_model *model, const char *path)
{
    crn_world *world = NULL;
    crn_recorder *recorder = NULL;
    char *scene = NULL; /* with it a viewer knows shapes and names */
    bool is_good = crn_world_create_from(model, NULL, &world, &error) == CRN_OK &&
                   crn_io_write_scene_text(model, NULL, &scene, NULL, &error) == CRN_OK;
    crn_recording_header header = {.scene = scene, .bodies = BODIES, .dt = dt, .every = 10};
    is_good = is_good && crn_recorder_create(path, &header, NULL, &recorder, &error) == CRN_OK;
    for (int step = 0; step <= 1000 && is_good; ++step) {
        if (step % header.every == 0) {
            crn_pose pose[BODIES];
            for (int i = 0; i < BODIES; ++i) {
                crn_body_pose(world, crn_world_body(world, 1 + i), &pose[i]);
            }
            crn_recording_frame frame = {.step = step, .time = crn_world_time(world), .pose = pose};
            frame.figures.outcome = CRN_LCP_SOLVED;
            is_good = crn_recorder_append(recorder, &frame, &error) == CRN_OK;
        }
        is_good = is_good && crn_world_step(world, dt, NULL, &error) == CRN_OK;
    }
    is_good = crn_recorder_close(recorder, is_good ? &error : NULL) == CRN_OK && is_good;
    crn_world_destroy(world);
    free(scene);
    return is_good;
}

/* How high the ball comes back: it falls, rises, and falls again. */
static bool look(const char *path, double *high)
{
    crn_recording *recording = NULL;
    bool is_good = crn_recording_open(path, NULL, &recording, &error) == CRN_OK &&
                   crn_recording_ending_of(recording, NULL) == CRN_RECORDING_FINISHED;
    int frames = is_good ? crn_recording_frames(recording) : 0;
    double last = height;
    bool has_risen = false, has_turned = false;
    *high = 0.0;
    for (int i = 0; i < frames && is_good; ++i) {
        crn_recording_frame frame;
        is_good = crn_recording_read(recording, i, &frame, &error) == CRN_OK;
        double lowest_point = is_good ? frame.pose[BALL].position.z - radius : 0.0;
        has_turned = has_turned || (has_risen && lowest_point < last);
        has_risen = has_risen || lowest_point > last;
        *high = has_risen && !has_turned ? lowest_point : *high;
        last = lowest_point;
    }
    printf("%d frames read back\n", frames);
    crn_recording_close(recording);
    return is_good;
}

int main(void)
{
    const char *path = "bounce.crn";
    double high = 0.0;
    crn_model *model = make_scene();
    bool is_good = model != NULL && record(model, path) && look(path, &high);
    crn_model_destroy(model);
    if (!is_good) {
        fprintf(stderr, "%s\n", error.text);
        return 2;
    }
    printf("it fell from %.2f m and came back to %.2f m\n", height, high);
    remove(path);
    return fabs(high - 0.25 * height) < 0.04 ? 0 : 1; /* it turns up to h v above the floor */
}
