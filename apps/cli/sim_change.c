/* Values of the scene changed by place: "bodies.box.mass=2,joints.hip.limits=[-1, 1]". */
#include "sim_change.h"

#include <stdio.h>
#include <string.h>

/* Longest "place=value". */
enum { CHANGE_SIZE = 4096 };

/* Characters up to a comma that is not inside of brackets or quotes. */
static size_t change_length(const char *text)
{
    size_t i = 0;
    bool is_quoted = false;
    for (int depth = 0; text[i] != '\0' && (text[i] != ',' || depth > 0 || is_quoted); ++i) {
        is_quoted = is_quoted != (text[i] == '"');
        depth += strchr("[{", text[i]) != NULL ? 1 : 0;
        depth -= strchr("]}", text[i]) != NULL ? 1 : 0;
    }
    return i;
}

static crn_status change(crn_model **model, const char *text, size_t length, crn_error *error)
{
    char part[CHANGE_SIZE];
    crn_error reason = {.status = CRN_OK};
    crn_model *changed = NULL;
    (void)snprintf(part, sizeof part, "%.*s", (int)(length < sizeof part ? length : sizeof part - 1), text);
    char *equals = strchr(part, '=');
    if (equals == NULL || length >= sizeof part) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "sim: --set: '%.60s' is not PLACE=VALUE", part);
    }
    *equals = '\0';
    crn_status status = crn_io_change_scene(*model, part, equals + 1, NULL, &changed, &reason);
    if (status != CRN_OK) {
        return crn_fail(error, status, "sim: --set %s", reason.text);
    }
    crn_model_destroy(*model);
    *model = changed;
    return CRN_OK;
}

crn_status sim_change_apply(const sim_request *request, crn_model **model, crn_error *error)
{
    crn_status status = CRN_OK;
    for (const char *at = request->changes; at != NULL && status == CRN_OK;) {
        size_t length = change_length(at);
        status = change(model, at, length, error);
        at = at[length] == ',' ? at + length + 1 : NULL;
    }
    return status;
}
