/* Pairs of bodies: what the caller says about them, and those of one mechanism that overlap at the start.
 *
 * Robots are drawn with links that reach into one another near their joints. Neighbours do not touch anyway; the links on both
 * sides of a small one (a shoulder of two hinges) would push each other apart for ever. So bodies that overlap at the start by
 * more than a hundredth of the smaller and have no more than two joints between them are kept from touching. Less may be two
 * fingers that are drawn closed; farther apart an overlap is a mistake in the model: these are listed, and touch. */
#include "world/world.h"

#include "math/forest.h"

#include <stdlib.h>

/* An overlap less than this share of the smaller shape is rounding of a file, and is repaired; more than the second one is meant. */
static const double OVERLAP_SHARE = 1e-3;
static const double MEANT_SHARE = 1e-2;

crn_status crn_world_set_pair(crn_world *w, crn_body_id a, crn_body_id b, const crn_pair_def *def, crn_error *error)
{
    int ia = crn_world_body_index(w, a), ib = crn_world_body_index(w, b);
    crn_clear(error);
    if (ia < 0 || ib < 0 || ia == ib) {
        return crn_fail(error, CRN_ERR_ARGUMENT,
                        ia == ib && ia >= 0 ? "pair.b: is body a too" : "pair: an id is stale or null");
    }
    crn_status status = def != NULL ? crn_pair_def_check(def, "pair", error) : CRN_OK;
    if (status != CRN_OK) {
        return status;
    }
    crn_stepper *s = &w->stepper;
    if (!crn_step_set_rule(s, ia, ib, def)) {
        return crn_fail(error, CRN_ERR_MEMORY, "world: out of memory for a pair");
    }
    for (int k = 0; k < 2; ++k) { /* what they rested with has changed */
        crn_step_freshen(s, k == 0 ? ia : ib);
        crn_step_wake(s, k == 0 ? ia : ib);
    }
    return CRN_OK;
}

bool crn_world_pair(const crn_world *w, crn_body_id a, crn_body_id b, crn_pair_def *def)
{
    int ia = crn_world_body_index(w, a), ib = crn_world_body_index(w, b);
    const crn_step_rule *rule = ia >= 0 && ib >= 0 ? crn_step_given_rule(&w->stepper, ia, ib) : NULL;
    if (rule != NULL && def != NULL) {
        *def = crn_pair_def_default();
        def->a = def->b = -1;
        def->collides = rule->collides;
        def->friction = rule->friction;
        def->restitution = rule->restitution;
    }
    return rule != NULL;
}

const crn_start_overlap *crn_world_start_overlaps(const crn_world *w, int *count)
{
    if (count) {
        *count = w ? w->overlaps.count : 0;
    }
    return w ? w->overlaps.list : NULL;
}

/* --- Overlaps at the start --- */

/* The other body of a joint of body i; -1 if the joint has not i, or only i. */
static int across(const crn_step_joint *joint, int i)
{
    bool holds = joint->is_used && !(joint->def.kind == CRN_JOINT_FREE && !joint->def.in_tree);
    if (!holds || (joint->a != i && joint->b != i)) {
        return -1;
    }
    return joint->a == i ? joint->b : joint->a;
}

/* Joints on the way from a to b: 1, 2, or 3 for more. */
static int joints_between(const crn_stepper *s, int a, int b)
{
    int least = 3;
    for (int i = 0; i < s->joints && least > 1; ++i) {
        int next = across(&s->joint[i], a);
        if (next == b) {
            return 1;
        }
        for (int k = 0; next >= 0 && least > 2 && k < s->joints; ++k) {
            least = across(&s->joint[k], next) == b ? 2 : least;
        }
    }
    return least;
}

/* Union-find over bodies that joints join, the world left out; NULL without memory. */
static int *mechanisms_of(const crn_stepper *s)
{
    int *parent = crn_allocate(&s->allocator, (size_t)s->bodies, sizeof(int));
    for (int i = 0; parent != NULL && i < s->bodies; ++i) {
        parent[i] = i;
    }
    for (int i = 0; parent != NULL && i < s->joints; ++i) {
        const crn_step_joint *joint = &s->joint[i];
        if (joint->a >= 0 && joint->b >= 0 && across(joint, joint->a) >= 0) {
            (void)crn_forest_join(parent, joint->a, joint->b);
        }
    }
    return parent;
}

/* Take up the overlap of contact c, or deepen what is listed of its pair. is_excluded: is it meant? */
static bool list_overlap(crn_world *w, const crn_contact *c, bool is_meant)
{
    crn_overlaps *all = &w->overlaps;
    for (int i = 0; i < all->count; ++i) {
        crn_start_overlap *o = &all->list[i];
        if (o->a.index1 == c->a.index1 && o->b.index1 == c->b.index1) {
            o->depth = -c->gap > o->depth ? -c->gap : o->depth;
            o->is_excluded = o->is_excluded || is_meant;
            return true;
        }
    }
    if (!crn_reserve(&w->stepper.allocator, (void **)&all->list, &all->capacity, all->count + 1, sizeof *all->list)) {
        return false;
    }
    all->list[all->count++] = (crn_start_overlap){.a = c->a, .b = c->b, .depth = -c->gap, .is_excluded = is_meant};
    return true;
}

static bool list_overlaps(crn_world *w, int *parent)
{
    const crn_stepper *s = &w->stepper;
    for (int i = 0; i < s->now.contacts; ++i) {
        const crn_contact *c = &s->now.contact[i];
        int a = (int)c->a.index1 - 1, b = (int)c->b.index1 - 1;
        bool is_own = crn_forest_root(parent, a) == crn_forest_root(parent, b);
        double share = -c->gap / s->now.pair[i].size;
        if (is_own && share > OVERLAP_SHARE && !list_overlap(w, c, share > MEANT_SHARE)) {
            return false;
        }
    }
    return true;
}

static crn_status exclude_near(crn_world *w, crn_error *error)
{
    crn_pair_def apart = crn_pair_def_default();
    apart.collides = false;
    crn_status status = CRN_OK;
    for (int i = 0; i < w->overlaps.count && status == CRN_OK; ++i) {
        crn_start_overlap *o = &w->overlaps.list[i];
        o->joints = joints_between(&w->stepper, (int)o->a.index1 - 1, (int)o->b.index1 - 1);
        o->is_excluded = o->is_excluded && o->joints < 3 && !crn_world_pair(w, o->a, o->b, NULL);
        status = o->is_excluded ? crn_world_set_pair(w, o->a, o->b, &apart, error) : CRN_OK;
    }
    return status;
}

crn_status crn_world_find_overlaps(crn_world *w, crn_error *error)
{
    crn_stepper *s = &w->stepper;
    if (s->joints == 0) {
        return CRN_OK;
    }
    crn_status status = crn_step_detect(s, s->def.dt, error);
    int *parent = status == CRN_OK ? mechanisms_of(s) : NULL;
    if (status == CRN_OK && (parent == NULL || !list_overlaps(w, parent))) {
        status = crn_fail(error, CRN_ERR_MEMORY, "world: out of memory for overlaps");
    }
    crn_release(&s->allocator, parent);
    s->now.contacts = 0;
    return status == CRN_OK ? exclude_near(w, error) : status;
}
