/* Dynamics of a robot where it is now, by the functions of tree.h. A body's gravity_scale is a wrench beside the common gravity. */
#include "world/robot.h"

#include <string.h>

static const crn_step_body *body_of(const crn_robot *r, int link)
{
    return &r->world->stepper.body[r->body[link].index1 - 1];
}

/* Add a force at a point to the wrenches about the world's origin. */
static void add_force(double *wrench, crn_vec3 force, crn_vec3 point)
{
    crn_v3_to(crn_v3_add(crn_v3_of(wrench), crn_v3_cross(point, force)), wrench);
    crn_v3_to(crn_v3_add(crn_v3_of(wrench + 3), force), wrench + 3);
}

/* State and load now; false if the robot is stale. */
static bool look(crn_robot *r, crn_tree_load *load)
{
    if (!crn_robot_is_current(r)) {
        return false;
    }
    crn_robot_read_state(r);
    *load = (crn_tree_load){.gravity = r->world->stepper.def.gravity};
    for (int k = 0; k < r->links; ++k) {
        const crn_step_body *b = body_of(r, k);
        double excess = b->rigid.mass * (b->gravity_scale - 1.0);
        if (excess != 0.0 && load->wrench == NULL) {
            memset(r->wrench, 0, 6 * (size_t)r->links * sizeof *r->wrench);
            load->wrench = r->wrench;
        }
        if (excess != 0.0) {
            add_force(r->wrench + 6 * k, crn_v3_scale(excess, load->gravity), b->rigid.pose.position);
        }
    }
    return true;
}

crn_status crn_robot_mass_matrix(crn_robot *r, double *H)
{
    crn_tree_load load;
    if (!H || !look(r, &load)) {
        return CRN_ERR_ARGUMENT;
    }
    crn_tree_mass_matrix(r->tree, r->q, H);
    return CRN_OK;
}

crn_status crn_robot_bias(crn_robot *r, double *force)
{
    return crn_robot_inverse(r, NULL, force);
}

crn_status crn_robot_gravity(crn_robot *r, double *force)
{
    crn_tree_load load;
    if (!force || !look(r, &load)) {
        return CRN_ERR_ARGUMENT;
    }
    crn_tree_inverse(r->tree, r->q, NULL, NULL, &load, force);
    return CRN_OK;
}

crn_status crn_robot_inverse(crn_robot *r, const double *acceleration, double *force)
{
    crn_tree_load load;
    if (!force || !look(r, &load)) {
        return CRN_ERR_ARGUMENT;
    }
    crn_tree_inverse(r->tree, r->q, r->u, acceleration, &load, force);
    return CRN_OK;
}

crn_status crn_robot_forward(crn_robot *r, const double *force, double *acceleration)
{
    crn_tree_load load;
    if (!acceleration || !look(r, &load)) {
        return CRN_ERR_ARGUMENT;
    }
    load.force = force;
    crn_tree_forward(r->tree, r->q, r->u, &load, acceleration);
    return CRN_OK;
}

crn_status crn_robot_jacobian(crn_robot *r, crn_body_id body, crn_vec3 point, double *J)
{
    crn_tree_load load;
    int link = crn_robot_find_body(r, body);
    if (!J || link < 0 || !crn_world_is_position(point) || !look(r, &load)) {
        return CRN_ERR_ARGUMENT;
    }
    crn_tree_jacobian(r->tree, r->q, link, point, J);
    return CRN_OK;
}

crn_status crn_robot_acceleration(crn_robot *r, const double *acceleration, crn_body_id body, crn_vec3 point, double *a)
{
    crn_tree_load load;
    int link = crn_robot_find_body(r, body);
    if (!a || link < 0 || !crn_world_is_position(point) || !look(r, &load)) {
        return CRN_ERR_ARGUMENT;
    }
    crn_tree_acceleration(r->tree, r->q, r->u, acceleration, link, point, a);
    return CRN_OK;
}

crn_status crn_robot_com(crn_robot *r, double *mass, crn_vec3 *com, crn_vec3 *velocity, double *J)
{
    crn_tree_load load;
    if (!look(r, &load)) {
        return CRN_ERR_ARGUMENT;
    }
    double momentum[6], all = crn_tree_com(r->tree, r->q, com, J);
    if (mass) {
        *mass = all;
    }
    if (velocity) {
        crn_tree_energy(r->tree, r->q, r->u, load.gravity, NULL, NULL, momentum);
        *velocity = all > 0.0 ? crn_v3_scale(1.0 / all, crn_v3_of(momentum + 3)) : crn_v3(0, 0, 0);
    }
    return CRN_OK;
}

crn_status crn_robot_momentum(crn_robot *r, double *momentum)
{
    crn_tree_load load;
    if (!momentum || !look(r, &load)) {
        return CRN_ERR_ARGUMENT;
    }
    crn_tree_energy(r->tree, r->q, r->u, load.gravity, NULL, NULL, momentum);
    return CRN_OK;
}

crn_status crn_robot_contact_force(crn_robot *r, double *force)
{
    crn_tree_load load;
    int contacts;
    if (!force || !look(r, &load)) {
        return CRN_ERR_ARGUMENT;
    }
    const crn_contact *contact = crn_world_contacts(r->world, &contacts);
    memset(r->wrench, 0, 6 * (size_t)r->links * sizeof *r->wrench);
    for (int i = 0; i < contacts; ++i) {
        const crn_body_id side[2] = {contact[i].a, contact[i].b};
        for (int k = 0; k < 2; ++k) {
            int link = crn_robot_find_body(r, side[k]);
            crn_vec3 f, point;
            if (link >= 0 && crn_contact_force_on(r->world, i, side[k], &f, &point) == CRN_OK) {
                add_force(r->wrench + 6 * link, f, point);
            }
        }
    }
    crn_tree_joint_forces(r->tree, r->q, r->wrench, force);
    return CRN_OK;
}
