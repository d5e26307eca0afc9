/* Which bodies of a model are links of trees.
 *
 * Each link has one joint in a tree, so a loop of such joints has a joint at each of its bodies: it is closed by the joint
 * whose bodies hang together already. Bodies that are not free have no joint above them and are in no loop. So
 * union-find over the joints finds every loop in the order in which joints come. */
#include "model/links.h"

#include "base/memory.h"
#include "math/forest.h"
#include "model/model_room.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* First number of places; doubled whenever it is full. */
enum { FIRST_PLACES = 16 };

/* --- Room --- */

bool crn_links_grow(crn_links *links, const crn_allocator *allocator)
{
    if (links->count < links->capacity) {
        return true;
    }
    if (links->capacity > INT_MAX / 2) {
        return false;
    }
    int capacity = links->capacity == 0 ? FIRST_PLACES : 2 * links->capacity;
    int *joint = crn_allocate(allocator, (size_t)capacity, sizeof(int));
    int *forest = crn_allocate(allocator, (size_t)capacity, sizeof(int));
    if (joint == NULL || forest == NULL) {
        crn_release(allocator, joint);
        crn_release(allocator, forest);
        return false;
    }
    if (links->count > 0) {
        memcpy(joint, links->joint, (size_t)links->count * sizeof(int));
        memcpy(forest, links->forest, (size_t)links->count * sizeof(int));
    }
    crn_links_free(links, allocator);
    links->joint = joint;
    links->forest = forest;
    links->capacity = capacity;
    return true;
}

void crn_links_free(crn_links *links, const crn_allocator *allocator)
{
    crn_release(allocator, links->joint);
    crn_release(allocator, links->forest);
}

void crn_links_add_body(crn_links *links)
{
    links->joint[links->count] = 0;
    links->forest[links->count] = links->count;
    links->count++;
}

/* --- Joints --- */

static bool is_free(const crn_body_def *body, int index)
{
    return index >= 0 && body[index].kind == CRN_BODY_FREE;
}

crn_status crn_links_check(crn_links *links, const crn_body_def *body, const crn_joint_def *def, const char *where,
                           crn_error *error)
{
    if (!is_free(body, def->b)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s.b: must be a free body, as the joint is in a tree", where);
    }
    if (links->joint[def->b] != 0) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s.b: body %d is a link by joints[%d] already", where, def->b,
                        links->joint[def->b] - 1);
    }
    if (!is_free(body, def->a)) {
        return CRN_OK;
    }
    if (def->kind == CRN_JOINT_FREE) {
        return crn_fail(error, CRN_ERR_ARGUMENT,
                        "%s.a: a free joint in a tree begins at the world or at a body that is not free", where);
    }
    if (crn_forest_root(links->forest, def->a) == crn_forest_root(links->forest, def->b)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s.in_tree: joints in a tree must not make a loop", where);
    }
    return CRN_OK;
}

void crn_links_add_joint(crn_links *links, const crn_joint_def *def, int index)
{
    links->joint[def->b] = 1 + index;
    if (def->a >= 0) {
        (void)crn_forest_join(links->forest, def->a, def->b);
    }
}

/* --- Who follows whom --- */

/* "joints[3].follows", or "joints[3].axes[1].follows" of a joint with several coordinates. */
static crn_status fail_follows(const crn_joint_def *def, int joint, int axis, const char *what, crn_error *error)
{
    char part[32] = "";
    if (crn_joint_def_axes(def) > 1) {
        (void)snprintf(part, sizeof part, ".axes[%d]", axis);
    }
    return crn_fail(error, CRN_ERR_ARGUMENT, "joints[%d]%s.follows: joint %d %s", joint, part,
                    def->axis[axis].follows - 1, what);
}

/* Why joint cannot follow leader; NULL if it can. */
static const char *why_not(const crn_joint_list *list, int joint, int leader)
{
    if (leader == joint) {
        return "is the joint itself";
    }
    if (leader >= list->count) {
        return "does not exist";
    }
    const crn_joint_def *def = &list->joint[leader];
    if (!def->in_tree) {
        return "is not in a tree";
    }
    return crn_joint_kind_coordinates(def->kind) == 0 ? "has no coordinate" : NULL;
}

crn_status crn_links_check_follows(const crn_joint_list *list, const crn_joint_def *def, int index, bool is_last,
                                   crn_error *error)
{
    for (int i = 0; i < crn_joint_def_axes(def); ++i) {
        int leader = def->axis[i].follows - 1;
        if (leader < 0 || (leader > index && !is_last)) {
            continue;
        }
        const char *what = why_not(list, index, leader);
        if (what != NULL) {
            return fail_follows(def, index, i, what, error);
        }
    }
    return CRN_OK;
}

/* --- The whole model --- */

crn_status crn_links_check_all(const crn_links *links, const crn_body_def *body, const crn_joint_list *list,
                               crn_error *error)
{
    for (int i = 0; i < links->count; ++i) {
        if (body[i].is_massless && links->joint[i] == 0) {
            return crn_fail(error, CRN_ERR_ARGUMENT, "bodies[%d].massless: is for links only: b of a joint in a tree",
                            i);
        }
    }
    crn_status status = CRN_OK;
    for (int i = 0; i < list->count && status == CRN_OK; ++i) {
        status = crn_links_check_follows(list, &list->joint[i], i, true, error);
    }
    return status;
}
