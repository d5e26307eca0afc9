/* Loops of mechanisms: held exactly where they determine the motion, within a clearance where they do not.
 * docs/theory/trees.md, section 5.
 *
 *     loops_size.c      size of a loop, from the model's frames
 *     loops_rows.c      rows: errors, given speeds, whitened columns
 *     loops_openness.c  how fast a motion opens the loops, compared with how fast it moves their pins
 *     loops_rank.c      held, loose and null directions
 *     loops_open.c      what is open of the clearances, and the stops where they end
 *     loops_reduce.c    velocities and columns without what is held
 *     loops.c           when all of this is done
 *     loops_figures.c   what it tells, and how much of it is right */
#ifndef CRN_STEP_LOOPS_H
#define CRN_STEP_LOOPS_H

#include "step/trees.h"
#include "step/verdict.h"

/* A pin is about a tenth of its loop long: play over that length is what lets a hinge tilt, so rows in radians are divided by
 * this, and a clearance of g loop sizes lets it tilt by this times g. */
#define CRN_LOOP_PIN 10.0

/* The clearance of a world in loop sizes; 0: loops are held exactly. */
static inline double crn_loops_clearance(const crn_world_def *def)
{
    const double usual = 3e-4; /* 0.3 mm a metre, as of a running fit */
    double wanted = def->loop_clearance > 0.0 ? def->loop_clearance : usual;
    return def->loop_clearance < 0.0 ? 0.0 : wanted;
}

/* That of one loop: more if it was open by more when the mechanism was put together. */
static inline double crn_loops_clearance_of(const crn_stepper *s, const crn_step_loop *loop)
{
    double clearance = crn_loops_clearance(&s->def), play = s->joint[loop->joint].play;
    return play > clearance ? play : clearance;
}

/* Which trees of a mechanism a row or a motion has to do with: a bit each, of more than 64 trees several share one. */
static inline uint64_t crn_loops_tree_bit(const crn_step_mechanism *m, int tree)
{
    const int bits = 64;
    int at = tree - m->tree;
    return UINT64_C(1) << (m->trees > bits ? (int)((int64_t)at * bits / m->trees) : at);
}

static inline uint64_t crn_loops_body_bit(const crn_stepper *s, const crn_step_mechanism *m, int body)
{
    bool is_link = body >= 0 && s->body[body].tree > 0;
    return is_link ? crn_loops_tree_bit(m, s->body[body].tree - 1) : 0;
}

/* --- loops_size.c --- */

void crn_loops_measure(crn_stepper *s); /* size and origin of all loops, when trees have been planted */

/* --- loops_rows.c --- */

void crn_loops_list_rows(crn_stepper *s, crn_step_mechanism *m); /* errors and units where its trees are placed */
void crn_loops_list_columns(crn_stepper *s,
                            crn_step_mechanism *m); /* Y of the present factor; the place is that of the rows */
void crn_loops_list_given(crn_stepper *s, crn_step_mechanism *m); /* speeds by given motions */

/* Speed of a combination of rows when bodies and joints move so. */
double crn_loops_speed(const crn_stepper *s, const crn_step_mechanism *m, const double *combination,
                       const crn_twist *twist, const double *u);

/* --- loops_openness.c --- */

/* Largest speed of a pin of the loops, in loop sizes, of the whitened velocity nu, which moves these trees only. */
double crn_loops_pin_speed(crn_stepper *s, const crn_step_mechanism *m, const double *nu, uint64_t trees);
/* Largest opening of a loop when the rows open by w. */
double crn_loops_opening(const crn_stepper *s, const crn_step_mechanism *m, const double *w);

/* --- loops_rank.c --- */

void crn_loops_rank(crn_stepper *s, crn_step_mechanism *m); /* directions, from Y */
void crn_loops_turn(crn_step_mechanism *m);                 /* combinations of rows, all held, from Y */
void crn_loops_turn_metric(crn_step_mechanism *m);          /* the same directions for another Y of the same rows */
double crn_loops_along(const crn_step_closure *c, int direction, const double *row); /* w'row */

/* --- loops_open.c --- */

void crn_loops_list_open(crn_stepper *s, crn_step_mechanism *m); /* what is open, worst error, misfit */
double crn_loops_open_of(const crn_step_closure *closure, const crn_step_loop *loop); /* of one joint, in loop sizes */
void crn_loops_list_stops(crn_stepper *s, int mechanism); /* appended to those of the forest */
/* Column of a stop, held directions taken out, length 1; its given speed in the same scale. False: it is held here. */
bool crn_loops_stop_column(crn_stepper *s, crn_step_stop *stop, bool is_velocity, double *y, double *given);
/* Combination of rows whose impulse a stop's unit impulse is, added to row. */
void crn_loops_add_stop(const crn_stepper *s, const crn_step_stop *stop, double scale, double *row);

/* Speed along a stop's column when bodies and joints move so. */
double crn_loops_stop_speed(const crn_stepper *s, const crn_step_stop *stop, const crn_twist *twist, const double *u);

/* --- loops_reduce.c --- */

void crn_loops_reduce(const crn_step_mechanism *m, double *nu); /* nu := its part that keeps what is held */

/* --- loops.c --- */

size_t crn_loops_numbers(int rows, int velocities); /* that a closure needs */
void crn_loops_take_memory(crn_step_closure *closure, int velocities, double *number, int *order);

/* Directions at the present place, unless they are known; the factor then is that of the place, without springs. */
void crn_loops_update(crn_stepper *s, crn_step_mechanism *m);
/* When trees have been planted: a joint that is open by more than its clearance gets that for a clearance. */
void crn_loops_widen(crn_stepper *s, crn_step_mechanism *m);
/* Where rows are held that over-constrain: directions as combinations of them, so that their impulses are the least ones. */
void crn_loops_share(crn_stepper *s, crn_step_mechanism *m);
/* The same directions after the factor has changed at the same place. */
void crn_loops_refactor(crn_stepper *s, crn_step_mechanism *m);
/* shift := what held directions demand: the given motion made up for, or errors taken back. */
void crn_loops_shift_speeds(crn_stepper *s, crn_step_mechanism *m);
void crn_loops_shift_errors(crn_stepper *s, crn_step_mechanism *m);
void crn_loops_list_all_stops(crn_stepper *s);     /* of mechanisms that are awake */
double crn_loops_repairable(const crn_stepper *s); /* largest error of held directions and passed stops [m, rad] */

/* --- loops_figures.c --- */

void crn_loops_figures(const crn_stepper *s, crn_step_stats *stats);
/* Do loops hold as they should? amount, allowed: of what is off by the largest share of what it may be [m, rad]. */
bool crn_loops_hold(const crn_world_def *def, const crn_step_stats *stats, double *amount, double *allowed);

#endif
