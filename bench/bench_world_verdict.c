/* bench_world_verdict.c -- what a run amounts to.
 *
 * Incline: with x the way downhill and T the length of the run, the creep speed is (x(T) - x(T/2)) / (T/2), the
 * acceleration (x(T) - 2 x(T/2) + x(0)) / (T/2)^2, which is exact for a constant one stepped by symplectic Euler. */
#include "bench_world.h"

#include <math.h>

static const double sticks_below = 1e-6;  /* [m/s]: a millimetre in a quarter of an hour */
static const double slides_within = 0.01; /* of the exact acceleration */
static const double stands_within = 1e-4; /* [m]: way of the top of unit boxes */
static const double falls_from = 0.5;     /* [m]: half a box */
static const double rests_below = 0.05;   /* [m/s]: a ball of the pile, half its radius a second */

const char *bench_rival_figure_name(bench_question asks)
{
    switch (asks) {
    case BENCH_ASKS_STICK: return "creep m/s";
    case BENCH_ASKS_SLIDE: return "accel. err";
    case BENCH_ASKS_STAND: return "top moved m";
    default: return "mean overl.%";
    }
}

/* Way downhill from the start to a place. */
static double downhill(const bench_rival_scene *scene, const bench_rival_run *run, const double to[3])
{
    double angle = scene->parameter * 3.14159265358979323846 / 180.0;
    return (to[0] - run->start[0]) * cos(angle) + (to[1] - run->start[1]) * sin(angle);
}

static double incline_figure(const bench_rival_scene *scene, const bench_rival_run *run)
{
    if (run->done < run->steps) {
        return (double)NAN;
    }
    double half = 0.5 * run->steps * scene->h;
    double middle = downhill(scene, run, run->middle), end = downhill(scene, run, run->now);
    if (scene->asks == BENCH_ASKS_STICK) {
        return (end - middle) / half;
    }
    double exact = bench_incline_acceleration(scene->asks);
    return (end - 2.0 * middle) / (half * half) / exact - 1.0;
}

double bench_rival_figure(const bench_rival_scene *scene, const bench_rival_run *run)
{
    switch (scene->asks) {
    case BENCH_ASKS_STICK:
    case BENCH_ASKS_SLIDE: return incline_figure(scene, run);
    case BENCH_ASKS_STAND: return run->moved;
    default: return 100.0 * run->overlap / (run->done > 0 ? run->done : 1) / scene->length;
    }
}

static const char *incline_verdict(bench_question asks, double figure)
{
    if (asks == BENCH_ASKS_STICK) {
        return fabs(figure) < sticks_below ? "sticks" : "creeps";
    }
    return fabs(figure) < slides_within ? "slides" : figure < slides_within - 1.0 ? "sticks" : "wrong";
}

/* Soft contacts may sink at first and stand then. */
static const char *stack_verdict(const bench_rival_run *run)
{
    if (run->moved < stands_within) {
        return "stands";
    }
    return run->moved > falls_from ? "falls" : run->moved_late < stands_within ? "settles" : "moves";
}

static const char *answer(const bench_rival_scene *scene, const bench_rival_run *run)
{
    switch (scene->asks) {
    case BENCH_ASKS_STICK:
    case BENCH_ASKS_SLIDE: return incline_verdict(scene->asks, bench_rival_figure(scene, run));
    case BENCH_ASKS_STAND: return stack_verdict(run);
    case BENCH_ASKS_POUR: return run->speed < rests_below ? "rests" : "moves";
    default: return "done";
    }
}

void bench_rival_verdict(const bench_rival_scene *scene, const bench_rival_run *run, char text[BENCH_FIGURE_TEXT])
{
    double time = run->done * scene->h;
    size_t room = BENCH_FIGURE_TEXT;
    int used = 0;
    if (run->done > 0 && !run->is_finite) {
        used = snprintf(text, room, "not finite at %.3g s", time);
    } else if (run->end == BENCH_RUN_DONE) {
        used = snprintf(text, room, "%s", answer(scene, run));
    } else {
        const char *what = run->end == BENCH_RUN_TIMEOUT   ? "timeout"
                           : run->end == BENCH_RUN_REFUSED ? "refused"
                                                           : "crash";
        used = snprintf(text, room, "%s at %.3g s", what, time);
    }
    if (run->lost > 0 && used > 0 && (size_t)used < room) {
        used += snprintf(text + used, room - (size_t)used, ", %d lost", run->lost);
    }
    if (run->complaints > 0 && used > 0 && (size_t)used < room) {
        snprintf(text + used, room - (size_t)used, ", %d warnings", run->complaints);
    }
}
