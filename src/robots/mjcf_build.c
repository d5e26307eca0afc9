/* The lists into the model.
 *
 *     world, bodies that do not move    bodies that are fixed
 *     body with a free joint            a body without a joint in a tree: it floats
 *     body without joints               a link, by a fixed joint
 *     body with joints                  a link, by a chain of joints with links without mass between them
 *     body without mass in a weld       a link without mass; its shapes go to a body of the weld that has mass
 *
 * Joints are counted before they are added, so that joints may follow later ones. */
#include "robots/mjcf.h"

#include "base/memory.h"
#include "math/rigid.h"

#include <stdio.h>
#include <string.h>

/* --- Names --- */

/* "first+second" of joints that are one; NULL if the first has no name. */
static crn_status joined_name(const crn_mjcf *mjcf, const crn_mjcf_joint *joint, int count, const char **name)
{
    size_t size = 0;
    *name = joint[0].name;
    for (int k = 0; k < count; ++k) {
        if (joint[k].name == NULL) {
            return CRN_OK;
        }
        size += strlen(joint[k].name) + 1;
    }
    char *text = count > 1 ? crn_mjcf_keep(mjcf, joint[0].node, size) : NULL;
    if (text == NULL) {
        return count > 1 ? CRN_ERR_MEMORY : CRN_OK;
    }
    *name = text;
    for (int k = 0; k < count; ++k) {
        size_t length = strlen(joint[k].name);
        memcpy(text, joint[k].name, length);
        text += length;
        *text++ = k + 1 < count ? '+' : '\0';
    }
    return CRN_OK;
}

/* --- Planning --- */

static bool is_massless(const crn_mjcf_body *body)
{
    return !body->is_static && body->mass.mass == 0.0;
}

/* How many joints the body will have; their places are written into the joints of the file. */
static int plan_body(crn_mjcf *mjcf, const crn_mjcf_body *body, int next)
{
    if (body->is_static || body->is_floating || body->joints == 0) {
        return body->is_static || (body->is_floating && !is_massless(body)) ? 0 : 1;
    }
    int parts = 0, last = body->first_joint + body->joints, coordinate[3];
    crn_joint_def def;
    for (int i = body->first_joint; i < last; ++parts) {
        int taken = crn_mjcf_chain_next(mjcf, i, last, &def, coordinate);
        for (int k = 0; k < taken; ++k) {
            mjcf->joint[i + k].joint = next + parts;
            mjcf->joint[i + k].coordinate = coordinate[k];
        }
        i += taken;
    }
    return parts;
}

static void plan(crn_mjcf *mjcf)
{
    int next = crn_model_joints(mjcf->model);
    for (int i = 1; i < mjcf->bodies; ++i) {
        next += plan_body(mjcf, &mjcf->body[i], next);
    }
    for (int i = 0; i < mjcf->loops; ++i) {
        const crn_mjcf_loop *loop = &mjcf->loop[i];
        if (loop->kind == CRN_MJCF_COUPLE) {
            crn_joint_axis *axis = &mjcf->joint[loop->a].axis;
            axis->follows = 1 + mjcf->joint[loop->b].joint;
            axis->ratio = loop->ratio;
            axis->shift = loop->shift;
        }
    }
}

/* --- Shapes --- */

/* Shapes of a body without mass go to one of its weld that has some. */
static void move_shapes(crn_mjcf *mjcf)
{
    for (int i = 0; i < mjcf->geoms; ++i) {
        crn_mjcf_geom *geom = &mjcf->geom[i];
        const crn_mjcf_body *from = &mjcf->body[geom->body];
        if (geom->is_shape && is_massless(from)) {
            int to = mjcf->body[from->weld].heavy - 1;
            crn_pose back = crn_mjcf_inverse(&mjcf->body[to].place);
            crn_pose between = crn_pose_product(&back, &from->place);
            geom->shape.pose = crn_pose_product(&between, &geom->shape.pose);
            geom->shape.pose.rotation = crn_quat_unit(geom->shape.pose.rotation);
            geom->body = to;
        }
        if (geom->is_shape) {
            crn_mjcf_body *body = &mjcf->body[geom->body];
            body->shapes++;
            body->group |= geom->shape.group;
            body->mask |= geom->shape.mask;
        }
    }
}

/* Where the shapes of each body begin in `shape`. */
static crn_status gather_shapes(crn_mjcf *mjcf, crn_body_shape **shape, int **first)
{
    int total = 0;
    *shape = crn_allocate(&mjcf->allocator, (size_t)mjcf->geoms, sizeof **shape);
    *first = crn_allocate(&mjcf->allocator, (size_t)mjcf->bodies, sizeof **first);
    if (*shape == NULL || *first == NULL) {
        return crn_mjcf_fail(mjcf, mjcf->body[0].node, CRN_ERR_MEMORY, "no memory");
    }
    for (int i = 0; i < mjcf->bodies; ++i) {
        (*first)[i] = total;
        total += mjcf->body[i].shapes;
        mjcf->body[i].shapes = 0;
    }
    for (int i = 0; i < mjcf->geoms; ++i) {
        const crn_mjcf_geom *geom = &mjcf->geom[i];
        crn_mjcf_body *body = &mjcf->body[geom->body];
        if (!geom->is_shape) {
            continue;
        }
        if (geom->shape.shape.kind == CRN_SHAPE_PLANE && !body->is_static) {
            return crn_mjcf_fail(mjcf, geom->node, CRN_ERR_FORMAT, "a plane is for bodies that do not move");
        }
        (*shape)[(*first)[geom->body] + body->shapes++] = geom->shape;
    }
    return CRN_OK;
}

/* --- Bodies and joints --- */

static crn_status add_body(crn_mjcf *mjcf, crn_mjcf_body *body, const crn_body_shape *shape)
{
    crn_body_def def = crn_body_def_default();
    crn_error reason = {.status = CRN_OK};
    crn_status status = crn_mjcf_prefixed(mjcf, body->node, body->name, &def.name);
    if (status != CRN_OK) {
        return status;
    }
    if (body->parent < 0 && crn_model_find_body(mjcf->model, def.name) >= 0) {
        def.name = NULL; /* another file's world */
    }
    def.pose = body->place;
    def.shape = shape;
    def.shapes = body->shapes;
    if (body->is_static) {
        def.kind = CRN_BODY_FIXED;
    } else if (is_massless(body)) {
        def.is_massless = true;
    } else {
        def.mass = body->mass.mass;
        def.com = body->mass.com;
        def.inertia = body->mass.inertia;
        def.gravity_scale = body->gravity_scale;
    }
    return crn_model_add_body(mjcf->model, &def, &body->index, &reason) == CRN_OK
               ? CRN_OK
               : crn_mjcf_blame(mjcf, body->node, &reason);
}

static crn_status add_link(crn_mjcf *mjcf, const crn_mjcf_body *body, int *index)
{
    crn_body_def def = crn_body_def_default();
    crn_error reason = {.status = CRN_OK};
    def.pose = body->place;
    def.is_massless = true;
    return crn_model_add_body(mjcf->model, &def, index, &reason) == CRN_OK ? CRN_OK
                                                                           : crn_mjcf_blame(mjcf, body->node, &reason);
}

static crn_status add_joint(crn_mjcf *mjcf, const crn_xml_node *node, crn_joint_def *def, const char *name)
{
    crn_error reason = {.status = CRN_OK};
    crn_status status = crn_mjcf_prefixed(mjcf, node, name, &def->name);
    if (status != CRN_OK) {
        return status;
    }
    return crn_model_add_joint(mjcf->model, def, NULL, &reason) == CRN_OK ? CRN_OK
                                                                          : crn_mjcf_blame(mjcf, node, &reason);
}

/* Let the joint begin at the parent: at the world if that does not move. */
static void begin_at_parent(const crn_mjcf *mjcf, const crn_mjcf_body *body, crn_joint_def *def)
{
    const crn_mjcf_body *parent = &mjcf->body[body->parent];
    const crn_pose *pose = parent->is_static ? &body->place : &body->pose;
    def->a = parent->is_static ? -1 : parent->index;
    def->frame_a = crn_pose_product(pose, &def->frame_a);
    def->frame_a.rotation = crn_quat_unit(def->frame_a.rotation);
}

static crn_status add_fixed(crn_mjcf *mjcf, crn_mjcf_body *body, const crn_body_shape *shape)
{
    crn_joint_def def = crn_joint_def_default();
    crn_status status = add_body(mjcf, body, shape);
    def.kind = body->is_floating ? CRN_JOINT_FREE : CRN_JOINT_FIXED;
    def.in_tree = true;
    begin_at_parent(mjcf, body, &def);
    def.b = body->index;
    body->above = def.a;
    return status == CRN_OK ? add_joint(mjcf, body->node, &def, NULL) : status;
}

/* Each joint but the last ends at a link without mass. */
static crn_status add_chain(crn_mjcf *mjcf, crn_mjcf_body *body, const crn_body_shape *shape)
{
    int last = body->first_joint + body->joints, coordinate[3], above = -1;
    crn_status status = CRN_OK;
    for (int i = body->first_joint; i < last && status == CRN_OK;) {
        crn_joint_def def;
        const char *name = NULL;
        const crn_mjcf_joint *joint = &mjcf->joint[i];
        int taken = crn_mjcf_chain_next(mjcf, i, last, &def, coordinate);
        bool is_first = i == body->first_joint, is_last = i + taken == last;
        status = joined_name(mjcf, joint, taken, &name);
        def.in_tree = true;
        def.a = above;
        if (is_first) {
            begin_at_parent(mjcf, body, &def);
        }
        def.bodies_collide = def.a < 0 || mjcf->set.no_parent_filter;
        if (is_last) {
            body->above = is_first && !mjcf->set.no_parent_filter ? def.a : -1;
            status = status == CRN_OK ? add_body(mjcf, body, shape) : status;
            above = body->index;
        } else {
            status = status == CRN_OK ? add_link(mjcf, body, &above) : status;
        }
        def.b = above;
        status = status == CRN_OK ? add_joint(mjcf, joint->node, &def, name) : status;
        i += taken;
    }
    return status;
}

static crn_status build_body(crn_mjcf *mjcf, int index, const crn_body_shape *shape)
{
    crn_mjcf_body *body = &mjcf->body[index];
    if (index == 0 && body->shapes == 0) {
        return CRN_OK;
    }
    if (body->is_static || (body->is_floating && !is_massless(body))) {
        return add_body(mjcf, body, shape);
    }
    return body->joints == 0 || body->is_floating ? add_fixed(mjcf, body, shape) : add_chain(mjcf, body, shape);
}

/* --- Loops --- */

static crn_status add_loop(crn_mjcf *mjcf, const crn_mjcf_loop *loop)
{
    crn_joint_def def = crn_joint_def_default();
    def.kind = loop->kind == CRN_MJCF_WELD ? CRN_JOINT_FIXED : CRN_JOINT_BALL;
    def.bodies_collide = true;
    crn_mjcf_in_model(mjcf, loop->a, &loop->frame_a, &def.a, &def.frame_a);
    crn_mjcf_in_model(mjcf, loop->b, &loop->frame_b, &def.b, &def.frame_b);
    const char *name = NULL;
    crn_status status = crn_mjcf_prefixed(mjcf, loop->node, loop->name, &name);
    bool is_taken = name != NULL && crn_model_find_joint(mjcf->model, name) >= 0; /* by a joint: names of their own */
    return status == CRN_OK ? add_joint(mjcf, loop->node, &def, is_taken ? NULL : loop->name) : status;
}

crn_status crn_mjcf_build(crn_mjcf *mjcf)
{
    crn_body_shape *shape = NULL;
    int *first = NULL;
    plan(mjcf);
    move_shapes(mjcf);
    crn_status status = gather_shapes(mjcf, &shape, &first);
    for (int i = 0; i < mjcf->bodies && status == CRN_OK; ++i) {
        status = build_body(mjcf, i, shape + first[i]);
    }
    for (int i = 0; i < mjcf->loops && status == CRN_OK; ++i) {
        status = mjcf->loop[i].kind != CRN_MJCF_COUPLE ? add_loop(mjcf, &mjcf->loop[i]) : CRN_OK;
    }
    crn_release(&mjcf->allocator, shape);
    crn_release(&mjcf->allocator, first);
    status = status == CRN_OK ? crn_mjcf_add_sites(mjcf) : status;
    status = status == CRN_OK ? crn_mjcf_add_tendons(mjcf) : status;
    status = status == CRN_OK ? crn_mjcf_add_actuators(mjcf) : status;
    status = status == CRN_OK ? crn_mjcf_add_keys(mjcf) : status;
    status = status == CRN_OK ? crn_mjcf_add_sensors(mjcf) : status;
    status = status == CRN_OK ? crn_mjcf_add_pairs(mjcf) : status;
    return status == CRN_OK ? crn_mjcf_add_excludes(mjcf) : status;
}
