/* build.h -- scenes in few lines: shapes of a material, bodies, a floor. Not for users of the gallery.
 *
 * A builder remembers the first failure and does nothing after it, so that a scene function is a list of what there is:
 *
 *     crn_build b = crn_build_begin(model, error);
 *     b.friction = 0.5;
 *     crn_build_floor(&b);
 *     int box = crn_build_body(&b, "box", crn_build_box(&b, 0.5, 0.5, 0.5), 1.0, (crn_vec3){0, 0, 0.5});
 *     crn_build_probe(&b, CRN_PROBE_POSITION, box);
 *     return b.status;
 */
#ifndef CAIRN_GALLERY_BUILD_H
#define CAIRN_GALLERY_BUILD_H

#include <cairn/model.h>

typedef struct crn_build {
    crn_model *model;
    crn_error *error;
    crn_status status;
    double friction, restitution, density; /* of shapes made from now on */
} crn_build;

crn_build crn_build_begin(crn_model *model, crn_error *error); /* mu 0.5, e 0, density 1000 */

/** The model's world, planar (gravity along -y) or not, with step and duration [s]. */
crn_world_def *crn_build_world(crn_build *b, bool is_planar, double dt, double duration);

/* --- Shapes of the builder's material, at the body's origin --- */

crn_body_shape crn_build_box(const crn_build *b, double x, double y, double z); /* half sides */
crn_body_shape crn_build_sphere(const crn_build *b, double radius);
crn_body_shape crn_build_capsule(const crn_build *b, double radius, double half_length);
crn_body_shape crn_build_disk(const crn_build *b, double radius);
crn_body_shape crn_build_plane(const crn_build *b, crn_vec3 point, crn_vec3 normal);   /* half-space below */
crn_body_shape crn_build_half_plane(const crn_build *b, crn_vec3 point, double angle); /* y <= 0, turned by angle */

/** The rotation that takes z to the unit vector n, by the shortest way. */
crn_quat crn_build_turn_z_to(crn_vec3 n);

/* --- Bodies; each returns its index, -1 after a failure --- */

/** Anything: adds def. */
int crn_build_add(crn_build *b, const crn_body_def *def);

/** A free body of one shape; mass 0: by density. */
int crn_build_body(crn_build *b, const char *name, crn_body_shape shape, double mass, crn_vec3 position);

/** A free bar between two points (planar: a segment), unturned body frame in its middle. It touches nothing. */
int crn_build_bar(crn_build *b, const char *name, crn_vec3 p, crn_vec3 q, double radius, double mass);

/** A fixed body of some shapes, at the origin. */
int crn_build_fixed(crn_build *b, const char *name, const crn_body_shape *shape, int shapes);

/** The plane z = 0, in planar scenes the half-plane y = 0, fixed. */
int crn_build_floor(crn_build *b);

/* --- The rest --- */

int crn_build_joint(crn_build *b, const crn_joint_def *def);

/** A hinge in world coordinates at t = 0: bodies' frames must be unturned then. a or b = -1: the world. */
int crn_build_hinge(crn_build *b, int a_body, int b_body, crn_vec3 point, crn_vec3 axis);

int crn_build_load(crn_build *b, int body, crn_vec3 force, double from, double until);
void crn_build_probe(crn_build *b, crn_probe_kind kind, int target);

#endif
