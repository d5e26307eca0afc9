/* Warnings about what nobody read: each element and each attribute of an element once, at its first place. What only
 * concerns pictures, names and numerical parameters of another solver is passed over in silence. */
#include "io/mjcf.h"

#include <stdio.h>
#include <string.h>

/* Elements that change nothing about motion. */
static const char *const quiet_element[] = {"visual", "statistic", "size",     "custom",      "camera",
                                            "light",  "texture",   "material", "lengthrange", NULL};

/* Elements that are looked into, with the attributes that change nothing about motion, a blank before and after each. */
typedef struct known {
    const char *element, *quiet;
} known;

static const known list[] = {
    {"mujoco", " model "},
    {"compiler", " fitaabb texturedir discardvisual convexhull usethread fusestatic exactmeshinertia alignfree "
                 "saveinertial "},
    {"option",
     " apirate impratio tolerance ls_tolerance noslip_tolerance ccd_tolerance mpr_tolerance magnetic integrator "
     "collision cone jacobian solver iterations ls_iterations noslip_iterations ccd_iterations mpr_iterations "
     "sdf_iterations sdf_initpoints actuatorgroupdisable o_margin o_solref o_solimp o_friction "},
    {"flag",
     " override energy fwdinv invdiscrete sensor midphase nativeccd multiccd warmstart clampctrl refsafe eulerdamp "
     "autoreset actuation island "},
    {"default", " class "},
    {"mesh", " class smoothnormal normal texcoord maxhullvert content_type "},
    {"worldbody", ""},
    {"body", " user sleep "},
    {"frame", " name "},
    {"replicate", " name "},
    {"inertial", ""},
    {"joint", " margin group user solreflimit solimplimit solreffriction solimpfriction actuatorfrclimited "},
    {"freejoint", " group align "},
    {"geom", " class name user rgba material solmix hfield fluidcoef "},
    {"site", " class type size group user rgba material "},
    {"contact", ""},
    {"exclude", " name "},
    {"equality", ""},
    {"connect", " class solref solimp "},
    {"weld", " class solref solimp torquescale "},
    {"actuator", ""},
    {"motor", " class name group user ctrllimited ctrlrange lengthrange "},
    {"position", " class name group user ctrllimited ctrlrange lengthrange inheritrange "},
    {"velocity", " class name group user ctrllimited ctrlrange lengthrange "},
    {"general",
     " class name group user ctrllimited ctrlrange lengthrange dyntype dynprm gaintype gainprm actdim actlimited "
     "actrange "},
};

static const known *find_known(const char *name)
{
    for (size_t i = 0; i < sizeof list / sizeof *list; ++i) {
        if (strcmp(list[i].element, name) == 0) {
            return &list[i];
        }
    }
    return NULL;
}

static bool is_quiet_element(const char *name)
{
    for (const char *const *quiet = quiet_element; *quiet != NULL; ++quiet) {
        if (strcmp(name, *quiet) == 0) {
            return true;
        }
    }
    return false;
}

/* Is " name " in the list of words? */
static bool is_quiet_attribute(const known *element, const char *name)
{
    char word[40];
    int size = snprintf(word, sizeof word, " %s ", name);
    return size > 0 && (size_t)size < sizeof word && strstr(element->quiet, word) != NULL;
}

static void warn_attributes(crn_mjcf *mjcf, const crn_xml_node *node, const known *element)
{
    for (int i = 0; i < node->attributes; ++i) {
        const crn_xml_attribute *attribute = &node->attribute[i];
        if (attribute->is_read || is_quiet_attribute(element, attribute->name)) {
            continue;
        }
        crn_mjcf_warn(mjcf, node, attribute->name, " %.40s: not supported, has no effect", attribute->name);
    }
}

/* Defaults that no element asked are nobody's. */
static void warn_below(crn_mjcf *mjcf, const crn_xml_node *node, bool is_default)
{
    for (const crn_xml_node *child = node->child; child != NULL; child = child->next) {
        const known *element = find_known(child->name);
        bool is_inside = is_default || strcmp(child->name, "default") == 0;
        if (is_default && strcmp(child->name, "default") != 0) {
            if (element != NULL && child->text == crn_mjcf_used) {
                warn_attributes(mjcf, child, element);
            }
        } else if (element != NULL) {
            warn_attributes(mjcf, child, element);
            warn_below(mjcf, child, is_inside);
        } else if (strcmp(child->name, "asset") == 0) {
            warn_below(mjcf, child, is_inside);
        } else if (!is_quiet_element(child->name)) {
            crn_mjcf_warn(mjcf, child, "", "not supported, left out");
        }
    }
}

void crn_mjcf_warn_rest(crn_mjcf *mjcf)
{
    if (mjcf->options->warn != NULL) {
        warn_below(mjcf, crn_xml_root(mjcf->file[0]), false);
    }
}
