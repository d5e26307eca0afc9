/* One geom: a shape for contacts, and mass for its body. A geom with contype = conaffinity = 0 is a picture: it has no
 * shape, but its mass counts. A mesh that is only a picture of a body with an <inertial> is not opened. */
#include "robots/mjcf.h"

#include "math/rigid.h"

#include <string.h>

typedef enum geom_type { PLANE, FIELD, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, MESH, SDF } geom_type;

static const char *const types[] = {"plane",    "hfield", "sphere", "capsule", "ellipsoid",
                                    "cylinder", "box",    "mesh",   "sdf",     NULL};

/* What is read of a geom beside what is kept. */
typedef struct reading {
    const crn_mjcf_element *element;
    int type;
    crn_pose pose; /* as it is written */
    double size[3];
    double density, mass; /* mass < 0: by density */
    bool counts;          /* its mass is needed */
} reading;

/* --- Pose and size --- */

/* Both ends of the axis, instead of pose and length; z points from the second to the first, as in MuJoCo. */
static crn_status read_ends(const crn_mjcf *mjcf, reading *r, const double *ends)
{
    crn_vec3 from = crn_v3_of(ends), to = crn_v3_of(ends + 3), along = crn_v3_sub(from, to);
    double length = crn_v3_length(along);
    if (r->type != CAPSULE && r->type != CYLINDER && r->type != ELLIPSOID && r->type != BOX) {
        return crn_mjcf_fail(mjcf, r->element->node, CRN_ERR_FORMAT, " fromto: not for a %s", types[r->type]);
    }
    if (!(length > 0.0) || !isfinite(length)) {
        return crn_mjcf_fail(mjcf, r->element->node, CRN_ERR_FORMAT, " fromto: the two points must differ");
    }
    r->pose = (crn_pose){crn_v3_scale(0.5, crn_v3_add(from, to)), crn_mjcf_turn_z(along)};
    r->size[1] = 0.5 * length;
    if (r->type == ELLIPSOID || r->type == BOX) {
        r->size[2] = 0.5 * length;
        r->size[1] = r->size[0];
    }
    return CRN_OK;
}

static crn_status read_pose(const crn_mjcf *mjcf, reading *r)
{
    double ends[6] = {0};
    int given = 0;
    crn_status status = crn_mjcf_numbers(mjcf, r->element, "size", 1, 3, r->size, NULL);
    status = status == CRN_OK ? crn_mjcf_read_pose(mjcf, r->element, &r->pose, NULL) : status;
    status = status == CRN_OK ? crn_mjcf_numbers(mjcf, r->element, "fromto", 6, 6, ends, &given) : status;
    return status == CRN_OK && given > 0 ? read_ends(mjcf, r, ends) : status;
}

/* --- Contact --- */

static crn_status read_bits(const crn_mjcf *mjcf, const crn_mjcf_element *element, const char *name, uint32_t *bits)
{
    double value = 1.0;
    crn_status status = crn_mjcf_number(mjcf, element, name, &value);
    if (status == CRN_OK && !(value >= 0.0 && value <= (double)UINT32_MAX && value == floor(value))) {
        return crn_mjcf_fail(mjcf, element->node, CRN_ERR_FORMAT, " %s: must be 32 bits, but is %.9g", name, value);
    }
    *bits = status == CRN_OK ? (uint32_t)value : 0;
    return status;
}

static crn_status read_contact(const crn_mjcf *mjcf, const crn_mjcf_element *element, crn_mjcf_geom *geom)
{
    double friction[3] = {1.0, 0.005, 0.0001};
    crn_status status = read_bits(mjcf, element, "contype", &geom->contype);
    status = status == CRN_OK ? read_bits(mjcf, element, "conaffinity", &geom->conaffinity) : status;
    status = status == CRN_OK ? crn_mjcf_numbers(mjcf, element, "friction", 1, 3, friction, NULL) : status;
    status = status == CRN_OK ? crn_mjcf_integer(mjcf, element, "condim", 1, 6, &geom->condim) : status;
    status =
        status == CRN_OK ? crn_mjcf_integer(mjcf, element, "priority", -1000000, 1000000, &geom->priority) : status;
    if (status == CRN_OK && !(friction[0] >= 0.0)) {
        status =
            crn_mjcf_fail(mjcf, element->node, CRN_ERR_FORMAT, " friction: must be >= 0, but is %.9g", friction[0]);
    }
    if (status == CRN_OK && (geom->condim == 2 || geom->condim == 5)) {
        status = crn_mjcf_fail(mjcf, element->node, CRN_ERR_FORMAT, " condim: must be 1, 3, 4 or 6, but is %d",
                               geom->condim);
    }
    geom->shape.friction = friction[0];
    geom->is_paired = crn_mjcf_is_paired(mjcf, element->node);
    geom->is_shape = ((geom->contype | geom->conaffinity) != 0 || geom->is_paired) && !mjcf->set.no_contact;
    return status;
}

/* --- Mass --- */

static crn_status read_mass(const crn_mjcf *mjcf, reading *r, int body)
{
    int group = 0, given = 0;
    r->density = 1000.0;
    r->mass = -1.0;
    crn_status status = crn_mjcf_integer(mjcf, r->element, "group", -1000000, 1000000, &group);
    status = status == CRN_OK ? crn_mjcf_number(mjcf, r->element, "density", &r->density) : status;
    status = status == CRN_OK ? crn_mjcf_numbers(mjcf, r->element, "mass", 1, 1, &r->mass, &given) : status;
    if (status == CRN_OK && (r->density < 0.0 || (given > 0 && r->mass < 0.0))) {
        status = crn_mjcf_fail(mjcf, r->element->node, CRN_ERR_FORMAT, " %s: must be >= 0",
                               r->density < 0.0 ? "density" : "mass");
    }
    bool is_asked = mjcf->set.inertia == CRN_MJCF_INERTIA_GEOMS ||
                    (mjcf->set.inertia == CRN_MJCF_INERTIA_AUTO && !mjcf->body[body].has_inertial);
    bool has_any = given > 0 ? r->mass > 0.0 : r->density > 0.0;
    r->counts = is_asked && has_any && body != 0 && group >= mjcf->set.group[0] && group <= mjcf->set.group[1];
    return status;
}

/* Of density 1 into the geom's own, in the body. */
static void set_mass(const reading *r, crn_mass_properties unit, crn_mjcf_geom *geom)
{
    if (!r->counts || !(unit.mass > 0.0)) {
        return;
    }
    double factor = r->mass >= 0.0 ? r->mass / unit.mass : r->density;
    unit.mass *= factor;
    for (int k = 0; k < 9; ++k) {
        unit.inertia.m[k] *= factor;
    }
    geom->mass = crn_mjcf_place_mass(&unit, &geom->shape.pose);
}

/* --- Shapes --- */

static crn_shape_def shape_of(const reading *r)
{
    static const crn_shape_kind kind[] = {CRN_SHAPE_PLANE,   CRN_SHAPE_HEIGHT_FIELD, CRN_SHAPE_SPHERE,
                                          CRN_SHAPE_CAPSULE, CRN_SHAPE_ELLIPSOID,    CRN_SHAPE_CYLINDER,
                                          CRN_SHAPE_BOX,     CRN_SHAPE_HULL};
    crn_shape_def def = {.kind = kind[r->type]};
    if (r->type != PLANE) {
        def.size = crn_v3_of(r->size);
    }
    return def;
}

static crn_status make_primitive(crn_mjcf *mjcf, const reading *r, crn_mjcf_geom *geom)
{
    crn_shape *shape = NULL;
    crn_error reason = {.status = CRN_OK};
    geom->shape.shape = shape_of(r);
    if (crn_shape_create(&geom->shape.shape, &mjcf->allocator, &shape, &reason) != CRN_OK) {
        return crn_mjcf_blame(mjcf, geom->node, &reason);
    }
    set_mass(r, crn_shape_mass(shape), geom);
    crn_shape_destroy(shape);
    return CRN_OK;
}

static crn_status make_mesh(crn_mjcf *mjcf, const reading *r, crn_mjcf_geom *geom)
{
    const char *name = crn_mjcf_text(r->element, "mesh");
    if (name == NULL) {
        return crn_mjcf_fail(mjcf, geom->node, CRN_ERR_FORMAT, " mesh: missing");
    }
    for (int i = 0; i < mjcf->meshes && geom->mesh < 0; ++i) {
        geom->mesh = strcmp(mjcf->mesh[i].name, name) == 0 ? i : -1;
    }
    if (geom->mesh < 0) {
        return crn_mjcf_fail(mjcf, geom->node, CRN_ERR_FORMAT, " mesh: there is no '%.40s'", name);
    }
    crn_status status = geom->is_shape || r->counts ? crn_mjcf_need_mesh(mjcf, geom->mesh) : CRN_OK;
    const crn_mjcf_mesh *mesh = &mjcf->mesh[geom->mesh];
    if (status == CRN_OK && mesh->is_missing) {
        geom->is_shape = false;
    } else if (status == CRN_OK && mesh->is_read) {
        geom->shape.shape =
            (crn_shape_def){.kind = CRN_SHAPE_HULL, .points = mesh->data.points, .count = mesh->data.count};
        set_mass(r, mesh->mass, geom);
    }
    return status;
}

static crn_status make_shape(crn_mjcf *mjcf, const reading *r, crn_mjcf_geom *geom)
{
    if (r->type == MESH) {
        return make_mesh(mjcf, r, geom);
    }
    if (r->type == FIELD) { /* has no mass */
        return crn_mjcf_read_field(mjcf, r->element, &geom->shape.shape, &geom->is_shape);
    }
    const char *mesh = crn_mjcf_text(r->element, "mesh") != NULL ? "mesh" : NULL, *key = r->type == SDF ? "sdf" : mesh;
    if (key != NULL) { /* a distance function, or a primitive to be fitted to a mesh */
        crn_mjcf_warn(mjcf, geom->node, key, " type: %s%s is not supported, the geom is left out", types[r->type],
                      strcmp(key, "mesh") == 0 ? " fitted to a mesh" : "");
        geom->is_shape = false;
        return CRN_OK;
    }
    return geom->is_shape || r->counts ? make_primitive(mjcf, r, geom) : CRN_OK;
}

crn_status crn_mjcf_read_geom(crn_mjcf *mjcf, crn_xml_node *node, int class_index, int body, const crn_pose *frame)
{
    crn_mjcf_element element;
    reading r = {.element = &element, .type = SPHERE};
    crn_mjcf_geom geom = {.node = node, .body = body, .mesh = -1, .condim = 3, .shape = crn_body_shape_default()};
    crn_status status = crn_mjcf_element_of(mjcf, node, class_index, NULL, &element);
    status = status == CRN_OK ? crn_mjcf_word(mjcf, &element, "type", types, &r.type) : status;
    status = status == CRN_OK ? read_pose(mjcf, &r) : status;
    status = status == CRN_OK ? read_contact(mjcf, &element, &geom) : status;
    status = status == CRN_OK ? read_mass(mjcf, &r, body) : status;
    if (status != CRN_OK) {
        return status;
    }
    if (geom.is_shape && geom.condim > 3) {
        crn_mjcf_warn(mjcf, node, "condim", " condim: %d: torsional and rolling friction are not supported, taken as 3",
                      geom.condim);
    }
    geom.shape.pose = crn_mjcf_in_body(mjcf, body, frame, &r.pose);
    status = make_shape(mjcf, &r, &geom);
    status = status == CRN_OK ? crn_mjcf_room(mjcf, node, (void **)&mjcf->geom, &mjcf->geom_places, mjcf->geoms,
                                              sizeof geom, CRN_MJCF_GEOMS_MOST)
                              : status;
    if (status == CRN_OK) {
        mjcf->geom[mjcf->geoms++] = geom;
    }
    return status;
}
