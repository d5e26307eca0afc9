/* Measuring for `cairn-papers lloyd`  [L05 s5.4]: the same problem by standard Lemke on the assembled LCP, by Lloyd's
 * structural and reduced methods and by contact states from whitened columns; random wrenches, times averaged. */
#include "paper_lloyd.h"

#include "paper_measure.h"

#include "gallery_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Contacts above which standard Lemke is left out: its tableau would take minutes. */
static const int standard_most = 64;

/* Blocks above which a run takes long enough for few to do. */
static const int blocks_few_runs = 20;

static const uint64_t seed = 1;

static const crn_contact_method methods[LLOYD_METHODS] = {CRN_CONTACT_AUTO, CRN_CONTACT_STRUCTURAL, CRN_CONTACT_REDUCED,
                                                          CRN_CONTACT_STATES};

/* What a point is made of: a peg with so many contacts, or problem `index` of a family. */
typedef struct source {
    const crn_gallery_family *family; /* NULL: the peg */
    int size;                         /* contacts of the peg; index within a period of ten of the family */
} source;

static crn_status fill_peg(paper *p, int size, int run, crn_gallery_contacts *list)
{
    uint64_t first = p->sizes.seed > 0 ? (uint64_t)p->sizes.seed : seed;
    crn_status status = crn_gallery_peg_of(size, run % 2 == 1, first + (uint64_t)run, list, &p->error);
    if (status == CRN_OK && p->sizes.directions > 0) {
        list->directions = p->sizes.directions;
    }
    return status;
}

static crn_status make_assembled(paper *p, const source *s, int run, crn_lcp_data *data)
{
    crn_gallery_contacts list = {0};
    if (s->family) {
        return s->family->make(s->size + 10 * run, seed, data, &p->error);
    }
    crn_status status = fill_peg(p, s->size, run, &list);
    return status == CRN_OK ? crn_gallery_contacts_assemble(&list, data, &p->error) : status;
}

static crn_status make_whitened(paper *p, const source *s, int run, crn_gallery_contact_problem *out)
{
    crn_gallery_contacts list = {0};
    if (s->family) {
        return s->family->make_whitened(s->size + 10 * run, seed, out, &p->error);
    }
    crn_status status = fill_peg(p, s->size, run, &list);
    return status == CRN_OK ? crn_gallery_contacts_whitened(&list, out, &p->error) : status;
}

/* Add one run to the sums of a point. Times and pivots are of the runs that were solved: what runs into a limit says
 * nothing about the method's speed, and the table says how many did. */
static void add_run(lloyd_point *point, int method, const paper_time *time)
{
    ++point->runs[method];
    if (time->is_solved) {
        point->run_seconds[method][point->solved[method]++] = time->seconds;
        point->seconds[method] += time->seconds;
        point->pivots[method] += time->pivots;
        point->solving += method == LLOYD_STATES ? time->solving : 0.0;
    }
}

static bool measure_standard(paper *p, const source *s, int run, lloyd_point *point)
{
    crn_lcp_data data = {0};
    paper_time time;
    bool ok = make_assembled(p, s, run, &data) == CRN_OK && paper_keep_lcp(p, &data.problem, point->label) &&
              paper_time_lcp(&data.problem, CRN_LCP_LEMKE_LEX, &p->work, NULL, NULL, &time, &p->error);
    if (ok) {
        add_run(point, LLOYD_STANDARD, &time);
    }
    crn_lcp_data_free(&data);
    return ok;
}

static bool measure_run(paper *p, const source *s, int run, lloyd_point *point)
{
    crn_gallery_contact_problem problem = {0};
    bool ok = make_whitened(p, s, run, &problem) == CRN_OK && paper_keep_contact(p, &problem.problem, point->label);
    point->contacts = problem.problem.contacts;
    point->bodies = problem.problem.bodies;
    for (int m = LLOYD_STRUCTURAL; m < LLOYD_METHODS && ok; ++m) {
        crn_contact_options options = crn_contact_options_default();
        paper_time time;
        options.method = methods[m];
        ok = paper_time_contact(&problem.problem, &options, &p->work, NULL, &time, &p->error);
        if (ok) {
            add_run(point, m, &time);
        }
    }
    if (ok && point->contacts <= standard_most) {
        ok = measure_standard(p, s, run, point);
    }
    crn_gallery_contact_free(&problem);
    return ok;
}

static bool measure_point(paper *p, const source *s, const char *label, int runs, lloyd_curve *curve)
{
    lloyd_point *point = &curve->point[curve->count++];
    bool ok = true;
    point->label = label;
    for (int run = 0; run < runs && ok; ++run) {
        ok = measure_run(p, s, run, point);
    }
    for (int m = 0; m < LLOYD_METHODS; ++m) {
        point->seconds[m] /= point->solved[m]; /* not-a-number if it was not measured or never solved */
        point->pivots[m] /= point->solved[m];
    }
    point->solving /= point->solved[LLOYD_STATES];
    paper_step(p);
    return ok;
}

/* --- Towers --- */

typedef struct answer {
    double *impulse, *velocity;
    crn_contact_state *state;
} answer;

static bool add_way(lloyd_tower *tower, int way, bool ok, const paper_time *time)
{
    if (ok) {
        tower->solved[way] += time->is_solved;
        tower->seconds[way] += time->is_solved ? time->seconds : 0.0;
        tower->pivots[way] += time->is_solved ? time->pivots : 0;
    }
    return ok;
}

static bool measure_ways(paper *p, const crn_contact_problem *problem, const answer *a, lloyd_tower *tower)
{
    crn_contact_solution solution = {.impulse = a->impulse, .contact_velocity = a->velocity, .state = a->state};
    crn_contact_options options = crn_contact_options_default();
    paper_time time;
    options.method = CRN_CONTACT_STATES;
    bool ok = paper_time_contact(problem, &options, &p->work, &solution, &time, &p->error);
    ok = add_way(tower, LLOYD_COLD, ok, &time);
    options.start = a->state;
    options.start_impulse = a->impulse;
    options.start_velocity = a->velocity;
    ok = ok && paper_time_contact(problem, &options, &p->work, NULL, &time, &p->error);
    if (ok && time.refactorizations > tower->warm_factorisations) {
        tower->warm_factorisations = time.refactorizations;
    }
    ok = add_way(tower, LLOYD_WARM, ok, &time);
    options = crn_contact_options_default();
    options.method = CRN_CONTACT_BODIES;
    options.cone = CRN_CONE_ROUND;
    ok = ok && paper_time_contact(problem, &options, &p->work, NULL, &time, &p->error);
    return add_way(tower, LLOYD_BODIES, ok, &time);
}

static bool measure_tower_run(paper *p, int blocks, int run, lloyd_tower *tower)
{
    crn_gallery_contacts list = {0};
    crn_gallery_contact_problem problem = {0};
    bool ok = crn_gallery_tower(blocks, seed + (uint64_t)run, &list, &p->error) == CRN_OK &&
              crn_gallery_contacts_whitened(&list, &problem, &p->error) == CRN_OK &&
              paper_keep_contact(p, &problem.problem, "tower");
    size_t count = (size_t)problem.problem.contacts + 1;
    answer a = {calloc(3 * count, sizeof(double)), calloc(3 * count, sizeof(double)),
                calloc(count, sizeof(crn_contact_state))};
    tower->contacts = problem.problem.contacts;
    ok = ok && a.impulse && a.velocity && a.state && measure_ways(p, &problem.problem, &a, tower);
    free(a.impulse);
    free(a.velocity);
    free(a.state);
    crn_gallery_contact_free(&problem);
    return ok;
}

static bool measure_tower(paper *p, int blocks, int runs, lloyd_data *data)
{
    lloyd_tower *tower = &data->tower[data->tower_count++];
    bool ok = true;
    tower->blocks = blocks;
    for (; tower->runs < runs && ok; ++tower->runs) {
        ok = measure_tower_run(p, blocks, tower->runs, tower);
    }
    for (int way = 0; way < LLOYD_WAYS; ++way) {
        tower->seconds[way] /= tower->solved[way];
        tower->pivots[way] /= tower->solved[way];
    }
    paper_step(p);
    return ok;
}

/* --- Everything --- */

static const char *const situations[10] = {"vertex",       "edge",      "tripod",      "face on surface",
                                           "face on face", "in groove", "ball in rim", "block in groove",
                                           "in corner",    "in hole"};
static const char *const configurations[10] = {"1 block",         "2 blocks",      "2, one turned", "3 blocks",
                                               "bridge of 3",     "4 blocks",      "bridge and 1",  "5 blocks",
                                               "5, three turned", "3 and 2 across"};

bool lloyd_measure_own(paper *p, lloyd_data *data)
{
    source s = {NULL, p->sizes.contacts > 0 ? p->sizes.contacts : 32};
    int runs = p->sizes.runs > 0 ? p->sizes.runs : LLOYD_RUNS_MAX;
    paper_steps(p, 1);
    return measure_point(p, &s, "peg in hole", runs, &data->peg);
}

bool lloyd_measure(paper *p, lloyd_data *data)
{
    static const int pegs[] = {8, 12, 16, 24, 32, 64, 128, 256};
    static const int towers[] = {5, 10, 20, 40, 80};
    int peg_count = p->is_quick ? 5 : 8, tower_count = p->is_quick ? 3 : 5, runs = p->is_quick ? 4 : LLOYD_RUNS_MAX;
    bool ok = true;
    paper_steps(p, peg_count + 20 + tower_count);
    for (int i = 0; i < peg_count && ok; ++i) {
        source s = {NULL, pegs[i]};
        ok = measure_point(p, &s, "peg in hole", runs, &data->peg);
    }
    for (int i = 0; i < 10 && ok; ++i) {
        source s = {crn_gallery_find("single"), i};
        ok = measure_point(p, &s, situations[i], runs, &data->single);
    }
    for (int i = 0; i < 10 && ok; ++i) {
        source s = {crn_gallery_find("stacks"), i};
        ok = measure_point(p, &s, configurations[i], runs, &data->stacks);
    }
    for (int i = 0; i < tower_count && ok; ++i) {
        ok = measure_tower(p, towers[i], towers[i] > blocks_few_runs ? (runs + 3) / 4 : runs, data);
    }
    return ok;
}
