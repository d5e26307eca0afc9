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

void crn_trees_momentum(const crn_stepper *s, const crn_step_mechanism *m, const double *V, double *momentum)
{
    crn_vec3 angular = {0, 0, 0}, linear = {0, 0, 0};
    for (int t = m->tree; t < m->tree + m->trees; ++t) {
        const crn_step_tree *tree = &s->forest.tree[t];
        for (int i = 0; i < tree->tree->links; ++i) {
            const crn_link *link = &tree->tree->link[i];
            const double *at = V + 6 * (size_t)(tree->link + i);
            crn_vec3 p = crn_v3_scale(link->mass, crn_com_velocity(tree->tree, i, at));
            crn_vec3 spin = crn_m3_times(&link->inertia_world, crn_v3_of(at));
            linear = crn_v3_add(linear, p);
            angular = crn_v3_add(angular, crn_v3_add(spin, crn_v3_cross(link->frame.position, p)));
        }
    }
    crn_v3_to(angular, momentum);
    crn_v3_to(linear, momentum + 3);
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

/* Is it alone in the air? Then its momentum is its own. */
bool crn_trees_is_flying(const crn_stepper *s, const crn_step_mechanism *m)
{
    bool is_held = false; /* by a loop to something else */
    for (int i = 0; i < m->loops; ++i) {
        const crn_step_joint *joint = &s->joint[s->forest.loop[m->loop + i]];
        is_held = is_held || joint->a < 0 || joint->b < 0 || s->body[joint->a].tree == 0 || s->body[joint->b].tree == 0;
    }
    return m->trees == 1 && s->forest.tree[m->tree].is_floating && !is_held && !m->kept.is_touched && !m->is_driven;
}

crn_vec3 crn_trees_mass_centre(const crn_tree *tree, double *mass)
{
    crn_vec3 sum = {0, 0, 0};
    *mass = 0.0;
    for (int i = 0; i < tree->links; ++i) {
        *mass += tree->link[i].mass;
        sum = crn_v3_axpy(sum, tree->link[i].mass, tree->link[i].frame.position);
    }
    return crn_v3_scale(1.0 / *mass, sum);
}

/* Mass, centre and inertia about it of a whole tree. */
static double whole_inertia(const crn_tree *tree, crn_vec3 *com, crn_mat3 *inertia)
{
    double mass;
    *com = crn_trees_mass_centre(tree, &mass);
    memset(inertia, 0, sizeof *inertia);
    for (int i = 0; i < tree->links; ++i) {
        const crn_link *link = &tree->link[i];
        for (int k = 0; k < 9; ++k) {
            inertia->m[k] += link->inertia_world.m[k];
        }
        crn_m3_add_mass(inertia, link->mass, crn_v3_sub(link->frame.position, *com));
    }
    return mass;
}

/* Velocities u of the root that a rigid motion of the tree adds: w, and v of the root's joint on the link. */
static void add_to_root(const crn_tree *tree, crn_vec3 w, crn_vec3 v_com, crn_vec3 com, double *u)
{
    const crn_link *root = &tree->link[0];
    crn_frame a = crn_frame_product(&tree->base, &root->frame_a), b = crn_frame_product(&root->frame, &root->frame_b);
    crn_vec3 v = crn_v3_add(v_com, crn_v3_cross(w, crn_v3_sub(b.position, com)));
    crn_vec3 wa = crn_m3_transposed_times(&a.rotation, w), va = crn_m3_transposed_times(&a.rotation, v);
    double all[6] = {wa.x, wa.y, wa.z, va.x, va.y, va.z}, planar[6] = {va.x, va.y, wa.z};
    for (int k = 0; k < root->freedom; ++k) {
        u[root->u + k] += root->kind == CRN_JOINT_FREE ? all[k] : planar[k];
    }
}

/* Give the tree the momentum it had at the beginning of the drift. */
static void restore_momentum(crn_stepper *s, crn_step_mechanism *m)
{
    crn_step_forest *f = &s->forest;
    const crn_step_tree *tree = &f->tree[m->tree];
    double now[6];
    crn_vec3 com;
    crn_mat3 inertia;
    double mass = whole_inertia(tree->tree, &com, &inertia);
    crn_trees_momentum(s, m, f->V, now);
    crn_vec3 linear = crn_v3_sub(crn_v3_of(m->momentum + 3), crn_v3_of(now + 3));
    crn_vec3 angular = crn_v3_sub(crn_v3_of(m->momentum), crn_v3_of(now));
    crn_vec3 w = crn_m3_solve(&inertia, crn_v3_sub(angular, crn_v3_cross(com, linear)));
    crn_vec3 v = crn_v3_scale(1.0 / mass, linear);
    if (tree->tree->link[0].kind == CRN_JOINT_PLANAR) { /* in the plane of the world */
        w = crn_v3(0, 0, (angular.z - crn_v3_cross(com, linear).z) / inertia.m[8]);
    }
    add_to_root(tree->tree, w, v, com, f->before + tree->u);
    crn_trees_spread(s, m, f->before, f->V);
}

/* Kinetic energy of the tree moving rigidly with its momentum. */
static double rigid_energy(const crn_stepper *s, const crn_step_mechanism *m)
{
    const crn_tree *tree = s->forest.tree[m->tree].tree;
    crn_vec3 com, linear = crn_v3_of(m->momentum + 3);
    crn_mat3 inertia;
    double mass = whole_inertia(tree, &com, &inertia);
    crn_vec3 spin = crn_v3_sub(crn_v3_of(m->momentum), crn_v3_cross(com, linear));
    return 0.5 * (crn_v3_dot(linear, linear) / mass + crn_v3_dot(spin, crn_m3_solve(&inertia, spin)));
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
        double inner = kinetic - rigid_energy(s, m);
        double factor = inner > 0.0 && gain < inner ? sqrt(1.0 - gain / inner) : 0.0;
        scale_before(s, m, fmax(factor, SLOW_MOST));
        restore_momentum(s, m);
    } else if (kinetic > 0.0) {
        scale_before(s, m, slowed(kinetic, linear, gain));
    }
    return kinetic - crn_trees_kinetic(s, m, s->forest.before, s->forest.V);
}

double crn_trees_keep(crn_stepper *s, crn_step_mechanism *m, double h)
{
    crn_step_forest *f = &s->forest;
    bool is_alone = crn_trees_is_flying(s, m);
    if (is_alone) {
        restore_momentum(s, m);
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
