/* Even impulses  [E15], the most evenly distributed ones that the motion allows.
 *
 * A solution gives the motion, hence every contact velocity u. All impulses x = (theta, phi) of the same motion are
 *
 *     A x + B l = p,   x in C,     C = product of the cones that complementarity with the known u leaves (even_cone.h)
 *
 * and the one that minimises |x|^2 / 2 is unique, whatever the order of the contacts. Row impulses l are not judged: first
 * what rows can do is projected out of A and p, and afterwards l is the least-norm choice for what is missing. A row at its
 * bound keeps its impulse; one within acts like one without, and if that drives its impulse over the bound, all rows with
 * bounds keep theirs.
 *
 * The dual problem has no constraints and lives in velocity space: maximise  p'y - |Proj_C(A'y)|^2 / 2,  concave and once
 * continuously differentiable, and x = Proj_C(A'y). With gradient p - X r(y) and the 3 x 3 blocks S_i of dr_i/dg_i the
 * semi-smooth Newton step is
 *
 *     (sum X_i S_i X_i' + eps D) step = p - X r(y)
 *
 * followed by a search along it. D is the diagonal of the matrix with every closed contact active: eps D lets directions in
 * which no active contact acts be left alone. It is a proximal term, so the iteration goes on to the exact answer, and x
 * does not feel what y does in such directions. At the solution, which the last steps reach within one smooth piece of the
 * dual, they are the refinement of the linear least-squares problem on the active constraints.
 *
 * Invariant: r(y) is in C at every y; only the motion is approached. So what is returned obeys the law of contact as well
 * as the given solution did, and it is returned only if the motion is kept to TOL_MOTION. */
#include "contact/even.h"

#include <math.h>
#include <string.h>

#include "contact/polygon.h"
#include "math/vec.h"

/* Relative to U: normal velocities, slips and differences between corners up to this count as 0. Below the default tolerance
 * of certificates (1e-9), so that a contact which is taken as closed stays within it; far above rounding of u (1e-14), so
 * that contacts in the same state are treated alike in every order of the contacts. */
#define TOL_TOUCH 1e-10
/* The same as a multiple of the largest natural map of the given solution, its own noise. */
#define NOISE_FACTOR 4.0
/* Largest change of a whitened velocity, relative to the impulses it is the sum of, that counts as the same motion. */
#define TOL_MOTION 1e-12
/* Rounding of those sums: nothing is gained below. */
#define AT_ROUNDING 2e-16
/* eps of the proximal term: at first far above rounding of the factorisation (dof * 2^-53), so that pivots stay positive
 * and steps short; where steps do not get on, it falls, down to what rounding allows. */
#define PROXIMAL_FIRST 1e-9
#define PROXIMAL_LEAST 1e-14
/* A step is taken whole if it halves the gradient; the search ends when the slope is below this share of the first one. */
#define HALVED      0.5
#define SLOPE_SHARE 0.1

enum { MAX_STEPS = 200, MAX_TRIALS = 60 };
/* Steps without a smaller residual after which the search ends: near the end they are rounding, before they may be
 * passing a kink. */
enum { IDLE_NEAR = 4, IDLE_FAR = 20 };

/* --- Memory --- */

static int polygon_half(const crn_system *s, int i)
{
    return s->mu[i] > 0.0 ? s->directions[i] / 2 : 0;
}

/* Corners of all polygons, neighbours with the same d sharing theirs; fills nothing where corner is NULL. */
static size_t fill_corners(const crn_system *s, double *corner, int *start)
{
    size_t used = 0, first = 0;
    int held = 0;
    for (int i = 0; i < s->contacts; ++i) {
        int half = polygon_half(s, i);
        if (half != held && half > 0) {
            first = used;
            for (int j = 0; corner && j < half; ++j) {
                crn_corner(2 * half, j, corner + first + 2 * (size_t)j);
            }
            used += 2 * (size_t)half;
            held = half;
        }
        if (start) {
            start[i] = (int)first;
        }
    }
    return used;
}

void crn_even_layout(crn_even *e, const crn_system *s, crn_arena *arena)
{
    size_t contacts = (size_t)s->contacts, dof = (size_t)s->dof;
    e->contact = CRN_TAKE(arena, int, contacts);
    e->face = CRN_TAKE(arena, crn_face, contacts);
    e->piece = CRN_TAKE(arena, crn_piece, 2 * contacts);
    e->piece_start = CRN_TAKE(arena, int, contacts + 1);
    e->corner = CRN_TAKE(arena, double, fill_corners(s, NULL, NULL));
    e->corner_start = CRN_TAKE(arena, int, contacts);
    e->columns = s->rows > 0 ? CRN_TAKE(arena, double, 3 * contacts * dof) : NULL;
    e->delta = CRN_TAKE(arena, double, contacts);
    e->p = CRN_TAKE(arena, double, dof);
    e->y = CRN_TAKE(arena, double, dof);
    e->best = CRN_TAKE(arena, double, dof);
    e->step = CRN_TAKE(arena, double, dof);
    e->trial = CRN_TAKE(arena, double, dof);
    e->residual = CRN_TAKE(arena, double, dof);
    e->before = CRN_TAKE(arena, double, dof);
    e->diagonal = CRN_TAKE(arena, double, dof);
    e->r = CRN_TAKE(arena, double, 3 * contacts);
    e->pull = CRN_TAKE(arena, double, 3 * contacts);
    e->held_r = CRN_TAKE(arena, double, s->bounded > 0 ? 3 * contacts : 0);
    e->held_l = CRN_TAKE(arena, double, s->bounded > 0 ? (size_t)s->rows : 0);
    e->keeps_bounded = false;
    e->fixed = CRN_TAKE(arena, double, s->bounded > 0 ? (size_t)s->rows : 0);
    e->is_fixed = CRN_TAKE(arena, bool, s->bounded > 0 ? (size_t)s->rows : 0);
    crn_even_rows_layout(&e->rows, s, arena);
    crn_profile_layout(&e->profile, s, arena);
}

/* --- What each contact may carry --- */

typedef struct law_of_contact {
    crn_contact_cone cone;
    crn_contact_law law;
    double touch; /* velocities up to this are 0 */
} law_of_contact;

/* Does friction f lie so far inside of the disk of radius mu r_n that the given solution calls the contact sticking? */
static bool claims_stick(double radius, const double *f, const double *u, double delta)
{
    double moved[2] = {f[0] * delta - u[0], f[1] * delta - u[1]}, limit = radius * delta;
    return moved[0] * moved[0] + moved[1] * moved[1] <= limit * limit;
}

/* A slider on a polygon: friction at the corner most against the slip, or on the edge to a neighbour that is as much
 * against it, or that the given friction f makes use of. */
static void slide_on_polygon(int d, double touch, double delta, const double *f, const double *u, crn_face *face)
{
    double corner[2], next[2], least = INFINITY;
    int best = 0;
    for (int j = 0; j < d; ++j) {
        crn_corner(d, j, corner);
        double along = corner[0] * u[0] + corner[1] * u[1];
        if (along < least) {
            least = along;
            best = j;
            memcpy(face->t, corner, sizeof corner);
        }
    }
    face->kind = CRN_FACE_RAY;
    for (int side = -1; side <= 1; side += 2) {
        crn_corner(d, (best + side + d) % d, next);
        double gap = next[0] * u[0] + next[1] * u[1] - least;
        double share = (face->t[0] * f[1] - face->t[1] * f[0]) / (face->t[0] * next[1] - face->t[1] * next[0]);
        if (gap <= touch || share * delta > gap) {
            face->kind = CRN_FACE_PAIR;
            memcpy(face->t + 2, next, sizeof next);
            return;
        }
    }
}

/* Is friction of the given solution inside the polygon, as far as the natural map can tell? */
static bool is_inside_polygon(const crn_face *face, double radius, const double *f, const double *u, double delta)
{
    int half = face->half;
    double y[2] = {f[0] * delta - u[0], f[1] * delta - u[1]};
    double step[2], middle[2], limit = radius * delta, apothem;
    crn_corner(4 * half, 1, step); /* half the angle between corners */
    apothem = limit * step[0];
    for (int j = 0; j < 2 * half; ++j) {
        crn_corner(4 * half, 2 * j + 1, middle);
        if (middle[0] * y[0] + middle[1] * y[1] > apothem) {
            return false;
        }
    }
    return true;
}

static void friction_face(const law_of_contact *law, int d, double delta, const double *r, const double *u,
                          crn_face *face)
{
    double slip[2] = {u[1], d == 2 ? 0.0 : u[2]}, f[2] = {r[1], d == 2 ? 0.0 : r[2]};
    double speed = sqrt(slip[0] * slip[0] + slip[1] * slip[1]), radius = face->mu * r[0];
    bool is_round = d > 2 && (law->cone == CRN_CONE_ROUND || law->law == CRN_LAW_CONVEX);
    bool sticks = speed <= law->touch;
    if (!sticks) {
        sticks =
            d == 2 || is_round ? claims_stick(radius, f, slip, delta) : is_inside_polygon(face, radius, f, slip, delta);
    }
    if (sticks) {
        face->kind = is_round ? CRN_FACE_ROUND : CRN_FACE_POLYGON;
    } else if (d > 2 && !is_round) {
        slide_on_polygon(d, law->touch, delta, f, slip, face);
    } else {
        face->kind = CRN_FACE_RAY;
        face->t[0] = -slip[0] / speed;
        face->t[1] = -slip[1] / speed;
    }
}

/* The face of contact i; false if it is open: r stays as it is. */
static bool find_face(const crn_even *e, const crn_system *s, const law_of_contact *law, int i, const double *r,
                      const double *u, crn_face *face)
{
    double gap = u[0], delta = e->delta[i];
    *face = (crn_face){CRN_FACE_NORMAL, s->mu[i], {0.0, 0.0, 0.0, 0.0}, polygon_half(s, i), NULL};
    if (law->law == CRN_LAW_CONVEX && face->half > 0) { /* u in the dual cone: its boundary is closed */
        gap -= face->mu * (face->half == 1 ? fabs(u[1]) : sqrt(u[1] * u[1] + u[2] * u[2]));
    }
    if (gap > law->touch && !(r[0] * delta > gap)) {
        return false;
    }
    if (face->half > 0) {
        face->corner = e->corner + e->corner_start[i];
        friction_face(law, 2 * face->half, delta, r, u, face);
    }
    return true;
}

/* --- Columns --- */

/* y += (columns of the pieces) times r; magnitudes of the terms go into size if it is not NULL. */
static void add_columns(const crn_piece *piece, int pieces, const double *r, double *y)
{
    for (int k = 0; k < pieces; ++k) {
        for (int j = 0; j < 3; ++j) {
            if (r[j] != 0.0) {
                crn_axpy(piece[k].dof, r[j], piece[k].x + (size_t)j * (size_t)piece[k].dof, y + piece[k].first);
            }
        }
    }
}

/* g = (columns of the pieces)'y */
static void dot_columns(const crn_piece *piece, int pieces, const double *y, double *g)
{
    g[0] = g[1] = g[2] = 0.0;
    for (int k = 0; k < pieces; ++k) {
        for (int j = 0; j < 3; ++j) {
            g[j] += crn_dot(piece[k].dof, piece[k].x + (size_t)j * (size_t)piece[k].dof, y + piece[k].first);
        }
    }
}

/* One contact's columns as one piece over all velocities, without what rows can do. */
static void project_pieces(crn_even *e, const crn_system *s, const crn_piece *from, int pieces, int at)
{
    double *x = e->columns + 3 * (size_t)s->dof * (size_t)at;
    memset(x, 0, 3 * (size_t)s->dof * sizeof *x);
    for (int k = 0; k < pieces; ++k) {
        for (int j = 0; j < 3; ++j) {
            memcpy(x + (size_t)j * (size_t)s->dof + from[k].first, from[k].x + (size_t)j * (size_t)from[k].dof,
                   (size_t)from[k].dof * sizeof *x);
        }
    }
    for (int j = 0; j < 3; ++j) {
        crn_even_rows_remove(&e->rows, x + (size_t)j * (size_t)s->dof);
    }
    e->piece[e->piece_start[at]] = (crn_piece){0, 0, s->dof, 3, x};
    e->piece_start[at + 1] = e->piece_start[at] + 1;
}

/* Find the closed contacts, their faces and columns. */
static void gather(crn_even *e, const crn_system *s, const law_of_contact *law, const double *r, const double *u)
{
    e->closed = 0;
    e->piece_start[0] = 0;
    for (int i = 0; i < s->contacts; ++i) {
        const crn_piece *from = s->piece + s->piece_start[i];
        int pieces = s->piece_start[i + 1] - s->piece_start[i], at = e->closed;
        if (!find_face(e, s, law, i, r + 3 * (size_t)i, u + 3 * (size_t)i, &e->face[at])) {
            continue;
        }
        e->contact[at] = i;
        e->closed++;
        if (s->rows > 0) {
            project_pieces(e, s, from, pieces, at);
        } else {
            memcpy(e->piece + e->piece_start[at], from, (size_t)pieces * sizeof *from);
            e->piece_start[at + 1] = e->piece_start[at] + pieces;
        }
    }
}

/* p = sum X_i r_i over the closed contacts, its scale, and the diagonal D. */
static void fill_target(crn_even *e, const crn_system *s, const double *r)
{
    memset(e->p, 0, (size_t)s->dof * sizeof *e->p);
    memset(e->diagonal, 0, (size_t)s->dof * sizeof *e->diagonal);
    memset(e->residual, 0, (size_t)s->dof * sizeof *e->residual);
    for (int c = 0; c < e->closed; ++c) {
        const crn_piece *piece = e->piece + e->piece_start[c];
        int pieces = e->piece_start[c + 1] - e->piece_start[c];
        const double *impulse = r + 3 * (size_t)e->contact[c];
        add_columns(piece, pieces, impulse, e->p);
        for (int k = 0; k < pieces; ++k) {
            for (int j = 0; j < 3 * piece[k].dof; ++j) {
                double x = piece[k].x[j];
                int row = piece[k].first + j % piece[k].dof;
                e->diagonal[row] += x * x;
                e->residual[row] += fabs(x * impulse[j / piece[k].dof]);
            }
        }
    }
    e->scale = crn_max_abs(s->dof, e->residual);
    double largest = crn_max_abs(s->dof, e->diagonal);
    for (int k = 0; k < s->dof; ++k) { /* a velocity that no closed contact touches stays at y = 0 */
        e->diagonal[k] = e->diagonal[k] > 0.0 ? e->diagonal[k] : largest > 0.0 ? largest : 1.0;
    }
}

/* --- Newton's method on the dual --- */

/* X_c'y and the pull, of closed contact c: what its impulse is the projection of. */
static void pulled_velocity(const crn_even *e, int c, const double *y, double *g)
{
    int first = e->piece_start[c];
    dot_columns(e->piece + first, e->piece_start[c + 1] - first, y, g);
    for (int k = 0; k < 3; ++k) {
        g[k] += e->pull[3 * (size_t)c + (size_t)k];
    }
}

/* r(y) and residual = p - X r(y); returns its largest entry. */
static double evaluate(crn_even *e, const double *y)
{
    int n = e->profile.n;
    memcpy(e->residual, e->p, (size_t)n * sizeof *e->p);
    for (int c = 0; c < e->closed; ++c) {
        const crn_piece *piece = e->piece + e->piece_start[c];
        int pieces = e->piece_start[c + 1] - e->piece_start[c];
        double g[3], *r = e->r + 3 * (size_t)c;
        pulled_velocity(e, c, y, g);
        crn_face_project(&e->face[c], g, r, NULL);
        double minus[3] = {-r[0], -r[1], -r[2]};
        add_columns(piece, pieces, minus, e->residual);
    }
    return crn_max_abs(n, e->residual);
}

/* The matrix of the step at y; at the start y is NULL and every closed contact counts as active. */
static bool factorize(crn_even *e, const double *y)
{
    crn_profile *h = &e->profile;
    crn_profile_clear(h);
    for (int c = 0; c < e->closed; ++c) {
        const crn_piece *piece = e->piece + e->piece_start[c];
        int pieces = e->piece_start[c + 1] - e->piece_start[c];
        double g[3], r[3], S[6];
        if (y) {
            pulled_velocity(e, c, y, g);
            crn_face_project(&e->face[c], g, r, S);
        } else {
            crn_face_inside(&e->face[c], S);
        }
        for (int k = 0; k < pieces; ++k) {
            for (int l = 0; l < pieces; ++l) {
                if (piece[l].first <= piece[k].first) { /* lower triangle */
                    crn_profile_add(h, &piece[k], &piece[l], S);
                }
            }
        }
    }
    for (int i = 0; i < h->n; ++i) {
        h->a[h->start[i] + i] += e->proximal * e->diagonal[i];
    }
    return crn_profile_factor(h);
}

/* The same with a larger proximal term where rounding makes a pivot negative. */
static bool factorize_safely(crn_even *e, const double *y)
{
    while (!factorize(e, y)) {
        e->proximal *= 100.0;
        if (e->proximal > 1.0) {
            return false;
        }
    }
    return true;
}

/* Residual norm at y + t step, and the slope of the dual there; y + t step stays in trial. */
static double try_step(crn_even *e, double t, double *slope)
{
    int n = e->profile.n;
    memcpy(e->trial, e->y, (size_t)n * sizeof *e->y);
    crn_axpy(n, t, e->step, e->trial);
    double norm = evaluate(e, e->trial);
    *slope = crn_dot(n, e->step, e->residual);
    return norm;
}

/* Go along the step: all of it if that halves the gradient or does not go too far, else to where the slope, which falls
 * along the way, is near 0 (regula falsi with halved ends). Returns the norm of the residual at the new y. */
static double search_along(crn_even *e, double norm)
{
    double slope, first = crn_dot(e->profile.n, e->step, e->residual);
    double found = try_step(e, 1.0, &slope);
    if (found > HALVED * norm && slope < -SLOPE_SHARE * first) {
        double low = 0.0, high = 1.0, slope_low = first, slope_high = slope;
        for (int k = 0; k < MAX_TRIALS && fabs(slope) > SLOPE_SHARE * first; ++k) {
            double t = low + (high - low) * slope_low / (slope_low - slope_high);
            if (!(t > low && t < high)) {
                t = 0.5 * (low + high);
            }
            found = try_step(e, t, &slope);
            if (slope > 0.0) {
                low = t;
                slope_low = slope;
                slope_high *= 0.5;
            } else {
                high = t;
                slope_high = slope;
                slope_low *= 0.5;
            }
        }
    }
    memcpy(e->y, e->trial, (size_t)e->profile.n * sizeof *e->y);
    return found;
}

/* Iterate until the residual is rounding or does not fall any more; the best y is in e->best. Returns its residual. */
static double maximize(crn_even *e)
{
    size_t bytes = (size_t)e->profile.n * sizeof *e->y;
    double least = INFINITY;
    memcpy(e->y, e->p, bytes);
    e->proximal = PROXIMAL_FIRST;
    if (!factorize_safely(e, NULL)) {
        return INFINITY;
    }
    crn_profile_solve(&e->profile, e->y);
    double norm = evaluate(e, e->y);
    for (int step = 0, idle = 0; step < MAX_STEPS; ++step) {
        idle = norm <= HALVED * least ? 0 : idle + 1;
        if (norm < least) {
            least = norm;
            memcpy(e->best, e->y, bytes);
        }
        if (norm <= AT_ROUNDING * e->scale || idle >= (least <= TOL_MOTION * e->scale ? IDLE_NEAR : IDLE_FAR) ||
            !factorize_safely(e, e->y)) {
            break;
        }
        memcpy(e->step, e->residual, bytes);
        crn_profile_solve(&e->profile, e->step);
        double found = search_along(e, norm);
        if (found > HALVED * norm) {
            e->proximal = crn_max(0.1 * e->proximal, PROXIMAL_LEAST);
        }
        norm = found;
    }
    return least;
}

/* --- Putting it together --- */

/* Write the impulses of the best y, and the row impulses that keep the motion. */
static void write_back(crn_even *e, const crn_system *s, double *r, double *l)
{
    evaluate(e, e->best);
    for (int c = 0; c < e->closed; ++c) {
        memcpy(r + 3 * (size_t)e->contact[c], e->r + 3 * (size_t)c, 3 * sizeof *r);
    }
    if (s->rows > 0) {
        for (int i = 0; i < s->rows; ++i) {
            l[i] = s->bounded > 0 ? e->fixed[i] : 0.0;
        }
        crn_system_motion(s, r, l, e->trial);
        for (int k = 0; k < s->dof; ++k) {
            e->trial[k] = e->before[k] - e->trial[k];
        }
        crn_even_rows_impulse(&e->rows, e->trial, l);
        for (int i = 0; i < s->rows && s->bounded > 0; ++i) {
            l[i] += e->fixed[i];
        }
    }
}

/* Which rows keep their impulses: those at their bounds, or all that have one. */
static void fix_rows(crn_even *e, const crn_system *s, bool is_all, const double *l)
{
    for (int i = 0; i < s->rows && s->bounded > 0; ++i) {
        bool has_bound = s->row_bound[i] < INFINITY;
        e->is_fixed[i] = has_bound && (is_all || fabs(l[i]) >= (1.0 - CRN_EVEN_AT_BOUND) * s->row_bound[i]);
        e->fixed[i] = e->is_fixed[i] ? l[i] : 0.0;
    }
}

void crn_even_start(crn_even *e, const crn_system *s, crn_contact_cone cone, crn_contact_law law, const double *r,
                    const double *l, const double *u, double noise)
{
    law_of_contact of = {cone, law, crn_max(TOL_TOUCH * crn_system_velocity_scale(s), NOISE_FACTOR * noise)};
    fill_corners(s, e->corner, e->corner_start);
    crn_system_inverse_mass(s, e->delta);
    fix_rows(e, s, e->keeps_bounded, l);
    crn_even_rows_start(&e->rows, s, s->bounded > 0 ? e->is_fixed : NULL);
    crn_profile_start(&e->profile, s);
    gather(e, s, &of, r, u);
    fill_target(e, s, r);
    crn_system_motion(s, r, l, e->before);
    memset(e->pull, 0, 3 * (size_t)e->closed * sizeof *e->pull);
}

bool crn_even_finish(crn_even *e, const crn_system *s, double *r, double *l)
{
    if (e->scale == 0.0) { /* nothing is carried, or rows carry everything */
        memset(e->best, 0, (size_t)s->dof * sizeof *e->best);
    } else if (!(maximize(e) <= TOL_MOTION * e->scale)) {
        return false;
    }
    write_back(e, s, r, l);
    return true;
}

static bool are_within(const crn_system *s, const double *l)
{
    for (int i = 0; i < s->rows; ++i) {
        if (fabs(l[i]) > s->row_bound[i]) {
            return false;
        }
    }
    return true;
}

bool crn_even_impulses(crn_even *e, const crn_system *s, crn_contact_cone cone, crn_contact_law law, double *r,
                       double *l, const double *u, double noise)
{
    e->keeps_bounded = false;
    crn_even_start(e, s, cone, law, r, l, u, noise);
    if (s->bounded == 0) {
        return crn_even_finish(e, s, r, l);
    }
    memcpy(e->held_r, r, 3 * (size_t)s->contacts * sizeof *r);
    memcpy(e->held_l, l, (size_t)s->rows * sizeof *l);
    bool is_even = crn_even_finish(e, s, r, l);
    if (is_even && are_within(s, l)) {
        return true;
    }
    memcpy(r, e->held_r, 3 * (size_t)s->contacts * sizeof *r);
    memcpy(l, e->held_l, (size_t)s->rows * sizeof *l);
    e->keeps_bounded = true;
    crn_even_start(e, s, cone, law, r, l, u, noise);
    return crn_even_finish(e, s, r, l);
}
