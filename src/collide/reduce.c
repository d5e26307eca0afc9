/* Thinning out the touches of one pair without losing what they say.
 *
 * A touch is the constraint gap_i + n'(motion at x_i) >= 0. The motion along a common normal n is linear in the place (x, y)
 * across n, so touch i follows from others k with the same normal if
 *     (x, y)_i = sum w_k (x, y)_k,   gap_i >= sum w_k gap_k,   w >= 0,   sum w_k = 1:
 * what is needed are the vertices of the lower convex hull of (x, y, gap). Three stages, each from the highest gap down, so
 * that of equals the lower key stays:
 *   1. merge: of touches nearer than `distance` with like normals the lowest stays;
 *   2. by groups of one normal: drop what the rest implies. Touch i is needed if a plane through it lies below all others,
 *      that is if a slope s satisfies s'(x_k - x_i) >= gap_i - gap_k for all k: a linear program in two variables, solved
 *      by adding one constraint after the other. In a step a body turns by a small angle only; if the caller knows how
 *      much, slopes are limited to that: of a round cap, all of whose points are on the hull, few are left;
 *   3. by groups: drop hull vertices within `distance` of a chord between two that stay. Each dropped one remembers its
 *      chord; a later one may go only if all the chords that end in it can be replaced.
 * So each dropped touch is implied by the rest, if moved across the normal by at most 2 distance; the lowest gap of all
 * stays (up to rounding: of a face in contact it is a corner that stays, whichever point rounding made lowest), and nothing is dropped on account of another normal.
 *
 * Works on blocks of ROOM touches, on the stack; when there are more, what is left of the blocks is reduced again. */
#include "collide/shape.h"
#include "math/elementary.h"

#include <string.h>

#define ROOM 128 /* touches per block: 5 kB of stack; real pairs have fewer than 32 */

/* Normals alike when merging (cosine of 5 degrees) and of one group (cosine of 1 degree). */
#define COS_MERGE 0.99619469809174555
#define COS_GROUP 0.99984769515639124
/* Heights that count as equal: parts of the distance and of the extent of the group. The gaps of a face in contact differ
 * by rounding, 1e-16 of the extent, and its inner points must go nevertheless; and half of it must be well above the
 * rounding of slope times extent, SLOPE_MAX 1e-16 of it, or constraints that are met look violated. */
#define LEVEL_OF_DISTANCE 1e-9
#define LEVEL_OF_EXTENT   1e-11
/* Slopes beyond this are never asked for: rounding in (x, y) would count. */
#define SLOPE_MAX 1e3

typedef struct reduction {
    crn_touch *touch;
    int count;
    double distance;
    double slope;    /* the plane under the touches tilts by no more, along x and along y */
    int order[ROOM]; /* by gap, then key, then place */
    bool is_gone[ROOM];
    /* the group at hand */
    int members;
    int member[ROOM]; /* in this order, lowest first */
    double x[ROOM], y[ROOM];
    double level;       /* heights that count as equal */
    int chord[ROOM][2]; /* of members dropped in stage 3; -1: none */
} reduction;

/* --- Order and merging -------------------------------------------------------------------------------------------- */

static bool is_lower(const reduction *r, int i, int k)
{
    const crn_touch *a = &r->touch[i], *b = &r->touch[k];
    if (a->gap != b->gap) {
        return a->gap < b->gap;
    }
    return a->key != b->key ? a->key < b->key : i < k;
}

static void sort_by_gap(reduction *r)
{
    for (int i = 0; i < r->count; ++i) {
        int k = i;
        for (; k > 0 && is_lower(r, i, r->order[k - 1]); --k) {
            r->order[k] = r->order[k - 1];
        }
        r->order[k] = i;
    }
}

/* Each touch that stays removes the higher ones near it. */
static void merge_near(reduction *r)
{
    for (int a = 0; a < r->count; ++a) {
        const crn_touch *low = &r->touch[r->order[a]];
        for (int b = a + 1; b < r->count && !r->is_gone[r->order[a]]; ++b) {
            const crn_touch *high = &r->touch[r->order[b]];
            crn_vec3 d = crn_v3_sub(high->point, low->point);
            if (crn_v3_dot(d, d) < r->distance * r->distance && crn_v3_dot(high->normal, low->normal) >= COS_MERGE) {
                r->is_gone[r->order[b]] = true;
            }
        }
    }
}

/* --- Groups ------------------------------------------------------------------------------------------------------- */

/* Collect the touches whose normal is that of `leader` and that are in no group yet. */
static void collect_group(reduction *r, int leader, bool *is_grouped)
{
    crn_vec3 n = r->touch[leader].normal, origin = r->touch[leader].point;
    crn_vec3 t = crn_v3_orthogonal(n), u = crn_v3_cross(n, t);
    double extent = 0.0;
    r->members = 0;
    for (int a = 0; a < r->count; ++a) {
        int i = r->order[a];
        if (r->is_gone[i] || is_grouped[i] || crn_v3_dot(r->touch[i].normal, n) < COS_GROUP) {
            continue;
        }
        crn_vec3 d = crn_v3_sub(r->touch[i].point, origin);
        is_grouped[i] = true;
        r->member[r->members++] = i;
        r->x[i] = crn_v3_dot(t, d);
        r->y[i] = crn_v3_dot(u, d);
        extent = crn_fmax(extent, crn_fmax(fabs(r->x[i]), fabs(r->y[i])));
        r->chord[i][0] = r->chord[i][1] = -1;
    }
    r->level = crn_fmax(LEVEL_OF_DISTANCE * r->distance, LEVEL_OF_EXTENT * extent);
}

/* The lowest gap of a group stays in it, up to rounding: does another touch have one no higher? */
static bool is_another_as_low(const reduction *r, int i)
{
    double high = crn_fmax(r->touch[i].gap, r->touch[r->member[0]].gap + r->level);
    for (int b = 0; b < r->members; ++b) {
        int k = r->member[b];
        if (k != i && !r->is_gone[k] && r->touch[k].gap <= high) {
            return true;
        }
    }
    return false;
}

/* --- Stage 2: the lower hull -------------------------------------------------------------------------------------- */

/* Constraint that member k puts on a slope (p, q) through touch i: u p + v q >= c. */
typedef struct half_space {
    double u, v, c;
} half_space;

static half_space constraint(const reduction *r, int i, int k)
{
    return (half_space){r->x[k] - r->x[i], r->y[k] - r->y[i], r->touch[i].gap - r->touch[k].gap + r->level};
}

/* Narrow low <= t <= high by a t >= c; false if it is empty. */
static bool narrow(double a, double c, double *low, double *high)
{
    if (a > 0.0) {
        *low = crn_fmax(*low, c / a);
    } else if (a < 0.0) {
        *high = crn_fmin(*high, c / a);
    } else if (c > 0.0) {
        return false;
    }
    return *low <= *high;
}

/* The best slope along (g, h) on the border of constraint h0 that satisfies the constraints of members before b. */
static bool best_on_border(const reduction *r, int i, int b, half_space h0, const double aim[2], double slope[2])
{
    double square = h0.u * h0.u + h0.v * h0.v;
    if (!(square > 0.0)) {
        return h0.c <= 0.0; /* the same place: it is the heights that count */
    }
    double length = sqrt(square), along[2] = {-h0.v / length, h0.u / length};
    double foot[2] = {h0.u * (h0.c / square), h0.v * (h0.c / square)};
    double low = -INFINITY, high = INFINITY;
    bool is_possible = true;
    for (int k = 0; k < 2 && is_possible; ++k) { /* |p|, |q| <= slope */
        is_possible =
            narrow(along[k], -r->slope - foot[k], &low, &high) && narrow(-along[k], -r->slope + foot[k], &low, &high);
    }
    for (int a = 0; a < b && is_possible; ++a) {
        int k = r->member[a];
        if (k != i && !r->is_gone[k]) {
            half_space h = constraint(r, i, k);
            is_possible = narrow(h.u * along[0] + h.v * along[1], h.c - h.u * foot[0] - h.v * foot[1], &low, &high);
        }
    }
    double t = aim[0] * along[0] + aim[1] * along[1] > 0.0 ? high : low;
    slope[0] = foot[0] + t * along[0];
    slope[1] = foot[1] + t * along[1];
    return is_possible;
}

/* Is there a plane through touch i that lies below the others by `level`? */
static bool is_hull_vertex(const reduction *r, int i)
{
    /* The plane falls from the others to i: aim at their middle, so that the first guess is good at the rim. */
    double aim[2] = {0.0, 0.0};
    for (int b = 0; b < r->members; ++b) {
        aim[0] += r->x[r->member[b]] - r->x[i];
        aim[1] += r->y[r->member[b]] - r->y[i];
    }
    double slope[2] = {aim[0] < 0.0 ? -r->slope : r->slope, aim[1] < 0.0 ? -r->slope : r->slope};
    for (int b = 0; b < r->members; ++b) {
        int k = r->member[b];
        if (k == i || r->is_gone[k]) {
            continue;
        }
        half_space h = constraint(r, i, k);
        if (h.u == 0.0 && h.v == 0.0 && h.c >= 0.0) {
            return false; /* the same place, no higher */
        }
        bool is_violated = h.u * slope[0] + h.v * slope[1] < h.c - 0.5 * r->level;
        if (is_violated && !best_on_border(r, i, b, h, aim, slope)) {
            return false;
        }
    }
    return true;
}

static void drop_implied(reduction *r)
{
    for (int b = r->members - 1; b >= 0; --b) {
        int i = r->member[b];
        if (is_another_as_low(r, i) && !is_hull_vertex(r, i)) {
            r->is_gone[i] = true;
        }
    }
}

/* --- Stage 3: chords ---------------------------------------------------------------------------------------------- */

/* Is i within distance of the chord from j to k, and not below it? */
static bool is_near_chord(const reduction *r, int i, int j, int k)
{
    double ux = r->x[j] - r->x[i], uy = r->y[j] - r->y[i], vx = r->x[k] - r->x[i], vy = r->y[k] - r->y[i];
    if (ux * vx + uy * vy > 0.0) {
        return false; /* both on one side; a chord that ends near i was merged away */
    }
    double dx = vx - ux, dy = vy - uy, square = dx * dx + dy * dy, across = ux * vy - uy * vx;
    if (across * across > r->distance * r->distance * square) {
        return false;
    }
    double t = square > 0.0 ? -(ux * dx + uy * dy) / square : 0.0; /* in 0 .. 1, since u'v <= 0 */
    double gap = r->touch[j].gap + t * (r->touch[k].gap - r->touch[j].gap);
    return gap <= r->touch[i].gap + r->level;
}

/* A chord for i between members that stay, without `barred`; remembered if there is one. */
static bool find_chord(reduction *r, int i, int barred)
{
    for (int b = 0; b < r->members; ++b) {
        int j = r->member[b];
        if (j == i || j == barred || r->is_gone[j]) {
            continue;
        }
        for (int a = 0; a < b; ++a) {
            int k = r->member[a];
            if (k != i && k != barred && !r->is_gone[k] && is_near_chord(r, i, j, k)) {
                r->chord[i][0] = j;
                r->chord[i][1] = k;
                return true;
            }
        }
    }
    return false;
}

/* Can all chords that end in i be replaced? */
static bool are_chords_replaced(reduction *r, int i)
{
    for (int b = 0; b < r->members; ++b) {
        int d = r->member[b];
        if ((r->chord[d][0] == i || r->chord[d][1] == i) && !find_chord(r, d, i)) {
            return false;
        }
    }
    return true;
}

static void drop_near_chords(reduction *r)
{
    for (int b = r->members - 1; b >= 0; --b) {
        int i = r->member[b];
        if (r->is_gone[i] || !is_another_as_low(r, i) || !find_chord(r, i, i)) {
            continue;
        }
        if (are_chords_replaced(r, i)) {
            r->is_gone[i] = true;
        } else {
            r->chord[i][0] = r->chord[i][1] = -1;
        }
    }
}

/* --- Everything --------------------------------------------------------------------------------------------------- */

static int reduce_block(crn_touch *touch, int count, double distance, double slope)
{
    reduction r;
    bool is_grouped[ROOM] = {false};
    memset(&r, 0, sizeof r);
    r.touch = touch;
    r.count = count;
    r.distance = distance;
    r.slope = slope < SLOPE_MAX ? slope : SLOPE_MAX;
    sort_by_gap(&r);
    merge_near(&r);
    for (int i = 0; i < count; ++i) {
        if (!r.is_gone[i] && !is_grouped[i]) {
            collect_group(&r, i, is_grouped);
            if (r.members > 1) {
                drop_implied(&r);
                drop_near_chords(&r);
            }
        }
    }
    int left = 0;
    for (int i = 0; i < count; ++i) {
        if (!r.is_gone[i]) {
            touch[left++] = touch[i];
        }
    }
    return left;
}

int crn_touch_reduce(crn_touch *touch, int count, double distance)
{
    if (touch == NULL || count <= 0) {
        return 0;
    }
    return crn_touch_reduce_within(touch, count, distance, SLOPE_MAX);
}

int crn_touch_reduce_within(crn_touch *touch, int count, double distance, double slope)
{
    if (count < 2) {
        return count;
    }
    for (;;) {
        int left = 0;
        for (int first = 0; first < count; first += ROOM) {
            int size = count - first < ROOM ? count - first : ROOM;
            memmove(touch + left, touch + first, (size_t)size * sizeof *touch);
            left += reduce_block(touch + left, size, distance, slope);
        }
        if (count <= ROOM || left == count) {
            return left;
        }
        count = left;
    }
}
