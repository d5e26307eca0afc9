/* <compiler>: how to read the rest. <option>: gravity and step, which become the world's if the model is empty. */
#include "robots/mjcf.h"

#include <stdio.h>
#include <string.h>

/* pi / 180 */
#define DEGREE 0.017453292519943295769

/* Each section may stand several times; a later one overwrites what it gives. */
static crn_status for_each(crn_mjcf *mjcf, const crn_xml_node *root, const char *name,
                           crn_status (*read)(crn_mjcf *mjcf, const crn_mjcf_element *element))
{
    crn_status status = CRN_OK;
    for (crn_xml_node *node = NULL; status == CRN_OK && (node = crn_xml_child(root, name, node)) != NULL;) {
        crn_mjcf_element element = {.node = node, .owner = {node}, .owners = 1};
        status = read(mjcf, &element);
    }
    return status;
}

/* --- Compiler --- */

static crn_status read_euler_order(crn_mjcf *mjcf, const crn_mjcf_element *element)
{
    const char *text = crn_mjcf_text(element, "eulerseq");
    if (text == NULL) {
        return CRN_OK;
    }
    if (strlen(text) != 3 || strspn(text, "xyzXYZ") != 3) {
        return crn_mjcf_fail(mjcf, element->node, CRN_ERR_FORMAT, " eulerseq: must be three letters of xyzXYZ");
    }
    memcpy(mjcf->set.euler, text, 4);
    return CRN_OK;
}

static crn_status read_units(crn_mjcf *mjcf, const crn_mjcf_element *element)
{
    static const char *const angles[] = {"radian", "degree", NULL}, *const coordinates[] = {"local", "global", NULL};
    int angle = mjcf->set.angle == 1.0 ? 0 : 1, coordinate = mjcf->set.is_global ? 1 : 0;
    crn_status status = crn_mjcf_word(mjcf, element, "angle", angles, &angle);
    if (status == CRN_OK) {
        status = crn_mjcf_word(mjcf, element, "coordinate", coordinates, &coordinate);
    }
    mjcf->set.angle = angle == 0 ? 1.0 : DEGREE;
    mjcf->set.is_global = coordinate == 1;
    return status == CRN_OK ? read_euler_order(mjcf, element) : status;
}

static crn_status read_masses(crn_mjcf *mjcf, const crn_mjcf_element *element)
{
    static const char *const words[] = {"false", "true", "auto", NULL};
    crn_mjcf_settings *set = &mjcf->set;
    int inertia = (int)set->inertia;
    crn_status status = crn_mjcf_word(mjcf, element, "inertiafromgeom", words, &inertia);
    set->inertia = (crn_mjcf_inertia)inertia;
    status = status == CRN_OK ? crn_mjcf_numbers(mjcf, element, "inertiagrouprange", 2, 2, set->group, NULL) : status;
    status = status == CRN_OK ? crn_mjcf_number(mjcf, element, "boundmass", &set->bound_mass) : status;
    status = status == CRN_OK ? crn_mjcf_number(mjcf, element, "boundinertia", &set->bound_inertia) : status;
    status = status == CRN_OK ? crn_mjcf_number(mjcf, element, "settotalmass", &set->total_mass) : status;
    status = status == CRN_OK ? crn_mjcf_flag(mjcf, element, "exactmeshinertia", &set->exact_mesh) : status;
    return status == CRN_OK ? crn_mjcf_flag(mjcf, element, "balanceinertia", &set->balance_inertia) : status;
}

static crn_status read_compiler(crn_mjcf *mjcf, const crn_mjcf_element *element)
{
    crn_mjcf_settings *set = &mjcf->set;
    crn_status status = read_units(mjcf, element);
    status = status == CRN_OK ? read_masses(mjcf, element) : status;
    status = status == CRN_OK ? crn_mjcf_flag(mjcf, element, "autolimits", &set->auto_limits) : status;
    status = status == CRN_OK ? crn_mjcf_flag(mjcf, element, "strippath", &set->strip_path) : status;
    const char *assets = crn_mjcf_text(element, "assetdir"), *meshes = crn_mjcf_text(element, "meshdir");
    set->folder = meshes != NULL ? meshes : assets != NULL ? assets : set->folder;
    return status;
}

/* --- Option --- */

static crn_status read_flags(crn_mjcf *mjcf, crn_xml_node *node, bool *has_gravity)
{
    static const char *const words[] = {"disable", "enable", NULL};
    crn_mjcf_element element = {.node = node, .owner = {node}, .owners = 1};
    crn_mjcf_settings *set = &mjcf->set;
    bool no_gravity = false, no_constraint = false, no_passive = false;
    const struct {
        const char *name;
        bool *is_off;
    } flag[] = {{"gravity", &no_gravity},          {"filterparent", &set->no_parent_filter},
                {"constraint", &no_constraint},    {"passive", &no_passive},
                {"contact", &set->no_contact},     {"equality", &set->no_equality},
                {"limit", &set->no_limit},         {"frictionloss", &set->no_friction_loss},
                {"spring", &set->no_spring},       {"damper", &set->no_damper},
                {"actuation", &set->no_actuation}, {"clampctrl", &set->no_clamp}};
    crn_status status = CRN_OK;
    for (size_t i = 0; i < sizeof flag / sizeof *flag && status == CRN_OK; ++i) {
        int is_on = *flag[i].is_off ? 0 : 1;
        status = crn_mjcf_word(mjcf, &element, flag[i].name, words, &is_on);
        *flag[i].is_off = is_on == 0;
    }
    *has_gravity = *has_gravity && !no_gravity;
    if (no_constraint) {
        set->no_contact = set->no_equality = set->no_limit = set->no_friction_loss = true;
    }
    if (no_passive) {
        set->no_spring = set->no_damper = true;
    }
    return status;
}

static crn_status read_option(crn_mjcf *mjcf, const crn_mjcf_element *element)
{
    crn_world_def *world = crn_model_world(mjcf->model);
    crn_vec3 gravity = world->gravity;
    double step = world->dt;
    bool has_gravity = true;
    crn_status status = crn_mjcf_vector(mjcf, element, "gravity", &gravity, NULL);
    status = status == CRN_OK ? crn_mjcf_number(mjcf, element, "timestep", &step) : status;
    for (crn_xml_node *node = NULL; status == CRN_OK && (node = crn_xml_child(element->node, "flag", node)) != NULL;) {
        status = read_flags(mjcf, node, &has_gravity);
    }
    if (status == CRN_OK && !(step > 0.0)) {
        status = crn_mjcf_fail(mjcf, element->node, CRN_ERR_FORMAT, " timestep: must be > 0, but is %.9g", step);
    }
    if (status == CRN_OK && mjcf->is_first) {
        world->gravity = has_gravity ? gravity : (crn_vec3){0.0, 0.0, 0.0};
        world->dt = step;
    }
    return status;
}

static crn_mjcf_settings usual_settings(void)
{
    return (crn_mjcf_settings){.angle = DEGREE,
                               .auto_limits = true,
                               .euler = "xyz",
                               .folder = "",
                               .inertia = CRN_MJCF_INERTIA_AUTO,
                               .group = {0, 5},
                               .total_mass = -1.0};
}

/* Folder of the file and folder of its meshes; only how numbers are read is the attached file's own. */
static crn_status use_settings(crn_mjcf *mjcf, const crn_mjcf_attached *attached)
{
    crn_mjcf_settings outer = mjcf->set;
    mjcf->set = usual_settings();
    crn_status status = for_each(mjcf, attached->root, "compiler", read_compiler);
    crn_mjcf_settings own = mjcf->set;
    size_t size = strlen(attached->folder) + strlen(own.folder) + 1;
    char *folder = status == CRN_OK ? crn_mjcf_keep(mjcf, attached->node, size) : NULL;
    mjcf->set = outer;
    if (folder == NULL) {
        return status == CRN_OK ? CRN_ERR_MEMORY : status;
    }
    bool is_absolute = own.folder[0] == '/';
    (void)snprintf(folder, size, "%s%s", is_absolute ? "" : attached->folder, own.folder);
    mjcf->set.angle = own.angle;
    mjcf->set.is_global = own.is_global;
    mjcf->set.auto_limits = own.auto_limits;
    mjcf->set.strip_path = own.strip_path;
    mjcf->set.exact_mesh = own.exact_mesh;
    memcpy(mjcf->set.euler, own.euler, sizeof own.euler);
    mjcf->set.folder = folder;
    return CRN_OK;
}

crn_status crn_mjcf_enter_frame(crn_mjcf *mjcf, const crn_xml_node *frame)
{
    for (int i = 0; i < mjcf->attachments; ++i) {
        if (mjcf->attached[i].node == frame) {
            return use_settings(mjcf, &mjcf->attached[i]);
        }
    }
    return CRN_OK;
}

crn_status crn_mjcf_read_settings(crn_mjcf *mjcf)
{
    const crn_xml_node *root = crn_xml_root(mjcf->file[0]);
    mjcf->set = usual_settings();
    if (mjcf->is_first) { /* MuJoCo's own, unless the file has others */
        crn_world_def *world = crn_model_world(mjcf->model);
        world->gravity = (crn_vec3){0.0, 0.0, -9.81};
        world->dt = 0.002;
    }
    crn_status status = for_each(mjcf, root, "compiler", read_compiler);
    return status == CRN_OK ? for_each(mjcf, root, "option", read_option) : status;
}
