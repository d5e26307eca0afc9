/* Every check of a definition: a good one passes, and each single mistake gives its own message. */
#include "model/model_room.h"

#include "check_case.h"

#include <math.h>

/* --- Bodies --- */

static crn_body_shape shape;
static crn_body_def body;

/* A free unit sphere; a free disk if planar. */
static void fresh_body(bool is_planar)
{
    shape = crn_body_shape_default();
    shape.shape.kind = is_planar ? CRN_SHAPE_DISK : CRN_SHAPE_SPHERE;
    body = crn_body_def_default();
    body.shape = &shape;
    body.shapes = 1;
}

/* Change a fresh body, expect the message. */
#define WRONG_BODY(change, message)                                            \
    do {                                                                       \
        fresh_body(false);                                                     \
        change;                                                                \
        EXPECT(crn_body_def_check(&body, false, "bodies[3]", error), message); \
    } while (0)
#define WRONG_PLANAR(change, message)                                    \
    do {                                                                 \
        fresh_body(true);                                                \
        change;                                                          \
        EXPECT(crn_body_def_check(&body, true, "body", error), message); \
    } while (0)
#define GOOD_BODY(is_planar, change)                                   \
    do {                                                               \
        fresh_body(is_planar);                                         \
        change;                                                        \
        ACCEPT(crn_body_def_check(&body, (is_planar), "body", error)); \
    } while (0)

static void test_bodies(void **state)
{
    (void)state;
    GOOD_BODY(false, (void)0);
    GOOD_BODY(true, (void)0);
    GOOD_BODY(false, body.name = "k\xC3\xBCgel \xE2\x82\xAC \xF0\x9D\x84\x9E");
    GOOD_BODY(false, body.kind = CRN_BODY_FIXED; body.shapes = 0);
    GOOD_BODY(false, body.shapes = 0; body.mass = 1; body.inertia = ((crn_mat3){{1, 0, 0, 0, 1, 0, 0, 0, 1}}));
    GOOD_BODY(false, body.mass = 3; body.com.x = 1);
    GOOD_BODY(false, body.pose.rotation = ((crn_quat){0.6000005, 0, 0, -0.8}));

    EXPECT(crn_body_def_check(NULL, false, "body", error), "body: the definition is NULL");
    EXPECT(crn_body_def_check(NULL, false, NULL, error), "the definition is NULL");
    WRONG_BODY(body.name = "", "bodies[3].name: must not be empty");
    WRONG_BODY(body.name = "a\xFF", "bodies[3].name: is not UTF-8");
    WRONG_BODY(body.name = "\xC0\x80", "bodies[3].name: is not UTF-8");
    WRONG_BODY(body.name = "\xED\xA0\x80", "bodies[3].name: is not UTF-8");
    WRONG_BODY(body.name = "\xE2\x82", "bodies[3].name: is not UTF-8");
    WRONG_BODY(body.name = "\xF8\x88\x80\x80\x80", "bodies[3].name: is not UTF-8");
    WRONG_BODY(body.name = "\x80", "bodies[3].name: is not UTF-8");
    WRONG_BODY(body.name = "\xF4\x90\x80\x80", "bodies[3].name: is not UTF-8");
    WRONG_BODY(body.kind = (crn_body_kind)3, "bodies[3].kind: 3 is unknown");
    WRONG_BODY(body.pose.position.y = NAN, "bodies[3].position: must be finite, but is (0, nan, 0)");
    WRONG_BODY(body.pose.rotation.w = 1.1, "bodies[3].rotation: must be a unit quaternion, but its length is 1.1");
    WRONG_BODY(body.pose.rotation.w = 0, "bodies[3].rotation: must be a unit quaternion, but its length is 0");
    WRONG_BODY(body.pose.rotation.w = NAN, "bodies[3].rotation: must be a unit quaternion, but its length is nan");
    WRONG_BODY(body.pose.rotation.w = 1e308, "bodies[3].rotation: must be a unit quaternion, but its length is inf");
    WRONG_BODY(body.velocity.x = INFINITY, "bodies[3].velocity: must be finite, but is (inf, 0, 0)");
    WRONG_BODY(body.angular.z = -INFINITY, "bodies[3].angular: must be finite, but is (0, 0, -inf)");
    WRONG_BODY(body.kind = CRN_BODY_FIXED; body.velocity.x = 1, "bodies[3].velocity: is for free bodies only");
    WRONG_BODY(body.kind = CRN_BODY_DRIVEN; body.angular.x = 1, "bodies[3].angular: is for free bodies only");
    WRONG_BODY(body.mass = -1, "bodies[3].mass: must be > 0, but is -1");
    WRONG_BODY(body.mass = NAN, "bodies[3].mass: must be > 0, but is nan");
    WRONG_BODY(body.mass = INFINITY, "bodies[3].mass: must be finite, but is inf");
    WRONG_BODY(body.shapes = 0, "bodies[3].mass: must be > 0, or a shape must have volume and density");
    WRONG_BODY(shape.density = 0, "bodies[3].mass: must be > 0, or a shape must have volume and density");
    WRONG_BODY(body.com.x = 1, "bodies[3].com: is of use with mass only");
    WRONG_BODY(body.com.x = NAN, "bodies[3].com: must be finite, but is (nan, 0, 0)");
    WRONG_BODY(body.linear_damping = -1, "bodies[3].linear_damping: must be >= 0, but is -1");
    WRONG_BODY(body.angular_damping = NAN, "bodies[3].angular_damping: must be >= 0, but is nan");
    WRONG_BODY(body.angular_damping = INFINITY, "bodies[3].angular_damping: must be finite, but is inf");
    WRONG_BODY(body.gravity_scale = NAN, "bodies[3].gravity_scale: must be finite, but is nan");
    WRONG_BODY(body.shapes = -1, "bodies[3].shapes: -1 at shape");
    WRONG_BODY(body.shape = NULL, "bodies[3].shapes: 1 at NULL");
}

static void test_inertia(void **state)
{
    (void)state;
    GOOD_BODY(false, body.mass = 1; body.inertia = ((crn_mat3){{2, 1, 0, 1.000000001, 2, 0, 0, 0, 2.5}}));
    GOOD_BODY(true, body.mass = 1; body.inertia.m[8] = 2);
    WRONG_BODY(body.inertia.m[0] = 1, "bodies[3].inertia: must be positive definite");
    WRONG_BODY(body.inertia = ((crn_mat3){{1, 0, 0, 0, 1, 0, 0, 0, 1}}), "bodies[3].inertia: is of use with mass only");
    WRONG_BODY(body.mass = 1; body.inertia = ((crn_mat3){{1, 2, 0, 2, 1, 0, 0, 0, 1}}),
                              "bodies[3].inertia: must be positive definite");
    WRONG_BODY(body.mass = 1; body.inertia = ((crn_mat3){{1, 0, 0, 0, 1, 2, 0, 2, 1}}),
                              "bodies[3].inertia: must be positive definite");
    WRONG_BODY(body.mass = 1; body.inertia = ((crn_mat3){{-1, 0, 0, 0, 1, 0, 0, 0, 1}}),
                              "bodies[3].inertia: must be positive definite");
    WRONG_BODY(body.mass = 1; body.inertia = ((crn_mat3){{1, 0.1, 0, 0, 1, 0, 0, 0, 1}}),
                              "bodies[3].inertia: must be symmetric, but entries (2, 1) and (1, 2) are 0.1 and 0");
    GOOD_BODY(false, body.mass = 1; body.inertia = ((crn_mat3){{1, 0, 0, 0, 1, 0, 0, 0, 2.01}})); /* three digits */
    WRONG_BODY(body.mass = 1;
               body.inertia = ((crn_mat3){{1, 0, 0, 0, 1, 0, 0, 0, 2.1}}),
               "bodies[3].inertia: no body has it: of the principal moments two must sum up to the third "
               "at least");
    WRONG_BODY(body.mass = 1; body.inertia.m[5] = NAN, "bodies[3].inertia: must be finite, but entry (3, 2) is nan");
    WRONG_BODY(body.mass = 1; body.shapes = 0, "bodies[3].inertia: must be given, as no shape has volume and density");
    WRONG_PLANAR(body.mass = 1; body.inertia.m[0] = 2, "body.inertia: must be > 0, but is 0");
    WRONG_PLANAR(body.mass = 1; body.inertia.m[8] = -2, "body.inertia: must be > 0, but is -2");
}

static void test_planar_bodies(void **state)
{
    (void)state;
    GOOD_BODY(true, body.pose.rotation = ((crn_quat){0.6, 1e-7, 0, 0.8}));
    WRONG_PLANAR(body.pose.position.z = 0.1, "body.position: z must be 0 in a planar world, but is 0.1");
    WRONG_PLANAR(body.pose.rotation = ((crn_quat){0.6, 0.8, 0, 0}),
                 "body.rotation: must be about z in a planar world: x and y are 0.8 and 0");
    WRONG_PLANAR(body.velocity.z = 1, "body.velocity: z must be 0 in a planar world, but is 1");
    WRONG_PLANAR(body.angular.x = 1, "body.angular: x and y must be 0 in a planar world, but are 1 and 0");
    WRONG_PLANAR(body.mass = 1; body.com.z = 1, "body.com: z must be 0 in a planar world, but is 1");
    WRONG_PLANAR(shape.shape.kind = CRN_SHAPE_BOX, "body.shapes[0].kind: a box is not for a planar world");
    WRONG_PLANAR(shape.pose.position.z = 1, "body.shapes[0].position: z must be 0 in a planar world, but is 1");
    WRONG_BODY(shape.shape.kind = CRN_SHAPE_DISK, "bodies[3].shapes[0].kind: a disk is not for a spatial world");
    WRONG_PLANAR(body.kind = CRN_BODY_DRIVEN; body.motion.z.value = 1, "body.motion.z: must be 0 in a planar world");
    WRONG_PLANAR(body.kind = CRN_BODY_DRIVEN; body.motion.angle.value = 1;
                 body.motion.axis = ((crn_vec3){1, 0, 0}), "body.motion.axis: must be z or -z in a planar world");
}

/* --- Shapes --- */

#define WRONG_SHAPE(kind_, change, message)                                                               \
    do {                                                                                                  \
        fresh_body((kind_) >= CRN_SHAPE_DISK);                                                            \
        body.kind = CRN_BODY_FIXED;                                                                       \
        shape.shape.kind = (kind_);                                                                       \
        shape.shape.size = (crn_vec3){1, 1, 1};                                                           \
        shape.shape.points = points;                                                                      \
        shape.shape.count = 4;                                                                            \
        shape.shape.rows = shape.shape.columns = 2;                                                       \
        shape.shape.triangles = triangles;                                                                \
        shape.shape.triangle_count = 2;                                                                   \
        ACCEPT(crn_body_def_check(&body, (kind_) >= CRN_SHAPE_DISK, "b", error));                         \
        change;                                                                                           \
        EXPECT(crn_body_def_check(&body, (kind_) >= CRN_SHAPE_DISK, "b", error), "b.shapes[0]." message); \
    } while (0)

static void test_shapes(void **state)
{
    (void)state;
    double points[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, bad[12] = {0, 0, 0, 0, 0, NAN};
    int triangles[6] = {0, 1, 2, 3, 2, 1}, astray[6] = {0, 1, 2, 3, 2, -1};
    WRONG_SHAPE(CRN_SHAPE_SPHERE, shape.shape.size.x = 0, "radius: must be > 0, but is 0");
    WRONG_SHAPE(CRN_SHAPE_MESH, shape.shape.count = 2, "points: at least 3 are needed, but there are 2");
    WRONG_SHAPE(CRN_SHAPE_MESH, shape.shape.count = 3, "triangles[1]: there is no point 3, only 0 .. 2");
    WRONG_SHAPE(CRN_SHAPE_MESH, shape.shape.points = bad, "points[1]: must be finite, but is nan");
    WRONG_SHAPE(CRN_SHAPE_MESH, shape.shape.triangles = NULL, "triangles: at least 1 is needed, but there are 0");
    WRONG_SHAPE(CRN_SHAPE_MESH, shape.shape.triangle_count = 0, "triangles: at least 1 is needed, but there are 0");
    WRONG_SHAPE(CRN_SHAPE_MESH, shape.shape.triangles = astray, "triangles[1]: there is no point -1, only 0 .. 3");
    WRONG_SHAPE(CRN_SHAPE_SPHERE, shape.shape.size.x = INFINITY, "radius: must be finite, but is inf");
    WRONG_SHAPE(CRN_SHAPE_SPHERE, shape.shape.kind = (crn_shape_kind)99, "kind: 99 is unknown");
    WRONG_SHAPE(CRN_SHAPE_BOX, shape.shape.size.y = -2, "half[1]: must be > 0, but is -2");
    WRONG_SHAPE(CRN_SHAPE_ELLIPSOID, shape.shape.size.z = NAN, "half[2]: must be > 0, but is nan");
    WRONG_SHAPE(CRN_SHAPE_CAPSULE, shape.shape.size.x = -1, "radius: must be > 0, but is -1");
    WRONG_SHAPE(CRN_SHAPE_CAPSULE, shape.shape.size.y = 0, "half_length: must be > 0, but is 0");
    WRONG_SHAPE(CRN_SHAPE_CYLINDER, shape.shape.size.y = 0, "half_length: must be > 0, but is 0");
    WRONG_SHAPE(CRN_SHAPE_HULL, shape.shape.count = 3, "points: at least 4 are needed, but there are 3");
    WRONG_SHAPE(CRN_SHAPE_HULL, shape.shape.points = NULL, "points: at least 4 are needed, but there are 0");
    WRONG_SHAPE(CRN_SHAPE_HULL, shape.shape.points = bad, "points[1]: must be finite, but is nan");
    WRONG_SHAPE(CRN_SHAPE_HEIGHT_FIELD, shape.shape.rows = 1,
                "heights: at least 2 rows and columns are needed, but there are 1 and 2");
    WRONG_SHAPE(CRN_SHAPE_HEIGHT_FIELD, shape.shape.points = NULL,
                "heights: at least 2 rows and columns are needed, but there are 0 and 0");
    WRONG_SHAPE(CRN_SHAPE_HEIGHT_FIELD, shape.shape.size.x = 0, "spacing[0]: must be > 0, but is 0");
    WRONG_SHAPE(CRN_SHAPE_HEIGHT_FIELD, shape.shape.size.y = 0, "spacing[1]: must be > 0, but is 0");
    bad[2] = INFINITY;
    WRONG_SHAPE(CRN_SHAPE_HEIGHT_FIELD, shape.shape.points = bad, "heights[0][1]: must be finite, but is inf");
    bad[2] = 0;
    WRONG_SHAPE(CRN_SHAPE_DISK, shape.shape.size.x = 0, "radius: must be > 0, but is 0");
    WRONG_SHAPE(CRN_SHAPE_ELLIPSE, shape.shape.size.y = 0, "half[1]: must be > 0, but is 0");
    WRONG_SHAPE(CRN_SHAPE_POLYGON, shape.shape.count = 2, "points: at least 3 are needed, but there are 2");
    WRONG_SHAPE(CRN_SHAPE_POLYGON, shape.shape.points = bad, "points[2]: must be finite, but is nan");
    WRONG_SHAPE(CRN_SHAPE_SEGMENT, shape.shape.size.x = 0, "half_length: must be > 0, but is 0");
    WRONG_SHAPE(CRN_SHAPE_SEGMENT, shape.shape.size.y = -1, "radius: must be >= 0, but is -1");
    WRONG_SHAPE(CRN_SHAPE_PLANE, body.kind = CRN_BODY_FREE, "kind: a plane is for fixed and driven bodies only");
    WRONG_SHAPE(CRN_SHAPE_HEIGHT_FIELD, body.kind = CRN_BODY_FREE,
                "kind: a height_field is for fixed and driven bodies only");
    WRONG_SHAPE(CRN_SHAPE_HALF_PLANE, body.kind = CRN_BODY_FREE,
                "kind: a half_plane is for fixed and driven bodies only");
    WRONG_SHAPE(CRN_SHAPE_PLANE, shape.friction = -0.1, "friction: must be >= 0, but is -0.1");
    WRONG_SHAPE(CRN_SHAPE_PLANE, shape.friction = INFINITY, "friction: must be finite, but is inf");
    WRONG_SHAPE(CRN_SHAPE_PLANE, shape.restitution = 1.5, "restitution: must be in 0 .. 1, but is 1.5");
    WRONG_SHAPE(CRN_SHAPE_PLANE, shape.restitution = NAN, "restitution: must be in 0 .. 1, but is nan");
    WRONG_SHAPE(CRN_SHAPE_PLANE, shape.density = -1, "density: must be >= 0, but is -1");
    WRONG_SHAPE(CRN_SHAPE_PLANE, shape.pose.position.x = NAN, "position: must be finite, but is (nan, 0, 0)");
    WRONG_SHAPE(CRN_SHAPE_PLANE, shape.pose.rotation.x = 1,
                "rotation: must be a unit quaternion, but its length is 1.41421356");
}

static void test_motion(void **state)
{
    (void)state;
    const double times[] = {0, 1, 1}, values[] = {0, INFINITY, 2};
    crn_profile table = {.times = times, .values = values, .count = 2};
    GOOD_BODY(false, body.kind = CRN_BODY_DRIVEN; body.motion.z.amplitude = 1);
    GOOD_BODY(false, body.kind = CRN_BODY_DRIVEN; body.motion.axis.z = 0); /* it does not turn */
    GOOD_BODY(true, body.kind = CRN_BODY_DRIVEN; body.motion.angle.value = 1; body.motion.axis.z = -1);
    WRONG_BODY(body.motion.z.amplitude = 1, "bodies[3].motion: is for driven bodies only");
    body.kind = CRN_BODY_DRIVEN;
#define DRIVEN(change, message) WRONG_BODY(body.kind = CRN_BODY_DRIVEN; change, "bodies[3].motion." message)
    DRIVEN(body.motion.x.value = NAN, "x.value: must be finite, but is nan");
    DRIVEN(body.motion.y.amplitude = INFINITY, "y.amplitude: must be finite, but is inf");
    DRIVEN(body.motion.z.frequency = NAN, "z.frequency: must be finite, but is nan");
    DRIVEN(body.motion.angle.phase = NAN, "angle.phase: must be finite, but is nan");
    DRIVEN(body.motion.axis.x = NAN, "axis: must be finite, but is (nan, 0, 1)");
    DRIVEN(body.motion.axis.z = 2; body.motion.angle.value = 1, "axis: must be a unit vector, but its length is 2");
    DRIVEN(body.motion.axis.z = 0; body.motion.angle.value = 1, "axis: must be a unit vector, but its length is 0");
    DRIVEN(body.motion.x = table, "x.values[1]: must be finite, but is inf");
    DRIVEN(table.count = 3; table.values = times;
           body.motion.x = table, "x.times[2]: must be later than the time before, 1, but is 1");
    DRIVEN(table.values = NULL; body.motion.x = table, "x.values: must be given with times");
    DRIVEN(table.count = -1; body.motion.x = table, "x.times: -1 numbers at times");
    DRIVEN(table.count = 0; body.motion.x = table, "x.times: 0 numbers at times");
    DRIVEN(body.motion.x.count = 2, "x.times: 2 numbers at NULL");
}

/* --- Joints --- */

static crn_joint_def joint;

#define WRONG_JOINT(is_planar, kind_, change, message)                         \
    do {                                                                       \
        joint = crn_joint_def_default();                                       \
        joint.kind = (kind_);                                                  \
        joint.length = 1.0;                                                    \
        change;                                                                \
        EXPECT(crn_joint_def_check(&joint, (is_planar), "j", error), message); \
    } while (0)
#define GOOD_JOINT(is_planar, kind_, change)                          \
    do {                                                              \
        joint = crn_joint_def_default();                              \
        joint.kind = (kind_);                                         \
        joint.length = 1.0;                                           \
        change;                                                       \
        ACCEPT(crn_joint_def_check(&joint, (is_planar), "j", error)); \
    } while (0)

static void test_joints(void **state)
{
    (void)state;
    for (int kind = 0; kind < CRN_JOINT_KIND_COUNT; ++kind) {
        GOOD_JOINT(false, (crn_joint_kind)kind, (void)0);
    }
    GOOD_JOINT(false, CRN_JOINT_HINGE, joint.axis[0].lower = joint.axis[0].upper = 0);
    GOOD_JOINT(false, CRN_JOINT_HINGE, joint.axis[0].lower = -INFINITY; joint.axis[0].upper = INFINITY);
    GOOD_JOINT(false, CRN_JOINT_DISTANCE, joint.length = 0; joint.axis[0].lower = 0; joint.axis[0].upper = 2;
               joint.axis[0].has_motor = true);
    EXPECT(crn_joint_def_check(NULL, false, "j", error), "j: the definition is NULL");
    WRONG_JOINT(false, CRN_JOINT_BALL, joint.name = "", "j.name: must not be empty");
    WRONG_JOINT(false, (crn_joint_kind)CRN_JOINT_KIND_COUNT, (void)0, "j.kind: 8 is unknown");
    WRONG_JOINT(false, CRN_JOINT_BALL, joint.frame_a.position.x = NAN,
                "j.frame_a.position: must be finite, but is (nan, 0, 0)");
    WRONG_JOINT(false, CRN_JOINT_BALL, joint.frame_b.rotation.w = 2,
                "j.frame_b.rotation: must be a unit quaternion, but its length is 2");
    WRONG_JOINT(false, CRN_JOINT_BALL, joint.length = -1, "j.length: must be >= 0, but is -1");
    WRONG_JOINT(false, CRN_JOINT_DISTANCE, joint.length = 0, "j.length: must be > 0, but is 0");
    WRONG_JOINT(false, CRN_JOINT_DISTANCE, joint.axis[0].has_motor = true,
                "j.motor: is for distance joints with limits only: this one is held at its length");
    WRONG_JOINT(false, CRN_JOINT_DISTANCE, joint.axis[0].friction = 1,
                "j.friction: is for distance joints with limits only: this one is held at its length");
    WRONG_JOINT(false, CRN_JOINT_DISTANCE, joint.axis[0].lower = -1;
                joint.axis[0].upper = 0, "j.limits: the upper one must be > 0 for a distance, but is 0");
    WRONG_JOINT(false, CRN_JOINT_HINGE, joint.axis[0].lower = NAN, "j.limits: must be numbers, but are nan and -inf");
    WRONG_JOINT(false, CRN_JOINT_HINGE, joint.axis[0].upper = INFINITY, "j.limits: nothing is between inf and inf");
    WRONG_JOINT(false, CRN_JOINT_HINGE, joint.axis[0].lower = -INFINITY, "j.limits: nothing is between -inf and -inf");
    WRONG_JOINT(false, CRN_JOINT_HINGE, joint.axis[0].max_force = -1, "j.motor.max_force: must be >= 0, but is -1");
    WRONG_JOINT(false, CRN_JOINT_HINGE, joint.axis[0].max_force = NAN, "j.motor.max_force: must be >= 0, but is nan");
    WRONG_JOINT(false, CRN_JOINT_HINGE, joint.axis[0].speed.value = NAN,
                "j.motor.speed.value: must be finite, but is nan");
    WRONG_JOINT(false, CRN_JOINT_HINGE, joint.axis[0].target.phase = INFINITY,
                "j.motor.target.phase: must be finite, but is inf");
    WRONG_JOINT(false, CRN_JOINT_HINGE, joint.axis[0].friction = -1, "j.friction: must be >= 0, but is -1");
    WRONG_JOINT(false, CRN_JOINT_UNIVERSAL, joint.axis[1].friction = INFINITY,
                "j.axes[1].friction: must be finite, but is inf");
    WRONG_JOINT(false, CRN_JOINT_BALL, joint.axis[0].friction = 1,
                "j.axes[0]: limits, motor or friction, but ball joints have 0 coordinates");
    WRONG_JOINT(false, CRN_JOINT_HINGE, joint.axis[1].has_motor = true,
                "j.axes[1]: limits, motor or friction, but hinge joints have 1 coordinates");
}

static void test_planar_joints(void **state)
{
    (void)state;
    const crn_quat sideways = {0.6, 0, 0.8, 0}, into_plane = {0.70710678, 0, 0.70710678, 0}, down = {0, 1, 0, 0};
    GOOD_JOINT(true, CRN_JOINT_HINGE, (void)0);
    GOOD_JOINT(true, CRN_JOINT_HINGE, joint.frame_a.rotation = joint.frame_b.rotation = down);
    GOOD_JOINT(true, CRN_JOINT_BALL, joint.frame_a.rotation = sideways);
    GOOD_JOINT(true, CRN_JOINT_FIXED, joint.frame_a.rotation = ((crn_quat){0.6, 0, 0, 0.8}));
    GOOD_JOINT(true, CRN_JOINT_DISTANCE, (void)0);
    GOOD_JOINT(true, CRN_JOINT_SLIDER, joint.frame_a.rotation = joint.frame_b.rotation = into_plane);
    WRONG_JOINT(true, CRN_JOINT_UNIVERSAL, (void)0, "j.kind: universal joints are not for a planar world");
    WRONG_JOINT(true, CRN_JOINT_PLANAR, (void)0, "j.kind: planar joints are not for a planar world");
    WRONG_JOINT(true, CRN_JOINT_HINGE, joint.frame_a.rotation = sideways,
                "j.frame_a: a hinge of a planar world must turn about z");
    WRONG_JOINT(true, CRN_JOINT_SLIDER, (void)0, "j.frame_a: a slider of a planar world must move in the plane");
    WRONG_JOINT(true, CRN_JOINT_HINGE, joint.frame_b.rotation = down,
                "j.frame_b: cannot meet frame_a by turns about z");
    WRONG_JOINT(true, CRN_JOINT_FIXED, joint.frame_b.rotation = sideways,
                "j.frame_b: cannot meet frame_a by turns about z");
    WRONG_JOINT(true, CRN_JOINT_BALL, joint.frame_b.position.z = 1,
                "j.frame_b.position: z must be 0 in a planar world, but is 1");
}

/* --- Worlds, loads --- */

#define WRONG_WORLD(change, message)                                  \
    do {                                                              \
        crn_world_def world = crn_world_def_default();                \
        change;                                                       \
        EXPECT(crn_world_def_check(&world, "world", error), message); \
    } while (0)

static void test_worlds(void **state)
{
    (void)state;
    EXPECT(crn_world_def_check(NULL, "world", error), "world: the definition is NULL");
    WRONG_WORLD(world.gravity.z = NAN, "world.gravity: must be finite, but is (0, 0, nan)");
    WRONG_WORLD(world.is_planar = true, "world.gravity: z must be 0 in a planar world, but is -9.81");
    WRONG_WORLD(world.dt = 0, "world.dt: must be > 0, but is 0");
    WRONG_WORLD(world.dt = INFINITY, "world.dt: must be finite, but is inf");
    WRONG_WORLD(world.duration = -1, "world.duration: must be >= 0, but is -1");
    WRONG_WORLD(world.scheme = (crn_scheme)3, "world.scheme: 3 is unknown");
    WRONG_WORLD(world.cone = (crn_contact_cone)2, "world.cone: 2 is unknown");
    WRONG_WORLD(world.scheme = CRN_SCHEME_CONVEX;
                world.cone = CRN_CONE_POLYGON, "world.cone: must be round for the convex scheme");
    WRONG_WORLD(world.directions = 2, "world.directions: must be even and >= 4, but is 2");
    WRONG_WORLD(world.directions = 7, "world.directions: must be even and >= 4, but is 7");
    WRONG_WORLD(world.method = (crn_contact_method)5, "world.method: 5 is unknown");
    WRONG_WORLD(world.friction_rule = (crn_friction_rule)3, "world.friction_rule: 3 is unknown");
    WRONG_WORLD(world.tol = -1, "world.tol: must be >= 0, but is -1");
    WRONG_WORLD(world.margin = NAN, "world.margin: must be >= 0, but is nan");
    WRONG_WORLD(world.restitution_speed = -1, "world.restitution_speed: must be >= 0, but is -1");
    WRONG_WORLD(world.recovery_speed = NAN, "world.recovery_speed: must be >= 0, but is nan");
    WRONG_WORLD(world.reduce_distance = INFINITY, "world.reduce_distance: must be finite, but is inf");
    WRONG_WORLD(world.joint_tolerance = -1, "world.joint_tolerance: must be >= 0, but is -1");
    WRONG_WORLD(world.sleep_time = -1, "world.sleep_time: must be >= 0, but is -1");
    WRONG_WORLD(world.sleep_speed = -1, "world.sleep_speed: must be >= 0, but is -1");
}

#define WRONG_LOAD(is_planar, change, message)                                     \
    do {                                                                           \
        crn_load_def load = crn_load_def_default();                                \
        change;                                                                    \
        EXPECT(crn_load_def_check_in(&load, (is_planar), "load", error), message); \
    } while (0)

static void test_loads(void **state)
{
    (void)state;
    crn_load_def plain = crn_load_def_default();
    ACCEPT(crn_load_def_check(&plain, "load", error));
    EXPECT(crn_load_def_check(NULL, "load", error), "load: the definition is NULL");
    WRONG_LOAD(false, load.name = "\xFE", "load.name: is not UTF-8");
    WRONG_LOAD(false, load.force.x = NAN, "load.force: must be finite, but is (nan, 0, 0)");
    WRONG_LOAD(false, load.torque.y = NAN, "load.torque: must be finite, but is (0, nan, 0)");
    WRONG_LOAD(false, load.point.z = NAN, "load.point: must be finite, but is (0, 0, nan)");
    WRONG_LOAD(false, load.factor.value = NAN, "load.factor.value: must be finite, but is nan");
    WRONG_LOAD(false, load.from = NAN, "load.from: must be a time, but is nan");
    WRONG_LOAD(false, load.from = INFINITY, "load.from: must be a time, but is inf");
    WRONG_LOAD(false, load.from = 2; load.until = 2, "load.until: must be later than from, 2, but is 2");
    WRONG_LOAD(false, load.until = NAN, "load.until: must be later than from, -inf, but is nan");
    WRONG_LOAD(true, load.force.z = 1, "load.force: z must be 0 in a planar world, but is 1");
    WRONG_LOAD(true, load.torque.x = 1, "load.torque: x and y must be 0 in a planar world, but are 1 and 0");
    WRONG_LOAD(true, load.point.z = 1, "load.point: z must be 0 in a planar world, but is 1");
}

/* --- In a model: places, references, names --- */

static void test_references(void **state)
{
    (void)state;
    crn_model *model = NULL;
    ACCEPT(crn_model_create(NULL, &model, error));
    fresh_body(false);
    body.name = "ball";
    ACCEPT(crn_model_add_body(model, &body, NULL, error));
    EXPECT(crn_model_add_body(model, &body, NULL, error), "bodies[1].name: is the name of bodies[0] too");
    body.name = NULL;
    body.kind = CRN_BODY_FIXED;
    ACCEPT(crn_model_add_body(model, &body, NULL, error));
    body.mass = -1;
    EXPECT(crn_model_add_body(model, &body, NULL, error), "bodies[2].mass: must be > 0, but is -1");
    EXPECT(crn_model_add_body(model, NULL, NULL, error), "bodies[2]: the definition is NULL");
    EXPECT(crn_model_set_name(model, "\xFF", error), "name: is not UTF-8");

    joint = crn_joint_def_default();
    EXPECT(crn_model_add_joint(model, &joint, NULL, error), "joints[0].b: -1 is body a too");
    joint.a = 1;
    EXPECT(crn_model_add_joint(model, &joint, NULL, error), "joints[0]: neither a nor b is a free body");
    joint.a = 2;
    EXPECT(crn_model_add_joint(model, &joint, NULL, error), "joints[0].a: body 2 is not in -1 .. 1");
    joint.a = 0;
    joint.b = -2;
    EXPECT(crn_model_add_joint(model, &joint, NULL, error), "joints[0].b: body -2 is not in -1 .. 1");
    joint.b = 0;
    EXPECT(crn_model_add_joint(model, &joint, NULL, error), "joints[0].b: 0 is body a too");
    joint.b = 1;
    joint.name = "weld";
    ACCEPT(crn_model_add_joint(model, &joint, NULL, error));
    EXPECT(crn_model_add_joint(model, &joint, NULL, error), "joints[1].name: is the name of joints[0] too");
    assert_int_equal(crn_model_find_joint(model, "weld"), 0);
    assert_int_equal(crn_model_find_joint(model, "ball"), -1);

    crn_load_def load = crn_load_def_default();
    load.body = -1;
    EXPECT(crn_model_add_load(model, &load, NULL, error), "loads[0].body: -1 is not in 0 .. 1");
    load.body = 1;
    EXPECT(crn_model_add_load(model, &load, NULL, error), "loads[0].body: 1 is not a free body");
    load.until = -INFINITY;
    EXPECT(crn_model_add_load(model, &load, NULL, error), "loads[0].until: must be later than from, -inf, but is -inf");

    crn_probe_def probe = {.kind = CRN_PROBE_POSITION, .target = 2};
    EXPECT(crn_model_add_probe(model, &probe, NULL, error), "measure[0].body: 2 is not in 0 .. 1");
    probe.kind = CRN_PROBE_JOINT_COORDINATE;
    EXPECT(crn_model_add_probe(model, &probe, NULL, error), "measure[0].joint: 2 is not in 0 .. 0");
    probe.target = 0;
    EXPECT(crn_model_add_probe(model, &probe, NULL, error),
           "measure[0].joint: 0 is a fixed joint, which has no coordinate");
    probe.kind = (crn_probe_kind)99;
    EXPECT(crn_model_add_probe(model, &probe, NULL, error), "measure[0].kind: 99 is unknown");
    probe.kind = CRN_PROBE_POSITION;
    probe.name = "";
    EXPECT(crn_model_add_probe(model, &probe, NULL, error), "measure[0].name: must not be empty");
    EXPECT(crn_model_add_probe(model, NULL, NULL, error), "measure[0]: the definition is NULL");
    assert_true(crn_model_bodies(model) == 2 && crn_model_joints(model) == 1);
    assert_true(crn_model_loads(model) == 0 && crn_model_probes(model) == 0);
    crn_model_destroy(model);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bodies),        cmocka_unit_test(test_inertia), cmocka_unit_test(test_planar_bodies),
        cmocka_unit_test(test_shapes),        cmocka_unit_test(test_motion),  cmocka_unit_test(test_joints),
        cmocka_unit_test(test_planar_joints), cmocka_unit_test(test_worlds),  cmocka_unit_test(test_loads),
        cmocka_unit_test(test_references),
    };
    return TEST_RUN(tests, argc, argv);
}
