/* Where sites are, and how they move. */
#include "world/world.h"

crn_status crn_site_pose(const crn_world *w, crn_site_id site, crn_pose *pose)
{
    crn_body_id body;
    crn_pose there;
    if (!pose || crn_site_frame(w, site, &body, pose) != CRN_OK) {
        return CRN_ERR_ARGUMENT;
    }
    if (crn_body_pose(w, body, &there) == CRN_OK) {
        *pose = crn_pose_product(&there, pose);
        pose->rotation = crn_quat_unit(pose->rotation);
    }
    return CRN_OK;
}

crn_status crn_site_velocity(const crn_world *w, crn_site_id site, crn_twist *velocity)
{
    crn_body_id body;
    crn_pose pose;
    if (!velocity || crn_site_pose(w, site, &pose) != CRN_OK) {
        return CRN_ERR_ARGUMENT;
    }
    *velocity = (crn_twist){{0, 0, 0}, {0, 0, 0}};
    (void)crn_site_frame(w, site, &body, NULL);
    if (crn_body_velocity(w, body, velocity) == CRN_OK) {
        crn_vec3 com = w->stepper.body[body.index1 - 1].rigid.pose.position;
        crn_vec3 arm = crn_v3_sub(pose.position, com);
        velocity->linear = crn_v3_add(velocity->linear, crn_v3_cross(velocity->angular, arm));
    }
    return CRN_OK;
}
