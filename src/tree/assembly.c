/* Assembly-disassembly with handles [F99; YN08 s4-B]: creation, one run, what it hands out.
 *
 * A run places the tree, assembles the nodes of the schedule from the grains up, and takes them apart again if accelerations
 * are wanted. The root of the schedule is the whole tree on its base, with the handles for ports: its Phi and b, moved from
 * centres of mass to the world's origin, are the answer. */
#include "tree/assembly_kernel.h"
#include "tree/assembly_parts.h"

/* Links that a grain should have: a join costs what a sweep over some ten links costs, and the depth of the schedule counts
 * links of one grain, then joins. Measured: bench_assembly. */
enum { GRAIN = 16 };

/* --- Memory --- */

static void lay_out_lists(crn_arena *arena, crn_assembly *s)
{
    size_t links = (size_t)s->links, nodes = 2 * links;
    s->node = CRN_TAKE(arena, crn_assembly_node, nodes);
    s->shared = CRN_TAKE(arena, int, 3 * nodes + 2);
    s->order = CRN_TAKE(arena, int, links);
    s->port_first = CRN_TAKE(arena, int, links);
    s->port_end = CRN_TAKE(arena, int, links);
    s->handle_port = CRN_TAKE(arena, int, s->handles);
}

static void lay_out_node(crn_arena *arena, crn_assembly_node *node)
{
    bool has_foot = node->foot >= 0, is_grain = node->kind == CRN_ASSEMBLY_GRAIN;
    size_t ports = (size_t)node->ports;
    size_t columns = is_grain ? ports : node->kind == CRN_ASSEMBLY_HANG ? (size_t)node->gathered : 0;
    node->K = CRN_TAKE(arena, double, has_foot ? 36 : 0);
    node->p = CRN_TAKE(arena, double, has_foot ? 6 : 0);
    node->Psi = CRN_TAKE(arena, double, has_foot || is_grain ? 36 * ports : 0);
    node->b_ = CRN_TAKE(arena, double, 6 * ports);
    node->Phi = CRN_TAKE(arena, double, 18 * ports * (ports + 1));
    node->gather = CRN_TAKE(arena, double, 36 * columns);
    node->E = CRN_TAKE(arena, double, node->kind == CRN_ASSEMBLY_HANG ? 36 : 0);
    node->a_in = CRN_TAKE(arena, double, 6);
    node->g = CRN_TAKE(arena, double, 6 * ports);
}

static void lay_out_numbers(crn_arena *arena, crn_assembly *s)
{
    size_t links = (size_t)s->links, velocities = (size_t)s->velocities;
    s->V = CRN_TAKE(arena, double, 6 * links);
    s->S = CRN_TAKE(arena, double, 6 * velocities);
    s->U = CRN_TAKE(arena, double, 6 * velocities);
    s->l = CRN_TAKE(arena, double, 6 * velocities);
    s->y = CRN_TAKE(arena, double, velocities);
    s->I = CRN_TAKE(arena, double, 36 * links);
    s->c = CRN_TAKE(arena, double, 6 * links);
    s->p = CRN_TAKE(arena, double, 6 * links);
    s->a = CRN_TAKE(arena, double, 6 * links);
    for (int n = 0; n < s->nodes; ++n) {
        lay_out_node(arena, &s->node[n]);
    }
}

/* Run a layout on memory of the size it needs, which begins on a cache line. NULL if there is none. */
static void *take_block(crn_assembly *s, void (*lay_out)(crn_arena *arena, crn_assembly *s))
{
    crn_arena arena = crn_arena_counting();
    lay_out(&arena, s);
    if (arena.overflow || arena.used > SIZE_MAX - CRN_ARENA_ALIGN) {
        return NULL;
    }
    unsigned char *block = crn_allocate(&s->allocator, arena.used + CRN_ARENA_ALIGN, 1), *data = block;
    if (block == NULL) {
        return NULL;
    }
    data += (CRN_ARENA_ALIGN - (uintptr_t)data % CRN_ARENA_ALIGN) % CRN_ARENA_ALIGN;
    arena = (crn_arena){data, arena.used, 0, false};
    lay_out(&arena, s);
    return block;
}

static bool prepare(crn_assembly *s, const crn_tree *tree, const int *handle)
{
    s->lists = take_block(s, lay_out_lists);
    if (s->lists == NULL) {
        return false;
    }
    if (s->links > 0 && !crn_assembly_plan(s, tree, handle)) {
        return false;
    }
    s->numbers = take_block(s, lay_out_numbers);
    return s->numbers != NULL;
}

crn_status crn_assembly_create(const crn_tree *tree, const int *handle, int handles, const crn_allocator *allocator,
                               crn_assembly **assembly, crn_error *error)
{
    if (tree == NULL || assembly == NULL || (handle == NULL && handles > 0)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "tree, handle or assembly: NULL");
    }
    return crn_assembly_create_grains(tree, handle, handles, GRAIN, allocator, assembly, error);
}

crn_status crn_assembly_create_grains(const crn_tree *tree, const int *handle, int handles, int grain,
                                      const crn_allocator *allocator, crn_assembly **assembly, crn_error *error)
{
    crn_clear(error);
    *assembly = NULL;
    if (handles < 0 || (handles > 0 && handle == NULL)) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "handles: %d of them, or none given", handles);
    }
    for (int k = 0; k < handles; ++k) {
        if (handle[k] < 0 || handle[k] >= tree->links) {
            return crn_fail(error, CRN_ERR_ARGUMENT, "handle[%d]: %d is no link of the tree", k, handle[k]);
        }
    }
    crn_assembly *made = crn_allocate(allocator, 1, sizeof *made);
    if (made == NULL) {
        return crn_fail(error, CRN_ERR_MEMORY, "no memory for an assembly of %d links", tree->links);
    }
    *made = (crn_assembly){.allocator = allocator != NULL ? *allocator : crn_allocator_default(),
                           .links = tree->links,
                           .velocities = tree->velocities,
                           .handles = handles,
                           .grain = grain};
    if (!prepare(made, tree, handle)) {
        crn_assembly_destroy(made);
        return crn_fail(error, CRN_ERR_MEMORY, "no memory for an assembly of %d links and %d handles", tree->links,
                        handles);
    }
    *assembly = made;
    return CRN_OK;
}

void crn_assembly_destroy(crn_assembly *s)
{
    if (s != NULL) {
        crn_allocator allocator = s->allocator;
        crn_release(&allocator, s->numbers);
        crn_release(&allocator, s->lists);
        crn_release(&allocator, s->port_pool);
        crn_release(&allocator, s->source_pool);
        crn_release(&allocator, s);
    }
}

/* --- Results --- */

/* From a link's centre of mass to the world's origin */
static crn_vec3 to_origin(const crn_tree *tree, int link)
{
    return crn_v3_scale(-1.0, tree->link[link].frame.position);
}

static void give_phi(const crn_assembly *s, const crn_tree *tree, double *phi)
{
    const crn_assembly_node *root = &s->node[s->nodes - 1];
    size_t ld = 6 * (size_t)s->handles;
    for (int k = 0; k < s->handles; ++k) {
        for (int l = 0; l < s->handles; ++l) {
            int i = s->handle_port[k], j = s->handle_port[l];
            if (i < j) {
                continue; /* its transpose is written with (l, k) */
            }
            double block[36];
            crn_m6_copy(crn_assembly_phi(root, i, j), block);
            crn_m6_move_rows(to_origin(tree, root->port[i]), block);
            crn_m6_move_rows_of_transpose(to_origin(tree, root->port[j]), block);
            if (i == j) {
                crn_m6_symmetrise(block);
            }
            for (size_t c = 0; c < 6; ++c) {
                for (size_t r = 0; r < 6; ++r) {
                    size_t row = 6 * (size_t)k + r, column = 6 * (size_t)l + c;
                    phi[row + ld * column] = phi[column + ld * row] = block[r + 6 * c];
                }
            }
        }
    }
}

static void give_bias(const crn_assembly *s, const crn_tree *tree, double *bias)
{
    const crn_assembly_node *root = &s->node[s->nodes - 1];
    for (int k = 0; k < s->handles; ++k) {
        int port = s->handle_port[k];
        crn_sp_move(to_origin(tree, root->port[port]), root->b_ + 6 * (size_t)port, bias + 6 * (size_t)k);
    }
}

void crn_assembly_run(crn_assembly *s, crn_tree *tree, const double *q, const double *u, const crn_tree_load *load,
                      int threads, double *phi, double *bias, double *acceleration)
{
    if (s == NULL || tree == NULL || q == NULL) {
        return;
    }
    if (s->nodes == 0) {
        return;
    }
    crn_assembly_input in = {.tree = tree, .u = u, .acceleration = acceleration};
    if (load != NULL) {
        in.load = *load;
    }
    crn_tree_place(tree, q);
    if (u != NULL) {
        crn_tree_spread(tree, u, false, NULL, s->V);
        in.V = s->V;
    }
    crn_assembly_sweep(s, &in, threads);
    if (phi != NULL) {
        give_phi(s, tree, phi);
    }
    if (bias != NULL) {
        give_bias(s, tree, bias);
    }
}
