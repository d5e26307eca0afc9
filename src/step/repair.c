/* Closing joints after a step.
 *
 * The step leaves them open by its linearisation error, of order h^2 |v|^2, and the next one takes that back [HA03 eq. 2.8].
 * Where a mechanism must stay together better than that, positions are corrected by Gauss and Newton's method: the smallest
 * motion that takes the errors back (fit.c), again until they are below the tolerance; twice as a rule. Velocities and
 * momentum are not touched, nor are coordinates that a motor without bound has put where they are. */
#include <math.h>

#include "base/memory.h"
#include "math/rigid.h"
#include "step/parts.h"

enum { REPAIRS_MOST = 6 };
static const double TURN_MOST = 0.5;  /* [rad] a repair turns a body no farther: rows are linear only so far */
static const double GAIN_LEAST = 0.5; /* a repair that leaves more of the error than this was the last */

/* Rows of all joints at the present poses into fit.row; their largest error, -1 without memory. */
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
        crn_joint_row row[CRN_JOINT_ROWS_MAX + CRN_JOINT_COORDINATES_MAX];
        int count = crn_step_held(s, i, row);
        count += crn_step_driven(s, i, row + count);
        if (!crn_reserve(&s->allocator, (void **)&f->row, &f->row_capacity, *rows + count, sizeof *f->row)) {
            return -1.0;
        }
        for (int j = 0; j < count; ++j) {
            f->row[(*rows)++] = (crn_step_row){i, row[j], 0.0, 0.0};
            worst = fmax(worst, fabs(row[j].value));
        }
    }
    return worst;
}

/* How much of the motion to take. */
static double share_of(const crn_stepper *s)
{
    double turn = 0.0;
    for (int i = 0; i < s->problem.problem.bodies; ++i) {
        turn = fmax(turn, crn_v3_length(crn_v3_of(s->fit.motion + 6 * (size_t)i)));
    }
    return turn > TURN_MOST ? TURN_MOST / turn : 1.0;
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

crn_status crn_step_repair(crn_stepper *s, crn_error *error)
{
    bool is_wanted = s->def.joint_tolerance > 0.0 && !s->def.is_unstabilised && s->def.scheme != CRN_SCHEME_PLAIN;
    double before = INFINITY;
    for (int k = 0; k < REPAIRS_MOST && is_wanted && s->rows > 0; ++k) {
        int rows;
        double worst = list_errors(s, &rows);
        if (worst >= 0.0 && (worst <= s->def.joint_tolerance || worst > GAIN_LEAST * before)) {
            return CRN_OK;
        }
        if (worst < 0.0 || !crn_step_fit_begin(s, rows)) {
            return crn_fail(error, CRN_ERR_MEMORY, "world: out of memory for joints");
        }
        for (int i = 0; i < rows; ++i) {
            s->fit.value[i] = s->fit.row[i].row.value;
        }
        crn_step_fit_rows(s, s->fit.row, rows);
        before = worst;
        move(s);
    }
    return CRN_OK;
}
