/* Connected pieces of a mesh, and which of them are inside out.
 *
 * A shell bounds a solid with its volume positive, or a hole in one with its volume negative. Shells that hold others make a
 * nest: if the outermost has negative volume, someone has exported the whole nest inside out, and it is turned. Any other
 * shell of negative volume must lie in solid: the shells that hold it, counted with their signs, must make at least 1. If
 * not, it is turned by itself.
 *
 * Which shells hold a shell? A ray leaves it from its farthest vertex along a slanted direction, so that it does not meet the
 * shell itself, and crosses a shell that holds it an odd number of times. A triangle is crossed if the ray passes its
 * three sides on the same side; the side of an edge is computed from its lower to its higher vertex, so that the two
 * triangles on it never both claim, or both deny, a ray that passes near it. */
#include "collide/mesh/mesh_parts.h"
#include "math/forest.h"

/* Slanted, and with no simple ratio between its components: no face of a model is likely to be parallel to it. */
static const crn_vec3 ray = {0.40824829046386, 0.31622776601684, 0.85635127223948};

/* Triangles that all rays together may look at: some seconds. Nests of so many shells are not made by anyone who wants them
 * simulated. */
#define MOST_TESTS 100000000LL

enum { STACK = 64 };

/* --- Shells --- */

static void number_shells(crn_mesh_draft *d)
{
    int *parent = d->list[0], *number = d->list[1];
    for (int t = 0; t < d->triangles; ++t) {
        parent[t] = t;
    }
    for (int h = 0; h < 3 * d->triangles; ++h) {
        if (d->mate[h] >= 0) {
            (void)crn_forest_join(parent, h / 3, d->mate[h] / 3);
        }
    }
    d->facts.shells = 0;
    for (int t = 0; t < d->triangles; ++t) { /* the root of a tree is its lowest member */
        int root = crn_forest_root(parent, t);
        if (root == t) {
            number[t] = d->facts.shells++;
        }
        d->shell_of[t] = number[root];
    }
}

static void measure_shells(crn_mesh_draft *d)
{
    crn_vec3 middle = crn_v3_scale(0.5, crn_v3_add(crn_v3_of(d->low), crn_v3_of(d->high)));
    double size = crn_v3_length(crn_v3_sub(crn_v3_of(d->high), crn_v3_of(d->low)));
    for (int s = 0; s < d->facts.shells; ++s) {
        d->shell[s] = (crn_mesh_shell){.top = -1, .outermost = s};
    }
    for (int t = 0; t < d->triangles; ++t) {
        crn_mesh_shell *s = &d->shell[d->shell_of[t]];
        crn_vec3 p[3];
        for (int k = 0; k < 3; ++k) {
            int h = 3 * t + k, v = d->face[h];
            p[k] = crn_v3_scale(1.0 / size, crn_v3_sub(d->vertex[v], middle));
            if (s->top < 0 || crn_v3_dot(ray, d->vertex[v]) > crn_v3_dot(ray, d->vertex[s->top])) {
                s->top = v;
            }
            s->is_open = s->is_open || d->mate[h] < 0;
        }
        s->volume += crn_v3_dot(p[0], crn_v3_cross(p[1], p[2])) / 6.0;
    }
}

/* --- Rays --- */

typedef struct cast {
    const crn_mesh_draft *draft;
    crn_vec3 from, x, y; /* the ray's origin; x, y, ray: a frame */
    int own;             /* shell that the ray leaves */
    int *crossed;        /* of shells: crossings so far */
    int *met, count;     /* shells that were crossed */
    long long tests;     /* left to do */
} cast;

/* Does the ray from c->from, forward only, meet the box? */
static bool meets_box(const cast *c, const crn_mesh_node *node)
{
    const double from[3] = {c->from.x, c->from.y, c->from.z}, along[3] = {ray.x, ray.y, ray.z};
    double enter = 0.0, leave = (double)INFINITY;
    for (int k = 0; k < 3; ++k) { /* all components of the direction are positive */
        double low = (node->low[k] - from[k]) / along[k], high = (node->high[k] - from[k]) / along[k];
        enter = low > enter ? low : enter;
        leave = high < leave ? high : leave;
    }
    return enter <= leave * (1.0 + 1e-12); /* rounding of the quotients */
}

/* Twice the area that the side from a to b spans with the ray, in the plane across it: the same up to its sign for b, a. */
static double passes(const cast *c, int a, int b)
{
    int low = a < b ? a : b, high = a < b ? b : a;
    crn_vec3 p = crn_v3_sub(c->draft->vertex[low], c->from), q = crn_v3_sub(c->draft->vertex[high], c->from);
    double area = crn_v3_dot(c->x, p) * crn_v3_dot(c->y, q) - crn_v3_dot(c->x, q) * crn_v3_dot(c->y, p);
    area = area == 0.0 ? 1e-300 : area; /* a ray through an edge: on the same side for both triangles */
    return low == a ? area : -area;
}

static bool crosses(const cast *c, int t)
{
    const int *v = c->draft->face + 3 * (size_t)t;
    double w[3] = {passes(c, v[1], v[2]), passes(c, v[2], v[0]), passes(c, v[0], v[1])};
    if (!((w[0] > 0.0 && w[1] > 0.0 && w[2] > 0.0) || (w[0] < 0.0 && w[1] < 0.0 && w[2] < 0.0))) {
        return false;
    }
    double height = 0.0;
    for (int k = 0; k < 3; ++k) {
        height += w[k] * crn_v3_dot(ray, crn_v3_sub(c->draft->vertex[v[k]], c->from));
    }
    return height / (w[0] + w[1] + w[2]) > 0.0;
}

static void visit_leaf(cast *c, const crn_mesh_node *node)
{
    const crn_mesh_draft *d = c->draft;
    for (int i = 0; i < node->count; ++i) {
        int t = d->tree_face[node->first + i], s = d->shell_of[t];
        c->tests--;
        if (s != c->own && !d->shell[s].is_open && crosses(c, t)) {
            if (c->crossed[s]++ == 0) {
                c->met[c->count++] = s;
            }
        }
    }
}

/* Fills met with the shells that hold shell `own`, and counts them. */
static void find_holders(cast *c, int own)
{
    int waiting[STACK], count = 0, holders = 0;
    c->own = own;
    c->from = c->draft->vertex[c->draft->shell[own].top];
    c->count = 0;
    waiting[count++] = 0;
    while (count > 0 && c->tests > 0) {
        const crn_mesh_node *node = &c->draft->node[waiting[--count]];
        if (!meets_box(c, node)) {
            continue;
        }
        if (node->count > 0) {
            visit_leaf(c, node);
        } else {
            waiting[count++] = node->first;
            waiting[count++] = node->first + 1;
        }
    }
    for (int i = 0; i < c->count; ++i) {
        int s = c->met[i];
        if (c->crossed[s] % 2 == 1) {
            c->met[holders++] = s;
        }
        c->crossed[s] = 0;
    }
    c->count = holders;
}

/* --- Turning --- */

static bool is_negative(const crn_mesh_shell *s)
{
    return !s->is_open && s->is_turned == (s->volume > 0.0) && s->volume != 0.0;
}

static void find_nests(crn_mesh_draft *d, cast *c)
{
    for (int s = 0; s < d->facts.shells; ++s) {
        find_holders(c, s);
        d->shell[s].depth = c->count;
        for (int i = 0; i < c->count; ++i) {
            int other = d->shell[s].outermost;
            if (other == s || fabs(d->shell[c->met[i]].volume) > fabs(d->shell[other].volume)) {
                d->shell[s].outermost = c->met[i];
            }
        }
    }
    for (int s = 0; s < d->facts.shells; ++s) {
        const crn_mesh_shell *outermost = &d->shell[d->shell[s].outermost];
        d->shell[s].is_turned = !d->shell[s].is_open && !outermost->is_open && outermost->volume < 0.0;
    }
}

/* Holes must lie in solid; those that are held by fewer come first. */
static void turn_loose_holes(crn_mesh_draft *d, cast *c)
{
    for (int s = 0; s < d->facts.shells; ++s) {
        d->key[s] = (uint64_t)d->shell[s].depth;
        d->item[s] = s;
    }
    crn_radix_sort(d->facts.shells, d->key, d->item, d->other_key, d->other_item);
    for (int k = 0; k < d->facts.shells; ++k) {
        crn_mesh_shell *s = &d->shell[d->item[k]];
        if (!is_negative(s)) {
            continue;
        }
        int solid = 0;
        find_holders(c, d->item[k]);
        for (int i = 0; i < c->count; ++i) {
            solid += is_negative(&d->shell[c->met[i]]) ? -1 : 1;
        }
        s->is_turned = solid < 1 ? !s->is_turned : s->is_turned;
    }
}

static void turn_triangles(crn_mesh_draft *d)
{
    for (int t = 0; t < d->triangles; ++t) {
        if (d->shell[d->shell_of[t]].is_turned) {
            crn_mesh_turn(d, t);
        }
    }
}

crn_status crn_mesh_orient(crn_mesh_draft *draft, crn_error *error)
{
    number_shells(draft);
    measure_shells(draft);
    bool has_negative = false;
    for (int s = 0; s < draft->facts.shells; ++s) {
        has_negative = has_negative || is_negative(&draft->shell[s]);
    }
    if (!has_negative) {
        return CRN_OK;
    }
    cast c = {.draft = draft, .crossed = draft->list[0], .met = draft->list[1], .tests = MOST_TESTS};
    c.x = crn_v3_orthogonal(crn_v3_unit(ray));
    c.y = crn_v3_cross(ray, c.x);
    for (int s = 0; s < draft->facts.shells; ++s) {
        c.crossed[s] = 0;
    }
    find_nests(draft, &c);
    turn_loose_holes(draft, &c);
    if (c.tests <= 0) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "triangles: too many pieces, one inside another: %d",
                        draft->facts.shells);
    }
    for (int s = 0; s < draft->facts.shells; ++s) {
        draft->facts.flipped += draft->shell[s].is_turned ? 1 : 0;
    }
    turn_triangles(draft);
    return CRN_OK;
}
