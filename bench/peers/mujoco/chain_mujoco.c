/* chain_mujoco.c -- chains of hinges in MuJoCo: mass matrix by composite bodies, its sparse L'DL factor, bias forces.
 *
 * The chain is written as URDF, which lists links and joints; in MJCF bodies are nested, and the parser refuses chains of a
 * thousand. Only the functions that accelerations need are called, not mj_forward(), which would look for contacts too. */
#define _POSIX_C_SOURCE 200809L
#include "../chain_peer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mujoco/mujoco.h>

typedef struct chain {
    mjModel *model;
    mjData *data;
} chain;

/* Fixed-axis angles of a rotation: roll about x, then pitch about y, then yaw about z. */
static void write_origin(FILE *file, const double *p, const double *q)
{
    double w = q[0], x = q[1], y = q[2], z = q[3];
    double roll = atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)),
           yaw = atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));
    double pitch = asin(2 * (w * y - z * x));
    fprintf(file, "<origin xyz='%.17g %.17g %.17g' rpy='%.17g %.17g %.17g'/>", p[0], p[1], p[2], roll, pitch, yaw);
}

static char *write_chain(const bench_chain *of, size_t *size)
{
    char *text = NULL;
    FILE *file = open_memstream(&text, size);
    if (!file) {
        return NULL;
    }
    fputs("<robot name='chain'><mujoco><compiler fusestatic='false' strippath='false'/></mujoco><link name='base'/>\n",
          file);
    for (int i = 0; i < of->links; ++i) {
        const bench_chain_link *l = &of->link[i];
        fprintf(file, "<link name='l%d'><inertial><origin xyz='%.17g %.17g %.17g'/><mass value='%.17g'/>", i, l->com[0],
                l->com[1], l->com[2], l->mass);
        fprintf(file, "<inertia ixx='%.17g' ixy='0' ixz='0' iyy='%.17g' iyz='0' izz='%.17g'/></inertial></link>\n",
                l->inertia[0], l->inertia[1], l->inertia[2]);
        fprintf(file, "<joint name='j%d' type='continuous'><child link='l%d'/>", i, i);
        if (i == 0) {
            fputs("<parent link='base'/>", file);
        } else {
            fprintf(file, "<parent link='l%d'/>", i - 1);
        }
        write_origin(file, l->position, l->rotation);
        fputs("<axis xyz='0 0 1'/></joint>\n", file);
    }
    fputs("</robot>\n", file);
    fclose(file);
    return text;
}

static mjModel *load(const char *text, size_t size)
{
    static mjVFS files; /* large */
    char error[500] = "";
    mj_defaultVFS(&files);
    mj_makeEmptyFileVFS(&files, "chain.urdf", (int)size);
    memcpy(files.filedata[mj_findFileVFS(&files, "chain.urdf")], text, size);
    mjModel *model = mj_loadXML("chain.urdf", &files, error, sizeof error);
    mj_deleteVFS(&files);
    if (!model) {
        fprintf(stderr, "MuJoCo: %s\n", error);
    }
    return model;
}

static void destroy(void *model)
{
    chain *c = model;
    if (c) {
        mj_deleteData(c->data);
        mj_deleteModel(c->model);
        free(c);
    }
}

static void *create(const bench_chain *of)
{
    chain *c = calloc(1, sizeof *c);
    size_t size = 0;
    char *text = write_chain(of, &size);
    if (!c || !text || !(c->model = load(text, size)) || !(c->data = mj_makeData(c->model)) ||
        c->model->nv != of->links) {
        free(text);
        return NULL;
    }
    free(text);
    memcpy(c->model->opt.gravity, of->gravity, sizeof of->gravity);
    return c;
}

static void accelerate(void *model, const double *q, const double *u, const double *torque, double *acceleration)
{
    chain *c = model;
    const mjModel *m = c->model;
    mjData *d = c->data;
    memcpy(d->qpos, q, (size_t)m->nq * sizeof *q);
    memcpy(d->qvel, u, (size_t)m->nv * sizeof *u);
    mj_kinematics(m, d);
    mj_comPos(m, d);
    mj_crb(m, d);
    mj_factorM(m, d);
    mj_comVel(m, d);
    mj_rne(m, d, 0, d->qfrc_bias);
    mju_sub(d->qfrc_smooth, torque, d->qfrc_bias, m->nv);
    mj_solveM(m, d, acceleration, d->qfrc_smooth, 1);
}

#define TEXT_OF(number) #number
#define TEXT(number)    TEXT_OF(number)

const bench_chain_peer bench_chain_mujoco = {
    .name = "MuJoCo",
    .version = TEXT(mjVERSION_HEADER),
    .method = "mj_crb, mj_factorM, mj_rne, mj_solveM",
    .create = create,
    .accelerate = accelerate,
    .destroy = destroy,
};
