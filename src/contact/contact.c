/* Door 2: check, whiten, split into islands, choose a solver for each, judge. */
#include <cairn/contact.h>

#include <string.h>

static const char *const method_names[CRN_CONTACT_METHOD_COUNT] = {"auto", "states", "structural", "reduced", "bodies"};

const char *crn_contact_method_name(crn_contact_method method)
{
    return (unsigned)method < CRN_CONTACT_METHOD_COUNT ? method_names[method] : NULL;
}

bool crn_contact_method_find(const char *name, crn_contact_method *method)
{
    for (int i = 0; name && i < CRN_CONTACT_METHOD_COUNT; ++i) {
        if (strcmp(name, method_names[i]) == 0) {
            *method = (crn_contact_method)i;
            return true;
        }
    }
    return false;
}

crn_contact_options crn_contact_options_default(void)
{
    crn_contact_options options;
    memset(&options, 0, sizeof options);
    options.tol = 1e-9;
    options.seed = 1;
    return options;
}
