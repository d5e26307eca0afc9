/* Size of a loop: half of the way round, from joint to joint along both sides to where they meet, and across it.
 *
 * All lengths are between joints on one link, which no pose changes: a world and one restored from its snapshot have the same
 * sizes. */
#include <math.h>

#include "math/elementary.h"
#include "step/loops.h"

/* One side of a loop: the link or base that it has come to, and the point there. */
typedef struct side {
    int tree, link; /* tree -1: not a link; link -1: the base of the tree */
    int body;       /* that carries the point if it is not on a link; -1: the world */
    crn_vec3 point; /* in the frame of the link's or body's centre of mass */
    double way;     /* so far */
} side;

static side start_side(const crn_stepper *s, int body, const crn_frame *frame)
{
    side at = {-1, -1, body, frame->position, 0.0};
    if (body >= 0 && s->body[body].tree > 0) {
        at.tree = s->body[body].tree - 1;
        at.link = s->body[body].link;
    }
    return at;
}

/* To the other side of the joint above. */
static void climb(const crn_stepper *s, side *at)
{
    const crn_step_tree *tree = &s->forest.tree[at->tree];
    const crn_link *link = &tree->tree->link[at->link];
    at->way += crn_v3_length(crn_v3_sub(at->point, link->frame_b.position));
    at->point = link->frame_a.position;
    at->link = link->parent;
    at->body = link->parent < 0 ? tree->base : -1;
}

/* Parents come before children: the higher number is never above the other. */
static void climb_to_meeting(const crn_stepper *s, side *a, side *b)
{
    while (a->tree == b->tree && a->link != b->link) {
        climb(s, a->link > b->link ? a : b);
    }
    while (a->tree != b->tree && a->link >= 0) {
        climb(s, a);
    }
    while (a->tree != b->tree && b->link >= 0) {
        climb(s, b);
    }
}

static bool is_floating(const crn_stepper *s, const side *at)
{
    return at->tree >= 0 && s->forest.tree[at->tree].is_floating;
}

/* A point on the world or on a body that is not free; a driven one counts where its motion began. */
static crn_vec3 on_base(const crn_stepper *s, const side *at)
{
    if (at->body < 0) {
        return at->point;
    }
    const crn_step_body *body = &s->body[at->body];
    bool is_driven = body->kind == CRN_BODY_DRIVEN;
    crn_quat turn = is_driven ? body->start.rotation : body->rigid.pose.rotation;
    crn_vec3 com =
        is_driven ? crn_v3_add(body->start.position, crn_quat_turn(turn, body->com)) : body->rigid.pose.position;
    return crn_v3_add(com, crn_quat_turn(turn, at->point));
}

/* Radius of gyration: the size of a joint that sits in the centre of what it holds. */
static double gyration(const crn_stepper *s, int body)
{
    if (body < 0 || !(s->body[body].rigid.mass > 0.0)) {
        return 0.0;
    }
    const crn_rigid *rigid = &s->body[body].rigid;
    const double *I = rigid->inertia.m;
    return sqrt(0.5 * (I[0] + I[4] + I[8]) / rigid->mass);
}

static void measure_loop(const crn_stepper *s, crn_step_loop *loop)
{
    const double least = 1e-6; /* [m] shorter ways are none: both pins are in one place */
    const crn_step_joint *joint = &s->joint[loop->joint];
    loop->size = 1.0;
    loop->origin = CRN_LOOP_FROM_WORLD;
    if (joint->is_link) {
        return; /* coordinates that follow others: their own numbers */
    }
    side a = start_side(s, joint->a, &joint->frame_a), b = start_side(s, joint->b, &joint->frame_b);
    climb_to_meeting(s, &a, &b);
    double across = 0.0;
    if (a.tree == b.tree && a.link >= 0) {
        loop->origin = CRN_LOOP_FROM_LINK;
        loop->meeting = a.link;
        across = crn_v3_length(crn_v3_sub(a.point, b.point));
    } else if (a.tree >= 0 && b.tree >= 0 && (is_floating(s, &a) || is_floating(s, &b))) {
        loop->origin = CRN_LOOP_FROM_EACH;
    } else if (!is_floating(s, &a) && !is_floating(s, &b)) {
        across = crn_v3_length(crn_v3_sub(on_base(s, &a), on_base(s, &b)));
    }
    double rod = joint->def.kind == CRN_JOINT_DISTANCE ? joint->def.length : 0.0;
    loop->size = 0.5 * (a.way + b.way + across + rod);
    if (!(loop->size > least)) {
        loop->size = crn_fmax(gyration(s, joint->a), gyration(s, joint->b));
    }
    if (!(loop->size > least)) {
        loop->size = 1.0;
    }
}

void crn_loops_measure(crn_stepper *s)
{
    for (int i = 0; i < s->forest.loops; ++i) {
        measure_loop(s, &s->forest.loop[i]);
    }
}
