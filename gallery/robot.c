/* robot.c -- our own small humanoid of 20 joints: six in each leg, four in each arm, 0.55 m, 6.9 kg.
 *
 * The trunk floats; all joints are hinges, driven. Between turns that meet in one place are small links that touch nothing. The
 * feet are meshes: prisms over an outline of eight corners, with a vertex more in the middle of the sole, so that a foot that
 * stands has eight contacts. Only the feet meet each other; everything meets the floor.
 *
 * With thigh and shin of length L, the thigh forward and the shin back by the same bend, the hip is 2 L cos(bend) above the ankle. A
 * roll r at the hip and -r at the ankle swings the leg sideways and leaves the foot level. */
#include "robot.h"

#include <math.h>
#include <stdio.h>

enum { GROUP_FLOOR = 1, GROUP_BODY = 2, GROUP_FOOT = 4 };

static const double ankle_height = 0.035, foot_top = 0.018; /* over the sole [m] */

/* --- Geometry --- */

double crn_robot_leg_length(void)
{
    return 2.0 * CRN_ROBOT_BONE * cos(CRN_ROBOT_BEND);
}

void crn_robot_reach(double aside, double down, double angle[CRN_ROBOT_LEG_JOINTS])
{
    double bend = acos(hypot(aside, down) / (2.0 * CRN_ROBOT_BONE)) - CRN_ROBOT_BEND, roll = atan2(aside, down);
    angle[CRN_ROBOT_HIP_YAW] = 0.0;
    angle[CRN_ROBOT_HIP_ROLL] = roll;
    angle[CRN_ROBOT_HIP_PITCH] = -bend;
    angle[CRN_ROBOT_KNEE] = 2.0 * bend;
    angle[CRN_ROBOT_ANKLE_PITCH] = -bend;
    angle[CRN_ROBOT_ANKLE_ROLL] = -roll;
}

/* --- Parts --- */

static crn_body_shape in_group(crn_body_shape shape, uint32_t group, uint32_t mask)
{
    shape.group = group;
    shape.mask = mask;
    return shape;
}

static int add_part(crn_build *b, const char *name, crn_vec3 at, const crn_body_shape *shape, int shapes, double mass)
{
    crn_body_def def = crn_body_def_default();
    def.name = name;
    def.pose.position = at;
    def.mass = mass;
    def.shape = shape;
    def.shapes = shapes;
    return crn_build_add(b, &def);
}

/* A small link inside others. */
static int add_knuckle(crn_build *b, crn_vec3 at, double mass)
{
    crn_body_shape shape = in_group(crn_build_sphere(b, 0.02), 0, 0);
    return add_part(b, NULL, at, &shape, 1, mass);
}

static int add_bone(crn_build *b, const char *name, crn_vec3 p, crn_vec3 q, double radius, double mass)
{
    crn_vec3 d = {q.x - p.x, q.y - p.y, q.z - p.z};
    double length = sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
    crn_body_shape shape = in_group(crn_build_capsule(b, radius, 0.5 * length - radius), GROUP_BODY, GROUP_FLOOR);
    shape.pose.rotation = crn_build_turn_z_to((crn_vec3){d.x / length, d.y / length, d.z / length});
    return add_part(b, name, (crn_vec3){p.x + 0.5 * d.x, p.y + 0.5 * d.y, p.z + 0.5 * d.z}, &shape, 1, mass);
}

static int add_foot(crn_build *b, const char *name, crn_vec3 ankle)
{
    enum { CORNERS = 8 };
    static const double outline[2 * CORNERS] = {0.065,  -0.014, 0.065,  0.014,  0.048, 0.027,  -0.03, 0.027,
                                                -0.045, 0.013,  -0.045, -0.013, -0.03, -0.027, 0.048, -0.027};
    double points[6 * (CORNERS + 1)];
    int triangles[12 * CORNERS];
    crn_body_shape shape = in_group(crn_build_sphere(b, 1.0), GROUP_FOOT, GROUP_FLOOR | GROUP_FOOT);
    shape.shape = crn_build_prism(outline, CORNERS, -ankle_height, foot_top - ankle_height, points, triangles);
    shape.density = 2500.0;
    return add_part(b, name, ankle, &shape, 1, 0.0);
}

/* --- Joints --- */

static const crn_vec3 forward = {1.0, 0.0, 0.0}, left = {0.0, 1.0, 0.0}, up = {0.0, 0.0, 1.0};

static void add_hinge(crn_build *b, const char *name, int parent, int link, crn_vec3 at, crn_vec3 axis,
                      const crn_profile *angle)
{
    crn_joint_def def = crn_joint_def_default();
    def.name = name;
    def.kind = CRN_JOINT_HINGE;
    def.a = parent;
    def.b = link;
    def.in_tree = true;
    def.axis[0].has_motor = true;
    def.axis[0].is_servo = true;
    def.axis[0].max_force = (double)INFINITY;
    def.axis[0].target = *angle;
    crn_build_joint_at(b, def, (crn_pose){at, crn_build_turn_z_to(axis)});
}

/* Joints in a row, each moving its link; names are "left" or "right" and what they are. */
static void add_row(crn_build *b, const char *side, int parent, int count, const char *const *name, const int *link,
                    const crn_vec3 *at, const crn_vec3 *axis, const crn_profile *angle)
{
    for (int i = 0; i < count; ++i) {
        char text[40];
        (void)snprintf(text, sizeof text, "%s %s", side, name[i]);
        add_hinge(b, text, parent, link[i], at[i], axis[i], &angle[i]);
        parent = link[i];
    }
}

static void add_leg(crn_build *b, int trunk, crn_vec3 hip, const char *side, const crn_profile *angle)
{
    static const char *const name[CRN_ROBOT_LEG_JOINTS] = {"hip yaw", "hip roll",    "hip pitch",
                                                           "knee",    "ankle pitch", "ankle roll"};
    char bone[3][24];
    crn_vec3 knee = {hip.x + CRN_ROBOT_BONE * sin(CRN_ROBOT_BEND), hip.y, hip.z - CRN_ROBOT_BONE * cos(CRN_ROBOT_BEND)};
    crn_vec3 ankle = {hip.x, hip.y, hip.z - crn_robot_leg_length()};
    (void)snprintf(bone[0], sizeof bone[0], "%s thigh", side);
    (void)snprintf(bone[1], sizeof bone[1], "%s shin", side);
    (void)snprintf(bone[2], sizeof bone[2], "%s foot", side);
    const int link[CRN_ROBOT_LEG_JOINTS] = {add_knuckle(b, hip, 0.1),
                                            add_knuckle(b, hip, 0.1),
                                            add_bone(b, bone[0], hip, knee, 0.03, 0.45),
                                            add_bone(b, bone[1], knee, ankle, 0.025, 0.4),
                                            add_knuckle(b, ankle, 0.08),
                                            add_foot(b, bone[2], ankle)};
    const crn_vec3 at[CRN_ROBOT_LEG_JOINTS] = {hip, hip, hip, knee, ankle, ankle};
    const crn_vec3 axis[CRN_ROBOT_LEG_JOINTS] = {up, forward, left, left, left, forward};
    add_row(b, side, trunk, CRN_ROBOT_LEG_JOINTS, name, link, at, axis, angle);
    crn_build_probe(b, CRN_PROBE_CONTACT_FORCE, link[CRN_ROBOT_LEG_JOINTS - 1]);
}

static void add_arm(crn_build *b, int trunk, crn_vec3 shoulder, const char *side, const crn_profile *angle)
{
    static const char *const name[CRN_ROBOT_ARM_JOINTS] = {"shoulder pitch", "shoulder roll", "shoulder yaw", "elbow"};
    const double bone = 0.09;
    char text[2][24];
    crn_vec3 elbow = {shoulder.x, shoulder.y, shoulder.z - bone}, hand = {elbow.x, elbow.y, elbow.z - bone};
    (void)snprintf(text[0], sizeof text[0], "%s upper arm", side);
    (void)snprintf(text[1], sizeof text[1], "%s forearm", side);
    const int link[CRN_ROBOT_ARM_JOINTS] = {add_knuckle(b, shoulder, 0.05), add_knuckle(b, shoulder, 0.05),
                                            add_bone(b, text[0], shoulder, elbow, 0.02, 0.2),
                                            add_bone(b, text[1], elbow, hand, 0.02, 0.15)};
    const crn_vec3 at[CRN_ROBOT_ARM_JOINTS] = {shoulder, shoulder, shoulder, elbow};
    const crn_vec3 axis[CRN_ROBOT_ARM_JOINTS] = {left, forward, up, left};
    add_row(b, side, trunk, CRN_ROBOT_ARM_JOINTS, name, link, at, axis, angle);
}

void crn_robot_add(crn_build *b, const crn_robot_motion *motion)
{
    const double hips = ankle_height + crn_robot_leg_length();
    crn_body_shape shape[2] = {in_group(crn_build_box(b, 0.04, 0.06, 0.09), GROUP_BODY, GROUP_FLOOR),
                               in_group(crn_build_sphere(b, 0.045), GROUP_BODY, GROUP_FLOOR)};
    shape[0].density = shape[1].density = 1500.0;
    shape[1].pose.position = (crn_vec3){0.0, 0.0, 0.145};
    int trunk = add_part(b, "trunk", (crn_vec3){0.0, 0.0, hips + 0.1}, shape, 2, 0.0);
    crn_build_probe(b, CRN_PROBE_POSITION, trunk);
    crn_build_probe(b, CRN_PROBE_ROTATION, trunk);
    for (int i = 0; i < 2; ++i) {
        double side = i == 0 ? 1.0 : -1.0;
        const char *name = i == 0 ? "left" : "right";
        add_leg(b, trunk, (crn_vec3){0.0, side * CRN_ROBOT_HALF_FEET, hips}, name, motion->leg[i]);
        add_arm(b, trunk, (crn_vec3){0.0, side * 0.085, hips + 0.16}, name, motion->arm[i]);
    }
}
