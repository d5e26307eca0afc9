/* cairn info FILE -- what a scene or robot consists of, by the names that controllers and options use. What readers leave out is
 * said on standard error, as cairn sim does. */
#include "info_scene.h"

#include "cli.h"
#include "json.h"
#include "sim_scene.h"

#include <cairn/cairn.h>

#include <stdio.h>

/* Names of at most this length are shown. */
#define NAME "%s"
enum { NAME_ROOM = 61 };

/* A name so that no terminal obeys it; "-": there is none. */
static const char *show(const char *name, char text[NAME_ROOM])
{
    (void)crn_show(name != NULL ? name : "-", text, NAME_ROOM);
    return text;
}
#define SHOWN(name) show((name), (char[NAME_ROOM]){0})

/* --- Bodies and joints as a tree --- */

/* The joint that holds a body in a tree; -1: none. */
static int joint_above(const crn_model *model, int body)
{
    for (int i = 0; i < crn_model_joints(model); ++i) {
        const crn_joint_def *joint = crn_model_joint(model, i);
        if (joint->in_tree && joint->b == body) {
            return i;
        }
    }
    return -1;
}

static int parent_of(const crn_model *model, int body)
{
    int joint = joint_above(model, body);
    return joint >= 0 ? crn_model_joint(model, joint)->a : -1;
}

/* How many joints are above it. */
static int depth_of(const crn_model *model, int body)
{
    int depth = 0;
    for (int at = parent_of(model, body); at >= 0; at = parent_of(model, at)) {
        ++depth;
    }
    return depth;
}

static void print_joint(const crn_joint_def *joint)
{
    printf("  by %s " NAME, crn_joint_kind_name(joint->kind), SHOWN(joint->name));
    for (int k = 0; k < crn_joint_kind_coordinates(joint->kind); ++k) {
        if (joint->axis[k].lower <= joint->axis[k].upper) {
            printf(" [%.4g, %.4g]", joint->axis[k].lower, joint->axis[k].upper);
        }
    }
}

static void print_body(const crn_model *model, int body)
{
    const crn_body_def *def = crn_model_body(model, body);
    int joint = joint_above(model, body);
    printf("  %*s" NAME, 2 * depth_of(model, body), "", SHOWN(def->name));
    if (def->kind != CRN_BODY_FREE) {
        printf("  %s", crn_body_kind_name(def->kind));
    } else if (def->is_massless) {
        printf("  without mass");
    } else if (def->mass > 0.0) {
        printf("  %.4g kg", def->mass);
    }
    if (joint >= 0) {
        print_joint(crn_model_joint(model, joint));
    } else if (def->kind == CRN_BODY_FREE) {
        printf("  floats");
    }
    printf("%s\n", def->shapes > 0 ? "" : "  (no shapes)");
}

static void print_loops(const crn_model *model)
{
    for (int i = 0; i < crn_model_joints(model); ++i) {
        const crn_joint_def *joint = crn_model_joint(model, i);
        if (!joint->in_tree && joint->kind != CRN_JOINT_FREE) {
            printf("  loop: %s " NAME "\n", crn_joint_kind_name(joint->kind), SHOWN(joint->name));
        }
    }
}

/* --- The rest --- */

static void print_actuators(const crn_model *model)
{
    for (int i = 0; i < crn_model_actuators(model); ++i) {
        const crn_actuator_def *def = crn_model_actuator(model, i);
        const char *driven =
            def->tendon >= 0 ? crn_model_tendon(model, def->tendon)->name : crn_model_joint(model, def->joint)->name;
        printf("  %d " NAME "  %s of " NAME ", gain %.4g, control %.4g to %.4g\n", i, SHOWN(def->name),
               def->moves_target ? "target" : "force", SHOWN(driven), def->gain, def->lower, def->upper);
    }
}

static void print_probes(const crn_model *model)
{
    for (int i = 0; i < crn_model_probes(model); ++i) {
        const crn_probe_def *def = crn_model_probe(model, i);
        printf("  %d " NAME "  %s, %d numbers\n", crn_model_probe_first(model, i), SHOWN(def->name),
               crn_probe_kind_name(def->kind), crn_model_probe_size(model, i));
    }
}

static double mass_of(const crn_model *model)
{
    double sum = 0.0;
    for (int i = 0; i < crn_model_bodies(model); ++i) {
        const crn_body_def *def = crn_model_body(model, i);
        sum += def->kind == CRN_BODY_FREE ? def->mass : 0.0;
    }
    return sum;
}

static void print_text(const char *scene, const crn_model *model)
{
    printf("%s: %d bodies of %.4g kg, %d joints\n", scene, crn_model_bodies(model), mass_of(model),
           crn_model_joints(model));
    for (int i = 0; i < crn_model_bodies(model); ++i) {
        print_body(model, i);
    }
    print_loops(model);
    printf("sites      %d\n", crn_model_sites(model));
    for (int i = 0; i < crn_model_sites(model); ++i) {
        const crn_site_def *def = crn_model_site(model, i);
        const crn_body_def *body = crn_model_body(model, def->body);
        printf("  " NAME "  on " NAME "\n", SHOWN(def->name), body != NULL ? SHOWN(body->name) : "the world");
    }
    printf("tendons    %d\n", crn_model_tendons(model));
    for (int i = 0; i < crn_model_tendons(model); ++i) {
        const crn_tendon_def *def = crn_model_tendon(model, i);
        printf("  " NAME "  %d parts\n", SHOWN(def->name), def->parts);
    }
    printf("actuators  %d\n", crn_model_actuators(model));
    print_actuators(model);
    printf("keys       %d\n", crn_model_keys(model));
    for (int i = 0; i < crn_model_keys(model); ++i) {
        printf("  " NAME "\n", SHOWN(crn_model_key(model, i)->name));
    }
    printf("measures   %d\n", crn_model_probes(model));
    print_probes(model);
}

/* --- JSON --- */

typedef const char *name_at(const crn_model *model, int index);

static const char *body_at(const crn_model *model, int index)
{
    return crn_model_body(model, index)->name;
}

static const char *joint_at(const crn_model *model, int index)
{
    return crn_model_joint(model, index)->name;
}

static const char *site_at(const crn_model *model, int index)
{
    return crn_model_site(model, index)->name;
}

static const char *tendon_at(const crn_model *model, int index)
{
    return crn_model_tendon(model, index)->name;
}

static const char *actuator_at(const crn_model *model, int index)
{
    return crn_model_actuator(model, index)->name;
}

static const char *key_at(const crn_model *model, int index)
{
    return crn_model_key(model, index)->name;
}

static const char *probe_at(const crn_model *model, int index)
{
    return crn_model_probe(model, index)->name;
}

/* Names in order, null where there is none. */
static void write_names(cli_json *json, const char *key, const crn_model *model, int count, name_at *name)
{
    cli_json_open(json, key, '[');
    for (int i = 0; i < count; ++i) {
        if (name(model, i) != NULL) {
            cli_json_string(json, NULL, name(model, i));
        } else {
            cli_json_null(json, NULL);
        }
    }
    cli_json_shut(json, ']');
}

static void print_json(const char *scene, const crn_model *model)
{
    cli_json json = cli_json_begin(stdout);
    cli_json_string(&json, "scene", scene);
    cli_json_real(&json, "mass", mass_of(model));
    write_names(&json, "bodies", model, crn_model_bodies(model), body_at);
    write_names(&json, "joints", model, crn_model_joints(model), joint_at);
    write_names(&json, "sites", model, crn_model_sites(model), site_at);
    write_names(&json, "tendons", model, crn_model_tendons(model), tendon_at);
    write_names(&json, "actuators", model, crn_model_actuators(model), actuator_at);
    write_names(&json, "keys", model, crn_model_keys(model), key_at);
    write_names(&json, "measures", model, crn_model_probes(model), probe_at);
    cli_json_end(&json);
}

int info_scene(const char *scene, bool is_json)
{
    const sim_request request = {.scene = scene, .no_floor = true, .skip_meshes = true};
    crn_model *model = NULL;
    crn_error error = {CRN_OK, ""};
    if (sim_scene_load(&request, &model, &error) != CRN_OK) {
        (void)cli_fail("%s", error.text);
        crn_model_destroy(model);
        return CLI_BAD;
    }
    if (is_json) {
        print_json(scene, model);
    } else {
        print_text(scene, model);
    }
    crn_model_destroy(model);
    return CLI_DONE;
}
