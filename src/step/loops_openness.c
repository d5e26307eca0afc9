/* Openness of a direction: how fast it opens the loops, compared with how fast it moves their pins.
 *
 *     rho = max over loops |opening| / max over loops and pins P |v_P| / size
 *
 * 1: the motion tears a loop as fast as it moves. It is a matter of kinematics alone: masses and how often a loop is said do not
 * enter. Pins are where the loop closes, on both sides, and the origins of all joints on the way round, seen from where both
 * sides meet: what the loop is carried along with does not move its pins against one another. */
#include <math.h>
#include <string.h>

#include "math/vec.h"
#include "step/loops.h"

/* Velocity of a point that moves with a link. */
static crn_vec3 speed_at(const crn_stepper *s, const crn_step_tree *tree, int link, crn_vec3 point)
{
    const double *V = s->forest.loop_V + 6 * (size_t)(tree->link + link);
    crn_vec3 arm = crn_v3_sub(point, tree->tree->origin);
    return crn_v3_add(crn_v3_of(V + 3), crn_v3_cross(crn_v3_of(V), arm));
}

static crn_vec3 turn_of(const crn_stepper *s, const crn_step_tree *tree, int link)
{
    return crn_v3_of(s->forest.loop_V + 6 * (size_t)(tree->link + link));
}

/* What pins are seen from: a link, a point that moves but does not turn, or the world. */
typedef struct viewpoint {
    const crn_step_tree *tree; /* NULL: no link */
    int link;
    crn_vec3 speed, turn; /* of the point */
} viewpoint;

static double pin_speed(const crn_stepper *s, const crn_step_tree *tree, int link, crn_vec3 point,
                        const viewpoint *from)
{
    crn_vec3 seen = from->tree ? speed_at(s, from->tree, from->link, point) : from->speed;
    crn_vec3 v = crn_v3_sub(speed_at(s, tree, link, point), seen);
    return crn_v3_dot(v, v);
}

static const crn_step_tree *tree_of(const crn_stepper *s, int body)
{
    return body >= 0 && s->body[body].tree > 0 ? &s->forest.tree[s->body[body].tree - 1] : NULL;
}

/* Largest square speed of the pins on one side of a loop, and of its turn over the length of a pin. */
static double side_speed(const crn_stepper *s, const crn_step_loop *loop, int body, const crn_frame *frame,
                         bool has_angles, const viewpoint *from)
{
    const crn_step_tree *tree = tree_of(s, body);
    if (!tree) {
        return 0.0;
    }
    int at = s->body[body].link, top = loop->origin == CRN_LOOP_FROM_LINK ? loop->meeting : -1;
    crn_vec3 close = crn_frame_point(&tree->tree->link[at].frame, frame->position);
    double most = pin_speed(s, tree, at, close, from);
    if (has_angles) {
        crn_vec3 seen = from->tree ? turn_of(s, from->tree, from->link) : from->turn;
        crn_vec3 turn = crn_v3_sub(turn_of(s, tree, at), seen);
        double pin = loop->size / CRN_LOOP_PIN;
        most = crn_max(most, pin * pin * crn_v3_dot(turn, turn));
    }
    for (int i = at; i != top && i >= 0; i = tree->tree->link[i].parent) {
        const crn_link *link = &tree->tree->link[i];
        crn_vec3 pin = crn_frame_point(&link->frame, link->frame_b.position);
        most = crn_max(most, pin_speed(s, tree, i, pin, from));
    }
    return most;
}

/* For the pins on the side of `body`; other, frame: where the loop closes on the other side. */
static viewpoint view_from(const crn_stepper *s, const crn_step_loop *loop, int body, int other, const crn_frame *frame)
{
    viewpoint from = {NULL, 0, {0, 0, 0}, {0, 0, 0}};
    if (loop->origin == CRN_LOOP_FROM_LINK) {
        from.tree = tree_of(s, body);
        from.link = loop->meeting;
    } else if (loop->origin == CRN_LOOP_FROM_EACH) {
        const crn_step_tree *tree = tree_of(s, other);
        int link = s->body[other].link;
        from.speed = speed_at(s, tree, link, crn_frame_point(&tree->tree->link[link].frame, frame->position));
        from.turn = turn_of(s, tree, link);
    }
    return from;
}

static bool holds_angles(const crn_step_closure *c, const crn_step_loop *loop)
{
    return loop->count > 0 && c->is_angle[loop->first + loop->count - 1]; /* rows in radians come last */
}

/* Where the loop closes on one side. */
static crn_vec3 closing_point(const crn_stepper *s, int body, const crn_frame *frame)
{
    const crn_step_tree *tree = tree_of(s, body);
    if (tree) {
        return crn_frame_point(&tree->tree->link[s->body[body].link].frame, frame->position);
    }
    if (body < 0) {
        return frame->position;
    }
    crn_frame here = {s->body[body].rigid.rotation, s->body[body].rigid.pose.position};
    return crn_frame_point(&here, frame->position);
}

/* A slider that has gone far is a loop as long as its way: what turns about its far end moves this end by that lever. */
static double present_size(const crn_stepper *s, const crn_step_loop *loop)
{
    const crn_step_joint *joint = &s->joint[loop->joint];
    crn_vec3 a = closing_point(s, joint->a, &joint->frame_a), b = closing_point(s, joint->b, &joint->frame_b);
    return crn_max(loop->size, crn_v3_length(crn_v3_sub(a, b)));
}

static double joint_speed(const crn_stepper *s, const crn_step_mechanism *m, const crn_step_loop *loop)
{
    const crn_step_joint *joint = &s->joint[loop->joint];
    bool turns = holds_angles(&m->closure, loop);
    viewpoint from_b = view_from(s, loop, joint->a, joint->b, &joint->frame_b);
    viewpoint from_a = view_from(s, loop, joint->b, joint->a, &joint->frame_a);
    double a = side_speed(s, loop, joint->a, &joint->frame_a, turns, &from_b);
    double b = side_speed(s, loop, joint->b, &joint->frame_b, turns, &from_a);
    return sqrt(crn_max(a, b)) / present_size(s, loop);
}

static double coordinate_speed(const crn_stepper *s, int joint, int k)
{
    const crn_step_tree *tree;
    int link;
    bool is_there = crn_step_joint_link(s, joint, &tree, &link);
    return is_there ? fabs(s->forest.loop_u[tree->u + tree->tree->link[link].u + k]) : 0.0;
}

/* Of coordinates that follow others. */
static double follower_speed(const crn_stepper *s, const crn_step_loop *loop)
{
    const crn_step_joint *joint = &s->joint[loop->joint];
    double most = 0.0;
    for (int k = 0; k < crn_joint_kind_coordinates(joint->def.kind); ++k) {
        const crn_joint_axis *axis = &joint->def.axis[k];
        if (axis->follows > 0 && axis->follows <= s->joints) {
            double leader = fabs(axis->ratio) * coordinate_speed(s, axis->follows - 1, 0);
            most = crn_max(most, crn_max(coordinate_speed(s, loop->joint, k), leader));
        }
    }
    return most;
}

/* Velocities of all links of a tree into loop_V; 0 if it does not move. */
static void spread(crn_stepper *s, const crn_step_mechanism *m, const crn_step_tree *tree, const double *nu, bool moves)
{
    crn_step_forest *f = &s->forest;
    double *u = f->loop_u + tree->u, *V = f->loop_V + 6 * (size_t)tree->link;
    if (m->is_driven || !moves) {
        memset(u, 0, (size_t)tree->tree->velocities * sizeof *u);
    }
    if (moves) {
        crn_tree_unwhiten(tree->tree, nu + (tree->w - m->w), u, V);
    } else {
        memset(V, 0, 6 * (size_t)tree->tree->links * sizeof *V);
    }
}

double crn_loops_pin_speed(crn_stepper *s, const crn_step_mechanism *m, const double *nu, uint64_t trees)
{
    crn_step_forest *f = &s->forest;
    double most = 0.0;
    for (int t = m->tree; t < m->tree + m->trees; ++t) {
        spread(s, m, &f->tree[t], nu, (crn_loops_tree_bit(m, t) & trees) != 0);
    }
    for (int i = m->loop; i < m->loop + m->loops; ++i) {
        const crn_step_loop *loop = &f->loop[i];
        const crn_step_joint *joint = &s->joint[loop->joint];
        if (joint->is_link) {
            most = crn_max(most, follower_speed(s, loop));
        } else if (trees & (crn_loops_body_bit(s, m, joint->a) | crn_loops_body_bit(s, m, joint->b))) {
            most = crn_max(most, joint_speed(s, m, loop));
        }
    }
    return most;
}

double crn_loops_opening(const crn_stepper *s, const crn_step_mechanism *m, const double *w)
{
    const crn_step_closure *c = &m->closure;
    double most = 0.0;
    for (int i = m->loop; i < m->loop + m->loops; ++i) {
        const crn_step_loop *loop = &s->forest.loop[i];
        double square = 0.0;
        for (int r = loop->first; r < loop->first + loop->count; ++r) {
            double open =
                (c->is_angle[r] ? CRN_LOOP_PIN : 1.0) * w[r]; /* a turn tears by itself, however short the pin */
            square += open * open;
        }
        most = crn_max(most, square);
    }
    return sqrt(most);
}
