/* What the caller has changed acts at once: everything goes on from what is shown, with half a kick. */
#include <string.h>

#include "step/clamp.h"
#include "step/kick.h"
#include "step/loops.h"
#include "step/tendons.h"
#include "step/verdict.h"

/* Velocities as shown: no force has acted since. */
static void show_mechanism(crn_stepper *s, const crn_step_mechanism *m)
{
    crn_step_forest *f = &s->forest;
    for (int t = m->tree; t < m->tree + m->trees; ++t) {
        size_t first = (size_t)f->tree[t].u, size = (size_t)f->tree[t].tree->velocities * sizeof *f->u;
        memcpy(f->u + first, f->shown + first, size);
        memcpy(f->before + first, f->shown + first, size);
    }
}

static void show_body(crn_step_body *body)
{
    body->rigid.w = body->shown_w;
    body->rigid.v = body->shown_v;
}

/* Was it not so before? */
static bool go_on_from_shown(crn_stepper *s, int body)
{
    crn_step_body *b = &s->body[body];
    if (b->id.index1 == 0 || b->kind != CRN_BODY_FREE || b->is_fresh || s->forest.is_stale) {
        return false; /* when trees are planted again everything is fresh */
    }
    if (b->tree > 0) {
        show_mechanism(s, crn_mechanism_of(s, body));
        crn_mechanism_of(s, body)->kept.is_fresh = true;
    }
    show_body(b);
    b->is_fresh = true;
    return true;
}

void crn_step_freshen(crn_stepper *s, int body)
{
    s->books.is_closed = false;
    if (go_on_from_shown(s, body)) {
        s->body[body].worked[0] = s->body[body].worked[1] = s->body[body].owed = 0.0;
    }
}

void crn_step_renew(crn_stepper *s, int body)
{
    (void)go_on_from_shown(s, body);
}

/* --- What the caller has left --- */

/* A body of a mechanism that was changed makes all of it fresh. Is anything? */
static bool spread_freshness(crn_stepper *s)
{
    bool any = false;
    for (int i = 0; i < s->bodies; ++i) {
        crn_step_mechanism *m = crn_mechanism_of(s, i);
        bool is_free = s->body[i].id.index1 != 0 && s->body[i].kind == CRN_BODY_FREE;
        if (is_free && s->body[i].is_fresh && m) {
            m->kept.is_fresh = true;
        }
        any = any || (is_free && (m ? m->kept.is_fresh : s->body[i].is_fresh));
    }
    return any;
}

crn_status crn_step_begin_changed(crn_stepper *s, crn_error *error)
{
    if (s->books.is_closed || !spread_freshness(s)) {
        return CRN_OK;
    }
    for (int i = 0; i < s->forest.mechanisms; ++i) {
        crn_step_mechanism *m = &s->forest.mechanism[i];
        if (m->loops > 0 && m->kept.is_fresh) {
            show_mechanism(s, m);
            if (!crn_trees_fit_velocities(s, m)) {
                return crn_trees_singular(error);
            }
        }
    }
    return CRN_OK;
}

/* --- The first kick --- */

/* Is the second half of the last kick made anew? It is where something was changed, pushes are others, or this step has another length. */
static bool is_other_step(const crn_stepper *s, double h, bool is_changed)
{
    return s->last_h > 0.0 && s->def.integrator == CRN_INTEGRATOR_REFLECT &&
           (is_changed || s->last_h != h || crn_step_is_pushed_anew(s));
}

/* --- Placed where it cannot stay --- */

enum {
    PARTING_STEPS = 4
}; /* after it was placed: what parts may meet others, and deep overlaps are found one after the other */

static bool is_placed(crn_stepper *s, int body)
{
    if (body < 0) {
        return false;
    }
    const crn_step_mechanism *m = crn_mechanism_of(s, body);
    return m ? m->kept.is_fresh : s->body[body].is_fresh;
}

static bool is_any_overlap_placed(crn_stepper *s, double tolerance)
{
    bool any = false;
    for (int i = 0; i < s->now.contacts && !any; ++i) {
        const crn_step_pair *pair = &s->now.pair[i];
        any = crn_step_repair_gap(s, i) < -tolerance &&
              (is_placed(s, s->shape[pair->shape_a].body) || is_placed(s, s->shape[pair->shape_b].body));
    }
    return any;
}

static bool is_any_limit_placed(crn_stepper *s, double tolerance)
{
    bool any = false;
    for (int i = 0; i < s->limits && !any; ++i) {
        crn_row_bodies of = crn_step_row_bodies(s, s->limit[i].joint, s->limit[i].tendon);
        any = s->limit[i].gap < -tolerance && (is_placed(s, of.a) || is_placed(s, of.b));
    }
    return any;
}

static bool is_any_loop_placed(crn_stepper *s, double tolerance)
{
    bool is_open = s->forest.loops > 0 && crn_loops_repairable(s) > tolerance, any = false;
    for (int i = 0; i < s->forest.links && is_open && !any; ++i) {
        any = is_placed(s, s->forest.body[i]);
    }
    return any;
}

/* Does something overlap, pass a limit or leave a loop open where the caller has placed it? Bodies that woke, and mechanisms that the
 * step has planted anew, are fresh too, but nobody has placed them. */
static bool is_placed_wrong(crn_stepper *s)
{
    double tolerance = crn_repair_tolerance(&s->def);
    return !s->books.is_closed && (is_any_overlap_placed(s, tolerance) || is_any_limit_placed(s, tolerance) ||
                                   is_any_loop_placed(s, tolerance));
}

/* Everything goes on from what is shown. */
static void return_to_shown(crn_stepper *s)
{
    for (int i = 0; i < s->forest.mechanisms; ++i) {
        show_mechanism(s, &s->forest.mechanism[i]);
    }
    for (int i = 0; i < s->bodies; ++i) {
        if (s->body[i].id.index1 != 0 && s->body[i].kind == CRN_BODY_FREE) {
            show_body(&s->body[i]);
        }
    }
    crn_ledger_return(s);
}

static crn_status place_mechanisms(crn_stepper *s, crn_error *error)
{
    for (int i = 0; i < s->forest.mechanisms; ++i) {
        crn_step_mechanism *m = &s->forest.mechanism[i];
        crn_trees_place(s, m);
        if (!crn_trees_factor(s, m, NULL)) {
            return crn_trees_singular(error);
        }
        crn_trees_known(s, m);
    }
    return CRN_OK;
}

/* With a branch: is there one for all? As recorded. */
static bool is_first_recorded(crn_stepper *s, bool is_fresh, bool is_other)
{
    crn_step_branch *b = s->branch;
    if (!b->is_replaying) {
        b->is_other = is_other || (b->wants_shown && s->last_h > 0.0);
        b->begins_shown = is_fresh || b->is_other;
    }
    return b->is_other;
}

/* Half a kick for everything if something is fresh, or if this step has another length or other pushes. What is fresh has not got the second
 * half of its last kick; what touches it must not keep its own share of that. */
crn_status crn_step_kick_first(crn_stepper *s, double h, crn_error *error)
{
    bool is_fresh = spread_freshness(s), is_other = is_other_step(s, h, is_fresh);
    if (s->branch) {
        is_other = is_first_recorded(s, is_fresh, is_other);
    }
    if (!is_fresh && !is_other) {
        return CRN_OK;
    }
    if (is_other) {
        return_to_shown(s);
    }
    crn_status status = place_mechanisms(s, error);
    if (status == CRN_OK) {
        status = crn_trees_look(s, h, error);
    }
    if (status == CRN_OK) {
        s->books.parting = is_placed_wrong(s) ? PARTING_STEPS : s->books.parting;
    }
    double share = s->def.integrator == CRN_INTEGRATOR_REFLECT ? 0.5 : 1.0;
    for (int i = 0; i < s->rows && status == CRN_OK; ++i) { /* forces act for so long */
        s->row[i].bound *= share;
    }
    crn_step_answer answer = {0};
    crn_account account = {0};
    int rounds;
    if (status == CRN_OK) {
        crn_kick_kind kind = is_other ? CRN_KICK_FIRST_ALL : CRN_KICK_FIRST;
        status = crn_step_kick(s, h, kind, &answer, &account, &rounds, error);
    }
    if (status == CRN_OK) {
        crn_clamp_note_first(s);
    }
    for (int i = 0; i < s->bodies && status == CRN_OK; ++i) {
        s->body[i].is_fresh = false;
    }
    return status == CRN_OK && !crn_step_know_pairs(s) ? crn_fail(error, CRN_ERR_MEMORY, "world: out of memory")
                                                       : status;
}
