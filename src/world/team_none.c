/* Teams where there are no threads: the caller. */
#include "world/team.h"

#include "base/memory.h"

struct crn_team {
    crn_allocator allocator;
};

crn_team *crn_team_create(int threads, const crn_allocator *allocator)
{
    (void)threads;
    crn_team *team = crn_allocate(allocator, 1, sizeof *team);
    if (team) {
        team->allocator = allocator ? *allocator : crn_allocator_default();
    }
    return team;
}

void crn_team_destroy(crn_team *team)
{
    if (team) {
        crn_allocator allocator = team->allocator;
        crn_release(&allocator, team);
    }
}

int crn_team_size(const crn_team *team)
{
    (void)team;
    return 1;
}

void crn_team_run(crn_team *team, int items, crn_team_job job, void *user)
{
    (void)team;
    for (int i = 0; i < items; ++i) {
        job(user, i, 0);
    }
}
