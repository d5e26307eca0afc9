/* contact_random.c -- contacts at random, arranged to be as degenerate as they can be: an adversarial set.
 *
 * 1 to 6 bodies, 1 to 6 + 4 bodies contacts, each between a body and the world or another body; d = 4, 6, ..., 16
 * directions; friction up to 2, none at one contact in ten. By index % 2 everything is random, or on a lattice: points,
 * normals, velocities and frictions of few values, masses and inertias 1, so that ties abound. By index / 2 % 2 the
 * bodies are clamped: a third of the contacts oppose an earlier one on the same line. 15 % of the contacts repeat an
 * earlier one; half of these are misaligned by e, in place and in direction.
 *
 * Solvable whatever the numbers: there is no bias, so Lemke's path on contact states has no secondary ray. */
#include "families.h"
#include "gallery_bodies.h"
#include "gallery_data.h"
#include "gallery_scene.h"

enum { BODIES_MAX = 6, CONTACTS_MAX = 6 + 4 * BODIES_MAX };

static const double share_repeated = 0.15;
static const double share_opposed = 1.0 / 3.0; /* of a clamped problem's contacts */
static const double share_misaligned = 0.5;    /* of the repeated ones */
static const double share_frictionless = 0.1;
static const double friction_max = 2.0;

typedef struct scene {
    bool is_lattice, is_clamped;
    double e;
    crn_gallery_body bodies[BODIES_MAX];
    crn_random random;
} scene;

static bool chance(scene *s, double share)
{
    return crn_random_uniform(&s->random, 0.0, 1.0) < share;
}

/* Uniform in (-size, size), or one of -size, 0, size. */
static double coordinate(scene *s, double size)
{
    if (s->is_lattice) {
        return size * (crn_random_below(&s->random, 3) - 1);
    }
    return crn_random_uniform(&s->random, -size, size);
}

static crn_gallery_vec place(scene *s, double size)
{
    double x = coordinate(s, size), y = coordinate(s, size);
    return crn_gallery_vec_of(x, y, coordinate(s, size));
}

/* A unit vector; on the lattice along an axis or a diagonal. */
static crn_gallery_vec direction(scene *s)
{
    const double too_short = 0.1; /* of a vector in the unit cube, to be turned into a direction */
    crn_gallery_vec v = {0.0, 0.0, 0.0};
    while (crn_gallery_vec_dot(v, v) < too_short * too_short) {
        v = place(s, 1.0);
    }
    return crn_gallery_vec_unit(v);
}

static double friction(scene *s)
{
    static const double few[4] = {0.25, 0.5, 1.0, 2.0};
    if (chance(s, share_frictionless)) {
        return 0.0;
    }
    return s->is_lattice ? few[crn_random_below(&s->random, 4)] : crn_random_uniform(&s->random, 0.0, friction_max);
}

/* Body b, well apart from the others, with a free velocity. */
static void place_body(scene *s, crn_gallery_contacts *contacts, int b)
{
    crn_gallery_body body = {1.0, {3.0 * b, 0.0, 0.0}, {1.0, 1.0, 1.0}};
    if (!s->is_lattice) {
        body.mass = crn_gallery_random_power(&s->random, -1.0, 1.0);
        body.inertia.x = body.mass * crn_random_uniform(&s->random, 0.3, 0.5); /* any two exceed the third */
        body.inertia.y = body.mass * crn_random_uniform(&s->random, 0.3, 0.5);
        body.inertia.z = body.mass * crn_random_uniform(&s->random, 0.3, 0.5);
    }
    s->bodies[b] = body;
    crn_gallery_place_body(contacts, b, &body);
    crn_gallery_vec linear = crn_gallery_vec_scale(place(s, 1.0), body.mass);
    crn_gallery_push(contacts, b, linear, crn_gallery_vec_scale(place(s, 1.0), body.inertia.x));
}

static void touch_anywhere(scene *s, crn_gallery_contacts *contacts)
{
    int bodies = contacts->bodies;
    int b = crn_random_below(&s->random, bodies);
    int a = crn_random_below(&s->random, bodies + 1) - 1;
    crn_gallery_vec point = crn_gallery_vec_add(s->bodies[b].centre, 1.0, place(s, 1.0));
    crn_gallery_vec normal = direction(s);
    crn_gallery_touch(contacts, s->bodies, a == b ? CRN_GALLERY_GROUND : a, b, point, normal, friction(s));
}

/* An earlier contact once more, or against it from the other end of its line of action. */
static void touch_again(scene *s, crn_gallery_contacts *contacts, bool is_opposed)
{
    crn_gallery_touching old = contacts->touching[crn_random_below(&s->random, contacts->count)];
    crn_gallery_vec point = old.point, normal = old.axes[0];
    if (is_opposed) {
        point = crn_gallery_vec_add(point, 1.0, normal);
        normal = crn_gallery_vec_scale(normal, -1.0);
    }
    if (!is_opposed && chance(s, share_misaligned)) {
        bool is_lattice = s->is_lattice;
        s->is_lattice = false;
        point = crn_gallery_vec_add(point, s->e, place(s, 1.0));
        normal = crn_gallery_vec_add(normal, s->e, place(s, 1.0));
        normal = s->e > 0.0 ? crn_gallery_vec_unit(normal) : normal;
        s->is_lattice = is_lattice;
    }
    double mu = is_opposed ? friction(s) : old.friction;
    crn_gallery_touch(contacts, s->bodies, old.body[0], old.body[1], point, normal, mu);
}

/* Largest velocity of a contact along n, t1 or t2 in the free motion. */
static double free_speed(const crn_gallery_contacts *contacts)
{
    double most = 0.0;
    for (int column = 0; column < 3 * contacts->count; ++column) {
        double speed = 0.0;
        for (int side = 0; side < 2; ++side) {
            int body = contacts->touching[column / 3].body[side];
            const double *x = crn_gallery_contacts_columns(contacts, column / 3, side) + 6 * (column % 3);
            for (int i = 0; i < 6 && body != CRN_GALLERY_GROUND; ++i) {
                speed += x[i] * contacts->momentum[6 * body + i] / crn_gallery_contacts_mass(contacts, body)[7 * i];
            }
        }
        most = fmax(most, fabs(speed));
    }
    return most;
}

/* On the lattice everything may stand still; a problem whose q is but rounding says nothing, so then a body falls. */
static void keep_moving(const scene *s, crn_gallery_contacts *contacts)
{
    const double still = 1e-6; /* [m/s]; other speeds are near 1 */
    if (free_speed(contacts) < still) {
        int body = contacts->touching[0].body[1];
        crn_gallery_vec fall = {0.0, 0.0, -s->bodies[body].mass};
        crn_gallery_push(contacts, body, fall, crn_gallery_vec_of(0.0, 0.0, 0.0));
    }
}

crn_status crn_gallery_contact_random_of(int index, uint64_t seed, double e, crn_gallery_contacts *contacts,
                                         crn_error *error)
{
    scene s = {.is_lattice = index % 2 == 1, .is_clamped = index / 2 % 2 == 1, .e = e};
    s.random = crn_gallery_random("contact-random", index, seed);
    int bodies = 1 + crn_random_below(&s.random, BODIES_MAX);
    int count = 1 + crn_random_below(&s.random, 6 + 4 * bodies);
    int directions = 4 + 2 * crn_random_below(&s.random, 7);
    crn_status status = crn_gallery_contacts_open(contacts, bodies, 6, CONTACTS_MAX, directions, error);
    if (status != CRN_OK) {
        return status;
    }
    for (int b = 0; b < bodies; ++b) {
        place_body(&s, contacts, b);
    }
    touch_anywhere(&s, contacts);
    while (contacts->count < count) {
        double dice = crn_random_uniform(&s.random, 0.0, 1.0);
        if (dice < share_repeated) {
            touch_again(&s, contacts, false);
        } else if (s.is_clamped && dice < share_repeated + share_opposed) {
            touch_again(&s, contacts, true);
        } else {
            touch_anywhere(&s, contacts);
        }
    }
    keep_moving(&s, contacts);
    return CRN_OK;
}

crn_status crn_gallery_contact_random(int index, uint64_t seed, crn_gallery_contacts *contacts, crn_error *error)
{
    return crn_gallery_contact_random_of(index, seed, 0.0, contacts, error);
}
