/* What a contact does: which state its impulse and velocity tell, the equations of that state, and how near another one is. */
#include "contact/linear.h"

#include <math.h>
#include <string.h>

#include "contact/polygon.h"
#include "math/vec.h"

static double length2(const double *x)
{
    return sqrt(x[0] * x[0] + x[1] * x[1]);
}

/* Place of friction r_t on the polygon: the edge of its sector. */
typedef struct sector {
    double m[2], g[2];  /* unit: normal of the edge, along it (counter-clockwise) */
    double cos, sin;    /* of pi / directions */
    int edge;           /* from corner `edge` to the next */
    double slack;       /* mu r_n cos - r.m: >= 0 inside */
    double along, half; /* r.g; half the length of the edge */
} sector;

static sector find_sector(int directions, double mu, const double *r)
{
    const double pi = 3.14159265358979323846;
    sector s;
    double turn = crn_atan2(r[2], r[1]) / (2.0 * pi) * directions;
    turn = turn < 0.0 ? turn + directions : turn;
    s.edge = (int)turn;
    s.edge = s.edge >= directions ? 0 : s.edge;
    crn_corner(2 * directions, 2 * s.edge + 1, s.m);
    s.g[0] = -s.m[1];
    s.g[1] = s.m[0];
    crn_turn half = crn_sin_cos(pi / directions);
    s.cos = half.cos;
    s.sin = half.sin;
    s.slack = mu * r[0] * s.cos - (r[1] * s.m[0] + r[2] * s.m[1]);
    s.along = r[1] * s.g[0] + r[2] * s.g[1];
    s.half = mu * r[0] * s.sin;
    return s;
}

/* --- Choice --- */

static void set_direction(crn_mode *mode, crn_mode_kind kind, double x, double y, double share)
{
    mode->kind = kind;
    mode->d[0] = x;
    mode->d[1] = y;
    mode->share = share;
}

static void choose_line(double mu, double delta, const double *r, const double *u, crn_mode *mode)
{
    mode->kind = CRN_MODE_LINE;
    if ((mu * r[0] - fabs(r[1])) * delta <= fabs(u[1])) {
        double side = r[1] != 0.0 ? r[1] : -u[1];
        set_direction(mode, CRN_MODE_FIXED, side < 0.0 ? -1.0 : 1.0, 0.0, 1.0);
    }
}

static void choose_round(double mu, double delta, const double *r, const double *u, crn_mode *mode)
{
    double friction = length2(r + 1), slip = length2(u + 1);
    mode->kind = CRN_MODE_STICK;
    if ((mu * r[0] - friction) * delta <= slip) {
        bool is_moving = slip > 0.0;
        const double *along = is_moving ? u + 1 : r + 1;
        double size = is_moving ? -slip : crn_max(friction, 1e-300);
        set_direction(mode, CRN_MODE_SLIP, along[0] / size, along[1] / size, 1.0);
        mode->is_rim = !is_moving;
    }
}

static void choose_polygon(int directions, double mu, double delta, const double *r, const double *u, crn_mode *mode)
{
    sector s = find_sector(directions, mu, r);
    mode->kind = CRN_MODE_STICK;
    if (s.slack * delta > length2(u + 1)) {
        return;
    }
    if ((s.half - fabs(s.along)) * delta > fabs(u[1] * s.g[0] + u[2] * s.g[1])) {
        set_direction(mode, CRN_MODE_EDGE, s.m[0], s.m[1], s.cos);
        return;
    }
    double corner[2];
    crn_corner(directions, (s.edge + (s.along > 0.0)) % directions, corner);
    set_direction(mode, CRN_MODE_FIXED, corner[0], corner[1], 1.0);
}

/* The speed that keeps an open contact open. */
static double parting(double mu, crn_contact_law law, const double *u)
{
    return law == CRN_LAW_CONVEX ? u[0] - mu * length2(u + 1) : u[0];
}

void crn_mode_choose(const crn_system *s, int i, const crn_branch_scale *scale, double delta, const double *r,
                     const double *u, crn_mode *mode)
{
    double mu = s->mu[i];
    int directions = s->directions[i];
    memset(mode, 0, sizeof *mode);
    if (r[0] <= 0.0 || r[0] * delta <= parting(mu, scale->law, u)) {
        mode->kind = CRN_MODE_OPEN;
    } else if (mu == 0.0 || directions == 0) {
        mode->kind = CRN_MODE_SLICK;
    } else if (directions == 2) {
        choose_line(mu, delta, r, u, mode);
    } else if (scale->cone == CRN_CONE_ROUND || scale->law == CRN_LAW_CONVEX) {
        choose_round(mu, delta, r, u, mode);
    } else {
        choose_polygon(directions, mu, delta, r, u, mode);
    }
    crn_mode_fill(s, i, scale->law, r, u, mode);
}

/* --- Rows --- */

static void set_row(crn_mode *mode, int j, double n, double t1, double t2)
{
    double *a = mode->a[j], *f = mode->f[j];
    a[0] = f[0] = n;
    a[1] = f[1] = t1;
    a[2] = f[2] = t2;
    mode->soft[j] = 0.0;
}

/* Friction along d at its most: the first row's force leans. */
static void lean(double mu, crn_contact_law law, const double *r, const double *u, crn_mode *mode)
{
    double most = mode->share * mu, slip = -(u[1] * mode->d[0] + u[2] * mode->d[1]);
    for (int k = 0; k < 2; ++k) {
        mode->f[0][k + 1] = most * mode->d[k];
        mode->a[0][k + 1] = law == CRN_LAW_CONVEX ? most * mode->d[k] : 0.0;
        mode->f_mu[k + 1] = mode->share * r[0] * mode->d[k];
    }
    mode->b_mu = law == CRN_LAW_CONVEX ? mode->share * slip : 0.0;
}

static void fill_slip(double mu, const double *r, const double *u, crn_mode *mode)
{
    double slip = length2(u + 1);
    if (!mode->is_rim && slip > 0.0) {
        mode->d[0] = -u[1] / slip;
        mode->d[1] = -u[2] / slip;
    }
    if (!mode->is_graze && r[0] > 0.0) {
        set_row(mode, 1, 0.0, -mode->d[1], mode->d[0]);
        mode->soft[1] = mode->is_rim ? 0.0 : slip / (mu * r[0]);
        mode->rows = 2;
    }
}

void crn_mode_fill(const crn_system *s, int i, crn_contact_law law, const double *r, const double *u, crn_mode *mode)
{
    double mu = s->mu[i];
    memset(mode->f_mu, 0, sizeof mode->f_mu);
    mode->b_mu = 0.0;
    mode->rows = mode->kind == CRN_MODE_OPEN ? 0 : 1;
    set_row(mode, 0, 1.0, 0.0, 0.0);
    if (mode->kind == CRN_MODE_STICK || mode->kind == CRN_MODE_LINE) {
        set_row(mode, 1, 0.0, 1.0, 0.0);
        set_row(mode, 2, 0.0, 0.0, 1.0);
        mode->rows = mode->kind == CRN_MODE_LINE ? 2 : 3;
    } else if (mode->kind == CRN_MODE_EDGE) {
        set_row(mode, 1, 0.0, -mode->d[1], mode->d[0]);
        mode->rows = 2;
    } else if (mode->kind == CRN_MODE_SLIP) {
        fill_slip(mu, r, u, mode);
    }
    if (mode->kind >= CRN_MODE_FIXED) {
        lean(mu, law, r, u, mode);
    }
}

void crn_mode_defect(const crn_system *s, int i, crn_contact_law law, const crn_mode *mode, const double *r,
                     const double *u, double *dr, double *b)
{
    (void)law;
    for (int k = 0; k < 3; ++k) {
        dr[k] = -r[k];
    }
    for (int j = 0; j < mode->rows; ++j) {
        const double *a = mode->a[j], *f = mode->f[j];
        double rho = j == 0 ? r[0] : f[0] * r[0] + f[1] * r[1] + f[2] * r[2];
        for (int k = 0; k < 3; ++k) {
            dr[k] += f[k] * rho;
        }
        b[j] = -(a[0] * u[0] + a[1] * u[1] + a[2] * u[2] + mode->soft[j] * rho);
    }
    if (s->directions[i] == 2 || s->mu[i] == 0.0) { /* columns that take no part keep what they have: nothing */
        dr[2] = -r[2];
    }
}

/* --- Margins --- */

typedef struct margins {
    double impulse, velocity; /* the least of each, scaled; INFINITY: none */
} margins;

static void judge_polygon_corner(int directions, const crn_mode *mode, const double *u, double scale, margins *m)
{
    crn_turn step = crn_sin_cos(3.14159265358979323846 / directions);
    for (int side = -1; side <= 1; side += 2) { /* the edges beside the corner, seen from it */
        double x = -step.sin * mode->d[0] - side * step.cos * mode->d[1];
        double y = side * step.cos * mode->d[0] - step.sin * mode->d[1];
        m->velocity = crn_min(m->velocity, (u[1] * x + u[2] * y) / scale);
    }
}

static margins find_margins(const crn_system *s, int i, const crn_branch_scale *scale, const crn_mode *mode,
                            const double *r, const double *u)
{
    double U = scale->velocity, R = scale->impulse, mu = s->mu[i];
    margins m = {mode->kind == CRN_MODE_OPEN ? INFINITY : r[0] / R, INFINITY};
    if (mode->kind == CRN_MODE_OPEN) {
        m.velocity = parting(mu, scale->law, u) / U;
    } else if (mode->kind == CRN_MODE_LINE) {
        m.impulse = crn_min(m.impulse, (mu * r[0] - fabs(r[1])) / R);
    } else if (mode->kind == CRN_MODE_STICK && scale->cone == CRN_CONE_ROUND) {
        m.impulse = crn_min(m.impulse, (mu * r[0] - length2(r + 1)) / R);
    } else if (mode->kind == CRN_MODE_STICK) {
        m.impulse = crn_min(m.impulse, find_sector(s->directions[i], mu, r).slack / R);
    } else if (mode->kind == CRN_MODE_EDGE) {
        sector at = find_sector(s->directions[i], mu, r);
        m.impulse = crn_min(m.impulse, (at.half - fabs(at.along)) / R);
        m.velocity = -(u[1] * mode->d[0] + u[2] * mode->d[1]) / U;
    } else if (mode->kind == CRN_MODE_FIXED && s->directions[i] == 2) {
        m.velocity = -u[1] * mode->d[0] / U;
    } else if (mode->kind == CRN_MODE_FIXED) {
        judge_polygon_corner(s->directions[i], mode, u, U, &m);
    } else if (mode->kind == CRN_MODE_SLIP) {
        m.velocity = length2(u + 1) / U;
    }
    return m;
}

/* Which state the public one is. */
static crn_contact_state state_of(const crn_system *s, int i, const crn_mode *mode)
{
    static const int kind[] = {CRN_CONTACT_OFF,   CRN_CONTACT_ON,   CRN_CONTACT_STICK, CRN_CONTACT_STICK,
                               CRN_CONTACT_SLIDE, CRN_CONTACT_EDGE, CRN_CONTACT_SLIDE};
    crn_contact_state state = {kind[mode->kind], 0};
    if (mode->kind == CRN_MODE_EDGE || mode->kind == CRN_MODE_FIXED) {
        double r[3] = {1.0, mode->d[0], mode->d[1]};
        int directions = s->directions[i];
        sector at = find_sector(directions, 1.0, r);
        bool is_next = mode->kind == CRN_MODE_FIXED && at.along > 0.0;
        state.corner = directions == 2 ? mode->d[0] < 0.0 : (at.edge + is_next) % directions;
    }
    return state;
}

void crn_mode_judge(const crn_system *s, int i, const crn_branch_scale *scale, const crn_mode *mode, const double *r,
                    const double *u, crn_contact_branch *branch)
{
    margins m = find_margins(s, i, scale, mode, r, u);
    bool is_slick = s->mu[i] == 0.0 || s->directions[i] == 0;
    bool is_light = mode->kind == CRN_MODE_OPEN || r[0] / scale->impulse < scale->kink;
    bool is_still = mode->kind != CRN_MODE_OPEN && mode->kind < CRN_MODE_FIXED;
    is_still = is_still || length2(u + 1) / scale->velocity < scale->kink;
    branch->state = state_of(s, i, mode);
    branch->margin = crn_min(m.impulse, m.velocity);
    branch->kink = CRN_KINK_NONE;
    if (branch->margin < scale->kink) {
        branch->kink = !is_light ? CRN_KINK_RIM : is_still && !is_slick ? CRN_KINK_APEX : CRN_KINK_GRAZE;
    }
}
