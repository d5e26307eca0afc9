/* world_chains.c -- long chains and closed ones  [YN08 s5-C, Fig. 4], and chains that touch nothing.
 *
 *   hoist        25 ball joints: a chain held at one end lies over a rod, whips round it and hangs, 10 s
 *   net          four strings of 16 links, both ends held by ball joints, cross as a net; five capsules fall on it, 2 s
 *   net-doubled  the same with every loop closed twice: nothing may change
 *   chain25      25 ball joints, let go level, without contact
 *   arm7         an arm of seven hinges swings, without contact
 *
 * The paper gives the numbers of joints and the durations; sizes are ours. A string is a tree of 16 ball joints from one anchor;
 * the ball joint at its other anchor is a loop. Strings along y lie on those along x: they are held together by contact only. */
#include <stdio.h>

#include "build_tree.h"
#include "gallery_worlds.h"
#include "worlds.h"

#include <math.h>

static const double link_radius = 0.012; /* [m] */

/* --- Chains over a rod and over nothing --- */

/* Points of a chain: `up` links upward from p, the others along x. */
static void lay(crn_vec3 p, double length, int up, int links, crn_vec3 *point)
{
    point[0] = p;
    for (int i = 0; i < links; ++i) {
        point[i + 1] = point[i];
        *(i < up ? &point[i + 1].z : &point[i + 1].x) += length;
    }
}

/* Links between the points, each on a ball joint at its beginning; the first on the world. Returns the last body. */
static int add_chain(crn_build *b, const crn_vec3 *point, int links, double radius)
{
    int last = -1;
    for (int i = 0; i < links; ++i) {
        int link = crn_build_link(b, NULL, point[i], point[i + 1], radius, 0.0);
        crn_build_ball(b, last, link, point[i], true);
        last = link;
    }
    return last;
}

crn_status crn_gallery_hoist_of(crn_model *model, double end_mass, crn_error *error)
{
    enum { LINKS = CRN_GALLERY_HOIST_LINKS, UP = 7 };
    const double length = 0.08, rod_radius = 0.18, beside = 0.06; /* [m] */
    crn_build b = crn_build_begin(model, error);
    crn_vec3 point[LINKS + 1];
    crn_build_tree_world(&b, 1e-3, 10.0);
    b.friction = 0.3;
    crn_body_shape rod = crn_build_capsule(&b, rod_radius, 0.5);
    rod.pose.rotation = crn_build_turn_z_to((crn_vec3){0.0, 1.0, 0.0});
    crn_build_fixed(&b, "rod", &rod, 1);
    lay((crn_vec3){-rod_radius - beside, 0.0, -0.3}, length, UP, LINKS, point);
    int last = add_chain(&b, point, LINKS - 1, link_radius), before = last;
    crn_body_def end = crn_body_def_default();
    crn_body_shape shape = crn_build_capsule(&b, link_radius, 0.5 * length);
    shape.density *= end_mass;
    end.name = "end";
    end.pose.position = (crn_vec3){point[LINKS].x - 0.5 * length, 0.0, point[LINKS].z};
    end.pose.rotation = crn_build_turn_z_to((crn_vec3){1.0, 0.0, 0.0});
    end.shape = &shape;
    end.shapes = 1;
    last = crn_build_add(&b, &end);
    crn_build_ball(&b, before, last, point[LINKS - 1], true);
    crn_build_probe(&b, CRN_PROBE_POSITION, last);
    return b.status;
}

crn_status crn_gallery_hoist(crn_model *model, crn_error *error)
{
    return crn_gallery_hoist_of(model, 1.0, error);
}

crn_status crn_gallery_chain_of(crn_model *model, int links, crn_error *error)
{
    const double length = 0.1;
    crn_build b = crn_build_begin(model, error);
    crn_build_tree_world(&b, 1e-3, 10.0);
    for (int i = 0, last = -1; i < links; ++i) {
        crn_vec3 from = {length * i, 0.0, 0.0}, to = {length * (i + 1), 0.0, 0.0};
        int link = crn_build_bar(&b, NULL, from, to, link_radius, 0.0);
        crn_build_ball(&b, last, link, from, true);
        last = link;
        if (i == links - 1) {
            crn_build_probe(&b, CRN_PROBE_POSITION, link);
        }
    }
    return b.status;
}

crn_status crn_gallery_chain25(crn_model *model, crn_error *error)
{
    return crn_gallery_chain_of(model, 25, error);
}

/* --- The arm --- */

crn_status crn_gallery_arm7(crn_model *model, crn_error *error)
{
    enum { JOINTS = 7 };
    static const double mass[JOINTS] = {4.0, 4.0, 3.0, 2.5, 1.7, 1.5, 0.5};
    static const crn_vec3 axis[2] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}}; /* along the arm, across it */
    const double length = 0.18, radius = 0.05;
    crn_build b = crn_build_begin(model, error);
    crn_build_tree_world(&b, 1e-3, 10.0);
    for (int i = 0, last = -1; i < JOINTS; ++i) {
        char name[16];
        crn_vec3 from = {length * i, 0.0, 0.0}, to = {length * (i + 1), 0.02 * i, 0.0}; /* so that all joints move */
        crn_joint_def joint = crn_joint_def_default();
        (void)snprintf(name, sizeof name, "joint %d", i + 1);
        joint.name = name;
        joint.kind = CRN_JOINT_HINGE;
        joint.a = last;
        joint.b = last = crn_build_bar(&b, NULL, from, to, radius, mass[i]);
        joint.in_tree = true;
        crn_pose at = {from, crn_build_turn_z_to(axis[i % 2])};
        crn_build_probe(&b, CRN_PROBE_JOINT_COORDINATE, crn_build_joint_at(&b, joint, at));
    }
    return b.status;
}

/* --- The net --- */

enum { STRING_LINKS = 16, CAPSULES = 5 };

/* A string that sags as an arc, along x or y, its middle at `aside` on the other axis, its ends at height. */
static void add_string(crn_build *b, bool is_along_y, double aside, double height, int loops)
{
    const double length = 0.1, steepest = 0.3; /* [m, rad] */
    crn_vec3 point[STRING_LINKS + 1];
    double span = 0.0, at = 0.0, z = height, slope[STRING_LINKS];
    for (int i = 0; i < STRING_LINKS; ++i) {
        slope[i] = steepest * ((2.0 * i + 1.0) / STRING_LINKS - 1.0);
        span += length * cos(slope[i]);
    }
    for (int i = 0; i <= STRING_LINKS; ++i) {
        double s = at - 0.5 * span;
        point[i] = is_along_y ? (crn_vec3){aside, s, z} : (crn_vec3){s, aside, z};
        if (i < STRING_LINKS) {
            at += length * cos(slope[i]);
            z += length * sin(slope[i]);
        }
    }
    int last = add_chain(b, point, STRING_LINKS, link_radius);
    for (int i = 0; i < loops; ++i) {
        crn_build_ball(b, last, -1, point[STRING_LINKS], false);
    }
}

/* Five capsules above the net: two along x and on them two along y, each across a pair of strings, and one on top. */
static void add_capsules(crn_build *b)
{
    const double radius = 0.05, half_length = 0.4, aside = 0.08;
    const struct {
        double x, y, z, heading;
    } at[CAPSULES] = {{0.0, aside, 0.12, 0.03},
                      {0.02, -aside, 0.13, -0.03},
                      {aside, 0.0, 0.32, 1.55},
                      {-aside, 0.02, 0.33, 1.6},
                      {0.0, 0.0, 0.5, 0.8}};
    b->density = 100.0;
    for (int i = 0; i < CAPSULES; ++i) {
        crn_vec3 half = {half_length * cos(at[i].heading), half_length * sin(at[i].heading), 0.02};
        crn_vec3 p = {at[i].x - half.x, at[i].y - half.y, at[i].z - half.z};
        crn_vec3 q = {at[i].x + half.x, at[i].y + half.y, at[i].z + half.z};
        crn_build_probe(b, CRN_PROBE_POSITION, crn_build_link(b, NULL, p, q, radius, 0.0));
    }
}

crn_status crn_gallery_net_of(crn_model *model, int loops, crn_error *error)
{
    const double side = 0.2; /* strings are at -side and side [m] */
    const double above = 3.0 * link_radius;
    crn_build b = crn_build_begin(model, error);
    crn_build_tree_world(&b, 1e-3, 2.0);
    b.friction = 0.6;
    for (int i = 0; i < 4; ++i) {
        bool is_along_y = i >= 2;
        add_string(&b, is_along_y, i % 2 == 0 ? side : -side, is_along_y ? above : 0.0, loops);
    }
    add_capsules(&b);
    return b.status;
}

crn_status crn_gallery_net(crn_model *model, crn_error *error)
{
    return crn_gallery_net_of(model, 1, error);
}

crn_status crn_gallery_net_doubled(crn_model *model, crn_error *error)
{
    return crn_gallery_net_of(model, 2, error);
}
