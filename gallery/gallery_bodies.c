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
    size_t k = (size_t)contacts->dof;
    double diagonal[6] = {shape->inertia.x, shape->inertia.y, shape->inertia.z, shape->mass, shape->mass, shape->mass};
    for (size_t i = 0; i < 6; ++i) {
        size_t place = 6 * (size_t)body + i;
        contacts->mass[place + place * k] = diagonal[i];
    }
}

/* column(body) += s (angular, linear) */
static void add_spatial(double *column, int body, double s, crn_gallery_vec angular, crn_gallery_vec linear)
{
    double *x = column + 6 * body;
    x[0] += s * angular.x;
    x[1] += s * angular.y;
    x[2] += s * angular.z;
    x[3] += s * linear.x;
    x[4] += s * linear.y;
    x[5] += s * linear.z;
}

void crn_gallery_push(crn_gallery_contacts *contacts, int body, crn_gallery_vec linear, crn_gallery_vec angular)
{
    add_spatial(contacts->momentum, body, 1.0, angular, linear);
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

void crn_gallery_touch(crn_gallery_contacts *contacts, const crn_gallery_body *bodies, int a, int b,
                       crn_gallery_vec point, crn_gallery_vec normal, double friction)
{
    crn_gallery_vec axes[3] = {normal, normal, normal}; /* the tangents follow */
    int partner[2] = {a, b};
    double *column = crn_gallery_contacts_add(contacts, friction);
    crn_gallery_tangents(normal, &axes[1], &axes[2]);
    for (int c = 0; c < 3 && column; ++c, column += contacts->dof) {
        for (int side = 0; side < 2; ++side) {
            if (partner[side] != CRN_GALLERY_GROUND) {
                /* The point's velocity is v + w x r: the axis gets torque r x axis. */
                crn_gallery_vec r = crn_gallery_vec_add(point, -1.0, bodies[partner[side]].centre);
                add_spatial(column, partner[side], side ? 1.0 : -1.0, crn_gallery_vec_cross(r, axes[c]), axes[c]);
            }
        }
    }
}
