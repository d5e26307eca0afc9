/* Seams: contacts of a body with all that is near it, judged together [docs/theory/surfaces.md].
 *
 * Convex shapes are apart if some direction n separates them, s(n) >= 0, and any such n is a sufficient constraint. The narrow
 * phase takes the n with the largest s: the right gap, but where several separate, as of a box over the next of two flush tiles,
 * the choice is arbitrary, and a direction along the surface is a wall that is not there. A contact is *clear* if nothing else
 * separates its pair. Of a pair that is not,
 *
 *   1. if a clear contact of one of the bodies already enforces a direction that separates the pair too, and the body of that
 *      contact moves with the other one, this direction is taken: it costs nothing;
 *   2. else, if the pair would close in this step, the direction that closes last.
 *
 * Round bodies on free ones are not turned but left out: that the neighbour's body moves with the other one is judged by the speeds
 * before the step, so they come back if the motion that is found would let the pair overlap (crn_step_find_missing()).
 *
 * Overlap that the neighbour shares does not count: the height of a step is that between two floors, not how deep a body is. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "math/rigid.h"
#include "step/parts.h"

static const double STEP_LEAST = 1e-4;  /* of the smaller shape: lower steps are none */
static const double SAME_NORMAL = 1e-9; /* [rad] rounding of normals */
static const double LIKE_NORMAL = 1e-3; /* [rad] contacts whose gaps are compared */
enum { DIRECTIONS_MOST = 2 * CRN_FACE_NORMALS + 24 };

/* --- Groups: the contacts of one pair of shapes --- */

static int other_of(const crn_step_group *g, int body)
{
    return g->body_a == body ? g->body_b : g->body_a;
}

/* Out of the other body into this one. */
static crn_vec3 normal_into(const crn_step_group *g, int body)
{
    return g->body_a == body ? g->normal : crn_v3_scale(-1.0, g->normal);
}

static double angle_between(crn_vec3 m, crn_vec3 n)
{
    return crn_v3_length(crn_v3_sub(m, n));
}

static crn_step_group group_at(const crn_stepper *s, int first)
{
    const crn_step_pair *pair = &s->now.pair[first];
    const crn_step_shape *a = &s->shape[pair->shape_a], *b = &s->shape[pair->shape_b];
    crn_step_group g = {.first = first, .body_a = a->body, .body_b = b->body, .lowest = first, .has_one_normal = true};
    g.shape_a = pair->shape_a;
    g.shape_b = pair->shape_b;
    g.normal = s->now.contact[first].normal;
    int i = first;
    for (; i < s->now.contacts; ++i) {
        const crn_contact *c = &s->now.contact[i];
        if (s->now.pair[i].shape_a != pair->shape_a || s->now.pair[i].shape_b != pair->shape_b) {
            break;
        }
        g.has_one_normal = g.has_one_normal && angle_between(c->normal, g.normal) <= SAME_NORMAL;
        g.lowest = c->gap < s->now.contact[g.lowest].gap ? i : g.lowest;
    }
    g.count = i - first;
    g.gap = s->now.contact[g.lowest].gap;
    g.tolerance = STEP_LEAST * pair->size;
    bool is_convex = crn_shape_is_convex(a->shape) && crn_shape_is_convex(b->shape);
    bool is_smooth = crn_shape_is_smooth(a->shape) && crn_shape_is_smooth(b->shape);
    g.may_turn = is_convex && !is_smooth && g.has_one_normal;
    g.is_clear = true;
    return g;
}

static bool list_groups(crn_stepper *s)
{
    crn_step_seams *m = &s->seams;
    if (!crn_reserve(&s->allocator, (void **)&m->group, &m->group_capacity, s->now.contacts, sizeof *m->group)) {
        return false;
    }
    m->groups = 0;
    for (int i = 0; i < s->now.contacts;) {
        m->group[m->groups] = group_at(s, i);
        i += m->group[m->groups++].count;
    }
    return true;
}

/* Groups by free body. */
static bool list_by_body(crn_stepper *s)
{
    crn_step_seams *m = &s->seams;
    if (!crn_reserve(&s->allocator, (void **)&m->start, &m->start_capacity, s->bodies + 1, sizeof *m->start) ||
        !crn_reserve(&s->allocator, (void **)&m->of_body, &m->of_body_capacity, 2 * m->groups, sizeof *m->of_body)) {
        return false;
    }
    memset(m->start, 0, ((size_t)s->bodies + 1) * sizeof *m->start);
    for (int k = 0; k < m->groups; ++k) {
        m->start[m->group[k].body_a]++;
        m->start[m->group[k].body_b]++;
    }
    for (int i = 0, sum = 0; i <= s->bodies; ++i) { /* to the ends of the lists, which then move back to their starts */
        bool is_free = i < s->bodies && s->body[i].kind == CRN_BODY_FREE;
        sum += is_free ? m->start[i] : 0;
        m->start[i] = sum;
    }
    for (int k = m->groups - 1; k >= 0; --k) {
        const int body[2] = {m->group[k].body_a, m->group[k].body_b};
        for (int j = 0; j < 2; ++j) {
            if (s->body[body[j]].kind == CRN_BODY_FREE) {
                m->of_body[--m->start[body[j]]] = k;
            }
        }
    }
    return true;
}

/* --- What the neighbours say --- */

/* A look at one group. */
typedef struct look {
    const crn_stepper *s;
    const crn_step_group *group;
    const crn_step_shape *a, *b;
    crn_vec3 point; /* of its lowest contact */
    double h;
} look;

static look look_at(const crn_stepper *s, int k, double h)
{
    const crn_step_group *g = &s->seams.group[k];
    const crn_step_pair *pair = &s->now.pair[g->first];
    return (look){s, g, &s->shape[pair->shape_a], &s->shape[pair->shape_b], s->now.contact[g->lowest].point, h};
}

static double separation(const look *l, crn_vec3 n)
{
    return -crn_shape_support(l->a->shape, &l->a->frame, crn_v3_scale(-1.0, n)) -
           crn_shape_support(l->b->shape, &l->b->frame, n);
}

/* Direction of a neighbour of the body on side 0 (a) or 1 (b) as one of this pair, out of b into a. */
static crn_vec3 direction_of(const look *l, const crn_step_group *other, int side)
{
    int body = side == 0 ? l->group->body_a : l->group->body_b;
    crn_vec3 n = normal_into(other, body);
    return side == 0 ? n : crn_v3_scale(-1.0, n);
}

/* The deepest overlap of neighbours along n, <= 0: what is shared by them does not count. */
static double shared_overlap(const look *l, crn_vec3 n)
{
    const crn_step_seams *m = &l->s->seams;
    const int body[2] = {l->group->body_a, l->group->body_b};
    double least = 0.0;
    for (int side = 0; side < 2; ++side) {
        for (int k = m->start[body[side]]; k < m->start[body[side] + 1]; ++k) {
            const crn_step_group *other = &m->group[m->of_body[k]];
            if (other != l->group && other->gap < least &&
                angle_between(direction_of(l, other, side), n) <= LIKE_NORMAL) {
                least = other->gap;
            }
        }
    }
    return least;
}

static bool separates(const look *l, crn_vec3 n, double *by)
{
    *by = separation(l, n) - shared_overlap(l, n);
    return *by >= -l->group->tolerance;
}

/* Directions that may separate the pair: of faces at its lowest contact. */
static int face_directions(const look *l, crn_vec3 *n)
{
    crn_vec3 normal = l->group->normal;
    int count = crn_shape_face_normals(l->b->shape, &l->b->frame, l->point, normal, n);
    int of_a = crn_shape_face_normals(l->a->shape, &l->a->frame, l->point, crn_v3_scale(-1.0, normal), n + count);
    for (int k = count; k < count + of_a; ++k) {
        n[k] = crn_v3_scale(-1.0, n[k]);
    }
    return count + of_a;
}

static bool has_neighbours(const crn_step_seams *m, const crn_step_group *g)
{
    return m->start[g->body_a + 1] - m->start[g->body_a] > 1 || m->start[g->body_b + 1] - m->start[g->body_b] > 1;
}

/* Is n the pair's own normal, but for rounding, and for the slight tilts with which bodies rest on each other? Around a round body
 * every direction is another place of it; along its axis it tilts as flat ones do. */
static bool is_own_normal(const look *l, crn_vec3 n)
{
    crn_vec3 own = l->group->normal, d = crn_v3_sub(n, own), axis[2];
    bool a_is_round = crn_shape_is_round(l->a->shape, &l->a->frame, own, &axis[0]);
    bool b_is_round = crn_shape_is_round(l->b->shape, &l->b->frame, own, &axis[1]);
    double angle = crn_v3_length(d);
    if (angle > LIKE_NORMAL || (!a_is_round && !b_is_round)) {
        return angle <= LIKE_NORMAL;
    }
    for (int k = 0; k < 2; ++k) {
        d = crn_v3_axpy(d, -crn_v3_dot(d, axis[k]), axis[k]);
    }
    return crn_v3_length(d) <= SAME_NORMAL;
}

/* Does the normal of a neighbour separate this pair as well? */
static bool neighbours_separate(const look *l)
{
    const crn_step_seams *m = &l->s->seams;
    const int body[2] = {l->group->body_a, l->group->body_b};
    double by;
    for (int side = 0; side < 2; ++side) {
        for (int k = m->start[body[side]]; k < m->start[body[side] + 1]; ++k) {
            const crn_step_group *other = &m->group[m->of_body[k]];
            crn_vec3 n = direction_of(l, other, side);
            if (other != l->group && other->has_one_normal && !is_own_normal(l, n) && separates(l, n, &by)) {
                return true;
            }
        }
    }
    return false;
}

/* Does only its own normal separate the pair? */
static bool is_clear(const look *l)
{
    crn_vec3 n[DIRECTIONS_MOST];
    int count = face_directions(l, n);
    double by;
    for (int k = 0; k < count; ++k) {
        if (!is_own_normal(l, n[k]) && separates(l, n[k], &by)) {
            return false;
        }
    }
    return !neighbours_separate(l);
}

/* --- Another direction --- */

static crn_vec3 speed_at(const crn_stepper *s, int body, crn_vec3 point)
{
    const crn_step_body *b = &s->body[body];
    if (b->kind == CRN_BODY_FIXED || b->asleep) {
        return crn_v3(0, 0, 0);
    }
    return crn_v3_add(b->rigid.v, crn_v3_cross(b->rigid.w, crn_v3_sub(point, b->rigid.pose.position)));
}

/* Does the pair's other body not rise against the neighbour's by more than a step that is none? */
static bool moves_with(const look *l, const crn_step_group *other, int side, crn_vec3 n)
{
    int own = side == 0 ? l->group->body_a : l->group->body_b, partner = other_of(l->group, own);
    crn_vec3 u = crn_v3_sub(speed_at(l->s, partner, l->point), speed_at(l->s, other_of(other, own), l->point));
    double rise = side == 0 ? crn_v3_dot(n, u) : -crn_v3_dot(n, u);
    return l->h * rise <= l->group->tolerance;
}

/* Is n, the direction of a clear neighbour, one that keeps this pair apart as well? */
static bool explains(const look *l, const crn_step_group *other, int side, crn_vec3 n)
{
    return other != l->group && other->is_clear && other->has_one_normal &&
           separation(l, n) >= other->gap - l->group->tolerance && moves_with(l, other, side, n);
}

/* The direction nearest to its own that neighbours enforce anyway. */
static bool explained_direction(const look *l, crn_vec3 *best)
{
    const crn_step_seams *m = &l->s->seams;
    const int body[2] = {l->group->body_a, l->group->body_b};
    double nearest = (double)INFINITY;
    for (int side = 0; side < 2; ++side) {
        for (int k = m->start[body[side]]; k < m->start[body[side] + 1]; ++k) {
            const crn_step_group *other = &m->group[m->of_body[k]];
            crn_vec3 n = direction_of(l, other, side);
            double angle = angle_between(n, l->group->normal);
            if (angle < nearest && explains(l, other, side, n)) {
                nearest = angle;
                *best = n;
            }
        }
    }
    return nearest < (double)INFINITY;
}

/* At the point where they would touch along n. */
static double closing_speed(const look *l, crn_vec3 n)
{
    crn_vec3 p = l->point;
    if (!crn_shape_round_point(l->a->shape, &l->a->frame, crn_v3_scale(-1.0, n), l->point, &p)) {
        (void)crn_shape_round_point(l->b->shape, &l->b->frame, n, l->point, &p);
    }
    crn_vec3 u = crn_v3_sub(speed_at(l->s, l->group->body_a, p), speed_at(l->s, l->group->body_b, p));
    return -crn_v3_dot(n, u);
}

static double time_to_close(const look *l, crn_vec3 n, double by)
{
    double closing = closing_speed(l, n);
    return closing > 0.0 ? (by + l->group->tolerance) / closing : (double)INFINITY;
}

/* May the pair close along its own normal in this step, by its velocity and by what gravity adds? */
static bool may_close(const look *l)
{
    double fall = crn_v3_length(l->s->def.gravity) * l->h;
    return closing_speed(l, l->group->normal) > 0.0 &&
           l->group->gap < l->h * (closing_speed(l, l->group->normal) + fall);
}

/* Of a pair that closes in the step the direction that closes last. */
static bool last_direction(const look *l, crn_vec3 *best)
{
    crn_vec3 n[DIRECTIONS_MOST];
    int count = face_directions(l, n);
    double own = time_to_close(l, l->group->normal, l->group->gap), last = own, by;
    if (!may_close(l)) {
        return false;
    }
    for (int k = 0; k < count; ++k) {
        if (separates(l, n[k], &by) && time_to_close(l, n[k], by) > last) {
            last = time_to_close(l, n[k], by);
            *best = n[k];
        }
    }
    return last > own;
}

/* --- Contacts along it --- */

/* One contact turned into the direction n. A round body has a point of its own there; else the place stays. */
static void turn_contact(const look *l, crn_contact *c, crn_vec3 n)
{
    double overlap = crn_fmin(0.0, c->gap); /* no more than there is: a low step ahead is none yet */
    crn_vec3 back = crn_v3_scale(-1.0, n), on_a = crn_v3_axpy(c->point, 0.5 * c->gap, c->normal);
    crn_vec3 on_b = crn_v3_axpy(c->point, -0.5 * c->gap, c->normal);
    bool a_is_round = crn_shape_round_point(l->a->shape, &l->a->frame, back, on_a, &on_a);
    bool b_is_round = !a_is_round && crn_shape_round_point(l->b->shape, &l->b->frame, n, on_b, &on_b);
    if (b_is_round) {
        c->gap = -crn_shape_support(l->a->shape, &l->a->frame, back) - crn_v3_dot(n, on_b);
        c->point = crn_v3_axpy(on_b, 0.5 * c->gap, n);
    } else {
        c->gap = crn_v3_dot(n, on_a) - crn_shape_support(l->b->shape, &l->b->frame, n);
        c->point = crn_v3_axpy(on_a, -0.5 * c->gap, n);
    }
    c->gap = crn_fmax(c->gap, overlap);
    c->normal = n;
}

static bool is_pushed(const crn_stepper *s, int body)
{
    return s->body[body].kind == CRN_BODY_FREE;
}

/* Does the direction that neighbours enforce say it all? A round body touches in a point of its own, which need not be over the other
 * one; what it pushes there must not move then. */
static bool is_spare(const look *l)
{
    crn_vec3 axis;
    bool a_is_round = crn_shape_is_round(l->a->shape, &l->a->frame, l->group->normal, &axis);
    bool b_is_round = crn_shape_is_round(l->b->shape, &l->b->frame, l->group->normal, &axis);
    return (a_is_round && is_pushed(l->s, l->group->body_b)) || (b_is_round && is_pushed(l->s, l->group->body_a));
}

/* Has the kick found that this pair would overlap without its contacts? */
static bool is_wanted(const crn_stepper *s, const crn_step_group *g)
{
    bool is_it = false;
    for (int i = 0; i < s->find.wider_count; ++i) {
        const crn_step_wider *wider = &s->find.wider[i];
        is_it = is_it || (wider->shape_a == g->shape_a && wider->shape_b == g->shape_b);
    }
    return is_it;
}

/* Contacts that are left out have an infinite gap until the list is closed up. */
static void leave_out(crn_stepper *s, crn_step_group *g)
{
    g->is_left_out = true;
    for (int i = g->first; i < g->first + g->count; ++i) {
        s->now.contact[i].gap = (double)INFINITY;
    }
}

static void close_up(crn_stepper *s)
{
    int count = 0;
    for (int i = 0; i < s->now.contacts; ++i) {
        if (s->now.contact[i].gap < (double)INFINITY) {
            s->now.contact[count] = s->now.contact[i];
            s->now.pair[count++] = s->now.pair[i];
        }
    }
    s->now.contacts = count;
}

static void turn_group(crn_stepper *s, const look *l, crn_vec3 n)
{
    for (int i = l->group->first; i < l->group->first + l->group->count; ++i) {
        turn_contact(l, &s->now.contact[i], n);
    }
}

/* Contacts that have stayed were judged when they came. */
static bool have_all_stayed(const crn_stepper *s)
{
    bool all = true;
    for (int i = 0; i < s->now.contacts && all; ++i) {
        all = s->now.pair[i].has_stayed;
    }
    return all;
}

bool crn_step_judge_seams(crn_stepper *s, double h)
{
    crn_step_seams *m = &s->seams;
    m->groups = 0;
    if (have_all_stayed(s)) {
        return true;
    }
    if (!list_groups(s)) {
        return false;
    }
    if (m->groups < 2) {
        return true;
    }
    if (!list_by_body(s)) {
        return false;
    }
    for (int k = 0; k < m->groups; ++k) {
        crn_step_group *g = &m->group[k];
        look l = look_at(s, k, h);
        g->is_clear = s->now.pair[g->first].has_stayed || !g->may_turn || !has_neighbours(m, g) || is_clear(&l);
    }
    for (int k = 0; k < m->groups; ++k) {
        crn_step_group *g = &m->group[k];
        look l = look_at(s, k, h);
        crn_vec3 n = g->normal;
        bool is_explained = !g->is_clear && explained_direction(&l, &n);
        if (is_explained && is_spare(&l)) {
            if (!is_wanted(s, g)) {
                leave_out(s, g);
            }
        } else if (is_explained || (!g->is_clear && last_direction(&l, &n))) {
            turn_group(s, &l, n);
        }
    }
    close_up(s);
    return true;
}
