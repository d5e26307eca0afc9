/* A key to start from, and controls: "hip=0.5,2=-1". */
#include "sim_control.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longest name of an actuator on a command line. */
enum { NAME_SIZE = 200 };

static crn_status set_key(const char *name, const crn_model *model, crn_world *world, crn_error *error)
{
    const crn_key_def *key = crn_model_key(model, crn_model_find_key(model, name));
    if (key != NULL) {
        return crn_world_set_key(world, key, error);
    }
    char known[120] = "";
    for (int i = 0; i < crn_model_keys(model); ++i) {
        const char *other = crn_model_key(model, i)->name;
        size_t used = strlen(known);
        (void)snprintf(known + used, sizeof known - used, "%s%s", used > 0 ? ", " : "", other != NULL ? other : "-");
    }
    (void)snprintf(error->text, sizeof error->text, "sim: --key: there is no key '%.60s'; there are: %s", name,
                   known[0] != '\0' ? known : "none");
    return CRN_ERR_ARGUMENT;
}

/* By name, else by number; -1: none. */
static int find_actuator(const crn_world *world, const char *name)
{
    char *end = NULL;
    int index = crn_world_find_actuator(world, name);
    long number = strtol(name, &end, 10);
    bool is_number = name[0] != '\0' && *end == '\0' && number >= 0 && number < crn_world_actuators(world);
    return index < 0 && is_number ? (int)number : index;
}

/* One "name=value" of length characters. */
static crn_status set_control(const char *text, size_t length, crn_world *world, crn_error *error)
{
    char part[NAME_SIZE], *end = NULL;
    (void)snprintf(part, sizeof part, "%.*s", length < sizeof part ? (int)length : (int)sizeof part - 1, text);
    char *equals = strrchr(part, '=');
    if (equals == NULL || equals[1] == '\0') {
        (void)snprintf(error->text, sizeof error->text, "sim: --ctrl: '%.60s' is not NAME=VALUE", part);
        return CRN_ERR_ARGUMENT;
    }
    *equals = '\0';
    double value = strtod(equals + 1, &end);
    int index = find_actuator(world, part);
    if (index < 0 || *end != '\0' || crn_world_set_control(world, index, value) != CRN_OK) {
        (void)snprintf(error->text, sizeof error->text,
                       index < 0 ? "sim: --ctrl: there is no actuator '%.60s'%s"
                                 : "sim: --ctrl: %.60s: '%.40s' is not a control",
                       part, index < 0 ? "" : equals + 1);
        return CRN_ERR_ARGUMENT;
    }
    return CRN_OK;
}

crn_status sim_control_apply(const sim_request *request, const crn_model *model, crn_world *world, crn_error *error)
{
    crn_status status = request->key != NULL ? set_key(request->key, model, world, error) : CRN_OK;
    for (const char *at = request->controls; at != NULL && status == CRN_OK;) {
        size_t length = strcspn(at, ",");
        status = set_control(at, length, world, error);
        at = at[length] == ',' ? at + length + 1 : NULL;
    }
    error->status = status;
    return status;
}
