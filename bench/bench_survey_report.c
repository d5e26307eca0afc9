/* bench_survey_report.c -- sums over worlds, the table, the lists of seeds, lines of the CSV file. */
#include "bench_survey.h"

#include <math.h>
#include <string.h>

/* --- Sums --- */

/* Kinds of worlds; a world may be of several. */
enum { PLAIN, BOUNCING, OVERLAPPED, TREES, ROWS, LOOPS, SPRINGS, WORKED };

void survey_sums_begin(survey_sums *s)
{
    memset(s, 0, sizeof *s);
    const char *const names[SURVEY_GROUPS] = {"plain: none of these",
                                              "with restitution",
                                              "overlap at the start",
                                              "joints, no loop, no rows",
                                              "joints as rows, no loop",
                                              "loops",
                                              "springs",
                                              "driven, motors, loads"};
    for (int i = 0; i < SURVEY_GROUPS; ++i) {
        s->group[i].name = names[i];
    }
    s->gain.title = "energy above the bound, of the energy at hand";
    s->mended.title = "energy from repair, which the bound allows, of its scale";
    s->deep.title = "overlap, of the smaller body's radius (none at the start)";
    s->loose.title = "joints open [m, rad]";
    s->slow.title = "slowest step [s]";
    s->broken.title = "steps not solved";
}

static void note(survey_worst *list, double value, uint64_t seed)
{
    int at = list->count;
    while (at > 0 && list->value[at - 1] < value) {
        --at;
    }
    if (!(value > 0.0) || at == SURVEY_LISTED) {
        return;
    }
    list->count += list->count < SURVEY_LISTED;
    for (int i = list->count - 1; i > at; --i) {
        list->value[i] = list->value[i - 1];
        list->seed[i] = list->seed[i - 1];
    }
    list->value[at] = value;
    list->seed[at] = seed;
}

static void add_to_group(survey_group *g, const crn_survey *v)
{
    g->worlds++;
    g->judged += v->is_judged;
    g->exceeding += v->exceeded > 0;
    g->overlapping += v->overlapping > 0;
    g->open += v->open > 0;
    g->unsolved += v->unsolved > 0;
    g->not_finite += !v->is_finite;
    g->diverged += v->status != CRN_OK;
    g->excess = fmax(g->excess, v->ratio);
}

static void add_to_groups(survey_sums *s, const crn_survey *v)
{
    bool is_of[SURVEY_GROUPS] = {0};
    is_of[BOUNCING] = v->has_restitution;
    is_of[OVERLAPPED] = v->has_overlap;
    is_of[TREES] = v->joints > 0 && v->loops == 0 && v->rows == 0;
    is_of[ROWS] = v->rows > 0 && v->loops == 0;
    is_of[LOOPS] = v->loops > 0;
    is_of[SPRINGS] = v->springs > 0;
    is_of[WORKED] = !v->is_closed;
    is_of[PLAIN] = !v->has_restitution && !v->has_overlap && v->joints == 0 && v->is_closed;
    for (int i = 0; i < SURVEY_GROUPS; ++i) {
        if (is_of[i]) {
            add_to_group(&s->group[i], v);
        }
    }
}

static void add_steps(survey_sums *s, const crn_survey *v)
{
    s->steps += v->steps;
    s->exceeded += v->exceeded;
    s->raised += v->raised;
    s->exceeded_certified += v->exceeded_certified;
    s->unsolved += v->unsolved;
    s->other_law += v->other_law;
    s->relaxed += v->relaxed;
    s->bounced += v->bounced;
    s->touching += v->touching;
    s->overlapping += v->overlapping;
    s->open += v->open;
    for (int i = 0; i < CRN_VERDICT_COUNT; ++i) {
        s->verdict[i] += v->verdict[i];
    }
}

static void add_worst(survey_sums *s, const crn_survey *v, uint64_t seed)
{
    s->excess = fmax(s->excess, v->excess);
    s->overlap = fmax(s->overlap, v->overlap);
    s->opening = fmax(s->opening, v->opening);
    s->aslant = fmax(s->aslant, v->aslant);
    s->unexplained = fmax(s->unexplained, v->unexplained);
    s->momentum = fmax(s->momentum, v->momentum);
    s->angular = fmax(s->angular, v->angular);
    s->repaired = fmax(s->repaired, v->repaired);
    s->seconds += v->seconds;
    s->slowest = fmax(s->slowest, v->slowest);
    note(&s->gain, v->exceeded > 0 ? v->ratio : 0.0, seed);
    note(&s->mended, v->repaired, seed);
    note(&s->deep, v->overlapping > 0 && !v->has_overlap ? v->overlap : 0.0, seed);
    note(&s->loose, v->open > 0 ? v->opening : 0.0, seed);
    note(&s->slow, v->slowest, seed);
    note(&s->broken, v->unsolved, seed);
}

void survey_sums_add(survey_sums *s, const survey_result *result)
{
    const crn_survey *v = &result->survey;
    s->worlds++;
    s->crashed += result->is_crashed;
    s->refused += result->is_refused;
    if (result->is_crashed || result->is_refused) {
        return;
    }
    s->diverged += v->status != CRN_OK;
    s->not_finite += !v->is_finite;
    s->judged += v->is_judged;
    s->closed += v->is_closed;
    s->exceeding += v->exceeded > 0;
    s->exceeding_certified += v->exceeded_certified > 0;
    s->with_ledger += v->has_ledger;
    s->overlapping_worlds += v->overlapping > 0;
    s->open_worlds += v->open > 0;
    add_steps(s, v);
    add_worst(s, v, result->seed);
    add_to_groups(s, v);
}

bool survey_sums_are_fine(const survey_sums *s)
{
    return s->not_finite == 0 && s->crashed == 0 && s->refused == 0 && s->exceeded_certified == 0.0;
}

/* --- The table --- */

static void print_share(const survey_sums *s, const char *what, double steps)
{
    printf("  %-52s %10.0f  %9.4f %%\n", what, steps, s->steps > 0.0 ? 100.0 * steps / s->steps : 0.0);
}

static void print_steps(const survey_sums *s)
{
    printf("steps                                                  %10.0f  of all steps\n", s->steps);
    for (int i = 0; i < CRN_VERDICT_COUNT; ++i) {
        char what[64];
        (void)snprintf(what, sizeof what, "verdict %s", crn_verdict_name((crn_verdict)i));
        print_share(s, what, s->verdict[i]);
    }
    print_share(s, "with contacts that push", s->touching);
    print_share(s, "not solved", s->unsolved);
    print_share(s, "convex law instead of Coulomb's", s->other_law);
    print_share(s, "jammed (relaxed)", s->relaxed);
    print_share(s, "with a bounce", s->bounced);
    print_share(s, "energy above the bound", s->exceeded);
    print_share(s, "  and higher than before", s->raised);
    print_share(s, "  and certified", s->exceeded_certified);
    print_share(s, "bodies overlap at the end", s->overlapping);
    print_share(s, "joints open at the end", s->open);
}

static void print_worlds(const survey_sums *s)
{
    printf("worlds %d: crashed %d, refused %d, not finite %d, diverged %d\n", s->worlds, s->crashed, s->refused,
           s->not_finite, s->diverged);
    printf("energy judged in %d (closed %d, with ledger %d): above the bound %d, in certified steps %d\n", s->judged,
           s->closed, s->with_ledger, s->exceeding, s->exceeding_certified);
    printf("overlapping %d, joints open %d\n", s->overlapping_worlds, s->open_worlds);
    printf(
        "worst: energy %.2e of its scale, overlap %.2e of the radius, joint %.2e, out of the plane %.1e, unexplained "
        "%.1e, momentum %.1e, angular %.1e, repair %.1e\n",
        s->excess, s->overlap, s->opening, s->aslant, s->unexplained, s->momentum, s->angular, s->repaired);
    printf("step time: mean %.3g ms, worst %.3g ms\n", s->steps > 0.0 ? 1e3 * s->seconds / s->steps : 0.0,
           1e3 * s->slowest);
}

static void print_groups(const survey_sums *s)
{
    printf("%-28s %7s %7s %9s %11s %9s %6s %9s %5s %9s\n", "kind of world (several fit)", "worlds", "judged", "above",
           "worst gain", "overlap", "open", "unsolved", "nan", "diverged");
    for (int i = 0; i < SURVEY_GROUPS; ++i) {
        const survey_group *g = &s->group[i];
        printf("%-28s %7d %7d %9d %11.2e %9d %6d %9d %5d %9d\n", g->name, g->worlds, g->judged, g->exceeding, g->excess,
               g->overlapping, g->open, g->unsolved, g->not_finite, g->diverged);
    }
}

static void print_worst(const survey_worst *list)
{
    if (list->count == 0) {
        return;
    }
    printf("%s:\n  ", list->title);
    for (int i = 0; i < list->count; ++i) {
        printf(" %llu (%.2g)", (unsigned long long)list->seed[i], list->value[i]);
    }
    printf("\n");
}

void survey_sums_print(const survey_sums *s)
{
    print_worlds(s);
    print_steps(s);
    print_groups(s);
    printf("worst seeds\n");
    print_worst(&s->gain);
    print_worst(&s->mended);
    print_worst(&s->deep);
    print_worst(&s->loose);
    print_worst(&s->broken);
    print_worst(&s->slow);
    printf("%s\n", survey_sums_are_fine(s) ? "fine" : "NOT fine");
}

/* --- Lines --- */

void survey_csv_heading(FILE *csv)
{
    fprintf(csv,
            "seed,name,crashed,refused,planar,closed,bodies,joints,loops,rows,springs,restitution,friction,gravity,"
            "start_overlap,dt,mass_ratio,start,steps,status,finite,judged,exceeded,raised,exceeded_certified,first,"
            "excess,ratio,repaired,first_outcome,first_law,first_problems,first_contacts,first_active,"
            "first_repairs,first_relaxed,unsolved,convex,relaxed,bounced,touching,overlapping,overlap,open,opening");
    for (int i = 0; i < CRN_VERDICT_COUNT; ++i) {
        fprintf(csv, ",verdict_%s", crn_verdict_name((crn_verdict)i));
    }
    fprintf(csv, ",unexplained,momentum,angular,mean_ms,worst_ms,text\n");
}

static void write_world(FILE *csv, const survey_result *result)
{
    const crn_survey *v = &result->survey;
    fprintf(csv, "%llu,%s,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%.3g,%.6g,%.4g,%.9g", (unsigned long long)result->seed,
            v->name, result->is_crashed, result->is_refused, v->is_planar, v->is_closed, v->bodies, v->joints, v->loops,
            v->rows, v->springs, v->has_restitution, v->has_friction, v->has_gravity, v->overlap_start, v->dt,
            v->mass_ratio, v->start);
}

static void write_energy(FILE *csv, const crn_survey *v)
{
    fprintf(csv, ",%d,%s,%d,%d,%d,%d,%d,%d,%.4g,%.4g,%.4g", v->steps, crn_status_name(v->status), v->is_finite,
            v->is_judged, v->exceeded, v->raised, v->exceeded_certified, v->first, v->excess, v->ratio, v->repaired);
    if (v->first >= 0) {
        const crn_step_stats *at = &v->at_first;
        fprintf(csv, ",%s,%s,%d,%d,%d,%d,%d", crn_lcp_outcome_name(at->outcome),
                at->law == CRN_LAW_CONVEX ? "convex" : "coulomb", at->problems, at->contacts, at->active, at->repairs,
                at->is_relaxed);
    } else {
        fprintf(csv, ",,,,,,,");
    }
}

void survey_csv_line(FILE *csv, const survey_result *result)
{
    const crn_survey *v = &result->survey;
    write_world(csv, result);
    write_energy(csv, v);
    fprintf(csv, ",%d,%d,%d,%d,%d,%d,%.4g,%d,%.4g", v->unsolved, v->other_law, v->relaxed, v->bounced, v->touching,
            v->overlapping, v->overlap, v->open, v->opening);
    for (int i = 0; i < CRN_VERDICT_COUNT; ++i) {
        fprintf(csv, ",%d", v->verdict[i]);
    }
    fprintf(csv, ",%.3g,%.3g,%.3g,%.4g,%.4g,\"%s\"\n", v->unexplained, v->momentum, v->angular,
            v->steps > 0 ? 1e3 * v->seconds / v->steps : 0.0, 1e3 * v->slowest, v->text);
}
