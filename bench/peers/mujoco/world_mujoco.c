/* world_mujoco.c -- whole scenes in MuJoCo: the description is written as a model in its own language, MJCF. */
#define _POSIX_C_SOURCE 200809L
#include "../world_peer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mujoco/mujoco.h>

/* Room for contacts: a box on a box has up to 8 points, a ball in a pile a dozen neighbours at most, half of them its
 * own; the rows of a pyramid of friction are four a contact. */
enum { CONTACTS_PER_BODY = 10, ROWS_PER_CONTACT = 4 };

/* Driven bodies are held by an inertia that no contact moves [kg]. */
static const double driven_inertia = 1e9;

typedef struct world {
    mjModel *model;
    mjData *data;
    int free, driven, is_planar;
} world;

static void write_geometry(FILE *file, const bench_plain_body *of)
{
    const double *s = of->size;
    if (of->solid == BENCH_PLAIN_BALL) {
        fprintf(file, "<geom type='sphere' size='%.17g' friction='%.17g'/>", s[0], of->mu);
    } else if (of->solid == BENCH_PLAIN_PLANE && of->kind == BENCH_PLAIN_FIXED) {
        const double *p = of->position, *n = of->normal;
        fprintf(file,
                "<geom type='plane' size='0 0 1' pos='%.17g %.17g %.17g' zaxis='%.17g %.17g %.17g' friction='%.17g'/>",
                p[0], p[1], p[2], n[0], n[1], n[2], of->mu);
    } else { /* driven bodies do not touch each other */
        fprintf(file, "<geom type='box' size='%.17g %.17g %.17g' friction='%.17g'%s/>", s[0], s[1], s[2], of->mu,
                of->kind == BENCH_PLAIN_DRIVEN ? " contype='0'" : "");
    }
}

static void write_slides(FILE *file, int axes, double armature)
{
    static const char *const axis[3] = {"1 0 0", "0 1 0", "0 0 1"};
    for (int i = 0; i < axes; ++i) {
        fprintf(file, "<joint type='slide' axis='%s' armature='%g'/>", axis[i], armature);
    }
}

static void write_body(FILE *file, const bench_plain_scene *scene, const bench_plain_body *of)
{
    if (of->solid == BENCH_PLAIN_PLANE && of->kind == BENCH_PLAIN_FIXED) {
        write_geometry(file, of);
        fputc('\n', file);
        return;
    }
    const double *p = of->solid == BENCH_PLAIN_PLANE ? of->slab : of->position, *q = of->rotation, *j = of->inertia;
    /* joints turn with the body: a driven one's rotation is given to an inner body */
    bool is_driven = of->kind == BENCH_PLAIN_DRIVEN;
    fprintf(file, "<body pos='%.17g %.17g %.17g'", p[0], p[1], p[2]);
    fprintf(file, is_driven ? ">" : " quat='%.17g %.17g %.17g %.17g'>", q[0], q[1], q[2], q[3]);
    if (is_driven) {
        write_slides(file, 3, driven_inertia);
        fprintf(file, "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/><body quat='%.17g %.17g %.17g %.17g'>", q[0],
                q[1], q[2], q[3]);
        fputs("<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>", file);
    } else if (of->kind == BENCH_PLAIN_FREE) {
        if (scene->is_planar) {
            write_slides(file, 2, 0.0);
            fputs("<joint type='hinge' axis='0 0 1'/>", file);
        } else {
            fputs("<freejoint/>", file);
        }
        fprintf(file, "<inertial pos='0 0 0' mass='%.17g' diaginertia='%.17g %.17g %.17g'/>", of->mass,
                j[scene->is_planar ? 2 : 0], j[scene->is_planar ? 2 : 1], j[2]);
    }
    write_geometry(file, of);
    fputs(is_driven ? "</body></body>\n" : "</body>\n", file);
}

/* The scene as MJCF; the best setting is what the documentation names against slip: elliptic cones, a higher ratio of
 * frictional to normal impedance, and the solver without slip. */
static char *write_scene(const bench_plain_scene *scene, int setting, size_t *size)
{
    char *text = NULL;
    FILE *file = open_memstream(&text, size);
    if (!file) {
        return NULL;
    }
    int contacts = 100 + CONTACTS_PER_BODY * scene->free;
    fprintf(file, "<mujoco><compiler angle='radian' autolimits='true'/><size nconmax='%d' njmax='%d'/>\n", contacts,
            ROWS_PER_CONTACT * contacts);
    fprintf(file, "<option timestep='%.17g' gravity='%.17g %.17g %.17g'%s/>\n<worldbody>\n", scene->h,
            scene->gravity[0], scene->gravity[1], scene->gravity[2],
            setting == 1 ? " cone='elliptic' impratio='10' noslip_iterations='10'" : "");
    for (int i = 0; i < scene->count; ++i) {
        write_body(file, scene, &scene->body[i]);
    }
    fputs("</worldbody></mujoco>\n", file);
    fclose(file);
    return text;
}

static mjModel *load(char *text, size_t size)
{
    static mjVFS files; /* large */
    char error[500] = "";
    mj_defaultVFS(&files);
    mj_makeEmptyFileVFS(&files, "scene.xml", (int)size);
    memcpy(files.filedata[mj_findFileVFS(&files, "scene.xml")], text, size);
    mjModel *model = mj_loadXML("scene.xml", &files, error, sizeof error);
    mj_deleteVFS(&files);
    if (!model) {
        fprintf(stderr, "%s\n", error);
    }
    return model;
}

static void *create(const bench_plain_scene *scene, int setting)
{
    world *w = calloc(1, sizeof *w);
    size_t size = 0;
    char *text = write_scene(scene, setting, &size);
    if (!w || !text || !(w->model = load(text, size)) || !(w->data = mj_makeData(w->model))) {
        return NULL;
    }
    free(text);
    w->free = scene->free;
    w->is_planar = scene->is_planar;
    for (int i = scene->free; i < scene->count; ++i) {
        w->driven += scene->body[i].kind == BENCH_PLAIN_DRIVEN;
    }
    return w;
}

/* Coordinates of driven bodies are the last: 3 each, as many velocities. */
static void step(void *data, const double from[3], const double to[3])
{
    world *w = data;
    for (int k = 0; k < 3 * w->driven; ++k) {
        w->data->qpos[w->model->nq - 3 * w->driven + k] = from[k % 3];
        w->data->qvel[w->model->nv - 3 * w->driven + k] = (to[k % 3] - from[k % 3]) / w->model->opt.timestep;
    }
    mj_step(w->model, w->data);
}

/* MuJoCo puts everything back to its start when numbers overflow, and counts that. */
static bool is_diverged(const mjData *data)
{
    return data->warning[mjWARN_BADQPOS].number + data->warning[mjWARN_BADQVEL].number +
               data->warning[mjWARN_BADQACC].number >
           0;
}

static void state(void *data, int body, bench_plain_state *out)
{
    const world *w = data;
    if (is_diverged(w->data)) {
        *out = (bench_plain_state){.position = {NAN, NAN, NAN}, .rotation = {1.0}};
        return;
    }
    if (w->is_planar) {
        /* slides count from where the body stood at first; its parent is the world */
        const mjtNum *q = w->data->qpos + 3 * body, *v = w->data->qvel + 3 * body,
                     *p = w->model->body_pos + 3 * (body + 1);
        *out = (bench_plain_state){.position = {p[0] + q[0], p[1] + q[1], 0.0},
                                   .rotation = {cos(0.5 * q[2]), 0.0, 0.0, sin(0.5 * q[2])},
                                   .velocity = {v[0], v[1], 0.0}};
        return;
    }
    memcpy(out->position, w->data->qpos + 7 * body, sizeof out->position);
    memcpy(out->rotation, w->data->qpos + 7 * body + 3, sizeof out->rotation);
    memcpy(out->velocity, w->data->qvel + 6 * body, sizeof out->velocity);
}

static int complaints(void *data)
{
    const world *w = data;
    int total = 0;
    for (int k = 0; k < mjNWARNING; ++k) {
        total += w->data->warning[k].number;
    }
    return total;
}

#define TEXT_OF(number) #number
#define TEXT(number)    TEXT_OF(number)

const bench_world_peer bench_world_mujoco = {
    .name = "MuJoCo",
    .version = TEXT(mjVERSION_HEADER),
    .settings = {"pyramid", "elliptic, impratio 10, noslip 10"},
    .takes = BENCH_TAKES_SPATIAL | BENCH_TAKES_DISKS,
    .create = create,
    .step = step,
    .state = state,
    .complaints = complaints,
};
