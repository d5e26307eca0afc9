/* Block factorisations with OpenMP; see the header for the scheme. The only file compiled with it. */
#include "math/block_team.h"

#include <omp.h>

#include "math/block_update.h"

/* Scratch is laid out for so many threads. Beyond it, what one thread does alone at the top of the chunks is most of the
 * time that is left. */
enum { TEAM_MOST = 8 };

int crn_block_team_most(void)
{
    return TEAM_MOST;
}

static crn_block_hand hand_of(const crn_block_matrix *m, int rank, int team)
{
    size_t buffer = (size_t)m->pattern->height_most * (size_t)m->pattern->size_most;
    return (crn_block_hand){rank, team, m->buffer + (size_t)rank * buffer,
                            m->position + (size_t)rank * (size_t)m->pattern->n};
}

/* Subtrees, each by whoever is free. */
static void factorise_tasks(crn_block_matrix *m, const crn_block_method *method, const crn_block_hand *hand,
                            bool *has_failed)
{
#pragma omp for schedule(dynamic, 1)
    for (int t = 0; t < m->pattern->tasks; ++t) {
        const int *columns = m->pattern->task + 2 * t;
        if (!method->columns(m, hand, columns[0], columns[1])) {
#pragma omp atomic write
            *has_failed = true;
        }
    }
}

/* One supernode, by all. False if it was refused; every thread hears the same. */
static bool factorise_supernode(crn_block_matrix *m, const crn_block_method *method, const crn_block_hand *hand,
                                int head, int end, bool *has_failed)
{
    method->collect(m, hand, head, end);
#pragma omp barrier
    for (int chunk = head, next; chunk < end; chunk = next) {
        next = chunk + CRN_BLOCK_CHUNK < end ? chunk + CRN_BLOCK_CHUNK : end;
        if (chunk > head) {
            method->update(m, hand, head, chunk, next);
#pragma omp barrier
        }
        if (hand->rank == 0 && !method->top(m, chunk, next)) {
            *has_failed = true;
        }
#pragma omp barrier
        if (*has_failed) {
            return false;
        }
        method->below(m, hand, chunk, next);
#pragma omp barrier
    }
    return true;
}

/* What is in no task, from left to right. */
static void factorise_rest(crn_block_matrix *m, const crn_block_method *method, const crn_block_hand *hand,
                           bool *has_failed)
{
    const crn_block_pattern *p = m->pattern;
    int task = 0;
    for (int head = 0, end; head < p->n && !*has_failed; head = end) {
        if (task < p->tasks && head == p->task[2 * task]) {
            end = p->task[2 * task + 1];
            ++task;
        } else {
            end = crn_block_supernode_end(p, head);
            if (!factorise_supernode(m, method, hand, head, end, has_failed)) {
                return;
            }
        }
    }
}

bool crn_block_factorise(crn_block_matrix *m, const crn_block_method *method)
{
    int threads = 1;
    if (m->hands > 1 && m->pattern->tasks > 0 && !omp_in_parallel()) {
        threads = omp_get_max_threads();
        threads = threads < m->hands ? threads : m->hands;
    }
    if (threads == 1) {
        crn_block_hand hand = hand_of(m, 0, 1);
        return method->columns(m, &hand, 0, m->pattern->n);
    }
    bool has_failed = false;
#pragma omp parallel num_threads(threads)
    {
        crn_block_hand hand = hand_of(m, omp_get_thread_num(), omp_get_num_threads());
        factorise_tasks(m, method, &hand, &has_failed);
        factorise_rest(m, method, &hand, &has_failed);
    }
    return !has_failed;
}
