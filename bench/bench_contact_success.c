/* bench_contact_success.c -- every contact family by contact states, judged on the assembled LCP. */
#include "bench_contact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "progress.h"
#include "sections.h"
#include "stats.h"

static const double same_motion = 1e-9; /* largest difference of contact velocities, relative to the largest |q| */
static const int judge_most = 1500;     /* order of the LCP above which only the contact certificate judges */

/* contact-random is small and hard: it gets more problems than its default, 5016 in all with six seeds. */
static const int random_per_seed = 120;

typedef struct tally {
    int problems, right, wrong, judged, restarted;
    int alike;        /* problems in which door 1's search finds the same motion */
    int unique, same; /* problems whose motion is proved unique, and those of them in which it is the same */
    double worst, worst_judged, worst_motion;
    double *pivots; /* of each problem */
} tally;

int bench_contact_count(const bench_contact_options *options, const crn_gallery_family *family)
{
    if (options->common.count > 0) {
        return options->common.count;
    }
    return strcmp(family->name, "contact-random") == 0 ? random_per_seed : family->default_count;
}

static void count_motion(tally *t, double difference, bool is_unique)
{
    bool is_same = difference <= same_motion; /* false for not-a-number */
    t->alike += is_same;
    t->unique += is_unique;
    t->same += is_unique && is_same;
    t->worst_motion = is_unique ? fmax(t->worst_motion, difference) : t->worst_motion;
}

static bool judge_problem(const crn_gallery_family *family, int index, uint64_t seed,
                          const crn_contact_problem *problem, bench_contact_room *room, bench_contact_answer *answer,
                          double *difference, bool *is_unique)
{
    crn_lcp_data lcp = {0};
    crn_error error;
    if (crn_contact_lcp_size(problem) > judge_most) {
        return true;
    }
    bool is_ok = family->make(index, seed, &lcp, &error) == CRN_OK &&
                 bench_contact_judge(problem, &lcp.problem, room, answer) &&
                 (!answer->is_right || bench_contact_compare(problem, &lcp.problem, room, difference, is_unique));
    crn_lcp_data_free(&lcp);
    return is_ok;
}

static void count_answer(tally *t, const bench_contact_answer *answer, const char *name, int index, uint64_t seed)
{
    t->pivots[t->problems++] = answer->pivots;
    t->right += answer->is_right;
    t->wrong += answer->is_false;
    t->judged += answer->is_judged;
    t->restarted += answer->restarts > 0;
    t->worst = fmax(t->worst, answer->relative);
    t->worst_judged = fmax(t->worst_judged, answer->judged); /* fmax passes over not-a-number */
    if (!answer->is_right) {
        printf("  not right: %s %d, seed %llu: %s, certificate %.1e, judged %.1e\n", name, index,
               (unsigned long long)seed, answer->is_claimed ? "claimed" : "not claimed", answer->relative,
               answer->judged);
    }
}

static bool run_family(const bench_contact_options *options, const crn_gallery_family *family, tally *t)
{
    int count = bench_contact_count(options, family), total = count * options->common.seed_count;
    bench_contact_room room = {0};
    bool is_ok = true;
    *t = (tally){.pivots = calloc((size_t)total + 1, sizeof *t->pivots)};
    is_ok = t->pivots != NULL;
    for (int k = 0; k < total && is_ok; ++k) {
        uint64_t seed = options->common.seeds[k / count];
        crn_gallery_contact_problem problem = {0};
        bench_contact_answer answer;
        double difference = (double)NAN;
        bool is_unique = false;
        crn_error error;
        is_ok = family->make_contact(k % count, seed, &problem, &error) == CRN_OK &&
                bench_contact_solve(&problem.problem, 1, &room, &answer) &&
                judge_problem(family, k % count, seed, &problem.problem, &room, &answer, &difference, &is_unique);
        if (is_ok) {
            count_motion(t, difference, is_unique);
            count_answer(t, &answer, family->name, k % count, seed);
        }
        crn_gallery_contact_free(&problem);
        bench_progress(family->name, "contact states", k + 1, total);
    }
    bench_progress_clear();
    bench_contact_room_free(&room);
    return is_ok;
}

static void print_tally(const bench_contact_options *options, const char *name, tally *t)
{
    printf("  %-18s %8d %9.3f %6d %9d %8d %10.1e %11.1e %8.0f %7d %7d/%-6d %8.1e  %s\n", name, t->problems,
           100.0 * t->right / t->problems, t->wrong, t->restarted, t->judged, t->worst, t->worst_judged,
           bench_median(t->pivots, t->problems), t->alike, t->same, t->unique, t->worst_motion,
           bench_verdict_name(t->right == t->problems && t->same == t->unique));
    bench_contact_note(options, "success", name, "problems", t->problems);
    bench_contact_note(options, "success", name, "right", t->right);
    bench_contact_note(options, "success", name, "false", t->wrong);
    bench_contact_note(options, "success", name, "restarted", t->restarted);
    bench_contact_note(options, "success", name, "worst_certificate", t->worst);
    bench_contact_note(options, "success", name, "worst_judged", t->worst_judged);
    bench_contact_note(options, "success", name, "motion_alike", t->alike);
    bench_contact_note(options, "success", name, "motion_unique", t->unique);
    bench_contact_note(options, "success", name, "motion_same", t->same);
    bench_contact_note(options, "success", name, "worst_motion", t->worst_motion);
}

bool bench_contact_success(const bench_contact_options *options)
{
    int count, problems = 0, right = 0, wrong = 0;
    const crn_gallery_family *families = crn_gallery_families(&count);
    bool is_ok = true;
    printf("\n=== Success: contact states, certificate 1e-9 and judged on the assembled LCP (n <= %d) ===\n\n",
           judge_most);
    printf("  %-18s %8s %9s %6s %9s %8s %10s %11s %8s %7s %14s %8s\n", "family", "problems", "% solved", "false",
           "restarted", "judged", "worst cert", "worst judge", "pivots", "alike", "same if unique", "worst");
    for (int f = 0; f < count && is_ok; ++f) {
        tally t = {0};
        if (!families[f].make_contact ||
            (options->common.family && strcmp(options->common.family, families[f].name) != 0)) {
            continue;
        }
        is_ok = run_family(options, &families[f], &t);
        if (is_ok) {
            print_tally(options, families[f].name, &t);
        }
        problems += t.problems;
        right += t.right;
        wrong += t.wrong;
        free(t.pivots);
    }
    printf("  all families: %d of %d right, %d false: %s\n", right, problems, wrong,
           bench_verdict_name(right == problems && wrong == 0));
    return is_ok;
}
