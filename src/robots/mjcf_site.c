/* Sites: frames on bodies. Their shapes are the zones in which sensors of touch feel. */
#include "robots/mjcf.h"

#include "math/rigid.h"

#include <string.h>

static const char *const types[] = {"sphere", "capsule", "ellipsoid", "cylinder", "box", NULL};
static const crn_shape_kind kinds[] = {CRN_SHAPE_SPHERE, CRN_SHAPE_CAPSULE, CRN_SHAPE_ELLIPSOID, CRN_SHAPE_CYLINDER,
                                       CRN_SHAPE_BOX};

static crn_status read_zone(const crn_mjcf *mjcf, const crn_mjcf_element *element, crn_mjcf_site *site)
{
    double size[3] = {0.005, 0.005, 0.005}; /* MuJoCo's own */
    int type = 0, given = 0;
    crn_status status = crn_mjcf_word(mjcf, element, "type", types, &type);
    status = status == CRN_OK ? crn_mjcf_numbers(mjcf, element, "size", 1, 3, size, &given) : status;
    for (int k = 0; k < 3 && status == CRN_OK; ++k) {
        if (size[k] < 0.0 || (k < given && size[k] == 0.0 && k == 0)) {
            status = crn_mjcf_fail(mjcf, element->node, CRN_ERR_FORMAT, " size: must be positive");
        }
    }
    site->zone = kinds[type];
    site->zone_size = crn_v3_of(size);
    return status;
}

/* Both ends of its axis instead of a pose; z points from the second to the first, as in MuJoCo. */
static crn_status read_ends(const crn_mjcf *mjcf, const crn_mjcf_element *element, crn_pose *pose, crn_mjcf_site *site)
{
    double ends[6] = {0};
    int given = 0;
    crn_status status = crn_mjcf_numbers(mjcf, element, "fromto", 6, 6, ends, &given);
    if (status != CRN_OK || given == 0) {
        return status;
    }
    crn_vec3 from = crn_v3_of(ends), to = crn_v3_of(ends + 3), along = crn_v3_sub(from, to);
    if (!(crn_v3_length(along) > 0.0)) {
        return crn_mjcf_fail(mjcf, element->node, CRN_ERR_FORMAT, " fromto: the two points must differ");
    }
    *pose = (crn_pose){crn_v3_scale(0.5, crn_v3_add(from, to)), crn_mjcf_turn_z(along)};
    bool is_flat = site->zone == CRN_SHAPE_BOX || site->zone == CRN_SHAPE_ELLIPSOID;
    double half = 0.5 * crn_v3_length(along), width = site->zone_size.x;
    site->zone_size = is_flat ? crn_v3(width, width, half) : crn_v3(width, half, 0.0);
    return CRN_OK;
}

crn_status crn_mjcf_read_site(crn_mjcf *mjcf, crn_xml_node *node, int class_index, int body, const crn_pose *frame,
                              const char *suffix)
{
    crn_mjcf_element element;
    crn_pose read = crn_pose_identity();
    crn_mjcf_site site = {.node = node, .name = crn_mjcf_name(mjcf, node, suffix), .body = body, .index = -1};
    crn_status status = crn_mjcf_element_of(mjcf, node, class_index, NULL, &element);
    status = status == CRN_OK ? crn_mjcf_read_pose(mjcf, &element, &read, NULL) : status;
    status = status == CRN_OK ? read_zone(mjcf, &element, &site) : status;
    status = status == CRN_OK ? read_ends(mjcf, &element, &read, &site) : status;
    status = status == CRN_OK ? crn_mjcf_room(mjcf, node, (void **)&mjcf->site, &mjcf->site_places, mjcf->sites,
                                              sizeof site, CRN_MJCF_GEOMS_MOST)
                              : status;
    if (status == CRN_OK) {
        site.pose = crn_mjcf_in_body(mjcf, body, frame, &read);
        site.pose.rotation = crn_quat_unit(site.pose.rotation);
        mjcf->site[mjcf->sites++] = site;
    }
    return status;
}

crn_status crn_mjcf_add_sites(crn_mjcf *mjcf)
{
    crn_status status = CRN_OK;
    for (int i = 0; i < mjcf->sites && status == CRN_OK; ++i) {
        crn_mjcf_site *site = &mjcf->site[i];
        crn_site_def def = crn_site_def_default();
        crn_error reason = {.status = CRN_OK};
        status = crn_mjcf_prefixed(mjcf, site->node, site->name, &def.name);
        def.zone = site->zone;
        def.zone_size = site->zone_size;
        crn_mjcf_in_model(mjcf, site->body, &site->pose, &def.body, &def.pose);
        if (status == CRN_OK && crn_model_add_site(mjcf->model, &def, &site->index, &reason) != CRN_OK) {
            status = crn_mjcf_blame(mjcf, site->node, &reason);
        }
    }
    return status;
}

int crn_mjcf_find_site(const crn_mjcf *mjcf, const char *name)
{
    for (int i = 0; i < mjcf->sites; ++i) {
        if (mjcf->site[i].name != NULL && strcmp(mjcf->site[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}
