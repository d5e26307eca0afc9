/* A step as a smooth function of where it begins: with every contact, limit and row in the state that it has in one recorded step.
 *
 * A step chooses: which contacts push, stick or slide, what is repaired, what is clamped. Its derivative is that of the step without the
 * choice. So it is made once, recording all choices, and then again and again from states nearby, replaying them: problems are solved in
 * the recorded states with the recorded factor [docs/theory/gradients.md], and differences of such steps are as good as the
 * arithmetic. While a stepper has a branch,
 *
 *     gaps       count as they are: no band, no max(gap, 0) above a tolerance of repairs
 *     repairs    are made if the recorded step made some, on the contacts that it moved, down to rounding
 *     rest       is none
 *     first kick as in the recorded step
 *
 * Part of the door of this room: step_room.h includes it. */
#ifndef CRN_STEP_BRANCH_H
#define CRN_STEP_BRANCH_H

#include "contact/contact_room.h"

/* A contact, limit or stop of a recorded problem. */
typedef struct crn_branch_contact {
    int a, b;     /* shapes; joint and tendon of a limit; mechanism and loop of a stop */
    int64_t part; /* key of the contact; limits: -1 - slot; stops: LONGEST */
    crn_contact_hint hint;
    crn_vec3 point, t1, impulse; /* of contacts, world axes */
    bool is_pressed;             /* repairs: it is moved */
} crn_branch_contact;

typedef struct crn_branch_problem {
    crn_step_purpose purpose;
    int contact, contacts, row, rows; /* in the lists of all */
    crn_contact_linear *linear;       /* with its factor ... */
    crn_workspace workspace;          /* ... that lives here */
} crn_branch_problem;

/* What is told of a contact of the kick that ends the step. */
typedef struct crn_branch_report {
    crn_body_id a, b;
    crn_vec3 point;
    crn_contact_branch branch;
} crn_branch_report;

struct crn_step_branch {
    crn_stepper *stepper;
    crn_step_solver solver; /* the caller's; NULL: door 2 */
    void *solver_user;
    bool is_replaying;
    bool wants_shown;            /* begin from what is shown, as if something had been changed */
    bool is_other, begins_shown; /* there is a first kick; for all */
    bool has_repairs;            /* of the recorded step */
    bool is_solved;              /* all of its problems, by the law asked for */
    double kink;                 /* margins below it are kinks */
    int calls;                   /* problems of this run so far */
    crn_branch_problem *problem;
    crn_branch_contact *contact;
    crn_row_hint *row;
    crn_contact_hint *hint;
    crn_row_hint *row_hint;
    int *of; /* replay: for each contact of a problem the recorded one, -1 for none */
    crn_branch_report *report;
    int problems, contacts, rows, reports;
    int problem_capacity, contact_capacity, row_capacity, hint_capacity, row_hint_capacity, of_capacity,
        report_capacity;
    crn_vec3 *start; /* by contact of the last step: its point where this one begins */
    bool *has_start;
    int start_capacity, has_start_capacity;
    crn_workspace workspace;
    crn_gradient_status status; /* the worst of all problems */
    double residual, margin;
    int kinks, redundant, touching;
    int changed;           /* replay: contacts that were pushed and are gone, or are passed */
    crn_step_chain *chain; /* replay: its kicks are added; NULL: none wanted */
};

/* Before each run: the contacts of the last step are moved to where those are that are found here. */
crn_status crn_branch_begin(crn_step_branch *branch, double h, crn_error *error);

/* The solver of problems, for stepper->solver; user: the branch. */
crn_status crn_branch_solve(void *user, const crn_contact_problem *problem, const crn_contact_options *options,
                            const crn_contact_solution *solution, crn_contact_result *result, crn_error *error);

/* A kick without contacts and rows: there is no problem to be solved, but the chain has it. */
crn_status crn_branch_fly(crn_step_branch *branch, crn_error *error);

/* Replay: the first tangent of contact i as it was recorded, turned with the normal: it must not jump. False: there is none. */
bool crn_branch_tangent(const crn_step_branch *branch, int i, crn_vec3 *t1);

/* Replay: how far contacts and limits that repairs move are off. */
double crn_branch_position_error(const crn_stepper *stepper);

/* The first bounce of the last step. time: how long after the kick the surfaces would have met, 0: nothing bounced; rate: by which share the closing
 * speed grows in a second; is_single: no other contact bounced at another moment. */
typedef struct crn_branch_bounce {
    double time, rate;
    bool is_single;
} crn_branch_bounce;

crn_branch_bounce crn_branch_delay(const crn_stepper *stepper);

void crn_branch_free(crn_step_branch *branch);

/* --- Changes of a state: tangent.c ---
 *
 * Rigid bodies in their order, 6 numbers (turn, shift) or 3 in the plane each; then velocities of all trees. */

int crn_tangent_size(const crn_stepper *stepper);
int crn_tangent_body(const crn_stepper *stepper, int body, int *count);   /* first number; -1: none of its own */
int crn_tangent_joint(const crn_stepper *stepper, int joint, int *count); /* the same */

/* Move poses by dq and velocities, all that are kept, by dv, `by` times; either may be NULL. */
void crn_tangent_move(crn_stepper *stepper, double by, const double *dq, const double *dv);

/* Where everything is: poses of rigid bodies (by slot), then coordinates of trees. place: numbers of them. */
int crn_tangent_places(const crn_stepper *stepper);
void crn_tangent_keep(const crn_stepper *stepper, double *place);

/* The change of positions since; velocities as shown, and after the last kick. Any may be NULL. */
void crn_tangent_since(const crn_stepper *stepper, const double *place, double *dq);
void crn_tangent_tree_since(const crn_tree *tree, const double *q, const double *then, double *dq); /* of one tree */
void crn_tangent_velocities(const crn_stepper *stepper, double *shown, double *carried);

/* dq += time (velocity before the bounce - velocity after it), and what the bounce gives grows with the closing speed meanwhile: added to both
 * velocities. */
void crn_tangent_add_delay(const crn_stepper *stepper, const crn_branch_bounce *bounce, double *dq, double *shown,
                           double *carried);

#endif
