/* Block factorisations in builds without OpenMP: alone, whatever the size. */
#include "math/block_team.h"

int crn_block_team_most(void)
{
    return 1;
}

bool crn_block_factorise(crn_block_matrix *m, const crn_block_method *method)
{
    const crn_block_hand hand = {0, 1, m->buffer, m->position};
    return method->columns(m, &hand, 0, m->pattern->n);
}
