/* Assemblies with OpenMP. Every node is computed by one thread from finished nodes, so the bits are those of one thread.
 *
 * Subtrees of the schedule that are at most a small part of the work are tasks: each is a run of nodes, done from first to last
 * by whoever is free. The nodes above them follow level by level. Down, the same backwards. */
#include "tree/assembly_parts.h"

#include <omp.h>

/* Tasks per thread: enough that the last one to finish does not keep the others waiting long. */
static const double TASKS_PER_THREAD = 4.0;

typedef struct team_plan {
    int tasks, rest;
    int *task;  /* last nodes of tasks */
    int *upper; /* the other nodes, by level */
    int *level; /* of `upper`: where each level begins, levels + 1 */
} team_plan;

static team_plan divide(const crn_assembly *s, int threads)
{
    team_plan t = {0, 0, s->shared, s->shared + s->nodes, s->shared + 2 * s->nodes};
    double most = s->node[s->nodes - 1].work / (TASKS_PER_THREAD * threads);
    for (int n = s->nodes - 1; n >= 0;) {
        if (s->node[n].work <= most || s->node[n].kind == CRN_ASSEMBLY_GRAIN) {
            t.task[t.tasks++] = n;
            n -= s->node[n].nodes;
        } else {
            --n;
        }
    }
    for (int level = 0; level < s->levels; ++level) {
        t.level[level] = t.rest;
        for (int n = s->nodes - 1; n >= 0;) {
            if (s->node[n].work <= most || s->node[n].kind == CRN_ASSEMBLY_GRAIN) {
                n -= s->node[n].nodes;
                continue;
            }
            if (s->node[n].level == level) {
                t.upper[t.rest++] = n;
            }
            --n;
        }
    }
    t.level[s->levels] = t.rest;
    return t;
}

static void sweep_up(crn_assembly *s, const crn_assembly_input *in, const team_plan *t)
{
#pragma omp for schedule(dynamic, 1)
    for (int k = 0; k < t->tasks; ++k) {
        for (int n = t->task[k] - s->node[t->task[k]].nodes + 1; n <= t->task[k]; ++n) {
            crn_assembly_up(s, in, n);
        }
    }
    for (int level = 0; level < s->levels; ++level) {
        if (t->level[level] < t->level[level + 1]) {
#pragma omp for schedule(static, 1)
            for (int k = t->level[level]; k < t->level[level + 1]; ++k) {
                crn_assembly_up(s, in, t->upper[k]);
            }
        }
    }
}

static void sweep_down(crn_assembly *s, const crn_assembly_input *in, const team_plan *t)
{
    for (int level = s->levels - 1; level >= 0; --level) {
        if (t->level[level] < t->level[level + 1]) {
#pragma omp for schedule(static, 1)
            for (int k = t->level[level]; k < t->level[level + 1]; ++k) {
                crn_assembly_down(s, in, t->upper[k]);
            }
        }
    }
#pragma omp for schedule(dynamic, 1)
    for (int k = 0; k < t->tasks; ++k) {
        for (int n = t->task[k]; n > t->task[k] - s->node[t->task[k]].nodes; --n) {
            crn_assembly_down(s, in, n);
        }
    }
}

void crn_assembly_sweep(crn_assembly *s, const crn_assembly_input *in, int threads)
{
    if (threads <= 1 || s->nodes == 1 || omp_in_parallel()) {
        crn_assembly_sweep_alone(s, in);
        return;
    }
    const team_plan t = divide(s, threads);
#pragma omp parallel num_threads(threads)
    {
        sweep_up(s, in, &t);
        if (in->acceleration != NULL) {
#pragma omp single
            crn_assembly_begin_down(s);
            sweep_down(s, in, &t);
        }
    }
}
