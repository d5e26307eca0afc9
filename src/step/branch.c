/* Recording the choices of a step, and replaying them: branch.h. */
#include "step/step_room.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "math/vec.h"
#include "step/moment.h"
#include "step/parts.h"

#define PASSED 1e-9 /* of the velocity scale: an open contact that closes by more has left its branch */

#define MOMENT 1e-6 /* of a step: bounces nearer in time than this are one */

static crn_status no_memory(crn_error *error)
{
    return crn_fail(error, CRN_ERR_MEMORY, "world: out of memory for derivatives");
}

#define RESERVE(field, count) \
    crn_reserve(&b->stepper->allocator, (void **)&b->field, &b->field##_capacity, (count), sizeof *b->field)

void crn_branch_free(crn_step_branch *b)
{
    const crn_allocator *allocator = &b->stepper->allocator;
    for (int i = 0; i < b->problems; ++i) {
        crn_workspace_free(&b->problem[i].workspace);
    }
    void *all[] = {b->problem, b->contact, b->row, b->hint, b->row_hint, b->of, b->report, b->start, b->has_start};
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
        crn_release(allocator, all[i]);
    }
    crn_workspace_free(&b->workspace);
}

/* --- Where contacts were when the step began --- */

crn_status crn_branch_begin(crn_step_branch *b, double h, crn_error *error)
{
    crn_stepper *s = b->stepper;
    b->calls = 0;
    for (int i = 0; i < s->shapes; ++i) {
        s->shape[i].is_known = false; /* what stands still is looked at, too: friction may be another */
    }
    if (!RESERVE(start, s->last.contacts) || !RESERVE(has_start, s->last.contacts)) {
        return no_memory(error);
    }
    crn_status status = s->last.contacts > 0 ? crn_step_detect(s, h, error) : CRN_OK;
    if (status != CRN_OK || s->last.contacts == 0) {
        return status;
    }
    crn_step_match(s);
    if (!b->is_replaying) {
        memset(b->has_start, 0, (size_t)s->last.contacts * sizeof *b->has_start);
    }
    for (int i = 0; i < s->now.contacts; ++i) {
        int at = s->now.pair[i].match;
        if (at >= 0 && !b->is_replaying) {
            b->start[at] = s->now.contact[i].point;
            b->has_start[at] = true;
        } else if (at >= 0 && b->has_start[at]) {
            crn_vec3 moved = crn_v3_sub(s->now.contact[i].point, b->start[at]);
            s->last.contact[at].point = crn_v3_add(s->last.contact[at].point, moved);
        }
    }
    return CRN_OK;
}

/* --- Names of what touches --- */

static crn_branch_contact name_of(const crn_stepper *s, int i)
{
    if (i < s->now.contacts) {
        const crn_step_pair *pair = &s->now.pair[i];
        const crn_contact *c = &s->now.contact[i];
        return (crn_branch_contact){.a = pair->shape_a, .b = pair->shape_b, .part = (int64_t)c->key, .point = c->point};
    }
    int limit = i - s->now.contacts, stop = limit - s->limits;
    if (stop < 0) {
        const crn_step_limit *l = &s->limit[limit];
        return (crn_branch_contact){.a = l->joint, .b = l->tendon, .part = -1 - l->slot};
    }
    return (crn_branch_contact){.a = s->forest.stop[stop].mechanism, .b = s->forest.stop[stop].loop, .part = INT64_MAX};
}

static bool is_same(const crn_branch_contact *a, const crn_branch_contact *b)
{
    return a->a == b->a && a->b == b->b && a->part == b->part;
}

/* The contact of a recorded problem with the name of i; NULL: none. They mostly have the same index. */
static const crn_branch_contact *find(const crn_step_branch *b, const crn_branch_problem *p, int i)
{
    crn_branch_contact name = name_of(b->stepper, i);
    for (int k = 0; k < p->contacts; ++k) {
        const crn_branch_contact *c = &b->contact[p->contact + (i + k) % p->contacts];
        if (is_same(&name, c)) {
            return c;
        }
    }
    return NULL;
}

static bool is_found(const crn_step_branch *b, const crn_branch_contact *recorded)
{
    for (int i = 0; i < b->stepper->now.contacts; ++i) {
        crn_branch_contact name = name_of(b->stepper, i);
        if (is_same(&name, recorded)) {
            return true;
        }
    }
    return false;
}

/* Where edges are flush the features that make a contact change with the least motion: then the nearest contact of the same shapes whose
 * name is gone; NULL: none. */
static const crn_branch_contact *find_renamed(const crn_step_branch *b, const crn_branch_problem *p, int i)
{
    const crn_branch_contact *best = NULL;
    double nearest = INFINITY;
    crn_branch_contact name = name_of(b->stepper, i);
    for (int k = 0; k < p->contacts && i < b->stepper->now.contacts; ++k) {
        const crn_branch_contact *c = &b->contact[p->contact + k];
        double far = crn_v3_length(crn_v3_sub(c->point, name.point));
        if (c->a == name.a && c->b == name.b && c->part >= 0 && far < nearest && !is_found(b, c)) {
            nearest = far;
            best = c;
        }
    }
    return best;
}

/* --- Recording --- */

static crn_vec3 to_world(const crn_contact_point *p, const double *r)
{
    crn_vec3 sum = crn_v3_scale(r[0], crn_v3_of(p->normal));
    return crn_v3_axpy(crn_v3_axpy(sum, r[1], crn_v3_of(p->t1)), r[2], crn_v3_of(p->t2));
}

static void to_local(const crn_contact_point *p, crn_vec3 impulse, double *r)
{
    r[0] = crn_v3_dot(impulse, crn_v3_of(p->normal));
    r[1] = crn_v3_dot(impulse, crn_v3_of(p->t1));
    r[2] = crn_v3_dot(impulse, crn_v3_of(p->t2));
}

static void note_worst(crn_step_branch *b, const crn_linearize_report *report)
{
    b->status = report->status > b->status ? report->status : b->status;
    b->residual = crn_fmax(b->residual, report->residual);
    b->margin = crn_fmin(b->margin, report->margin);
    b->kinks += report->kinks;
    b->redundant += report->redundant;
}

/* Contacts at a kink, and those that touch: closed or repaired, by the sign of their gap. */
static bool list_kinks(crn_step_branch *b, const crn_contact_branch *branch)
{
    const crn_stepper *s = b->stepper;
    for (int i = 0; i < s->now.contacts && s->kick.purpose == CRN_FOR_KICK; ++i) {
        crn_contact_branch mine = branch[i];
        bool is_touching = s->now.contact[i].gap <= s->now.pair[i].band && mine.state.kind != CRN_CONTACT_OFF;
        b->touching += is_touching;
        if (mine.kink == CRN_KINK_NONE && is_touching) {
            mine.kink = CRN_KINK_TOUCH;
        }
        if (mine.kink != CRN_KINK_NONE) {
            if (!RESERVE(report, b->reports + 1)) {
                return false;
            }
            const crn_contact *c = &s->now.contact[i];
            b->report[b->reports++] = (crn_branch_report){c->a, c->b, c->point, mine};
        }
    }
    return true;
}

static bool keep_problem(crn_step_branch *b, const crn_contact_problem *problem)
{
    if (!RESERVE(contact, b->contacts + problem->contacts) || !RESERVE(row, b->rows + problem->rows) ||
        !RESERVE(hint, problem->contacts)) {
        return false;
    }
    (void)crn_contact_remember(b->problem[b->problems - 1].linear, b->hint, b->row + b->rows);
    for (int i = 0; i < problem->contacts; ++i) {
        crn_branch_contact *to = &b->contact[b->contacts + i];
        *to = name_of(b->stepper, i);
        to->hint = b->hint[i];
        to->t1 = crn_v3_of(problem->contact[i].t1);
        to->impulse = to_world(&problem->contact[i], to->hint.impulse);
        to->is_pressed = to->hint.kind != 0;
    }
    b->contacts += problem->contacts;
    b->rows += problem->rows;
    return true;
}

/* Solve; even impulses, so that redundant contacts are inside of their cones where they can be. */
static crn_status solve_freely(crn_step_branch *b, const crn_contact_problem *problem,
                               const crn_contact_options *options, const crn_contact_solution *solution,
                               crn_contact_result *result, crn_error *error)
{
    crn_contact_options even = *options;
    even.even = true;
    if (b->solver) {
        return b->solver(b->solver_user, problem, &even, solution, result, error);
    }
    return crn_contact_solve_built(problem, &even, &b->stepper->problem.workspace, solution, result, error);
}

static crn_status record(crn_step_branch *b, const crn_contact_problem *problem, const crn_contact_options *options,
                         const crn_contact_solution *solution, crn_contact_result *result, crn_error *error)
{
    crn_linearize_options how = {options->cone, options->law, b->kink};
    crn_linearize_report report;
    crn_status status = solve_freely(b, problem, options, solution, result, error);
    if (status != CRN_OK) {
        return status;
    }
    if (!RESERVE(problem, b->problems + 1)) {
        return no_memory(error);
    }
    crn_branch_problem *one = &b->problem[b->problems++];
    *one = (crn_branch_problem){.purpose = b->stepper->kick.purpose,
                                .contact = b->contacts,
                                .contacts = problem->contacts,
                                .row = b->rows,
                                .rows = problem->rows};
    bool is_solved = result->outcome == CRN_LCP_SOLVED && result->law == options->law;
    status = is_solved ? crn_contact_linearize(problem, &how, solution->impulse, solution->row_impulse, &one->workspace,
                                               &one->linear, &report, error)
                       : CRN_ERR_ARGUMENT;
    if (status == CRN_ERR_ARGUMENT) { /* told by is_solved */
        b->is_solved = false;
        crn_clear(error);
        return CRN_OK;
    }
    if (status != CRN_OK) {
        return status;
    }
    note_worst(b, &report);
    if (!keep_problem(b, problem) || !list_kinks(b, crn_contact_linear_branches(one->linear))) {
        return no_memory(error);
    }
    crn_contact_solution exact = *solution;
    exact.state = NULL;
    return crn_contact_linear_solution(one->linear, &exact, error);
}

/* --- Replaying --- */

/* The recorded problem that this one is a neighbour of; NULL: none. Repairs are as many as it takes; kicks and impacts come in their order,
 * and an impact is solved as a kick. */
static const crn_branch_problem *neighbour(const crn_step_branch *b)
{
    bool is_repair = b->stepper->kick.purpose == CRN_FOR_POSITIONS;
    int before = 0;
    for (int i = 0; i < b->problems; ++i) {
        const crn_branch_problem *p = &b->problem[i];
        bool is_position = p->purpose == CRN_FOR_POSITIONS;
        if (is_position == is_repair && (is_position || before == b->calls)) {
            return p;
        }
        before += !is_position;
    }
    return NULL;
}

bool crn_branch_tangent(const crn_step_branch *b, int i, crn_vec3 *t1)
{
    const crn_branch_problem *p = b->is_replaying ? neighbour(b) : NULL;
    const crn_branch_contact *from = p ? find(b, p, i) : NULL;
    crn_vec3 normal = b->stepper->now.contact[i].normal;
    from = p && !from ? find_renamed(b, p, i) : from;
    if (from) {
        *t1 = crn_v3_unit(crn_v3_axpy(from->t1, -crn_v3_dot(from->t1, normal), normal));
    }
    return from != NULL;
}

static bool is_pressed(const crn_step_branch *b, int i)
{
    for (int k = 0; k < b->problems; ++k) {
        const crn_branch_contact *c = b->problem[k].purpose == CRN_FOR_POSITIONS ? find(b, &b->problem[k], i) : NULL;
        if (c && c->is_pressed) {
            return true;
        }
    }
    return false;
}

/* Hints of all contacts and rows. */
static void give_hints(crn_step_branch *b, const crn_branch_problem *p, const crn_contact_problem *problem)
{
    int pushed = 0, found = 0;
    bool is_renamed = false;
    for (int k = 0; k < p->contacts; ++k) {
        pushed += b->contact[p->contact + k].hint.kind != 0;
    }
    for (int i = 0; i < problem->contacts; ++i) {
        const crn_branch_contact *from = find(b, p, i);
        if (!from && (from = find_renamed(b, p, i)) != NULL) {
            is_renamed = true;
        }
        b->of[i] = from ? (int)(from - b->contact) - p->contact : -1;
        b->hint[i] = from ? from->hint : (crn_contact_hint){0};
        if (p->purpose == CRN_FOR_POSITIONS) {
            b->hint[i].kind = is_pressed(b, i) ? 1 : 0;
        } else if (from && i < b->stepper->now.contacts) {
            to_local(&problem->contact[i], from->impulse, b->hint[i].impulse);
        }
        found += from && from->hint.kind != 0;
    }
    for (int i = 0; i < problem->rows; ++i) {
        b->row_hint[i] = i < p->rows ? b->row[p->row + i] : (crn_row_hint){0};
    }
    bool is_other = p->purpose != CRN_FOR_POSITIONS && (is_renamed || found != pushed || problem->rows != p->rows);
    b->changed += is_other;
}

static bool is_any_passed(const crn_contact_problem *problem, const crn_contact_hint *hint, const double *u)
{
    double size = 1.0;
    for (int i = 0; i < 3 * problem->contacts; ++i) {
        size = crn_fmax(size, fabs(u[i]));
    }
    for (int i = 0; i < problem->contacts; ++i) {
        if (hint[i].kind == 0 && u[3 * i] < -PASSED * size) {
            return true;
        }
    }
    return false;
}

static crn_status replay(crn_step_branch *b, const crn_contact_problem *problem, const crn_contact_options *options,
                         const crn_contact_solution *solution, crn_contact_result *result, crn_error *error)
{
    const crn_branch_problem *p = neighbour(b);
    crn_linearize_options how = {options->cone, options->law, b->kink};
    memset(result, 0, sizeof *result);
    result->outcome = CRN_LCP_SOLVED;
    result->law = options->law;
    result->certificate.worst = -1;
    b->calls += b->stepper->kick.purpose != CRN_FOR_POSITIONS;
    crn_branch_problem none = {.purpose = b->stepper->kick.purpose};
    if (!p && none.purpose != CRN_FOR_POSITIONS) {
        b->changed++;
        return solve_freely(b, problem, options, solution, result, error);
    }
    p = p ? p : &none; /* repairs of loops alone: no contact is moved */
    if (!RESERVE(hint, problem->contacts) || !RESERVE(row_hint, problem->rows) || !RESERVE(of, problem->contacts)) {
        return no_memory(error);
    }
    give_hints(b, p, problem);
    bool is_alike = p->purpose != CRN_FOR_POSITIONS && problem->rows == p->rows;
    const crn_contact_linear *neighbour = is_alike ? p->linear : NULL;
    crn_status status = crn_contact_solve_in_states(problem, &how, options->even, b->hint, b->row_hint, neighbour,
                                                    b->of, &b->workspace, solution, error);
    b->changed +=
        status == CRN_OK && p->purpose == CRN_FOR_KICK && is_any_passed(problem, b->hint, solution->contact_velocity);
    return status == CRN_OK && b->chain ? crn_chain_add_kick(b->chain, problem, &how, b->hint, b->row_hint, error)
                                        : status;
}

crn_status crn_branch_solve(void *user, const crn_contact_problem *problem, const crn_contact_options *options,
                            const crn_contact_solution *solution, crn_contact_result *result, crn_error *error)
{
    crn_step_branch *b = user;
    return b->is_replaying ? replay(b, problem, options, solution, result, error)
                           : record(b, problem, options, solution, result, error);
}

crn_status crn_branch_fly(crn_step_branch *b, crn_error *error)
{
    const crn_step_problem *p = &b->stepper->problem;
    crn_linearize_options how = {p->options.cone, p->options.law, b->kink};
    return b->chain ? crn_chain_add_kick(b->chain, &p->problem, &how, b->hint, b->row_hint, error) : CRN_OK;
}

double crn_branch_position_error(const crn_stepper *s)
{
    double worst = 0.0;
    for (int i = 0; i < s->now.contacts + s->limits; ++i) {
        if (is_pressed(s->branch, i)) {
            double gap = i < s->now.contacts ? s->now.contact[i].gap : s->limit[i - s->now.contacts].gap;
            worst = crn_fmax(worst, fabs(gap));
        }
    }
    return worst;
}

/* --- Bounces --- */

/* How fast a contact closes at a moment of the kick. */
static double closing(const crn_stepper *s, int i, crn_moment moment)
{
    const crn_contact *c = &s->last.contact[i];
    const crn_step_pair *pair = &s->last.pair[i];
    const crn_twist *twist = crn_moment_bodies(s, moment);
    crn_vec3 u[2];
    for (int side = 0; side < 2; ++side) {
        int body = s->shape[side == 0 ? pair->shape_a : pair->shape_b].body;
        bool is_free = s->body[body].kind == CRN_BODY_FREE;
        crn_vec3 w = is_free ? twist[body].angular : s->body[body].next_w;
        crn_vec3 v = is_free ? twist[body].linear : s->body[body].next_v;
        u[side] = crn_v3_add(v, crn_v3_cross(w, crn_v3_sub(c->point, s->body[body].rigid.pose.position)));
    }
    return -crn_v3_dot(c->normal, crn_v3_sub(u[0], u[1]));
}

crn_branch_bounce crn_branch_delay(const crn_stepper *s)
{
    crn_branch_bounce found = {INFINITY, 0.0, true};
    double last = -INFINITY;
    for (int i = 0; i < s->last.contacts && s->impact.fastest > 0.0; ++i) {
        double speed = s->impact.restitution[i] > 0.0 ? closing(s, i, CRN_PUSHED) : 0.0;
        double time = speed > 0.0 ? s->last.contact[i].gap / speed : INFINITY;
        last = isfinite(time) ? crn_fmax(last, time) : last;
        if (time < found.time) {
            found.time = time;
            found.rate = (speed - closing(s, i, CRN_BEFORE)) / (s->kick.time * speed);
        }
    }
    found.is_single = !(last > found.time + MOMENT * s->last_h);
    found.time = isfinite(found.time) ? found.time : 0.0;
    return found;
}
