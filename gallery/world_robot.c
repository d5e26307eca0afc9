/* world_robot.c -- the small humanoid of robot.c on the floor, its joints driven  [YN08 s5-A, s5-B].
 *
 *   humanoid20  stands and swings its arms, 2 s
 *   squat       down by 4 cm and up again in 1 s, as the paper's Table I and Figure 2
 *   tap-dance   shifts its weight from foot to foot and taps with the other one, four times each, 9.7 s, as Table II
 *
 * The paper's motions were recorded on its robot; these are ours. The weight is shifted so slowly that the zero-moment point
 *
 *     p = c - (z_c / g) c''        (c: the centre of mass, z_c its height)
 *
 * stays within the soles: from foot to foot, D = 8 cm in T = 0.7 s with a polynomial whose largest acceleration is 5.77 D / T^2,
 * moves p by up to 3 cm ahead of c. A foot that taps follows |sin|, so that it comes down with a speed. */
#include "gallery_worlds.h"
#include "robot.h"
#include "worlds.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

static crn_build begin(crn_model *model, double duration, crn_error *error)
{
    crn_build b = crn_build_begin(model, error);
    crn_build_tree_world(&b, 1e-3, duration);
    b.friction = 0.7;
    crn_build_floor(&b);
    return b;
}

/* From 0 to `most` and back, `frequency` times a second; begins at rest. */
static crn_profile swing(double most, double frequency)
{
    return (crn_profile){.value = 0.5 * most, .amplitude = 0.5 * most, .frequency = frequency, .phase = -0.5 * pi};
}

static void swing_arms(crn_robot_motion *motion, double most, double frequency)
{
    motion->arm[0][CRN_ROBOT_SHOULDER_PITCH] = swing(-most, frequency);
    motion->arm[1][CRN_ROBOT_SHOULDER_PITCH] = swing(most, frequency);
}

crn_status crn_gallery_humanoid20(crn_model *model, crn_error *error)
{
    crn_build b = begin(model, 2.0, error);
    crn_robot_motion motion = {0};
    swing_arms(&motion, 0.6, 1.0);
    crn_robot_add(&b, &motion);
    return b.status;
}

crn_status crn_gallery_squat(crn_model *model, crn_error *error)
{
    const double deepest = 0.4, once = 1.0; /* [rad], [Hz] */
    crn_build b = begin(model, 1.0, error);
    crn_robot_motion motion = {0};
    for (int i = 0; i < 2; ++i) {
        motion.leg[i][CRN_ROBOT_HIP_PITCH] = swing(-deepest, once);
        motion.leg[i][CRN_ROBOT_KNEE] = swing(2.0 * deepest, once);
        motion.leg[i][CRN_ROBOT_ANKLE_PITCH] = swing(-deepest, once);
        motion.arm[i][CRN_ROBOT_SHOULDER_PITCH] = swing(-deepest, once);
    }
    crn_robot_add(&b, &motion);
    return b.status;
}

/* --- The dance --- */

enum { KNOTS = 1935, SETS = 7, TAPS = 4 };
static const double knot = 0.005; /* [s]: knots are straight between; joints then change speed by a'' knot at each */
static const double first_rest = 0.2, first_shift = 0.5, shift_time = 0.7, tap_time = 0.15; /* [s] */
static const double shift_by = 0.042, lift = 0.01, toe_angle = 0.2;                         /* [m], [m], [rad] */
static const double heel = 0.045;                                                           /* behind the ankle [m] */

/* Where trunk and feet are. */
typedef struct figure {
    double shift;   /* of the trunk to the left [m] */
    double lift[2]; /* of the ankles [m] */
    double toe[2];  /* up [rad] */
} figure;

/* From 0 to 1 with speed and acceleration 0 at either end. */
static double ease(double t)
{
    t = fmin(fmax(t, 0.0), 1.0);
    return t * t * t * (10.0 + t * (6.0 * t - 15.0));
}

/* Set k of taps, begun at time 0: shift, then taps of the foot without load, level or with the toe. */
static void dance_set(int k, double t, double time_to_shift, double from, figure *f)
{
    double to = k % 2 == 0 ? shift_by : -shift_by, phase = (t - time_to_shift) / tap_time;
    int foot = k % 2 == 0 ? 1 : 0;
    f->shift = from + (to - from) * ease(t / time_to_shift);
    if (phase > 0.0 && phase < TAPS) {
        double up = fabs(sin(pi * phase));
        bool is_toe = k % 4 >= 2;
        f->toe[foot] = is_toe ? toe_angle * up : 0.0;
        f->lift[foot] = is_toe ? heel * sin(f->toe[foot]) : lift * up;
    }
}

static figure dance_at(double t)
{
    figure f = {0};
    double from = 0.0, begin_at = first_rest, shift = first_shift;
    for (int k = 0; k < SETS; ++k) {
        double end_at = begin_at + shift + TAPS * tap_time;
        if (t < end_at) {
            dance_set(k, fmax(t - begin_at, 0.0), shift, from, &f);
            return f;
        }
        from = k % 2 == 0 ? shift_by : -shift_by;
        begin_at = end_at;
        shift = shift_time;
    }
    f.shift = from * (1.0 - ease((t - begin_at) / first_shift));
    return f;
}

crn_status crn_gallery_tap_dance(crn_model *model, crn_error *error)
{
    double times[KNOTS], table[2][CRN_ROBOT_LEG_JOINTS][KNOTS]; /* 200 kB */
    crn_build b = begin(model, knot * (KNOTS - 1), error);
    crn_robot_motion motion = {0};
    for (int n = 0; n < KNOTS; ++n) {
        times[n] = knot * n;
        figure f = dance_at(times[n]);
        for (int i = 0; i < 2; ++i) {
            double angle[CRN_ROBOT_LEG_JOINTS];
            crn_robot_reach(-f.shift, crn_robot_leg_length() - f.lift[i], angle);
            angle[CRN_ROBOT_ANKLE_PITCH] -= f.toe[i];
            for (int j = 0; j < CRN_ROBOT_LEG_JOINTS; ++j) {
                table[i][j][n] = angle[j];
            }
        }
    }
    for (int i = 0; i < 2; ++i) {
        for (int j = CRN_ROBOT_HIP_ROLL; j < CRN_ROBOT_LEG_JOINTS; ++j) {
            motion.leg[i][j] = (crn_profile){.times = times, .values = table[i][j], .count = KNOTS};
        }
    }
    swing_arms(&motion, 0.6, 1.0 / (shift_time + TAPS * tap_time));
    crn_robot_add(&b, &motion);
    return b.status;
}
