/* Lemke's path on contact states: our default for the polygonal cone.
 *
 * Problem: the contact LCP [L05 eq. 8] of one island. Instead of covering all rows, only the contact velocities are
 * shifted, u_i -> u_i + z0 s_i: for z0 large all contacts are off, and z0 is driven to 0 along solutions of the shifted
 * problem. With s_n > mu |s_t| there is no secondary ray (docs/theory/states.md has the proof). Each contact is in one
 * of five states, and only the rows that hold with equality there are in the basis:
 *
 *     state        unknowns (columns)                equations (rows)   watched
 *     OFF          -                                 -                  u_n >= 0
 *     ON (mu = 0)  theta: n                          n                  theta >= 0
 *     SLIDE(j)     theta: n + mu d_j                 n                  theta >= 0; (d_{j+-1} - d_j)'u_t >= 0
 *     EDGE(j,k)    theta; phi: e = d_k - d_j         n, e               phi >= 0; mu theta - phi >= 0; -d_j'u_t >= 0
 *     STICK(j,k)   theta, phi; gamma: -d_j           n, e, -d_j         mu theta - a_l'f >= 0 for all edges l
 *
 *     what reaches 0                new state          what is driven next
 *     u_n of OFF                    SLIDE(j) or ON     theta, j the corner most against the slip
 *     theta of SLIDE or ON          OFF                u_n
 *     neighbour k of SLIDE(j)       EDGE(j,k)          phi
 *     phi of EDGE(j,k)              SLIDE(j)           the row e
 *     mu theta - phi of EDGE(j,k)   SLIDE(k)           the row -e
 *     -d_j'u_t of EDGE              STICK              gamma
 *     edge l of STICK               EDGE(l,l+1)        the row -d_l
 *
 * A bilateral row with a bound is one more contact, without friction, that begins behind the others: its impulse is at least
 * -bound instead of 0, and at +bound it is turned round (states_bound.c).
 *
 * Basis matrix: (rows) x (columns and z0), entries row.column in velocity space, z0 column = shifts of the rows; its
 * explicit inverse W is updated at each pivot (math/inverse.h). Bilateral rows without bounds are always in the basis.
 *
 * Invariants at the top of the loop: all rows of the basis are 0 at the point (y, v, u); every watched quantity is
 * >= -slack; the driven quantity is 0 and about to grow. */
#ifndef CRN_CONTACT_STATES_H
#define CRN_CONTACT_STATES_H

#include "base/memory.h"
#include "contact/run.h"
#include "contact/system.h"
#include "math/inverse.h"
#include "math/lu.h"

/* Part of a contact: its row or its unknown of that kind. */
enum { CRN_PART_NORMAL = 0, CRN_PART_EDGE = 1, CRN_PART_CORNER = 2 };

/* Corners of the polygons that crn_states_set_polygons() may bring. */
enum { CRN_STATES_CORNERS = 12 };

/* The columns of an item on one body, padded to whole lanes. */
typedef struct crn_states_piece {
    int first, length; /* in the padded velocity vector */
    double *x;         /* 3 columns (contacts) or 1 (rows) of that length */
} crn_states_piece;

/* A contact on the path. */
typedef struct crn_touch {
    int kind, j, k;        /* state and corners */
    int d;                 /* corners of its polygon */
    int pieces;            /* of its columns */
    int row[3], column[3]; /* places in the basis by part, -1: not there */
    int place;             /* in the list of active contacts, -1: not there */
    double mu, scale;      /* columns were multiplied by scale = 1/|n| */
    double low;            /* least theta: 0, or minus the bound of a row */
    double lift;           /* between 0.5 and 1.5, for warm starts */
    double dj[2], e[2];    /* corner j, and corner k minus corner j */
    double shift[3], offset[3];
    double u[3], du[3];       /* shifted contact velocity and its rate; kept for active contacts only */
    double value[3], rate[3]; /* theta, phi, gamma and their rates */
    double h[3];              /* products of its columns with a vector */
    const double *polygon;    /* corners and edge normals */
    const double *regular;    /* the same of the system's own polygon */
    const crn_states_piece *piece;
} crn_touch;

/* What a bounded row has beside its touch. */
typedef struct crn_states_bound {
    int row;        /* which of the system's rows */
    double sign;    /* -1 if it is turned round */
    bool is_at;     /* begins at its bound */
    bool is_narrow; /* its bound is narrowed on this path */
} crn_states_bound;

/* What grows along the edge of the path. */
typedef struct crn_driven {
    bool is_row;       /* the violation of a row, else an unknown */
    int contact, part; /* contact -1: z0, which falls */
} crn_driven;

/* Where changes of states are told. */
typedef struct crn_states_trace {
    crn_contact_trace tell; /* NULL: nowhere */
    void *user;
    const int *contact_of, *row_of; /* the caller's numbers */
    int contacts;                   /* of the caller's problem */
} crn_states_trace;

/* An inequality of an active contact. */
typedef struct crn_watch {
    int contact, what, corner;
} crn_watch;

typedef struct crn_states {
    const crn_system *system;
    int n, rows, n_padded, dim, capacity; /* n: contacts and bounded rows */
    int contacts, bounded;
    bool is_single;          /* one body with few velocities: normals are kept by component too */
    double unit;             /* of whitened velocities: U times scale_least */
    double scale_least;      /* of the contacts: where the inverse mass is largest */
    uint64_t seed;           /* of the shifts */
    int shifts;              /* attempt that the shifts belong to */
    int pivots_max;          /* of an attempt */
    crn_touch *touch;        /* n: contacts, then bounded rows */
    crn_states_bound *bound; /* bounded */
    bool may_narrow;         /* this path may narrow bounds */
    int *body_first;         /* bodies + 1: first padded velocity of each */
    crn_states_piece *piece, *row_piece;
    double *x;        /* padded columns */
    double *normals;  /* single: component c of all normals at normals + c * n_padded */
    double *polygons; /* tables of uncommon polygons */
    double *tau, *tau_rate, *shift_n, *offset_n,
        *is_off; /* n_padded + tests: normal velocities of contacts that are off */
    crn_watch *watch;
    int watches, tests; /* inequalities of active contacts; all, the padding included */
    int *active, actives;
    int *joint_row, *joint_column; /* places of the bilateral rows in the basis */
    double *joint_shift;           /* their shifts: 0 but on a warm path */
    double *joint_scale;           /* their columns were multiplied by this, 1/|row| */
    double *joint_offset;          /* their offsets, scaled */
    crn_inverse inverse;
    int *row_id, *column_id; /* what is at each place: 3 contact + part, or 3 n + bilateral row; -1: z0 */
    int z0_place;
    double z0, z0_rate;
    double *y, *dy; /* unknowns at their places, and their rates */
    double *v, *dv, *k, *vector;
    double *a, *t, *f, *s; /* scratch of the basis' order */
    double *Q;             /* for a fresh factorisation */
    int *pivot;
    crn_driven driven;
    bool are_products_of_driven;    /* touch.h holds the products of the driven unknown's column */
    crn_contact_state *first_state; /* frictionless first: its solution, as a guess */
    double *first_impulse, *first_velocity, *first_row;
    bool is_kept; /* W belongs to a complementary basis that may serve the next solve */
    crn_run *run;
    crn_states_trace trace;
    crn_contact_state *told; /* n: the states as the trace knows them */
    double z0_first;         /* where the path began */
} crn_states;

/* Take memory for a system whose structure is known (values need not be). */
void crn_states_layout(crn_states *states, const crn_system *system, crn_arena *arena);

/* Copy and scale the columns, choose the first shifts; needed once per geometry. Takes the system's k too. */
void crn_states_load(crn_states *states, const crn_system *system, uint64_t seed, double scale);

/* Other shifts, and nothing kept. */
void crn_states_reseed(crn_states *states, uint64_t seed);

/* Other polygons for the contacts with disks (directions > 2), d <= CRN_STATES_CORNERS corners each: table of contact i at
 * tables + 4 d i. They must stay until the regular ones, which tables NULL brings back. Nothing is kept. */
void crn_states_set_polygons(crn_states *states, int d, const double *tables);

/* Is the row in the basis that the last solve ended with? */
bool crn_states_holds(const crn_states *states, int row);

/* Take the system's k again: another free velocity, whose U is `scale`. */
void crn_states_set_velocity(crn_states *states, double scale);

/* A solution of an earlier problem to start from, in the system's order and the caller's units. */
typedef struct crn_states_guess {
    const crn_contact_state *state;
    const double *impulse;  /* 3 per contact */
    const double *velocity; /* 3 per contact: u */
    const double *row;      /* 1 per row: impulses; NULL: not known */
} crn_states_guess;

/* How to begin. */
typedef struct crn_states_begin {
    const crn_states_guess *guess; /* NULL: none */
    bool is_frictionless_first;    /* without a guess or a kept basis: solve with mu = 0, then start from there */
    int attempts;                  /* with other shifts each; 0: as many as are worth it */
} crn_states_begin;

/* states_trace.c: tell changes from now on, beginning with all contacts off and all bounded rows within their bounds; and
 * that the answer has these states. */
void crn_states_begin_trace(crn_states *states, const crn_states_trace *trace);
void crn_states_tell_answer(crn_states *states, const crn_contact_state *state);

/* Solve for the system's k: from the guess if there is one (NULL: none), else from the basis that the last solve left if
 * is_kept, else cold. r: 3 per contact, l: one per bilateral row, state: one per contact (may be NULL). */
void crn_states_solve(crn_states *states, const crn_states_begin *begin, int max_pivots, double *r, double *l,
                      crn_contact_state *state, crn_run *run);

#endif
