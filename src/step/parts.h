/* Parts of a step. */
#ifndef CRN_STEP_PARTS_H
#define CRN_STEP_PARTS_H

#include "step/step_room.h"

/* joints.c: rows and limits of all joints at the present poses into stepper->row and ->limit. */
crn_status crn_step_list_rows(crn_stepper *stepper, double h, crn_error *error);

/* fit.c: the smallest motion (in the metric of mass) that takes the rows' values back as far as they can be, by least
 * squares, into fit.motion: (turn, shift) of each body of the problem. The values are in fit.value, one per row; they become
 * what the motion takes back: values that all rows can have together, whatever their rank. fit.impulse has the impulses
 * along the rows that make the motion. Rows with a bound are left out. Begin makes room; false without memory. Load takes
 * the rows and the bodies' inertia as they are now; solve may then follow for several values, until the gradient has fallen
 * to a share of what it was. */
bool crn_step_fit_begin(crn_stepper *stepper, int rows);
void crn_step_fit_load(crn_stepper *stepper, const crn_step_row *row, int rows);
void crn_step_fit_solve(crn_stepper *stepper, const crn_step_row *row, int rows, double share);
void crn_step_fit_rows(crn_stepper *stepper, const crn_step_row *row, int rows); /* both, to rounding */

/* repair.c: close the joints to the world's joint_tolerance after the bodies moved. Begin is called before they move: it
 * makes room and takes the step's rows. */
bool crn_step_is_repaired(const crn_stepper *stepper);
crn_status crn_step_repair_begin(crn_stepper *stepper, crn_error *error);
void crn_step_repair(crn_stepper *stepper, double h);

/* motion.c: move a free body from where it is by next_w and next_v. */
void crn_step_move_body(crn_step_body *body, double h);

/* Does a coordinate have limits? */
static inline bool crn_step_has_limits(const crn_joint_axis *axis)
{
    return axis->lower <= axis->upper;
}

/* held.c: is the row 0 on all that a body of this world can do? */
bool crn_step_says_nothing(const crn_stepper *stepper, const crn_joint_row *row);

/* The rows that hold joint `index`, with their errors, and which of its type's they are; how many. */
int crn_step_held(const crn_stepper *stepper, int index, crn_joint_row *row, int *which);
/* The same where the sides of the joint are those given. */
int crn_step_held_at(const crn_stepper *stepper, int index, const crn_joint_sides *sides, crn_joint_row *row,
                     int *which);

/* joints.c: the rows of coordinates that a motor without bound moves, with value 0: not to be changed otherwise. */
int crn_step_driven(const crn_stepper *stepper, int index, crn_joint_row *row);
bool crn_step_is_moved(const crn_stepper *stepper, int body);
/* A free body, but none whose joints, held or led by motors without bound, leave no freedom; a body below 0 is none. */
bool crn_step_can_be_pushed(const crn_stepper *stepper, int body);

/* [m/s] An offset that no velocity closes: the contact takes no part. */
#define CRN_STEP_FAR 1e9

/* build.c: which bodies the problem moves, and room for it; contacts and rows have been listed. */
crn_status crn_step_number(crn_stepper *stepper, crn_error *error);

/* Place of a mechanism's velocities among those of the problem. */
int crn_step_first_velocity(const crn_stepper *stepper, const crn_step_mechanism *mechanism);

/* The complementarity problem. Bodies must have their free velocity in next_w, next_v; mechanisms in nu. */
crn_status crn_step_build(crn_stepper *stepper, double h, crn_error *error);

/* The part of contact i's offset that its gap makes. */
double crn_step_normal_offset(const crn_stepper *stepper, int i, double h);

/* rolling.c: how far the point of contact i has come since the last kick; false if that says nothing of how it rolls: it did not push, its bodies do
 * not turn, or it jumped. */
bool crn_step_has_rolled(const crn_stepper *stepper, int i, double h, crn_vec3 *way);

/* build_start.c: which contact of the last step each one is, by shapes and key, into pair.match. */
void crn_step_match(crn_stepper *stepper);

/* build_start.c: start impulses, velocities and states of contacts and rows, as the last step, or the round before, left them. */
void crn_step_start(crn_stepper *stepper);

/* The impulse along normal and tangents that the last step left for contact i; 0: it did not know the contact. */
void crn_step_last_start(const crn_stepper *stepper, int i, double *impulse);

/* What solving told, over all problems of a step. */
typedef struct crn_step_answer {
    crn_contact_result result; /* of the worst problem; counts are sums */
    int problems;
    bool is_relaxed;
    double shift; /* of crn_step_stats */
} crn_step_answer;

/* solve.c: solve the problem at hand, by stages if it has no solution; found velocities and impulses are in
 * stepper->problem. */
crn_status crn_step_solve(crn_stepper *stepper, crn_step_answer *answer, crn_error *error);

/* The same for a problem that follows, its answer added to what came before. */
crn_status crn_step_solve_also(crn_stepper *stepper, crn_step_answer *answer, crn_error *error);

/* Add what another part of the step told. */
void crn_step_add_answer(const crn_step_answer *part, crn_step_answer *answer);

/* Solve the problem at hand once, and add what it told to answer. */
crn_status crn_step_solve_once(crn_stepper *stepper, crn_step_answer *answer, crn_error *error);

/* The same problem for positions: what moves overlap and limits back, without friction, from rest; distances for speeds. */
crn_status crn_step_build_positions(crn_stepper *stepper, crn_error *error);

/* Gap of contact i; 0 within rounding. */
double crn_step_repair_gap(const crn_stepper *stepper, int i);
double crn_step_repair_limit(const crn_stepper *stepper, int i); /* the same of a limit */

/* A row (angular, linear) as door 2 wants it for a rigid body. */
static inline void crn_step_pack_row(const crn_stepper *stepper, const double *row, double *to)
{
    int first = stepper->def.is_planar ? 2 : 0, count = stepper->def.is_planar ? 3 : 6; /* planar: w_z, v_x, v_y */
    for (int k = 0; k < count; ++k) {
        to[k] = row[first + k];
    }
}

/* pack.c: velocity of the body at place `at` of the problem, from and to a vector of all velocities. */
void crn_step_pack(const crn_stepper *stepper, crn_vec3 w, crn_vec3 v, double *velocity, int at);
void crn_step_found(const crn_stepper *stepper, const double *velocity, int at, crn_vec3 *w, crn_vec3 *v);

/* Columns n, t1, t2 of a contact on the rigid body at a place of the problem; velocity += M^-1 impulse column of it; place of
 * the first velocity of any body of the problem. */
void crn_step_contact_columns(const crn_stepper *stepper, int at, const crn_contact_point *point, double sign,
                              double *to);
void crn_step_push_rigid(const crn_stepper *stepper, int at, const double *column, double impulse, double *velocity);
int crn_step_first_at(const crn_stepper *stepper, int at);

/* motion.c, forces.c, record.c, look.c: what both orders of a step share. */
void crn_step_remember(crn_stepper *stepper); /* who sleeps, where a step begins */
void crn_step_undo(crn_stepper *stepper);     /* ... and if it fails */
void crn_step_drive(crn_stepper *stepper,
                    double h); /* velocities of driven bodies over the step of h that begins now */
void crn_step_add_forces(crn_stepper *stepper);
bool crn_step_is_pushed_anew(const crn_stepper *stepper);
/* of them */                                        /* forces now, into load_force and load_torque */
void crn_step_push_on_further(crn_stepper *stepper); /* what acted in the last step */
void crn_step_clear_forces(crn_stepper *stepper);
bool crn_step_is_sane(crn_vec3 velocity);
crn_status crn_step_diverged(const crn_step_body *body, double time, const char *what, crn_error *error);
crn_status crn_step_move_freely(crn_stepper *stepper, double h, crn_error *error); /* free velocity of rigid bodies */
crn_status crn_step_detect_awake(crn_stepper *stepper, double h, crn_error *error);
void crn_step_tell(const crn_step_answer *answer, const crn_stepper *stepper, crn_step_stats *stats);
void crn_step_record_contacts(crn_stepper *stepper, double h);
void crn_step_keep_round(crn_stepper *stepper,
                         double h);               /* the contacts and their answers become those of the round before */
void crn_step_record_start(crn_stepper *stepper); /* record_start.c: the impulses that the next step starts from */
void crn_step_record_joints(crn_stepper *stepper);
void crn_step_keep_contacts(crn_stepper *stepper);
crn_status crn_step_make_room(crn_stepper *stepper, crn_error *error); /* memory of all that follows the solution */
void crn_step_move_all(crn_stepper *stepper, double h);                /* rigid bodies, driven ones, time */

/* drift_kick.c, hart.c: one step, in either order. */
crn_status crn_step_advance_drifting(crn_stepper *stepper, double h, const crn_step_part *part, crn_step_stats *stats,
                                     bool *is_taken, crn_error *error);
crn_status crn_step_advance_hart(crn_stepper *stepper, double h, crn_step_stats *stats, crn_error *error);

/* detect.c: contacts at the present poses that these velocities would close, and that the last detection left out: their pairs
 * get a wider margin. Then: which pairs the kick has had contacts of; how many pairs overlap now that it did not know. */
crn_status crn_step_find_missing(crn_stepper *stepper, const crn_twist *twist, double h, bool *is_new,
                                 crn_error *error);
bool crn_step_know_pairs(crn_stepper *stepper);     /* false without memory */
bool crn_step_remember_pairs(crn_stepper *stepper); /* where a step begins; false without memory */
void crn_step_restore_pairs(crn_stepper *stepper);  /* ... and if it fails */
int crn_step_count_unseen(const crn_stepper *stepper);
double crn_step_deepening(const crn_stepper *stepper); /* of crn_step_stats */

/* detect.c: touches of two shapes at frames of their own, as a step of h looks for them, into find.touch; how many, -1 without memory. */
int crn_step_touches(crn_stepper *stepper, int shape_a, int shape_b, const crn_frame *frame_a, const crn_frame *frame_b,
                     double h);

/* seams.c: turn contacts that are an arbitrary choice among several directions; false without memory. */
bool crn_step_judge_seams(crn_stepper *stepper, double h);

/* sleep.c: put groups at rest to sleep after a step of h; wake those that are touched before it (true if any woke). */
crn_status crn_step_sleep_begin(crn_stepper *stepper, crn_error *error); /* makes room */
void crn_step_sleep(crn_stepper *stepper, double h);
bool crn_step_is_moving(const crn_step_body *body); /* a driven body */
bool crn_step_wake_touched(crn_stepper *stepper);

/* figures.c: overlap and errors before the bodies move, energy and momentum after. */
void crn_step_figures_before(const crn_stepper *stepper, crn_step_stats *stats);
void crn_step_figures_after(const crn_stepper *stepper, crn_step_stats *stats);

/* events.c: pairs that began or ceased to push each other, from stepper->last and ->now. */
crn_status crn_step_events(crn_stepper *stepper, crn_error *error);

#endif
