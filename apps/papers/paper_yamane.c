/* cairn-papers yamane: tables 1 to 3 and figure 2 of [YN08 s5].
 *
 * Tables 1 and 2 are made twice: every method on the same frames, those of the run that our own solver drives; and each method in
 * a run of its own, where its impulses move the robot. The scenes of table 3 also run at 10 ms, and from random starts. */
#include "paper_yamane.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const yamane_kind yamane_own[YAMANE_OWN] = {YAMANE_STATES, YAMANE_LEMKE,   YAMANE_LEX_0,   YAMANE_LEX_8, YAMANE_LEX_6,
                                            YAMANE_LEX_4,  YAMANE_PRINTED, YAMANE_AUTHORS, YAMANE_SEARCH};

const yamane_scene yamane_scenes[YAMANE_TABLE_3] = {{"hoist", 1e-3, 34.2, 20.8, 9357, 62.0, 120.0},
                                                    {"hoist", 1e-2, 48.4, 23.0, 935, 96.5, 187.0},
                                                    {"ring2", 1e-3, 26.1, 21.7, 3926, 35.0, 80.6},
                                                    {"net", 1e-3, 25.7, 16.9, 1818, 9.72, 62.5},
                                                    {.name = "ring2", .dt = 1e-2},
                                                    {.name = "ring3", .dt = 1e-3},
                                                    {.name = "ring3", .dt = 1e-2},
                                                    {.name = "net", .dt = 1e-2},
                                                    {.name = "humanoid", .dt = 1e-3},
                                                    {.name = "humanoid", .dt = 1e-2}};

/* Aims. */
static const double aim_time = 0.5;      /* of lexicographic Lemke's time on the same frames */
static const double aim_hoist_ms = 0.2;  /* a step */
static const double aim_shorter = 4.5;   /* the paper's: 1 ms against 10 ms */
static const double aim_overlap = 1e-6;  /* [m], loops too */
static const double aim_joint = 1e-14;   /* [m] */
static const double aim_length = 2.0;    /* [m]: longer than three wires are */
static const double aim_weight = 0.01;   /* of the mean force */
static const double aim_upright = 0.999; /* cosine of the trunk's tilt in the squat */
static const double aim_dancing = 0.9;   /* in the dance */
static const double rounding = 1e-9;     /* of the energy at the start: what adding up leaves */

/* --- Measuring --- */

static bool measure_squat(paper *p, yamane_all *all)
{
    bool ok = true;
    for (int i = 0; i < YAMANE_OWN && ok; ++i) {
        yamane_request request = {
            .scene = "squat", .seconds = p->is_quick ? 0.03 : 0.0, .kind = yamane_own[i], .is_compared = i == 0};
        ok = yamane_run_make(p, &request, &all->squat[i]);
    }
    return ok;
}

static bool measure_dance(paper *p, yamane_all *all)
{
    yamane_request dance = {.scene = "tap-dance", .seconds = p->is_quick ? 0.05 : 0.0, .kind = YAMANE_STATES};
    dance.is_compared = true;
    dance.every = p->is_quick ? 1 : 10;
    bool ok = yamane_run_make(p, &dance, &all->dance);
    dance.is_compared = false;
    dance.kind = YAMANE_LEX_10; /* the paper's best for this scene */
    ok = ok && yamane_run_make(p, &dance, &all->dance_lex);
    dance.kind = YAMANE_AUTHORS;
    return ok && yamane_run_make(p, &dance, &all->dance_authors);
}

static void add_start(yamane_starts *starts, const yamane_run *run)
{
    starts->runs++;
    starts->frames += run->frames;
    starts->failures += run->failures;
    starts->overlap = fmax(starts->overlap, run->overlap);
    starts->loop = fmax(starts->loop, run->loop);
    starts->joint = fmax(starts->joint, run->joint);
    starts->gain = fmax(starts->gain, yamane_gain(run));
    starts->lowest = starts->runs == 1 ? run->lowest : fmin(starts->lowest, run->lowest);
}

/* A scene as it is, and from random starts. */
static bool measure_scene(paper *p, const yamane_scene *scene, yamane_run *run, yamane_starts *starts)
{
    int seeds = p->is_quick ? 1 : YAMANE_STARTS;
    yamane_request request = {
        .scene = scene->name, .dt = scene->dt, .seconds = p->is_quick ? 30.0 * scene->dt : 0.0, .kind = YAMANE_STATES};
    bool ok = yamane_run_make(p, &request, run);
    for (int s = 1; s <= seeds && ok; ++s) {
        yamane_run other = {0};
        request.seed = (uint64_t)s;
        ok = yamane_run_make(p, &request, &other);
        add_start(starts, &other);
        yamane_run_free(&other);
    }
    return ok;
}

static bool measure(paper *p, yamane_all *all)
{
    int starts = 1 + (p->is_quick ? 1 : YAMANE_STARTS);
    paper_steps(p, 100 * (YAMANE_OWN + 3 + YAMANE_TABLE_3 * starts));
    bool ok = measure_squat(p, all) && measure_dance(p, all);
    for (int i = 0; i < YAMANE_TABLE_3 && ok; ++i) {
        ok = measure_scene(p, &yamane_scenes[i], &all->scene[i], &all->starts[i]);
    }
    return ok;
}

static void release(yamane_all *all)
{
    for (int i = 0; i < YAMANE_OWN; ++i) {
        yamane_run_free(&all->squat[i]);
    }
    yamane_run_free(&all->dance);
    yamane_run_free(&all->dance_lex);
    yamane_run_free(&all->dance_authors);
    for (int i = 0; i < YAMANE_TABLE_3; ++i) {
        yamane_run_free(&all->scene[i]);
    }
}

/* --- Aims --- */

static double mean_force(const yamane_run *run)
{
    double sum = 0.0;
    for (int k = 0; k < run->steps; ++k) {
        sum += run->force[k] / run->steps;
    }
    return sum;
}

/* The lexicographic method that fails least on the same frames. */
static yamane_kind best_lex(const yamane_run *run, int warm)
{
    int best = YAMANE_LEX_0;
    for (int kind = YAMANE_LEX_0; kind <= YAMANE_LEX_4; ++kind) {
        best = yamane_failures(&run->same[kind][warm]) < yamane_failures(&run->same[best][warm]) ? kind : best;
    }
    return (yamane_kind)best;
}

/* Ours against the lexicographic method that fails least, both from the frictionless solution. */
static void aim_solve_time(paper *p, const yamane_run *run, const char *what)
{
    const yamane_tally *theirs = &run->same[best_lex(run, 1)][1], *ours = &run->same[YAMANE_STATES][1];
    double ms = yamane_mean_ms(ours), their_ms = yamane_mean_ms(theirs);
    paper_aim(p, ms <= aim_time * their_ms, what, "at most 0.5",
              "%.2f (%.4f and %.4f ms; in the run, from the step before: %.4f)", ms / their_ms, ms, their_ms,
              run->lcp_ms);
}

/* The mean of a whole squat, which begins and ends at rest, is the weight. */
static void aim_force(paper *p, const yamane_run *run)
{
    static const char *const what = "squat: stands upright; mean force of the feet against the weight";
    double off = mean_force(run) / run->weight - 1.0;
    paper_published(p, "Figure 2", "a pattern qualitatively similar to the measured force");
    if (p->is_quick) {
        paper_incomparable(p, "a quick run has the beginning of the squat only", what, "%.2f N so far",
                           mean_force(run));
        return;
    }
    paper_aim(p, run->least_up >= aim_upright && fabs(off) <= aim_weight, what, "within 1 %", "%.3f %% (%.2f N)",
              100.0 * off, mean_force(run));
}

static void aim_squat(paper *p, const yamane_all *all)
{
    const yamane_run *run = &all->squat[0];
    int worst = 0, least = run->frames;
    for (int kind = YAMANE_LEMKE; kind <= YAMANE_LEX_4; ++kind) {
        int fail = yamane_failures(&run->same[kind][1]);
        worst = fail > worst ? fail : worst;
        least = fail < least ? fail : least;
    }
    int search = yamane_failures(&run->same[YAMANE_SEARCH][1]), states = yamane_failures(&run->same[YAMANE_STATES][1]);
    paper_how(
        p, "Squat of 1 s and tap dance of 9.67 s in steps of 1 ms (quick: 0.03 and 0.05 s), cones of 8 sides. Own run: "
           "the method\u2019s impulses move the robot. Same frames: the LCPs of our own run (of the dance every "
           "tenth), started from the frictionless solution. Solved: error of at most e_max = 1e-3 in the paper\u2019s "
           "units, for ours also certified to 1e-9. Time: processor time of the LCP with friction, certificate "
           "included.");
    paper_published(p, "Table I", "999 of 999 frames solved");
    paper_aim(p, run->failures == 0 && run->frames > 0, "squat, own run: frames not solved", "0, certified to 1e-9",
              "%d of %d (worst certificate %.0e)", run->failures, run->frames, run->certificate);
    paper_published(p, "Table I", "999 of 999 frames solved");
    paper_aim(p, search == 0 && states == 0, "squat, same frames: not solved by search, by contact states", "0, 0",
              "%d, %d of %d", search, states, run->compared);
    paper_published(p, "Table I", "Lemke and lexicographic Lemke fail in 492 to 4 of 998 frames");
    paper_aim(p, worst > 0, "squat, same frames: not solved by Lemke, six variants, from the frictionless solution",
              "some: the paper's point", "%d to %d of %d", worst, least, run->compared);
    paper_published(p, "Table I", "no times; half in the dance");
    aim_solve_time(p, run, "squat, same frames: solve time against the best lexicographic Lemke's");
    aim_force(p, run);
}

static void aim_dance(paper *p, const yamane_all *all)
{
    const yamane_run *run = &all->dance;
    const yamane_tally *theirs = &run->same[best_lex(run, 1)][1], *ours = &run->same[YAMANE_STATES][1];
    paper_published(p, "Table II", "0 of 9670 frames not solved");
    paper_aim(p, run->failures == 0 && run->least_up >= aim_dancing, "tap dance, own run: frames not solved",
              "0, and it stands", "%d of %d (worst certificate %.0e)", run->failures, run->frames, run->certificate);
    paper_published(p, "Table II", "0.182 ms against 0.375 ms: 0.49");
    aim_solve_time(p, run, "tap dance, same frames: solve time against the best lexicographic Lemke's");
    paper_published(p, "Table II", "34335 pivots against 71102: 0.48");
    paper_aim(p, (double)ours->pivots <= aim_time * (double)theirs->pivots, "tap dance, same frames: pivots likewise",
              "at most 0.5", "%.2f (%lld, %lld)", (double)ours->pivots / (double)theirs->pivots, ours->pivots,
              theirs->pivots);
}

/* The worst over scenes and starts. */
static yamane_starts worst_of(const yamane_all *all)
{
    yamane_starts worst = {0};
    for (int i = 0; i < YAMANE_TABLE_3; ++i) {
        const yamane_starts *s = &all->starts[i];
        add_start(&worst, &all->scene[i]);
        worst.runs += s->runs;
        worst.frames += s->frames;
        worst.failures += s->failures;
        worst.overlap = fmax(worst.overlap, s->overlap);
        worst.loop = fmax(worst.loop, s->loop);
        worst.joint = fmax(worst.joint, s->joint);
        worst.gain = fmax(worst.gain, s->gain);
    }
    return worst;
}

/* Of the wires: a ring that came loose has fallen by 78 m in 4 s. */
static double lowest_ring(const yamane_all *all)
{
    double lowest = 0.0;
    for (int i = 0; i < YAMANE_TABLE_3; ++i) {
        if (strncmp(yamane_scenes[i].name, "ring", 4) == 0) {
            lowest = fmin(lowest, fmin(all->scene[i].lowest, all->starts[i].lowest));
        }
    }
    return lowest;
}

static void aim_longer_steps(paper *p, const yamane_all *all)
{
    static const char *const what = "hoist: whole computation, 1 ms against 10 ms";
    double ratio = all->scene[0].step_ms * all->scene[0].steps / (all->scene[1].step_ms * all->scene[1].steps);
    paper_published(p, "s5-C, Table III", "at 10 ms the computation is about 4.5 times shorter");
    if (p->is_quick) {
        paper_incomparable(p, "a quick run has 30 steps of each", what, "%.1f for as many steps", ratio);
        return;
    }
    paper_aim(p, ratio >= aim_shorter, what, "at least 4.5 times", "%.1f", ratio);
}

static void aim_scenes(paper *p, const yamane_all *all)
{
    yamane_starts worst = worst_of(all);
    double lowest = lowest_ring(all);
    paper_how(
        p, "Ten scenes, each as it is and from ten random starts (quick: 30 steps, one start). Lengths: the worst at a "
           "step\u2019s end over all of them. Energy: largest above that before the first step, relative to it. Time "
           "of a step: processor time, collision detection and certificate included; one problem a step, where the "
           "paper has Runge-Kutta of order 4.");
    paper_published(p, "Table III", "no failure in 9357, 935, 3926, 1818 frames");
    paper_aim(p, worst.failures == 0,
              "hoist, rings, net, humanoid at 1 and 10 ms, random starts too: frames not solved", "0",
              "%d of %d in %d runs", worst.failures, worst.frames, worst.runs);
    paper_published(p, "s5-C", "realistic results; no figure");
    paper_aim(p, fmax(worst.overlap, worst.loop) <= aim_overlap,
              "the same: deepest overlap, widest loop at a step's end", "at most 1e-6 m", "%.1e, %.1e m", worst.overlap,
              worst.loop);
    paper_published(p, "s1", "free bodies integrated one by one occasionally break joints; no figure");
    paper_aim(p, worst.joint <= aim_joint, "the same: largest joint error", "at most 1e-14 m", "%.0e m", worst.joint);
    paper_aim(p, worst.gain <= rounding, "the same: energy above its start, relative", "none", "%.1e", worst.gain);
    paper_published(p, "Figure 4", "pictures of rings that hold");
    paper_aim(p, lowest >= -aim_length, "ring2, ring3: the lowest link at the end", "above -2 m: rings hold rings",
              "%.2f m", lowest);
    paper_published(p, "Table III", "120 ms on a Xeon of 3.8 GHz, four evaluations a step: the aim is ours");
    paper_aim(p, all->scene[0].step_ms <= aim_hoist_ms, "hoist, 1 ms: processor time of a step", "at most 0.2 ms",
              "%.3f ms (LCP %.3f; 10 ms: %.3f)", all->scene[0].step_ms, all->scene[0].lcp_ms, all->scene[1].step_ms);
    aim_longer_steps(p, all);
}

bool paper_yamane(paper *p)
{
    yamane_all *all = calloc(1, sizeof *all);
    bool ok = all && measure(p, all);
    if (ok) {
        aim_squat(p, all);
        aim_dance(p, all);
        aim_scenes(p, all);
        yamane_show(p, all);
    }
    if (all) {
        release(all);
    }
    free(all);
    return ok;
}
