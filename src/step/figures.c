/* Figures of a step: overlap, joint errors, energy, momentum. */
#include <math.h>

#include "math/rigid.h"
#include "step/energy.h"
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
    stats->deepening = crn_step_deepening(s);
    for (int i = 0; i < s->joints; ++i) {
        double distance, angle;
        if (s->joint[i].is_used && crn_is_hart(s)) { /* else trees are exact, and loops hold what they hold */
            crn_step_joint_error(s, &s->joint[i], &distance, &angle);
            stats->joint_error = crn_fmax(stats->joint_error, crn_fmax(distance, angle));
        }
    }
    crn_loops_figures(s, stats);
    stats->joint_error = crn_fmax(stats->joint_error, stats->loop_error);
}

void crn_step_figures_after(const crn_stepper *s, crn_step_stats *stats)
{
    stats->kinetic = stats->potential = 0.0;
    stats->momentum = stats->angular_momentum = crn_v3(0, 0, 0);
    for (int i = 0; i < s->bodies; ++i) {
        const crn_step_body *body = &s->body[i];
        if (!crn_has_energy(body)) {
            continue;
        }
        bool is_hart = crn_is_hart(s); /* others: velocities at the end itself, step_room.h */
        crn_twist twist = {is_hart ? body->rigid.w : body->shown_w, is_hart ? body->rigid.v : body->shown_v};
        crn_vec3 spin = crn_rigid_angular_momentum_of(&body->rigid, twist.angular, twist.linear);
        stats->kinetic += crn_energy_kinetic(s, i, &twist, s->forest.shown);
        stats->potential += crn_energy_height(s, i);
        stats->momentum = crn_v3_axpy(stats->momentum, body->rigid.mass, twist.linear);
        stats->angular_momentum = crn_v3_add(stats->angular_momentum, spin);
    }
}
