/* frames.c -- n-legged frames on the ground, frictionless  [E15].
 *
 * Legs by index % 9: 3, 4, 5, 6, 8, 12, 16, 32, 64. By index / 9 % 2 the feet form a regular polygon or an irregular
 * one. M = N'N has rank 3: w is unique, z is not for more than three legs. The load pushes down; in four problems of
 * five its line of action meets the ground well inside the feet, in the others near their edge or outside. dof 6. */
#include "families.h"
#include "gallery_bodies.h"
#include "gallery_data.h"
#include "gallery_scene.h"

static const double two_pi = 6.283185307179586;
static const double reach = 0.5;  /* from the centre to a foot [m] */
static const double height = 0.4; /* of the centre of mass above the ground [m] */
static const double mass = 10.0;  /* [kg] */

static void touch_feet(crn_gallery_contacts *contacts, const crn_gallery_body *frame, int legs, bool is_regular,
                       crn_random *random)
{
    for (int i = 0; i < legs; ++i) {
        double turn = is_regular ? 0.0 : crn_random_uniform(random, -0.4, 0.4);
        double stretch = is_regular ? 1.0 : crn_random_uniform(random, 0.6, 1.4);
        double angle = two_pi * (i + turn) / legs;
        crn_gallery_vec foot = {stretch * reach * cos(angle), stretch * reach * sin(angle), -height};
        crn_gallery_touch(contacts, frame, CRN_GALLERY_GROUND, 0, foot, crn_gallery_vec_of(0.0, 0.0, 1.0), 0.0);
    }
}

/* A downward impulse whose line of action meets the ground at (x, y). */
static void push_down(crn_gallery_contacts *contacts, double x, double y, double size)
{
    crn_gallery_vec impulse = {0.0, 0.0, -size};
    crn_gallery_vec arm = {x, y, 0.0};
    crn_gallery_push(contacts, 0, impulse, crn_gallery_vec_cross(arm, impulse));
}

static void push_randomly(crn_gallery_contacts *contacts, bool is_inside, crn_random *random)
{
    double inscribed = 0.5 * reach; /* of the triangle, the smallest of the polygons */
    double distance =
        inscribed * (is_inside ? crn_random_uniform(random, 0.0, 0.8) : crn_random_uniform(random, 1.0, 3.0));
    double angle = crn_random_uniform(random, 0.0, two_pi);
    double force = mass * crn_gallery_gravity * crn_random_uniform(random, 1.0, 3.0);
    push_down(contacts, distance * cos(angle), distance * sin(angle), crn_gallery_step * force);
}

/* The frame on its feet, without a load. */
static crn_status stand(int legs, bool is_regular, crn_random *random, crn_gallery_contacts *contacts, crn_error *error)
{
    crn_status status = crn_gallery_contacts_open(contacts, 1, 6, legs, 0, error);
    if (status == CRN_OK) {
        crn_gallery_body frame = crn_gallery_cylinder(mass, crn_gallery_vec_of(0.0, 0.0, 0.0), reach, 0.1);
        crn_gallery_place_body(contacts, 0, &frame);
        touch_feet(contacts, &frame, legs, is_regular, random);
    }
    return status;
}

crn_status crn_gallery_frames(int index, uint64_t seed, crn_gallery_contacts *contacts, crn_error *error)
{
    static const int sizes[9] = {3, 4, 5, 6, 8, 12, 16, 32, 64};
    crn_random random = crn_gallery_random("frames", index, seed);
    crn_status status = stand(sizes[index % 9], index / 9 % 2 == 0, &random, contacts, error);
    if (status == CRN_OK) {
        push_randomly(contacts, crn_random_below(&random, 5) > 0, &random);
    }
    return status;
}

crn_status crn_gallery_frame_of(const crn_gallery_frame *frame, uint64_t seed, crn_gallery_contacts *contacts,
                                crn_error *error)
{
    crn_random random = crn_gallery_random("frame-of", frame->legs, seed);
    if (frame->legs < 1) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "gallery: a frame has at least one leg, not %d", frame->legs);
    }
    crn_status status = stand(frame->legs, frame->is_regular, &random, contacts, error);
    if (status == CRN_OK) {
        push_down(contacts, frame->load_x, frame->load_y, frame->impulse);
    }
    return status;
}
