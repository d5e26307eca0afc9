/* The whole of an MJCF file, in the order in which its parts need each other. */
#include "robots/mjcf.h"

#include "base/memory.h"
#include "math/rigid.h"
#include "model/model_room.h"

#include <string.h>

typedef crn_status (*part)(crn_mjcf *mjcf);

static const part parts[] = {crn_mjcf_read_settings,  crn_mjcf_read_classes, crn_mjcf_read_meshes,
                             crn_mjcf_read_bodies,    crn_mjcf_set_masses,   crn_mjcf_read_excludes,
                             crn_mjcf_read_pairs,     crn_mjcf_read_tendons, crn_mjcf_read_equalities,
                             crn_mjcf_read_actuators, crn_mjcf_set_masks};

static crn_status read_all(crn_mjcf *mjcf)
{
    crn_xml_node *root = crn_xml_root(mjcf->file[0]);
    crn_status status = crn_mjcf_attach_all(mjcf, root, root, 1);
    for (size_t i = 0; i < sizeof parts / sizeof *parts && status == CRN_OK; ++i) {
        status = parts[i](mjcf);
    }
    if (status != CRN_OK) {
        return status;
    }
    crn_mjcf_set_friction(mjcf);
    status = crn_mjcf_build(mjcf);
    const char *name = crn_xml_get(root, "model");
    if (status == CRN_OK && mjcf->is_first && name != NULL && crn_model_name(mjcf->model)[0] == '\0') {
        crn_error reason = {.status = CRN_OK};
        if (crn_model_set_name(mjcf->model, name, &reason) != CRN_OK) {
            status = crn_mjcf_blame(mjcf, root, &reason);
        }
    }
    if (status == CRN_OK) {
        crn_mjcf_warn_rest(mjcf);
    }
    return status;
}

static crn_status check_options(const crn_robot_options *options, crn_error *error)
{
    const crn_pose *pose = &options->pose;
    const double v[7] = {pose->position.x, pose->position.y, pose->position.z, pose->rotation.w,
                         pose->rotation.x, pose->rotation.y, pose->rotation.z};
    double square = v[3] * v[3] + v[4] * v[4] + v[5] * v[5] + v[6] * v[6];
    for (int k = 0; k < 7; ++k) {
        if (!isfinite(v[k])) {
            return crn_fail(error, CRN_ERR_ARGUMENT, "options.pose: must be finite");
        }
    }
    return square > 0.0 && isfinite(square) ? CRN_OK
                                            : crn_fail(error, CRN_ERR_ARGUMENT, "options.pose: rotation must not be 0");
}

/* text NULL: the file at path */
static crn_status read_mjcf(const char *text, size_t length, const char *path, const crn_robot_options *options,
                            crn_model *model, crn_error *error)
{
    crn_robot_options chosen = options != NULL ? *options : crn_robot_options_default();
    crn_allocator hooks = crn_model_allocator(model);
    crn_status status = check_options(&chosen, error);
    if (status != CRN_OK) {
        return status;
    }
    if (crn_model_world(model)->is_planar) {
        return crn_fail(error, CRN_ERR_UNSUPPORTED, "%s: MJCF is not for a planar world", path);
    }
    chosen.pose.rotation = crn_quat_unit(chosen.pose.rotation);
    crn_mjcf *mjcf = crn_allocate(&hooks, 1, sizeof *mjcf);
    if (mjcf == NULL) {
        return crn_fail(error, CRN_ERR_MEMORY, "%s: no memory", path);
    }
    memset(mjcf, 0, sizeof *mjcf);
    mjcf->options = &chosen;
    mjcf->allocator = hooks;
    mjcf->model = model;
    mjcf->error = error;
    mjcf->is_first = crn_model_bodies(model) == 0 && crn_model_joints(model) == 0;
    mjcf->warnings = (crn_robot_warnings){.warn = chosen.warn, .user = chosen.user, .is_strict = chosen.is_strict};
    status = crn_mjcf_open(mjcf, text, length, path);
    status = status == CRN_OK ? read_all(mjcf) : status;
    status = status == CRN_OK ? crn_robot_refuse(&mjcf->warnings, error) : status;
    crn_mjcf_free_meshes(mjcf);
    crn_mjcf_close(mjcf);
    crn_release(&hooks, mjcf);
    if (status == CRN_OK) {
        crn_clear(error);
    }
    return status;
}

crn_status crn_io_read_mjcf(const char *path, const crn_robot_options *options, crn_model *model, crn_error *error)
{
    if (path == NULL || model == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s: NULL", path == NULL ? "path" : "model");
    }
    return read_mjcf(NULL, 0, path, options, model, error);
}

crn_status crn_io_read_mjcf_text(const char *text, size_t length, const char *path, const crn_robot_options *options,
                                 crn_model *model, crn_error *error)
{
    if (text == NULL || model == NULL) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "%s: NULL", text == NULL ? "text" : "model");
    }
    return read_mjcf(text, length, path != NULL ? path : "mjcf", options, model, error);
}
