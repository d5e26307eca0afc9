/* gallery_bodies.c -- mass blocks, impulses and contact columns of free rigid bodies. */
#include "gallery_bodies.h"

const double crn_gallery_gravity = 9.81;
const double crn_gallery_step = 0.01;

crn_gallery_body crn_gallery_box(double mass, crn_gallery_vec centre, crn_gallery_vec half)
{
    double third = mass / 3.0;
    double xx = half.x * half.x, yy = half.y * half.y, zz = half.z * half.z;
    crn_gallery_body body = {mass, centre, {third * (yy + zz), third * (zz + xx), third * (xx + yy)}};
    return body;
}

crn_gallery_body crn_gallery_cylinder(double mass, crn_gallery_vec centre, double radius, double length)
{
    double across = mass * (3.0 * radius * radius + length * length) / 12.0;
    crn_gallery_body body = {mass, centre, {across, across, 0.5 * mass * radius * radius}};
    return body;
}

void crn_gallery_place_body(crn_gallery_contacts *contacts, int body, const crn_gallery_body *shape)
{
    double diagonal[6] = {shape->inertia.x, shape->inertia.y, shape->inertia.z, shape->mass, shape->mass, shape->mass};
    double *mass = crn_gallery_contacts_mass(contacts, body);
    for (size_t i = 0; i < 6; ++i) {
        mass[7 * i] = diagonal[i];
    }
    contacts->shape[body] = *shape;
    contacts->is_rigid = true;
}

/* x += s (angular, linear) */
static void add_spatial(double *x, double s, crn_gallery_vec angular, crn_gallery_vec linear)
{
    x[0] += s * angular.x;
    x[1] += s * angular.y;
    x[2] += s * angular.z;
    x[3] += s * linear.x;
    x[4] += s * linear.y;
    x[5] += s * linear.z;
}

void crn_gallery_push(crn_gallery_contacts *contacts, int body, crn_gallery_vec linear, crn_gallery_vec angular)
{
    add_spatial(contacts->momentum + 6 * body, 1.0, angular, linear);
}

void crn_gallery_weigh(crn_gallery_contacts *contacts, int body, const crn_gallery_body *shape)
{
    crn_gallery_vec fall = {0.0, 0.0, -crn_gallery_step * crn_gallery_gravity * shape->mass};
    crn_gallery_push(contacts, body, fall, crn_gallery_vec_of(0.0, 0.0, 0.0));
}

static crn_gallery_vec random_vec(crn_random *random, double deviation)
{
    double x = deviation * crn_random_normal(random);
    double y = deviation * crn_random_normal(random);
    return crn_gallery_vec_of(x, y, deviation * crn_random_normal(random));
}

void crn_gallery_push_randomly(crn_gallery_contacts *contacts, int body, double force, double torque,
                               crn_random *random)
{
    crn_gallery_vec linear = random_vec(random, crn_gallery_step * force);
    crn_gallery_push(contacts, body, linear, random_vec(random, crn_gallery_step * torque));
}

void crn_gallery_move_randomly(crn_gallery_contacts *contacts, int body, const crn_gallery_body *shape, double linear,
                               double angular, crn_random *random)
{
    crn_gallery_vec p = crn_gallery_vec_scale(random_vec(random, linear), shape->mass);
    crn_gallery_vec w = random_vec(random, angular);
    w = crn_gallery_vec_of(shape->inertia.x * w.x, shape->inertia.y * w.y, shape->inertia.z * w.z);
    crn_gallery_push(contacts, body, p, w);
}

crn_gallery_touching *crn_gallery_touch(crn_gallery_contacts *contacts, const crn_gallery_body *bodies, int a, int b,
                                        crn_gallery_vec point, crn_gallery_vec normal, double friction)
{
    crn_gallery_touching *touching = crn_gallery_contacts_add(contacts, a, b, point, normal, friction);
    for (int side = 0; side < 2 && touching; ++side) {
        int body = touching->body[side];
        double *column = crn_gallery_contacts_columns(contacts, contacts->count - 1, side);
        for (int c = 0; c < 3 && body != CRN_GALLERY_GROUND; ++c, column += 6) {
            /* The point's velocity is v + w x r: the axis gets torque r x axis. */
            crn_gallery_vec r = crn_gallery_vec_add(point, -1.0, bodies[body].centre);
            crn_gallery_vec axis = touching->axes[c];
            add_spatial(column, side ? 1.0 : -1.0, crn_gallery_vec_cross(r, axis), axis);
        }
    }
    return touching;
}
