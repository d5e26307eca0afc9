/* native.c -- one scene through Cairn or through an engine that the benchmark was linked with.
 *
 *   conformance_native --list                     engines: name, version, both settings, what they take; a line each
 *   conformance_native ENGINE SETTING SCENE STEPS EVERY
 *
 * Prints a JSON line for each sample: time, [x,y,z, qw,qx,qy,qz, vx,vy,vz, wx,wy,wz] of each free body, and the vertical
 * load of each body whose name begins with "scale". Ends with a line of processor time and complaints. Objects live until
 * the process ends; the caller limits its time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cairn/io.h>

#include "plain.h"
#include "thread.h"

typedef struct job {
    const bench_world_peer *peer;
    void *world;
    const crn_model *model;
    bench_plain_scene scene;
    int *place; /* of the model's bodies in the description */
    int steps, every;
    double seconds;
} job;

static int peers(void)
{
    return 1 + bench_world_known_count();
}

/* Cairn is number 0; NULL: not linked. */
static const bench_world_peer *peer_at(int index)
{
    return index == 0 ? &bench_world_cairn_even : bench_world_known_at(index - 1).peer;
}

static int list(void)
{
    for (int i = 0; i < peers(); ++i) {
        const bench_world_peer *peer = peer_at(i);
        if (peer) {
            printf("%s\t%s\t%s\t%s\t%u\n", peer->name, i == 0 ? crn_version() : peer->version, peer->settings[0],
                   peer->settings[1], peer->takes);
        }
    }
    return 0;
}

static const bench_world_peer *find_peer(const char *name)
{
    for (int i = 0; i < peers(); ++i) {
        if (peer_at(i) && strcmp(peer_at(i)->name, name) == 0) {
            return peer_at(i);
        }
    }
    return NULL;
}

/* Free bodies first, in the order of the model; then the solids of the others. */
static void number_bodies(job *j)
{
    int next[2] = {0, j->scene.free};
    for (int i = 0; i < crn_model_bodies(j->model); ++i) {
        const crn_body_def *def = crn_model_body(j->model, i);
        int is_held = def->kind != CRN_BODY_FREE;
        j->place[i] = next[is_held];
        next[is_held] += is_held ? def->shapes : 1;
    }
}

static void print_numbers(const double *values, int count, const char *end)
{
    for (int i = 0; i < count; ++i) {
        printf(values[i] == values[i] && values[i] - values[i] == 0.0 ? "%.17g" : "null", values[i]);
        fputs(i + 1 < count ? "," : end, stdout);
    }
}

static void print_loads(const job *j)
{
    const char *before = "";
    for (int i = 0; i < crn_model_bodies(j->model); ++i) {
        const char *name = crn_model_body(j->model, i)->name;
        double force[3];
        if (name && strncmp(name, "scale", 5) == 0 && j->peer->load && j->peer->load(j->world, j->place[i], force)) {
            printf("%s%.17g", before, -force[2]);
            before = ",";
        }
    }
}

static void print_sample(const job *j, int step)
{
    printf("{\"t\":%.17g,\"s\":[", step * j->scene.h);
    for (int i = 0; i < j->scene.free; ++i) {
        bench_plain_state state = {0};
        j->peer->state(j->world, i, &state);
        fputs(i > 0 ? ",[" : "[", stdout);
        print_numbers(state.position, 3, ",");
        print_numbers(state.rotation, 4, ",");
        print_numbers(state.velocity, 3, ",");
        print_numbers(state.angular, 3, "]");
    }
    fputs("],\"load\":[", stdout);
    print_loads(j);
    fputs("]}\n", stdout);
}

static void push(const job *j)
{
    for (int i = 0; i < crn_model_loads(j->model) && j->peer->push; ++i) {
        const crn_load_def *load = crn_model_load(j->model, i);
        double force[3] = {load->force.x, load->force.y, load->force.z};
        j->peer->push(j->world, j->place[load->body], force);
    }
}

static void run(job *j)
{
    const double nowhere[3] = {0};
    print_sample(j, 0);
    for (int k = 1; k <= j->steps; ++k) {
        push(j);
        double begin = bench_thread_seconds();
        j->peer->step(j->world, nowhere, nowhere);
        j->seconds += bench_thread_seconds() - begin;
        if (k % j->every == 0 || k == j->steps) {
            print_sample(j, k);
        }
    }
    printf("{\"seconds\":%.6g,\"complaints\":%d}\n", j->seconds,
           j->peer->complaints ? j->peer->complaints(j->world) : 0);
}

static int run_scene(job *j, int setting, const char *path)
{
    crn_error error;
    crn_model *model = NULL;
    if (crn_io_read_scene(path, NULL, &model, &error) != CRN_OK) {
        fprintf(stderr, "%s\n", error.text);
        return 2;
    }
    j->model = model;
    j->place = calloc((size_t)crn_model_bodies(model) + 1, sizeof *j->place);
    if (!j->place || !bench_plain_make(model, crn_model_world_of(model)->dt, &j->scene)) {
        return 3;
    }
    number_bodies(j);
    j->world = j->peer->create(&j->scene, setting);
    if (!j->world) {
        fprintf(stderr, "%s refuses the scene\n", j->peer->name);
        return 3;
    }
    run(j);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--list") == 0) {
        return list();
    }
    job j = {.peer = argc == 6 ? find_peer(argv[1]) : NULL};
    if (!j.peer || (j.steps = atoi(argv[4])) < 1 || (j.every = atoi(argv[5])) < 1) {
        fputs("usage: conformance_native --list | ENGINE SETTING SCENE STEPS EVERY\n", stderr);
        return 2;
    }
    return run_scene(&j, atoi(argv[2]) != 0, argv[3]);
}
