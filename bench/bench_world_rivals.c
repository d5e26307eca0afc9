/* bench_world_rivals.c -- the scenes of the comparison, as models of ours; every engine steps what is described there.
 *
 *   incline   a unit box on a plane that leans by 30 degrees: gravity leans, the plane is z = 0, so that "downhill at
 *             45 degrees to the axes" means the same to everybody. Sticks if mu > tan 30, else slides with
 *             g (sin 30 - mu cos 30).
 *   stack     unit boxes on each other, exactly touching, at rest
 *   masses    five boxes of 1 to 1e4 kg, the heaviest on top
 *   nut       200 disks and a large one in a shaken box, step 0.1 s and 0.01 s
 *   pour      balls poured into a box
 *
 * Names that end in -2d are the same in the plane, for engines of the plane. */
#include "bench_world.h"

#include <math.h>

#include "gallery_worlds.h"

#define PI 3.14159265358979323846
static const double gravity = 9.81;  /* [m/s^2] */
static const double lean = PI / 6.0; /* of the incline [rad] */

double bench_incline_friction(bench_question asks)
{
    return (asks == BENCH_ASKS_STICK ? 1.02 : 0.95) * tan(lean);
}

double bench_incline_acceleration(bench_question asks)
{
    return fmax(0.0, gravity * (sin(lean) - bench_incline_friction(asks) * cos(lean)));
}

/* --- Bodies --- */

static const double corners[8] = {-0.5, -0.5, 0.5, -0.5, 0.5, 0.5, -0.5, 0.5};

static crn_status add(crn_model *model, crn_body_kind kind, crn_shape_def solid, double mu, double mass, double height,
                      crn_error *error)
{
    crn_body_def def = crn_body_def_default();
    crn_body_shape shape = crn_body_shape_default();
    bool is_planar = crn_model_world(model)->is_planar;
    shape.shape = solid;
    shape.friction = mu;
    def.kind = kind;
    def.mass = mass;
    def.pose.position = is_planar ? (crn_vec3){0.0, height, 0.0} : (crn_vec3){0.0, 0.0, height};
    def.shape = &shape;
    def.shapes = 1;
    return crn_model_add_body(model, &def, NULL, error);
}

static crn_status add_floor(crn_model *model, double mu, crn_error *error)
{
    bool is_planar = crn_model_world(model)->is_planar;
    crn_shape_def solid = {.kind = is_planar ? CRN_SHAPE_HALF_PLANE : CRN_SHAPE_PLANE};
    return add(model, CRN_BODY_FIXED, solid, mu, 0.0, 0.0, error);
}

static crn_status add_box(crn_model *model, double mu, double mass, double height, crn_error *error)
{
    crn_shape_def square = {.kind = CRN_SHAPE_POLYGON, .points = corners, .count = 4};
    crn_shape_def cube = {.kind = CRN_SHAPE_BOX, .size = {0.5, 0.5, 0.5}};
    return add(model, CRN_BODY_FREE, crn_model_world(model)->is_planar ? square : cube, mu, mass, height, error);
}

/* --- Scenes --- */

static crn_status add_incline(const bench_rival_scene *scene, crn_model *model, crn_error *error)
{
    double mu = bench_incline_friction(scene->asks);
    crn_status status = add_floor(model, mu, error);
    return status == CRN_OK ? add_box(model, mu, 1.0, 0.5, error) : status;
}

static crn_status incline(const bench_rival_scene *scene, crn_model *model, crn_error *error)
{
    double angle = scene->parameter * PI / 180.0, along = gravity * sin(lean);
    crn_model_world(model)->gravity = (crn_vec3){along * cos(angle), along * sin(angle), -gravity * cos(lean)};
    return add_incline(scene, model, error);
}

static crn_status incline_2d(const bench_rival_scene *scene, crn_model *model, crn_error *error)
{
    crn_model_world(model)->is_planar = true;
    crn_model_world(model)->gravity = (crn_vec3){gravity * sin(lean), -gravity * cos(lean), 0.0};
    return add_incline(scene, model, error);
}

static crn_status stack(const bench_rival_scene *scene, crn_model *model, crn_error *error)
{
    crn_gallery_stack of = {.boxes = scene->size, .mass = 1.0, .mass_ratio = scene->parameter};
    return crn_gallery_stack_of(model, &of, error);
}

static crn_status stack_2d(const bench_rival_scene *scene, crn_model *model, crn_error *error)
{
    const double mu = 0.5; /* as in the gallery's stack */
    crn_model_world(model)->is_planar = true;
    crn_model_world(model)->gravity = (crn_vec3){0.0, -gravity, 0.0};
    crn_status status = add_floor(model, mu, error);
    for (int i = 0; i < scene->size && status == CRN_OK; ++i) {
        double mass = pow(scene->parameter, (double)i / (scene->size - 1));
        status = add_box(model, mu, mass, i + 0.5, error);
    }
    return status;
}

static crn_status nut(const bench_rival_scene *scene, crn_model *model, crn_error *error)
{
    crn_gallery_nut of = {scene->h, (uint64_t)scene->size, CRN_SCHEME_CONVEX};
    return crn_gallery_brazil_nut_of(model, &of, error);
}

static crn_status pour(const bench_rival_scene *scene, crn_model *model, crn_error *error)
{
    return crn_gallery_pour_of(model, scene->size, 1, error);
}

static const bench_rival_scene scenes[] = {
    {"incline-stick-0", "mu = 1.02 tan 30, downhill along an axis", BENCH_ASKS_STICK, 1, 0.01, 2.0, 1.0, 0.0, incline},
    {"incline-stick-45", "mu = 1.02 tan 30, downhill at 45 degrees", BENCH_ASKS_STICK, 1, 0.01, 2.0, 1.0, 45.0,
     incline},
    {"incline-slide-0", "mu = 0.95 tan 30, downhill along an axis", BENCH_ASKS_SLIDE, 1, 0.01, 2.0, 1.0, 0.0, incline},
    {"incline-slide-45", "mu = 0.95 tan 30, downhill at 45 degrees", BENCH_ASKS_SLIDE, 1, 0.01, 2.0, 1.0, 45.0,
     incline},
    {"incline-stick-2d", "mu = 1.02 tan 30, plane", BENCH_ASKS_STICK, 1, 0.01, 2.0, 1.0, 0.0, incline_2d},
    {"incline-slide-2d", "mu = 0.95 tan 30, plane", BENCH_ASKS_SLIDE, 1, 0.01, 2.0, 1.0, 0.0, incline_2d},
    {"stack-10", "10 unit boxes", BENCH_ASKS_STAND, 10, 0.01, 10.0, 1.0, 1.0, stack},
    {"stack-30", "30 unit boxes", BENCH_ASKS_STAND, 30, 0.01, 10.0, 1.0, 1.0, stack},
    {"stack-100", "100 unit boxes", BENCH_ASKS_STAND, 100, 0.01, 10.0, 1.0, 1.0, stack},
    {"masses", "5 boxes, 1 to 1e4 kg upward", BENCH_ASKS_STAND, 5, 0.01, 10.0, 1.0, 1e4, stack},
    {"stack-10-2d", "10 unit squares", BENCH_ASKS_STAND, 10, 0.01, 10.0, 1.0, 1.0, stack_2d},
    {"stack-30-2d", "30 unit squares", BENCH_ASKS_STAND, 30, 0.01, 10.0, 1.0, 1.0, stack_2d},
    {"stack-100-2d", "100 unit squares", BENCH_ASKS_STAND, 100, 0.01, 10.0, 1.0, 1.0, stack_2d},
    {"masses-2d", "5 squares, 1 to 1e4 kg upward", BENCH_ASKS_STAND, 5, 0.01, 10.0, 1.0, 1e4, stack_2d},
    {"nut", "Brazil nut, 201 disks shaken", BENCH_ASKS_SHAKE, 1, 0.1, 75.0, CRN_GALLERY_NUT_SMALL, 0.0, nut},
    {"nut-fine", "Brazil nut, 201 disks shaken", BENCH_ASKS_SHAKE, 1, 0.01, 20.0, CRN_GALLERY_NUT_SMALL, 0.0, nut},
    {"pour-200", "200 balls poured into a box", BENCH_ASKS_POUR, 200, 0.01, 10.0, 0.1, 0.0, pour},
};

int bench_rival_count(void)
{
    return sizeof scenes / sizeof *scenes;
}

const bench_rival_scene *bench_rival_at(int index)
{
    return &scenes[index];
}
