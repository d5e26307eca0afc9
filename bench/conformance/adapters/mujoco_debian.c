/* mujoco_debian.c -- a scene in MJCF through MuJoCo's C library.
 *
 *   conformance_mujoco --version
 *   conformance_mujoco MODEL.xml PLAN STEPS EVERY
 *
 * Lines of the plan: "free NAME vx vy vz wx wy wz" (in the order to be told; spin in the body's axes), "load NAME fx fy fz", "scale NAME".
 * Prints samples as native.c does. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <mujoco/mujoco.h>

enum { BODIES_MAX = 256, NAME_MAX_LENGTH = 100 };

typedef struct plan {
    int free[BODIES_MAX], frees;
    int pushed[BODIES_MAX], pushes;
    double force[BODIES_MAX][3];
    int scale[BODIES_MAX], scales;
} plan;

static void set_velocity(const mjModel *m, mjData *d, int body, const double v[6])
{
    if (m->body_dofnum[body] == 6) {
        memcpy(d->qvel + m->body_dofadr[body], v, 6 * sizeof *v);
    }
}

static int read_plan(const char *path, const mjModel *m, mjData *d, plan *p)
{
    FILE *file = fopen(path, "r");
    char word[16], name[NAME_MAX_LENGTH + 1];
    double v[6];
    while (file && fscanf(file, "%15s %100s", word, name) == 2) {
        int body = mj_name2id(m, mjOBJ_BODY, name);
        if (strcmp(word, "free") == 0 && p->frees < BODIES_MAX &&
            fscanf(file, "%lf%lf%lf%lf%lf%lf", v, v + 1, v + 2, v + 3, v + 4, v + 5) == 6) {
            p->free[p->frees++] = body;
            set_velocity(m, d, body, v);
        } else if (strcmp(word, "load") == 0 && p->pushes < BODIES_MAX &&
                   fscanf(file, "%lf%lf%lf", v, v + 1, v + 2) == 3) {
            memcpy(p->force[p->pushes], v, 3 * sizeof *v);
            p->pushed[p->pushes++] = body;
        } else if (strcmp(word, "scale") == 0 && p->scales < BODIES_MAX) {
            p->scale[p->scales++] = body;
        }
    }
    return file && fclose(file) == 0;
}

static void print_number(double value, const char *end)
{
    if (isfinite(value)) {
        printf("%.17g%s", value, end);
    } else {
        printf("null%s", end);
    }
}

static void print_body(const mjModel *m, const mjData *d, int body)
{
    const double *spin = d->cvel + 6 * body, *lin = spin + 3;
    const double *p = d->xpos + 3 * body, *c = d->subtree_com + 3 * m->body_rootid[body];
    double r[3] = {p[0] - c[0], p[1] - c[1], p[2] - c[2]}, turn[3];
    mju_cross(turn, spin, r);
    for (int i = 0; i < 3; ++i) {
        print_number(p[i], ",");
    }
    for (int i = 0; i < 4; ++i) {
        print_number(d->xquat[4 * body + i], ",");
    }
    for (int i = 0; i < 3; ++i) {
        print_number(lin[i] + turn[i], ",");
    }
    for (int i = 0; i < 3; ++i) {
        print_number(spin[i], i < 2 ? "," : "]");
    }
}

/* Vertical part of the normal forces on a body; they push it down. */
static double load_of(const mjModel *m, const mjData *d, int body)
{
    double sum = 0.0;
    for (int k = 0; k < d->ncon; ++k) {
        double force[6];
        const mjContact *c = &d->contact[k];
        mj_contactForce(m, d, k, force);
        if (m->geom_bodyid[c->geom1] == body || m->geom_bodyid[c->geom2] == body) {
            sum += fabs(force[0] * c->frame[2]);
        }
    }
    return sum;
}

static void print_sample(const mjModel *m, mjData *d, const plan *p, double t)
{
    mj_kinematics(m, d);
    mj_comPos(m, d);
    mj_comVel(m, d);
    printf("{\"t\":%.17g,\"s\":[", t);
    for (int i = 0; i < p->frees; ++i) {
        fputs(i > 0 ? ",[" : "[", stdout);
        print_body(m, d, p->free[i]);
    }
    fputs("],\"load\":[", stdout);
    for (int i = 0; i < p->scales; ++i) {
        print_number(load_of(m, d, p->scale[i]), i + 1 < p->scales ? "," : "");
    }
    fputs("]}\n", stdout);
}

static double run(const mjModel *m, mjData *d, const plan *p, int steps, int every)
{
    double seconds = 0.0;
    print_sample(m, d, p, 0.0);
    for (int k = 1; k <= steps; ++k) {
        for (int i = 0; i < p->pushes; ++i) {
            memcpy(d->xfrc_applied + 6 * p->pushed[i], p->force[i], sizeof p->force[i]);
        }
        clock_t begin = clock();
        mj_step(m, d);
        seconds += (double)(clock() - begin) / CLOCKS_PER_SEC;
        if (k % every == 0 || k == steps) {
            print_sample(m, d, p, k * m->opt.timestep);
        }
    }
    return seconds;
}

int main(int argc, char **argv)
{
    char error[500] = "";
    plan p = {0};
    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        puts(mj_versionString());
        return 0;
    }
    if (argc != 5 || atoi(argv[3]) < 1 || atoi(argv[4]) < 1) {
        fputs("usage: conformance_mujoco MODEL PLAN STEPS EVERY\n", stderr);
        return 2;
    }
    mjModel *m = mj_loadXML(argv[1], NULL, error, sizeof error);
    mjData *d = m ? mj_makeData(m) : NULL;
    if (!d || !read_plan(argv[2], m, d, &p)) {
        fprintf(stderr, "%s\n", error);
        return 2;
    }
    double seconds = run(m, d, &p, atoi(argv[3]), atoi(argv[4]));
    int warnings = 0;
    for (int i = 0; i < mjNWARNING; ++i) {
        warnings += d->warning[i].number;
    }
    printf("{\"seconds\":%.6g,\"complaints\":%d}\n", seconds, warnings);
    return 0;
}
