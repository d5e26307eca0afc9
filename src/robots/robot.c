/* Options of the readers of robots, and what they say without failing. */
#include "robots/robot.h"

#include "math/rigid.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

crn_robot_options crn_robot_options_default(void)
{
    return (crn_robot_options){.pose = crn_pose_identity(), .friction = 0.5};
}

static bool is_said(const crn_robot_warnings *warnings, const char *owner, const char *key)
{
    for (int i = 0; i < warnings->count; ++i) {
        if (strcmp(warnings->owner[i], owner) == 0 && strcmp(warnings->key[i], key) == 0) {
            return true;
        }
    }
    return false;
}

void crn_robot_note(crn_robot_warnings *warnings, const crn_xml *xml, const crn_xml_node *node, const char *owner,
                    const char *key, const char *what)
{
    if (warnings->warn == NULL || warnings->is_full || is_said(warnings, owner, key)) {
        return;
    }
    char more[80];
    crn_error text = {.status = CRN_OK};
    if (warnings->count == CRN_ROBOT_WARNINGS_MOST) {
        warnings->is_full = true;
        (void)snprintf(more, sizeof more, "there is more to say, but these were %d things", CRN_ROBOT_WARNINGS_MOST);
        what = more;
    } else {
        warnings->owner[warnings->count] = owner;
        warnings->key[warnings->count] = key;
        ++warnings->count;
    }
    (void)crn_xml_fail(xml, node, CRN_ERR_UNSUPPORTED, &text, "%s", what);
    warnings->warn(warnings->user, text.text);
}

void crn_robot_warn(crn_robot_warnings *warnings, const crn_xml *xml, const crn_xml_node *node, const char *owner,
                    const char *key, const char *format, ...)
{
    char what[200];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    if (!warnings->is_strict) {
        crn_robot_note(warnings, xml, node, owner, key, what);
    } else if (warnings->refused.status == CRN_OK) {
        (void)crn_xml_fail(xml, node, CRN_ERR_UNSUPPORTED, &warnings->refused, "%s: refused, since options are strict",
                           what);
    }
}

crn_status crn_robot_refuse(const crn_robot_warnings *warnings, crn_error *error)
{
    crn_status status = warnings->refused.status;
    return status == CRN_OK ? CRN_OK : crn_fail(error, status, "%s", warnings->refused.text);
}
