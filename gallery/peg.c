/* peg.c -- peg in a hole: one body, contacts round the top and the bottom rim of the hole  [L05 s5.4].
 *
 * Contacts by index % 5: 8, 12, 16, 24, 32, half of them at each rim. By index / 5 % 2: a round peg with contacts at
 * equal angles, whose normals all meet the axis, or a square one with contacts on its four faces. A random wrench at
 * the centre, gravity along the axis, a small velocity before the step. dof 6. */
#include "families.h"
#include "gallery_bodies.h"
#include "gallery_data.h"
#include "gallery_scene.h"

static const double two_pi = 6.283185307179586;
static const double radius = 0.02;     /* of the peg, or half its width [m] */
static const double length = 0.1;      /* of the peg [m] */
static const double rim_height = 0.03; /* of the rims above and below the centre [m] */

/* Contact i of `count` on a round rim. */
static void touch_round(crn_gallery_contacts *contacts, const crn_gallery_body *peg, int i, int count, double z,
                        double friction)
{
    double angle = two_pi * i / count;
    crn_gallery_vec outward = {cos(angle), sin(angle), 0.0};
    crn_gallery_vec point = {radius * outward.x, radius * outward.y, z};
    crn_gallery_vec normal = crn_gallery_vec_scale(outward, -1.0);
    crn_gallery_touch(contacts, peg, CRN_GALLERY_GROUND, 0, point, normal, friction);
}

/* Contact i of `count` on a square rim, at equal distances along it and never on an edge of the peg. */
static void touch_square(crn_gallery_contacts *contacts, const crn_gallery_body *peg, int i, int count, double z,
                         double friction)
{
    static const double outward_x[4] = {1.0, 0.0, -1.0, 0.0};
    static const double outward_y[4] = {0.0, 1.0, 0.0, -1.0};
    const double off_edge = 0.37; /* keeps the places off whole numbers, where two faces meet */
    double place = 4.0 * (i + off_edge) / count;
    int face = (int)place;
    double along = radius * (2.0 * (place - face) - 1.0);
    double ox = outward_x[face], oy = outward_y[face];
    crn_gallery_vec point = {radius * ox - along * oy, radius * oy + along * ox, z};
    crn_gallery_vec normal = {-ox, -oy, 0.0};
    crn_gallery_touch(contacts, peg, CRN_GALLERY_GROUND, 0, point, normal, friction);
}

static void touch_rims(crn_gallery_contacts *contacts, const crn_gallery_body *peg, int count, bool is_square,
                       double friction)
{
    for (int rim = 0; rim < 2; ++rim) {
        double z = rim ? rim_height : -rim_height;
        for (int i = 0; i < count / 2; ++i) {
            if (is_square) {
                touch_square(contacts, peg, i, count / 2, z, friction);
            } else {
                touch_round(contacts, peg, i, count / 2, z, friction);
            }
        }
    }
}

static crn_status make(int count, bool is_square, crn_random *random, crn_gallery_contacts *contacts, crn_error *error)
{
    crn_status status = crn_gallery_contacts_open(contacts, 1, 6, count, CRN_GALLERY_DIRECTIONS, error);
    if (status != CRN_OK) {
        return status;
    }
    crn_gallery_vec origin = {0.0, 0.0, 0.0};
    crn_gallery_body round = crn_gallery_cylinder(1.0, origin, radius, length);
    crn_gallery_body square = crn_gallery_box(1.0, origin, crn_gallery_vec_of(radius, radius, 0.5 * length));
    const crn_gallery_body *peg = is_square ? &square : &round;
    crn_gallery_place_body(contacts, 0, peg);
    crn_gallery_weigh(contacts, 0, peg);
    crn_gallery_push_randomly(contacts, 0, 20.0, 1.0, random);
    crn_gallery_move_randomly(contacts, 0, peg, 0.01, 0.1, random);
    touch_rims(contacts, peg, count, is_square, crn_random_uniform(random, 0.2, 0.3));
    return CRN_OK;
}

crn_status crn_gallery_peg(int index, uint64_t seed, crn_gallery_contacts *contacts, crn_error *error)
{
    static const int sizes[5] = {8, 12, 16, 24, 32};
    crn_random random = crn_gallery_random("peg", index, seed);
    return make(sizes[index % 5], index / 5 % 2 == 1, &random, contacts, error);
}

crn_status crn_gallery_peg_of(int count, bool is_square, uint64_t seed, crn_gallery_contacts *contacts,
                              crn_error *error)
{
    crn_random random = crn_gallery_random(is_square ? "peg-of-square" : "peg-of-round", count, seed);
    if (count < 2 || count % 2 != 0) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "gallery: a peg has an even number of contacts, not %d", count);
    }
    return make(count, is_square, &random, contacts, error);
}
