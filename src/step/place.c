/* Where bodies and joints are: frames of bodies, motion of driven ones, joints between them. */
#include <math.h>
#include <string.h>

#include "math/rigid.h"
#include "step/step_room.h"

crn_pose crn_step_body_pose(const crn_step_body *body)
{
    const crn_pose *com = &body->rigid.pose;
    return (crn_pose){crn_v3_sub(com->position, crn_quat_turn(com->rotation, body->com)), com->rotation};
}

void crn_step_set_body_pose(crn_step_body *body, const crn_pose *pose)
{
    body->rigid.pose.position = crn_v3_add(pose->position, crn_quat_turn(pose->rotation, body->com));
    body->rigid.pose.rotation = pose->rotation;
    crn_rigid_refresh(&body->rigid);
}

void crn_step_placed(crn_stepper *stepper, int body)
{
    crn_rigid_refresh(&stepper->body[body].rigid);
    for (int i = 0; i < stepper->shapes; ++i) { /* contacts of the last kick are those of another place */
        stepper->shape[i].is_known = stepper->shape[i].is_known && stepper->shape[i].body != body;
    }
    if (stepper->body[body].kind == CRN_BODY_FREE) {
        crn_step_wake(stepper, body);
    } else {
        crn_step_wake_all(stepper); /* whatever sleeps on it */
    }
}

crn_pose crn_step_driven_pose(const crn_step_body *body, double time)
{
    const crn_motion *motion = &body->motion;
    crn_pose pose = body->start;
    if (body->function) {
        body->function(body->function_user, time, &pose);
        return pose;
    }
    crn_vec3 moved = {crn_profile_at(&motion->x, time), crn_profile_at(&motion->y, time),
                      crn_profile_at(&motion->z, time)};
    crn_quat turn = crn_quat_exp(crn_v3_scale(crn_profile_at(&motion->angle, time), motion->axis));
    return (crn_pose){crn_v3_add(pose.position, moved), crn_quat_product(turn, pose.rotation)};
}

/* --- Joints --- */

/* A joint frame in the world; side -1 is the world itself. */
static crn_frame frame_on(const crn_stepper *stepper, int body, const crn_frame *local, crn_vec3 *com)
{
    if (body < 0) {
        *com = local->position;
        return *local;
    }
    const crn_rigid *rigid = &stepper->body[body].rigid;
    crn_frame frame = {rigid->rotation, rigid->pose.position};
    *com = rigid->pose.position;
    return crn_frame_product(&frame, local);
}

crn_joint_sides crn_step_joint_sides(const crn_stepper *stepper, const crn_step_joint *joint)
{
    crn_joint_sides sides;
    sides.a = frame_on(stepper, joint->a, &joint->frame_a, &sides.com_a);
    sides.b = frame_on(stepper, joint->b, &joint->frame_b, &sides.com_b);
    sides.length = joint->def.length;
    return sides;
}

/* row . (w, v) of a body; 0 for the world */
static double row_speed(const crn_stepper *stepper, int body, const double *row)
{
    if (body < 0) {
        return 0.0;
    }
    const crn_step_body *b = &stepper->body[body];
    bool is_shown = b->kind == CRN_BODY_FREE && stepper->def.integrator != CRN_INTEGRATOR_HART;
    crn_vec3 w = is_shown ? b->shown_w : b->rigid.w, v = is_shown ? b->shown_v : b->rigid.v;
    return crn_v3_dot(crn_v3_of(row), w) + crn_v3_dot(crn_v3_of(row + 3), v);
}

crn_joint_kind crn_step_link_kind(const crn_stepper *stepper, int joint)
{
    crn_joint_kind kind = joint >= 0 ? stepper->joint[joint].def.kind : CRN_JOINT_FREE;
    if (!stepper->def.is_planar) {
        return kind;
    }
    return kind == CRN_JOINT_BALL ? CRN_JOINT_HINGE : kind == CRN_JOINT_FREE ? CRN_JOINT_PLANAR : kind;
}

bool crn_step_joint_link(const crn_stepper *stepper, int joint, const crn_step_tree **tree, int *link)
{
    if (joint >= stepper->joints) { /* followed by another one, and not there yet */
        return false;
    }
    const crn_step_joint *j = &stepper->joint[joint];
    if (!j->is_used || !j->is_link || stepper->body[j->b].tree == 0) {
        return false;
    }
    *tree = &stepper->forest.tree[stepper->body[j->b].tree - 1];
    *link = stepper->body[j->b].link;
    return true;
}

void crn_step_joint_coordinates(const crn_stepper *stepper, const crn_step_joint *joint, double *value, double *speed)
{
    const crn_joint_type *type = crn_joint_type_of(joint->def.kind);
    crn_joint_row row[CRN_JOINT_COORDINATES_MAX];
    const crn_step_tree *tree;
    int link;
    if (type->coordinates == 0) {
        return;
    }
    if (!stepper->forest.is_stale && crn_step_joint_link(stepper, (int)(joint - stepper->joint), &tree, &link)) {
        const crn_link *l = &tree->tree->link[link];
        for (int i = 0; i < type->coordinates; ++i) {
            int at = tree->u + l->u + i;
            if (value) {
                value[i] = stepper->forest.q[tree->q + l->q + i];
            }
            if (speed) {
                speed[i] = crn_step_shown(stepper, at);
            }
        }
        return;
    }
    crn_joint_sides sides = crn_step_joint_sides(stepper, joint);
    type->coordinate(&sides, row);
    for (int i = 0; i < type->coordinates; ++i) {
        if (value) {
            value[i] = (type->angles >> i) & 1u ? crn_joint_unwind(row[i].value, joint->last[i]) : row[i].value;
        }
        if (speed) {
            speed[i] = row_speed(stepper, joint->a, row[i].a) + row_speed(stepper, joint->b, row[i].b);
        }
    }
}

/* A row whose linear part is 0 holds an angle. */
static bool is_angular(const crn_joint_row *row)
{
    bool is_zero = true; /* exactly: such rows are built with zeros */
    for (int i = 3; i < 6; ++i) {
        is_zero = is_zero && row->a[i] == 0.0 && row->b[i] == 0.0;
    }
    return is_zero;
}

void crn_step_joint_error(const crn_stepper *stepper, const crn_step_joint *joint, double *distance, double *angle)
{
    const crn_joint_type *type = crn_joint_type_of(joint->def.kind);
    crn_joint_row row[CRN_JOINT_ROWS_MAX];
    double lengths = 0.0, angles = 0.0;
    bool is_between = joint->def.kind == CRN_JOINT_DISTANCE && joint->def.axis[0].lower <= joint->def.axis[0].upper;
    if (!is_between) {
        crn_joint_sides sides = crn_step_joint_sides(stepper, joint);
        type->hold(&sides, row);
        for (int i = 0; i < type->rows; ++i) {
            *(is_angular(&row[i]) ? &angles : &lengths) += row[i].value * row[i].value;
        }
    }
    *distance = sqrt(lengths);
    *angle = sqrt(angles);
}
