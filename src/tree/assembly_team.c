/* Assemblies with OpenMP. Every node is computed by one thread from finished nodes, so the bits are those of one thread.
 *
 * Subtrees of the schedule that are at most a small part of the work are tasks: each is a run of nodes, done from first to
 * last by whoever is free. The nodes above follow level by level, while levels are wide; the few at the top are done by one
 * thread, up and down again. Then the same backwards. */
#include "tree/assembly_parts.h"

#include <omp.h>

/* Tasks per thread: enough that the last one to finish does not keep the others waiting long. */
static const double TASKS_PER_THREAD = 4.0;

/* Nodes that a level must have to be shared: waiting for each other costs as much as a join. */
enum { SHARED_FROM = 8 };

typedef struct team_plan {
    int tasks, shared_levels;
    int *task;  /* last nodes of tasks */
    int *upper; /* the other nodes, by level */
    int *level; /* of `upper`: where each level begins, levels + 1 */
} team_plan;

/* The nodes above tasks of the given level are added to `upper`, or with level < 0 the tasks to `task`. */
static int collect(const crn_assembly *s, double most, int level, int *to)
{
    int found = 0;
    for (int n = s->nodes - 1; n >= 0;) {
        bool is_task = s->node[n].work <= most || s->node[n].kind == CRN_ASSEMBLY_GRAIN;
        if (level < 0 ? is_task : !is_task && s->node[n].level == level) {
            to[found++] = n;
        }
        n -= is_task ? s->node[n].nodes : 1;
    }
    return found;
}

static team_plan divide(const crn_assembly *s, int threads)
{
    team_plan t = {0, 0, s->shared, s->shared + s->nodes, s->shared + 2 * s->nodes};
    double most = s->node[s->nodes - 1].work / (TASKS_PER_THREAD * threads);
    t.tasks = collect(s, most, -1, t.task);
    t.level[0] = 0;
    for (int level = 0; level < s->levels; ++level) {
        int found = collect(s, most, level, t.upper + t.level[level]);
        t.level[level + 1] = t.level[level] + found;
        t.shared_levels = found >= SHARED_FROM ? level + 1 : t.shared_levels;
    }
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
    for (int level = 0; level < t->shared_levels; ++level) {
        if (t->level[level] < t->level[level + 1]) {
#pragma omp for schedule(static, 1)
            for (int k = t->level[level]; k < t->level[level + 1]; ++k) {
                crn_assembly_up(s, in, t->upper[k]);
            }
        }
    }
}

/* By one thread: up to the root, and down again. */
static void sweep_top(crn_assembly *s, const crn_assembly_input *in, const team_plan *t)
{
    int first = t->level[t->shared_levels], end = t->level[s->levels];
    for (int k = first; k < end; ++k) {
        crn_assembly_up(s, in, t->upper[k]);
    }
    if (in->acceleration != NULL) {
        crn_assembly_begin_down(s);
        for (int k = end - 1; k >= first; --k) {
            crn_assembly_down(s, in, t->upper[k]);
        }
    }
}

static void sweep_down(crn_assembly *s, const crn_assembly_input *in, const team_plan *t)
{
    for (int level = t->shared_levels - 1; level >= 0; --level) {
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
#pragma omp single
        sweep_top(s, in, &t);
        if (in->acceleration != NULL) {
            sweep_down(s, in, &t);
        }
    }
}
