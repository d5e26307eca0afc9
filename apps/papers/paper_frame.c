/* n-legged frames  [E15]: Lemke, Murty, contact states and even impulses under many loads and in many orders. */
#include "paper_frame.h"

#include "gallery_scene.h"

#include <cairn/contact.h>
#include <cairn/lcp.h>

#include <math.h>
#include <string.h>

static const uint64_t seed = 1;
static const double impulse = 1.0; /* of the load [N s] */

/* A leg carries if it has more than this share of the load: what is less is rounding. */
static const double carries = 1e-9;

/* One frame with one load, in both forms, its legs in the order of the gallery. */
typedef struct frame {
    int legs;
    crn_gallery_contact_problem contact;
    crn_lcp_data lcp;
    double x[FRAME_LEGS_MAX], y[FRAME_LEGS_MAX]; /* feet */
} frame;

static void close_frame(frame *f)
{
    crn_gallery_contact_free(&f->contact);
    crn_lcp_data_free(&f->lcp);
}

static bool open_frame(paper *p, int legs, bool is_regular, double load_x, double load_y, frame *f)
{
    crn_gallery_frame def = {legs, is_regular, load_x, load_y, impulse};
    crn_gallery_contacts list = {0};
    memset(f, 0, sizeof *f);
    f->legs = legs;
    bool ok = crn_gallery_frame_of(&def, seed, &list, &p->error) == CRN_OK &&
              crn_gallery_contacts_problem(&list, &f->contact, &p->error) == CRN_OK &&
              crn_gallery_frame_of(&def, seed, &list, &p->error) == CRN_OK &&
              crn_gallery_contacts_assemble(&list, &f->lcp, &p->error) == CRN_OK &&
              paper_keep_lcp(p, &f->lcp.problem, is_regular ? "regular" : "irregular");
    for (int i = 0; ok && i < legs; ++i) {
        f->x[i] = f->contact.problem.contact[i].position[0];
        f->y[i] = f->contact.problem.contact[i].position[1];
    }
    return ok;
}

/* Is (x, y) in the closed triangle? Rounding of the cross products is forgiven. */
static bool is_in_triangle(const frame *f, int a, int b, int c, double x, double y)
{
    const double rounding = 1e-12; /* of products of coordinates near 1 m */
    const int corner[4] = {a, b, c, a};
    int left = 0, right = 0;
    for (int k = 0; k < 3; ++k) {
        double ex = f->x[corner[k + 1]] - f->x[corner[k]], ey = f->y[corner[k + 1]] - f->y[corner[k]];
        double side = ex * (y - f->y[corner[k]]) - ey * (x - f->x[corner[k]]);
        left += side > -rounding;
        right += side < rounding;
    }
    return left == 3 || right == 3;
}

static int count_triangles(const frame *f, double x, double y)
{
    int count = 0;
    for (int a = 0; a < f->legs; ++a) {
        for (int b = a + 1; b < f->legs; ++b) {
            for (int c = b + 1; c < f->legs; ++c) {
                count += is_in_triangle(f, a, b, c, x, y);
            }
        }
    }
    return count;
}

/* --- Solving --- */

static bool solve_lcp(paper *p, const crn_lcp_problem *problem, crn_lcp_method method, double *z, double *w,
                      crn_lcp_outcome *outcome)
{
    crn_lcp_options options = crn_lcp_options_default(method);
    crn_lcp_solution solution = {.z = z, .w = w};
    crn_lcp_result result;
    bool ok = crn_lcp_solve(problem, &options, &p->work, &solution, &result, &p->error) == CRN_OK;
    *outcome = result.outcome;
    return ok;
}

/* Normal impulses of a contact problem; r has three numbers per leg. */
static bool solve_contact(paper *p, const crn_contact_problem *problem, bool is_even, double *r, bool *is_solved)
{
    crn_contact_options options = crn_contact_options_default();
    crn_contact_solution solution = {.impulse = r};
    crn_contact_result result;
    options.method = CRN_CONTACT_STATES;
    options.even = is_even;
    bool ok = crn_contact_solve(problem, &options, &p->work, &solution, &result, &p->error) == CRN_OK;
    *is_solved = ok && result.outcome == CRN_LCP_SOLVED;
    return ok;
}

/* Legs that carry, as a set of bits. */
static uint64_t support_of(const double *z, int legs)
{
    uint64_t set = 0;
    for (int i = 0; i < legs; ++i) {
        set |= z[i] > carries * impulse ? (uint64_t)1 << i : 0;
    }
    return set;
}

static int size_of(uint64_t set)
{
    int count = 0;
    for (; set; set &= set - 1) {
        ++count;
    }
    return count;
}

/* --- Loads --- */

/* Where a load's line of action meets the ground: the centre, a point of a random triangle of feet, or, one time in
 * five, a point outside. */
static void place_load(const frame *f, int load, crn_random *random, double *x, double *y)
{
    double share[3], sum = 0.0;
    *x = *y = 0.0;
    for (int k = 0; k < 3; ++k) {
        share[k] = crn_random_uniform(random, 0.05, 1.0);
        sum += share[k];
    }
    int corner = crn_random_below(random, f->legs);
    int step = 1 + crn_random_below(random, f->legs > 3 ? f->legs / 2 : 1);
    for (int k = 0; k < 3 && load > 0; ++k) {
        int foot = (corner + k * step) % f->legs;
        *x += share[k] / sum * f->x[foot];
        *y += share[k] / sum * f->y[foot];
    }
    if (load % 5 == 4) {
        double angle = crn_random_uniform(random, 0.0, 6.283185307179586);
        double far = crn_random_uniform(random, 0.8, 1.2); /* feet reach 0.7 m */
        *x = far * cos(angle);
        *y = far * sin(angle);
    }
}

static bool study_murty(paper *p, const frame *f, frame_study *study)
{
    double z[FRAME_LEGS_MAX], w[FRAME_LEGS_MAX];
    crn_lcp_outcome outcome;
    bool ok = solve_lcp(p, &f->lcp.problem, CRN_LCP_MURTY, z, w, &outcome);
    study->murty_solved += outcome == CRN_LCP_SOLVED;
    study->murty_singular += outcome == CRN_LCP_SINGULAR;
    study->murty_other += outcome != CRN_LCP_SOLVED && outcome != CRN_LCP_SINGULAR;
    return ok;
}

static bool study_lemke(paper *p, const frame *f, frame_study *study)
{
    double z[FRAME_LEGS_MAX], w[FRAME_LEGS_MAX], r[3 * FRAME_LEGS_MAX];
    crn_lcp_outcome outcome;
    bool is_solved = false;
    bool ok = solve_lcp(p, &f->lcp.problem, CRN_LCP_LEMKE_LEX, z, w, &outcome) &&
              solve_contact(p, &f->contact.problem, false, r, &is_solved);
    int support = size_of(support_of(z, f->legs));
    study->lemke_solved += outcome == CRN_LCP_SOLVED;
    study->states_solved += is_solved;
    study->most_support = support > study->most_support ? support : study->most_support;
    return ok;
}

/* Equal legs under a central load carry W/n each. */
static bool study_central(paper *p, const frame *f, frame_study *study)
{
    double r[3 * FRAME_LEGS_MAX];
    bool is_solved;
    bool ok = solve_contact(p, &f->contact.problem, true, r, &is_solved);
    ++study->even_runs;
    study->even_solved += is_solved;
    for (int i = 0; ok && i < f->legs; ++i) {
        study->central_even = fmax(study->central_even, fabs(r[3 * i] - impulse / f->legs) / impulse);
    }
    return ok;
}

static bool study_load(paper *p, int load, crn_random *random, frame_study *study)
{
    frame f;
    double x, y;
    bool ok = open_frame(p, study->legs, study->is_regular, 0.0, 0.0, &f);
    if (ok) {
        place_load(&f, load, random, &x, &y);
        close_frame(&f);
        ok = open_frame(p, study->legs, study->is_regular, x, y, &f);
    }
    if (ok) {
        int triangles = count_triangles(&f, x, y);
        ok = study_lemke(p, &f, study) && study_murty(p, &f, study) &&
             (load > 0 || !study->is_regular || study_central(p, &f, study));
        ++study->loads;
        if (triangles > 0) {
            bool is_least = study->loads_inside == 0 || triangles < study->least_triangles;
            study->least_triangles = is_least ? triangles : study->least_triangles;
            study->mean_triangles += triangles;
            ++study->loads_inside;
        }
    }
    close_frame(&f);
    return ok;
}

/* --- Orders --- */

static void shuffle(int *order, int count, crn_random *random)
{
    for (int i = 0; i < count; ++i) {
        order[i] = i;
    }
    for (int i = count - 1; i > 0; --i) {
        int j = crn_random_below(random, i + 1), kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
}

/* What the first order gave, in the gallery's order of legs, and the supports seen. */
typedef struct order_memory {
    bool is_set;
    double w[FRAME_LEGS_MAX], even[FRAME_LEGS_MAX];
    uint64_t supports[128];
} order_memory;

/* Lemke with the legs in some order; z and w in the gallery's order. */
static bool lemke_in_order(paper *p, const frame *f, const int *order, double *z, double *w)
{
    double z_there[FRAME_LEGS_MAX], w_there[FRAME_LEGS_MAX];
    crn_lcp_data data = {0};
    crn_lcp_outcome outcome;
    bool ok = crn_gallery_transform(&f->lcp.problem, order, NULL, NULL, &data, &p->error) == CRN_OK &&
              solve_lcp(p, &data.problem, CRN_LCP_LEMKE_LEX, z_there, w_there, &outcome);
    for (int i = 0; ok && i < f->legs; ++i) {
        z[order[i]] = z_there[i];
        w[order[i]] = w_there[i];
    }
    crn_lcp_data_free(&data);
    return ok;
}

/* Even impulses with the legs in some order, in the gallery's order. */
static bool even_in_order(paper *p, const frame *f, const int *order, double *even, bool *is_solved)
{
    crn_contact_point points[FRAME_LEGS_MAX];
    double r[3 * FRAME_LEGS_MAX];
    crn_contact_problem problem = f->contact.problem;
    for (int i = 0; i < f->legs; ++i) {
        points[i] = f->contact.problem.contact[order[i]];
    }
    problem.contact = points;
    bool ok = solve_contact(p, &problem, true, r, is_solved);
    for (int i = 0; ok && i < f->legs; ++i) {
        even[order[i]] = r[3 * i];
    }
    return ok;
}

static void remember_support(order_memory *memory, uint64_t support, frame_study *study)
{
    for (int k = 0; k < study->order_supports; ++k) {
        if (memory->supports[k] == support) {
            return;
        }
    }
    if (study->order_supports < (int)(sizeof memory->supports / sizeof memory->supports[0])) {
        memory->supports[study->order_supports++] = support;
    }
}

static double largest(const double *values, int count)
{
    double most = 0.0;
    for (int i = 0; i < count; ++i) {
        most = fmax(most, fabs(values[i]));
    }
    return most;
}

static bool study_order(paper *p, const frame *f, const int *order, order_memory *memory, frame_study *study)
{
    double z[FRAME_LEGS_MAX], w[FRAME_LEGS_MAX], even[FRAME_LEGS_MAX];
    bool is_solved = false;
    if (!lemke_in_order(p, f, order, z, w) || !even_in_order(p, f, order, even, &is_solved)) {
        return false;
    }
    ++study->even_runs;
    study->even_solved += is_solved;
    ++study->orders;
    remember_support(memory, support_of(z, f->legs), study);
    if (!memory->is_set) {
        memcpy(memory->w, w, sizeof w);
        memcpy(memory->even, even, sizeof even);
        memory->is_set = true;
    }
    double q = largest(f->lcp.problem.q, f->legs);
    for (int i = 0; i < f->legs; ++i) {
        study->order_w = fmax(study->order_w, fabs(w[i] - memory->w[i]) / q);
        study->order_even = fmax(study->order_even, fabs(even[i] - memory->even[i]) / impulse);
    }
    return true;
}

static bool study_orders(paper *p, int orders, crn_random *random, frame_study *study)
{
    int order[FRAME_LEGS_MAX] = {0};
    double x, y;
    order_memory memory = {.is_set = false};
    frame f;
    bool ok = open_frame(p, study->legs, study->is_regular, 0.0, 0.0, &f);
    if (ok) {
        place_load(&f, 1, random, &x, &y);
        close_frame(&f);
        ok = open_frame(p, study->legs, study->is_regular, x, y, &f);
    }
    for (int k = 0; k < orders && ok; ++k) {
        shuffle(order, study->legs, random);
        ok = study_order(p, &f, order, &memory, study);
    }
    close_frame(&f);
    return ok;
}

bool frame_measure(paper *p, int loads, int orders, frame_study *study)
{
    crn_random random = crn_random_seed(seed + (uint64_t)(2 * study->legs + study->is_regular));
    bool ok = true;
    for (int load = 0; load < loads && ok; ++load) {
        ok = study_load(p, load, &random, study);
    }
    study->mean_triangles /= study->loads_inside > 0 ? study->loads_inside : 1;
    return ok && study_orders(p, orders, &random, study);
}

/* --- Picture --- */

static void note_triangle(uint64_t support, int legs, frame_picture *picture)
{
    int corner[3] = {-1, -1, -1}, count = 0;
    for (int i = 0; i < legs && count < 3; ++i) {
        if (support >> i & 1) {
            corner[count++] = i;
        }
    }
    for (int k = 0; k < picture->triangles; ++k) {
        if (memcmp(picture->triangle[k], corner, sizeof corner) == 0) {
            return;
        }
    }
    if (picture->triangles < FRAME_TRIANGLES_MAX) {
        memcpy(picture->triangle[picture->triangles++], corner, sizeof corner);
    }
}

bool frame_take_picture(paper *p, int legs, bool is_regular, double load_x, double load_y, frame_picture *picture)
{
    enum { ORDERS = 60 };
    int order[FRAME_LEGS_MAX] = {0};
    double z[FRAME_LEGS_MAX], w[FRAME_LEGS_MAX];
    crn_random random = crn_random_seed(seed);
    bool is_solved;
    frame f;
    bool ok = open_frame(p, legs, is_regular, load_x, load_y, &f);
    picture->legs = legs;
    picture->load_x = load_x;
    picture->load_y = load_y;
    memcpy(picture->x, f.x, sizeof f.x);
    memcpy(picture->y, f.y, sizeof f.y);
    for (int k = 0; k < ORDERS && ok; ++k) {
        shuffle(order, legs, &random);
        ok = lemke_in_order(p, &f, order, z, w);
        if (ok) {
            note_triangle(support_of(z, legs), legs, picture);
        }
    }
    ok = ok && even_in_order(p, &f, order, picture->even, &is_solved);
    close_frame(&f);
    return ok;
}
