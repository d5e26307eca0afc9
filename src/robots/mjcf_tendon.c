/* <tendon>: strings over joints (<fixed>) and through sites, round spheres and cylinders (<spatial>).
 *
 * A spring's length without force is springlength, one number or two between which it is slack; without it that of the start. A path
 * that goes round inside of something (a sidesite in it) is left out, with a warning. */
#include "robots/mjcf.h"

#include "math/rigid.h"

#include <math.h>
#include <string.h>

static const char *const shared_defaults[] = {"tendon", NULL};

int crn_mjcf_find_tendon(const crn_mjcf *mjcf, const char *name)
{
    for (int i = 0; i < mjcf->tendons; ++i) {
        if (mjcf->tendon[i].name != NULL && strcmp(mjcf->tendon[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

/* --- Parts --- */

static crn_status no_such(const crn_mjcf *mjcf, const crn_xml_node *node, const char *field, const char *name)
{
    return name == NULL ? crn_mjcf_fail(mjcf, node, CRN_ERR_FORMAT, " %s: missing", field)
                        : crn_mjcf_fail(mjcf, node, CRN_ERR_FORMAT, " %s: there is no '%.40s'", field, name);
}

static crn_status read_number(const crn_mjcf *mjcf, crn_xml_node *node, const char *name, double *to)
{
    crn_mjcf_element alone = {.node = node, .owner = {node}, .owners = 1};
    return crn_mjcf_number(mjcf, &alone, name, to);
}

static crn_status read_joint(crn_mjcf *mjcf, crn_xml_node *node, crn_mjcf_tendon *tendon, crn_tendon_part *part)
{
    const char *name = crn_xml_get(node, "joint");
    part->joint = name != NULL ? crn_mjcf_find_joint(mjcf, name) : -1;
    if (part->joint < 0) {
        return no_such(mjcf, node, "joint", name);
    }
    const crn_mjcf_joint *joint = &mjcf->joint[part->joint];
    if (joint->kind != CRN_MJCF_HINGE && joint->kind != CRN_MJCF_SLIDE) {
        return crn_mjcf_fail(mjcf, node, CRN_ERR_FORMAT, " joint: '%.40s' is neither a hinge nor a slide", name);
    }
    if (crn_xml_get(node, "coef") == NULL) {
        return no_such(mjcf, node, "coef", NULL);
    }
    crn_status status = read_number(mjcf, node, "coef", &part->factor);
    tendon->turns += part->factor * joint->turns;
    return status;
}

/* Are there copies of such a site, made by <replicate>? They have numbers behind the name. */
static bool has_copies(const crn_mjcf *mjcf, const char *name)
{
    size_t length = strlen(name);
    bool is_any = false;
    for (int i = 0; i < mjcf->sites; ++i) {
        const char *other = mjcf->site[i].name;
        is_any = is_any || (other != NULL && strncmp(other, name, length) == 0 && other[length] != '\0' &&
                            strspn(other + length, "0123456789") == strlen(other + length));
    }
    return is_any;
}

static crn_status read_site(crn_mjcf *mjcf, crn_xml_node *node, crn_tendon_part *part, bool *is_known)
{
    const char *name = crn_xml_get(node, "site");
    part->kind = CRN_TENDON_SITE;
    part->site = name != NULL ? crn_mjcf_find_site(mjcf, name) : -1;
    if (part->site < 0 && name != NULL && has_copies(mjcf, name)) {
        *is_known = false;
        crn_mjcf_warn(mjcf, node, "copies", " site: is one of copies of <replicate>, the tendon is left out");
        return CRN_OK;
    }
    return part->site >= 0 ? CRN_OK : no_such(mjcf, node, "site", name);
}

/* Geoms have no names here but those of their elements. */
static int find_geom(const crn_mjcf *mjcf, const char *name)
{
    for (int i = 0; i < mjcf->geoms; ++i) {
        const char *own = crn_xml_get(mjcf->geom[i].node, "name");
        if (own != NULL && strcmp(own, name) == 0) {
            return i;
        }
    }
    return -1;
}

/* Is the site within the sphere or cylinder at the start? */
static bool is_within(const crn_mjcf *mjcf, const crn_tendon_part *part, int site)
{
    crn_pose round = crn_pose_product(&mjcf->body[part->body].place, &part->pose);
    crn_pose there = crn_pose_product(&mjcf->body[mjcf->site[site].body].place, &mjcf->site[site].pose);
    crn_vec3 p = crn_quat_turn(crn_quat_conjugate(round.rotation), crn_v3_sub(there.position, round.position));
    return crn_v3_length(p) < part->radius;
}

static crn_status read_geom(crn_mjcf *mjcf, crn_xml_node *node, crn_tendon_part *part, bool *is_known)
{
    const char *name = crn_xml_get(node, "geom"), *side = crn_xml_get(node, "sidesite");
    int geom = name != NULL ? find_geom(mjcf, name) : -1, site = side != NULL ? crn_mjcf_find_site(mjcf, side) : -1;
    if (geom < 0 || (side != NULL && site < 0)) {
        return geom < 0 ? no_such(mjcf, node, "geom", name) : no_such(mjcf, node, "sidesite", side);
    }
    const crn_body_shape *shape = &mjcf->geom[geom].shape;
    bool is_sphere = shape->shape.kind == CRN_SHAPE_SPHERE;
    if (!is_sphere && shape->shape.kind != CRN_SHAPE_CYLINDER) {
        return crn_mjcf_fail(mjcf, node, CRN_ERR_FORMAT, " geom: '%.40s' is neither a sphere nor a cylinder", name);
    }
    part->kind = is_sphere ? CRN_TENDON_SPHERE : CRN_TENDON_CYLINDER;
    part->body = mjcf->geom[geom].body;
    part->pose = shape->pose;
    part->radius = shape->shape.size.x;
    part->side = site + 1;
    *is_known = site < 0 || !is_within(mjcf, part, site);
    if (!*is_known) {
        crn_mjcf_warn(mjcf, node, "sidesite", " sidesite: is inside, which is not supported, the tendon is left out");
    }
    return CRN_OK;
}

static crn_status read_part(crn_mjcf *mjcf, crn_xml_node *node, crn_mjcf_tendon *tendon, crn_tendon_part *part,
                            bool *is_known)
{
    bool is_fixed = strcmp(tendon->node->name, "fixed") == 0;
    *part = crn_tendon_part_default();
    if (is_fixed && strcmp(node->name, "joint") == 0) {
        return read_joint(mjcf, node, tendon, part);
    }
    if (!is_fixed && strcmp(node->name, "site") == 0) {
        return read_site(mjcf, node, part, is_known);
    }
    if (!is_fixed && strcmp(node->name, "geom") == 0) {
        return read_geom(mjcf, node, part, is_known);
    }
    if (!is_fixed && strcmp(node->name, "pulley") == 0) {
        part->kind = CRN_TENDON_PULLEY;
        if (crn_xml_get(node, "divisor") == NULL) {
            return no_such(mjcf, node, "divisor", NULL);
        }
        return read_number(mjcf, node, "divisor", &part->factor);
    }
    return crn_mjcf_fail(mjcf, node, CRN_ERR_FORMAT, "is no part of a <%s>", tendon->node->name);
}

static crn_status read_parts(crn_mjcf *mjcf, crn_mjcf_tendon *tendon, bool *is_known)
{
    int count = 0;
    for (const crn_xml_node *node = tendon->node->child; node != NULL; node = node->next) {
        count++;
    }
    if (count == 0) {
        return crn_mjcf_fail(mjcf, tendon->node, CRN_ERR_FORMAT, "has no parts");
    }
    tendon->part = crn_mjcf_keep(mjcf, tendon->node, (size_t)count * sizeof *tendon->part);
    crn_status status = tendon->part != NULL ? CRN_OK : CRN_ERR_MEMORY;
    for (crn_xml_node *node = tendon->node->child; node != NULL && status == CRN_OK; node = node->next) {
        status = read_part(mjcf, node, tendon, &tendon->part[tendon->def.parts++], is_known);
    }
    tendon->def.part = tendon->part;
    return status;
}

/* --- What acts along it --- */

static crn_status read_forces(crn_mjcf *mjcf, const crn_mjcf_element *element, crn_mjcf_tendon *tendon)
{
    crn_tendon_def *def = &tendon->def;
    double range[2] = {INFINITY, -INFINITY}, rest[2] = {-1, -1};
    int given = 0;
    crn_status status = crn_mjcf_range(mjcf, element, "limited", "range", range);
    status = status == CRN_OK ? crn_mjcf_number(mjcf, element, "stiffness", &def->stiffness) : status;
    status = status == CRN_OK ? crn_mjcf_number(mjcf, element, "damping", &def->damping) : status;
    status = status == CRN_OK ? crn_mjcf_number(mjcf, element, "frictionloss", &def->friction) : status;
    status = status == CRN_OK ? crn_mjcf_numbers(mjcf, element, "springlength", 1, 2, rest, &given) : status;
    if (!mjcf->set.no_limit) {
        def->lower = range[0] - tendon->turns;
        def->upper = range[1] - tendon->turns;
    }
    if (rest[0] != -1.0) {
        def->rest_lower = rest[0] - tendon->turns;
        def->rest_upper = (given > 1 ? rest[1] : rest[0]) - tendon->turns;
    }
    def->stiffness = mjcf->set.no_spring ? 0.0 : def->stiffness;
    def->damping = mjcf->set.no_damper ? 0.0 : def->damping;
    def->friction = mjcf->set.no_friction_loss ? 0.0 : def->friction;
    tendon->is_sprung = def->stiffness > 0.0 || def->damping > 0.0;
    return status;
}

static crn_status add(crn_mjcf *mjcf, const crn_mjcf_tendon *tendon)
{
    crn_status status = crn_mjcf_room(mjcf, tendon->node, (void **)&mjcf->tendon, &mjcf->tendon_places, mjcf->tendons,
                                      sizeof *tendon, CRN_MJCF_JOINTS_MOST);
    if (status == CRN_OK) {
        mjcf->tendon[mjcf->tendons++] = *tendon;
    }
    return status;
}

static crn_status read_tendon(crn_mjcf *mjcf, crn_xml_node *node)
{
    crn_mjcf_element element;
    crn_mjcf_tendon tendon = {.node = node, .name = crn_mjcf_name(mjcf, node, ""), .index = -1};
    bool is_known = true;
    tendon.def = crn_tendon_def_default();
    if (tendon.name != NULL && crn_mjcf_find_tendon(mjcf, tendon.name) >= 0) {
        return crn_mjcf_fail(mjcf, node, CRN_ERR_FORMAT, " name: '%.40s' is there twice", tendon.name);
    }
    crn_status status = crn_mjcf_element_of(mjcf, node, 0, shared_defaults, &element);
    status = status == CRN_OK ? read_parts(mjcf, &tendon, &is_known) : status;
    status = status == CRN_OK ? read_forces(mjcf, &element, &tendon) : status;
    return status == CRN_OK && is_known ? add(mjcf, &tendon) : status;
}

/* The limit of a ball joint is that of a tendon whose length is the angle of its turn. It comes behind those of the file. */
static crn_status limit_balls(crn_mjcf *mjcf)
{
    crn_status status = CRN_OK;
    for (int i = 0; i < mjcf->joints && status == CRN_OK && !mjcf->set.no_limit; ++i) {
        const crn_mjcf_joint *joint = &mjcf->joint[i];
        if (joint->kind != CRN_MJCF_BALL || !(joint->turn_limit > 0.0)) {
            continue;
        }
        crn_mjcf_tendon tendon = {.node = joint->node, .def = crn_tendon_def_default(), .index = -1};
        tendon.part = crn_mjcf_keep(mjcf, joint->node, sizeof *tendon.part);
        if (tendon.part == NULL) {
            return CRN_ERR_MEMORY;
        }
        *tendon.part = crn_tendon_part_default();
        tendon.part->joint = i;
        tendon.def.part = tendon.part;
        tendon.def.parts = 1;
        tendon.def.lower = -1.0; /* an angle is not negative */
        tendon.def.upper = joint->turn_limit;
        status = add(mjcf, &tendon);
    }
    return status;
}

crn_status crn_mjcf_read_tendons(crn_mjcf *mjcf)
{
    crn_status status = CRN_OK;
    crn_xml_node *root = crn_xml_root(mjcf->file[0]);
    for (crn_xml_node *section = NULL; (section = crn_xml_child(root, "tendon", section)) != NULL;) {
        for (crn_xml_node *node = section->child; node != NULL && status == CRN_OK; node = node->next) {
            if (strcmp(node->name, "fixed") == 0 || strcmp(node->name, "spatial") == 0) {
                status = read_tendon(mjcf, node);
            }
        }
    }
    return status == CRN_OK ? limit_balls(mjcf) : status;
}

/* --- Into the model --- */

static void place_part(const crn_mjcf *mjcf, crn_tendon_part *part)
{
    if (part->kind == CRN_TENDON_JOINT) {
        const crn_mjcf_joint *joint = &mjcf->joint[part->joint];
        part->joint = joint->joint;
        part->coordinate = joint->coordinate;
    } else if (part->kind == CRN_TENDON_SITE) {
        part->site = mjcf->site[part->site].index;
    } else if (part->kind != CRN_TENDON_PULLEY) {
        crn_pose pose = part->pose;
        crn_mjcf_in_model(mjcf, part->body, &pose, &part->body, &part->pose);
        part->side = part->side > 0 ? mjcf->site[part->side - 1].index + 1 : 0;
    }
}

crn_status crn_mjcf_add_tendons(crn_mjcf *mjcf)
{
    crn_status status = CRN_OK;
    for (int i = 0; i < mjcf->tendons && status == CRN_OK; ++i) {
        crn_mjcf_tendon *tendon = &mjcf->tendon[i];
        crn_error reason = {.status = CRN_OK};
        for (int k = 0; k < tendon->def.parts; ++k) {
            place_part(mjcf, &tendon->part[k]);
        }
        status = crn_mjcf_prefixed(mjcf, tendon->node, tendon->name, &tendon->def.name);
        if (status == CRN_OK && crn_model_add_tendon(mjcf->model, &tendon->def, &tendon->index, &reason) != CRN_OK) {
            status = crn_mjcf_blame(mjcf, tendon->node, &reason);
        }
    }
    return status;
}
