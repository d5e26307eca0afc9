/* The schedule of an assembly: a tree cut into grains, and grains joined in rounds, O(log n) of them.
 *
 * Grains. From the leaves up, a link's subtree that has not been cut off yet is cut off when it has reached a number of links. D of
 * the links above a cut is made of what their grain has left, so a cut is made only under a link that has mass and moments of
 * its own, not small against what hangs on it; a link without mass (the middle of a joint made of hinges) stays in the grain
 * of what it carries.
 *
 * Rounds. In each, every piece takes part in at most one join:
 *
 *     hang     a piece goes onto the piece that it hangs on: one on which nothing hangs, or one on which one other hangs and
 *              which is alone on its foot
 *     beside   two pieces with the same foot, on one of which nothing hangs, become one
 *
 * No join makes more ports than there were, handles apart; a chain halves in every round, and so does a star: this is the
 * contraction of trees by raking leaves and compressing chains [MR85]. The schedule depends on the tree and the handles
 * only, never on the number of threads. */
#include "math/elementary.h"
#include "tree/assembly_parts.h"

#include <string.h>

/* Mass and least moment of a link that is cut below, relative to what hangs on it. D of the grain is smaller than D of the tree
 * by as much at worst, and rounding larger: 1e-16 may become 1e-12. */
static const double CUT_SHARE = 1e-4;

/* --- Memory of the planning --- */

typedef struct plan {
    const crn_tree *tree;
    crn_assembly *s;
    int grains;
    /* per link */
    double *load_mass, *load_moment;  /* the largest at the link or below */
    int *size, *below, *place, *next; /* links in the subtree not cut off; in the grain; positions in s->order */
    int *grain, *port_of;             /* grain; the port of it that the link is, or -1 */
    int *hanging;                     /* pieces that hang on the link */
    bool *is_top, *is_handle;
    /* per node, in the order of making */
    int *open;                                               /* pieces that hang on it */
    int *first_port, *head, *sibling, *moved, *list, *where; /* where: node that a grain is in */
    bool *is_used;
    int nodes, current;
    int ports, port_room, source_room;
} plan;

static void lay_out(crn_arena *arena, plan *p, int links)
{
    size_t n = (size_t)links, m = 2 * n;
    p->load_mass = CRN_TAKE(arena, double, n);
    p->load_moment = CRN_TAKE(arena, double, n);
    int **per_link[] = {&p->size, &p->below, &p->place, &p->next, &p->grain, &p->port_of, &p->hanging, &p->where};
    for (size_t i = 0; i < sizeof per_link / sizeof *per_link; ++i) {
        *per_link[i] = CRN_TAKE(arena, int, n);
    }
    int **per_node[] = {&p->open, &p->first_port, &p->head, &p->sibling, &p->moved, &p->list};
    for (size_t i = 0; i < sizeof per_node / sizeof *per_node; ++i) {
        *per_node[i] = CRN_TAKE(arena, int, m);
    }
    p->is_top = CRN_TAKE(arena, bool, n);
    p->is_handle = CRN_TAKE(arena, bool, n);
    p->is_used = CRN_TAKE(arena, bool, m);
}

/* --- Grains --- */

static double trace_of(const crn_link *link)
{
    return link->inertia.m[0] + link->inertia.m[4] + link->inertia.m[8];
}

/* A lower bound of the smallest moment, within 4/9 of it: the other two have a product of at most (trace/2)^2. */
static double least_moment(const crn_link *link)
{
    const double *m = link->inertia.m;
    double det =
        m[0] * (m[4] * m[8] - m[5] * m[7]) - m[3] * (m[1] * m[8] - m[2] * m[7]) + m[6] * (m[1] * m[5] - m[2] * m[4]);
    double half = 0.5 * trace_of(link);
    return half > 0.0 && det > 0.0 ? det / (half * half) : 0.0;
}

/* The heaviest link and the largest trace at each link or below. */
static void find_loads(plan *p)
{
    for (int i = 0; i < p->tree->links; ++i) {
        p->load_mass[i] = p->tree->link[i].mass;
        p->load_moment[i] = trace_of(&p->tree->link[i]);
    }
    for (int i = p->tree->links - 1; i >= 0; --i) {
        int up = p->tree->link[i].parent;
        if (up >= 0) {
            p->load_mass[up] = crn_fmax(p->load_mass[up], p->load_mass[i]);
            p->load_moment[up] = crn_fmax(p->load_moment[up], p->load_moment[i]);
        }
    }
}

/* May link i be cut off from its parent? What is far behind i is felt through i's joint: its weight has the levers there. */
static bool can_cut(const plan *p, int i)
{
    const crn_link *link = &p->tree->link[i], *up = &p->tree->link[link->parent];
    double lever = crn_v3_length(link->frame_a.position) + crn_v3_length(link->frame_b.position);
    double moment = p->load_moment[i] + p->load_mass[i] * lever * lever;
    return up->mass > CUT_SHARE * p->load_mass[i] && least_moment(up) > CUT_SHARE * crn_fmax(moment, trace_of(up));
}

static void cut(plan *p)
{
    int links = p->tree->links;
    for (int i = 0; i < links; ++i) {
        p->size[i] = p->below[i] = 1;
        p->hanging[i] = 0;
    }
    for (int i = links - 1; i >= 0; --i) {
        int up = p->tree->link[i].parent;
        bool is_large = p->size[i] >= p->s->grain || (up >= 0 && p->size[up] + p->size[i] > 2 * p->s->grain);
        p->is_top[i] = up < 0 || (is_large && can_cut(p, i));
        if (!p->is_top[i]) {
            p->size[up] += p->size[i];
            p->below[up] += p->below[i];
        } else if (up >= 0) {
            ++p->hanging[up];
        }
    }
}

/* Nodes of grains, and links in preorder within each. */
static void make_grains(plan *p)
{
    crn_assembly *s = p->s;
    int filled = 0;
    for (int i = 0; i < p->tree->links; ++i) {
        int up = p->tree->link[i].parent;
        if (p->is_top[i]) {
            p->grain[i] = p->grains++;
            p->place[i] = filled;
            filled += p->below[i];
            s->node[p->grain[i]] = (crn_assembly_node){.kind = CRN_ASSEMBLY_GRAIN,
                                                       .a = -1,
                                                       .b = -1,
                                                       .foot = up,
                                                       .first_link = p->place[i],
                                                       .end_link = filled,
                                                       .nodes = 1};
        } else {
            p->grain[i] = p->grain[up];
            p->place[i] = p->next[up];
            p->next[up] += p->below[i];
        }
        p->next[i] = p->place[i] + 1;
        s->order[p->place[i]] = i;
    }
}

/* --- Ports --- */

/* Room for `more` further ports. */
static bool reserve_ports(plan *p, int more)
{
    crn_assembly *s = p->s;
    return crn_reserve(&s->allocator, (void **)&s->port_pool, &p->port_room, p->ports + more, sizeof *s->port_pool) &&
           crn_reserve(&s->allocator, (void **)&s->source_pool, &p->source_room, p->ports + more,
                       sizeof *s->source_pool);
}

static void add_port(plan *p, crn_assembly_node *node, int link, bool from_b, int port)
{
    p->s->port_pool[p->ports] = link;
    p->s->source_pool[p->ports] = (crn_assembly_source){from_b, port};
    ++p->ports;
    ++node->ports;
}

/* Ports of grains, and which of them are at or below each link. */
static bool find_grain_ports(plan *p)
{
    crn_assembly *s = p->s;
    if (!reserve_ports(p, p->tree->links)) {
        return false;
    }
    for (int g = 0; g < p->grains; ++g) {
        crn_assembly_node *node = &s->node[g];
        p->first_port[g] = p->ports;
        for (int n = node->first_link; n < node->end_link; ++n) {
            int i = s->order[n];
            s->port_first[i] = node->ports;
            p->port_of[i] = -1;
            if (p->is_handle[i] || p->hanging[i] > 0) {
                p->port_of[i] = node->ports;
                add_port(p, node, i, false, -1);
            }
        }
        for (int n = node->first_link; n < node->end_link; ++n) {
            int end = n + p->below[s->order[n]];
            s->port_end[s->order[n]] = end < node->end_link ? s->port_first[s->order[end]] : node->ports;
        }
        double ports = node->ports, links = node->end_link - node->first_link;
        node->work = links * (1.0 + 0.5 * ports + 0.1 * ports * ports);
    }
    return true;
}

/* --- Rounds --- */

/* What a joined piece costs, beside its parts; in links of a sweep. */
static double work_of_join(const crn_assembly_node *node)
{
    return 5.0 + node->ports + 0.5 * node->ports * node->ports;
}

/* A new node of a and b, with their ports but for one that nothing needs any more. */
static bool join(plan *p, crn_assembly_kind kind, int a, int b)
{
    crn_assembly *s = p->s;
    const crn_assembly_node *na = &s->node[a], *nb = &s->node[b];
    int made = p->nodes, link = nb->foot;
    if (!reserve_ports(p, na->ports + nb->ports)) {
        return false;
    }
    crn_assembly_node *node = &s->node[made];
    *node = (crn_assembly_node){.kind = kind, .a = a, .b = b, .foot = na->foot, .nodes = 1 + na->nodes + nb->nodes};
    node->level = 1 + (na->level > nb->level ? na->level : nb->level);
    node->gathered = na->ports;
    p->first_port[made] = p->ports;
    if (link >= 0) {
        --p->hanging[link];
    }
    for (int k = 0; k < na->ports; ++k) {
        int port = s->port_pool[p->first_port[a] + k];
        bool is_joint = kind == CRN_ASSEMBLY_HANG && port == link;
        node->j = is_joint ? k : node->j;
        if (!is_joint || p->is_handle[port] || p->hanging[port] > 0) {
            add_port(p, node, port, false, k);
        }
    }
    for (int k = 0; k < nb->ports; ++k) {
        add_port(p, node, s->port_pool[p->first_port[b] + k], true, k);
    }
    node->work = na->work + nb->work + work_of_join(node);
    p->is_used[a] = p->is_used[b] = true;
    p->moved[a] = p->moved[b] = made;
    ++p->nodes;
    return true;
}

/* The current pieces by what they hang on. Returns the first that hangs on the base, or -1. */
static int list_children(plan *p)
{
    int on_base = -1;
    for (int n = 0; n < p->current; ++n) {
        p->head[p->list[n]] = -1;
        p->open[p->list[n]] = 0;
        p->is_used[p->list[n]] = false;
        p->moved[p->list[n]] = p->list[n];
    }
    for (int n = p->current - 1; n >= 0; --n) {
        int node = p->list[n], foot = p->s->node[node].foot;
        int *head = foot < 0 ? &on_base : &p->head[p->where[p->grain[foot]]];
        p->sibling[node] = *head;
        *head = node;
        if (foot >= 0) {
            ++p->open[p->where[p->grain[foot]]];
        }
    }
    return on_base;
}

/* A piece among children that can be hung: one with nothing on it if there is one, else one with one piece on it and no other
 * beside, so that its port takes the place of the one it hangs on. */
static int pick_child(const plan *p, int first)
{
    int pick = -1;
    for (int c = first; c >= 0; c = p->sibling[c]) {
        bool is_free = p->open[c] == 0 || (p->open[c] == 1 && p->hanging[p->s->node[c].foot] == 1);
        if (!p->is_used[c] && is_free && (pick < 0 || p->open[c] < p->open[pick])) {
            pick = c;
        }
    }
    return pick;
}

static bool join_siblings(plan *p, int first)
{
    int waiting = -1;
    for (int c = first; c >= 0; c = p->sibling[c]) {
        if (p->is_used[c]) {
            continue;
        }
        bool is_pair = waiting >= 0 && p->s->node[c].foot == p->s->node[waiting].foot &&
                       (p->open[c] == 0 || p->open[waiting] == 0);
        if (is_pair && !join(p, CRN_ASSEMBLY_BESIDE, waiting, c)) {
            return false;
        }
        waiting = is_pair ? -1 : c;
    }
    return true;
}

/* The list after a round: a joined piece where its first part was. */
static void renew_list(plan *p)
{
    int kept = 0;
    for (int n = 0; n < p->current; ++n) {
        int node = p->list[n], now = p->moved[node];
        if (now == node || p->s->node[now].a == node) {
            p->list[kept++] = now;
        }
    }
    p->current = kept;
    for (int g = 0; g < p->grains; ++g) {
        p->where[g] = p->moved[p->where[g]];
    }
}

static bool join_all(plan *p)
{
    p->nodes = p->current = p->grains;
    for (int g = 0; g < p->grains; ++g) {
        p->list[g] = p->where[g] = g;
    }
    while (p->current > 1) {
        int on_base = list_children(p);
        for (int n = 0; n < p->current; ++n) {
            int node = p->list[n], child = p->is_used[node] ? -1 : pick_child(p, p->head[node]);
            if ((child >= 0 && !join(p, CRN_ASSEMBLY_HANG, node, child)) || !join_siblings(p, p->head[node])) {
                return false;
            }
        }
        if (!join_siblings(p, on_base)) {
            return false;
        }
        renew_list(p);
    }
    return true;
}

/* --- Postorder --- */

/* Nodes were made parts before wholes; the last is the root. */
static void reorder(plan *p, crn_assembly_node *made)
{
    crn_assembly *s = p->s;
    int *at = p->moved;
    memcpy(made, s->node, (size_t)p->nodes * sizeof *made);
    at[p->nodes - 1] = p->nodes - 1;
    for (int n = p->nodes - 1; n >= 0; --n) {
        crn_assembly_node *node = &made[n];
        node->port = s->port_pool + p->first_port[n];
        node->source = s->source_pool + p->first_port[n];
        if (node->kind != CRN_ASSEMBLY_GRAIN) {
            at[node->b] = at[n] - 1;
            at[node->a] = at[n] - 1 - made[node->b].nodes;
            node->a = at[node->a];
            node->b = at[node->b];
        }
        s->node[at[n]] = *node;
    }
    s->nodes = p->nodes;
    s->levels = s->node[p->nodes - 1].level + 1;
}

static bool make_plan(plan *p, const int *handle)
{
    crn_assembly *s = p->s;
    memset(p->is_handle, 0, (size_t)s->links * sizeof *p->is_handle);
    for (int k = 0; k < s->handles; ++k) {
        p->is_handle[handle[k]] = true;
    }
    find_loads(p);
    cut(p);
    make_grains(p);
    if (!find_grain_ports(p) || !join_all(p)) {
        return false;
    }
    crn_assembly_node *made = crn_allocate(&s->allocator, (size_t)p->nodes, sizeof *made);
    if (made == NULL) {
        return false;
    }
    reorder(p, made);
    crn_release(&s->allocator, made);
    const crn_assembly_node *root = &s->node[s->nodes - 1];
    for (int k = 0; k < s->handles; ++k) {
        for (int i = 0; i < root->ports; ++i) {
            s->handle_port[k] = root->port[i] == handle[k] ? i : s->handle_port[k];
        }
    }
    return true;
}

bool crn_assembly_plan(crn_assembly *s, const crn_tree *tree, const int *handle)
{
    plan p = {.tree = tree, .s = s};
    crn_arena arena = crn_arena_counting();
    lay_out(&arena, &p, tree->links);
    unsigned char *memory = arena.overflow ? NULL : crn_allocate(&s->allocator, arena.used, 1);
    if (memory == NULL) {
        return false;
    }
    arena = (crn_arena){memory, arena.used, 0, false};
    lay_out(&arena, &p, tree->links);
    bool is_made = make_plan(&p, handle);
    crn_release(&s->allocator, memory);
    return is_made;
}
