/* Assembly-disassembly: what its files share. The algebra is in docs/theory/trees.md, section 4.
 *
 * A piece is a connected set of links with the joint of its topmost link, hanging on a link outside (its foot) or on the
 * base. Seen from outside it has the foot's acceleration a and, at its ports (links where wrenches g_k act: handles, and
 * links on which other pieces hang), an affine law, symmetric by reciprocity:
 *
 *     F   = K a - sum_k Psi_k' g_k + p        wrench that the foot must give
 *     a_k = Psi_k a + sum_l Phi_kl g_l + b_k
 *
 * A wrench or an acceleration of a link is about the link's own centre of mass, world axes: numbers stay of the size of a
 * link however long the chain is. A base does not accelerate: pieces on it have Phi and b only.
 *
 * Nodes of the schedule, leaves first:
 *
 *     grain    a few links, swept one by one (the articulated-body algorithm with ports)       assembly_grain.c
 *     hang     piece B hung onto a port j of piece A                                          assembly_join.c
 *     beside   two pieces with the same foot taken as one                                     assembly_join.c */
#ifndef CRN_ASSEMBLY_PARTS_H
#define CRN_ASSEMBLY_PARTS_H

#include "base/memory.h"
#include "tree/tree_parts.h"

typedef enum crn_assembly_kind { CRN_ASSEMBLY_GRAIN, CRN_ASSEMBLY_HANG, CRN_ASSEMBLY_BESIDE } crn_assembly_kind;

/* Where port k of a joined piece comes from: port `port` of a (or of b). */
typedef struct crn_assembly_source {
    bool from_b;
    int port;
} crn_assembly_source;

typedef struct crn_assembly_node {
    crn_assembly_kind kind;
    int a, b;                    /* nodes joined */
    int j;                       /* hang: the port of a that b hangs on */
    int gathered;                /* hang: ports of a */
    int foot;                    /* link, or -1: the base */
    int ports;                   /* grains: in the order of the grain's links */
    int first_link, end_link;    /* grains: their links are order[first_link .. end_link-1] */
    int nodes;                   /* in its subtree, which is nodes i-nodes+1 .. i */
    int level;                   /* longest way down to a grain */
    double work;                 /* rough cost of its subtree, in links of a sweep */
    int *port;                   /* links */
    crn_assembly_source *source; /* joined pieces: one per port */

    double *K, *p;    /* 36, 6; not on the base */
    double *Psi, *b_; /* 36, 6 per port; Psi not on the base */
    double *Phi;      /* 36 per pair of ports k >= l, at k (k + 1) / 2 + l */
    double *gather;   /* 36 each: hang: Phi_lj of a's ports; grains: Psi S^ of ports */
    double *E;        /* hang: 36, (1 + Phi_jj K_B)^-1 */
    double *a_in, *g; /* disassembly: 6, 6 per port */
} crn_assembly_node;

/* What one run hears. */
typedef struct crn_assembly_input {
    const crn_tree *tree;
    const double *u; /* NULL: zeros */
    const double *V; /* 6 per link, about the tree's origin; NULL with u */
    crn_tree_load load;
    double *acceleration; /* NULL: not wanted */
} crn_assembly_input;

struct crn_assembly {
    crn_allocator allocator;
    int links, velocities, handles, nodes, levels;
    int grain;                  /* links that a grain should have */
    crn_assembly_node *node;    /* postorder: a subtree is a run of nodes, its root last */
    int *order;                 /* links, grain after grain, each in preorder */
    int *port_first, *port_end; /* per link: the ports of its grain at it or below */
    int *handle_port;           /* per handle: port of the last node */
    int *shared;                /* nodes: scratch of a team */
    int *port_pool;             /* of all nodes */
    crn_assembly_source *source_pool;
    void *lists, *numbers; /* the two blocks that all other arrays are in */

    double *V; /* 6 per link */
    /* per link, about its centre of mass, of joint i with l l' = D; columns are at 6 times its first velocity */
    double *S, *U; /* S l^-T, I^A S l^-T */
    double *l;     /* d x d */
    double *y;     /* per velocity: l^-1 tau - S^'p - U^'c */
    double *I;     /* 36: I^A */
    double *c, *p; /* 6: velocity product; bias force, later the wrench that ports hand up */
    double *a;     /* 6: acceleration */
};

/* Where Phi_kl with k >= l is. */
static inline double *crn_assembly_phi(const crn_assembly_node *node, int k, int l)
{
    return node->Phi + 36 * ((size_t)k * ((size_t)k + 1) / 2 + (size_t)l);
}

/* --- The files --- */

/* crn_assembly_create() with the number of links that grains should have, at least 1. */
crn_status crn_assembly_create_grains(const crn_tree *tree, const int *handle, int handles, int grain,
                                      const crn_allocator *allocator, crn_assembly **assembly, crn_error *error);

/* The schedule: grains, joins, ports. False if there is no memory. */
bool crn_assembly_plan(crn_assembly *assembly, const crn_tree *tree, const int *handle);

/* Assemble or disassemble one node, when its children, or its parent, are done. */
void crn_assembly_up(crn_assembly *s, const crn_assembly_input *in, int node);
void crn_assembly_down(crn_assembly *s, const crn_assembly_input *in, int node);

void crn_assembly_grain_up(crn_assembly *s, const crn_assembly_input *in, crn_assembly_node *node);
void crn_assembly_grain_down(crn_assembly *s, const crn_assembly_input *in, crn_assembly_node *node);
void crn_assembly_hang_up(crn_assembly *s, crn_assembly_node *node);
void crn_assembly_hang_down(crn_assembly *s, crn_assembly_node *node);
void crn_assembly_beside_up(crn_assembly *s, crn_assembly_node *node);
void crn_assembly_beside_down(crn_assembly *s, crn_assembly_node *node);

/* All nodes up, then down if accelerations are wanted. assembly_team.c: on several threads; assembly_team_none.c: on one. */
void crn_assembly_sweep(crn_assembly *s, const crn_assembly_input *in, int threads);

/* What the root of the schedule hears before the way down: a base at rest, no wrenches. */
void crn_assembly_begin_down(crn_assembly *s);

/* Every node on the calling thread. */
void crn_assembly_sweep_alone(crn_assembly *s, const crn_assembly_input *in);

#endif
