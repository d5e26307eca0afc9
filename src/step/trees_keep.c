/* What trees keep when they are planted again. Planting is due whenever joints change; what that does not concern goes on to
 * the last bit. A link whose joint is still the same keeps its coordinates. A mechanism of which nothing has changed keeps
 * its velocities and energies too; all others begin anew, with the velocities that the caller sees.
 *
 * Between felling and planting, and in a snapshot of trees that are to be planted, this is kept by body. */
#include <string.h>

#include "step/trees.h"

/* --- Which mechanism is the same --- */

/* FNV-1a over the bytes of whole numbers and doubles: no padding. */
static uint64_t mix(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *byte = data;
    for (size_t i = 0; i < size; ++i) {
        hash = (hash ^ byte[i]) * UINT64_C(1099511628211);
    }
    return hash;
}

static uint64_t mix_body(uint64_t hash, const crn_stepper *s, int body)
{
    uint64_t code = body >= 0 ? (uint64_t)body << 32 | s->body[body].id.generation : UINT64_MAX;
    return mix(hash, &code, sizeof code);
}

static uint64_t mix_joint(uint64_t hash, const crn_stepper *s, int joint)
{
    uint64_t code = joint >= 0 ? (uint64_t)joint << 32 | s->joint[joint].generation : UINT64_MAX;
    return mix(hash, &code, sizeof code);
}

/* What loops hold: joints, and who follows whom how. */
static uint64_t mix_loop(uint64_t hash, const crn_stepper *s, int joint)
{
    const crn_joint_def *def = &s->joint[joint].def;
    hash = mix_joint(hash, s, joint);
    for (int k = 0; k < crn_joint_kind_coordinates(def->kind); ++k) {
        hash = mix(hash, &def->axis[k].follows, sizeof def->axis[k].follows);
        hash = mix(hash, &def->axis[k].ratio, sizeof def->axis[k].ratio);
        hash = mix(hash, &def->axis[k].shift, sizeof def->axis[k].shift);
    }
    return hash;
}

uint64_t crn_trees_alike(const crn_stepper *s, const crn_step_mechanism *m)
{
    const crn_step_forest *f = &s->forest;
    uint64_t hash = UINT64_C(14695981039346656037);
    for (int t = m->tree; t < m->tree + m->trees; ++t) {
        hash = mix_body(hash, s, f->tree[t].base);
        for (int i = f->tree[t].link; i < f->tree[t].link + f->tree[t].tree->links; ++i) {
            hash = mix_body(hash, s, f->body[i]);
            hash = mix_joint(hash, s, f->joint[i]);
            bool is_driven =
                f->tree[t].tree->link[i - f->tree[t].link].is_driven; /* its velocity is that of the middle */
            hash = mix(hash, &is_driven, sizeof is_driven);
        }
    }
    for (int i = m->loop; i < m->loop + m->loops; ++i) {
        hash = mix_loop(hash, s, f->loop[i].joint);
    }
    for (int i = 0; i < s->tendons; ++i) {
        if (s->tendon[i].is_used && s->tendon[i].mechanism == (int)(m - f->mechanism)) {
            hash = mix(hash, &i, sizeof i);
        }
    }
    return hash;
}

/* --- Out of trees --- */

/* Is it a link of the trees that stand, and not another body in its slot? */
static bool was_link(const crn_stepper *s, int body)
{
    return s->forest.trees > 0 && s->body[body].id.index1 != 0 && s->body[body].tree > 0;
}

crn_step_link_state crn_step_link_state_of(const crn_stepper *s, int body)
{
    crn_step_link_state state;
    memset(&state, 0, sizeof state); /* padding too */
    if (body < s->link_states) {
        return s->link_state[body];
    }
    if (!was_link(s, body)) {
        return state;
    }
    const crn_step_forest *f = &s->forest;
    const crn_step_tree *tree = &f->tree[s->body[body].tree - 1];
    const crn_link *link = &tree->tree->link[s->body[body].link];
    const crn_step_mechanism *m = &f->mechanism[tree->mechanism];
    int joint = f->joint[tree->link + s->body[body].link];
    bool has_joint = joint >= 0 && s->joint[joint].is_used && s->joint[joint].is_link; /* a new one is not yet */
    state.body = s->body[body].id.generation;
    state.joint = joint < 0 ? 0 : has_joint ? joint + 1 : -1;
    state.generation = has_joint ? s->joint[joint].generation : 0;
    state.alike = m->alike;
    state.is_fresh = m->kept.is_fresh;
    state.is_touched = m->kept.is_touched;
    crn_copy_numbers(state.q, f->q + tree->q + link->q, link->coordinates);
    crn_copy_numbers(state.u, f->u + tree->u + link->u, link->freedom);
    crn_copy_numbers(state.before, f->before + tree->u + link->u, link->freedom);
    crn_copy_numbers(state.shown, f->shown + tree->u + link->u, link->freedom);
    memcpy(state.carried, tree->carried, sizeof state.carried);
    memcpy(state.carried_before, tree->carried_before, sizeof state.carried_before);
    return state;
}

bool crn_trees_remember(crn_stepper *s)
{
    if (s->forest.trees == 0) {
        return true; /* nothing stands; what was remembered before still counts */
    }
    s->link_states = 0;
    if (!crn_reserve(&s->allocator, (void **)&s->link_state, &s->link_state_capacity, s->bodies,
                     sizeof *s->link_state)) {
        return false;
    }
    for (int i = 0; i < s->bodies; ++i) {
        s->link_state[i] = crn_step_link_state_of(s, i);
    }
    s->link_states = s->bodies;
    return true;
}

/* --- Into trees --- */

/* What is remembered of a body; NULL if it was no link. */
static const crn_step_link_state *remembered(const crn_stepper *s, int body)
{
    const crn_step_link_state *state = body < s->link_states ? &s->link_state[body] : NULL;
    return state && state->body != 0 && state->body == s->body[body].id.generation ? state : NULL;
}

bool crn_trees_recall_coordinates(const crn_stepper *s, int body, int joint, const crn_link *link, double *q)
{
    const crn_step_link_state *state = remembered(s, body);
    bool is_same = state && state->joint == joint + 1 && (joint < 0 || state->generation == s->joint[joint].generation);
    if (is_same) {
        crn_copy_numbers(q, state->q, link->coordinates);
    }
    return is_same;
}

bool crn_trees_is_kept(const crn_stepper *s, const crn_step_mechanism *m)
{
    const crn_step_link_state *state = remembered(s, s->forest.body[s->forest.tree[m->tree].link]);
    return state && state->alike == m->alike;
}

void crn_trees_recall_motion(crn_stepper *s, crn_step_mechanism *m)
{
    crn_step_forest *f = &s->forest;
    for (int t = m->tree; t < m->tree + m->trees; ++t) {
        crn_step_tree *tree = &f->tree[t];
        for (int i = 0; i < tree->tree->links; ++i) {
            const crn_step_link_state *state = &s->link_state[f->body[tree->link + i]];
            const crn_link *link = &tree->tree->link[i];
            crn_copy_numbers(f->u + tree->u + link->u, state->u, link->freedom);
            crn_copy_numbers(f->solved + tree->u + link->u, state->u, link->freedom);
            crn_copy_numbers(f->before + tree->u + link->u, state->before, link->freedom);
            crn_copy_numbers(f->shown + tree->u + link->u, state->shown, link->freedom);
            memcpy(tree->carried, state->carried, sizeof tree->carried);
            memcpy(tree->carried_before, state->carried_before, sizeof tree->carried_before);
            m->kept = (crn_step_kept){state->is_fresh != 0, state->is_touched != 0};
        }
    }
    crn_trees_spread(s, m, f->u, f->V);
}

/* As the caller sees it, its rotation that of its pose; no force has acted since. */
static void begin_anew(crn_step_body *body)
{
    crn_rigid_refresh(&body->rigid);
    body->rigid.w = body->shown_w;
    body->rigid.v = body->shown_v;
    body->is_fresh = true;
}

void crn_trees_begin_anew(crn_stepper *s, const crn_step_mechanism *m)
{
    for (int t = m->tree; t < m->tree + m->trees; ++t) {
        const crn_step_tree *tree = &s->forest.tree[t];
        for (int i = 0; i < tree->tree->links; ++i) {
            begin_anew(&s->body[s->forest.body[tree->link + i]]);
        }
    }
}

void crn_trees_forget(crn_stepper *s)
{
    for (int i = 0; i < s->bodies; ++i) {
        if (remembered(s, i) && s->body[i].tree == 0) { /* it is no link any more */
            begin_anew(&s->body[i]);
        }
    }
    s->link_states = 0;
}
