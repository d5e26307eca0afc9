/* Parts of MJCF: settings, classes, copies, joints, actuators, equalities, meshes, files, options, warnings. Poses, masses and
 * chains of joints are compared with MuJoCo in test_mjcf.c, contacts are in test_mjcf_contact.c. */
#include "mjcf_case.h"
#include "test_allocator.h"

#include <stdlib.h>

#define DEGREE 0.017453292519943295769
#define BALL   "<geom type='sphere' size='0.5'/>"

/* --- Settings --- */

static void test_world(void **state)
{
    (void)state;
    crn_model *model = mjcf_read("<option gravity='1 2 3' timestep='0.25'/>");
    const crn_world_def *world = crn_model_world_of(model);
    mjcf_expect_vector(world->gravity, 1, 2, 3);
    assert_true(world->dt == 0.25 && world->friction_rule == CRN_FRICTION_MAX);
    assert_int_equal(crn_model_bodies(model), 0);
    crn_model_destroy(model);
    model = mjcf_read("<option><flag gravity='disable'/></option>");
    mjcf_expect_vector(crn_model_world_of(model)->gravity, 0, 0, 0);
    assert_true(crn_model_world_of(model)->dt == 0.002); /* MuJoCo's own */
    crn_model_destroy(model);
}

/* A model that has bodies keeps its world and its name. */
static void test_second(void **state)
{
    (void)state;
    static const char text[] =
        "<mujoco model='b'><option gravity='1 2 3' timestep='0.25'/><worldbody><geom type='plane' "
        "size='1 1 1'/><body name='x'><freejoint/>" BALL "</body></worldbody></mujoco>";
    crn_model *model = mjcf_read("<worldbody><geom type='plane' size='1 1 1'/></worldbody>");
    crn_error error;
    assert_string_equal(crn_model_body(model, 0)->name, "world");
    assert_int_equal(crn_io_read_mjcf_text(text, strlen(text), "b.xml", NULL, model, &error), CRN_OK);
    mjcf_expect_vector(crn_model_world_of(model)->gravity, 0, 0, -9.81);
    assert_string_equal(crn_model_name(model), "");
    assert_int_equal(crn_model_bodies(model), 3);
    assert_null(crn_model_body(model, 1)->name); /* "world" is taken */
    crn_model_destroy(model);
}

static void test_options(void **state)
{
    (void)state;
    crn_robot_options options = crn_robot_options_default();
    options.prefix = "left/";
    options.pose = (crn_pose){{1, 2, 3}, {0, 0, 0, 2}}; /* made unit: half a turn about z */
    crn_model *model =
        mjcf_read_with("<worldbody><body name='a' pos='1 0 0'><site name='s'/><joint name='j' axis='1 0 0'/>" BALL
                       "</body></worldbody>",
                       &options);
    mjcf_expect_vector(mjcf_body_of(model, "left/a")->pose.position, 0, 2, 3);
    const crn_joint_def *joint = mjcf_joint_of(model, "left/j");
    crn_pose a = mjcf_joint_place(model, joint, 0), b = mjcf_joint_place(model, joint, 1);
    mjcf_expect_vector(a.position, 0, 2, 3);
    mjcf_expect_vector(b.position, 0, 2, 3);
    mjcf_expect_vector(crn_quat_turn(a.rotation, crn_v3(0, 0, 1)), -1, 0, 0);
    assert_true(joint->a == -1 && joint->in_tree && joint->bodies_collide);
    crn_model_destroy(model);
}

/* --- Classes --- */

static void test_classes(void **state)
{
    (void)state;
    crn_model *model = mjcf_read(
        "<default><geom type='box' size='1 2 3' friction='0.5 0.1'/><joint damping='1'/>"
        "<default class='p'><geom size='4'/><default class='c'><geom size='5 6' friction='0.25'/></default></default>"
        "</default><default><joint armature='7'/></default>"
        "<worldbody><body name='m'><joint name='j'/><geom/></body>"
        "<body name='p' childclass='p'><freejoint/><geom/><body name='n'><geom class='main'/></body></body>"
        "<body name='c' childclass='p'><freejoint/><geom class='c'/></body></worldbody>");
    mjcf_expect_vector(mjcf_body_of(model, "m")->shape[0].shape.size, 1, 2, 3);
    mjcf_expect_vector(mjcf_body_of(model, "p")->shape[0].shape.size, 4, 2, 3); /* a part of the list */
    mjcf_expect_vector(mjcf_body_of(model, "n")->shape[0].shape.size, 1, 2, 3);
    mjcf_expect_vector(mjcf_body_of(model, "c")->shape[0].shape.size, 5, 6, 3);
    assert_true(mjcf_body_of(model, "p")->shape[0].friction == 0.5);
    assert_true(mjcf_body_of(model, "c")->shape[0].friction == 0.25);
    const crn_joint_axis *axis = &mjcf_joint_of(model, "j")->axis[0];
    assert_true(axis->damping == 1.0 && axis->armature == 7.0); /* main is in two parts */
    crn_model_destroy(model);
}

/* --- Frames and copies --- */

static void test_frames(void **state)
{
    (void)state;
    crn_model *model =
        mjcf_read("<worldbody><frame pos='1 0 0' euler='0 0 90'><body name='a' pos='1 0 0'><freejoint/>"
                  "<frame pos='0 0 2' euler='0 90 0'><geom type='capsule' size='0.1 0.2' pos='1 0 0'/></frame></body>"
                  "</frame></worldbody>");
    const crn_body_def *a = mjcf_body_of(model, "a");
    mjcf_expect_vector(a->pose.position, 1, 1, 0);
    mjcf_expect_vector(crn_quat_turn(a->pose.rotation, crn_v3(1, 0, 0)), 0, 1, 0);
    mjcf_expect_vector(a->shape[0].pose.position, 0, 0, 1);
    mjcf_expect_vector(crn_quat_turn(a->shape[0].pose.rotation, crn_v3(0, 0, 1)), 1, 0, 0);
    crn_model_destroy(model);
}

static void test_replicate(void **state)
{
    (void)state;
    crn_model *model = mjcf_read(
        "<worldbody><replicate count='11' offset='0 0 2' sep='-'><body name='a' pos='1 0 0'><freejoint/>" BALL
        "</body></replicate><replicate count='4' offset='1 0 0' euler='0 0 90'><geom name='g' type='sphere' size='1'/>"
        "</replicate></worldbody>");
    assert_int_equal(crn_model_bodies(model), 12);
    mjcf_expect_vector(mjcf_body_of(model, "a-00")->pose.position, 1, 0, 0);
    mjcf_expect_vector(mjcf_body_of(model, "a-10")->pose.position, 1, 0, 20);
    const crn_body_def *world = mjcf_body_of(model, "world");
    static const double corner[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}}; /* forward, turn left, ... */
    assert_int_equal(world->shapes, 4);
    for (int i = 0; i < 4; ++i) {
        mjcf_expect_vector(world->shape[i].pose.position, corner[i][0], corner[i][1], 0);
    }
    crn_model_destroy(model);
}

/* --- Joints --- */

static void test_joint(void **state)
{
    (void)state;
    crn_model *model = mjcf_read(
        "<worldbody><body><joint name='h' range='-90 45' stiffness='2' springref='30' damping='3' armature='4' "
        "frictionloss='5'/>" BALL "<body><joint name='s' type='slide' range='-1 2' ref='0.5' stiffness='1'/>" BALL
        "<body><joint name='n' range='0 1' limited='false'/>" BALL
        "<body><joint name='r' ref='370' range='360 400'/>" BALL "</body></body></body></body></worldbody>");
    const crn_joint_def *h = mjcf_joint_of(model, "h"), *s = mjcf_joint_of(model, "s"), *r = mjcf_joint_of(model, "r");
    assert_true(h->kind == CRN_JOINT_HINGE && s->kind == CRN_JOINT_SLIDER);
    mjcf_expect_number(h->axis[0].lower, -90 * DEGREE);
    mjcf_expect_number(h->axis[0].upper, 45 * DEGREE);
    mjcf_expect_number(h->axis[0].target.value, 30 * DEGREE);
    assert_true(h->axis[0].stiffness == 2 && h->axis[0].damping == 3 && h->axis[0].armature == 4 &&
                h->axis[0].friction == 5 && h->axis[0].spring_limit == 0 && !h->axis[0].has_motor);
    assert_true(s->axis[0].lower == -1 && s->axis[0].upper == 2 && s->axis[0].target.value == 0);
    mjcf_expect_vector(crn_v3_sub(s->frame_b.position, s->frame_a.position), 0, 0,
                       0.5); /* the coordinate at the start */
    assert_true(mjcf_joint_of(model, "n")->axis[0].lower > mjcf_joint_of(model, "n")->axis[0].upper);
    mjcf_expect_number(r->axis[0].lower, 0.0); /* whole turns are taken out */
    mjcf_expect_number(r->axis[0].upper, 40 * DEGREE);
    crn_model_destroy(model);
}

/* Links without mass: between joints that are not at a right angle, and for a frame that carries a hand. */
static void test_massless(void **state)
{
    (void)state;
    crn_model *model = mjcf_read(
        "<worldbody><body name='a'><joint name='p' axis='1 0 0'/><joint name='q' axis='1 1 0'/>" BALL
        "<body name='frame' pos='1 0 0'><geom type='sphere' size='0.25' mass='0'/><body name='hand' pos='1 0 0'>"
        "<joint name='r' axis='0 1 0'/><joint name='t' axis='1 0 0'/>" BALL "</body></body></body></worldbody>");
    assert_int_equal(crn_model_bodies(model), 4);
    assert_true(crn_model_body(model, 0)->is_massless && crn_model_body(model, 0)->name == NULL);
    assert_true(mjcf_body_of(model, "frame")->is_massless && mjcf_body_of(model, "frame")->shapes == 0);
    const crn_body_def *a = mjcf_body_of(model, "a");
    assert_int_equal(a->shapes, 2); /* its own, and that of the frame, which is welded to it */
    mjcf_expect_vector(a->shape[1].pose.position, 1, 0, 0);
    assert_int_equal(mjcf_joint_of(model, "r+t")->kind, CRN_JOINT_UNIVERSAL);
    assert_true(mjcf_joint_of(model, "p")->b == 0 && mjcf_joint_of(model, "q")->a == 0);
    crn_model_destroy(model);
}

/* --- Actuators --- */

static void test_actuators(void **state)
{
    (void)state;
    crn_model *model = mjcf_read(
        "<default><general gear='2'/><position kp='10'/></default>"
        "<worldbody><body><joint name='m' stiffness='3' springref='90'/>" BALL
        "<body><joint name='p' damping='1'/>" BALL "<body><joint name='v'/>" BALL "<body><joint name='g'/>" BALL
        "<body><joint name='s' stiffness='60' springref='90'/>" BALL "</body></body></body></body></body></worldbody>"
        "<actuator><motor joint='m'/><position joint='p' kv='5' forcerange='-7 7'/><velocity joint='v' kv='3' "
        "gear='1'/>"
        "<general joint='g' gear='3' biastype='affine' biasprm='1 -2 -4'/><position joint='s' kp='5'/></actuator>");
    const crn_joint_axis *m = &mjcf_joint_of(model, "m")->axis[0], *p = &mjcf_joint_of(model, "p")->axis[0];
    const crn_joint_axis *v = &mjcf_joint_of(model, "v")->axis[0], *g = &mjcf_joint_of(model, "g")->axis[0];
    const crn_joint_axis *s = &mjcf_joint_of(model, "s")->axis[0];
    assert_true(m->stiffness == 3 && m->damping == 0 && m->force.value == 0);
    assert_true(p->stiffness == 40 && p->damping == 21 && p->spring_limit == 14 && p->target.value == 0);
    assert_true(v->stiffness == 0 && v->damping == 3 && v->spring_limit == 0);
    assert_true(g->stiffness == 18 && g->damping == 36 && g->force.value == 3);
    mjcf_expect_number(s->stiffness, 80); /* 60 towards 90 degrees, 20 towards 0 */
    mjcf_expect_number(s->target.value, 67.5 * DEGREE);
    crn_model_destroy(model);
}

/* --- Equalities --- */

static void test_loops(void **state)
{
    (void)state;
    crn_model *model = mjcf_read(
        "<worldbody><body name='a' pos='1 0 0' euler='0 0 90'><freejoint/>" BALL "</body>"
        "<body name='b' pos='0 3 0' euler='90 0 0'><freejoint/>" BALL "</body></worldbody>"
        "<equality><connect name='c' body1='a' body2='b' anchor='1 0 0.5'/><weld name='w' body1='b' body2='a'/>"
        "<weld name='r' body1='a' relpose='1 2 3 1 0 0 0'/><connect body1='a' anchor='0 0 0' "
        "active='false'/></equality>");
    assert_int_equal(crn_model_joints(model), 3);
    const crn_joint_def *c = mjcf_joint_of(model, "c"), *w = mjcf_joint_of(model, "w"), *r = mjcf_joint_of(model, "r");
    assert_true(c->kind == CRN_JOINT_BALL && !c->in_tree && c->bodies_collide && w->kind == CRN_JOINT_FIXED);
    mjcf_expect_vector(mjcf_joint_place(model, c, 0).position, 1, 1, 0.5);
    mjcf_expect_vector(mjcf_joint_place(model, c, 1).position, 1, 1, 0.5);
    crn_pose one = mjcf_joint_place(model, w, 0), two = mjcf_joint_place(model, w, 1);
    mjcf_expect_vector(one.position, 1, 0, 0);
    mjcf_expect_vector(two.position, 1, 0, 0);
    mjcf_expect_vector(crn_quat_log(crn_quat_product(crn_quat_conjugate(one.rotation), two.rotation)), 0, 0, 0);
    assert_true(r->b == -1); /* the world's origin at (1, 2, 3) of a */
    mjcf_expect_vector(r->frame_a.position, 1, 2, 3);
    mjcf_expect_vector(r->frame_b.position, 0, 0, 0);
    crn_model_destroy(model);
}

/* The follower comes first: joints are counted before they are made. Leaders are never second in a universal joint. */
static void test_couples(void **state)
{
    (void)state;
    crn_model *model = mjcf_read(
        "<compiler angle='radian'/><worldbody><body><joint name='f' type='slide' ref='0.5'/>" BALL
        "<body><joint name='x' axis='1 0 0'/><joint name='y' axis='0 1 0' ref='0.25'/>" BALL
        "<body><joint name='k'/>" BALL "</body></body></body></worldbody>"
        "<equality><joint joint1='f' joint2='y' polycoef='1 2 0 0 0'/><joint joint1='k' polycoef='0.125'/></equality>");
    const crn_joint_axis *f = &mjcf_joint_of(model, "f")->axis[0], *k = &mjcf_joint_of(model, "k")->axis[0];
    assert_int_equal(f->follows, 1 + crn_model_find_joint(model, "y"));
    mjcf_expect_number(f->ratio, 2);
    mjcf_expect_number(f->shift, 0.5 + 1 - 2 * 0.25);
    assert_true(k->lower == 0.125 && k->upper == 0.125);
    crn_model_destroy(model);
}

/* --- Meshes and files --- */

#define TETRAHEDRON "vertex='0 0 0 1 0 0 0 1 0 0 0 1'"

static void test_mesh(void **state)
{
    (void)state;
    crn_model *model =
        mjcf_read("<asset><mesh name='hull' scale='2 1 1' " TETRAHEDRON "/><mesh name='solid' " TETRAHEDRON
                  " face='0 2 1 0 1 3 0 3 2 1 2 3'/><mesh name='open' " TETRAHEDRON " face='0 2 1'/></asset>"
                  "<worldbody><body name='h'><freejoint/><geom type='mesh' mesh='hull' density='6'/></body>"
                  "<body name='s'><freejoint/><geom type='mesh' mesh='solid' density='6'/></body>"
                  "<body name='o'><freejoint/><geom type='mesh' mesh='open' density='6'/></body></worldbody>");
    const crn_body_def *h = mjcf_body_of(model, "h"), *s = mjcf_body_of(model, "s"), *o = mjcf_body_of(model, "o");
    mjcf_expect_number(h->mass, 2);
    mjcf_expect_vector(h->com, 0.5, 0.25, 0.25);
    assert_true(h->shape[0].shape.kind == CRN_SHAPE_HULL && h->shape[0].shape.count == 4);
    mjcf_expect_number(s->mass, 1);
    mjcf_expect_vector(s->com, 0.25, 0.25, 0.25);
    mjcf_expect_number(s->inertia.m[0], 2 * 3.0 / 80); /* of a corner of a cube, about its centre */
    mjcf_expect_number(s->inertia.m[1], 1.0 / 80);
    mjcf_expect_number(o->mass, 1); /* bounds nothing: its hull */
    crn_model_destroy(model);
}

/* A cube of edge 2 as a solid, by MuJoCo's rule and exactly, as a shell (5/18 m s^2), and without its lid, worked by hand. */
static void test_mesh_masses(void **state)
{
    (void)state;
#define CUBE  "vertex='-1 -1 -1 1 -1 -1 -1 1 -1 1 1 -1 -1 -1 1 1 -1 1 -1 1 1 1 1 1' "
#define SIDES "face='0 2 1 1 2 3 4 5 6 5 7 6 0 1 4 1 5 4 2 6 3 3 6 7 0 4 2 2 4 6 1 3 5 3 7 5' "
    crn_model *model =
        mjcf_read("<asset><mesh name='solid' " CUBE SIDES "/><mesh name='exact' inertia='exact' " CUBE SIDES
                  "/><mesh name='shell' inertia='shell' " CUBE SIDES "/><mesh name='lidless' " CUBE
                  "face='0 2 1 1 2 3 0 1 4 1 5 4 2 6 3 3 6 7 0 4 2 2 4 6 1 3 5 3 7 5'/></asset><worldbody>"
                  "<body name='a'><freejoint/><geom type='mesh' mesh='solid' density='1'/></body>"
                  "<body name='b'><freejoint/><geom type='mesh' mesh='exact' density='1'/></body>"
                  "<body name='c'><freejoint/><geom type='mesh' mesh='shell' density='1'/></body>"
                  "<body name='d'><freejoint/><geom type='mesh' mesh='lidless' density='1'/></body></worldbody>");
    const crn_body_def *a = mjcf_body_of(model, "a"), *b = mjcf_body_of(model, "b"), *c = mjcf_body_of(model, "c");
    mjcf_expect_number(a->mass, 8);
    mjcf_expect_number(a->inertia.m[0], 8 * 4.0 / 6);
    mjcf_expect_number(b->mass, 8);
    mjcf_expect_number(b->inertia.m[8], 8 * 4.0 / 6);
    mjcf_expect_number(c->mass, 24);
    mjcf_expect_number(c->inertia.m[4], 24 * 4.0 * 5 / 18);
    /* without its lid: middle of five sides at z = -0.2. From there pyramids of 4 * (0.8 + 4 * 1) / 3 = 6.4, whose centre is 3/4 of the
     * way: the bottom's at -0.2 - 0.6, the sides' at -0.2 + 0.75 * 0.2 = -0.05; z = (1.0667 * -0.8 + 5.3333 * -0.05) / 6.4 = -0.175 */
    const crn_body_def *d = mjcf_body_of(model, "d");
    mjcf_expect_vector(d->com, 0, 0, -0.175);
    mjcf_expect_number(d->mass, 4 * (0.825 + 4) / 3);
    crn_model_destroy(model);
}

static void test_missing_mesh(void **state)
{
    (void)state;
    static const char text[] =
        "<asset><mesh file='nowhere/a.stl'/><mesh name='b' file='nowhere/b.stl'/></asset><worldbody>"
        "<body name='x'><freejoint/>" BALL "<geom type='mesh' mesh='a' mass='0'/></body>"
        "<body name='y'><inertial mass='1' diaginertia='1 1 1' pos='0 0 0'/><freejoint/>"
        "<geom type='mesh' mesh='b' contype='0' conaffinity='0'/></body></worldbody>";
    mjcf_warnings warnings = {.count = 0};
    crn_robot_options options = crn_robot_options_default();
    options.skip_missing_meshes = true;
    options.warn = mjcf_warn;
    options.user = &warnings;
    crn_model *model = mjcf_read_with(text, &options);
    assert_int_equal(mjcf_body_of(model, "x")->shapes, 1);
    assert_int_equal(warnings.count, 2); /* b is a picture: it is not looked for */
    assert_non_null(strstr(warnings.text, "m.xml:1: <mesh>: nowhere/a.stl: "));
    assert_non_null(strstr(warnings.text, "m.xml:1: <mujoco>: pictures and notes are left out: <mesh>\n"));
    crn_model_destroy(model);
}

static void test_include(void **state)
{
    (void)state;
    crn_model *model = NULL;
    crn_error error;
    assert_int_equal(crn_model_create(NULL, &model, &error), CRN_OK);
    crn_status status = crn_io_read_mjcf(CAIRN_SOURCE_DIR "/tests/robots/mjcf/include.xml", NULL, model, &error);
    TEST_CHECK(status == CRN_OK, "%s", error.text);
    mjcf_expect_vector(mjcf_body_of(model, "second")->pose.position, 1, 0, 1);
    assert_true(mjcf_body_of(model, "second")->shape[0].shape.size.x == 0.5);
    crn_model_destroy(model);
}

static char *scene_of(const char *name, mjcf_warnings *warnings)
{
    char path[1024], *text = NULL;
    crn_model *model = NULL;
    crn_error error;
    crn_robot_options options = crn_robot_options_default();
    options.warn = mjcf_warn;
    options.user = warnings;
    (void)snprintf(path, sizeof path, "%s/tests/robots/mjcf/%s", CAIRN_SOURCE_DIR, name);
    assert_int_equal(crn_model_create(NULL, &model, &error), CRN_OK);
    crn_status status = crn_io_read_mjcf(path, &options, model, &error);
    TEST_CHECK(status == CRN_OK, "%s", error.text);
    assert_int_equal(crn_io_write_scene_text(model, NULL, &text, NULL, NULL), CRN_OK);
    crn_model_destroy(model);
    return text;
}

/* An arm on a table twice, with names, classes, angles and meshes of its own: as the file that is written out by hand. */
static void test_attach(void **state)
{
    (void)state;
    mjcf_warnings warnings = {.count = 0}, none = {.count = 0};
    char *attached = scene_of("attach.xml", &warnings), *flat = scene_of("attach_flat.xml", &none);
    assert_string_equal(attached, flat);
    assert_non_null(strstr(warnings.text, "arm.xml:12: <motor>: names what is not attached, and is left out\n"));
    assert_non_null(strstr(warnings.text, "arm.xml:3: <option>: of an attached file: has no effect\n"));
    free(attached);
    free(flat);
}

/* --- Controls --- */

static const crn_actuator_def *actuator_of(const crn_model *model, const char *name)
{
    int index = crn_model_find_actuator(model, name);
    TEST_CHECK(index >= 0, "no actuator %s", name);
    return crn_model_actuator(model, index);
}

/* gain = gear times force per control; servos move the target; ranges, lags, joints that are one of ours. */
static void test_controls(void **state)
{
    (void)state;
    crn_model *model = mjcf_read(
        "<compiler angle='radian'/><worldbody><body name='b'><joint name='x' axis='1 0 0' range='-1 3'/><joint "
        "name='y' axis='0 1 0'/>"
        "<geom type='box' size='1 1 1' density='3'/></body></worldbody><actuator>"
        "<motor name='m' joint='x' gear='-2' ctrlrange='-1 1' forcerange='-3 5'/>"
        "<position name='p' joint='x' kp='10' kv='1' gear='2' inheritrange='0.5' timeconst='0.1'/>"
        "<velocity name='v' joint='y' kv='4'/>"
        "<general name='g' joint='y' gainprm='7' dyntype='filter' dynprm='0.3' ctrllimited='true' ctrlrange='1 2'/>"
        "<position name='d' joint='y' kp='9' dampratio='0.5' gear='3'/></actuator>");
    assert_int_equal(crn_model_actuators(model), 5);
    const crn_joint_def *joint = mjcf_joint_of(model, "x+y");
    const crn_actuator_def *m = actuator_of(model, "m"), *p = actuator_of(model, "p"), *v = actuator_of(model, "v");
    const crn_actuator_def *g = actuator_of(model, "g"), *d = actuator_of(model, "d");
    assert_true(m->coordinate == 0 && v->coordinate == 1 && !m->moves_target && p->moves_target && !v->moves_target);
    mjcf_expect_number(m->gain, -2);
    assert_true(m->lower == -1.0 && m->upper == 1.0 && m->force_lower == -10.0 && m->force_upper == 6.0);
    mjcf_expect_number(p->gain, 20);
    assert_true(p->lower == 0.0 && p->upper == 2.0 && p->time_constant == 0.1);
    mjcf_expect_number(joint->axis[0].stiffness, 40);
    mjcf_expect_number(v->gain, 4);
    mjcf_expect_number(g->gain, 7);
    assert_true(g->time_constant == 0.3 && g->lower == 1.0);
    /* a cube of 24 kg and edge 2: I = 24 * 4 / 6 = 16 about its axes; kv = 2 z sqrt(kp I) / gear; at the joint gear^2 kv */
    mjcf_expect_number(d->gain, 27);
    mjcf_expect_number(joint->axis[1].stiffness, 81);
    mjcf_expect_number(joint->axis[1].damping, 4 + 9 * (2 * 0.5 * sqrt(9.0 * 16.0) / 3));
    crn_model_destroy(model);
    model = mjcf_read(
        "<option><flag clampctrl='disable'/></option><worldbody><body gravcomp='0.75' name='b'><joint name='x'/>"
        "<geom size='1'/></body></worldbody><actuator><motor name='m' joint='x' ctrlrange='-1 1'/></actuator>");
    assert_true(isinf(actuator_of(model, "m")->upper));
    mjcf_expect_number(mjcf_body_of(model, "b")->gravity_scale, 0.25);
    crn_model_destroy(model);
}

/* <flag> switches off contacts, limits, springs, dampers, friction, equalities, actuators. */
static void test_flags(void **state)
{
    (void)state;
    static const char *const flags[] = {"contact",  "limit",   "spring",    "damper",    "frictionloss",
                                        "equality", "passive", "actuation", "constraint"};
    for (int i = 0; i < 9; ++i) {
        char text[1000];
        (void)snprintf(
            text, sizeof text,
            "<option><flag %s='disable'/></option><worldbody><body name='b'><joint name='j' range='-1 1' stiffness='1' "
            "damping='2' frictionloss='3'/><geom size='1'/></body></worldbody><equality><connect body1='b' "
            "anchor='0 0 1'/></equality><actuator><motor joint='j'/></actuator>",
            flags[i]);
        crn_model *model = mjcf_read(text);
        const crn_joint_axis *axis = &mjcf_joint_of(model, "j")->axis[0];
        bool is_all = i == 8;
        assert_int_equal(mjcf_body_of(model, "b")->shapes, i == 0 || is_all ? 0 : 1);
        assert_int_equal(axis->lower <= axis->upper, !(i == 1 || is_all));
        assert_true(axis->stiffness == (i == 2 || i == 6 ? 0.0 : 1.0));
        assert_true(axis->damping == (i == 3 || i == 6 ? 0.0 : 2.0));
        assert_true(axis->friction == (i == 4 || is_all ? 0.0 : 3.0));
        assert_int_equal(crn_model_joints(model), i == 5 || is_all ? 1 : 2);
        assert_int_equal(crn_model_actuators(model), i == 7 ? 0 : 1);
        crn_model_destroy(model);
    }
}

/* --- Keys --- */

/* Every kind of joint, joints that are one of ours, refs beyond a turn, velocities in MuJoCo's axes; placed by options.pose. */
static void test_keys(void **state)
{
    (void)state;
    crn_robot_options options = crn_robot_options_default();
    options.pose.position = crn_v3(10, 0, 0);
    options.prefix = "r/";
    crn_model *model = mjcf_read_with(
        "<compiler angle='radian'/><worldbody>"
        "<body name='f' pos='0 0 1'><freejoint/><geom size='1'/><body name='a'><joint name='u' axis='1 0 0'/><joint "
        "name='v' axis='0 1 0'/>"
        "<geom size='1'/><body name='c'><joint name='w' type='ball'/><geom size='1'/></body></body></body>"
        "<body name='d'><joint name='s' type='slide' axis='1 0 0'/><joint name='h' axis='1 0 0' ref='7'/><geom "
        "size='1'/></body></worldbody>"
        "<actuator><muscle joint='s'/><motor name='m' joint='s'/></actuator>"
        "<keyframe><key name='k' qpos='1 2 3 0 0 0 2 0.1 0.2 0 0 0 -1 0.5 8' qvel='1 0 0 0 1 0 3 4 1 0 0 5 6' ctrl='7 "
        "8'/><key/></keyframe>",
        &options);
    assert_int_equal(crn_model_keys(model), 2);
    const crn_key_def *key = crn_model_key(model, crn_model_find_key(model, "r/k"));
    assert_true(key != NULL && key->states == 5 && key->controls == 1 && key->control[0] == 8.0);
    const crn_key_state *f = &key->state[0], *uv = &key->state[1], *w = &key->state[2], *s = &key->state[3];
    assert_true(f->joint == -1 && f->body == crn_model_find_body(model, "r/f"));
    mjcf_expect_vector(crn_v3_of(f->q), 11, 2, 3);
    mjcf_expect_number(fabs(f->q[6]), 1); /* half a turn about z */
    mjcf_expect_vector(crn_v3_of(f->u), 0, -1, 0);
    mjcf_expect_vector(crn_v3_of(f->u + 3), 1, 0, 0);
    assert_int_equal(uv->joint, crn_model_find_joint(model, "r/u+v"));
    assert_true(uv->q[0] == 0.1 && uv->q[1] == 0.2 && uv->u[0] == 3.0 && uv->u[1] == 4.0);
    assert_int_equal(w->joint, crn_model_find_joint(model, "r/w"));
    assert_true(w->q[3] == -1.0);
    mjcf_expect_vector(crn_v3_of(w->u), -1, 0, 0);
    assert_true(s->q[0] == 0.5 && s->u[0] == 5.0);
    mjcf_expect_number(key->state[4].q[0], 8 - 6.283185307179586);
    key = crn_model_key(model, 1); /* the start */
    mjcf_expect_vector(crn_v3_of(key->state[0].q), 10, 0, 1);
    mjcf_expect_number(key->state[4].q[0], 7 - 6.283185307179586);
    assert_true(key->control[0] == 0.0);
    crn_model_destroy(model);
}

/* --- Sensors --- */

/* Each kind that is known, of what it names; the others are left out. */
/* An equality that is not active held its joint all the same. A tendon is held where it is at the start, one over a ball joint limited. */
static void test_held(void **state)
{
    (void)state;
    crn_model *model = mjcf_read("<compiler angle='radian'/><worldbody><body><joint name='j' ref='0.3'/><joint "
                                 "name='k' pos='0 0 1'/><geom size='1'/><body><joint "
                                 "type='ball' range='0 0.8' limited='true'/><geom "
                                 "size='1'/></body></body></worldbody><tendon><fixed name='t'><joint "
                                 "joint='j' coef='2'/><joint joint='k' coef='5'/></fixed></tendon><equality><joint "
                                 "joint1='j' active='false'/><tendon "
                                 "tendon1='t' polycoef='0.1'/></equality>");
    const crn_joint_axis *axis = &crn_model_joint(model, crn_model_find_joint(model, "j"))->axis[0];
    assert_true(axis->lower > axis->upper);
    const crn_tendon_def *held = crn_model_tendon(model, 0), *ball = crn_model_tendon(model, 1);
    assert_true(fabs(held->lower - 0.7) < 1e-15 && held->upper == held->lower);
    assert_true(ball != NULL && ball->upper == 0.8 && ball->name == NULL);
    crn_model_destroy(model);
}

/* Heights are written from the far row on, and scaled to size[2]. */
static void test_field(void **state)
{
    (void)state;
    crn_model *model = mjcf_read("<asset><hfield name='f' nrow='3' ncol='3' size='2 2 0.5 0.1' "
                                 "elevation='3 3 7 1 1 1 3 3 3'/></asset><worldbody><geom type='hfield' hfield='f'/>"
                                 "</worldbody>");
    const crn_shape_def *shape = &crn_model_body(model, 0)->shape[0].shape;
    assert_int_equal(shape->kind, CRN_SHAPE_HEIGHT_FIELD);
    assert_int_equal(shape->rows, 3);
    assert_int_equal(shape->columns, 3);
    assert_true(shape->size.x == 2.0 && shape->size.y == 2.0);
    const double sixth = 0.5 / 6.0, right[9] = {2 * sixth, 2 * sixth, 2 * sixth, 0, 0, 0, 2 * sixth, 2 * sixth, 0.5};
    for (int i = 0; i < 9; ++i) {
        assert_true(fabs(shape->points[i] - right[i]) < 1e-15);
    }
    crn_model_destroy(model);
}

static void test_sensors(void **state)
{
    (void)state;
    mjcf_warnings warnings = {.count = 0};
    crn_robot_options options = crn_robot_options_default();
    options.warn = mjcf_warn;
    options.user = &warnings;
    options.prefix = "r/";
    crn_model *model = mjcf_read_with(
        "<worldbody><body name='b'><joint name='x' axis='1 0 0'/><joint name='y' axis='0 1 0'/><geom size='1'/><site "
        "name='s'/></body>"
        "</worldbody><actuator><motor name='m' joint='y'/><position name='p' joint='x'/></actuator><sensor>"
        "<jointpos name='a' joint='y'/><jointvel joint='x'/><actuatorfrc actuator='m'/><framepos objtype='site' "
        "objname='s'/>"
        "<framequat objtype='xbody' objname='b'/><gyro site='s'/><rangefinder site='s'/>"
        "<framepos objtype='geom' objname='g'/><actuatorfrc actuator='p'/><touch site='s'/><magnetometer "
        "site='s'/></sensor>",
        &options);
    static const crn_probe_kind kind[] = {
        CRN_PROBE_JOINT_COORDINATE, CRN_PROBE_JOINT_SPEED, CRN_PROBE_ACTUATOR_FORCE, CRN_PROBE_SITE_POSITION,
        CRN_PROBE_ROTATION,         CRN_PROBE_GYRO,        CRN_PROBE_RANGE,          CRN_PROBE_TOUCH};
    assert_int_equal(crn_model_probes(model), 8);
    for (int i = 0; i < 8; ++i) {
        assert_int_equal(crn_model_probe(model, i)->kind, kind[i]);
    }
    assert_int_equal(crn_model_find_probe(model, "r/a"), 0);
    assert_int_equal(crn_model_probe(model, 0)->only, 2);
    assert_int_equal(crn_model_probe(model, 1)->only, 1);
    assert_int_equal(crn_model_probe(model, 4)->target, crn_model_find_body(model, "r/b"));
    assert_int_equal(crn_model_probe_first(model, 7), 1 + 1 + 1 + 3 + 4 + 3 + 1);
    assert_string_equal(
        warnings.text,
        "m.xml:1: <framepos>: objtype other than site (or xbody, of poses): not supported, the sensor is left out\n"
        "m.xml:1: <actuatorfrc>: of an actuator with a spring or damper: not supported, the sensor is left out\n"
        "m.xml:1: <magnetometer>: not supported, left out\n");
    crn_model_destroy(model);
}

/* --- Sites --- */

static const crn_site_def *site_of(const crn_model *model, const char *name)
{
    int index = crn_model_find_site(model, name);
    TEST_CHECK(index >= 0, "no site %s", name);
    return crn_model_site(model, index);
}

/* On bodies that move; on ones that do not, in the world; in frames, by both ends, of a class, copied. */
static void test_sites(void **state)
{
    (void)state;
    crn_robot_options options = crn_robot_options_default();
    options.prefix = "r/";
    options.pose.position = crn_v3(10, 0, 0);
    crn_model *model =
        mjcf_read_with("<default><default class='c'><site pos='0 0 7'/></default></default>"
                       "<worldbody><site name='w' pos='1 2 3'/><body pos='0 0 1'><site name='s' pos='0 0 1'/></body>"
                       "<body name='b' pos='5 0 0'><joint/><geom size='1'/><frame pos='0 1 0' axisangle='0 0 1 "
                       "90'><site name='f' pos='1 0 0'/></frame>"
                       "<site name='e' fromto='0 0 0 2 0 0'/><site class='c' name='c'/>"
                       "<replicate count='2' offset='1 0 0'><site name='p'/></replicate></body></worldbody>",
                       &options);
    int body = crn_model_find_body(model, "r/b");
    assert_int_equal(crn_model_sites(model), 7);
    assert_int_equal(site_of(model, "r/w")->body, -1);
    mjcf_expect_vector(site_of(model, "r/w")->pose.position, 11, 2, 3);
    mjcf_expect_vector(site_of(model, "r/s")->pose.position, 10, 0, 2);
    assert_int_equal(site_of(model, "r/f")->body, body);
    mjcf_expect_vector(site_of(model, "r/f")->pose.position, 0, 2, 0);
    mjcf_expect_vector(crn_quat_turn(site_of(model, "r/f")->pose.rotation, crn_v3(1, 0, 0)), 0, 1, 0);
    mjcf_expect_vector(site_of(model, "r/e")->pose.position, 1, 0, 0);
    mjcf_expect_vector(crn_quat_turn(site_of(model, "r/e")->pose.rotation, crn_v3(0, 0, 1)), -1, 0, 0);
    mjcf_expect_vector(site_of(model, "r/c")->pose.position, 0, 0, 7);
    mjcf_expect_vector(site_of(model, "r/p0")->pose.position, 0, 0, 0);
    mjcf_expect_vector(site_of(model, "r/p1")->pose.position, 1, 0, 0);
    crn_model_destroy(model);
}

/* --- Warnings --- */

static void test_warnings(void **state)
{
    (void)state;
    mjcf_warnings warnings = {.count = 0};
    crn_robot_options options = crn_robot_options_default();
    options.warn = mjcf_warn;
    options.user = &warnings;
    crn_model *model =
        mjcf_read_with("<visual/><statistic meansize='1'/>\n<sensor><magnetometer/></sensor>\n<sensor/>"
                       "<default class='main'><geom solref='1 1'/><default class='unused'><geom gap='1'/>"
                       "</default></default>"
                       "<worldbody>\n<light/><site/><geom type='sphere' size='1' margin='1' rgba='1 1 1 1'/>"
                       "<geom type='sphere' size='1' margin='1'/></worldbody><keyframe/><wheels/>",
                       &options);
    assert_string_equal(warnings.text,
                        "m.xml:2: <magnetometer>: not supported, left out\n"
                        "m.xml:4: <wheels>: not supported, left out\n"
                        "m.xml:1: <mujoco>: pictures and notes are left out: <visual>, <statistic>, "
                        "<light>, rgba\n"
                        "m.xml:1: <mujoco>: contacts and constraints are hard, and solved in another way: "
                        "no effect of: solref, margin\n");
    crn_model_destroy(model);
}

/* --- Memory --- */

static const char everything[] =
    "<mujoco model='x'><default><geom size='0.1 0.2 0.3'/></default><asset><mesh name='m' " TETRAHEDRON
    " face='0 2 1 0 1 3 0 3 2 1 2 3'/></asset><worldbody><geom type='plane'/><replicate count='2'><body name='a'>"
    "<joint name='j' axis='1 0 0'/><joint name='k' axis='1 1 0'/><geom type='mesh' mesh='m'/><body name='b'><geom "
    "type='box'/>"
    "</body></body></replicate></worldbody><contact><exclude body1='a0' body2='a1'/></contact><equality><connect "
    "body1='a0' "
    "body2='a1' anchor='0 0 0'/></equality><actuator><position joint='j0'/></actuator></mujoco>";

static void test_memory(void **state)
{
    (void)state;
    crn_status status = CRN_ERR_MEMORY;
    for (long k = 1; status != CRN_OK; ++k) {
        test_allocator counter = {0};
        crn_allocator hooks = test_allocator_hooks(&counter);
        crn_robot_options options = crn_robot_options_default();
        options.prefix = "p";
        crn_model *model = NULL;
        crn_error error;
        assert_int_equal(crn_model_create(&hooks, &model, &error), CRN_OK);
        counter.fail_at = counter.calls + k;
        status = crn_io_read_mjcf_text(everything, sizeof everything - 1, "m.xml", &options, model, &error);
        TEST_CHECK(status == CRN_OK || status == CRN_ERR_MEMORY, "call %ld: %s", k, error.text);
        assert_true(error.status == status);
        crn_model_destroy(model);
        TEST_CHECK(counter.live == 0, "call %ld leaves %ld blocks", k, counter.live);
        assert_true(k < 2000);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_world),       cmocka_unit_test(test_second),       cmocka_unit_test(test_options),
        cmocka_unit_test(test_classes),     cmocka_unit_test(test_frames),       cmocka_unit_test(test_replicate),
        cmocka_unit_test(test_joint),       cmocka_unit_test(test_massless),     cmocka_unit_test(test_actuators),
        cmocka_unit_test(test_loops),       cmocka_unit_test(test_couples),      cmocka_unit_test(test_mesh),
        cmocka_unit_test(test_mesh_masses), cmocka_unit_test(test_missing_mesh), cmocka_unit_test(test_include),
        cmocka_unit_test(test_attach),      cmocka_unit_test(test_controls),     cmocka_unit_test(test_held),
        cmocka_unit_test(test_field),       cmocka_unit_test(test_sensors),      cmocka_unit_test(test_keys),
        cmocka_unit_test(test_flags),       cmocka_unit_test(test_sites),        cmocka_unit_test(test_warnings),
        cmocka_unit_test(test_memory),
    };
    return TEST_RUN(tests, argc, argv);
}
