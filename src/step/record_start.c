/* The impulses that the next step starts from.
 *
 * A start that certifies is the answer, and what it lacks of balance stays as a velocity. A body at rest on impulses that are
 * short by d gathers d in each step, until the start no longer certifies; the answer then takes back all of it, (k + 1) d after
 * k steps that were not solved. What the impulses at rest lack is d, so that the next step starts from
 *
 *     start + (answer - start) / (k + 1)
 *
 * More would leave the opposite velocity, and soon be solved for again. The share is one for all contacts of an island, or they
 * would no longer balance. */
#include <math.h>

#include "math/forest.h"
#include "math/rigid.h"
#include "math/vec.h"
#include "step/parts.h"

/* Of an island's largest impulse: larger changes are changes of the load, smaller ones than SAME rounding of the start. */
static const double NUDGE = 1e-6, SAME = 1e-14;

/* How long the contact's impulse has waited for a solve until the step before. */
static int64_t waited_of(const crn_stepper *s, int i)
{
    int match = s->now.pair[i].match;
    return match >= 0 ? s->last.pair[match].waited : 0;
}

static void keep_starts(crn_stepper *s)
{
    for (int i = 0; i < s->now.contacts; ++i) {
        s->now.pair[i].start = s->now.contact[i].impulse;
        s->now.pair[i].waited = waited_of(s, i) + 1;
    }
}

/* --- Where the problem was solved --- */

static void join(int *island, int a, int b)
{
    if (a >= 0 && b >= 0) {
        (void)crn_forest_join(island, a, b);
    }
}

static void find_islands(crn_step_problem *p)
{
    for (int i = 0; i < p->problem.bodies; ++i) {
        p->island[i] = i;
        p->change[i] = (crn_step_change){0};
    }
    for (int i = 0; i < p->problem.contacts; ++i) {
        join(p->island, p->point[i].a, p->point[i].b);
    }
    for (int i = 0; i < p->problem.rows; ++i) {
        join(p->island, p->row[i].a, p->row[i].b);
    }
}

/* Of the island of a contact of the problem. */
static crn_step_change *change_of(crn_step_problem *p, int i)
{
    const crn_contact_point *point = &p->point[i];
    return &p->change[crn_forest_root(p->island, point->a >= 0 ? point->a : point->b)];
}

/* By how much the step changed the impulse that it began with, along normal and tangents. */
static void change_of_impulse(const crn_stepper *s, int i, double *change)
{
    const crn_step_problem *p = &s->problem;
    double start[3] = {p->start_impulse[3 * i], p->start_impulse[3 * i + 1], p->start_impulse[3 * i + 2]};
    if (i < s->now.contacts) {
        crn_step_last_start(s, i, start); /* a second round of the kick began with another */
    }
    for (int k = 0; k < 3; ++k) {
        change[k] = p->impulse[3 * i + k] - start[k];
    }
}

static void measure_changes(crn_stepper *s)
{
    crn_step_problem *p = &s->problem;
    for (int i = 0; i < p->problem.contacts; ++i) {
        crn_step_change *of = change_of(p, i);
        double change[3];
        change_of_impulse(s, i, change);
        for (int k = 0; k < 3; ++k) {
            of->change = crn_max(fabs(change[k]), of->change);
            of->largest = crn_max(fabs(p->impulse[3 * i + k]), of->largest);
        }
        int64_t waited = i < s->now.contacts ? waited_of(s, i) : 0;
        of->waited = waited > of->waited ? waited : of->waited;
    }
}

static void mix_start(crn_stepper *s, int i)
{
    crn_step_problem *p = &s->problem;
    const crn_step_change *of = change_of(p, i);
    const crn_contact_point *point = &p->point[i];
    bool is_same = of->change <= SAME * of->largest;
    double rest = of->change <= NUDGE * of->largest ? 1.0 / (double)(of->waited + 1) - 1.0 : 0.0;
    crn_vec3 start = s->now.contact[i].impulse;
    const double *direction[3] = {point->normal, point->t1, point->t2};
    double change[3];
    change_of_impulse(s, i, change);
    for (int k = 0; k < 3 && !is_same; ++k) {
        start = crn_v3_axpy(start, rest * change[k], crn_v3_of(direction[k]));
    }
    s->now.pair[i].start = start;
    s->now.pair[i].waited = is_same ? of->waited + 1 : 0;
}

void crn_step_record_start(crn_stepper *s)
{
    if (s->problem.is_start_kept) {
        keep_starts(s);
        return;
    }
    find_islands(&s->problem);
    measure_changes(s);
    for (int i = 0; i < s->now.contacts; ++i) {
        mix_start(s, i);
    }
}
