/* A chain of 25 ball joints falls over a rod: a tree in joint coordinates, stepped at 10 ms. Its joints are exact, it does
 * not pass through the rod, and it never gains energy. */
#include <cairn/world.h>
#include <stdio.h>

enum { LINKS = 25 };
static const double half = 0.05, radius = 0.02; /* of a link [m] */
static crn_error error;

/* A capsule along x. */
static crn_body_id add_capsule(crn_world *world, crn_body_kind kind, double half_length, double r, crn_pose pose)
{
    crn_body_shape part = crn_body_shape_default();
    crn_body_def def = crn_body_def_default();
    crn_body_id body = {0, 0};
    part.shape = (crn_shape_def){.kind = CRN_SHAPE_CAPSULE, .size = {r, half_length, 0}}; /* along z of its own frame */
    part.pose.rotation = (crn_quat){0.70710678118654752, 0, 0.70710678118654752, 0};      /* z becomes x */
    def.kind = kind;
    def.pose = pose;
    def.shape = &part;
    def.shapes = 1;
    if (crn_body_create(world, &def, &body, &error) != CRN_OK) {
        fprintf(stderr, "%s\n", error.text);
    }
    return body;
}

/* Ball joint between the right end of a and the left end of b: b becomes a link, a is its parent. */
static void hang(crn_world *world, crn_body_id a, crn_body_id b)
{
    crn_joint_def joint = crn_joint_def_default();
    crn_joint_id id;
    joint.kind = CRN_JOINT_BALL;
    joint.in_tree = true;
    joint.frame_a.position.x = half;
    joint.frame_b.position.x = -half;
    if (crn_joint_create(world, &joint, a, b, &id, &error) != CRN_OK) {
        fprintf(stderr, "%s\n", error.text);
    }
}

int main(void)
{
    const crn_quat straight = {1, 0, 0, 0}, across = {0.70710678118654752, 0, 0, 0.70710678118654752}; /* x becomes y */
    crn_world *world;
    if (crn_world_create(NULL, NULL, &world, &error) != CRN_OK) {
        return 2;
    }
    add_capsule(world, CRN_BODY_FIXED, 0.5, 0.05, (crn_pose){{0.3, 0, -0.2}, across}); /* the rod, along y */
    crn_body_id last = {0, 0};
    for (int i = 0; i < LINKS; ++i) { /* the first link has no parent: the tree floats */
        crn_pose pose = {{2 * half * (i - 0.5 * LINKS), 0, 0}, straight};
        crn_body_id link = add_capsule(world, CRN_BODY_FREE, half, radius, pose);
        if (i > 0) {
            hang(world, last, link);
        }
        last = link;
    }
    double deepest = 0.0, open = 0.0, start = 0.0, most = 0.0;
    bool is_certified = true;
    for (int step = 0; step < 200; ++step) {
        crn_step_stats stats;
        if (crn_world_step(world, 0.01, &stats, &error) != CRN_OK) {
            fprintf(stderr, "%s\n", error.text);
            return 2;
        }
        double energy = stats.kinetic + stats.potential;
        start = step == 0 ? energy : start;
        most = energy - start > most ? energy - start : most;
        deepest = stats.penetration > deepest ? stats.penetration : deepest;
        is_certified = is_certified && stats.outcome == CRN_LCP_SOLVED;
    }
    for (int i = 1; i <= crn_world_joints(world); ++i) {
        double distance, angle;
        crn_joint_error(world, crn_world_joint(world, i), &distance, &angle);
        open = distance > open ? distance : open;
    }
    printf("2 s at 10 ms: joints open by %.0e m, overlap %.0e m, energy gained %.0e J, every step certified: %s\n",
           open, deepest, most, is_certified ? "yes" : "no");
    crn_world_destroy(world);
    return is_certified && open < 1e-14 && deepest < 1e-6 && most < 1e-9 ? 0 : 1;
}
