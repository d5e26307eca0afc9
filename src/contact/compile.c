/* Islands of the contact graph, and whitened columns in the order of islands.
 *
 * Bodies are nodes, contacts and bilateral rows edges; the fixed world joins nothing. Islands are numbered in the order
 * in which contacts, then rows, first meet them; within an island everything keeps the caller's order, or contacts the canonical
 * one if that is asked for. */
#include "contact/compile.h"

#include <math.h>
#include <string.h>

#include "contact/canonical.h"
#include "contact/problem.h"
#include "math/forest.h"
#include "math/lanes.h"
#include "math/vec.h"

/* Cursors of an island while it is filled. */
enum { AT_BODY, AT_CONTACT, AT_ROW, AT_PIECE, AT_ROW_PIECE, CURSORS };

static int sides(int a, int b)
{
    return (a >= 0) + (b >= 0);
}

/* Doubles of all whitened columns, and the number of pieces. */
static size_t column_space(const crn_contact_problem *problem, size_t *pieces, size_t *row_pieces)
{
    size_t total = 0;
    *pieces = *row_pieces = 0;
    for (int i = 0; i < problem->contacts; ++i) {
        const crn_contact_point *c = &problem->contact[i];
        total += 3 * (size_t)((c->a >= 0 ? problem->body[c->a].dof : 0) + (c->b >= 0 ? problem->body[c->b].dof : 0));
        *pieces += (size_t)sides(c->a, c->b);
    }
    for (int i = 0; i < problem->rows; ++i) {
        const crn_contact_row *r = &problem->row[i];
        total += (size_t)((r->a >= 0 ? problem->body[r->a].dof : 0) + (r->b >= 0 ? problem->body[r->b].dof : 0));
        *row_pieces += (size_t)sides(r->a, r->b);
    }
    return total;
}

void crn_compiled_layout(crn_compiled *c, const crn_contact_problem *problem, crn_arena *arena)
{
    size_t bodies = (size_t)problem->bodies, contacts = (size_t)problem->contacts, rows = (size_t)problem->rows;
    int dof = crn_contact_dof(problem);
    size_t pieces, row_pieces, space = column_space(problem, &pieces, &row_pieces);
    size_t islands = bodies < contacts + rows ? bodies : contacts + rows;
    c->problem = problem;
    c->turn = CRN_ORDER_GIVEN;
    c->dof = dof;
    c->velocity_start = CRN_TAKE(arena, int, bodies + 1);
    c->mass = CRN_TAKE(arena, crn_mass, bodies);
    int widest = 0; /* of bodies whose columns are whitened in runs */
    for (size_t i = 0; i < bodies; ++i) {
        crn_mass_layout(c->mass ? &c->mass[i] : NULL, &problem->body[i], arena);
        bool is_wider = crn_body_is_triangular(&problem->body[i]) && problem->body[i].dof > widest;
        widest = is_wider ? problem->body[i].dof : widest;
    }
    c->run.lanes = CRN_TAKE_MATRIX(arena, double, CRN_LANES, widest);
    c->island = CRN_TAKE(arena, crn_island, islands);
    c->label = CRN_TAKE(arena, int, bodies);
    c->next = CRN_TAKE(arena, int, CURSORS *islands);
    c->place = CRN_TAKE(arena, int, bodies);
    c->contact_of = CRN_TAKE(arena, int, contacts);
    c->order = CRN_TAKE(arena, int, 2 * contacts);
    c->row_of = CRN_TAKE(arena, int, rows);
    c->body_of = CRN_TAKE(arena, int, bodies);
    c->body_start = CRN_TAKE(arena, int, bodies + islands);
    c->piece_start = CRN_TAKE(arena, int, contacts + islands);
    c->row_piece_start = CRN_TAKE(arena, int, rows + islands);
    c->directions = CRN_TAKE(arena, int, contacts);
    c->piece = CRN_TAKE(arena, crn_piece, pieces);
    c->row_piece = CRN_TAKE(arena, crn_piece, row_pieces);
    c->x = CRN_TAKE(arena, double, space);
    c->mu = CRN_TAKE(arena, double, contacts);
    c->offset = CRN_TAKE(arena, double, 3 * contacts);
    c->row_offset = CRN_TAKE(arena, double, rows);
    c->row_bound = rows > 0 ? CRN_TAKE(arena, double, rows) : NULL;
    c->k = CRN_TAKE(arena, double, (size_t)dof);
    c->work = CRN_TAKE(arena, double, (size_t)dof);
}

/* --- Islands: union-find on label, where label[i] is the parent of body i --- */

static void join(int *parent, int a, int b)
{
    if (a >= 0 && b >= 0) {
        (void)crn_forest_join(parent, a, b);
    }
}

/* A body of the pair that is not the world. */
static int any_body(int a, int b)
{
    return a >= 0 ? a : b;
}

/* Are the bodies those of the contact before? The points of a pair follow one another, and join nothing new. */
static bool is_same_pair(const crn_contact_problem *p, int i)
{
    return i > 0 && p->contact[i].a == p->contact[i - 1].a && p->contact[i].b == p->contact[i - 1].b;
}

/* The next island's number for that of the body, if it has none yet. */
static void number_island(int *parent, int *number, int body, int *count)
{
    int root = crn_forest_root(parent, body);
    if (number[root] < 0) {
        number[root] = (*count)++;
    }
}

/* Number the islands by first use; leaves in label[body] the island or -1. body_of serves as scratch. */
static int number_islands(crn_compiled *c)
{
    const crn_contact_problem *p = c->problem;
    int *parent = c->label, *number = c->body_of, count = 0;
    for (int i = 0; i < p->bodies; ++i) {
        parent[i] = i;
        number[i] = -1;
    }
    for (int i = 0; i < p->contacts; ++i) {
        if (!is_same_pair(p, i)) {
            join(parent, p->contact[i].a, p->contact[i].b);
        }
    }
    for (int i = 0; i < p->rows; ++i) {
        join(parent, p->row[i].a, p->row[i].b);
    }
    for (int i = 0; i < p->contacts; ++i) {
        if (!is_same_pair(p, i)) {
            number_island(parent, number, any_body(p->contact[i].a, p->contact[i].b), &count);
        }
    }
    for (int i = 0; i < p->rows; ++i) {
        number_island(parent, number, any_body(p->row[i].a, p->row[i].b), &count);
    }
    /* A root has the least index of its island, so it is relabelled after all others have looked it up. */
    for (int i = p->bodies; i-- > 0;) {
        parent[i] = number[crn_forest_root(parent, i)];
    }
    return count;
}

/* --- Placement --- */

static void count_parts(crn_compiled *c)
{
    const crn_contact_problem *p = c->problem;
    memset(c->next, 0, CURSORS * (size_t)c->islands * sizeof *c->next);
    for (int i = 0; i < c->islands; ++i) {
        memset(&c->island[i].system, 0, sizeof c->island[i].system);
    }
    for (int i = 0; i < p->bodies; ++i) {
        if (c->label[i] >= 0) {
            crn_system *s = &c->island[c->label[i]].system;
            s->bodies++;
            s->dof += p->body[i].dof;
        }
    }
    for (int i = 0; i < p->contacts; ++i) {
        int label = c->label[any_body(p->contact[i].a, p->contact[i].b)];
        c->island[label].system.contacts++;
        c->next[CURSORS * label + AT_PIECE] += sides(p->contact[i].a, p->contact[i].b);
    }
    for (int i = 0; i < p->rows; ++i) {
        int label = c->label[any_body(p->row[i].a, p->row[i].b)];
        c->island[label].system.rows++;
        c->island[label].system.bounded += crn_row_is_bounded(&p->row[i]);
        c->next[CURSORS * label + AT_ROW_PIECE] += sides(p->row[i].a, p->row[i].b);
    }
}

/* Give each island its part of every array. */
static void divide_arrays(crn_compiled *c)
{
    int bodies = 0, contacts = 0, rows = 0, pieces = 0, row_pieces = 0, dof = 0;
    for (int i = 0; i < c->islands; ++i) {
        crn_island *island = &c->island[i];
        crn_system *s = &island->system;
        int *next = c->next + CURSORS * i;
        s->body_start = c->body_start + bodies + i;
        s->piece_start = c->piece_start + contacts + i;
        s->row_piece_start = c->row_piece_start + rows + i;
        s->piece = c->piece + pieces;
        s->row_piece = c->row_piece + row_pieces;
        s->mu = c->mu + contacts;
        s->directions = c->directions + contacts;
        s->offset = c->offset + 3 * (size_t)contacts;
        s->row_offset = c->row_offset + rows;
        s->row_bound = c->row_bound ? c->row_bound + rows : NULL;
        s->k = island->k = c->k + dof;
        island->contact_of = c->contact_of + contacts;
        island->row_of = c->row_of + rows;
        island->body_of = c->body_of + bodies;
        pieces += next[AT_PIECE];
        row_pieces += next[AT_ROW_PIECE];
        bodies += s->bodies;
        contacts += s->contacts;
        rows += s->rows;
        dof += s->dof;
        memset(next, 0, CURSORS * sizeof *next);
    }
}

/* Bodies in the caller's order within their island; afterwards place[] has each body's index there, -1 if in none. */
static void place_bodies(crn_compiled *c)
{
    for (int i = 0; i < c->islands; ++i) {
        ((int *)c->island[i].system.body_start)[0] = 0;
    }
    for (int i = 0; i < c->problem->bodies; ++i) {
        c->place[i] = -1;
        if (c->label[i] < 0) {
            continue;
        }
        const crn_island *island = &c->island[c->label[i]];
        int at = c->next[CURSORS * c->label[i] + AT_BODY]++;
        int *start = c->body_start + (island->system.body_start - c->body_start);
        c->body_of[(island->body_of - c->body_of) + at] = i;
        start[at + 1] = start[at] + c->problem->body[i].dof;
        c->place[i] = at;
    }
}

/* A column whose square would underflow moves nothing: it is 0, or impulses along it would be infinite. */
static void drop_tiny(double *x, int dof)
{
    const double tiny = 1e-140; /* its square has lost no digit yet */
    if (!(crn_max_abs(dof, x) >= tiny)) {
        memset(x, 0, (size_t)dof * sizeof *x);
    }
}

/* Whiten the columns of the run, and begin another. */
static void end_run(crn_compiled *c)
{
    crn_column_run *run = &c->run;
    int dof = run->columns > 0 ? run->mass->body->dof : 0;
    for (int first = 0; first < run->columns; first += CRN_LANES) {
        int count = run->columns - first < CRN_LANES ? run->columns - first : CRN_LANES;
        double *x = run->x + (size_t)first * (size_t)dof;
        for (int lane = 0; lane < CRN_LANES; ++lane) { /* lanes beyond the last column repeat it */
            crn_lanes_put(dof, x + (size_t)(lane < count ? lane : count - 1) * (size_t)dof, lane, run->lanes);
        }
        crn_mass_whiten_lanes(run->mass, run->lanes, NULL);
        for (int lane = 0; lane < count; ++lane) {
            crn_lanes_get(dof, run->lanes, lane, x + (size_t)lane * (size_t)dof);
            drop_tiny(x + (size_t)lane * (size_t)dof, dof);
        }
    }
    run->columns = 0;
}

/* Columns at x go on with the run, if they follow it, or begin one. */
static void add_to_run(crn_compiled *c, const crn_mass *mass, int columns, double *x)
{
    crn_column_run *run = &c->run;
    bool goes_on = run->mass == mass && x == run->x + (size_t)run->columns * (size_t)mass->body->dof;
    if (run->columns > 0 && !goes_on) {
        end_run(c);
    }
    run->x = run->columns > 0 ? run->x : x;
    run->mass = mass;
    run->columns += columns;
}

/* Whiten one side of an item. */
static double *whiten_piece(crn_compiled *c, const crn_system *s, int body, int place, int width, const double *columns,
                            bool is_given, crn_piece *piece, double *x)
{
    int dof = c->problem->body[body].dof;
    *piece = (crn_piece){place, s->body_start[place], dof, width, x};
    bool is_triangular = crn_body_is_triangular(&c->problem->body[body]);
    if (is_triangular || c->problem->body[body].kind == CRN_MASS_UNIT) { /* whitened later, or already */
        memcpy(x, columns, (size_t)width * (size_t)dof * sizeof *x);
    } else {
        for (int j = 0; j < width; ++j) {
            crn_mass_whiten(&c->mass[body], columns + (size_t)j * (size_t)dof, x + (size_t)j * (size_t)dof);
        }
    }
    if (is_triangular) {
        add_to_run(c, &c->mass[body], width, x);
    }
    for (int j = 0; j < width && is_given && !is_triangular; ++j) {
        drop_tiny(x + (size_t)j * (size_t)dof, dof);
    }
    return x + (size_t)width * (size_t)dof;
}

static double *place_contact(crn_compiled *c, int i, double *x)
{
    const crn_contact_point *point = &c->problem->contact[i];
    int label = c->label[any_body(point->a, point->b)];
    const crn_island *island = &c->island[label];
    const crn_system *s = &island->system;
    int *next = c->next + CURSORS * label;
    int at = next[AT_CONTACT]++;
    int whole = (int)(island->contact_of - c->contact_of) + at; /* place among the contacts of all islands */
    crn_piece *piece = c->piece + (s->piece - c->piece);
    bool has_friction = point->mu > 0.0 && point->directions > 0;
    c->contact_of[whole] = i;
    c->mu[whole] = has_friction ? point->mu : 0.0;
    c->directions[whole] = has_friction ? point->directions : 0;
    memcpy(c->offset + 3 * (size_t)whole, point->offset, sizeof point->offset);
    int *start = c->piece_start + (s->piece_start - c->piece_start);
    start[at] = next[AT_PIECE];
    for (int side = 0; side < 2; ++side) {
        int body = side == 0 ? point->a : point->b;
        if (body >= 0) {
            double space[18];
            const double *columns = crn_contact_columns(c->problem, point, side, space);
            x = whiten_piece(c, s, body, c->place[body], 3, columns, columns != space, &piece[next[AT_PIECE]++], x);
        }
    }
    start[at + 1] = next[AT_PIECE];
    return x;
}

static double *place_row(crn_compiled *c, int i, double *x)
{
    const crn_contact_row *row = &c->problem->row[i];
    int label = c->label[any_body(row->a, row->b)];
    const crn_island *island = &c->island[label];
    const crn_system *s = &island->system;
    int *next = c->next + CURSORS * label;
    int at = next[AT_ROW]++;
    crn_piece *piece = c->row_piece + (s->row_piece - c->row_piece);
    int *start = c->row_piece_start + (s->row_piece_start - c->row_piece_start);
    c->row_of[(island->row_of - c->row_of) + at] = i;
    c->row_offset[(s->row_offset - c->row_offset) + at] = row->offset;
    c->row_bound[(s->row_bound - c->row_bound) + at] = crn_row_is_bounded(row) ? row->bound : INFINITY;
    start[at] = next[AT_ROW_PIECE];
    for (int side = 0; side < 2; ++side) {
        int body = side == 0 ? row->a : row->b;
        if (body >= 0) {
            const double *columns = side == 0 ? row->jacobian_a : row->jacobian_b;
            x = whiten_piece(c, s, body, c->place[body], 1, columns, true, &piece[next[AT_ROW_PIECE]++], x);
        }
    }
    start[at + 1] = next[AT_ROW_PIECE];
    return x;
}

static void start_rows(crn_compiled *c)
{
    for (int i = 0; i < c->islands; ++i) { /* islands without contacts or rows have only the first entry */
        const crn_system *s = &c->island[i].system;
        c->piece_start[s->piece_start - c->piece_start] = 0;
        c->row_piece_start[s->row_piece_start - c->row_piece_start] = 0;
    }
}

crn_status crn_compile_masses(crn_compiled *c, crn_error *error)
{
    const crn_contact_problem *p = c->problem;
    c->velocity_start[0] = 0;
    for (int i = 0; i < p->bodies; ++i) {
        crn_status status = crn_mass_factorize(&c->mass[i], i, c->work, error);
        if (status != CRN_OK) {
            return status;
        }
        c->velocity_start[i + 1] = c->velocity_start[i] + p->body[i].dof;
    }
    return CRN_OK;
}

int crn_compile_islands(crn_compiled *c)
{
    return c->islands = number_islands(c);
}

void crn_compile_columns(crn_compiled *c)
{
    const crn_contact_problem *p = c->problem;
    c->islands = number_islands(c);
    count_parts(c);
    divide_arrays(c);
    start_rows(c);
    place_bodies(c);
    double *x = c->x;
    c->run = (crn_column_run){.lanes = c->run.lanes};
    crn_canonical_order(p, c->turn, c->order, c->order + p->contacts);
    for (int i = 0; i < p->contacts; ++i) {
        x = place_contact(c, c->order[i], x);
    }
    for (int i = 0; i < p->rows; ++i) {
        x = place_row(c, i, x);
    }
    end_run(c);
    crn_compiled_set_velocity(c, p->velocity);
}

crn_status crn_compile(crn_compiled *c, crn_error *error)
{
    crn_status status = crn_compile_masses(c, error);
    if (status == CRN_OK) {
        crn_compile_columns(c);
    }
    return status;
}

void crn_compiled_set_velocity(crn_compiled *c, const double *velocity)
{
    for (int i = 0; i < c->islands; ++i) {
        const crn_island *island = &c->island[i];
        for (int b = 0; b < island->system.bodies; ++b) {
            int body = island->body_of[b];
            crn_mass_shrink(&c->mass[body], velocity + c->velocity_start[body],
                            island->k + island->system.body_start[b]);
        }
    }
}

void crn_compiled_velocity(const crn_compiled *c, const crn_island *island, const double *y, double *velocity)
{
    for (int b = 0; b < island->system.bodies; ++b) {
        int body = island->body_of[b];
        crn_mass_velocity(&c->mass[body], y + island->system.body_start[b], velocity + c->velocity_start[body]);
    }
}
