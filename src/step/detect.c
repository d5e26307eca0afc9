/* Contacts at the present poses: all points within the margin, sorted by shapes and key.
 *
 * The margin of a pair is what the two may approach in a step, 1.2 h (|v_a - v_b| + |w_a| r_a + |w_b| r_b + |g| h), so that
 * few contacts are missed that could close [HA03 s2.2, guideline eps = v_max h]; or the constant that the world's
 * definition gives. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "math/forest.h"
#include "math/rigid.h"
#include "step/parts.h"

static const double TRAVEL_SHARE = 1.2;  /* over the distance that a body would travel in a step */
static const double MARGIN_FLOOR = 1e-3; /* of the body's radius: at rest and without gravity touching still counts */
static const double BAND = 1e-10; /* of the smaller radius: gaps below are rounding of positions, and redundant contacts
                                     must not contradict one another by it */
static const double BAND_ROUNDING = 64 * 2.2e-16; /* the same for bodies far from the origin, of their distance */
static const double FINITE_RADIUS = 1e30;
static const double UNSEEN_BEYOND = 1e-6; /* of the smaller shape: overlap that counts */

/* --- Pairs with rules of their own --- */

static int64_t pair_code(int a, int b)
{
    return a < b ? ((int64_t)a << 32) | b : ((int64_t)b << 32) | a;
}

static int compare_codes(const void *x, const void *y)
{
    int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;
    return (a > b) - (a < b);
}

/* By code; of one pair the one that was given comes first. */
static int compare_rules(const void *x, const void *y)
{
    const crn_step_rule *a = x, *b = y;
    int by_code = (a->code > b->code) - (a->code < b->code);
    return by_code != 0 ? by_code : (int)b->is_given - (int)a->is_given;
}

/* Where the rule given for a pair is; given_count if none was. */
static int find_given(const crn_stepper *s, int64_t code)
{
    int at = 0;
    while (at < s->find.given_count && s->find.given[at].code != code) {
        ++at;
    }
    return at;
}

const crn_step_rule *crn_step_given_rule(const crn_stepper *s, int a, int b)
{
    int at = find_given(s, pair_code(a, b));
    return at < s->find.given_count ? &s->find.given[at] : NULL;
}

bool crn_step_set_rule(crn_stepper *s, int a, int b, const crn_pair_def *def)
{
    int64_t code = pair_code(a, b);
    int at = find_given(s, code);
    s->find.is_joined_stale = true;
    if (def == NULL) {
        if (at < s->find.given_count) {
            s->find.given[at] = s->find.given[--s->find.given_count];
        }
        return true;
    }
    if (!crn_reserve(&s->allocator, (void **)&s->find.given, &s->find.given_capacity, at + 1, sizeof *s->find.given)) {
        return false;
    }
    s->find.given[at] = (crn_step_rule){code, true, def->collides, def->friction, def->restitution};
    s->find.given_count += at == s->find.given_count;
    return true;
}

void crn_step_drop_rules(crn_stepper *s, int body)
{
    int kept = 0;
    for (int i = 0; i < s->find.given_count; ++i) {
        int64_t code = s->find.given[i].code;
        if ((int)(code >> 32) != body && (int)(code & 0xffffffff) != body) {
            s->find.given[kept++] = s->find.given[i];
        }
    }
    s->find.is_joined_stale = s->find.is_joined_stale || kept != s->find.given_count;
    s->find.given_count = kept;
}

/* --- Loops: a joint between bodies that joints connect already --- */

/* Bodies are nodes; all that is not free is one node, the world. */
static bool find_loops(crn_stepper *s)
{
    int world = s->bodies;
    if (!crn_reserve(&s->allocator, (void **)&s->group, &s->group_capacity, s->bodies + 1, sizeof *s->group)) {
        return false;
    }
    for (int i = 0; i <= s->bodies; ++i) {
        s->group[i] = i;
    }
    s->has_loops = false;
    for (int i = 0; i < s->joints; ++i) {
        const crn_step_joint *joint = &s->joint[i];
        if (joint->is_used) {
            bool is_a = joint->a >= 0 && s->body[joint->a].kind == CRN_BODY_FREE;
            bool is_b = joint->b >= 0 && s->body[joint->b].kind == CRN_BODY_FREE;
            bool is_new = crn_forest_join(s->group, is_a ? joint->a : world, is_b ? joint->b : world);
            s->has_loops = s->has_loops || !is_new;
        }
    }
    return true;
}

static bool list_rules(crn_stepper *s)
{
    crn_step_finder *f = &s->find;
    if (!f->is_joined_stale) {
        return true;
    }
    if (!find_loops(s) || !crn_reserve(&s->allocator, (void **)&f->rule, &f->rule_capacity, s->joints + f->given_count,
                                       sizeof *f->rule)) {
        return false;
    }
    f->rule_count = 0;
    for (int i = 0; i < f->given_count; ++i) {
        f->rule[f->rule_count++] = f->given[i];
    }
    for (int i = 0; i < s->joints; ++i) {
        const crn_step_joint *joint = &s->joint[i];
        if (joint->is_used && joint->a >= 0 && joint->b >= 0 && !joint->def.bodies_collide) {
            f->rule[f->rule_count++] = (crn_step_rule){pair_code(joint->a, joint->b), false, false, -1.0, -1.0};
        }
    }
    if (f->rule_count > 1) {
        qsort(f->rule, (size_t)f->rule_count, sizeof *f->rule, compare_rules);
    }
    f->is_joined_stale = false;
    return true;
}

/* The rule of two bodies; NULL if there is none. */
static const crn_step_rule *rule_of(const crn_stepper *s, int a, int b)
{
    int64_t code = pair_code(a, b);
    int low = 0, high = s->find.rule_count;
    while (low < high) { /* the first that is not before */
        int middle = low + (high - low) / 2;
        bool is_before = s->find.rule[middle].code < code;
        low = is_before ? middle + 1 : low;
        high = is_before ? high : middle;
    }
    return low < s->find.rule_count && s->find.rule[low].code == code ? &s->find.rule[low] : NULL;
}

static bool is_apart(const crn_step_rule *rule)
{
    return rule != NULL && !rule->collides;
}

/* --- Broad phase --- */

static crn_vec3 velocity_of(const crn_step_body *body)
{
    return body->kind == CRN_BODY_FIXED ? crn_v3(0, 0, 0) : body->rigid.v;
}

static crn_twist twist_now(const crn_step_body *body)
{
    crn_twist twist = {body->rigid.w, body->rigid.v};
    return body->kind == CRN_BODY_FIXED ? (crn_twist){{0, 0, 0}, {0, 0, 0}} : twist;
}

/* Fastest speed that turning gives to a point of the body. */
static double turning_speed(const crn_step_body *body)
{
    return body->kind == CRN_BODY_FIXED ? 0.0 : crn_v3_length(body->rigid.w) * body->turn_radius;
}

/* How far the body's surface may get in a step. */
static double travel(const crn_stepper *s, const crn_step_body *body, double h)
{
    if (body->kind == CRN_BODY_FIXED) {
        return 0.0;
    }
    double fall = body->kind == CRN_BODY_FREE ? crn_v3_length(s->def.gravity) * h : 0.0;
    return TRAVEL_SHARE * h * (crn_v3_length(body->rigid.v) + turning_speed(body) + fall) + MARGIN_FLOOR * body->radius;
}

/* What the bounds of its shapes grow by: the margin of a pair is never more than that of both. */
static double growth_of(const crn_stepper *s, int body, double h)
{
    double wanted = s->def.margin > 0.0 ? 0.5 * s->def.margin : travel(s, &s->body[body], h);
    for (int i = 0; i < s->find.wider_count; ++i) {
        bool is_it = s->shape[s->find.wider[i].shape_a].body == body || s->shape[s->find.wider[i].shape_b].body == body;
        wanted = is_it ? crn_fmax(wanted, s->find.wider[i].margin) : wanted;
    }
    return wanted;
}

/* The margin of a pair of shapes that was found to need more than it would get. */
static double wider_margin(const crn_stepper *s, int shape_a, int shape_b)
{
    double margin = 0.0;
    for (int i = 0; i < s->find.wider_count; ++i) {
        bool is_it = s->find.wider[i].shape_a == shape_a && s->find.wider[i].shape_b == shape_b;
        margin = is_it ? crn_fmax(margin, s->find.wider[i].margin) : margin;
    }
    return margin;
}

static double margin_of(const crn_stepper *s, const crn_step_body *a, const crn_step_body *b, double h)
{
    if (s->def.margin > 0.0) {
        return s->def.margin;
    }
    double closing = crn_v3_length(crn_v3_sub(velocity_of(a), velocity_of(b)));
    double fall = crn_v3_length(s->def.gravity) * h;
    double floor = MARGIN_FLOOR * (a->kind == CRN_BODY_FREE ? a->radius : b->radius);
    return TRAVEL_SHARE * h * (closing + turning_speed(a) + turning_speed(b) + fall) + floor;
}

/* A driven body that moves must find what sleeps in its way. */
static bool is_still(const crn_step_body *body)
{
    return body->kind == CRN_BODY_FREE ? body->asleep != 0 : !crn_step_is_moving(body);
}

/* Every bit of a group, and of a mask, that some shape has. */
static void unite_groups(const crn_stepper *s, uint32_t *groups, uint32_t *masks)
{
    *groups = *masks = 0;
    for (int i = 0; i < s->shapes; ++i) {
        bool is_there = s->shape[i].body >= 0;
        *groups |= is_there ? s->shape[i].group : 0;
        *masks |= is_there ? s->shape[i].mask : 0;
    }
}

/* All shapes that may meet others. */
static bool list_items(crn_stepper *s, double h, int *items)
{
    uint32_t groups, masks;
    if (!crn_reserve(&s->allocator, (void **)&s->find.item, &s->find.item_capacity, s->shapes, sizeof *s->find.item) ||
        !crn_reserve(&s->allocator, (void **)&s->find.item_shape, &s->find.item_shape_capacity, s->shapes,
                     sizeof *s->find.item_shape)) {
        return false;
    }
    int count = 0;
    unite_groups(s, &groups, &masks);
    for (int i = 0; i < s->shapes; ++i) {
        crn_step_shape *shape = &s->shape[i];
        if (shape->body < 0) {
            continue;
        }
        const crn_step_body *body = &s->body[shape->body];
        crn_frame frame = {body->rigid.rotation, body->rigid.pose.position};
        shape->frame = crn_frame_product(&frame, &shape->local);
        if ((shape->mask & groups) == 0 || (shape->group & masks) == 0) {
            continue;
        }
        s->find.item_shape[count] = i;
        s->find.item[count++] =
            (crn_broad_item){crn_shape_broad_bounds(shape->shape, &shape->frame, growth_of(s, shape->body, h)),
                             shape->body, is_still(body), shape->group, shape->mask};
    }
    *items = count;
    return true;
}

/* --- One pair --- */

static double friction_of(const crn_stepper *s, double a, double b)
{
    switch (s->def.friction_rule) {
    case CRN_FRICTION_MIN: return a < b ? a : b;
    case CRN_FRICTION_MAX: return a > b ? a : b;
    case CRN_FRICTION_GEOMETRIC: break;
    }
    return a == b ? a : sqrt(a * b); /* equal ones exactly, without the rounding of a root */
}

static double finite_radius(const crn_step_body *body, const crn_step_shape *shape)
{
    return shape->reach < FINITE_RADIUS ? shape->reach : body->radius > 0.0 ? body->radius : INFINITY;
}

/* Size of the smaller of two shapes. */
static double size_of(const crn_stepper *s, const crn_step_shape *a, const crn_step_shape *b)
{
    double ra = finite_radius(&s->body[a->body], a), rb = finite_radius(&s->body[b->body], b);
    double size = ra < rb ? ra : rb;
    return size < FINITE_RADIUS ? size : 1.0;
}

/* Overlap is undone no faster than a body falls by its own size, plus the speed of the pair. A separating speed does not
 * count: it may be what undoing the overlap gave them. */
static double recovery_of(const crn_stepper *s, const crn_step_body *a, const crn_step_body *b, crn_vec3 normal,
                          double size)
{
    if (s->def.recovery_speed > 0.0) {
        return s->def.recovery_speed;
    }
    double g = crn_v3_length(s->def.gravity);
    double fall = g > 0.0 ? sqrt(g * size) : size; /* without gravity: its size in a second */
    crn_vec3 u = crn_v3_sub(velocity_of(a), velocity_of(b));
    double separating = crn_v3_dot(u, normal);
    if (separating > 0.0) {
        u = crn_v3_axpy(u, -separating, normal);
    }
    return fall + crn_v3_length(u) + turning_speed(a) + turning_speed(b);
}

static crn_step_pair pair_of(const crn_stepper *s, int a, int b, double size)
{
    const crn_step_shape *sa = &s->shape[a], *sb = &s->shape[b];
    const crn_step_body *ba = &s->body[sa->body], *bb = &s->body[sb->body];
    crn_step_pair pair = {.shape_a = a, .shape_b = b, .size = size};
    pair.restitution = sa->restitution > sb->restitution ? sa->restitution : sb->restitution;
    const crn_step_body *free_body = ba->kind == CRN_BODY_FREE ? ba : bb;
    pair.band = BAND * size + BAND_ROUNDING * crn_v3_length(free_body->rigid.pose.position);
    return pair;
}

static bool reserve_list(crn_stepper *s, crn_step_contacts *list, int needed)
{
    return crn_reserve(&s->allocator, (void **)&list->contact, &list->capacity, needed, sizeof *list->contact) &&
           crn_reserve(&s->allocator, (void **)&list->pair, &list->pair_capacity, needed, sizeof *list->pair);
}

/* All lists: they change places after a round and after the step. */
static bool reserve_contacts(crn_stepper *s, int needed)
{
    return reserve_list(s, &s->now, needed) && reserve_list(s, &s->last, needed) && reserve_list(s, &s->round, needed);
}

/* How a moves against b in a step with the velocities that are given. */
static crn_collide_motion motion_of(const crn_stepper *s, crn_twist a, crn_twist b, double h)
{
    return (crn_collide_motion){crn_v3_scale(h, crn_v3_sub(a.angular, b.angular)),
                                crn_v3_scale(h, crn_v3_sub(a.linear, b.linear)), crn_v3_length(s->def.gravity) * h * h};
}

/* Touches of the pair, with its shapes at these frames, into s->find.touch; -1 without memory. */
static int touches_at(crn_stepper *s, const crn_shape *a, const crn_frame *frame_a, const crn_shape *b,
                      const crn_frame *frame_b, double reach, const crn_collide_motion *motion)
{
    int count = crn_collide_with(&s->find.scratch, a, frame_a, b, frame_b, reach, motion, s->find.touch,
                                 s->find.touch_capacity);
    if (count > s->find.touch_capacity) {
        if (!crn_reserve(&s->allocator, (void **)&s->find.touch, &s->find.touch_capacity, count,
                         sizeof *s->find.touch)) {
            return -1;
        }
        count = crn_collide_with(&s->find.scratch, a, frame_a, b, frame_b, reach, motion, s->find.touch,
                                 s->find.touch_capacity);
    }
    return count > 0 && s->def.reduce_distance > 0.0 ? crn_touch_reduce(s->find.touch, count, s->def.reduce_distance)
                                                     : count;
}

static int touches_of(crn_stepper *s, int a, int b, double reach, const crn_collide_motion *motion)
{
    const crn_step_shape *sa = &s->shape[a], *sb = &s->shape[b];
    return touches_at(s, sa->shape, &sa->frame, sb->shape, &sb->frame, reach, motion);
}

int crn_step_touches(crn_stepper *s, int a, int b, const crn_frame *frame_a, const crn_frame *frame_b, double h)
{
    const crn_step_shape *sa = &s->shape[a], *sb = &s->shape[b];
    const crn_step_body *of_a = &s->body[sa->body], *of_b = &s->body[sb->body];
    double reach = crn_fmax(margin_of(s, of_a, of_b, h), wider_margin(s, a, b));
    crn_collide_motion motion = motion_of(s, twist_now(of_a), twist_now(of_b), h);
    return touches_at(s, sa->shape, frame_a, sb->shape, frame_b, reach, &motion);
}

/* --- Pairs that stand where they stood --- */

static bool is_zero(crn_vec3 a)
{
    return a.x == 0.0 && a.y == 0.0 && a.z == 0.0;
}

/* Is the shape where it was in the last kick, to the last bit, and at rest? Links are not asked: coordinates place them. */
static bool has_stayed(const crn_stepper *s, const crn_step_shape *shape)
{
    const crn_step_body *body = &s->body[shape->body];
    const crn_pose *now = &body->rigid.pose, *then = &body->begin.pose;
    return shape->is_known && body->tree == 0 && !body->begin.is_fresh && !body->begin.asleep &&
           is_zero(body->rigid.v) && is_zero(body->rigid.w) && crn_v3_is_same(now->position, then->position) &&
           now->rotation.w == then->rotation.w && now->rotation.x == then->rotation.x &&
           now->rotation.y == then->rotation.y && now->rotation.z == then->rotation.z;
}

/* The first contact of the last kick that is not before a pair of shapes. */
static int find_last(const crn_stepper *s, int a, int b)
{
    int low = 0, high = s->last.contacts;
    while (low < high) {
        int middle = low + (high - low) / 2;
        const crn_step_pair *pair = &s->last.pair[middle];
        bool is_before = pair->shape_a < a || (pair->shape_a == a && pair->shape_b < b);
        low = is_before ? middle + 1 : low;
        high = is_before ? high : middle;
    }
    return low;
}

/* Contacts of a pair that has stayed are those of the last kick. How many; -1 without memory. None may have been left out at a
 * seam: then it is looked at again. */
static int add_stayed(crn_stepper *s, int a, int b)
{
    int first = find_last(s, a, b), end = first;
    while (end < s->last.contacts && s->last.pair[end].shape_a == a && s->last.pair[end].shape_b == b) {
        ++end;
    }
    if (!reserve_contacts(s, s->now.contacts + end - first)) {
        return -1;
    }
    for (int i = first; i < end; ++i) {
        s->now.contact[s->now.contacts] = s->last.contact[i];
        s->now.pair[s->now.contacts] = s->last.pair[i];
        s->now.pair[s->now.contacts++].has_stayed = true;
    }
    return end - first;
}

static bool add_pair(crn_stepper *s, int a, int b, double h)
{
    const crn_step_shape *sa = &s->shape[a], *sb = &s->shape[b];
    bool is_free = crn_step_can_be_pushed(s, sa->body) || crn_step_can_be_pushed(s, sb->body);
    const crn_step_rule *rule = rule_of(s, sa->body, sb->body);
    if (!is_free || is_apart(rule)) {
        return true;
    }
    if (s->last_h == h && s->find.wider_count == 0 && has_stayed(s, sa) && has_stayed(s, sb)) {
        int stayed = add_stayed(s, a, b);
        if (stayed != 0) {
            return stayed > 0;
        }
    }
    double reach = crn_fmax(margin_of(s, &s->body[sa->body], &s->body[sb->body], h), wider_margin(s, a, b));
    crn_collide_motion motion = motion_of(s, twist_now(&s->body[sa->body]), twist_now(&s->body[sb->body]), h);
    int count = touches_of(s, a, b, reach, &motion);
    if (count == 0) {
        return true;
    }
    if (count < 0 || !reserve_contacts(s, s->now.contacts + count)) {
        return false;
    }
    double mu = rule != NULL && rule->friction >= 0.0 ? rule->friction : friction_of(s, sa->friction, sb->friction);
    double size = size_of(s, sa, sb);
    crn_step_pair pair = pair_of(s, a, b, size);
    if (rule != NULL && rule->restitution >= 0.0) {
        pair.restitution = rule->restitution;
    }
    memset(s->now.contact + s->now.contacts, 0, (size_t)count * sizeof *s->now.contact);
    for (int i = 0; i < count; ++i) {
        const crn_touch *touch = &s->find.touch[i];
        crn_contact *contact = &s->now.contact[s->now.contacts];
        contact->a = s->body[sa->body].id;
        contact->b = s->body[sb->body].id;
        contact->shape_a = sa->index;
        contact->shape_b = sb->index;
        contact->key = touch->key;
        contact->point = touch->point;
        contact->normal = touch->normal;
        contact->gap = touch->gap;
        contact->friction = mu;
        if (i == 0 || !crn_v3_is_same(touch->normal, s->find.touch[i - 1].normal)) { /* most pairs have one normal */
            pair.recovery = recovery_of(s, &s->body[sa->body], &s->body[sb->body], touch->normal, size);
        }
        s->now.pair[s->now.contacts++] = pair;
    }
    return true;
}

static crn_status no_memory(crn_error *error)
{
    return crn_fail(error, CRN_ERR_MEMORY, "world: out of memory for contacts");
}

crn_status crn_step_detect(crn_stepper *s, double h, crn_error *error)
{
    const crn_broad_pair *pair;
    int items = 0, pairs = 0;
    s->now.contacts = 0;
    s->find.scratch.is_chosen = false;
    if (!list_rules(s) || !list_items(s, h, &items)) {
        return no_memory(error);
    }
    crn_status status = crn_broad_find(&s->find.broad, s->find.item, items, &pair, &pairs, error);
    for (int i = 0; i < pairs && status == CRN_OK; ++i) {
        if (!add_pair(s, s->find.item_shape[pair[i].a], s->find.item_shape[pair[i].b], h)) {
            status = no_memory(error);
        }
    }
    return status == CRN_OK && !crn_step_judge_seams(s, h) ? no_memory(error) : status;
}

/* --- Contacts that the margin missed ---
 *
 * The margin goes by velocities before the step; what is hit may be faster after it. A surface gets no farther than
 * h (|v| + |w| r), so that all that could meet is found with the velocities that the step has found. */

/* Velocity of a body in the motion that follows: driven ones have that of their motion. */
static crn_twist twist_of(const crn_stepper *s, const crn_twist *twist, int body)
{
    const crn_step_body *b = &s->body[body];
    return b->kind == CRN_BODY_DRIVEN ? (crn_twist){b->next_w, b->next_v} : twist[body];
}

/* How far its surface gets. */
static double reach_of(const crn_stepper *s, const crn_twist *twist, int body, double h)
{
    crn_twist t = twist_of(s, twist, body);
    return h * (crn_v3_length(t.linear) + crn_v3_length(t.angular) * s->body[body].turn_radius);
}

/* How far the surfaces of two bodies may approach each other with these velocities. */
static double approach(const crn_stepper *s, const crn_twist *twist, int a, int b, double h)
{
    crn_twist ta = twist_of(s, twist, a), tb = twist_of(s, twist, b);
    double turning =
        crn_v3_length(ta.angular) * s->body[a].turn_radius + crn_v3_length(tb.angular) * s->body[b].turn_radius;
    return h * (crn_v3_length(crn_v3_sub(ta.linear, tb.linear)) + turning);
}

/* Margins have room for a change of speed by gravity. Impulses may change it by more: by how much, beyond what falls or rests. */
static double change_of(const crn_stepper *s, const crn_twist *twist, int body, double h)
{
    const crn_step_body *b = &s->body[body];
    crn_vec3 change = crn_v3_sub(twist[body].linear, b->rigid.v);
    double at_rest = crn_v3_length(change), falling = crn_v3_length(crn_v3_axpy(change, -h, s->def.gravity));
    double turning = crn_v3_length(twist[body].angular) - crn_v3_length(b->rigid.w);
    return h * (crn_fmin(at_rest, falling) + crn_fmax(0.0, turning) * b->turn_radius);
}

/* Did margins have too little room for the motion of this body? fall: what they have for gravity. */
static bool may_miss(const crn_stepper *s, const crn_twist *twist, int i, double fall, double h)
{
    const crn_step_body *body = &s->body[i];
    if (body->id.index1 == 0 || body->kind != CRN_BODY_FREE || body->asleep) {
        return false;
    }
    if (s->def.margin > 0.0) {
        return reach_of(s, twist, i, h) > 0.5 * s->def.margin;
    }
    return change_of(s, twist, i, h) > fall + 0.5 * MARGIN_FLOOR * body->radius;
}

/* Of which bodies? Is there any? */
static bool find_hasty(crn_stepper *s, const crn_twist *twist, double h)
{
    const double room = 0.1; /* of the margin's share for gravity: it is 1.2 of what a pair needs */
    double fall = room * crn_v3_length(s->def.gravity) * h * h;
    bool any = false;
    for (int i = 0; i < s->bodies; ++i) {
        s->body[i].is_hasty = may_miss(s, twist, i, fall, h);
        any = any || s->body[i].is_hasty;
    }
    return any;
}

static crn_vec3 speed_at(const crn_stepper *s, const crn_twist *twist, int body, crn_vec3 point)
{
    crn_twist t = twist_of(s, twist, body);
    return crn_v3_add(t.linear, crn_v3_cross(t.angular, crn_v3_sub(point, s->body[body].rigid.pose.position)));
}

/* How far points of a body that turns come off the straight way that their velocity shows. */
static double bend(const crn_stepper *s, const crn_twist *twist, int body, double h)
{
    double turn = h * crn_v3_length(twist_of(s, twist, body).angular);
    return turn * turn * s->body[body].turn_radius;
}

/* Does a touch beyond the old margin close within the step? */
static bool closes(const crn_stepper *s, const crn_twist *twist, int a, int b, double margin, double h)
{
    bool any = false;
    double off = bend(s, twist, a, h) + bend(s, twist, b, h);
    for (int i = 0; i < s->find.touch_count; ++i) {
        const crn_touch *touch = &s->find.touch[i];
        crn_vec3 u = crn_v3_sub(speed_at(s, twist, a, touch->point), speed_at(s, twist, b, touch->point));
        double end = touch->gap + h * crn_v3_dot(u, touch->normal);
        any = any || (touch->gap > margin && end < off);
    }
    return any;
}

static bool widen(crn_stepper *s, int a, int b, double margin)
{
    if (!crn_reserve(&s->allocator, (void **)&s->find.wider, &s->find.wider_capacity, s->find.wider_count + 1,
                     sizeof *s->find.wider)) {
        return false;
    }
    s->find.wider[s->find.wider_count++] = (crn_step_wider){a, b, margin};
    return true;
}

static bool check_pair(crn_stepper *s, const crn_twist *twist, int a, int b, double h, bool *is_new)
{
    int body_a = s->shape[a].body, body_b = s->shape[b].body;
    bool is_free = s->body[body_a].kind == CRN_BODY_FREE || s->body[body_b].kind == CRN_BODY_FREE;
    double margin = crn_fmax(margin_of(s, &s->body[body_a], &s->body[body_b], h), wider_margin(s, a, b));
    double needed = approach(s, twist, body_a, body_b, h) + bend(s, twist, body_a, h) + bend(s, twist, body_b, h);
    if (!is_free || is_apart(rule_of(s, body_a, body_b)) || needed <= margin) {
        return true;
    }
    crn_collide_motion motion = motion_of(s, twist_of(s, twist, body_a), twist_of(s, twist, body_b), h);
    s->find.touch_count = touches_of(s, a, b, needed, &motion);
    if (s->find.touch_count < 0) {
        return false;
    }
    if (closes(s, twist, body_a, body_b, margin, h)) {
        *is_new = true;
        return widen(s, a, b, needed);
    }
    return true;
}

/* Where a shape is after a step with this velocity. */
static crn_frame frame_after(const crn_stepper *s, const crn_twist *twist, const crn_step_shape *shape, double h)
{
    const crn_step_body *body = &s->body[shape->body];
    if (body->kind == CRN_BODY_FIXED || body->asleep) {
        return shape->frame;
    }
    crn_twist t = twist_of(s, twist, shape->body);
    crn_vec3 centre = body->rigid.pose.position, arm = crn_v3_sub(shape->frame.position, centre);
    crn_mat3 turn = crn_quat_matrix(crn_quat_exp(crn_v3_scale(h, t.angular)));
    return (crn_frame){crn_m3_product(&turn, &shape->frame.rotation),
                       crn_v3_add(crn_v3_axpy(centre, h, t.linear), crn_m3_times(&turn, arm))};
}

/* Would a pair that was left out at a seam overlap? Then it is not to be left out. */
static bool check_left_out(crn_stepper *s, const crn_twist *twist, int a, int b, double h, bool *is_new)
{
    const crn_step_shape *sa = &s->shape[a], *sb = &s->shape[b];
    crn_frame after_a = frame_after(s, twist, sa, h), after_b = frame_after(s, twist, sb, h);
    double deepest = 0.0;
    int count = touches_at(s, sa->shape, &after_a, sb->shape, &after_b, 0.0, NULL);
    for (int i = 0; i < count; ++i) {
        deepest = crn_fmin(deepest, s->find.touch[i].gap);
    }
    if (count < 0 || deepest >= -UNSEEN_BEYOND * size_of(s, sa, sb)) {
        return count >= 0;
    }
    *is_new = true;
    return widen(s, a, b, 0.0);
}

/* Bounds grown by how far each body gets with these velocities. Two whose margins had room do not meet. */
static void grow_items(crn_stepper *s, const crn_twist *twist, int items, double h)
{
    for (int i = 0; i < items; ++i) {
        const crn_step_shape *shape = &s->shape[s->find.item_shape[i]];
        const crn_step_body *body = &s->body[shape->body];
        bool is_moving = body->kind != CRN_BODY_FIXED;
        double growth = crn_fmax(growth_of(s, shape->body, h), is_moving ? reach_of(s, twist, shape->body, h) : 0.0);
        s->find.item[i].bounds = crn_shape_broad_bounds(shape->shape, &shape->frame, growth);
        s->find.item[i].is_still = !body->is_hasty;
    }
}

crn_status crn_step_find_missing(crn_stepper *s, const crn_twist *twist, double h, bool *is_new, crn_error *error)
{
    const crn_broad_pair *pair;
    int items = 0, pairs = 0;
    *is_new = false;
    for (int k = 0; k < s->seams.groups; ++k) {
        const crn_step_group *g = &s->seams.group[k];
        if (g->is_left_out && !check_left_out(s, twist, g->shape_a, g->shape_b, h, is_new)) {
            return no_memory(error);
        }
    }
    if (!find_hasty(s, twist, h)) {
        return CRN_OK;
    }
    if (!list_items(s, h, &items)) {
        return no_memory(error);
    }
    grow_items(s, twist, items, h);
    crn_status status = crn_broad_find(&s->find.broad, s->find.item, items, &pair, &pairs, error);
    for (int i = 0; i < pairs && status == CRN_OK; ++i) {
        if (!check_pair(s, twist, s->find.item_shape[pair[i].a], s->find.item_shape[pair[i].b], h, is_new)) {
            status = no_memory(error);
        }
    }
    return status;
}

/* --- Overlaps that no row knew --- */

static int64_t shape_code(const crn_step_pair *pair)
{
    return ((int64_t)pair->shape_a << 32) | pair->shape_b;
}

bool crn_step_know_pairs(crn_stepper *s)
{
    if (!crn_reserve(&s->allocator, (void **)&s->find.known, &s->find.known_capacity, s->now.contacts,
                     sizeof *s->find.known)) {
        return false;
    }
    crn_step_finder *f = &s->find;
    f->known_count = 0;
    for (int i = 0; i < s->now.contacts; ++i) {
        int64_t code = shape_code(&s->now.pair[i]);
        if (f->known_count == 0 || f->known[f->known_count - 1].code != code) {
            f->known[f->known_count++] = (crn_step_known){code, 0.0};
        }
        crn_step_known *known = &f->known[f->known_count - 1];
        known->depth = crn_fmax(known->depth, -s->now.contact[i].gap);
    }
    for (int i = 1; i < f->known_count; ++i) {
        assert(f->known[i - 1].code < f->known[i].code); /* contacts are sorted by shapes */
    }
    return true;
}

static void copy_known(crn_step_known *to, const crn_step_known *from, int count)
{
    for (int i = 0; i < count; ++i) {
        to[i] = from[i];
    }
}

bool crn_step_remember_pairs(crn_stepper *s)
{
    crn_step_finder *f = &s->find;
    if (!crn_reserve(&s->allocator, (void **)&f->known_begin, &f->known_begin_capacity, f->known_count,
                     sizeof *f->known_begin)) {
        return false;
    }
    copy_known(f->known_begin, f->known, f->known_count);
    f->known_begin_count = f->known_count;
    return true;
}

void crn_step_restore_pairs(crn_stepper *s)
{
    crn_step_finder *f = &s->find;
    assert(f->known_begin_count <= f->known_capacity);
    copy_known(f->known, f->known_begin, f->known_begin_count);
    f->known_count = f->known_begin_count;
}

/* What the last kick knew of the pair of a contact; NULL: nothing. A code is the first member: compare_codes() compares it. */
static const crn_step_known *find_known(const crn_stepper *s, const crn_step_pair *pair)
{
    int64_t code = shape_code(pair);
    return s->find.known_count > 0 ? (const crn_step_known *)bsearch(&code, s->find.known, (size_t)s->find.known_count,
                                                                     sizeof *s->find.known, compare_codes)
                                   : NULL;
}

int crn_step_count_unseen(const crn_stepper *s)
{
    int count = 0;
    int64_t last = -1;
    for (int i = 0; i < s->now.contacts; ++i) {
        int64_t code = shape_code(&s->now.pair[i]);
        if (!(s->now.contact[i].gap < -UNSEEN_BEYOND * s->now.pair[i].size) || code == last) {
            continue;
        }
        count += find_known(s, &s->now.pair[i]) == NULL;
        last = code;
    }
    return count;
}

double crn_step_deepening(const crn_stepper *s)
{
    double most = 0.0;
    for (int i = 0; i < s->now.contacts; ++i) {
        double depth = -s->now.contact[i].gap, size = s->now.pair[i].size;
        const crn_step_known *known = depth > UNSEEN_BEYOND * size ? find_known(s, &s->now.pair[i]) : NULL;
        most = known != NULL ? crn_fmax((depth - known->depth) / size, most) : most;
    }
    return most;
}
