/* A rigid body alone: its inertia in the world, forces on it, and free motion.
 *
 * Free turning. The angular momentum L = I w stays what it is in world axes; seen from the body it is P = R'L, and a turn
 * of the body by the vector h o (body axes) turns P by -h o. The implicit midpoint asks that o be the velocity of the
 * mean momentum:
 *
 *     I o = (P + P+)/2,    P+ = exp(-h o) P,    R+ = R exp(h o),    w+ = I(R+)^-1 L.
 *
 *   L       the same on both sides of R+ P+ = R P, by construction and whatever o is
 *   energy  P+ - P is along o x (P + P+), which is orthogonal to o = I^-1 (P + P+)/2: so P'I^-1 P does not change
 *   order   two, by symmetry: going back by -h arrives where it began
 *   exact   where P is along a principal direction: then P+ = P and the body turns by h w
 *
 * With the Cayley map in place of exp this is the midpoint rule for P [AKW93]; the exponential keeps all that it conserves
 * and is exact in the last case.
 *
 * The equation for o is solved by Newton's method: 2 or 3 iterations at usual speeds. A fixed-point iteration contracts by
 * h sqrt(P'I P / det I) / 2 at best, the largest eigenvalue of h I^-1 [P x] / 2, and fails for slender bodies. */
#include "tree/tree_room.h"

#include "math/rigid.h"

/* Stop when the equation for o holds to this, relative to trace(I) |o|: a few units of rounding. L does not depend on it,
 * energy does. */
static const double MIDPOINT_TOLERANCE = 0x1p-50;
enum { MIDPOINT_ITERATIONS = 20 }; /* at most 5 are used below TURN_MOST */

/* A body that turns faster than TURN_MOST [rad] in h, or whose w turns faster in the body, moves in equal parts so that
 * Newton's method starts near its solution; but in no more than SUBSTEPS_MOST. Beyond (128 rad a step) the turn is not
 * accurate; L still is, and so the energy stays between its least and its largest for this L. */
static const double TURN_MOST = 0.5;
enum { SUBSTEPS_MOST = 256 };

/* w is taken for a principal direction if |o x I o| is below this times trace(I) |o|^2: what rounding leaves of 0. It then
 * keeps its bits. A larger bound would let L drift: turning about a w that is not quite principal carries L around it. */
static const double PRINCIPAL_SLACK = 0x1p-51;

static const double NO_MOMENT = 0x1p-40; /* of the trace */

/* --- Three equations --- */

static double determinant(const crn_mat3 *a)
{
    return crn_v3_dot(crn_m3_column(a, 0), crn_v3_cross(crn_m3_column(a, 1), crn_m3_column(a, 2)));
}

/* x with a x = b, corrected once by its residual: a x = b to rounding also where a is ill-conditioned. */
static crn_vec3 solved_well(const crn_mat3 *a, crn_vec3 b)
{
    crn_vec3 x = crn_m3_solve(a, b);
    return crn_v3_add(x, crn_m3_solve(a, crn_v3_sub(b, crn_m3_times(a, x))));
}

/* --- Turning --- */

/* The body's rotation becomes q. A turn too small to change any digit changes none: q is then not made unit again, and a
 * body at rest keeps its bits. */
static void turn_to(crn_rigid *body, crn_quat q)
{
    crn_quat *r = &body->pose.rotation;
    if (q.w != r->w || q.x != r->x || q.y != r->y || q.z != r->z) {
        *r = crn_quat_unit(q);
    }
}

/* Turn by the vector v in world axes. */
static void turn_about(crn_rigid *body, crn_vec3 v)
{
    turn_to(body, crn_quat_product(crn_quat_exp(v), body->pose.rotation));
}

/* Does o (body axes) turn about itself? Spheres and cubes always do, and a body at rest. */
static bool is_principal(const crn_mat3 *inertia, crn_vec3 o)
{
    double torque = crn_v3_length(crn_v3_cross(o, crn_m3_times(inertia, o)));
    double trace = inertia->m[0] + inertia->m[4] + inertia->m[8];
    return torque <= PRINCIPAL_SLACK * trace * crn_v3_dot(o, o);
}

/* Derivative of I o - (P + exp(-h o) P)/2 in o, with p = h o small:
 *     I - h/2 [P+ x] (1 - [p]/2 + [p]^2/6 - ...) */
static crn_mat3 newton_matrix(const crn_mat3 *inertia, double h, crn_vec3 p, crn_vec3 after)
{
    crn_mat3 a = *inertia;
    for (int j = 0; j < 3; ++j) {
        crn_vec3 e = {j == 0, j == 1, j == 2}, pe = crn_v3_cross(p, e);
        crn_vec3 g = crn_v3_axpy(crn_v3_axpy(e, -1.0 / 2, pe), 1.0 / 6, crn_v3_cross(p, pe));
        crn_v3_to(crn_v3_axpy(crn_m3_column(&a, j), -0.5 * h, crn_v3_cross(after, g)), a.m + 3 * j);
    }
    return a;
}

/* o of the implicit midpoint; all in body axes */
static crn_vec3 midpoint_velocity(const crn_mat3 *inertia, crn_vec3 momentum, double h)
{
    crn_vec3 o = crn_m3_solve(inertia, momentum);
    double trace = inertia->m[0] + inertia->m[4] + inertia->m[8];
    for (int k = 0; k < MIDPOINT_ITERATIONS; ++k) {
        crn_vec3 p = crn_v3_scale(h, o), after = crn_quat_turn(crn_quat_exp(crn_v3_scale(-1.0, p)), momentum);
        crn_vec3 mean = crn_v3_scale(0.5, crn_v3_add(momentum, after));
        crn_vec3 residual = crn_v3_sub(mean, crn_m3_times(inertia, o));
        if (!(crn_v3_length(residual) > MIDPOINT_TOLERANCE * trace * crn_v3_length(o))) {
            break;
        }
        crn_mat3 a = newton_matrix(inertia, h, p, after);
        o = crn_v3_add(o, crn_m3_solve(&a, residual));
    }
    return o;
}

/* Into how many parts to cut h: see TURN_MOST. */
static int substeps(const crn_mat3 *inertia, crn_vec3 momentum, double h, crn_vec3 o)
{
    double inner = crn_v3_dot(momentum, crn_m3_times(inertia, momentum)) / determinant(inertia);
    double parts = ceil(fabs(h) * sqrt(crn_fmax(inner, crn_v3_dot(o, o))) / TURN_MOST);
    return parts < SUBSTEPS_MOST ? (int)crn_fmax(parts, 1.0) : SUBSTEPS_MOST; /* also if it is not a number */
}

/* Turn freely for h; o is w in body axes. */
static void tumble(crn_rigid *body, double h, crn_vec3 o)
{
    crn_vec3 angular_momentum = crn_m3_times(&body->inertia_world, body->w);
    crn_vec3 momentum = crn_m3_transposed_times(&body->rotation, angular_momentum);
    crn_quat turn = {1, 0, 0, 0};
    int parts = substeps(&body->inertia, momentum, h, o);
    for (int k = 0; k < parts; ++k) {
        crn_vec3 part = crn_v3_scale(h / parts, midpoint_velocity(&body->inertia, momentum, h / parts));
        turn = crn_quat_product(turn, crn_quat_exp(part));
        momentum = crn_quat_turn(crn_quat_exp(crn_v3_scale(-1.0, part)), momentum);
    }
    turn_to(body, crn_quat_product(body->pose.rotation, turn));
    crn_rigid_refresh(body);
    body->w = solved_well(&body->inertia_world, angular_momentum);
}

/* --- Precession --- */

/* Derivative of I (o+ - o) - h (I x) x x,  x = (o + o+)/2, in o+. A rod has no moment about itself and keeps its speed there: the
 * least of what rounding leaves of the trace stands in for it. */
static crn_mat3 precession_matrix(const crn_mat3 *inertia, double h, crn_vec3 x)
{
    crn_mat3 a = *inertia;
    crn_vec3 momentum = crn_m3_times(inertia, x);
    double least = NO_MOMENT * (a.m[0] + a.m[4] + a.m[8]);
    for (int j = 0; j < 3; ++j) {
        crn_vec3 e = {j == 0, j == 1, j == 2}, column = crn_m3_column(inertia, j);
        crn_vec3 change = crn_v3_add(crn_v3_cross(column, x), crn_v3_cross(momentum, e));
        crn_v3_to(crn_v3_axpy(crn_v3_axpy(column, -0.5 * h, change), least, e), a.m + 3 * j);
    }
    return a;
}

crn_vec3 crn_rigid_precess(const crn_mat3 *inertia, crn_vec3 o, double h)
{
    crn_vec3 after = o;
    double trace = inertia->m[0] + inertia->m[4] + inertia->m[8], fine = MIDPOINT_TOLERANCE * trace * crn_v3_length(o);
    for (int k = 0; k < MIDPOINT_ITERATIONS; ++k) {
        crn_vec3 x = crn_v3_scale(0.5, crn_v3_add(o, after));
        crn_vec3 torque = crn_v3_cross(crn_m3_times(inertia, x), x);
        crn_vec3 residual = crn_v3_axpy(crn_m3_times(inertia, crn_v3_sub(o, after)), h, torque);
        if (crn_v3_length(residual) <= fine) {
            return after;
        }
        crn_mat3 a = precession_matrix(inertia, h, x);
        after = crn_v3_add(after, crn_m3_solve(&a, residual));
    }
    return o; /* faster than it can be followed */
}

/* --- The door --- */

void crn_rigid_refresh(crn_rigid *body)
{
    body->rotation = crn_quat_matrix(body->pose.rotation);
    body->inertia_world = crn_m3_turned(&body->rotation, &body->inertia);
}

void crn_rigid_move(crn_rigid *body, double h)
{
    crn_vec3 *x = &body->pose.position;
    if (crn_v3_dot(body->v, body->v) + crn_v3_dot(body->w, body->w) == 0.0) {
        return; /* to the last bit */
    }
    if (body->is_planar) {
        x->x += h * body->v.x;
        x->y += h * body->v.y;
        turn_about(body, crn_v3(0, 0, h * body->w.z));
        crn_rigid_refresh(body);
        return;
    }
    *x = crn_v3_axpy(*x, h, body->v);
    crn_vec3 o = crn_m3_transposed_times(&body->rotation, body->w);
    if (is_principal(&body->inertia, o)) {
        turn_about(body, crn_v3_scale(h, body->w));
        crn_rigid_refresh(body);
    } else {
        tumble(body, h, o);
    }
}

void crn_rigid_push(const crn_rigid *body, double h, crn_vec3 force, crn_vec3 torque, double linear_damping,
                    double angular_damping, crn_vec3 *w, crn_vec3 *v)
{
    double linear = 1.0 / (1.0 + h * linear_damping), angular = 1.0 / (1.0 + h * angular_damping);
    crn_vec3 spun = body->w, moved = crn_v3_axpy(body->v, h / body->mass, force);
    if (body->is_planar) {
        spun = crn_v3(0, 0, spun.z + h * torque.z / body->inertia.m[8]);
        moved.z = 0.0;
    } else {
        spun = crn_v3_axpy(spun, h, solved_well(&body->inertia_world, torque));
    }
    *w = crn_v3_scale(angular, spun);
    *v = crn_v3_scale(linear, moved);
}

double crn_rigid_kinetic(const crn_rigid *body)
{
    return crn_rigid_kinetic_of(body, body->w, body->v);
}

crn_vec3 crn_rigid_angular_momentum(const crn_rigid *body)
{
    return crn_rigid_angular_momentum_of(body, body->w, body->v);
}
