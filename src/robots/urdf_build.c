/* Bodies and joints of a robot into the model, all coordinates at 0 or, where their limits do not allow that, at the limit
 * nearest to it. */
#include "robots/urdf.h"

#include "math/rigid.h"
#include "model/model_room.h"

#include <stdio.h>
#include <string.h>

/* --- Failures of the model, at the line of a link or joint --- */

static crn_status blame(crn_urdf *urdf, const crn_xml_node *node, const char *name, const crn_error *reason)
{
    if (reason->status == CRN_ERR_MEMORY) {
        return crn_fail(urdf->error, reason->status, "%s: %s", crn_xml_name(urdf->xml), reason->text);
    }
    /* "bodies[3].mass: must be" without its beginning */
    const char *text = reason->text + strcspn(reason->text, "]");
    text += text[0] == ']' ? 1 : 0;
    text += strspn(text, ".: ");
    return CRN_URDF_FAIL(urdf, node, CRN_ERR_FORMAT, "'%.60s': %s", name, text);
}

/* The name with the robot's prefix; NULL after a message. */
static const char *full_name(crn_urdf *urdf, const char *name)
{
    const char *prefix = urdf->options->prefix != NULL ? urdf->options->prefix : "";
    size_t size = strlen(prefix) + strlen(name) + 1;
    char *full = crn_urdf_take(urdf, 1, size);
    if (full != NULL) {
        (void)snprintf(full, size, "%s%s", prefix, name);
    }
    return full;
}

/* --- Where everything starts --- */

static double nearest_to_zero(const crn_joint_axis *axis)
{
    bool has_limits = axis->lower <= axis->upper;
    return !has_limits ? 0.0 : axis->lower > 0.0 ? axis->lower : axis->upper < 0.0 ? axis->upper : 0.0;
}

static void set_starts(crn_urdf *urdf)
{
    for (int i = 0; i < urdf->joints; ++i) {
        urdf->joint[i].start = nearest_to_zero(&urdf->joint[i].axis);
    }
    for (int i = 0; i < urdf->joints; ++i) {
        crn_urdf_joint *joint = &urdf->joint[i];
        if (joint->leader >= 0) {
            joint->start = joint->ratio * urdf->joint[joint->leader].start + joint->shift;
        }
    }
}

/* The child's frame in the joint's. */
static crn_pose motion(const crn_urdf_joint *joint)
{
    crn_pose pose = crn_pose_identity();
    if (joint->kind == CRN_JOINT_HINGE) {
        pose.rotation = crn_quat_exp(crn_v3_scale(joint->start, joint->direction));
    } else if (joint->kind == CRN_JOINT_SLIDER) {
        pose.position = crn_v3_scale(joint->start, joint->direction);
    }
    return pose;
}

static void place_links(crn_urdf *urdf)
{
    for (int k = 0; k < urdf->links; ++k) {
        crn_urdf_link *link = &urdf->link[urdf->order[k]];
        if (link->joint < 0) {
            link->pose = urdf->options->pose;
            link->pose.rotation = crn_quat_unit(link->pose.rotation);
        } else if (urdf->joint[link->joint].kind != CRN_JOINT_FIXED) {
            const crn_urdf_joint *joint = &urdf->joint[link->joint];
            const crn_urdf_link *parent = &urdf->link[joint->parent];
            crn_pose at = crn_pose_product(&urdf->link[parent->owner].pose, &parent->in_body), moved = motion(joint);
            at = crn_pose_product(&at, &joint->origin);
            link->pose = crn_pose_product(&at, &moved);
            link->pose.rotation = crn_quat_unit(link->pose.rotation);
        }
    }
}

/* --- Who touches whom --- */

/* A bit of the groups that no shape of the model has for itself, from the highest; 0: there is none. */
static uint32_t free_bit(const crn_model *model)
{
    uint32_t used = 0;
    for (int i = 0; i < crn_model_bodies(model); ++i) {
        const crn_body_def *body = crn_model_body(model, i);
        for (int k = 0; k < body->shapes; ++k) {
            used |= body->shape[k].group != UINT32_MAX ? body->shape[k].group : 0;
        }
    }
    for (uint32_t bit = (uint32_t)1 << 31; bit != 0; bit >>= 1) {
        if ((used & bit) == 0) {
            return bit;
        }
    }
    return 0;
}

static void choose_group(crn_urdf *urdf)
{
    urdf->group = urdf->mask = UINT32_MAX;
    uint32_t bit = urdf->options->self_collision ? 0 : free_bit(urdf->model);
    if (bit != 0) {
        urdf->group = bit;
        urdf->mask = ~bit;
    }
}

/* Without a bit, every pair of links is kept apart by a joint that holds nothing. */
static crn_status exclude_pairs(crn_urdf *urdf, int first)
{
    int end = crn_model_bodies(urdf->model);
    crn_status status = CRN_OK;
    for (int a = first; a < end && status == CRN_OK; ++a) {
        for (int b = a + 1; b < end && status == CRN_OK; ++b) {
            crn_joint_def def = crn_joint_def_default();
            def.kind = CRN_JOINT_FREE;
            def.a = a;
            def.b = b;
            bool touches = crn_model_body(urdf->model, a)->shapes > 0 && crn_model_body(urdf->model, b)->shapes > 0;
            status = touches ? crn_model_add_joint(urdf->model, &def, NULL, urdf->error) : CRN_OK;
        }
    }
    return status;
}

/* --- Bodies --- */

/* A link without mass moves because what hangs on it does; it must not be the one that needs the mass. */
static crn_status check_massless(crn_urdf *urdf, const crn_urdf_link *link, int shapes)
{
    const crn_urdf_joint *joint = &urdf->joint[link->joint];
    if (joint->kind == CRN_JOINT_FREE) {
        return CRN_URDF_FAIL(urdf, link->node, CRN_ERR_FORMAT, "'%.60s' floats, but has no mass", link->name);
    }
    if (shapes > 0) {
        return CRN_URDF_FAIL(urdf, link->node, CRN_ERR_FORMAT,
                             "'%.40s' moves by joint '%.40s' and has shapes, but no mass", link->name, joint->name);
    }
    return CRN_OK;
}

/* Links of this name are the world, and no body may be called so: take that of the first part that has another. */
static const char *body_name(const crn_urdf *urdf, int owner)
{
    int i = owner;
    while (i >= 0 && strcmp(urdf->link[i].name, CRN_URDF_WORLD) == 0) {
        i = urdf->link[i].part;
    }
    return i >= 0 ? urdf->link[i].name : NULL;
}

static crn_status put_body(crn_urdf *urdf, crn_urdf_link *link, crn_body_def *def, const char *own)
{
    def->name = own != NULL ? full_name(urdf, own) : NULL;
    if (own != NULL && def->name == NULL) {
        return CRN_ERR_MEMORY;
    }
    if (crn_model_find_body(urdf->model, def->name) >= 0) {
        return CRN_URDF_FAIL(urdf, link->node, CRN_ERR_FORMAT,
                             "a body called '%.60s' is in the model already: give the robot a prefix", def->name);
    }
    crn_error reason = {.status = CRN_OK};
    crn_status status = crn_model_add_body(urdf->model, def, &link->body, &reason);
    return status == CRN_OK ? CRN_OK : blame(urdf, link->node, link->name, &reason);
}

static crn_status add_body(crn_urdf *urdf, int owner)
{
    crn_urdf_link *link = &urdf->link[owner];
    bool is_welded = owner == urdf->root && urdf->is_welded;
    crn_urdf_shapes shapes, pictures = {.count = 0};
    crn_status status = crn_urdf_read_shapes(urdf, owner, &shapes);
    status = status == CRN_OK ? crn_urdf_read_pictures(urdf, owner, &pictures) : status;
    crn_body_def def = crn_body_def_default();
    def.pose = link->pose;
    def.shape = shapes.shape;
    def.shapes = shapes.count;
    def.picture = pictures.shape;
    def.pictures = pictures.count;
    crn_mass_properties mass = crn_urdf_add_masses(urdf, owner);
    if (is_welded) {
        def.kind = CRN_BODY_FIXED;
    } else if (mass.mass > 0.0) {
        def.mass = mass.mass;
        def.com = mass.com;
        def.inertia = mass.inertia;
    } else if (status == CRN_OK) {
        def.is_massless = true;
        status = check_massless(urdf, link, shapes.count);
    }
    if (status == CRN_OK && !(is_welded && shapes.count + pictures.count == 0)) {
        status = put_body(urdf, link, &def, body_name(urdf, owner));
    }
    crn_urdf_free_shapes(&shapes);
    crn_urdf_free_shapes(&pictures);
    return status;
}

/* The root floats if it can. */
static void choose_base(crn_urdf *urdf)
{
    const crn_urdf_link *root = &urdf->link[urdf->root];
    bool is_world = strcmp(root->name, CRN_URDF_WORLD) == 0;
    urdf->is_welded = is_world || urdf->options->is_fixed;
    if (!urdf->is_welded && !(crn_urdf_add_masses(urdf, urdf->root).mass > 0.0)) {
        urdf->is_welded = true;
        crn_robot_warn(&urdf->warnings, urdf->xml, root->node, "link", "base",
                       "'%.60s' is the root and has no mass: it is fixed to the world", root->name);
    }
}

/* --- Joints --- */

/* The rotation that turns z into a unit vector, on the shortest way; near -z, on the shortest after half a turn about x. */
static crn_quat turn_z_to(crn_vec3 a)
{
    if (a.z >= 0.0) {
        return crn_quat_unit((crn_quat){1.0 + a.z, -a.y, a.x, 0.0});
    }
    crn_quat half = {0.0, 1.0, 0.0, 0.0}, rest = crn_quat_unit((crn_quat){1.0 - a.z, a.y, a.x, 0.0});
    return crn_quat_product(half, rest);
}

static bool is_in_model(const crn_urdf_joint *joint)
{
    return joint->kind != CRN_JOINT_FIXED && joint->kind != CRN_JOINT_FREE;
}

static crn_joint_def make_joint(const crn_urdf *urdf, const crn_urdf_joint *joint)
{
    crn_joint_def def = crn_joint_def_default();
    const crn_urdf_link *parent = &urdf->link[joint->parent], *owner = &urdf->link[parent->owner];
    def.kind = joint->kind;
    def.in_tree = true;
    def.a = owner->body;
    def.b = urdf->link[joint->child].body;
    def.frame_a = crn_pose_product(&parent->in_body, &joint->origin);
    if (def.a < 0) {
        def.frame_a = crn_pose_product(&owner->pose, &def.frame_a);
    }
    crn_pose turn = {{0.0, 0.0, 0.0}, turn_z_to(joint->direction)};
    def.frame_a = crn_pose_product(&def.frame_a, &turn);
    def.frame_a.rotation = crn_quat_unit(def.frame_a.rotation);
    def.frame_b = turn;
    if (joint->kind != CRN_JOINT_PLANAR) {
        def.axis[0] = joint->axis;
    }
    if (joint->leader >= 0) {
        def.axis[0].follows = 1 + urdf->joint[joint->leader].index;
        def.axis[0].ratio = joint->ratio;
        def.axis[0].shift = joint->shift;
    }
    return def;
}

static crn_status add_joint(crn_urdf *urdf, const crn_urdf_joint *joint)
{
    crn_joint_def def = make_joint(urdf, joint);
    def.name = full_name(urdf, joint->name);
    if (def.name == NULL) {
        return CRN_ERR_MEMORY;
    }
    if (crn_model_find_joint(urdf->model, def.name) >= 0) {
        return CRN_URDF_FAIL(urdf, joint->node, CRN_ERR_FORMAT,
                             "a joint called '%.60s' is in the model already: give the robot a prefix", def.name);
    }
    crn_error reason = {.status = CRN_OK};
    crn_status status = crn_model_add_joint(urdf->model, &def, NULL, &reason);
    return status == CRN_OK ? CRN_OK : blame(urdf, joint->node, joint->name, &reason);
}

/* In the order of the links, so that the first joints of a tree come first. */
static crn_status add_joints(crn_urdf *urdf)
{
    int index = crn_model_joints(urdf->model);
    for (int k = 1; k < urdf->links; ++k) {
        crn_urdf_joint *joint = &urdf->joint[urdf->link[urdf->order[k]].joint];
        joint->index = is_in_model(joint) ? index++ : -1;
    }
    crn_status status = CRN_OK;
    for (int k = 1; k < urdf->links && status == CRN_OK; ++k) {
        const crn_urdf_joint *joint = &urdf->joint[urdf->link[urdf->order[k]].joint];
        status = is_in_model(joint) ? add_joint(urdf, joint) : CRN_OK;
    }
    return status;
}

/* --- Sites: the frames of links that are parts of bodies --- */

static crn_status add_site(crn_urdf *urdf, const crn_urdf_link *link)
{
    const crn_urdf_link *owner = &urdf->link[link->owner];
    crn_site_def def = crn_site_def_default();
    crn_error reason = {.status = CRN_OK};
    def.name = full_name(urdf, link->name);
    def.body = owner->body;
    def.pose = owner->body >= 0 ? link->in_body : crn_pose_product(&owner->pose, &link->in_body);
    def.pose.rotation = crn_quat_unit(def.pose.rotation);
    if (def.name == NULL) {
        return CRN_ERR_MEMORY;
    }
    crn_status status = crn_model_add_site(urdf->model, &def, NULL, &reason);
    return status == CRN_OK ? CRN_OK : blame(urdf, link->node, link->name, &reason);
}

static crn_status add_sites(crn_urdf *urdf)
{
    crn_status status = CRN_OK;
    for (int k = 0; k < urdf->links && status == CRN_OK; ++k) {
        int i = urdf->order[k];
        bool is_body = urdf->link[i].owner == i && urdf->link[i].body >= 0;
        status = is_body ? CRN_OK : add_site(urdf, &urdf->link[i]);
    }
    return status;
}

/* --- Does every joint move some mass? --- */

static crn_status blame_body(crn_urdf *urdf, const crn_error *reason)
{
    int body = -1;
    for (int i = 0; i < urdf->links && strncmp(reason->text, "bodies[", 7) == 0; ++i) {
        char place[24];
        (void)snprintf(place, sizeof place, "bodies[%d]", urdf->link[i].body);
        if (urdf->link[i].body >= 0 && strncmp(reason->text, place, strlen(place)) == 0) {
            body = i;
        }
    }
    const crn_urdf_link *link = &urdf->link[body >= 0 ? body : urdf->root];
    return blame(urdf, link->node, link->name, reason);
}

/* Two hinges of one axis with a massless link between them, say, cannot be told by looking at links one by one. */
static crn_status check_trees(crn_urdf *urdf)
{
    crn_status status = CRN_OK;
    for (int k = 0; k < urdf->links && status == CRN_OK; ++k) {
        int i = urdf->order[k];
        const crn_urdf_link *link = &urdf->link[i];
        const crn_urdf_joint *joint = link->joint >= 0 ? &urdf->joint[link->joint] : NULL;
        bool is_free = link->owner == i && !(i == urdf->root && urdf->is_welded);
        bool hangs = joint != NULL && joint->kind != CRN_JOINT_FREE &&
                     !(urdf->link[joint->parent].owner == urdf->root && urdf->is_welded);
        if (!is_free || hangs) {
            continue;
        }
        crn_tree *tree = NULL;
        crn_error reason = {.status = CRN_OK};
        status = crn_model_tree(urdf->model, link->body, &urdf->allocator, &tree, NULL, &reason);
        crn_tree_destroy(tree);
        status = status == CRN_OK ? CRN_OK : blame_body(urdf, &reason);
    }
    return status;
}

/* --- All of it --- */

crn_status crn_urdf_build(crn_urdf *urdf)
{
    int first = crn_model_bodies(urdf->model);
    choose_base(urdf);
    choose_group(urdf);
    set_starts(urdf);
    place_links(urdf);
    crn_status status = CRN_OK;
    for (int k = 0; k < urdf->links && status == CRN_OK; ++k) {
        int i = urdf->order[k];
        status = urdf->link[i].owner == i ? add_body(urdf, i) : CRN_OK;
    }
    if (status == CRN_OK) {
        status = add_joints(urdf);
    }
    if (status == CRN_OK) {
        status = add_sites(urdf);
    }
    if (status == CRN_OK) {
        status = check_trees(urdf);
    }
    if (status == CRN_OK && !urdf->options->self_collision && urdf->group == UINT32_MAX) {
        status = exclude_pairs(urdf, first);
    }
    return status;
}
