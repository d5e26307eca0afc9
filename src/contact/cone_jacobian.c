#include "contact/cone_jacobian.h"

#include <assert.h>
#include <string.h>

/* Number the contacts that shall be nodes, all of them if is_active is NULL, and say who has a block with whom. */
static crn_graph fill_graph(crn_cone_jacobian *J, const bool *is_active)
{
    const crn_cone_blocks *W = J->W;
    int count = 0;
    J->nodes = 0;
    for (int i = 0; i < W->contacts; ++i) {
        J->node[i] = !is_active || is_active[i] ? J->nodes++ : -1;
    }
    for (int i = 0; i < W->contacts; ++i) {
        const int node = J->node[i];
        if (node < 0) {
            continue;
        }
        J->contact[node] = i;
        J->first[node] = W->d * node;
        J->graph_start[node] = count;
        for (int e = W->start[i]; e < W->start[i + 1]; ++e) {
            const int other = J->node[W->column[e]];
            if (other >= 0 && other != node) {
                J->graph_node[count++] = other;
            }
        }
    }
    J->first[J->nodes] = W->d * J->nodes;
    J->graph_start[J->nodes] = count;
    return (crn_graph){J->nodes, J->graph_start, J->graph_node};
}

static void locate_blocks(crn_cone_jacobian *J)
{
    for (int node = 0; node < J->nodes; ++node) {
        const int i = J->contact[node], row = J->pattern.place[node];
        for (int e = J->W->start[i]; e < J->W->start[i + 1]; ++e) {
            const int other = J->node[J->W->column[e]];
            if (other >= 0) {
                const int column = J->pattern.place[other];
                J->at[e] = row >= column ? crn_block_locate(&J->pattern, row, column)
                                         : crn_block_locate(&J->pattern, column, row);
            }
        }
    }
}

/* Pattern and room for values. False if the arena is too small. */
static bool plan(crn_cone_jacobian *J, const bool *is_active, crn_arena *arena)
{
    const crn_graph graph = fill_graph(J, is_active);
    const size_t edges = (size_t)J->graph_start[J->nodes] / 2;
    if (!crn_block_pattern_begin(&J->pattern, J->nodes, edges, J->first, arena) ||
        !crn_block_pattern_analyse(&J->pattern, &graph, J->first, arena)) {
        return false;
    }
    crn_block_matrix_layout(&J->matrix, &J->pattern, true, arena);
    if (arena->overflow) {
        return false;
    }
    locate_blocks(J);
    return true;
}

bool crn_cone_jacobian_build(crn_cone_jacobian *J, const crn_cone_blocks *W, crn_arena *arena)
{
    const size_t contacts = (size_t)W->contacts, blocks = (size_t)W->start[contacts];
    *J = (crn_cone_jacobian){.W = W};
    J->node = CRN_TAKE(arena, int, contacts);
    J->contact = CRN_TAKE(arena, int, contacts);
    J->graph_start = CRN_TAKE(arena, int, contacts + 1);
    J->graph_node = CRN_TAKE(arena, int, blocks);
    J->first = CRN_TAKE(arena, int, contacts + 1);
    J->at = CRN_TAKE(arena, size_t, blocks);
    J->x = CRN_TAKE(arena, double, W->n);
    if (arena->overflow) {
        return false;
    }
    const size_t begin = arena->used;
    if (!plan(J, NULL, arena)) {
        return false;
    }
    J->room = (crn_arena){.data = arena->data + begin, .size = arena->used - begin};
    return true;
}

/* Is the pattern one for these contacts? */
static bool is_fit(const crn_cone_jacobian *J, const bool *is_active)
{
    int active = 0;
    for (int i = 0; i < J->W->contacts; ++i) {
        if (is_active[i] && J->node[i] < 0) {
            return false;
        }
        active += is_active[i];
    }
    return 2 * active >= J->nodes;
}

void crn_cone_jacobian_begin(crn_cone_jacobian *J, const bool *is_active)
{
    if (!is_fit(J, is_active)) {
        crn_arena room = J->room;
        if (!plan(J, is_active, &room)) { /* another order may fill more than that of all contacts, which does fit */
            room = J->room;
            const bool is_planned = plan(J, NULL, &room);
            assert(is_planned);
            (void)is_planned;
        }
    }
    crn_block_clear(&J->matrix, 1.0, true);
}

double *crn_cone_jacobian_block(const crn_cone_jacobian *J, int i, int e, int *down, int *across)
{
    const int row = J->pattern.place[J->node[i]], column = J->pattern.place[J->node[J->W->column[e]]];
    if (row >= column) {
        *down = 1;
        *across = J->pattern.height[column];
        return J->matrix.lower + J->at[e];
    }
    *down = J->pattern.height[row]; /* rows of the upper triangle are kept transposed */
    *across = 1;
    return J->matrix.upper + J->at[e];
}

bool crn_cone_jacobian_factor(crn_cone_jacobian *J)
{
    return crn_block_lu(&J->matrix);
}

void crn_cone_jacobian_solve(const crn_cone_jacobian *J, double *x)
{
    const int d = J->W->d;
    const size_t size = (size_t)d * sizeof *x;
    for (int place = 0; place < J->nodes; ++place) {
        memcpy(J->x + d * place, x + d * J->contact[J->pattern.node[place]], size);
    }
    crn_block_lu_solve(&J->matrix, J->x);
    for (int place = 0; place < J->nodes; ++place) {
        memcpy(x + d * J->contact[J->pattern.node[place]], J->x + d * place, size);
    }
}
