/* Reduced systems of the contact LCP  [L05 eq. 31, 42, 44, 47], with one right-hand side for all uses.
 *
 * Basic are theta_a, phi_a, lambda_a, l (bilateral) and, in almost complementary bases, z0. Every basic lambda_i has at least
 * one basic phi of its contact [L05 app. C]; one of these is phi_x, the rest phi_k. Since gamma_i = 0 there,
 *
 *     phi_x = mu theta - sum phi_k + c_gamma z0         and, from sigma_x = 0,       lambda = -(d_x'v + c_sigma z0)
 *
 * so theta acts along n + mu d_x, phi_k along d_k - d_x, z0 along c* = sum d_x c_gamma, and the equations left are
 *
 *     theta_i : n_i'v + offset + c_nu z0 = 0                    bilateral:  b'v + offset = 0
 *     phi_k   : (d_k - d_x)'v + offset + 0 z0 = 0    (lambda_i basic; one c for all sigma of a contact)
 *               d_k'v + offset + c_sigma z0 = 0      (lambda_i not basic)
 *     w_r     : the same for nu_r or sigma_r;  mu theta_r - sum phi_r + c_gamma z0 = 0  for gamma_r
 *
 * in the velocity v = s + sum column x + c* z0. The source s is the free velocity k for the point, the column of the driving
 * z_r for its rates, and 0 for the rates of a driving w_r, whose equation then reads "= 1". As the driving z_r acts on
 * gamma, too, its column has the same d_x part: this is the paper's b*.
 *
 *   paper          code                           paper          code
 *   N_a'; D*'      row of an item                 phi_x          split: its corner, per contact
 *   N*, D*         column of an item              c*             cover_column
 *   v_c + k        velocity                       alpha          is_basic */
#include "contact/lloyd_basis.h"

#include <string.h>

#include "math/simd.h"
#include "math/vec.h"

/* A pivot of the reduced system this small against its column is rounding: entries are products of unit columns. */
#define TOL_SINGULAR 1e-14
/* Below this pivot ratio a solution is refined; with near-duplicate contacts the worst certificate of 96 problems falls
 * from 6.5e-10 to 1.2e-10. */
#define REFINE_BELOW 1e-5
#define REFINE_STEPS 2

/* --- Columns in pieces --- */

static const crn_piece *pieces_of(const crn_lloyd_basis *b, crn_lloyd_item item, int *count)
{
    const crn_system *s = b->system;
    const int *start = item.contact < 0 ? s->row_piece_start + item.pair : s->piece_start + item.contact;
    *count = start[1] - start[0];
    return (item.contact < 0 ? s->row_piece : s->piece) + start[0];
}

/* packed = columns times weights (width of them), on the bodies of the item one after another */
static void combine(const crn_piece *piece, int pieces, int width, const double *weight, double *packed)
{
    for (int p = 0; p < pieces; ++p) {
        const int dof = piece[p].dof;
        const double *x = piece[p].x;
        for (int l = 0; l < dof; ++l) {
            double sum = weight[0] * x[l];
            for (int j = 1; j < width; ++j) {
                sum += weight[j] * x[l + j * dof];
            }
            packed[l] = sum;
        }
        packed += dof;
    }
}

/* packed'v */
static double dot_packed(const crn_piece *piece, int pieces, const double *packed, const double *v)
{
    double sum = 0.0;
    for (int p = 0; p < pieces; ++p) {
        const double *at = v + piece[p].first;
        for (int l = 0; l < piece[p].dof; ++l) {
            sum += packed[l] * at[l];
        }
        packed += piece[p].dof;
    }
    return sum;
}

/* v += a packed */
static void add_packed(const crn_piece *piece, int pieces, double a, const double *packed, double *v)
{
    for (int p = 0; p < pieces; ++p) {
        double *at = v + piece[p].first;
        for (int l = 0; l < piece[p].dof; ++l) {
            at[l] += a * packed[l];
        }
        packed += piece[p].dof;
    }
}

static inline void contact_speed(const crn_lloyd_basis *b, int i, const double *velocity, double *u)
{
    const crn_system *s = b->system;
    u[0] = u[1] = u[2] = 0.0;
    for (int p = s->piece_start[i]; p < s->piece_start[i + 1]; ++p) {
        const int dof = s->piece[p].dof;
        const double *n = s->piece[p].x, *t1 = n + dof, *t2 = t1 + dof, *at = velocity + s->piece[p].first;
        for (int l = 0; l < dof; ++l) {
            u[0] += n[l] * at[l];
            u[1] += t1[l] * at[l];
            u[2] += t2[l] * at[l];
        }
    }
    for (int j = 0; j < 3; ++j) {
        u[j] *= b->scale[i];
    }
}

void crn_lloyd_contact_speed(const crn_lloyd_basis *b, int i, const double *velocity, double *u)
{
    contact_speed(b, i, velocity, u);
}

/* The same for the normal alone. */
static inline double normal_speed(const crn_lloyd_basis *b, int i, const double *velocity)
{
    const crn_system *s = b->system;
    double sum = 0.0;
    for (int p = s->piece_start[i]; p < s->piece_start[i + 1]; ++p) {
        const double *at = velocity + s->piece[p].first;
        for (int l = 0; l < s->piece[p].dof; ++l) {
            sum += s->piece[p].x[l] * at[l];
        }
    }
    return b->scale[i] * sum;
}

/* --- Items --- */

/* Corner of phi j of contact i, less that of phi_x if lambda is basic. */
static void edge_of(const crn_lloyd_basis *b, int i, int j, double *edge)
{
    const double *cosine = b->corner[i], *sine = cosine + b->corners[i];
    const int split = b->split[i];
    edge[0] = cosine[j] - (split >= 0 ? cosine[split] : 0.0);
    edge[1] = sine[j] - (split >= 0 ? sine[split] : 0.0);
}

/* Weights of n, t1, t2 in the equation (row) of theta or phi, and in its action (column). */
static void weigh(const crn_lloyd_basis *b, crn_lloyd_item item, double *row, double *column)
{
    if (item.contact < 0) {
        row[0] = column[0] = b->row_scale[item.pair];
        return;
    }
    const int i = item.contact, j = item.pair - b->first[i] - 1;
    const double scale = b->scale[i];
    if (j >= 0) {
        double edge[2];
        edge_of(b, i, j, edge);
        row[0] = column[0] = 0.0;
        row[1] = column[1] = scale * edge[0];
        row[2] = column[2] = scale * edge[1];
        return;
    }
    row[0] = column[0] = scale;
    row[1] = row[2] = column[1] = column[2] = 0.0;
    if (b->split[i] >= 0) {
        const double *split = b->corner[i] + b->split[i];
        column[1] = scale * b->system->mu[i] * split[0];
        column[2] = scale * b->system->mu[i] * split[b->corners[i]];
    }
}

static void add_item(crn_lloyd_basis *b, int at, crn_lloyd_item item)
{
    double row[3] = {0.0, 0.0, 0.0}, column[3] = {0.0, 0.0, 0.0};
    const int width = item.contact < 0 ? 1 : 3;
    int pieces;
    const crn_piece *piece = pieces_of(b, item, &pieces);
    const size_t place = (size_t)at * (size_t)b->system->dof;
    weigh(b, item, row, column);
    b->item[at] = item;
    combine(piece, pieces, width, row, b->row + place);
    combine(piece, pieces, width, column, b->column + place);
}

static int lambda_of(const crn_lloyd_basis *b, int i)
{
    return b->first[i + 1] - 1;
}

static bool is_gamma(const crn_lloyd_basis *b, crn_lloyd_item item)
{
    return b->corners[item.contact] > 0 && item.pair == lambda_of(b, item.contact);
}

/* Choose phi_x of contact i; false if lambda is basic and no phi is. Adds d_x c_gamma to c*. */
static bool choose_split(crn_lloyd_basis *b, int i)
{
    const int phi = b->first[i] + 1, d = b->corners[i];
    b->split[i] = -1;
    if (d == 0 || !b->is_open[i] || !b->is_basic[lambda_of(b, i)]) {
        return true;
    }
    for (int j = 0; j < d; ++j) {
        if (b->is_basic[phi + j]) {
            const crn_system *s = b->system;
            double weight = b->scale[i] * b->cover[3 * i + 2];
            double along[3] = {0.0, weight * b->corner[i][j], weight * b->corner[i][d + j]};
            int pieces = s->piece_start[i + 1] - s->piece_start[i];
            combine(s->piece + s->piece_start[i], pieces, 3, along, b->dense);
            add_packed(s->piece + s->piece_start[i], pieces, 1.0, b->dense, b->cover_column);
            b->split[i] = j;
            return true;
        }
    }
    return false;
}

/* List the unknowns: bilateral impulses, theta_a and phi_k contact by contact; w_r is the item after the last. */
static bool gather(crn_lloyd_basis *b)
{
    const crn_system *s = b->system;
    int count = 0;
    memset(b->cover_column, 0, (size_t)s->dof * sizeof *b->cover_column);
    for (int p = 0; p < s->rows; ++p) {
        if (b->row_scale[p] > 0.0) {
            add_item(b, count++, (crn_lloyd_item){-1, p});
        }
    }
    for (int i = 0; i < s->contacts; ++i) {
        if (!choose_split(b, i)) {
            return false;
        }
        const int end = crn_lloyd_pairs_end(b, i) - (b->is_open[i] && b->corners[i] > 0); /* lambda is no unknown */
        for (int pair = b->first[i]; pair < end; ++pair) {
            bool is_split = b->split[i] >= 0 && pair == b->first[i] + 1 + b->split[i];
            if (b->is_basic[pair] && !is_split) {
                if (count + 1 >= b->capacity) {
                    return false; /* more unknowns than the products have rank */
                }
                add_item(b, count++, (crn_lloyd_item){i, pair});
            }
        }
    }
    b->count = count;
    return true;
}

/* The item of w_r; a gamma has no row. */
static void gather_last(crn_lloyd_basis *b)
{
    int i = 0;
    while (b->first[i + 1] <= b->r) {
        ++i;
    }
    b->r_contact = i;
    crn_lloyd_item last = {i, b->r};
    if (is_gamma(b, last)) {
        b->item[b->count] = last;
    } else {
        add_item(b, b->count, last);
    }
}

/* --- The system --- */

/* What z0 adds to the item's equation besides c*. */
static double cover_of(const crn_lloyd_basis *b, crn_lloyd_item item)
{
    if (item.contact < 0) {
        return 0.0;
    }
    const double *cover = b->cover + 3 * item.contact;
    if (item.pair == b->first[item.contact]) {
        return cover[0];
    }
    return b->split[item.contact] >= 0 ? 0.0 : cover[1];
}

/* Row of gamma_r: mu theta_r - sum phi_r + c_gamma z0 */
static void fill_gamma_row(crn_lloyd_basis *b, int last, int order)
{
    const int i = b->item[last].contact;
    for (int v = 0; v < b->count; ++v) {
        crn_lloyd_item item = b->item[v];
        double entry = item.contact != i ? 0.0 : item.pair == b->first[i] ? b->system->mu[i] : -1.0;
        b->matrix[last + v * order] = entry;
    }
    b->matrix[last + b->count * order] = b->cover[3 * i + 2];
}

static void fill_column(crn_lloyd_basis *b, int rows, const double *dense, double *column)
{
    for (int u = 0; u < rows; ++u) {
        int pieces;
        const crn_piece *piece = pieces_of(b, b->item[u], &pieces);
        column[u] = dot_packed(piece, pieces, b->row + (size_t)u * (size_t)b->system->dof, dense);
    }
}

bool crn_lloyd_basis_factor(crn_lloyd_basis *b)
{
    if (!gather(b)) {
        return false;
    }
    const int count = b->count, order = count + (b->r >= 0);
    const size_t dof = (size_t)b->system->dof;
    bool has_gamma = false;
    if (b->r >= 0) {
        gather_last(b);
        has_gamma = is_gamma(b, b->item[count]);
    }
    const int rows = order - has_gamma;
    memset(b->dense, 0, dof * sizeof *b->dense);
    for (int v = 0; v < count; ++v) {
        int pieces;
        const crn_piece *piece = pieces_of(b, b->item[v], &pieces);
        add_packed(piece, pieces, 1.0, b->column + (size_t)v * dof, b->dense);
        fill_column(b, rows, b->dense, b->matrix + v * order);
        for (int p = 0; p < pieces; ++p) {
            memset(b->dense + piece[p].first, 0, (size_t)piece[p].dof * sizeof *b->dense);
        }
    }
    if (b->r >= 0) {
        fill_column(b, rows, b->cover_column, b->matrix + count * order);
        for (int u = 0; u < rows; ++u) {
            b->matrix[u + count * order] += cover_of(b, b->item[u]);
        }
    }
    if (has_gamma) {
        fill_gamma_row(b, count, order);
    }
    b->lu.n = b->lu.ld = order;
    memcpy(b->lu.a, b->matrix, (size_t)order * (size_t)order * sizeof *b->matrix);
    return crn_lu_factor(&b->lu, TOL_SINGULAR);
}

/* --- Solutions --- */

/* Offset of the item's equation. */
static double offset_of(const crn_lloyd_basis *b, crn_lloyd_item item)
{
    if (item.contact < 0) {
        return b->row_offset[item.pair];
    }
    const double *offset = b->offset + 3 * item.contact;
    const int j = item.pair - b->first[item.contact] - 1;
    if (j < 0) {
        return offset[0];
    }
    double edge[2];
    edge_of(b, item.contact, j, edge);
    return edge[0] * offset[1] + edge[1] * offset[2];
}

/* s of the opening comment */
static void fill_source(crn_lloyd_basis *b, crn_lloyd_source source, double *velocity)
{
    const size_t dof = (size_t)b->system->dof;
    if (source == CRN_LLOYD_POINT) {
        memcpy(velocity, b->k, dof * sizeof *velocity);
        return;
    }
    memset(velocity, 0, dof * sizeof *velocity);
    crn_lloyd_item last = b->item[b->count];
    if (source == CRN_LLOYD_BY_Z && !is_gamma(b, last)) {
        int pieces;
        const crn_piece *piece = pieces_of(b, last, &pieces);
        add_packed(piece, pieces, 1.0, b->column + (size_t)b->count * dof, velocity);
    }
}

static void fill_rhs(crn_lloyd_basis *b, crn_lloyd_source source, const double *velocity)
{
    const int order = b->lu.n, count = b->count;
    const crn_lloyd_item last = b->r >= 0 ? b->item[count] : (crn_lloyd_item){-1, -1};
    const bool has_gamma = b->r >= 0 && is_gamma(b, last);
    if (source == CRN_LLOYD_BY_W) {
        memset(b->rhs, 0, (size_t)order * sizeof *b->rhs);
        b->rhs[count] = 1.0;
        return;
    }
    fill_column(b, order - has_gamma, velocity, b->rhs);
    if (has_gamma) {
        b->rhs[count] = 0.0;
    }
    for (int u = 0; u < order - has_gamma; ++u) {
        crn_lloyd_item item = b->item[u];
        if (source == CRN_LLOYD_POINT) {
            b->rhs[u] += offset_of(b, item);
        } else if (has_gamma && item.contact == last.contact && item.pair != b->first[item.contact]) {
            b->rhs[u] += 1.0; /* lambda grows: E of the sigma of its contact */
        }
        b->rhs[u] = -b->rhs[u];
    }
}

/* The pairs of one contact with friction; u its velocity. Where phi is basic it is written over sigma later. */
static inline void spread_friction(const crn_lloyd_basis *b, int i, double z0, double slip, const double *u,
                                   double *value)
{
    const int d = b->corners[i], split = b->split[i];
    const double *restrict cosine = b->corner[i], *restrict sine = cosine + d;
    const double cover = b->cover[3 * i + 1] * z0;
    const double gamma = b->system->mu[i] * b->normal[i] - b->friction[i] + b->cover[3 * i + 2] * z0;
    double *restrict sigma = value + b->first[i] + 1;
    if (split >= 0) {
        slip = -(cosine[split] * u[1] + sine[split] * u[2] + cover);
    }
    const double rest = slip + cover;
    for (int j = 0; j < d; ++j) {
        sigma[j] = cosine[j] * u[1] + sine[j] * u[2] + rest;
    }
    sigma[d] = gamma;
    if (split >= 0) {
        sigma[split] = gamma; /* phi_x */
        sigma[d] = slip;      /* lambda */
    }
}

/* All basic variables but theta and phi_k, from these and z0  [L05 eq. 36, 38, 41]. */
CRN_CLONES static void spread(const crn_lloyd_basis *b, crn_lloyd_source source, crn_lloyd_point *point)
{
    const crn_system *s = b->system;
    for (int i = 0; i < s->contacts; ++i) {
        const double *offset = b->offset + 3 * i;
        double u[3] = {0.0, 0.0, 0.0};
        bool has_friction = b->is_open[i] && b->corners[i] > 0;
        if (has_friction) {
            contact_speed(b, i, point->velocity, u);
        } else {
            u[0] = normal_speed(b, i, point->velocity);
        }
        for (int k = 0; k < 3 && source == CRN_LLOYD_POINT; ++k) {
            u[k] += offset[k];
        }
        if (has_friction) {
            double slip = source == CRN_LLOYD_BY_Z && lambda_of(b, i) == b->r ? 1.0 : 0.0;
            spread_friction(b, i, point->z0, slip, u, point->value);
        }
        point->value[b->first[i]] = u[0] + b->cover[3 * i] * point->z0;
    }
}

/* Impulse x of an item, or of the driving z_r, where its contact's gamma is computed. */
static void note_impulse(crn_lloyd_basis *b, crn_lloyd_item item, double x)
{
    if (item.contact >= 0) {
        *(item.pair == b->first[item.contact] ? &b->normal[item.contact] : &b->friction[item.contact]) += x;
    }
}

/* x = A \ rhs */
static void solve_reduced(crn_lloyd_basis *b)
{
    const int order = b->lu.n;
    memcpy(b->x, b->rhs, (size_t)order * sizeof *b->x);
    crn_lu_solve(&b->lu, b->x);
    if (b->lu.rcond < REFINE_BELOW) {
        (void)crn_lu_refine(&b->lu, b->matrix, order, b->rhs, b->x, b->work, REFINE_STEPS);
    }
}

void crn_lloyd_basis_solve(crn_lloyd_basis *b, crn_lloyd_source source, crn_lloyd_point *point)
{
    const size_t dof = (size_t)b->system->dof, contacts = (size_t)b->system->contacts;
    fill_source(b, source, point->velocity);
    fill_rhs(b, source, point->velocity);
    solve_reduced(b);

    /* Velocity, and the impulses of each contact. */
    memset(b->normal, 0, contacts * sizeof *b->normal);
    memset(b->friction, 0, contacts * sizeof *b->friction);
    for (int v = 0; v < b->count; ++v) {
        int pieces;
        const crn_piece *piece = pieces_of(b, b->item[v], &pieces);
        add_packed(piece, pieces, b->x[v], b->column + (size_t)v * dof, point->velocity);
        note_impulse(b, b->item[v], b->x[v]);
    }
    if (source == CRN_LLOYD_BY_Z && !is_gamma(b, b->item[b->count])) {
        note_impulse(b, b->item[b->count], 1.0);
    }
    point->z0 = b->r >= 0 ? b->x[b->count] : 0.0;
    crn_axpy(b->system->dof, point->z0, b->cover_column, point->velocity);

    /* Everything else follows from these. */
    spread(b, source, point);
    for (int i = 0; i < b->system->rows; ++i) {
        point->row[i] = 0.0;
    }
    for (int v = 0; v < b->count; ++v) {
        *(b->item[v].contact < 0 ? &point->row[b->item[v].pair] : &point->value[b->item[v].pair]) = b->x[v];
    }
    if (b->r >= 0) {
        point->value[b->r] = 0.0;
    }
}
