/* Warnings about what nobody read: each element and each attribute that could change the motion once, at its first place; pictures
 * and notes in one line, parameters of MuJoCo's solver in another. Nothing is passed over in silence. */
#include "robots/mjcf.h"

#include <stdio.h>
#include <string.h>

/* What is named together, in one line of a file. */
typedef enum heap { PICTURES, SOLVER, HEAPS } heap;

static const char *const heap_text[HEAPS] = {
    "pictures and notes are left out", "contacts and constraints are hard, and solved in another way: no effect of"};

typedef struct rest {
    crn_mjcf *mjcf;
    char words[HEAPS][120]; /* "rgba, <light>": each once, as many as there is room for */
    bool is_more[HEAPS];
} rest;

/* Elements that change nothing about motion; they are not looked into. */
static const char *const heap_elements[HEAPS] = {" visual statistic custom camera light texture material ",
                                                 " size lengthrange "};

/* Elements that are looked into, with the attributes of each heap, a blank before and after each. */
typedef struct known {
    const char *element, *words[HEAPS];
} known;

#define ACTUATOR " class name group user lengthrange "

static const known list[] = {
    {"mujoco", {" model ", ""}},
    {"compiler", {" texturedir discardvisual saveinertial fusestatic ", " usethread alignfree "}},
    {"option",
     {"",
      " apirate impratio tolerance ls_tolerance noslip_tolerance ccd_tolerance mpr_tolerance integrator cone jacobian "
      "solver iterations ls_iterations noslip_iterations ccd_iterations mpr_iterations sdf_iterations sdf_initpoints "
      "o_margin o_solref o_solimp o_friction "}},
    {"flag",
     {"",
      " override energy fwdinv invdiscrete sensor midphase nativeccd multiccd warmstart refsafe eulerdamp autoreset "
      "island "}},
    {"default", {" class ", ""}},
    {"mesh", {" class smoothnormal normal texcoord content_type material ", " maxhullvert "}},
    {"hfield", {" content_type ", ""}},
    {"model", {" name content_type ", ""}},
    {"worldbody", {"", ""}},
    {"body", {" user ", " sleep "}},
    {"frame", {" name ", ""}},
    {"replicate", {" name ", ""}},
    {"inertial", {"", ""}},
    {"joint", {" group user ", " margin solreflimit solimplimit solreffriction solimpfriction solref solimp "}},
    {"freejoint", {" group ", " align "}},
    {"geom", {" class name user rgba material ", " solref solimp solmix margin gap "}},
    {"site", {" class group user rgba material ", ""}},
    {"contact", {"", ""}},
    {"exclude", {" name ", ""}},
    {"pair", {" class name ", " solref solimp solreffriction margin gap "}},
    {"equality", {"", " solref solimp "}},
    {"connect", {" class ", " solref solimp "}},
    {"weld", {" class ", " solref solimp torquescale "}},
#define TENDON \
    " class group user width material rgba ", " margin solreflimit solimplimit solreffriction solimpfriction "
    {"tendon", {TENDON}},
    {"fixed", {TENDON}},
    {"spatial", {TENDON}},
    {"pulley", {"", ""}},
#define SENSOR             \
    {                      \
        " noise user ", "" \
    }
    {"sensor", {"", ""}},
    {"jointpos", SENSOR},
    {"jointvel", SENSOR},
    {"actuatorfrc", SENSOR},
    {"framepos", SENSOR},
    {"framequat", SENSOR},
    {"framelinvel", SENSOR},
    {"frameangvel", SENSOR},
    {"velocimeter", SENSOR},
    {"gyro", SENSOR},
    {"rangefinder", SENSOR},
    {"touch", SENSOR},
    {"framexaxis", SENSOR},
    {"frameyaxis", SENSOR},
    {"framezaxis", SENSOR},
    {"force", SENSOR},
    {"torque", SENSOR},
    {"tendonpos", SENSOR},
    {"tendonvel", SENSOR},
    {"accelerometer", SENSOR},
    {"subtreecom", SENSOR},
    {"subtreelinvel", SENSOR},
    {"keyframe", {"", ""}},
    {"key", {" time ", ""}},
    {"actuator", {"", ""}},
    {"motor", {ACTUATOR, ""}},
    {"position", {ACTUATOR, ""}},
    {"velocity", {ACTUATOR, ""}},
    {"general", {ACTUATOR, ""}},
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

/* Is " name " in the list of words? */
static bool is_among(const char *words, const char *name)
{
    char word[40];
    int size = snprintf(word, sizeof word, " %s ", name);
    return size > 0 && (size_t)size < sizeof word && strstr(words, word) != NULL;
}

/* Add a word, "<name>" of an element, to its heap. */
static void add_word(rest *r, heap to, const char *name, bool is_element)
{
    char word[48], *words = r->words[to];
    (void)snprintf(word, sizeof word, is_element ? "<%s>" : "%s", name);
    size_t used = strlen(words), size = strlen(word);
    for (const char *at = words; (at = strstr(at, word)) != NULL; at += size) {
        bool is_whole = (at == words || at[-1] == ' ') && (at[size] == ',' || at[size] == '\0');
        if (is_whole) {
            return;
        }
    }
    if (used + size + 3 > sizeof r->words[to]) {
        r->is_more[to] = true;
        return;
    }
    (void)snprintf(words + used, sizeof r->words[to] - used, "%s%s", used > 0 ? ", " : "", word);
}

static void look_at_attributes(rest *r, const crn_xml_node *node, const known *element)
{
    for (int i = 0; i < node->attributes; ++i) {
        const crn_xml_attribute *attribute = &node->attribute[i];
        bool is_told = attribute->is_read;
        for (int k = 0; k < HEAPS && !is_told; ++k) {
            if (is_among(element->words[k], attribute->name)) {
                add_word(r, (heap)k, attribute->name, false);
                is_told = true;
            }
        }
        if (!is_told) {
            crn_mjcf_warn(r->mjcf, node, attribute->name, " %.40s: not supported, has no effect", attribute->name);
        }
    }
}

/* A mesh that nobody opened is only a picture. */
static bool is_picture(const rest *r, const crn_xml_node *node)
{
    for (int i = 0; i < r->mjcf->meshes; ++i) {
        if (r->mjcf->mesh[i].node == node) {
            return !r->mjcf->mesh[i].is_read && !r->mjcf->mesh[i].is_missing;
        }
    }
    return false;
}

static void look_at_unknown(rest *r, const crn_xml_node *node)
{
    for (int k = 0; k < HEAPS; ++k) {
        if (is_among(heap_elements[k], node->name)) {
            add_word(r, (heap)k, node->name, true);
            return;
        }
    }
    crn_mjcf_warn(r->mjcf, node, "", "not supported, left out");
}

/* Defaults that no element asked are nobody's. */
static void look_below(rest *r, const crn_xml_node *node, bool is_default)
{
    for (const crn_xml_node *child = node->child; child != NULL; child = child->next) {
        const known *element = find_known(child->name);
        bool is_inside = is_default || strcmp(child->name, "default") == 0;
        if (is_default && strcmp(child->name, "default") != 0) {
            if (element != NULL && child->text == crn_mjcf_used) {
                look_at_attributes(r, child, element);
            }
        } else if (is_picture(r, child)) {
            add_word(r, PICTURES, child->name, true);
        } else if (element != NULL) {
            look_at_attributes(r, child, element);
            look_below(r, child, is_inside);
        } else if (strcmp(child->name, "asset") == 0) {
            look_below(r, child, is_inside);
        } else {
            look_at_unknown(r, child);
        }
    }
}

void crn_mjcf_warn_rest(crn_mjcf *mjcf)
{
    const crn_xml_node *root = crn_xml_root(mjcf->file[0]);
    rest r = {.mjcf = mjcf};
    if (mjcf->options->warn == NULL && !mjcf->options->is_strict) {
        return;
    }
    look_at_attributes(&r, root, &list[0]);
    look_below(&r, root, false);
    if (mjcf->has_free_names) {
        add_word(&r, PICTURES, "names of free joints", false);
    }
    for (int k = 0; k < HEAPS; ++k) {
        if (r.words[k][0] != '\0') {
            char what[200];
            (void)snprintf(what, sizeof what, "%s: %s%s", heap_text[k], r.words[k], r.is_more[k] ? ", ..." : "");
            crn_mjcf_note(mjcf, root, heap_text[k], what);
        }
    }
}
