/* bench_world_child.c -- one engine through one scene, in a process of its own.
 *
 * The child leaves what it knows in shared memory after every step. The system kills it when its processor time is up,
 * so that a busy machine does not count against it; a crash ends only the child. Either way the run is good for the
 * steps that were made. What the child prints is dropped. */
#define _DEFAULT_SOURCE
#include "bench_world.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "progress.h"

static const double patience = 20.0; /* wall time that a child gets, in processor time: it may be asleep for good */
static const double memory_limit = 16.0e9; /* of a child [bytes] */
static const long poll_nanoseconds = 20000000;

/* --- The child --- */

static void be_quiet_and_modest(double seconds)
{
    int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) {
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
    }
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    struct rlimit processor = {(rlim_t)ceil(seconds), (rlim_t)ceil(seconds) + 1};
    struct rlimit memory = {(rlim_t)memory_limit, (rlim_t)memory_limit};
    struct rlimit no_core = {0, 0};
    (void)setrlimit(RLIMIT_CPU, &processor);
    (void)setrlimit(RLIMIT_AS, &memory);
    (void)setrlimit(RLIMIT_CORE, &no_core);
}

static double distance(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

/* After a step that took so long. */
static void note(bench_rival_run *run, double seconds, const bench_sight *sight, const double watched[3])
{
    run->done++;
    run->seconds += seconds;
    run->worst = fmax(run->worst, seconds);
    run->is_finite = sight->is_finite;
    run->deepest = fmax(run->deepest, sight->deepest);
    run->overlap += sight->mean;
    run->final = sight->deepest;
    run->lost = sight->lost;
    run->speed = sight->speed;
    if (sight->is_finite) {
        memcpy(run->now, watched, sizeof run->now);
        run->moved = fmax(run->moved, distance(run->start, run->now));
    }
    if (run->done == run->steps / 2) {
        memcpy(run->middle, run->now, sizeof run->middle);
    }
    if (run->done > run->steps / 2) {
        run->moved_late = fmax(run->moved_late, distance(run->middle, run->now));
    }
}

static void step_through(const bench_plain_scene *scene, const bench_world_peer *peer, void *world,
                         bench_world_judge *judge, bench_plain_state *states, bench_rival_run *run)
{
    memcpy(run->start, scene->body[scene->free - 1].position, sizeof run->start);
    run->is_finite = true;
    for (int k = 0; k < run->steps && run->is_finite; ++k) {
        double from[3], to[3];
        bench_plain_drive(scene->model, k * scene->h, from);
        bench_plain_drive(scene->model, (k + 1) * scene->h, to);
        double begin = bench_thread_seconds();
        peer->step(world, from, to);
        double seconds = bench_thread_seconds() - begin;
        for (int i = 0; i < scene->free; ++i) {
            peer->state(world, i, &states[i]);
        }
        bench_sight sight = bench_judge_look(judge, (k + 1) * scene->h, states);
        note(run, seconds, &sight, states[scene->free - 1].position);
        run->complaints = peer->complaints ? peer->complaints(world) : 0;
    }
    run->end = BENCH_RUN_DONE;
}

static _Noreturn void work(const crn_model *model, const bench_rival_scene *of, const bench_world_peer *peer,
                           int setting, bench_rival_run *run)
{
    bench_plain_scene scene;
    bench_world_judge *judge = bench_judge_create(model, of->length);
    if (!judge || !bench_plain_make(model, of->h, &scene)) {
        _exit(1);
    }
    bench_plain_state *states = calloc((size_t)scene.free, sizeof *states);
    void *world = states ? peer->create(&scene, setting) : NULL;
    if (!world) {
        run->end = BENCH_RUN_REFUSED;
        _exit(1);
    }
    step_through(&scene, peer, world, judge, states, run);
    _exit(0);
}

/* --- The parent --- */

/* Wait for the child; shows how far it is. Returns its status. */
static int watch(pid_t child, const char *scene, const char *engine, double seconds, const bench_rival_run *run)
{
    const volatile int *done = &run->done;
    double end = crn_seconds() + patience * seconds;
    int status = 0;
    pid_t ended;
    while ((ended = waitpid(child, &status, WNOHANG)) == 0 || (ended < 0 && errno == EINTR)) {
        struct timespec pause = {0, poll_nanoseconds};
        nanosleep(&pause, NULL);
        bench_progress(scene, engine, *done, run->steps);
        if (crn_seconds() > end) {
            kill(child, SIGKILL);
        }
    }
    bench_progress_clear();
    return status;
}

static bool run_child(const crn_model *model, const bench_rival_scene *scene, const bench_world_peer *peer, int setting,
                      double limit, bench_rival_run *run)
{
    fflush(NULL);
    pid_t child = fork();
    if (child < 0) {
        return false;
    }
    if (child == 0) {
        be_quiet_and_modest(limit);
        work(model, scene, peer, setting, run);
    }
    int status = watch(child, scene->name, peer->name, limit, run);
    if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL)) {
        run->end = BENCH_RUN_TIMEOUT;
    }
    return true;
}

bool bench_rival_run_in_child(const bench_rival_scene *scene, const bench_world_peer *peer, int setting,
                              const bench_world_options *options, bench_rival_run *run)
{
    crn_model *model = NULL;
    double duration = options->duration > 0.0 ? options->duration : scene->duration;
    bench_rival_run *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        return false;
    }
    shared->steps = 2 * (int)lround(0.5 * duration / scene->h); /* even: there is a middle */
    bool is_ok = crn_model_create(NULL, &model, NULL) == CRN_OK && scene->fill(scene, model, NULL) == CRN_OK &&
                 run_child(model, scene, peer, setting, options->limit, shared);
    *run = *shared;
    crn_model_destroy(model);
    munmap(shared, sizeof *shared);
    return is_ok;
}
