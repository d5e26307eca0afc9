/* The joints of one body, in their order, as a chain of ours. At the start all of them have the axes of the body, so with C
 * the frame of a joint in the body and r = ref,
 *
 *     hinge                  z of C is the axis            frame_a = C             frame_b = C Z(r)
 *     slide                  z of C is the axis            frame_a = C (-r z)      frame_b = C
 *     ball                                                 frame_a = frame_b = C
 *     two hinges             x and y of C are the axes     frame_a = C X(-r1)      frame_b = C Y(r2)
 *     two slides, a hinge    x, y and z are the axes       frame_a = C (-r1 x - r2 y)   frame_b = C Z(r3)
 *
 * Two hinges whose axes meet at a right angle are a universal joint, two slides and a hinge at right angles a planar one
 * (hinge about x cross y; else the slides change places). Everything else takes links without mass between the joints. */
#include "robots/mjcf.h"

#include "math/rigid.h"

/* Cosine below which axes are at a right angle, and distance, relative to the positions' size, below which they meet: both
 * are exact up to the rounding of unit vectors and of poses from the file. */
static const double EXACT = 1e-12;

static bool is_right(crn_vec3 a, crn_vec3 b)
{
    return fabs(crn_v3_dot(a, b)) <= EXACT;
}

/* Frame of origin and axes x, y, x cross y. */
static crn_pose frame_of(crn_vec3 origin, crn_vec3 x, crn_vec3 y)
{
    y = crn_v3_unit(crn_v3_axpy(y, -crn_v3_dot(x, y), x));
    return (crn_pose){origin, crn_mjcf_turn_axes(x, y, crn_v3_cross(x, y))};
}

static crn_pose turned(const crn_pose *frame, crn_vec3 by)
{
    return (crn_pose){frame->position, crn_quat_unit(crn_quat_product(frame->rotation, crn_quat_exp(by)))};
}

static crn_pose moved(const crn_pose *frame, crn_vec3 by)
{
    return (crn_pose){crn_v3_add(frame->position, crn_quat_turn(frame->rotation, by)), frame->rotation};
}

/* --- Universal --- */

/* Where two axes at a right angle meet; false if they pass each other. */
static bool meet(const crn_mjcf_joint *one, const crn_mjcf_joint *two, crn_vec3 *point)
{
    crn_vec3 apart = crn_v3_sub(two->position, one->position);
    double size = 1.0 + crn_v3_length(one->position) + crn_v3_length(two->position);
    crn_vec3 along = crn_v3_scale(crn_v3_dot(apart, one->direction), one->direction);
    crn_vec3 rest = crn_v3_sub(crn_v3_axpy(apart, -crn_v3_dot(apart, two->direction), two->direction), along);
    *point = crn_v3_add(one->position, along);
    return crn_v3_length(rest) <= EXACT * size;
}

static bool make_universal(const crn_mjcf_joint *joint, crn_joint_def *def, int coordinate[3])
{
    const crn_mjcf_joint *one = &joint[0], *two = &joint[1];
    crn_vec3 point;
    bool fits = one->kind == CRN_MJCF_HINGE && two->kind == CRN_MJCF_HINGE && !one->is_leader && !two->is_leader &&
                is_right(one->direction, two->direction) && meet(one, two, &point);
    if (!fits) {
        return false;
    }
    crn_pose c = frame_of(point, one->direction, two->direction);
    def->kind = CRN_JOINT_UNIVERSAL;
    def->frame_a = turned(&c, crn_v3(-one->ref, 0, 0));
    def->frame_b = turned(&c, crn_v3(0, two->ref, 0));
    for (int k = 0; k < 2; ++k) {
        def->axis[k] = joint[k].axis;
        coordinate[k] = k;
    }
    return true;
}

/* --- Planar --- */

static bool make_planar(const crn_mjcf_joint *joint, crn_joint_def *def, int coordinate[3])
{
    const crn_mjcf_joint *hinge = &joint[2];
    bool fits = joint[0].kind == CRN_MJCF_SLIDE && joint[1].kind == CRN_MJCF_SLIDE && hinge->kind == CRN_MJCF_HINGE &&
                !joint[0].is_leader && !joint[1].is_leader && !hinge->is_leader &&
                is_right(joint[0].direction, joint[1].direction) && is_right(joint[0].direction, hinge->direction) &&
                is_right(joint[1].direction, hinge->direction);
    if (!fits) {
        return false;
    }
    crn_vec3 normal = crn_v3_cross(joint[0].direction, joint[1].direction);
    int first = crn_v3_dot(normal, hinge->direction) > 0.0 ? 0 : 1;
    const crn_mjcf_joint *x = &joint[first], *y = &joint[1 - first];
    crn_pose c = frame_of(hinge->position, x->direction, y->direction);
    def->kind = CRN_JOINT_PLANAR;
    def->frame_a = moved(&c, crn_v3(-x->ref, -y->ref, 0));
    def->frame_b = turned(&c, crn_v3(0, 0, hinge->ref));
    coordinate[0] = first;
    coordinate[1] = 1 - first;
    coordinate[2] = 2;
    for (int k = 0; k < 3; ++k) {
        def->axis[coordinate[k]] = joint[k].axis;
    }
    return true;
}

/* --- One --- */

static void make_single(const crn_mjcf_joint *joint, crn_joint_def *def)
{
    crn_pose c = {joint->position, {1, 0, 0, 0}};
    if (joint->kind != CRN_MJCF_BALL) {
        c.rotation = crn_mjcf_turn_z(joint->direction);
    }
    def->kind = joint->kind == CRN_MJCF_BALL    ? CRN_JOINT_BALL
                : joint->kind == CRN_MJCF_HINGE ? CRN_JOINT_HINGE
                                                : CRN_JOINT_SLIDER;
    def->frame_a = joint->kind == CRN_MJCF_SLIDE ? moved(&c, crn_v3(0, 0, -joint->ref)) : c;
    def->frame_b = joint->kind == CRN_MJCF_HINGE ? turned(&c, crn_v3(0, 0, joint->ref)) : c;
    def->axis[0] = joint->axis;
}

int crn_mjcf_chain_next(const crn_mjcf *mjcf, int first, int last, crn_joint_def *def, int coordinate[3])
{
    const crn_mjcf_joint *joint = &mjcf->joint[first];
    *def = crn_joint_def_default();
    if (first + 3 <= last && make_planar(joint, def, coordinate)) {
        return 3;
    }
    if (first + 2 <= last && make_universal(joint, def, coordinate)) {
        return 2;
    }
    make_single(joint, def);
    coordinate[0] = 0;
    return 1;
}
