/* Who hangs on whom.
 *
 * Every link but the root is the child of one joint. Walking from the root along the children meets every link once; links
 * that it does not meet have joints that lead round in a circle. Nothing here recurses: a file may be one long chain. */
#include "robots/urdf.h"

#include "math/rigid.h"

#include <stdlib.h>
#include <string.h>

/* --- Names --- */

typedef struct named {
    const char *name;
    int index;
} named;

static int compare(const void *a, const void *b)
{
    const named *first = a, *second = b;
    int order = strcmp(first->name, second->name);
    return order != 0 ? order : (first->index > second->index) - (first->index < second->index);
}

/* Place in the sorted list, or count if there is none. */
static int find_index(const named *list, int count, const char *name)
{
    int low = 0, high = count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (strcmp(list[middle].name, name) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < count && strcmp(list[low].name, name) == 0 ? list[low].index : -1;
}

static crn_status fail_twin(crn_urdf *urdf, const crn_xml_node *node, const crn_xml_node *other, const char *name)
{
    return CRN_URDF_FAIL(urdf, node, CRN_ERR_FORMAT, "'%.60s' is the name of the one in line %d too", name,
                         other->line);
}

static named *sort_links(crn_urdf *urdf)
{
    named *list = crn_urdf_take(urdf, urdf->links, sizeof *list);
    for (int i = 0; list != NULL && i < urdf->links; ++i) {
        list[i] = (named){urdf->link[i].name, i};
    }
    if (list != NULL) {
        qsort(list, (size_t)urdf->links, sizeof *list, compare);
    }
    return list;
}

static named *sort_joints(crn_urdf *urdf)
{
    named *list = crn_urdf_take(urdf, urdf->joints, sizeof *list);
    for (int i = 0; list != NULL && i < urdf->joints; ++i) {
        list[i] = (named){urdf->joint[i].name, i};
    }
    if (list != NULL && urdf->joints > 0) {
        qsort(list, (size_t)urdf->joints, sizeof *list, compare);
    }
    return list;
}

/* --- Parents and children --- */

static crn_status find_end(crn_urdf *urdf, const named *list, const crn_urdf_joint *joint, const char *element,
                           int *link)
{
    crn_xml_node *node = crn_xml_child(joint->node, element, NULL);
    if (node == NULL) {
        return CRN_URDF_FAIL(urdf, joint->node, CRN_ERR_FORMAT, "'%.60s' has no <%s>", joint->name, element);
    }
    const char *name = crn_xml_get(node, "link");
    if (name == NULL) {
        return CRN_URDF_FAIL(urdf, node, CRN_ERR_FORMAT, " link: is missing");
    }
    *link = find_index(list, urdf->links, name);
    return *link >= 0 ? CRN_OK : CRN_URDF_FAIL(urdf, node, CRN_ERR_FORMAT, " link: there is no link '%.60s'", name);
}

static crn_status join_links(crn_urdf *urdf, const named *list)
{
    for (int i = 0; i < urdf->links; ++i) {
        urdf->link[i].joint = urdf->link[i].child = urdf->link[i].sibling = -1;
    }
    for (int i = urdf->joints - 1; i >= 0; --i) { /* from the last, so that children stand in the file's order */
        crn_urdf_joint *joint = &urdf->joint[i];
        crn_status status = find_end(urdf, list, joint, "parent", &joint->parent);
        if (status == CRN_OK) {
            status = find_end(urdf, list, joint, "child", &joint->child);
        }
        if (status != CRN_OK) {
            return status;
        }
        crn_urdf_link *parent = &urdf->link[joint->parent], *child = &urdf->link[joint->child];
        if (child->joint >= 0) {
            const crn_urdf_joint *other = &urdf->joint[child->joint];
            return CRN_URDF_FAIL(urdf, other->node, CRN_ERR_FORMAT,
                                 "'%.40s': its child '%.40s' is the child of joint '%.40s' in line %d too", other->name,
                                 child->name, joint->name, joint->node->line);
        }
        child->joint = i;
        child->sibling = parent->child;
        parent->child = joint->child;
    }
    return CRN_OK;
}

/* --- The root and the order --- */

/* From a link that the root does not lead to, go up until it must be round: then the joint is in a loop. */
static crn_status fail_loop(crn_urdf *urdf, int link)
{
    for (int i = 0; i < urdf->links; ++i) {
        link = urdf->joint[urdf->link[link].joint].parent;
    }
    const crn_urdf_joint *joint = &urdf->joint[urdf->link[link].joint];
    return CRN_URDF_FAIL(urdf, joint->node, CRN_ERR_FORMAT, "'%.60s' is part of a loop: links must make a tree",
                         joint->name);
}

static crn_status find_root(crn_urdf *urdf)
{
    urdf->root = -1;
    for (int i = 0; i < urdf->links; ++i) {
        const crn_urdf_link *link = &urdf->link[i];
        if (link->joint < 0 && urdf->root >= 0) {
            const crn_urdf_link *root = &urdf->link[urdf->root];
            return CRN_URDF_FAIL(urdf, link->node, CRN_ERR_FORMAT,
                                 "'%.60s' is the child of no joint, and so is '%.60s' in line %d: a robot has one root",
                                 link->name, root->name, root->node->line);
        }
        urdf->root = link->joint < 0 ? i : urdf->root;
    }
    return urdf->root >= 0 ? CRN_OK : fail_loop(urdf, 0);
}

/* The next link of a walk that visits children before siblings; -1: that was the last. */
static int next_link(const crn_urdf *urdf, int at)
{
    if (urdf->link[at].child >= 0) {
        return urdf->link[at].child;
    }
    while (at != urdf->root && urdf->link[at].sibling < 0) {
        at = urdf->joint[urdf->link[at].joint].parent;
    }
    return at != urdf->root ? urdf->link[at].sibling : -1;
}

static crn_status find_order(crn_urdf *urdf)
{
    urdf->order = crn_urdf_take(urdf, urdf->links, sizeof *urdf->order);
    bool *is_met = crn_urdf_take(urdf, urdf->links, sizeof *is_met);
    if (urdf->order == NULL || is_met == NULL) {
        return CRN_ERR_MEMORY;
    }
    memset(is_met, 0, (size_t)urdf->links * sizeof *is_met);
    int count = 0;
    for (int at = urdf->root; at >= 0; at = next_link(urdf, at)) {
        urdf->order[count++] = at;
        is_met[at] = true;
    }
    for (int i = 0; i < urdf->links && count < urdf->links; ++i) {
        if (!is_met[i]) {
            return fail_loop(urdf, i);
        }
    }
    return CRN_OK;
}

/* --- Ends without mass --- */

/* A joint that moves no mass has no motion of its own: what hangs on it becomes part of the link above, at coordinate 0. */
static crn_status fix_ends(crn_urdf *urdf)
{
    bool *has_mass = crn_urdf_take(urdf, urdf->links, sizeof *has_mass);
    if (has_mass == NULL) {
        return CRN_ERR_MEMORY;
    }
    for (int i = 0; i < urdf->links; ++i) {
        has_mass[i] = urdf->link[i].mass > 0.0;
    }
    for (int k = urdf->links - 1; k > 0; --k) {
        const crn_urdf_link *link = &urdf->link[urdf->order[k]];
        crn_urdf_joint *joint = &urdf->joint[link->joint];
        bool is_carried =
            joint->kind != CRN_JOINT_FREE; /* floating: nothing of what hangs on it weighs on the parent */
        if (!has_mass[urdf->order[k]] && is_carried && joint->kind != CRN_JOINT_FIXED) {
            crn_robot_warn(&urdf->warnings, urdf->xml, joint->node, "joint", "end",
                           "'%.60s' moves nothing that has mass: it is taken as fixed", joint->name);
            joint->kind = CRN_JOINT_FIXED;
            joint->mimic = NULL;
        }
        has_mass[joint->parent] = has_mass[joint->parent] || (is_carried && has_mass[urdf->order[k]]);
    }
    return CRN_OK;
}

/* --- Links that make one body --- */

static void join_bodies(crn_urdf *urdf)
{
    for (int k = 0; k < urdf->links; ++k) {
        int i = urdf->order[k];
        crn_urdf_link *link = &urdf->link[i];
        link->owner = link->last_part = i;
        link->part = -1;
        link->in_body = crn_pose_identity();
        link->body = -1;
        const crn_urdf_joint *joint = link->joint >= 0 ? &urdf->joint[link->joint] : NULL;
        if (joint == NULL || joint->kind != CRN_JOINT_FIXED) {
            continue;
        }
        const crn_urdf_link *parent = &urdf->link[joint->parent];
        crn_urdf_link *owner = &urdf->link[parent->owner];
        link->owner = parent->owner;
        link->in_body = crn_pose_product(&parent->in_body, &joint->origin);
        urdf->link[owner->last_part].part = i;
        owner->last_part = i;
    }
}

/* --- Who follows whom --- */

static crn_status find_leader(crn_urdf *urdf, const named *list, crn_urdf_joint *joint)
{
    const char *name = crn_xml_get(joint->mimic, "joint");
    if (name == NULL) {
        return CRN_URDF_FAIL(urdf, joint->mimic, CRN_ERR_FORMAT, " joint: is missing");
    }
    joint->leader = find_index(list, urdf->joints, name);
    if (joint->leader < 0) {
        return CRN_URDF_FAIL(urdf, joint->mimic, CRN_ERR_FORMAT, " joint: there is no joint '%.60s'", name);
    }
    crn_joint_kind kind = urdf->joint[joint->leader].kind;
    if (kind == CRN_JOINT_FIXED) {
        crn_robot_warn(&urdf->warnings, urdf->xml, joint->mimic, "mimic", "leader",
                       " joint: '%.60s' is fixed: the joint is held at its offset", name);
        joint->axis.lower = joint->axis.upper = joint->shift;
        joint->leader = -1;
        return CRN_OK;
    }
    if (kind != CRN_JOINT_HINGE && kind != CRN_JOINT_SLIDER) {
        return CRN_URDF_FAIL(urdf, joint->mimic, CRN_ERR_FORMAT, " joint: '%.60s' has no coordinate to follow", name);
    }
    static const char *const none[] = {NULL};
    crn_urdf_warn_rest(urdf, joint->mimic, none);
    return CRN_OK;
}

/* A joint that follows a follower follows its leader: q = r (r' q' + s') + s. */
static crn_status flatten(crn_urdf *urdf, crn_urdf_joint *joint)
{
    for (int steps = 0; urdf->joint[joint->leader].leader >= 0; ++steps) {
        const crn_urdf_joint *between = &urdf->joint[joint->leader];
        if (steps > urdf->joints || between == joint) {
            return CRN_URDF_FAIL(urdf, joint->mimic, CRN_ERR_FORMAT, "joints follow one another in a circle");
        }
        joint->shift += joint->ratio * between->shift;
        joint->ratio *= between->ratio;
        joint->leader = between->leader;
    }
    if (!isfinite(joint->ratio) || !isfinite(joint->shift)) {
        return CRN_URDF_FAIL(urdf, joint->mimic, CRN_ERR_FORMAT, "the multipliers of joints that follow are too large");
    }
    return CRN_OK;
}

static crn_status find_leaders(crn_urdf *urdf, const named *list)
{
    crn_status status = CRN_OK;
    for (int i = 0; i < urdf->joints && status == CRN_OK; ++i) {
        status = urdf->joint[i].mimic != NULL ? find_leader(urdf, list, &urdf->joint[i]) : CRN_OK;
    }
    for (int i = 0; i < urdf->joints && status == CRN_OK; ++i) {
        crn_urdf_joint *joint = &urdf->joint[i];
        if (joint->leader == i) {
            status = CRN_URDF_FAIL(urdf, joint->mimic, CRN_ERR_FORMAT, "the joint follows itself");
        } else if (joint->leader >= 0) {
            status = flatten(urdf, joint);
        }
    }
    return status;
}

/* --- All of it --- */

static crn_status check_twins(crn_urdf *urdf, const named *links, const named *joints)
{
    for (int i = 1; i < urdf->links; ++i) {
        if (strcmp(links[i - 1].name, links[i].name) == 0) {
            return fail_twin(urdf, urdf->link[links[i].index].node, urdf->link[links[i - 1].index].node, links[i].name);
        }
    }
    for (int i = 1; i < urdf->joints; ++i) {
        if (strcmp(joints[i - 1].name, joints[i].name) == 0) {
            return fail_twin(urdf, urdf->joint[joints[i].index].node, urdf->joint[joints[i - 1].index].node,
                             joints[i].name);
        }
    }
    return CRN_OK;
}

crn_status crn_urdf_connect(crn_urdf *urdf)
{
    const named *links = sort_links(urdf), *joints = links != NULL ? sort_joints(urdf) : NULL;
    if (joints == NULL) {
        return CRN_ERR_MEMORY;
    }
    crn_status status = check_twins(urdf, links, joints);
    if (status == CRN_OK) {
        status = join_links(urdf, links);
    }
    if (status == CRN_OK) {
        status = find_root(urdf);
    }
    if (status == CRN_OK) {
        status = find_order(urdf);
    }
    if (status == CRN_OK) {
        status = fix_ends(urdf);
    }
    if (status == CRN_OK) {
        status = find_leaders(urdf, joints);
    }
    if (status == CRN_OK) {
        join_bodies(urdf);
    }
    return status;
}
