/* Closing joints at the end of a step.
 *
 * The step's problem lets the linearised joints hold at its end; what is left, of order h^2 |v|^2, the next step takes back
 * [HA03 eq. 2.8]. Where a mechanism must stay together better than that, more impulses l along the step's rows nu are
 * looked for, until the joints themselves hold at its end [RCB77]:
 *
 *     v+ := v+ + M^-1 nu l,    q+ = q + h v+,    Theta(q+) = 0
 *
 * The rows are those of the positions where the step began. There such impulses are as much on one body as on the other and
 * in one line, so they change neither momentum nor angular momentum, and q+ - q = h v+ still; moving the positions alone
 * would take angular momentum from everything that turns, a share h w^2/2 of it a second. M^-1 nu l comes from least
 * squares (fit.c), so that rows of loops may be redundant; a few times, as the error falls by (h w)^2 each. What else the
 * step decided by rows, motors that reach their speed and friction that holds, stays as it is.
 *
 * A mechanism that turns too far in a step for this, or that was put together open, is closed by moving positions only:
 * the method of Gauss and Newton, with the rows at q+. Coordinates that a motor without bound has put where they are stay. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "math/rigid.h"
#include "step/parts.h"

enum { LISTED_MOST = CRN_JOINT_ROWS_MAX + CRN_JOINT_COORDINATES_MAX };
enum { CLOSINGS_MOST = 40, REPAIRS_MOST = 6 }; /* 3 or 4 closings as a rule; more if bodies turn far in a step */
static const double CLOSING_SHARE = 1e-5;      /* of the gradient: the next closing starts from the true error anyway */
static const double TURN_MOST = 0.5;           /* [rad] nothing turns a body farther: rows are linear only so far */
static const double CLOSING_GAIN = 0.8;        /* a closing that leaves more of the error than this was the last ... */
static const double REPAIR_GAIN = 0.5;         /* ... and so of repairs */
static const double STUCK_BELOW = 1.0 - 1e-9;  /* of its bound: a motor or friction that holds */

crn_status crn_step_repair_begin(crn_stepper *s, crn_error *error)
{
    crn_step_fit *f = &s->fit;
    int room = s->rows + LISTED_MOST * s->joints; /* of the step; of list_errors() */
    if (!crn_reserve(&s->allocator, (void **)&s->closing, &s->closing_capacity, s->rows, sizeof *s->closing) ||
        !crn_reserve(&s->allocator, (void **)&f->row, &f->row_capacity, room, sizeof *f->row) ||
        !crn_step_fit_begin(s, room)) {
        return crn_fail(error, CRN_ERR_MEMORY, "world: out of memory for joints");
    }
    for (int i = 0; i < s->rows; ++i) {
        bool is_stuck = fabs(s->problem.row_impulse[i]) < STUCK_BELOW * s->row[i].bound;
        f->row[i] = s->row[i];
        f->row[i].bound = is_stuck ? 0.0 : s->row[i].bound;
        s->closing[i] = 0.0;
    }
    if (crn_step_is_repaired(s)) {
        crn_step_fit_load(s, f->row, s->rows);
    }
    return CRN_OK;
}

/* --- By impulses along the step's rows --- */

/* Errors of the step's rows at the present poses into fit.value; the largest. */
static double measure(crn_stepper *s)
{
    crn_joint_row row[CRN_JOINT_ROWS_MAX];
    double worst = 0.0;
    int joint = -1;
    for (int i = 0; i < s->rows; ++i) {
        const crn_step_row *from = &s->row[i];
        if (from->held >= 0 && from->joint != joint) {
            joint = from->joint;
            crn_joint_sides sides = crn_step_joint_sides(s, &s->joint[joint]);
            crn_joint_type_of(s->joint[joint].def.kind)->hold(&sides, row);
        }
        s->fit.value[i] = from->held >= 0 ? row[from->held].value : 0.0;
        worst = crn_fmax(worst, fabs(s->fit.value[i]));
    }
    return worst;
}

/* How much of the motion to take. */
static double share_of(const crn_stepper *s)
{
    double turn = 0.0;
    for (int i = 0; i < s->problem.problem.bodies; ++i) {
        turn = crn_fmax(turn, crn_v3_length(crn_v3_of(s->fit.motion + 6 * (size_t)i)));
    }
    return turn > TURN_MOST ? TURN_MOST / turn : 1.0;
}

/* Add rate times the motion to the step's velocities, and move once more from where it began. */
static void push(crn_stepper *s, double rate, double h)
{
    for (int i = 0; i < s->problem.problem.bodies; ++i) {
        crn_step_body *body = &s->body[s->problem.body_of[i]];
        crn_vec3 w = crn_v3_of(s->fit.motion + 6 * (size_t)i), v = crn_v3_of(s->fit.motion + 6 * (size_t)i + 3);
        body->next_w = crn_v3_axpy(body->next_w, rate, w);
        body->next_v = crn_v3_axpy(body->next_v, rate, v);
        body->rigid.pose = body->begin.pose;
        crn_rigid_refresh(&body->rigid);
        crn_step_move_body(body, h);
    }
    for (int i = 0; i < s->rows; ++i) {
        s->closing[i] += rate * s->fit.impulse[i];
    }
}

/* True if the joints are closed. */
static bool close_joints(crn_stepper *s, double h)
{
    double before = INFINITY;
    for (int k = 0; k < CLOSINGS_MOST; ++k) {
        double worst = measure(s);
        if (worst <= s->def.joint_tolerance) {
            return true;
        }
        if (worst > before) {
            push(s, -1.0 / h, h);
        }
        if (worst > CLOSING_GAIN * before) {
            return false;
        }
        crn_step_fit_solve(s, s->fit.row, s->rows, CLOSING_SHARE);
        if (share_of(s) < 1.0) {
            return false;
        }
        before = worst;
        push(s, 1.0 / h, h);
    }
    return false;
}

/* --- By moving positions --- */

/* Rows of all joints at the present poses into fit.row; their largest error. */
static double list_errors(crn_stepper *s, int *rows)
{
    crn_step_fit *f = &s->fit;
    double worst = 0.0;
    *rows = 0;
    for (int i = 0; i < s->joints; ++i) {
        const crn_step_joint *joint = &s->joint[i];
        if (!joint->is_used || (!crn_step_is_moved(s, joint->a) && !crn_step_is_moved(s, joint->b))) {
            continue;
        }
        crn_joint_row row[LISTED_MOST];
        int which[CRN_JOINT_ROWS_MAX];
        int count = crn_step_held(s, i, row, which);
        count += crn_step_driven(s, i, row + count);
        for (int j = 0; j < count; ++j) {
            f->value[*rows] = row[j].value;
            f->row[(*rows)++] = (crn_step_row){.joint = i, .row = row[j], .held = -1, .velocity = -1};
            worst = crn_fmax(worst, fabs(row[j].value));
        }
    }
    return worst;
}

static void move(crn_stepper *s)
{
    double share = share_of(s);
    for (int i = 0; i < s->problem.problem.bodies; ++i) {
        crn_rigid *rigid = &s->body[s->problem.body_of[i]].rigid;
        const double *d = s->fit.motion + 6 * (size_t)i;
        crn_quat turn = crn_quat_exp(crn_v3_scale(share, crn_v3_of(d)));
        rigid->pose.position = crn_v3_axpy(rigid->pose.position, share, crn_v3_of(d + 3));
        rigid->pose.rotation = crn_quat_unit(crn_quat_product(turn, rigid->pose.rotation));
        crn_rigid_refresh(rigid);
    }
}

void crn_step_repair(crn_stepper *s, double h)
{
    if (!crn_step_is_repaired(s) || s->rows == 0 || close_joints(s, h)) {
        return;
    }
    double before = INFINITY;
    for (int k = 0; k < REPAIRS_MOST; ++k) {
        int rows;
        double worst = list_errors(s, &rows);
        if (worst <= s->def.joint_tolerance || worst > REPAIR_GAIN * before) {
            return;
        }
        crn_step_fit_rows(s, s->fit.row, rows);
        before = worst;
        move(s);
    }
}
