/* Threads that wait for jobs. The caller works too. Items are handed out one by one, so that one that takes long holds up nobody.
 *
 * Not OpenMP: its threads belong to the process, and a child made by fork() hangs in the first loop if its parent had one before.
 * These belong to the team, which knows the process that it was made in: in a child the caller does all the work. */
#include "world/team.h"

#include "base/memory.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

typedef struct member {
    crn_team *team;
    int worker;
    pthread_t thread;
} member;

struct crn_team {
    crn_allocator allocator;
    pid_t process;
    int size; /* threads with the caller's */
    pthread_mutex_t mutex;
    pthread_cond_t begin, end;
    /* Under the mutex: */
    unsigned round; /* jobs so far */
    int working;    /* members that have not finished this one */
    bool is_over;
    /* Of the job: */
    crn_team_job job;
    void *user;
    int items;
    atomic_int next;
    member member[]; /* size of them; [0] is the caller */
};

static void work(crn_team *team, int worker)
{
    for (;;) {
        int item = atomic_fetch_add(&team->next, 1);
        if (item >= team->items) {
            return;
        }
        team->job(team->user, item, worker);
    }
}

static void *live(void *of)
{
    member *m = of;
    crn_team *team = m->team;
    unsigned seen = 0;
    (void)pthread_mutex_lock(&team->mutex);
    for (;;) {
        while (team->round == seen && !team->is_over) {
            (void)pthread_cond_wait(&team->begin, &team->mutex);
        }
        if (team->is_over) {
            break;
        }
        seen = team->round;
        (void)pthread_mutex_unlock(&team->mutex);
        work(team, m->worker);
        (void)pthread_mutex_lock(&team->mutex);
        if (--team->working == 0) {
            (void)pthread_cond_signal(&team->end);
        }
    }
    (void)pthread_mutex_unlock(&team->mutex);
    return NULL;
}

static int processors(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 && count < 1024 ? (int)count : 1;
}

crn_team *crn_team_create(int threads, const crn_allocator *allocator)
{
    int wanted = threads > 0 ? threads : processors();
    crn_team *team = crn_allocate(allocator, 1, sizeof *team + (size_t)wanted * sizeof(member));
    if (!team) {
        return NULL;
    }
    memset(team, 0, sizeof *team);
    team->allocator = allocator ? *allocator : crn_allocator_default();
    team->process = getpid();
    atomic_init(&team->next, 0);
    (void)pthread_mutex_init(&team->mutex, NULL);
    (void)pthread_cond_init(&team->begin, NULL);
    (void)pthread_cond_init(&team->end, NULL);
    for (team->size = 1; team->size < wanted; ++team->size) {
        member *m = &team->member[team->size];
        m->team = team;
        m->worker = team->size;
        if (pthread_create(&m->thread, NULL, live, m) != 0) {
            break;
        }
    }
    return team;
}

static bool is_here(const crn_team *team)
{
    return team->process == getpid();
}

void crn_team_destroy(crn_team *team)
{
    if (!team) {
        return;
    }
    if (is_here(team)) {
        (void)pthread_mutex_lock(&team->mutex);
        team->is_over = true;
        (void)pthread_cond_broadcast(&team->begin);
        (void)pthread_mutex_unlock(&team->mutex);
        for (int i = 1; i < team->size; ++i) {
            (void)pthread_join(team->member[i].thread, NULL);
        }
        (void)pthread_cond_destroy(&team->begin);
        (void)pthread_cond_destroy(&team->end);
        (void)pthread_mutex_destroy(&team->mutex);
    }
    crn_allocator allocator = team->allocator;
    crn_release(&allocator, team);
}

int crn_team_size(const crn_team *team)
{
    return team->size;
}

void crn_team_run(crn_team *team, int items, crn_team_job job, void *user)
{
    bool is_alone = team->size == 1 || items == 1 || !is_here(team);
    if (is_alone) {
        for (int i = 0; i < items; ++i) {
            job(user, i, 0);
        }
        return;
    }
    (void)pthread_mutex_lock(&team->mutex);
    team->job = job;
    team->user = user;
    team->items = items;
    atomic_store(&team->next, 0);
    team->working = team->size - 1;
    team->round++;
    (void)pthread_cond_broadcast(&team->begin);
    (void)pthread_mutex_unlock(&team->mutex);
    work(team, 0);
    (void)pthread_mutex_lock(&team->mutex);
    while (team->working > 0) {
        (void)pthread_cond_wait(&team->end, &team->mutex);
    }
    (void)pthread_mutex_unlock(&team->mutex);
}
