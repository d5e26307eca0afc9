/* Energy and momentum of mechanisms: what a drift must keep [section 6].
 *
 * Between two kicks only gravity's halves act: with G = sum m g over the links, the energy
 *
 *     after a kick    K(u') - h/2 G u' + |w|^2/2 + V(q)        w: half of gravity's share of the kick, whitened
 *     before the next K(u-) + h/2 G u- + |w|^2/2 + V(q+)
 *
 * is that of the velocity at the moment itself. The drift may lose of it, by projection; it must not gain, as it does where
 * links move on arcs that velocities do not see, and where positions are repaired. What is gained is taken out of u-. What
 * cannot be taken out at once is owed.
 *
 * In flight the momentum before and after the drift is the same: a rigid motion of the whole tree makes it so. */
#include <math.h>
#include <string.h>

#include "step/trees.h"

static const double SLOW_MOST =
    0.9; /* in flight: motion of links against one another is slowed no more than so a step */

double crn_trees_kinetic(const crn_stepper *s, const crn_step_mechanism *m, const double *u, const double *V)
{
    double sum = 0.0;
    for (int t = m->tree; t < m->tree + m->trees; ++t) {
        const crn_step_tree *tree = &s->forest.tree[t];
        for (int i = 0; i < tree->tree->links; ++i) {
            const crn_link *link = &tree->tree->link[i];
            const double *at = V + 6 * (size_t)(tree->link + i);
            crn_vec3 w = crn_v3_of(at), v = crn_com_velocity(tree->tree, i, at);
            sum += link->mass * crn_v3_dot(v, v) + crn_v3_dot(w, crn_m3_times(&link->inertia_world, w));
            for (int k = 0; k < link->freedom; ++k) {
                double speed = u[tree->u + link->u + k];
                sum += link->armature[k] * speed * speed;
            }
        }
    }
    return 0.5 * sum;
}

double crn_trees_potential(const crn_stepper *s, const crn_step_mechanism *m)
{
    double sum = 0.0;
    for (int t = m->tree; t < m->tree + m->trees; ++t) {
        const crn_step_tree *tree = &s->forest.tree[t];
        for (int i = 0; i < tree->tree->links; ++i) {
            const crn_link *link = &tree->tree->link[i];
            double scale = s->body[s->forest.body[tree->link + i]].gravity_scale;
            sum -= scale * link->mass * crn_v3_dot(s->def.gravity, link->frame.position);
        }
    }
    return sum;
}

double crn_trees_power(const crn_stepper *s, const crn_step_mechanism *m, const double *V)
{
    double sum = 0.0;
    for (int t = m->tree; t < m->tree + m->trees; ++t) {
        const crn_step_tree *tree = &s->forest.tree[t];
        for (int i = 0; i < tree->tree->links; ++i) {
            double scale = s->body[s->forest.body[tree->link + i]].gravity_scale;
            crn_vec3 v = crn_com_velocity(tree->tree, i, V + 6 * (size_t)(tree->link + i));
            sum += scale * tree->tree->link[i].mass * crn_v3_dot(s->def.gravity, v);
        }
    }
    return sum;
}

/* --- Momentum in flight --- */

/* What links of one mechanism do to one another leaves its momentum alone. */
void crn_trees_note_touched(crn_stepper *s)
{
    for (int i = 0; i < s->now.contacts; ++i) {
        const crn_step_pair *pair = &s->now.pair[i];
        crn_step_mechanism *a = crn_mechanism_of(s, s->shape[pair->shape_a].body);
        crn_step_mechanism *b = crn_mechanism_of(s, s->shape[pair->shape_b].body);
        bool is_pushed = s->problem.impulse[3 * i] > 0.0 && a != b;
        if (is_pushed && a) {
            a->kept.is_touched = true;
        }
        if (is_pushed && b) {
            b->kept.is_touched = true;
        }
    }
}

/* Is it alone in the air? */
static bool is_flying(const crn_step_mechanism *m)
{
    return m->is_unheld && !m->kept.is_touched;
}

/* --- Energy from above --- */

static void scale_before(crn_stepper *s, const crn_step_mechanism *m, double factor)
{
    crn_step_forest *f = &s->forest;
    for (int t = m->tree; t < m->tree + m->trees; ++t) {
        const crn_step_tree *tree = &f->tree[t];
        for (int k = 0; k < tree->tree->velocities; ++k) {
            f->before[tree->u + k] *= factor;
        }
        for (int k = 0; k < 6 * tree->tree->links; ++k) {
            f->V[6 * (size_t)tree->link + (size_t)k] *= factor;
        }
    }
}

/* The factor that takes `gain` out of K f^2 + b f, or as much as there is. */
static double slowed(double kinetic, double linear, double gain)
{
    double square = linear * linear + 4.0 * kinetic * (kinetic + linear - gain);
    double least = -linear / (2.0 * kinetic); /* where the energy is least */
    double factor = square > 0.0 ? (-linear + sqrt(square)) / (2.0 * kinetic) : least;
    return factor < 0.0 ? 0.0 : factor > 1.0 ? 1.0 : factor;
}

static double take_out(crn_stepper *s, crn_step_mechanism *m, double gain, double linear, bool is_alone)
{
    double kinetic = crn_trees_kinetic(s, m, s->forest.before, s->forest.V);
    if (is_alone) {
        double inner = kinetic - crn_trees_rigid_energy(s, m);
        double factor = inner > 0.0 && gain < inner ? sqrt(1.0 - gain / inner) : 0.0;
        scale_before(s, m, fmax(factor, SLOW_MOST));
        crn_trees_restore_momentum(s, m);
    } else if (kinetic > 0.0) {
        scale_before(s, m, slowed(kinetic, linear, gain));
    }
    return kinetic - crn_trees_kinetic(s, m, s->forest.before, s->forest.V);
}

static void freshen_mechanism(crn_stepper *s, crn_step_mechanism *m)
{
    crn_step_forest *f = &s->forest;
    for (int t = m->tree; t < m->tree + m->trees; ++t) {
        size_t first = (size_t)f->tree[t].u, size = (size_t)f->tree[t].tree->velocities * sizeof *f->u;
        memcpy(f->u + first, f->shown + first, size);
        memcpy(f->before + first, f->shown + first, size);
    }
    m->kept.is_fresh = true;
}

void crn_step_freshen(crn_stepper *s, int body)
{
    crn_step_body *b = &s->body[body];
    s->books.is_interrupted = true;
    if (b->id.index1 == 0 || b->kind != CRN_BODY_FREE || b->is_fresh || s->forest.is_stale) {
        return; /* when trees are planted again everything is fresh */
    }
    if (b->tree > 0) {
        freshen_mechanism(s, crn_mechanism_of(s, body));
    }
    b->rigid.w = b->shown_w;
    b->rigid.v = b->shown_v;
    b->is_fresh = true;
}

void crn_step_forget_energy(crn_stepper *s)
{
    for (int i = 0; i < s->forest.mechanisms; ++i) {
        s->forest.mechanism[i].kept.energy = INFINITY;
    }
}

double crn_trees_keep(crn_stepper *s, crn_step_mechanism *m, double h)
{
    crn_step_forest *f = &s->forest;
    bool is_alone = is_flying(m);
    if (is_alone) {
        crn_trees_restore_momentum(s, m);
    }
    if (m->is_driven || s->def.is_unclamped) {
        return 0.0;
    }
    double half = 0.0;
    for (int k = 0; k < m->whitened; ++k) {
        half += 0.5 * f->weight[m->w + k] * f->weight[m->w + k];
    }
    double linear = 0.5 * h * crn_trees_power(s, m, f->V), rest = half + crn_trees_potential(s, m);
    double now = crn_trees_kinetic(s, m, f->before, f->V) + linear + rest;
    double gain = now - m->kept.energy;
    if (!(gain > 0.0)) {
        m->kept.owed = 0.0;
        return 0.0;
    }
    double taken = take_out(s, m, gain, linear, is_alone);
    double after = crn_trees_kinetic(s, m, f->before, f->V) + 0.5 * h * crn_trees_power(s, m, f->V) + rest;
    m->kept.owed = fmax(0.0, after - m->kept.energy);
    return taken;
}
