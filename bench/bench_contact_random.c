/* bench_contact_random.c -- the adversarial set: many random problems, then the same with repeated contacts misaligned. */
#include "bench_contact.h"

#include <math.h>
#include <string.h>

#include "gallery_scene.h"
#include "progress.h"
#include "sections.h"
#include "stats.h"

/* Every so many problems are judged on the assembled LCP too, which costs more than solving them. */
enum { JUDGE_EVERY = 10 };

typedef struct counts {
    int problems, right, wrong, restarted, judged;
    double worst, worst_judged;
} counts;

static bool make(int index, uint64_t seed, double e, crn_gallery_contact_problem *problem, crn_lcp_data *lcp)
{
    crn_gallery_contacts list = {0};
    crn_error error;
    bool is_ok = crn_gallery_contact_random_of(index, seed, e, &list, &error) == CRN_OK &&
                 crn_gallery_contacts_problem(&list, problem, &error) == CRN_OK;
    if (is_ok && index % JUDGE_EVERY == 0) {
        is_ok = crn_gallery_contact_random_of(index, seed, e, &list, &error) == CRN_OK &&
                crn_gallery_contacts_assemble(&list, lcp, &error) == CRN_OK;
    }
    if (!is_ok) {
        fprintf(stderr, "bench_contact: %s\n", error.text);
    }
    return is_ok;
}

static bool run(int count, uint64_t seed, double e, counts *c)
{
    bench_contact_room room = {0};
    bool is_ok = true;
    memset(c, 0, sizeof *c);
    for (int k = 0; k < count && is_ok; ++k) {
        crn_gallery_contact_problem problem = {0};
        crn_lcp_data lcp = {0};
        bench_contact_answer answer;
        is_ok = make(k, seed, e, &problem, &lcp) && bench_contact_solve(&problem.problem, 1, &room, &answer) &&
                (!lcp.problem.M || bench_contact_judge(&problem.problem, &lcp.problem, &room, &answer));
        if (is_ok) {
            ++c->problems;
            c->right += answer.is_right;
            c->wrong += answer.is_false;
            c->judged += answer.is_judged;
            c->restarted += answer.restarts > 0;
            c->worst = answer.is_claimed ? fmax(c->worst, answer.relative) : c->worst;
            c->worst_judged = answer.is_claimed ? fmax(c->worst_judged, answer.judged) : c->worst_judged;
        }
        crn_gallery_contact_free(&problem);
        crn_lcp_data_free(&lcp);
        if (k % 100 == 0) {
            bench_progress("contact-random", "contact states", k, count);
        }
    }
    bench_progress_clear();
    bench_contact_room_free(&room);
    return is_ok;
}

static void print_counts(const bench_contact_options *options, const char *section, const char *name, const counts *c)
{
    printf("%8d %9d %6d %10d %8d %11.1e %11.1e", c->problems, c->problems - c->right, c->wrong, c->restarted, c->judged,
           c->worst, c->worst_judged);
    bench_contact_note(options, section, name, "problems", c->problems);
    bench_contact_note(options, section, name, "unsolved", c->problems - c->right);
    bench_contact_note(options, section, name, "false", c->wrong);
    bench_contact_note(options, section, name, "restarted", c->restarted);
    bench_contact_note(options, section, name, "worst_certificate", c->worst);
}

static void print_heads(const char *first)
{
    printf("  %-10s %8s %9s %6s %10s %8s %11s %11s\n", first, "problems", "unsolved", "false", "restarted", "judged",
           "worst cert", "worst judge");
}

bool bench_contact_random(const bench_contact_options *options)
{
    counts c;
    printf("\n=== Random contacts: 1 to 6 bodies, d = 4 to 16, mu <= 2, lattices, clamps, 15 %% repeated ===\n\n");
    print_heads("");
    if (!run(options->random_count, options->common.seeds[0], 0.0, &c)) {
        return false;
    }
    printf("  %-10s ", "e = 0");
    print_counts(options, "random", "contact-random", &c);
    printf("  %s\n", bench_verdict_name(c.right == c.problems));
    return true;
}

bool bench_contact_near(const bench_contact_options *options)
{
    /* Unsolved of 100 000 in the prototype that the method was tried out with, double precision. */
    static const int prototype[8] = {2, 9, 111, 122, 135, 17, 0, 0};
    printf("\n=== Nearly repeated contacts, misaligned by e ===\n\n"
           "prototype: unsolved of 100000 in a set of the same kind, with fewer clamps\n\n");
    print_heads("e");
    for (int k = 0; k < 8; ++k) {
        double e = pow(10.0, -3.0 - k);
        char name[32];
        counts c;
        (void)snprintf(name, sizeof name, "e=%.0e", e);
        if (!run(options->near_count, options->common.seeds[0], e, &c)) {
            return false;
        }
        printf("  %-10s ", name + 2);
        print_counts(options, "near", name, &c);
        printf("  prototype %d\n", prototype[k]);
    }
    return true;
}
