/* A team of threads that shares the items of a job. */
#ifndef CRN_WORLD_TEAM_H
#define CRN_WORLD_TEAM_H

#include <cairn/base.h>

/* One item; worker: 0 .. crn_team_size() - 1, of which each does one item at a time. */
typedef void (*crn_team_job)(void *user, int item, int worker);

typedef struct crn_team crn_team;

/* threads: the caller's included; 0: one per processor. Fewer if the system does not give them. NULL: no memory. */
crn_team *crn_team_create(int threads, const crn_allocator *allocator);
void crn_team_destroy(crn_team *team);
int crn_team_size(const crn_team *team);

/* Do items 0 .. items-1, in any order; returns when all are done. */
void crn_team_run(crn_team *team, int items, crn_team_job job, void *user);

#endif
