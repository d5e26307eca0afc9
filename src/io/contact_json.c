/* Contact JSON: an object with a key "kind", "rigid" or "generalized"; see contact_rigid.c and contact_generalized.c. */
#include "io/contact_json.h"

#include <string.h>

static crn_status read_kind(const crn_json_place *file, crn_contact_data *data)
{
    crn_status status = crn_json_need(file, CRN_JSON_OBJECT);
    crn_json_place kind = crn_json_find(file, "kind");
    if (status == CRN_OK) {
        status = crn_json_need(&kind, CRN_JSON_STRING);
    }
    if (status != CRN_OK) {
        return status;
    }
    if (strcmp(crn_json_string(kind.value), "rigid") == 0) {
        data->kind = CRN_CONTACT_FILE_RIGID;
        return crn_io_read_rigid(file, data);
    }
    if (strcmp(crn_json_string(kind.value), "generalized") == 0) {
        data->kind = CRN_CONTACT_FILE_GENERALIZED;
        return crn_io_read_generalized(file, data);
    }
    return crn_json_fail(&kind, "not 'rigid' or 'generalized'");
}

crn_status crn_io_parse_contact_json(const crn_io_source *source, const crn_allocator *allocator,
                                     crn_contact_data *data, crn_error *error)
{
    crn_io_contact_begin(data, allocator);
    crn_json *root = NULL;
    crn_status status = crn_json_parse(source, &root, error);
    if (status == CRN_OK) {
        crn_json_place file = crn_json_root(root, source->name, error);
        status = read_kind(&file, data);
    }
    crn_json_free(root);

    /* What is left to find: a mass matrix that is not positive definite, for example. */
    crn_error reason = {.status = CRN_OK};
    if (status == CRN_OK && crn_contact_check(&data->problem, &reason) != CRN_OK) {
        status = crn_fail(error, CRN_ERR_FORMAT, "%s: %s", source->name, reason.text);
    }
    if (status != CRN_OK) {
        crn_contact_data_free(data);
        return status;
    }
    return crn_fail(error, CRN_OK, "%s", "");
}
