/* Products with stacked columns, and the matrix I + sum X A X'.
 *
 * Heights 12 and 6 (pairs of free bodies; one free body, or a pair of planar ones) have paths of constant size. Sums run
 * in a written order, see math/simd.h. */
#include "contact/body_system.h"

#include <string.h>

#include "math/block_kernel.h"
#include "math/simd.h"

CRN_KERNEL void gather(const crn_body_system *b, const crn_body_group *group, const double *v, double *stack)
{
    for (int p = 0; p < group->parts; ++p) {
        const crn_body_part *part = &b->part[group->part + p];
        for (int l = 0; l < part->dof; ++l) {
            stack[part->at + l] = v[part->first + l];
        }
    }
}

CRN_KERNEL void scatter(const crn_body_system *b, const crn_body_group *group, const double *stack, double *v)
{
    for (int p = 0; p < group->parts; ++p) {
        const crn_body_part *part = &b->part[group->part + p];
        for (int l = 0; l < part->dof; ++l) {
            v[part->first + l] += stack[part->at + l];
        }
    }
}

/* x'y in four partial sums if the height is a multiple of four, in two if it is even. */
CRN_KERNEL double dot(int height, const double *restrict x, const double *restrict y)
{
    if (height % 4 == 0) {
        double s[4] = {0.0, 0.0, 0.0, 0.0};
        for (int l = 0; l < height; l += 4) {
            for (int i = 0; i < 4; ++i) {
                s[i] += x[l + i] * y[l + i];
            }
        }
        return (s[0] + s[2]) + (s[1] + s[3]);
    }
    double s0 = 0.0, s1 = 0.0;
    int l = 0;
    for (; l + 2 <= height; l += 2) {
        s0 += x[l] * y[l];
        s1 += x[l + 1] * y[l + 1];
    }
    s0 += l < height ? x[l] * y[l] : 0.0;
    return s0 + s1;
}

/* u of a group: all its columns against the stacked velocity. */
CRN_KERNEL void slip_group(int height, const crn_body_group *group, const double *x, const double *v, double *contact,
                           double *row)
{
    for (int c = 0; c < 3 * group->contacts; ++c, x += height) {
        contact[c] += dot(height, x, v);
    }
    for (int c = 0; c < group->rows; ++c, x += height) {
        row[c] += dot(height, x, v);
    }
}

CRN_CLONES void crn_body_slip(const crn_body_system *b, const double *v, const double *offset, double *u)
{
    double *stack = b->stack;
    if (offset) {
        memcpy(u, offset, (size_t)b->length * sizeof *u);
    } else {
        memset(u, 0, (size_t)b->length * sizeof *u);
    }
    for (int g = 0; g < b->groups; ++g) {
        const crn_body_group *group = &b->group[g];
        double *contact = u + 3 * (long)group->contact, *row = u + 3 * (long)b->contacts + group->row;
        gather(b, group, v, stack);
        switch (group->height) {
        case 12: slip_group(12, group, b->x + group->x, stack, contact, row); break;
        case 6: slip_group(6, group, b->x + group->x, stack, contact, row); break;
        default: slip_group(group->height, group, b->x + group->x, stack, contact, row); break;
        }
    }
}

/* stack = columns times items */
CRN_KERNEL void push_group(int height, const crn_body_group *group, const double *restrict x, const double *contact,
                           const double *row, double *restrict stack)
{
    for (int l = 0; l < height; ++l) {
        stack[l] = 0.0;
    }
    for (int c = 0; c < group->contacts; ++c, x += 3 * (long)height) {
        double z0 = contact[3 * c], z1 = contact[3 * c + 1], z2 = contact[3 * c + 2];
        for (int l = 0; l < height; ++l) {
            stack[l] += x[l] * z0 + x[l + height] * z1 + x[l + 2 * height] * z2;
        }
    }
    for (int c = 0; c < group->rows; ++c, x += height) {
        for (int l = 0; l < height; ++l) {
            stack[l] += x[l] * row[c];
        }
    }
}

CRN_CLONES void crn_body_push(const crn_body_system *b, const double *base, const double *z, double *v)
{
    double *stack = b->stack;
    if (!base) {
        memset(v, 0, (size_t)b->dof * sizeof *v);
    } else if (base != v) {
        memcpy(v, base, (size_t)b->dof * sizeof *v);
    }
    for (int g = 0; g < b->groups; ++g) {
        const crn_body_group *group = &b->group[g];
        const double *contact = z + 3 * (long)group->contact, *row = z + 3 * (long)b->contacts + group->row;
        switch (group->height) {
        case 12: push_group(12, group, b->x + group->x, contact, row, stack); break;
        case 6: push_group(6, group, b->x + group->x, contact, row, stack); break;
        default: push_group(group->height, group, b->x + group->x, contact, row, stack); break;
        }
        scatter(b, group, stack, v);
    }
}

/* --- The matrix --- */

/* T = X A of one contact, A column-major 3 x 3 */
CRN_KERNEL void scale_columns(int height, const double *restrict x, const double *A, double *restrict t)
{
    for (int j = 0; j < 3; ++j, t += height) {
        double a0 = A[3 * j], a1 = A[3 * j + 1], a2 = A[3 * j + 2];
        for (int l = 0; l < height; ++l) {
            t[l] = x[l] * a0 + x[l + height] * a1 + x[l + 2 * height] * a2;
        }
    }
}

/* T = X A of all items of the group */
CRN_KERNEL void scale_group(int height, const crn_body_group *group, const double *x, const double *A, int stride,
                            const double *row, double *t)
{
    for (int c = 0; c < group->contacts; ++c, x += 3 * (long)height, t += 3 * (long)height, A += stride) {
        if (stride == 6) {
            double full[9] = {A[0], A[1], A[2], A[1], A[3], A[4], A[2], A[4], A[5]};
            scale_columns(height, x, full, t);
        } else {
            scale_columns(height, x, A, t);
        }
    }
    for (int c = 0; c < group->rows; ++c, x += height, t += height) {
        for (int l = 0; l < height; ++l) {
            t[l] = x[l] * row[c];
        }
    }
}

/* w(:,0..1) = rows of sum over columns c of t_c y_c[j], two columns j at a time; y has its entries `height` apart. */
CRN_KERNEL void outer_pair(int rows, int height, int columns, const double *restrict t, const double *restrict y,
                           double *restrict w0, double *restrict w1)
{
    for (int l = 0; l < rows; ++l) {
        w0[l] = w1[l] = 0.0;
    }
    for (int c = 0; c < columns; ++c, t += height, y += height) {
        double y0 = y[0], y1 = y[1];
        for (int l = 0; l < rows; ++l) {
            w0[l] += t[l] * y0;
            w1[l] += t[l] * y1;
        }
    }
}

CRN_KERNEL void outer_one(int rows, int height, int columns, const double *restrict t, const double *restrict y,
                          double *restrict w)
{
    for (int l = 0; l < rows; ++l) {
        w[l] = 0.0;
    }
    for (int c = 0; c < columns; ++c, t += height, y += height) {
        for (int l = 0; l < rows; ++l) {
            w[l] += t[l] * y[0];
        }
    }
}

/* W = T Y' of the whole group, of height x height, lower blocks: for the columns of part q the rows from part q on. */
CRN_KERNEL void outer_12(int columns, const double *t, const double *y, double *w)
{
    for (int j = 0; j < 6; j += 2) {
        outer_pair(12, 12, columns, t, y + j, w + 12 * j, w + 12 * j + 12);
    }
    for (int j = 6; j < 12; j += 2) {
        outer_pair(6, 12, columns, t + 6, y + j, w + 12 * j + 6, w + 12 * j + 18);
    }
}

CRN_KERNEL void outer_group(const crn_body_group *group, const crn_body_part *part, int columns, const double *t,
                            const double *y, double *w)
{
    int height = group->height;
    if (height == 12 && group->parts == 2 && part[0].dof == 6) {
        outer_12(columns, t, y, w);
        return;
    }
    if (height == 6 && group->parts == 1) {
        for (int j = 0; j < 6; j += 2) {
            outer_pair(6, 6, columns, t, y + j, w + 6 * j, w + 6 * j + 6);
        }
        return;
    }
    for (int p = 0; p < group->parts; ++p) {
        int at = part[p].at;
        for (int j = at; j < at + part[p].dof; ++j) {
            outer_one(height - at, height, columns, t + at, y + j, w + at + (long)j * height);
        }
    }
}

CRN_KERNEL void add_block(int rows, int columns, const double *restrict from, int height, double *restrict to, int ld)
{
    for (int j = 0; j < columns; ++j, from += height, to += ld) {
        for (int l = 0; l < rows; ++l) {
            to[l] += from[l];
        }
    }
}

/* values += W of the group, blocks below the diagonal only if is_strict. */
CRN_KERNEL void store_group(const crn_body_system *b, const crn_body_group *group, const double *w, bool is_strict,
                            double *values)
{
    const crn_body_part *part = b->part + group->part;
    const crn_body_target *target = b->target + group->pair;
    for (int p = 0; p < group->parts; ++p) {
        for (int q = 0; q <= p; ++q, ++target) {
            const double *from = w + part[p].at + (long)part[q].at * group->height;
            if (is_strict && p == q) {
                continue;
            }
            if (part[p].dof == 6 && part[q].dof == 6) {
                add_block(6, 6, from, group->height, values + target->at, target->ld);
            } else {
                add_block(part[p].dof, part[q].dof, from, group->height, values + target->at, target->ld);
            }
        }
    }
}

CRN_KERNEL void assemble(const crn_body_system *b, const double *A, int stride, const double *row,
                         crn_block_matrix *matrix)
{
    bool has_upper = stride == 9;
    crn_block_clear(matrix, 1.0, has_upper);
    for (int g = 0; g < b->groups; ++g) {
        const crn_body_group *group = &b->group[g];
        const crn_body_part *part = b->part + group->part;
        const double *x = b->x + group->x, *a = A + stride * (long)group->contact;
        int height = group->height, columns = 3 * group->contacts + group->rows;
        double *w = b->stack, *t = w + (long)height * height;
        if (height == 12) {
            scale_group(12, group, x, a, stride, row + group->row, t);
        } else {
            scale_group(height, group, x, a, stride, row + group->row, t);
        }
        outer_group(group, part, columns, t, x, w);
        store_group(b, group, w, false, matrix->lower);
        if (has_upper && group->parts > 1) { /* block rows of the upper triangle, transposed: (T_q X_p')' */
            outer_group(group, part, columns, x, t, w);
            store_group(b, group, w, true, matrix->upper);
        }
    }
}

CRN_CLONES void crn_body_assemble(const crn_body_system *b, const double *A, const double *row,
                                  crn_block_matrix *matrix)
{
    assemble(b, A, 6, row, matrix);
}

CRN_CLONES void crn_body_assemble_unsymmetric(const crn_body_system *b, const double *A, const double *row,
                                              crn_block_matrix *matrix)
{
    assemble(b, A, 9, row, matrix);
}
