/* <equality>: loops and coupled joints.
 *
 *     connect  the anchor, a point of body 1, and the point of body 2 at the same place at the start, stay together: a ball
 *              joint outside of trees
 *     weld     body 2 keeps its pose in body 1, the given one or that of the start: a fixed joint outside of trees
 *     joint    q1 - ref1 = c0 + c1 (q2 - ref2) + c2 (q2 - ref2)^2 + ...: joint 1 follows joint 2 if the rest is 0, and is
 *              held between two equal limits if there is no joint 2
 *     tendon   the same of one tendon over joints
 */
#include "robots/mjcf.h"

#include "math/rigid.h"

#include <string.h>

static const char *const shared_defaults[] = {"equality", NULL};

/* --- Bodies --- */

static crn_status find_bodies(crn_mjcf *mjcf, crn_xml_node *node, int body[2], bool *is_done)
{
    static const char *const field[2] = {"body1", "body2"};
    for (int k = 0; k < 2; ++k) {
        const char *name = crn_xml_get(node, field[k]);
        body[k] = name != NULL ? crn_mjcf_find_body(mjcf, name) : 0;
        if (name == NULL && k == 0) {
            if (crn_xml_get(node, "site1") != NULL) {
                crn_mjcf_warn(mjcf, node, "site1", " site1: not supported, the constraint is left out");
                *is_done = true;
                return CRN_OK;
            }
            return crn_mjcf_fail(mjcf, node, CRN_ERR_FORMAT, " body1: missing");
        }
        if (body[k] < 0) {
            return crn_mjcf_fail(mjcf, node, CRN_ERR_FORMAT, " %s: there is no body '%.40s'", field[k], name);
        }
    }
    if (body[0] == body[1]) {
        return crn_mjcf_fail(mjcf, node, CRN_ERR_FORMAT, " body2: is body1 too");
    }
    if (mjcf->body[body[0]].is_static && mjcf->body[body[1]].is_static) { /* holds already, or never */
        crn_mjcf_warn(mjcf, node, "static", "neither body moves, the constraint is left out");
        *is_done = true;
    }
    return CRN_OK;
}

/* A pose of body a, seen from body b at the start. */
static crn_pose seen_from(const crn_mjcf *mjcf, int b, int a, const crn_pose *pose)
{
    crn_pose back = crn_mjcf_inverse(&mjcf->body[b].place), there = crn_pose_product(&mjcf->body[a].place, pose);
    crn_pose seen = crn_pose_product(&back, &there);
    seen.rotation = crn_quat_unit(seen.rotation);
    return seen;
}

static crn_status read_connect(crn_mjcf *mjcf, const crn_mjcf_element *element, crn_mjcf_loop *loop)
{
    crn_pose read = crn_pose_identity(), none = crn_pose_identity();
    int given = 0;
    crn_status status = crn_mjcf_vector(mjcf, element, "anchor", &read.position, &given);
    if (status == CRN_OK && given == 0) {
        status = crn_mjcf_fail(mjcf, element->node, CRN_ERR_FORMAT, " anchor: missing");
    }
    loop->frame_a = crn_mjcf_in_body(mjcf, loop->a, &none, &read);
    loop->frame_b = seen_from(mjcf, loop->b, loop->a, &loop->frame_a);
    return status;
}

static crn_status read_weld(crn_mjcf *mjcf, const crn_mjcf_element *element, crn_mjcf_loop *loop)
{
    double v[7] = {0, 1, 0, 0, 0, 0, 0}, anchor[3];
    crn_pose origin = crn_pose_identity();
    crn_status status = crn_mjcf_numbers(mjcf, element, "relpose", 7, 7, v, NULL);
    status =
        status == CRN_OK ? crn_mjcf_numbers(mjcf, element, "anchor", 3, 3, anchor, NULL) : status; /* stiffness only */
    bool is_given = v[3] != 0.0 || v[4] != 0.0 || v[5] != 0.0 || v[6] != 0.0;
    loop->frame_b = origin;
    loop->frame_a = is_given ? (crn_pose){crn_v3_of(v), crn_quat_unit((crn_quat){v[3], v[4], v[5], v[6]})}
                             : seen_from(mjcf, loop->a, loop->b, &origin);
    return status;
}

/* --- Joints --- */

static bool has_coordinate(const crn_mjcf_joint *joint)
{
    return joint->kind == CRN_MJCF_HINGE || joint->kind == CRN_MJCF_SLIDE;
}

static crn_status find_joints(crn_mjcf *mjcf, crn_xml_node *node, int joint[2])
{
    static const char *const field[2] = {"joint1", "joint2"};
    for (int k = 0; k < 2; ++k) {
        const char *name = crn_xml_get(node, field[k]);
        joint[k] = name != NULL ? crn_mjcf_find_joint(mjcf, name) : -1;
        if (name == NULL && k == 0) {
            return crn_mjcf_fail(mjcf, node, CRN_ERR_FORMAT, " joint1: missing");
        }
        if (name != NULL && joint[k] < 0) {
            return crn_mjcf_fail(mjcf, node, CRN_ERR_FORMAT, " %s: there is no joint '%.40s'", field[k], name);
        }
        if (joint[k] >= 0 && !has_coordinate(&mjcf->joint[joint[k]])) {
            return crn_mjcf_fail(mjcf, node, CRN_ERR_FORMAT, " %s: must be a hinge or slide joint", field[k]);
        }
    }
    return joint[0] == joint[1] ? crn_mjcf_fail(mjcf, node, CRN_ERR_FORMAT, " joint2: is joint1 too") : CRN_OK;
}

static bool follows_already(const crn_mjcf *mjcf, int joint)
{
    for (int i = 0; i < mjcf->loops; ++i) {
        if (mjcf->loop[i].kind == CRN_MJCF_COUPLE && mjcf->loop[i].a == joint) {
            return true;
        }
    }
    return false;
}

static crn_status read_couple(crn_mjcf *mjcf, const crn_mjcf_element *element, crn_mjcf_loop *loop, bool is_active,
                              bool *is_done)
{
    double c[5] = {0, 1, 0, 0, 0};
    int joint[2] = {-1, -1};
    crn_status status = crn_mjcf_numbers(mjcf, element, "polycoef", 1, 5, c, NULL);
    status = status == CRN_OK ? find_joints(mjcf, element->node, joint) : status;
    if (status != CRN_OK) {
        return status;
    }
    crn_mjcf_joint *one = &mjcf->joint[joint[0]];
    *is_done = true;
    if (joint[1] < 0) {
        if (is_active) {
            one->axis.lower = one->axis.upper = one->ref + c[0];
        }
        return CRN_OK;
    }
    if (c[2] != 0.0 || c[3] != 0.0 || c[4] != 0.0 || follows_already(mjcf, joint[0])) {
        crn_mjcf_warn(
            mjcf, element->node, "polycoef",
            " polycoef: only linear ones, and one for each joint1, are supported; the constraint is left out");
        return CRN_OK;
    }
    *is_done = false;
    crn_mjcf_joint *two = &mjcf->joint[joint[1]];
    two->is_leader = true;
    loop->a = joint[0];
    loop->b = joint[1];
    loop->ratio = c[1];
    loop->shift = one->ref + c[0] - c[1] * two->ref;
    return CRN_OK;
}

/* --- Tendons --- */

/* A tendon over joints stays as long as it is at the start, or longer by the first coefficient. */
static crn_status read_tendon(crn_mjcf *mjcf, crn_xml_node *node)
{
    crn_mjcf_element element;
    double c[5] = {0, 1, 0, 0, 0};
    bool is_active = true;
    crn_status status = crn_mjcf_element_of(mjcf, node, 0, shared_defaults, &element);
    status = status == CRN_OK ? crn_mjcf_flag(mjcf, &element, "active", &is_active) : status;
    status = status == CRN_OK ? crn_mjcf_numbers(mjcf, &element, "polycoef", 1, 5, c, NULL) : status;
    const char *name = crn_xml_get(node, "tendon1");
    int tendon = name != NULL ? crn_mjcf_find_tendon(mjcf, name) : -1;
    if (status == CRN_OK && tendon < 0) {
        return name == NULL ? crn_mjcf_fail(mjcf, node, CRN_ERR_FORMAT, " tendon1: missing")
                            : crn_mjcf_fail(mjcf, node, CRN_ERR_FORMAT, " tendon1: there is no '%.40s'", name);
    }
    if (status != CRN_OK || !is_active || mjcf->set.no_equality) {
        return status;
    }
    crn_tendon_def *def = &mjcf->tendon[tendon].def;
    if (crn_xml_get(node, "tendon2") != NULL || def->part[0].kind != CRN_TENDON_JOINT) {
        crn_mjcf_warn(mjcf, node, "tendon1", "of two tendons, or of a path: not supported, the constraint is left out");
        return CRN_OK;
    }
    def->lower = c[0];
    for (int i = 0; i < def->parts; ++i) {
        def->lower += def->part[i].factor * mjcf->joint[def->part[i].joint].ref;
    }
    def->upper = def->lower;
    return CRN_OK;
}

/* --- All of them --- */

static crn_status read_details(crn_mjcf *mjcf, const crn_mjcf_element *element, crn_mjcf_loop *loop, bool is_active,
                               bool *is_done)
{
    if (loop->kind == CRN_MJCF_COUPLE) {
        return read_couple(mjcf, element, loop, is_active, is_done);
    }
    int body[2] = {0, 0};
    crn_status status = find_bodies(mjcf, element->node, body, is_done);
    if (status != CRN_OK || *is_done) {
        return status;
    }
    loop->a = body[0];
    loop->b = body[1];
    return loop->kind == CRN_MJCF_CONNECT ? read_connect(mjcf, element, loop) : read_weld(mjcf, element, loop);
}

static crn_status read_equality(crn_mjcf *mjcf, crn_xml_node *node, crn_mjcf_loop_kind kind)
{
    crn_mjcf_element element;
    crn_mjcf_loop loop = {.node = node, .kind = kind, .name = crn_mjcf_name(mjcf, node, "")};
    bool is_active = true, is_done = false;
    crn_status status = crn_mjcf_element_of(mjcf, node, 0, shared_defaults, &element);
    status = status == CRN_OK ? crn_mjcf_flag(mjcf, &element, "active", &is_active) : status;
    is_active = is_active && !mjcf->set.no_equality;
    status = status == CRN_OK ? read_details(mjcf, &element, &loop, is_active, &is_done) : status;
    if (status != CRN_OK || is_done || !is_active) {
        return status;
    }
    status = crn_mjcf_room(mjcf, node, (void **)&mjcf->loop, &mjcf->loop_places, mjcf->loops, sizeof loop,
                           CRN_MJCF_LOOPS_MOST);
    if (status == CRN_OK) {
        mjcf->loop[mjcf->loops++] = loop;
    }
    return status;
}

crn_status crn_mjcf_read_equalities(crn_mjcf *mjcf)
{
    static const char *const name[] = {"connect", "weld", "joint"};
    crn_status status = CRN_OK;
    crn_xml_node *root = crn_xml_root(mjcf->file[0]);
    for (crn_xml_node *section = NULL; (section = crn_xml_child(root, "equality", section)) != NULL;) {
        for (crn_xml_node *node = section->child; node != NULL && status == CRN_OK; node = node->next) {
            for (int k = 0; k < 3; ++k) {
                if (strcmp(node->name, name[k]) == 0) {
                    status = read_equality(mjcf, node, (crn_mjcf_loop_kind)k);
                }
            }
            if (status == CRN_OK && strcmp(node->name, "tendon") == 0) {
                status = read_tendon(mjcf, node);
            }
        }
    }
    return status;
}
