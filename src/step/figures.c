/* Figures of a step: overlap, joint errors, energy, momentum. */
#include <math.h>

#include "math/rigid.h"
#include "step/loops.h"

void crn_step_figures_before(const crn_stepper *s, crn_step_stats *stats)
{
    double sum = 0.0;
    int touching = 0;
    stats->active = 0;
    stats->penetration = stats->joint_error = 0.0;
    for (int i = 0; i < s->now.contacts; ++i) {
        double depth = -s->now.contact[i].gap;
        bool is_active = s->problem.impulse[3 * i] > 0.0;
        stats->active += is_active;
        if (is_active || depth >= 0.0) {
            touching++;
            sum += depth > 0.0 ? depth : 0.0;
        }
        stats->penetration = depth > stats->penetration ? depth : stats->penetration;
    }
    stats->penetration_mean = touching > 0 ? sum / touching : 0.0;
    for (int i = 0; i < s->joints; ++i) {
        double distance, angle;
        if (s->joint[i].is_used && crn_is_hart(s)) { /* else trees are exact, and loops hold what they hold */
            crn_step_joint_error(s, &s->joint[i], &distance, &angle);
            stats->joint_error = fmax(stats->joint_error, fmax(distance, angle));
        }
    }
    crn_loops_figures(s, stats);
    stats->joint_error = fmax(stats->joint_error, stats->loop_error);
}

/* Kinetic energy of motors' armature in trees. */
static double armature_energy(const crn_stepper *s)
{
    double sum = 0.0;
    for (int t = 0; t < s->forest.trees; ++t) {
        const crn_step_tree *tree = &s->forest.tree[t];
        for (int i = 0; i < tree->tree->links; ++i) {
            const crn_link *link = &tree->tree->link[i];
            for (int k = 0; k < link->freedom; ++k) {
                int at = tree->u + link->u + k;
                double speed = crn_step_shown(s, at);
                sum += 0.5 * link->armature[k] * speed * speed;
            }
        }
    }
    return sum;
}

void crn_step_figures_after(const crn_stepper *s, crn_step_stats *stats)
{
    stats->kinetic = armature_energy(s);
    stats->potential = 0.0;
    stats->momentum = stats->angular_momentum = crn_v3(0, 0, 0);
    for (int i = 0; i < s->bodies; ++i) {
        const crn_step_body *body = &s->body[i];
        if (body->id.index1 == 0 || body->kind != CRN_BODY_FREE) {
            continue;
        }
        const crn_rigid *rigid = &body->rigid;
        crn_rigid seen;
        if (s->def.integrator != CRN_INTEGRATOR_HART) { /* velocities at the end itself: step_room.h */
            seen = body->rigid;
            seen.w = body->shown_w;
            seen.v = body->shown_v;
            rigid = &seen;
        }
        stats->kinetic += crn_rigid_kinetic(rigid);
        stats->potential -= rigid->mass * body->gravity_scale * crn_v3_dot(s->def.gravity, rigid->pose.position);
        stats->momentum = crn_v3_axpy(stats->momentum, rigid->mass, rigid->v);
        stats->angular_momentum = crn_v3_add(stats->angular_momentum, crn_rigid_angular_momentum(rigid));
    }
}
