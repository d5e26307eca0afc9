/* bench_contact.h -- what the parts of bench_contact share: options, notes for the CSV, solving and judging. */
#ifndef BENCH_CONTACT_H
#define BENCH_CONTACT_H

#include <stdio.h>

#include <cairn/contact.h>

#include "gallery.h"
#include "options.h"

enum {
    BENCH_CONTACT_SUCCESS = 1,
    BENCH_CONTACT_SPEED = 2,
    BENCH_CONTACT_RANDOM = 4,
    BENCH_CONTACT_NEAR = 8,
    BENCH_CONTACT_CLASSES = 16
};

typedef struct bench_contact_options {
    bench_options common; /* family, seeds, count, repeat, limits, peers, csv */
    unsigned sections;
    int random_count; /* problems of the section on random ones */
    int near_count;   /* problems of each misalignment */
    int class_count;  /* problems of each class and cone */
    FILE *csv;        /* NULL: none */
} bench_contact_options;

/** One figure into the CSV: machine, compiler, section, family, figure, value. */
void bench_contact_note(const bench_contact_options *options, const char *section, const char *family,
                        const char *figure, double value);

/** What a solve gave. */
typedef struct bench_contact_answer {
    bool is_claimed; /* solved, it says */
    bool is_right;   /* claimed, certificate within 1e-9 and, if judged, accepted by the judge */
    bool is_false;   /* claimed, but the judge says no */
    bool is_judged;
    int restarts, pivots;
    double relative; /* the answer's own certificate */
    double judged;   /* relative certificate of the assembled LCP; not-a-number if not judged */
    double seconds;  /* whole call, median */
    double solving;  /* of it: without checks, copying and islands */
} bench_contact_answer;

/** Arrays for answers, grown on demand. Zero-initialise. */
typedef struct bench_contact_room {
    crn_workspace work, session_work, judge_work;
    double *impulse, *contact_velocity, *velocity, *z;
    crn_contact_state *state;
    int contacts, dof, n; /* for which there is room */
} bench_contact_room;

void bench_contact_room_free(bench_contact_room *room);

/** Solve by contact states, `repeat` times for the times (1: once, cold caches and all). false: no memory, or the call
 *  was refused; a message was printed. */
bool bench_contact_solve(const crn_contact_problem *problem, int repeat, bench_contact_room *room,
                         bench_contact_answer *answer);

/** Judge the answer in the room on the assembled LCP, independently of the library's contact certificate. */
bool bench_contact_judge(const crn_contact_problem *problem, const crn_lcp_problem *lcp, bench_contact_room *room,
                         bench_contact_answer *answer);

/** How far impulses are from Coulomb's law with that cone, relative to the speeds of the free motion: natural map of normal and
 *  friction, from the data alone. For rigid and planar bodies by geometry, at most 64; not-a-number for more. */
double bench_contact_coulomb_error(const crn_contact_problem *problem, crn_contact_cone cone, const double *impulse,
                                   const double *row_impulse);

/** Compare the contact velocities of the answer in the room with those of door 1's search on the assembled LCP:
 *  *difference relative to the largest |q|, not-a-number if search fails; *is_unique: the motion is proved unique. */
bool bench_contact_compare(const crn_contact_problem *problem, const crn_lcp_problem *lcp, bench_contact_room *room,
                           double *difference, bool *is_unique);

/** Seconds of a solve from the states before, after a random change of the free velocity by 1 %. false as above. */
bool bench_contact_warm(const crn_contact_problem *problem, int repeat, bench_contact_room *room, double *seconds,
                        double *pivots);

/** Problems per seed of a family in this run. */
int bench_contact_count(const bench_contact_options *options, const crn_gallery_family *family);

/* The sections. false: a message was printed. */
bool bench_contact_success(const bench_contact_options *options);
bool bench_contact_speed(const bench_contact_options *options);
bool bench_contact_random(const bench_contact_options *options);
bool bench_contact_near(const bench_contact_options *options);
bool bench_contact_classes(const bench_contact_options *options);

#endif
