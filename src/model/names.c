/* Names of the kinds that scenes are described with, as files and messages spell them. */
#include <cairn/model.h>

#include <string.h>

static const char *const body_kinds[CRN_BODY_KIND_COUNT] = {"free", "fixed", "driven"};
static const char *const schemes[CRN_SCHEME_COUNT] = {"coulomb", "convex", "plain"};
static const char *const friction_rules[CRN_FRICTION_RULE_COUNT] = {"geometric", "min", "max"};
static const char *const integrators[CRN_INTEGRATOR_COUNT] = {"reflect", "euler", "rk4", "hart"};

/* Place of name in the list; -1 if it is not there. */
static int find(const char *const *names, int count, const char *name)
{
    for (int i = 0; name != NULL && i < count; ++i) {
        if (strcmp(names[i], name) == 0) {
            return i;
        }
    }
    return -1;
}

const char *crn_body_kind_name(crn_body_kind kind)
{
    return (unsigned)kind < CRN_BODY_KIND_COUNT ? body_kinds[kind] : NULL;
}

bool crn_body_kind_find(const char *name, crn_body_kind *kind)
{
    int found = find(body_kinds, CRN_BODY_KIND_COUNT, name);
    if (found >= 0) {
        *kind = (crn_body_kind)found;
    }
    return found >= 0;
}

const char *crn_scheme_name(crn_scheme scheme)
{
    return (unsigned)scheme < CRN_SCHEME_COUNT ? schemes[scheme] : NULL;
}

bool crn_scheme_find(const char *name, crn_scheme *scheme)
{
    int found = find(schemes, CRN_SCHEME_COUNT, name);
    if (found >= 0) {
        *scheme = (crn_scheme)found;
    }
    return found >= 0;
}

const char *crn_friction_rule_name(crn_friction_rule rule)
{
    return (unsigned)rule < CRN_FRICTION_RULE_COUNT ? friction_rules[rule] : NULL;
}

bool crn_friction_rule_find(const char *name, crn_friction_rule *rule)
{
    int found = find(friction_rules, CRN_FRICTION_RULE_COUNT, name);
    if (found >= 0) {
        *rule = (crn_friction_rule)found;
    }
    return found >= 0;
}

const char *crn_integrator_name(crn_integrator scheme)
{
    return (unsigned)scheme < CRN_INTEGRATOR_COUNT ? integrators[scheme] : NULL;
}

bool crn_integrator_find(const char *name, crn_integrator *scheme)
{
    int found = find(integrators, CRN_INTEGRATOR_COUNT, name);
    if (found >= 0) {
        *scheme = (crn_integrator)found;
    }
    return found >= 0;
}
