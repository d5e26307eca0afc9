/* Telling what a run gave as text. */
#include "sim_report.h"

#include "contact_request.h"
#include "report.h"
#include "sim_loops.h"

#include <math.h>
#include <stdio.h>

static void print_scene(const sim_run *run)
{
    const crn_world_def *def = crn_model_world_of(run->model);
    int bodies = crn_model_bodies(run->model);
    printf("scene        %s: %d bodies (%d free), %d joints%s\n", run->request->scene, bodies, run->start.free_bodies,
           crn_model_joints(run->model), def->is_planar ? ", planar" : "");
    printf("run          %d of %d steps of %g s, to %g s; %s scheme, %s cone, method %s\n", run->totals.steps,
           run->steps, def->dt, crn_world_time(run->world), crn_scheme_name(def->scheme), contact_cone_name(def->cone),
           crn_contact_method_name(def->method));
}

static void print_outcome(const sim_run *run)
{
    const sim_totals *t = &run->totals;
    switch (run->outcome) {
    case SIM_SOLVED: printf("outcome      solved, every step\n"); break;
    case SIM_UNCERTIFIED:
        printf("outcome      not certified: %d of %d steps, the first is step %d\n", t->steps - t->certified, t->steps,
               t->first_uncertified);
        break;
    case SIM_UNSOLVED:
        printf("outcome      not solved: %d of %d steps, the first is step %d (%s)\n", t->unsolved_steps, t->steps,
               t->first_unsolved, crn_lcp_outcome_name(t->unsolved));
        break;
    case SIM_DIVERGED:
        printf("outcome      diverged at step %d, t = %g s: %s\n", t->steps + 1, crn_world_time(run->world),
               run->divergence.text);
        break;
    }
}

/* Of the amount by which a step fails; joints: [m] or [rad], the others are relative or of several units. */
static const char *const units[CRN_VERDICT_COUNT] = {[CRN_VERDICT_OVERLAP] = " m", [CRN_VERDICT_ENERGY] = " J"};

/* "uncertified  3: overlap 2 (worst 0.00012 m at step 17), energy 1 (worst 0.3 J at step 20)" */
static void print_faults(const sim_totals *t)
{
    const char *before = "";
    if (t->certified == t->steps) {
        return;
    }
    printf("uncertified  %d: ", t->steps - t->certified);
    for (int i = 0; i < CRN_VERDICT_COUNT; ++i) {
        const sim_fault *f = &t->fault[i];
        if (f->steps > 0) {
            printf("%s%s %d (worst %.3g%s at step %d)", before, crn_verdict_name((crn_verdict)i), f->steps,
                   f->amount.value, units[i] != NULL ? units[i] : "", f->amount.step);
            before = ", ";
        }
    }
    printf("\n");
}

static void print_ledger(const sim_totals *t)
{
    const crn_ledger *sum = &t->sum.ledger;
    printf("work         loads %.4g J, motors %.4g J, driven %.4g J\n", sum->loads, sum->motors, sum->driven);
    printf("losses       friction %.4g J, impact %.4g J, damping %.4g J, projection %.4g J, repair %.4g J, "
           "integration %.4g J\n",
           sum->friction, sum->impact, sum->damping, sum->projection, sum->repair, sum->integration);
    printf("unexplained  energy worst %.3g of its scale (step %d), in all %.3g J; momentum worst %.3g (step %d)\n",
           t->unexplained.value, t->unexplained.step, sum->unexplained, t->momentum.value, t->momentum.step);
    printf("gained       worst %.3g J (step %d)\n", t->gained.value, t->gained.step);
}

static void print_steps(const sim_run *run)
{
    const sim_totals *t = &run->totals;
    printf("certified    %d of %d steps; worst certificate %.3g (step %d)\n", t->certified, t->steps,
           t->certificate.value, t->certificate.step);
    print_faults(t);
    printf("law          coulomb %d steps, convex %d; relaxed %d\n", t->steps - t->convex, t->convex, t->relaxed);
    printf("contacts     mean %.4g, max %d; active mean %.4g\n", sim_mean(t->contacts, t->steps), t->contacts_max,
           sim_mean(t->active, t->steps));
    printf("solver       pivots mean %.4g, iterations mean %.4g\n", sim_mean((double)t->pivots, t->steps),
           sim_mean((double)t->iterations, t->steps));
    printf("penetration  worst %.3g m (step %d), mean %.3g m\n", t->penetration.value, t->penetration.step,
           sim_mean(t->penetration_mean, t->touching));
    if (crn_model_joints(run->model) > 0) {
        printf("joint error  worst %.3g (step %d), last %.3g\n", t->joint_error.value, t->joint_error.step,
               t->last.joint_error);
    }
    sim_loops_end(run);
}

static void print_motion(const sim_run *run)
{
    const crn_step_stats *last = &run->totals.last;
    const crn_vec3 *p = &run->start.momentum, *q = &last->momentum, *l = &last->angular_momentum;
    printf("energy       start %.6g J, end %.6g J (kinetic %.6g J)\n", run->start.kinetic + run->start.potential,
           last->kinetic + last->potential, last->kinetic);
    print_ledger(&run->totals);
    printf("momentum     start (%.4g, %.4g, %.4g), end (%.4g, %.4g, %.4g) kg m/s; angular end (%.4g, %.4g, %.4g)\n",
           p->x, p->y, p->z, q->x, q->y, q->z, l->x, l->y, l->z);
}

static void print_time(const sim_run *run)
{
    const sim_totals *t = &run->totals;
    double simulated = crn_world_time(run->world);
    printf("time         %.4g ms a step (contacts %.4g, solve %.4g), worst %.4g ms (step %d)\n",
           1e3 * sim_mean(t->seconds_all, t->steps), 1e3 * sim_mean(t->seconds_collide, t->steps),
           1e3 * sim_mean(t->seconds_solve, t->steps), 1e3 * t->seconds.value, t->seconds.step);
    if (t->seconds_all > 0.0) {
        printf("real time    %.4g times as fast\n", simulated / t->seconds_all);
    }
}

static void print_files(const sim_run *run)
{
    if (run->request->output != NULL) {
        printf("written      %s (%d frames)\n", run->request->output, run->frames);
    }
    if (run->request->page != NULL) {
        printf("written      %s (%.2f MB)\n", run->request->page, run->page.megabytes);
    }
    if (run->request->csv != NULL) {
        printf("written      %s (%d rows)\n", run->request->csv, run->totals.steps);
    }
    if (run->dump.path[0] != '\0') {
        printf("dumped       %s%s\n", run->dump.path, run->dump.written > 1 ? " and others" : "");
    } else if (run->dump.error.status != CRN_OK) {
        printf("not dumped   %s\n", run->dump.error.text);
    }
}

void sim_report_text(const sim_run *run)
{
    print_scene(run);
    print_outcome(run);
    if (run->totals.steps > 0) {
        print_steps(run);
        print_motion(run);
        print_time(run);
    }
    print_files(run);
}
