/* Bodies nested in bodies, into a list in the order of the file, parents first. The geoms and joints of a body are next to
 * each other in their lists: a body's own elements are read before the bodies in it.
 *
 * <frame> moves what is in it; <replicate count offset euler> puts copies of it at T^0, T^1, ..., T = (offset, euler), with a
 * number behind their names. With coordinate="global" all poses are in the world at the start; x in body b is then
 * place(b)^-1 x. */
#include "robots/mjcf.h"

#include "math/rigid.h"

#include <stdio.h>
#include <string.h>

/* Where an element stands. */
typedef struct scope {
    int body;
    int class_index;    /* childclass */
    crn_pose frame;     /* in the body, of the frames around the element */
    const char *suffix; /* of names, "" */
} scope;

typedef enum pass { OWN_ELEMENTS, BODIES } pass;

static crn_status read_children(crn_mjcf *mjcf, crn_xml_node *node, const scope *at, pass which);

static crn_status read_child_class(const crn_mjcf *mjcf, crn_xml_node *node, int *class_index)
{
    const char *name = crn_xml_get(node, "childclass");
    if (name == NULL) {
        return CRN_OK;
    }
    *class_index = crn_mjcf_class_find(mjcf, name);
    return *class_index >= 0 ? CRN_OK
                             : crn_mjcf_fail(mjcf, node, CRN_ERR_FORMAT, " childclass: there is no such class");
}

/* --- Bodies --- */

static crn_status add_body(crn_mjcf *mjcf, crn_xml_node *node, const scope *at, const crn_pose *pose)
{
    crn_status status = crn_mjcf_room(mjcf, node, (void **)&mjcf->body, &mjcf->body_places, mjcf->bodies,
                                      sizeof(crn_mjcf_body), CRN_MJCF_BODIES_MOST);
    if (status != CRN_OK) {
        return status;
    }
    crn_mjcf_body *body = &mjcf->body[mjcf->bodies];
    *body = (crn_mjcf_body){.node = node,
                            .name = crn_mjcf_name(mjcf, node, at->suffix),
                            .parent = at->body,
                            .pose = *pose,
                            .first_joint = mjcf->joints,
                            .first_geom = mjcf->geoms,
                            .has_inertial = crn_xml_child(node, "inertial", NULL) != NULL,
                            .index = -1,
                            .above = -1};
    body->place = crn_pose_product(&mjcf->body[at->body].place, pose);
    body->place.rotation = crn_quat_unit(body->place.rotation);
    mjcf->bodies++;
    return CRN_OK;
}

/* What its joints say: does it move, and with whom? */
static crn_status settle_body(crn_mjcf *mjcf, int index)
{
    crn_mjcf_body *body = &mjcf->body[index];
    const crn_mjcf_body *parent = &mjcf->body[body->parent];
    body->joints = mjcf->joints - body->first_joint;
    body->geoms = mjcf->geoms - body->first_geom;
    body->is_static = body->joints == 0 && parent->is_static;
    body->weld = body->joints == 0 ? parent->weld : index;
    for (int i = body->first_joint; i < mjcf->joints; ++i) {
        if (mjcf->joint[i].kind != CRN_MJCF_FREE) {
            continue;
        }
        if (body->joints > 1) {
            return crn_mjcf_fail(mjcf, mjcf->joint[i].node, CRN_ERR_FORMAT,
                                 "a free joint must be the only one of its body");
        }
        if (body->parent != 0) {
            return crn_mjcf_fail(mjcf, mjcf->joint[i].node, CRN_ERR_FORMAT,
                                 "a free joint is for bodies of the world, not for bodies in bodies");
        }
        body->is_floating = true;
    }
    if (crn_xml_get(body->node, "mocap") != NULL && strcmp(crn_xml_get(body->node, "mocap"), "true") == 0) {
        crn_mjcf_warn(mjcf, body->node, "mocap", " mocap: not supported, the body stays where it is");
    }
    return CRN_OK;
}

static crn_status read_body(crn_mjcf *mjcf, crn_xml_node *node, const scope *at)
{
    crn_mjcf_element element = {.node = node, .owner = {node}, .owners = 1};
    crn_pose read, pose;
    bool has_position = false;
    scope inside = {
        .body = mjcf->bodies, .class_index = at->class_index, .frame = crn_pose_identity(), .suffix = at->suffix};
    crn_status status = crn_mjcf_read_pose(mjcf, &element, &read, &has_position);
    if (status == CRN_OK && mjcf->set.is_global && !has_position) {
        status = crn_mjcf_fail(mjcf, node, CRN_ERR_UNSUPPORTED, " pos: missing, and needed with coordinate=\"global\"");
    }
    status = status == CRN_OK ? read_child_class(mjcf, node, &inside.class_index) : status;
    double compensated = 0.0; /* share of its weight */
    status = status == CRN_OK ? crn_mjcf_number(mjcf, &element, "gravcomp", &compensated) : status;
    if (status != CRN_OK) {
        return status;
    }
    pose = crn_mjcf_in_body(mjcf, at->body, &at->frame, &read);
    status = add_body(mjcf, node, at, &pose);
    if (status == CRN_OK) {
        mjcf->body[inside.body].gravity_scale = 1.0 - compensated;
    }
    status = status == CRN_OK ? read_children(mjcf, node, &inside, OWN_ELEMENTS) : status;
    status = status == CRN_OK ? settle_body(mjcf, inside.body) : status;
    return status == CRN_OK ? read_children(mjcf, node, &inside, BODIES) : status;
}

/* --- Frames and copies --- */

static crn_status read_frame(crn_mjcf *mjcf, crn_xml_node *node, const scope *at, pass which)
{
    crn_mjcf_element element = {.node = node, .owner = {node}, .owners = 1};
    scope inside = *at;
    crn_pose pose;
    crn_status status = crn_mjcf_read_pose(mjcf, &element, &pose, NULL);
    status = status == CRN_OK ? read_child_class(mjcf, node, &inside.class_index) : status;
    inside.frame = crn_pose_product(&at->frame, &pose);
    const crn_mjcf_settings outer = mjcf->set;
    status = status == CRN_OK ? crn_mjcf_enter_frame(mjcf, node) : status;
    status = status == CRN_OK ? read_children(mjcf, node, &inside, which) : status;
    mjcf->set = outer;
    return status;
}

/* suffix, sep and the number of the copy, with as many digits as the last has */
static const char *copy_suffix(const crn_mjcf *mjcf, crn_xml_node *node, const char *suffix, int copy, int count)
{
    const char *sep = crn_xml_get(node, "sep");
    sep = sep != NULL ? sep : "";
    int digits = snprintf(NULL, 0, "%d", count - 1);
    size_t size = strlen(suffix) + strlen(sep) + (size_t)digits + 1;
    char *text = crn_mjcf_keep(mjcf, node, size);
    if (text != NULL) {
        (void)snprintf(text, size, "%s%s%0*d", suffix, sep, digits, copy);
    }
    return text;
}

static crn_status read_replicate(crn_mjcf *mjcf, crn_xml_node *node, const scope *at, pass which)
{
    crn_mjcf_element element = {.node = node, .owner = {node}, .owners = 1};
    scope inside = *at;
    crn_pose step = crn_pose_identity();
    int count = 0;
    crn_status status = crn_mjcf_integer(mjcf, &element, "count", 0, CRN_MJCF_GEOMS_MOST, &count);
    status = status == CRN_OK ? crn_mjcf_vector(mjcf, &element, "offset", &step.position, NULL) : status;
    status = status == CRN_OK ? crn_mjcf_read_euler(mjcf, &element, &step.rotation) : status;
    status = status == CRN_OK ? read_child_class(mjcf, node, &inside.class_index) : status;
    if (status == CRN_OK && crn_xml_get(node, "count") == NULL) {
        status = crn_mjcf_fail(mjcf, node, CRN_ERR_FORMAT, " count: missing");
    }
    for (int i = 0; i < count && status == CRN_OK; ++i) {
        mjcf->visits++;
        inside.suffix = copy_suffix(mjcf, node, at->suffix, i, count);
        status = inside.suffix != NULL ? read_children(mjcf, node, &inside, which) : CRN_ERR_MEMORY;
        inside.frame = crn_pose_product(&inside.frame, &step);
        inside.frame.rotation = crn_quat_unit(inside.frame.rotation);
    }
    return status;
}

/* --- Children --- */

static crn_status read_own(crn_mjcf *mjcf, crn_xml_node *node, const scope *at)
{
    if (strcmp(node->name, "geom") == 0) {
        return crn_mjcf_read_geom(mjcf, node, at->class_index, at->body, &at->frame);
    }
    if (strcmp(node->name, "joint") == 0 || strcmp(node->name, "freejoint") == 0) {
        return crn_mjcf_read_joint(mjcf, node, at->class_index, at->body, &at->frame, at->suffix);
    }
    if (strcmp(node->name, "site") == 0) {
        return crn_mjcf_read_site(mjcf, node, at->class_index, at->body, &at->frame, at->suffix);
    }
    if (strcmp(node->name, "inertial") == 0) {
        return crn_mjcf_read_inertial(mjcf, node, at->body, &at->frame);
    }
    return CRN_OK;
}

static crn_status read_children(crn_mjcf *mjcf, crn_xml_node *node, const scope *at, pass which)
{
    crn_status status = CRN_OK;
    for (crn_xml_node *child = node->child; child != NULL && status == CRN_OK; child = child->next) {
        if (++mjcf->visits > CRN_MJCF_VISITS_MOST) {
            status = crn_mjcf_fail(mjcf, child, CRN_ERR_UNSUPPORTED, "more than %d elements after replication",
                                   CRN_MJCF_VISITS_MOST);
        } else if (strcmp(child->name, "frame") == 0) {
            status = read_frame(mjcf, child, at, which);
        } else if (strcmp(child->name, "replicate") == 0) {
            status = read_replicate(mjcf, child, at, which);
        } else if (strcmp(child->name, "body") == 0) {
            status = which == BODIES ? read_body(mjcf, child, at) : CRN_OK;
        } else if (which == OWN_ELEMENTS) {
            status = read_own(mjcf, child, at);
        }
    }
    return status;
}

/* The world is body 0; there may be several <worldbody>. */
crn_status crn_mjcf_read_bodies(crn_mjcf *mjcf)
{
    crn_xml_node *root = crn_xml_root(mjcf->file[0]);
    crn_status status =
        crn_mjcf_room(mjcf, root, (void **)&mjcf->body, &mjcf->body_places, 0, sizeof(crn_mjcf_body), 1);
    if (status != CRN_OK) {
        return status;
    }
    mjcf->body[mjcf->bodies++] = (crn_mjcf_body){.node = root,
                                                 .name = "world",
                                                 .parent = -1,
                                                 .pose = mjcf->options->pose,
                                                 .place = mjcf->options->pose,
                                                 .is_static = true,
                                                 .index = -1,
                                                 .above = -1};
    static const pass passes[] = {OWN_ELEMENTS, BODIES};
    for (int i = 0; i < 2; ++i) {
        for (crn_xml_node *node = NULL; status == CRN_OK && (node = crn_xml_child(root, "worldbody", node)) != NULL;) {
            scope at = {.frame = crn_pose_identity(), .suffix = ""};
            status = read_child_class(mjcf, node, &at.class_index);
            status = status == CRN_OK ? read_children(mjcf, node, &at, passes[i]) : status;
        }
        mjcf->body[0].geoms = i == 0 ? mjcf->geoms : mjcf->body[0].geoms;
    }
    return status;
}

/* --- By name --- */

int crn_mjcf_find_body(const crn_mjcf *mjcf, const char *name)
{
    for (int i = 0; i < mjcf->bodies; ++i) {
        if (mjcf->body[i].name != NULL && strcmp(mjcf->body[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

int crn_mjcf_find_joint(const crn_mjcf *mjcf, const char *name)
{
    for (int i = 0; i < mjcf->joints; ++i) {
        if (mjcf->joint[i].name != NULL && strcmp(mjcf->joint[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}
