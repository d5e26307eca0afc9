/* Groups of items, the body graph, and stacked columns. */
#include "contact/body_system.h"

#include <math.h>
#include <string.h>

#include "math/vec.h"

enum { NONE = -1 };

/* --- Items of the system: contacts, then rows --- */

static const crn_piece *item_pieces(const crn_system *s, int item, int *count)
{
    bool is_contact = item < s->contacts;
    const int *start = is_contact ? s->piece_start + item : s->row_piece_start + (item - s->contacts);
    *count = start[1] - start[0];
    return (is_contact ? s->piece : s->row_piece) + start[0];
}

static bool has_same_bodies(const crn_system *s, int a, int b)
{
    int na, nb;
    const crn_piece *pa = item_pieces(s, a, &na), *pb = item_pieces(s, b, &nb);
    bool same = na == nb;
    for (int i = 0; same && i < na; ++i) {
        same = pa[i].body == pb[i].body;
    }
    return same;
}

/* What the structure says about sizes. Pairs of the same bodies in a row are counted once. */
typedef struct extent {
    size_t pieces, pairs, edges, columns, height_most, pieces_most;
} extent;

static extent measure(const crn_system *s)
{
    extent e = {0};
    for (int i = 0; i < s->contacts + s->rows; ++i) {
        int count;
        size_t height = 0;
        const crn_piece *piece = item_pieces(s, i, &count);
        for (int p = 0; p < count; ++p) {
            height += (size_t)piece[p].dof;
        }
        size_t n = (size_t)count;
        e.pieces += n;
        e.pairs += n * (n + 1) / 2;
        e.columns += height * (i < s->contacts ? 3 : 1);
        e.height_most = height > e.height_most ? height : e.height_most;
        e.pieces_most = n > e.pieces_most ? n : e.pieces_most;
        if (i == 0 || i == s->contacts || !has_same_bodies(s, i - 1, i)) {
            e.edges += n > 0 ? n * (n - 1) / 2 : 0;
        }
    }
    return e;
}

/* --- The body graph --- */

/* Neighbours by body, doubled edges removed; returns the number of distinct edges. */
static size_t build_graph(crn_body_system *b, const crn_system *s)
{
    int n = s->bodies, *start = b->graph_start, *mark = b->group_of;
    memset(start, 0, ((size_t)n + 2) * sizeof *start);
    for (int pass = 0; pass < 2; ++pass) {
        for (int i = 0; i < s->contacts + s->rows; ++i) {
            int count;
            const crn_piece *piece = item_pieces(s, i, &count);
            if (i > 0 && i != s->contacts && has_same_bodies(s, i - 1, i)) {
                continue;
            }
            for (int p = 0; p < count; ++p) {
                for (int q = 0; q < count; ++q) {
                    if (p != q && pass == 0) {
                        start[piece[p].body + 2]++;
                    } else if (p != q) {
                        b->graph_node[start[piece[p].body + 1]++] = piece[q].body;
                    }
                }
            }
        }
        for (int i = 0; pass == 0 && i < n; ++i) {
            start[i + 2] += start[i + 1];
        }
    }
    int kept = 0;
    for (int i = 0; i < n; ++i) {
        mark[i] = NONE;
    }
    for (int i = 0, from = 0; i < n; ++i) { /* start[i + 1] is the end of i's list by now */
        int end = start[i + 1];
        start[i] = kept;
        mark[i] = i;
        for (; from < end; ++from) {
            int j = b->graph_node[from];
            if (mark[j] != i) {
                mark[j] = i;
                b->graph_node[kept++] = j;
            }
        }
    }
    start[n] = kept;
    return (size_t)kept / 2;
}

/* --- Groups --- */

/* The places of an item's bodies, increasing, each once. */
static int item_places(const crn_body_system *b, const crn_system *s, int item, int *list)
{
    int count, found = 0;
    const crn_piece *piece = item_pieces(s, item, &count);
    for (int p = 0; p < count; ++p) {
        int place = b->pattern.place[piece[p].body], at = found;
        while (at > 0 && list[at - 1] > place) {
            --at;
        }
        if (at > 0 && list[at - 1] == place) {
            continue;
        }
        memmove(list + at + 1, list + at, (size_t)(found - at) * sizeof *list);
        list[at] = place;
        ++found;
    }
    return found;
}

static bool group_is(const crn_body_system *b, int g, const int *list, int count)
{
    const crn_body_group *group = &b->group[g];
    bool same = group->parts == count;
    for (int p = 0; same && p < count; ++p) {
        same = b->part[group->part + p].place == list[p];
    }
    return same;
}

static int new_group(crn_body_system *b, const int *list, int count, int *parts)
{
    crn_body_group *group = &b->group[b->groups];
    memset(group, 0, sizeof *group);
    group->part = *parts;
    group->parts = count;
    for (int p = 0; p < count; ++p) {
        int place = list[p], dof = b->pattern.size[place];
        b->part[(*parts)++] = (crn_body_part){place, b->pattern.first[place], dof, group->height};
        group->height += dof;
    }
    return b->groups++;
}

/* Give each item its group. Items are taken by their first place; within that, pairs find their group by the second
 * place, others by comparing. */
static void find_groups(crn_body_system *b, const crn_system *s)
{
    int items = s->contacts + s->rows, parts = 0;
    int *bucket = b->bucket, *next = b->item_next, *of_second = b->group_of;
    for (int i = 0; i < s->bodies; ++i) {
        bucket[i] = of_second[i] = NONE;
    }
    for (int i = items; i-- > 0;) {
        int count = item_places(b, s, i, b->list);
        int *head = count > 0 ? &bucket[b->list[0]] : NULL;
        b->item_group[i] = NONE;
        next[i] = head ? *head : NONE;
        if (head) {
            *head = i;
        }
    }
    b->groups = 0;
    for (int place = 0; place < s->bodies; ++place) {
        int first = b->groups;
        for (int i = bucket[place]; i != NONE; i = next[i]) {
            int count = item_places(b, s, i, b->list), second = b->list[count > 1];
            int g = count > 2 ? first : of_second[second] >= first ? of_second[second] : b->groups;
            while (g < b->groups && !group_is(b, g, b->list, count)) {
                ++g;
            }
            if (g == b->groups) {
                g = new_group(b, b->list, count, &parts);
            }
            if (count <= 2) {
                of_second[second] = g;
            }
            b->item_group[i] = g;
        }
    }
}

/* Items without a body (all columns absent) go to a group of height 0. */
static void catch_strays(crn_body_system *b, int items, int *parts)
{
    int stray = NONE;
    for (int i = 0; i < items; ++i) {
        if (b->item_group[i] == NONE) {
            stray = stray == NONE ? new_group(b, NULL, 0, parts) : stray;
            b->item_group[i] = stray;
        }
    }
}

static void number_items(crn_body_system *b, const crn_system *s)
{
    int contact = 0, row = 0;
    size_t x = 0, pair = 0;
    for (int i = 0; i < s->contacts + s->rows; ++i) {
        crn_body_group *group = &b->group[b->item_group[i]];
        *(i < s->contacts ? &group->contacts : &group->rows) += 1;
    }
    for (int g = 0; g < b->groups; ++g) {
        crn_body_group *group = &b->group[g];
        size_t parts = (size_t)group->parts;
        group->contact = contact;
        group->row = row;
        group->x = x;
        group->pair = pair;
        contact += group->contacts;
        row += group->rows;
        x += (size_t)group->height * (3 * (size_t)group->contacts + (size_t)group->rows);
        pair += parts * (parts + 1) / 2;
        group->contacts = group->rows = 0;
    }
    for (int i = 0; i < s->contacts + s->rows; ++i) {
        crn_body_group *group = &b->group[b->item_group[i]];
        if (i < s->contacts) {
            b->contact_of[group->contact + group->contacts++] = i;
        } else {
            b->row_of[group->row + group->rows++] = i - s->contacts;
        }
    }
}

static void find_targets(crn_body_system *b)
{
    for (int g = 0; g < b->groups; ++g) {
        const crn_body_group *group = &b->group[g];
        const crn_body_part *part = b->part + group->part;
        crn_body_target *target = b->target + group->pair;
        for (int p = 0; p < group->parts; ++p) {
            for (int q = 0; q <= p; ++q) {
                *target++ = (crn_body_target){crn_block_locate(&b->pattern, part[p].place, part[q].place),
                                              b->pattern.height[part[q].place]};
            }
        }
    }
}

static void take(crn_body_system *b, const crn_system *s, const extent *e, crn_arena *arena)
{
    size_t contacts = (size_t)s->contacts, rows = (size_t)s->rows, bodies = (size_t)s->bodies;
    b->group = CRN_TAKE(arena, crn_body_group, contacts + rows + 1);
    b->part = CRN_TAKE(arena, crn_body_part, e->pieces);
    b->target = CRN_TAKE(arena, crn_body_target, e->pairs);
    b->contact_of = CRN_TAKE(arena, int, contacts);
    b->row_of = CRN_TAKE(arena, int, rows);
    b->x = CRN_TAKE(arena, double, e->columns);
    b->mu = CRN_TAKE(arena, double, contacts);
    b->columns = CRN_TAKE(arena, unsigned char, contacts);
    b->delta = CRN_TAKE(arena, double, contacts + rows);
    b->reach = CRN_TAKE(arena, double, bodies);
    b->bound = CRN_TAKE(arena, double, rows);
    b->row_factor = CRN_TAKE(arena, double, rows);
    b->offset = CRN_TAKE(arena, double, 3 * contacts + rows);
    b->k = CRN_TAKE(arena, double, s->dof);
    b->graph_start = CRN_TAKE(arena, int, bodies + 2);
    b->graph_node = CRN_TAKE(arena, int, 2 * e->edges);
    b->group_of = CRN_TAKE(arena, int, bodies);
    b->item_group = CRN_TAKE(arena, int, contacts + rows);
    b->item_next = CRN_TAKE(arena, int, contacts + rows);
    b->list = CRN_TAKE(arena, int, e->pieces_most + 1);
    b->bucket = CRN_TAKE(arena, int, bodies);
}

/* Columns of one group, at most: scratch of the assembly. */
static size_t group_columns_most(const crn_body_system *b, const crn_system *s, bool is_known)
{
    size_t most = 0;
    for (int g = 0; is_known && g < b->groups; ++g) {
        size_t columns = 3 * (size_t)b->group[g].contacts + (size_t)b->group[g].rows;
        most = columns > most ? columns : most;
    }
    return is_known ? most : 3 * (size_t)s->contacts + (size_t)s->rows;
}

void crn_body_system_layout(crn_body_system *b, const crn_system *s, crn_arena *arena)
{
    extent e = measure(s);
    b->dof = s->dof;
    b->bodies = s->bodies;
    b->contacts = s->contacts;
    b->rows = s->rows;
    b->length = 3 * s->contacts + s->rows;
    b->bounded = s->bounded;
    b->height_most = (int)e.height_most;
    take(b, s, &e, arena);
    bool is_real = arena->data && !arena->overflow;
    size_t edges = is_real ? build_graph(b, s) : e.edges;
    crn_graph graph = {s->bodies, b->graph_start, b->graph_node};
    crn_block_pattern_layout(&b->pattern, &graph, edges, s->body_start, arena);
    is_real = is_real && !arena->overflow;
    if (is_real) {
        int parts = 0;
        find_groups(b, s);
        for (int g = 0; g < b->groups; ++g) {
            parts += b->group[g].parts;
        }
        catch_strays(b, s->contacts + s->rows, &parts);
        number_items(b, s);
        find_targets(b);
    }
    size_t columns = group_columns_most(b, s, is_real);
    b->stack = CRN_TAKE_MATRIX(arena, double, e.height_most, columns + e.height_most + 3);
}

/* --- Values --- */

/* Add an item's pieces into its stacked columns (height x width), the first `used` columns. */
static void stack_item(const crn_body_system *b, const crn_system *s, int item, const crn_body_group *group, int width,
                       int used, double *x)
{
    int count;
    const crn_piece *piece = item_pieces(s, item, &count);
    memset(x, 0, (size_t)group->height * (size_t)width * sizeof *x);
    for (int p = 0; p < count; ++p) {
        const crn_body_part *part = b->part + group->part;
        while (part->place != b->pattern.place[piece[p].body]) {
            ++part;
        }
        for (int j = 0; j < used; ++j) {
            const double *from = piece[p].x + (long)j * piece[p].dof;
            double *to = x + (long)j * group->height + part->at;
            for (int l = 0; l < part->dof; ++l) {
                to[l] += from[l];
            }
        }
    }
}

/* reach of the group's bodies from one stacked column */
static void extend_reach(crn_body_system *b, const crn_body_group *group, const double *x)
{
    for (int p = 0; p < group->parts; ++p) {
        const crn_body_part *part = &b->part[group->part + p];
        double square = 0.0;
        for (int l = 0; l < part->dof; ++l) {
            square += x[part->at + l] * x[part->at + l];
        }
        b->reach[part->place] = crn_max(b->reach[part->place], sqrt(square));
    }
}

static void load_group(crn_body_system *b, const crn_system *s, const crn_body_group *group)
{
    double *x = b->x + group->x;
    for (int c = group->contact; c < group->contact + group->contacts; ++c, x += 3 * (long)group->height) {
        int i = b->contact_of[c];
        stack_item(b, s, i, group, 3, crn_system_columns(s, i), x);
        b->mu[c] = s->mu[i];
        b->columns[c] = (unsigned char)crn_system_columns(s, i);
        for (int j = 0; j < 3; ++j) {
            extend_reach(b, group, x + (long)j * group->height);
        }
    }
    for (int c = group->row; c < group->row + group->rows; ++c, x += group->height) {
        stack_item(b, s, s->contacts + b->row_of[c], group, 1, 1, x);
        double square = crn_dot(group->height, x, x);
        b->delta[b->contacts + c] = square > 0.0 ? square : 1.0;
        b->bound[c] = s->row_bound[b->row_of[c]];
        extend_reach(b, group, x);
    }
}

/* Factors of the rows, from the longest normal: 1 without contacts. */
static void fill_row_factors(crn_body_system *b)
{
    double longest = b->contacts > 0 ? 0.0 : 1.0;
    for (int g = 0; g < b->groups && b->rows > 0; ++g) {
        const crn_body_group *group = &b->group[g];
        for (int c = 0; c < group->contacts; ++c) {
            const double *x = b->x + group->x + 3 * (size_t)c * (size_t)group->height;
            longest = crn_max(longest, crn_dot(group->height, x, x));
        }
    }
    for (int c = 0; c < b->rows; ++c) { /* delta is 1 for a row of length 0, whatever that is compared with */
        b->row_factor[c] = longest > 0.0 ? sqrt(longest / b->delta[b->contacts + c]) : 1.0;
    }
}

void crn_body_system_load(crn_body_system *b, const crn_system *s)
{
    memset(b->reach, 0, (size_t)b->bodies * sizeof *b->reach);
    for (int g = 0; g < b->groups; ++g) {
        load_group(b, s, &b->group[g]);
    }
    double *delta = b->offset; /* not in use yet */
    crn_system_inverse_mass(s, delta);
    for (int c = 0; c < b->contacts; ++c) {
        double d = delta[b->contact_of[c]];
        b->delta[c] = d > 0.0 ? d : 1.0;
    }
    fill_row_factors(b);
}

void crn_body_system_begin(crn_body_system *b, const crn_system *s)
{
    for (int place = 0; place < b->bodies; ++place) {
        memcpy(b->k + b->pattern.first[place], s->k + s->body_start[b->pattern.node[place]],
               (size_t)b->pattern.size[place] * sizeof *b->k);
    }
    for (int c = 0; c < b->contacts; ++c) {
        int i = b->contact_of[c], used = crn_system_columns(s, i);
        for (int j = 0; j < 3; ++j) {
            b->offset[3 * c + j] = j < used ? s->offset[3 * i + j] : 0.0;
        }
    }
    for (int c = 0; c < b->rows; ++c) {
        b->offset[3 * b->contacts + c] = s->row_offset[b->row_of[c]];
    }
}

void crn_body_items_in(const crn_body_system *b, const double *r, const double *l, double *items)
{
    for (int c = 0; c < b->contacts; ++c) {
        memcpy(items + 3 * (long)c, r + 3 * (long)b->contact_of[c], 3 * sizeof *items);
    }
    for (int c = 0; c < b->rows; ++c) {
        items[3 * b->contacts + c] = l ? l[b->row_of[c]] : 0.0;
    }
}

void crn_body_items_out(const crn_body_system *b, const double *items, double *r, double *l)
{
    for (int c = 0; c < b->contacts; ++c) {
        memcpy(r + 3 * (long)b->contact_of[c], items + 3 * (long)c, 3 * sizeof *items);
    }
    for (int c = 0; c < b->rows; ++c) {
        l[b->row_of[c]] = items[3 * b->contacts + c];
    }
}

double crn_body_speed(const crn_body_system *b, const double *v)
{
    double most = 0.0;
    for (int place = 0; place < b->bodies; ++place) {
        double square = 0.0;
        for (int l = b->pattern.first[place]; l < b->pattern.first[place + 1]; ++l) {
            square += v[l] * v[l];
        }
        double speed = b->reach[place] * sqrt(square);
        most = speed > most || isnan(speed) ? speed : most;
    }
    return most;
}
