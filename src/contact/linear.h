/* The linearised contact problem of one island [docs/theory/gradients.md].
 *
 * A contact in a known state obeys linear equations: with local vectors a_j (what is held), f_j (what pushes) and a softness s_j,
 *
 *     r = sum_j f_j rho_j,       a_j.u + s_j rho_j = 0
 *
 *     state                     a                f                    s
 *     open                      -                -
 *     no friction               n                n                    0
 *     sticks                    n, t1, t2        n, t1, t2            0
 *     slides, round cone        n, e             n + mu d, e          0, |u_t| / (mu r_n)     d along friction, e across
 *     slides at a corner p      n                n + mu p             0
 *     slides along an edge      n, g             n + mu c m, g        0                       m edge's normal, g along it, c = cos(pi/d)
 *
 * (convex law: the sliding row holds n + mu d too). With whitened columns A = X a, F = X f of all rows, a change of the motion is
 *
 *     dy = x + F rho,     (A'F + S) rho = b - A'x
 *
 * Hard rows (s = 0) may be redundant: rho is then sought in the range of their A', which is the least change. */
#ifndef CRN_CONTACT_LINEAR_H
#define CRN_CONTACT_LINEAR_H

#include <cairn/linearize.h>

#include "contact/compile.h"
#include "contact/linear_sparse.h"
#include "math/lu.h"

typedef enum crn_mode_kind {
    CRN_MODE_OPEN = 0,
    CRN_MODE_SLICK, /* pushes, no friction */
    CRN_MODE_STICK,
    CRN_MODE_LINE,  /* sticks along t1, the only direction with friction */
    CRN_MODE_FIXED, /* slides, friction along a direction that does not change */
    CRN_MODE_EDGE,
    CRN_MODE_SLIP /* slides, round cone */
} crn_mode_kind;

/* A contact in its state. */
typedef struct crn_mode {
    crn_mode_kind kind;
    double d[2];   /* fixed, slip: along friction; edge: m, its normal */
    double share;  /* of mu that f has along d: 1, edge: cos(pi/directions) */
    bool is_rim;   /* slip without velocity: its row across is hard */
    bool is_graze; /* slip without impulse: no row across */
    int rows;      /* 0 to 3 */
    double a[3][3], f[3][3], soft[3];
    double f_mu[3]; /* d r / d mu where rho stays */
    double b_mu;    /* convex law: change of the first row's right side with mu */
} crn_mode;

/* A bilateral row in its state: held, or its impulse is that of a bound. */
typedef enum crn_hold { CRN_HOLD_FREE = 0, CRN_HOLD_LOWER, CRN_HOLD_UPPER } crn_hold;

/* Scales that margins and states are told by. */
typedef struct crn_branch_scale {
    double velocity, impulse; /* U; largest impulse */
    double kink;
    crn_contact_cone cone;
    crn_contact_law law;
} crn_branch_scale;

/* What contact i of the system does, with impulse r and velocity u; delta: its inverse mass. */
void crn_mode_choose(const crn_system *system, int i, const crn_branch_scale *scale, double delta, const double *r,
                     const double *u, crn_mode *mode);

/* The rows of a mode whose kind is chosen, where r and u are. */
void crn_mode_fill(const crn_system *system, int i, crn_contact_law law, const double *r, const double *u,
                   crn_mode *mode);

/* How far contact i is from another mode, and which kink that is. */
void crn_mode_judge(const crn_system *system, int i, const crn_branch_scale *scale, const crn_mode *mode,
                    const double *r, const double *u, crn_contact_branch *branch);

/* What r lacks to be one of its mode's impulses, and the right sides that bring its rows to where they should be. */
void crn_mode_defect(const crn_system *system, int i, crn_contact_law law, const crn_mode *mode, const double *r,
                     const double *u, double *dr, double *b);

/* One equation: row j of a contact's mode, or a bilateral row. */
typedef struct crn_linear_row {
    int item, part; /* contact, or contacts + row */
} crn_linear_row;

typedef struct crn_linear_island {
    const crn_system *system;
    crn_mode *mode;       /* contacts */
    crn_hold *hold;       /* rows */
    int rows, hard, rank; /* equations, hard ones first; of these independent */
    crn_linear_row *row;
    int *where; /* 3 per contact, then 1 per bilateral row: which equation that part is; -1: none */
    bool
        is_sparse; /* a large island: the factor is that of linear_sparse.h, and the dense arrays that follow are not there */
    crn_linear_sparse sparse;
    double *A, *F;                 /* dof x rows */
    double *Q;                     /* hard x rank, orthonormal; not used where rank = hard */
    crn_lu lu;                     /* rank + rows - hard */
    double *soft;                  /* rows */
    double *basis;                 /* dof x hard: scratch of the rank */
    bool is_singular;              /* equations have no or many solutions though their rows are independent */
    bool is_nearly_redundant;      /* some row is implied by others but for digits that a problem hardly has */
    double *even;                  /* scales of the factor's rows and columns */
    double *x, *b, *s, *rho, *off; /* scratch: dof, rows, 2 rows, rows, rows */
    double *lanes_x, *lanes_b, *lanes_rho, *lanes_s, *lanes_off; /* CRN_LANES times dof, rows, rows, rows, rows */
    double *shifted, *dmu;                    /* scratch of linear_sharing.c and its callers: rows, contacts */
    double *dr, *right, *r_before, *l_before; /* scratch of Newton's method */
    double *r, *l, *u, *e, *y, *delta;        /* the solution: impulses, contact velocities, rows' speeds, motion */
    crn_branch_scale scale;
} crn_linear_island;

/* is_dense: also if the island is large; even impulses need that. */
void crn_linear_layout(crn_linear_island *island, const crn_system *system, bool is_dense, crn_arena *arena);

/* Which equations the modes have; their columns, rank and factor. */
void crn_linear_list(crn_linear_island *island);
void crn_linear_factor(crn_linear_island *island);

/* dy = x + F rho for right sides b (rows): x becomes dy, rho the changes. Returns the largest right side of hard rows outside of what they can
 * be, over the largest one: 0 where they are independent. */
double crn_linear_solve(const crn_linear_island *island, double *x, const double *b, double *rho);

/* The same of CRN_LANES directions at once in lanes_x, lanes_b, lanes_rho; contradictions are not told. */
void crn_linear_solve_lanes(const crn_linear_island *island);

/* Adjoint: gy (dof) and grho (rows) are gradients with respect to dy and rho; gy becomes that with respect to x, gb that to b. */
void crn_linear_solve_adjoint(const crn_linear_island *island, double *gy, const double *grho, double *gb);

/* The motion, contact velocities and rows' speeds of the island's impulses. */
void crn_linear_move(crn_linear_island *island);

/* Rows at their bounds get those impulses. */
void crn_linear_set_bounds(crn_linear_island *island);

/* The equations of the island's impulses and motion, and by how much they are violated at most, over U. */
double crn_linear_violation(crn_linear_island *island);

/* Newton's method on the island's impulses in its modes, from that violation; wants_factor: the factor where it ends is needed. Returns the
 * violation left. */
double crn_linear_polish(crn_linear_island *island, double violation, int steps, bool wants_factor);

/* One step of that method with the factor of a neighbour: how it changes with the data is how the solution does. item: its contact or row
 * for each contact and row, -1 for none. False if the neighbour has other equations; nothing is changed then. */
bool crn_linear_step_by(crn_linear_island *island, const crn_linear_island *neighbour, const int *item);

/* Even impulses of the motion at hand in the modes of an island whose rows are listed; rows of joints keep theirs. */
void crn_linear_even(crn_linear_island *island);

/* Does the motion depend on how redundant rows share their loads? */
bool crn_linear_is_shift_felt(crn_linear_island *island);

/* Does its derivative, along a direction that changes friction by dmu (per contact; NULL: not) and contact velocities by du? size: of the
 * change of the motion. */
bool crn_linear_is_sharing_felt(crn_linear_island *island, const double *dmu, const double *du, double size);

/* Index of a part of a contact, or of a bilateral row, in `where`. */
static inline int crn_linear_place(const crn_linear_island *island, int item, int part)
{
    int contacts = island->system->contacts;
    return item < contacts ? 3 * item + part : 2 * contacts + item;
}

/* a.b of three numbers: of a contact */
static inline double crn_linear_dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Columns of the equations: A, what is held, or F, what pushes. */
typedef enum crn_linear_side { CRN_LINEAR_HELD, CRN_LINEAR_PUSHED } crn_linear_side;

/* x += A s and s = A'x, or with F in its place; s has all rows */
void crn_linear_add_rows(const crn_linear_island *island, crn_linear_side side, const double *s, double *x);
void crn_linear_dot_rows(const crn_linear_island *island, crn_linear_side side, const double *x, double *s);

/* Length of column i. */
double crn_linear_length(const crn_linear_island *island, crn_linear_side side, int i);

/* What hard rows cannot be: v (hard) less its part in the range of A'. */
void crn_linear_keep_null(const crn_linear_island *island, double *v);

/* linear_sparse.c: the factor and the solves of a large island, likewise. */
void crn_linear_sparse_factor(crn_linear_island *island);
double crn_linear_sparse_solve(const crn_linear_island *island, double *x, const double *b, double *rho);
void crn_linear_sparse_adjoint(const crn_linear_island *island, double *gy, const double *grho, double *gb);
double crn_linear_sparse_null(const crn_linear_island *island, double *v); /* the share that the last pass took */

/* y += X r of contact i, or of row i - contacts with r[0]; u += X'y likewise */
void crn_linear_push(const crn_system *system, int item, const double *r, double *y);
void crn_linear_look(const crn_system *system, int item, const double *y, double *u);

#endif
