/* humanoid.c -- a humanoid with driven joints: only its base is free, the feet carry many contacts  [YN08 s5].
 *
 * Contacts by index % 3: 12, 15, 18. By index / 3 % 2 it squats (both feet flat, the base going up or down) or steps
 * (one foot flat, the other landing on its heel). A foot's points are the four corners of the sole and, as meshes give
 * them, near-duplicates of those 1e-4 to 1e-3 m away. The driven joints prescribe each foot's motion relative to the
 * base: the bias of its contacts. All normals are vertical, so N theta + D phi = 0 within the friction cones only for
 * theta = 0, and the problem has a solution whatever the bias. dof 6. */
#include "families.h"
#include "gallery_bodies.h"
#include "gallery_data.h"

static const double two_pi = 6.283185307179586;

/* How a foot stands and how the joints move it relative to the base (at the foot's own origin, below the ankle). */
typedef struct foot {
    crn_gallery_vec origin;          /* world [m] */
    double toe;                      /* how far the points reach forward [m] */
    crn_gallery_vec linear, angular; /* velocity relative to the base [m/s, rad/s] */
} foot;

static crn_gallery_body composite(crn_random *random)
{
    double mass = crn_random_uniform(random, 40.0, 60.0);
    double height = crn_random_uniform(random, 0.55, 0.85); /* lower when squatting */
    double across = mass * height * height * crn_random_uniform(random, 0.15, 0.25);
    double vertical = mass * crn_random_uniform(random, 0.015, 0.03);
    crn_gallery_body body = {mass, {0.02, 0.0, height}, {across, 0.9 * across, vertical}};
    return body;
}

/* Point i of a foot: a corner of the sole, or a near-duplicate of one. */
static crn_gallery_vec sole_point(const foot *f, int i, crn_random *random)
{
    int corner = i % 4;
    double x = corner & 1 ? f->toe : -0.08;
    double y = corner & 2 ? 0.05 : -0.05;
    if (i >= 4) {
        double distance = crn_gallery_random_power(random, -4.0, -3.0);
        double angle = crn_random_uniform(random, 0.0, two_pi);
        x += distance * cos(angle);
        y += distance * sin(angle);
    }
    return crn_gallery_vec_add(f->origin, 1.0, crn_gallery_vec_of(x, y, 0.0));
}

static void stand_on(crn_gallery_contacts *contacts, const crn_gallery_body *body, const foot *f, int count,
                     double friction, crn_random *random)
{
    for (int i = 0; i < count; ++i) {
        crn_gallery_vec point = sole_point(f, i, random);
        crn_gallery_vec arm = crn_gallery_vec_add(point, -1.0, f->origin);
        crn_gallery_vec velocity = crn_gallery_vec_add(f->linear, 1.0, crn_gallery_vec_cross(f->angular, arm));
        crn_gallery_vec up = {0.0, 0.0, 1.0};
        crn_gallery_touching *touching = crn_gallery_touch(contacts, body, CRN_GALLERY_GROUND, 0, point, up, friction);
        if (touching) {
            touching->bias[0] = velocity.z;
            touching->bias[1] = velocity.x;
            touching->bias[2] = velocity.y;
        }
    }
}

static crn_gallery_vec jitter(crn_gallery_vec v, double size, crn_random *random)
{
    v.x += size * crn_random_normal(random);
    v.y += size * crn_random_normal(random);
    v.z += size * crn_random_normal(random);
    return v;
}

/* Base and feet of a motion: the feet stand still on the ground, but for what the drives add in one step. */
static crn_gallery_vec start_motion(foot feet[2], bool is_step, crn_random *random)
{
    crn_gallery_vec still = {0.0, 0.0, 0.0};
    crn_gallery_vec base = {0.0, 0.0, crn_random_uniform(random, -0.5, 0.5)};
    if (is_step) {
        base = crn_gallery_vec_of(crn_random_uniform(random, 0.2, 0.8), 0.0, crn_random_uniform(random, -0.1, 0.1));
    }
    for (int side = 0; side < 2; ++side) {
        feet[side].origin = crn_gallery_vec_of(0.0, side ? -0.1 : 0.1, 0.0);
        feet[side].toe = 0.15;
        feet[side].linear = jitter(crn_gallery_vec_scale(base, -1.0), 0.01, random);
        feet[side].angular = jitter(still, 0.02, random);
    }
    if (is_step) { /* the right foot lands on its heel, half a step ahead */
        feet[1].origin.x = 0.25;
        feet[1].toe = -0.04;
        feet[1].linear.z -= crn_random_uniform(random, 0.05, 0.5);
        feet[1].angular.y += crn_random_uniform(random, 0.0, 1.0);
    }
    return base;
}

crn_status crn_gallery_humanoid(int index, uint64_t seed, crn_gallery_contacts *contacts, crn_error *error)
{
    int count = 12 + 3 * (index % 3);
    crn_random random = crn_gallery_random("humanoid", index, seed);
    crn_status status = crn_gallery_contacts_open(contacts, 1, 6, count, CRN_GALLERY_DIRECTIONS, error);
    if (status != CRN_OK) {
        return status;
    }
    foot feet[2];
    crn_gallery_body body = composite(&random);
    crn_gallery_vec base = start_motion(feet, index / 3 % 2 == 1, &random);
    double friction = crn_random_uniform(&random, 0.4, 0.8);
    crn_gallery_place_body(contacts, 0, &body);
    crn_gallery_weigh(contacts, 0, &body);
    crn_gallery_push(contacts, 0, crn_gallery_vec_scale(base, body.mass), crn_gallery_vec_of(0.0, 0.0, 0.0));
    crn_gallery_push_randomly(contacts, 0, 50.0, 10.0, &random); /* inertia forces of the driven limbs */
    stand_on(contacts, &body, &feet[0], (count + 1) / 2, friction, &random);
    stand_on(contacts, &body, &feet[1], count / 2, friction, &random);
    return CRN_OK;
}
