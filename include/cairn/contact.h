/* cairn/contact.h -- door 2: contact problems of your own simulator, solved and certified without forming a matrix.
 *
 * Bodies (free rigid ones, or mechanisms in generalised coordinates) with mass matrices M and a free velocity v_f, the
 * velocity they would have without contact: v_f = v + h M^-1 f. Contacts i with directions n, t1, t2, whose rows J_i give
 * the contact velocity. Wanted are impulses r_i = (r_n, r_t1, r_t2), on body a, with
 *
 *     M (v - v_f) = sum_i J_i' r_i + B' l,        u_i = J_i v + offset_i,        B v + offset = 0  (bilateral rows)
 *     0 <= u_n  complementary to  r_n >= 0,       friction r_t within the cone mu r_n, opposed to the slip u_t
 *
 * The friction cone is a polygon with d corners at the angles 2 pi j / d from t1 to t2 (the problem is then the LCP of
 * [L05 eq. 8], solved by pivoting), or round. Every answer carries a certificate computed from the data given here.
 *
 * Units are SI; spatial vectors are angular first: (w, v) with v at the centre of mass. Matrices are column-major. */
#ifndef CAIRN_CONTACT_H
#define CAIRN_CONTACT_H

#include <cairn/base.h>
#include <cairn/lcp.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- The problem, borrowed: read during the call, never changed --- */

/** How the inertia of a body is given. */
typedef enum crn_mass_kind {
    CRN_MASS_RIGID = 0, /* a free rigid body: mass, inertia, com; 6 velocities (w, v) in world axes */
    CRN_MASS_MATRIX,    /* any mechanism: symmetric positive definite mass matrix, dof x dof */
    CRN_MASS_FACTOR,    /* the same by its lower triangular factor G: mass matrix = G G' */
    CRN_MASS_UNIT,      /* mass matrix = identity: velocities and Jacobians are whitened already */
    CRN_MASS_OPERATOR,  /* only products with the inverse mass matrix are known: a callback */
    CRN_MASS_PLANAR     /* a rigid body in the plane z = 0: mass, inertia[8], com; 3 velocities (w_z, v_x, v_y) */
} crn_mass_kind;

/** A body: anything with velocities of its own. */
typedef struct crn_contact_body {
    crn_mass_kind kind;
    int dof;           /* velocities; 6 for a rigid body, 3 for a planar one */
    double mass;       /* rigid, planar: [kg] */
    double inertia[9]; /* rigid: about the centre of mass, world axes [kg m^2], symmetric; planar: [8] is read alone */
    double com[3];     /* rigid, planar: centre of mass, world [m]; planar: com[2] is not read */
    const double *matrix; /* matrix or factor: entry (i,j) at matrix[i + j*ld] */
    int ld;
    /* operator: velocity = M^-1 impulse, for a symmetric positive definite M; called dof times per solve */
    void (*solve)(void *user, const double *impulse, double *velocity);
    void *user;
} crn_contact_body;

/** Largest coefficient of friction. All of 400 random problems are solved with coefficients up to it; from ten times as much on the law
 *  is lost in rounding. What must not slip wants bilateral rows. */
#define CRN_CONTACT_MU_MOST 1e5

/** One point where two bodies touch. Either geometry (both bodies rigid, planar or the world; jacobian_a and jacobian_b NULL), or
 *  the Jacobian's rows of each body: u = jacobian_a' v_a + jacobian_b' v_b + offset. */
typedef struct crn_contact_point {
    int a, b;                 /* bodies; -1: the fixed world. Impulses act on a along the normal, on b against it */
    double position[3];       /* world [m] */
    double normal[3];         /* unit, out of b into a */
    double t1[3];             /* unit, orthogonal to the normal; all 0: the library chooses t1 and t2 */
    double t2[3];             /* normal x t1 makes it right-handed */
    const double *jacobian_a; /* dof of a x 3: columns n, t1, t2; needed if a is not rigid; NULL with geometry */
    const double *jacobian_b; /* likewise, signs included */
    double mu;                /* friction coefficient, 0 to CRN_CONTACT_MU_MOST */
    int directions;           /* corners d of the friction polygon: 0 frictionless, 2 along t1 only, even >= 4 */
    double offset[3];         /* added to the contact velocity n, t1, t2 [m/s]: gap / h along n, or a surface's speed */
} crn_contact_point;

/** A bilateral row: jacobian_a' v_a + jacobian_b' v_b + offset = 0. With a bound its impulse l stays within
 *  -bound <= l <= bound: the row's speed is 0 while |l| < bound, opposed to l otherwise (a motor, friction of a joint). */
typedef struct crn_contact_row {
    int a, b;                              /* bodies; -1: none */
    const double *jacobian_a, *jacobian_b; /* dof of a and of b */
    double offset;                         /* [m/s], e.g. joint error / h */
    double bound;                          /* largest impulse; 0 or infinite: none */
} crn_contact_row;

/** A problem, borrowed: read during the call, never kept, never changed. */
typedef struct crn_contact_problem {
    int bodies, contacts, rows; /* each may be 0 */
    const crn_contact_body *body;
    const crn_contact_point *contact;
    const crn_contact_row *row;
    const double *velocity; /* free velocity of all bodies, body after body */
} crn_contact_problem;

/** Velocities of all bodies together; -1 if a body's dof is not positive. */
CRN_API int crn_contact_dof(const crn_contact_problem *problem);

/** Check everything that crn_contact_solve() checks; the message names body, contact or row, and field. */
CRN_API crn_status crn_contact_check(const crn_contact_problem *problem, crn_error *error);

/* --- How to solve it --- */

/** How impulses are found. */
typedef enum crn_contact_method {
    CRN_CONTACT_AUTO = 0,   /* by size: states for small islands, bodies for large ones */
    CRN_CONTACT_STATES,     /* Lemke's path on contact states: the fast and sure one */
    CRN_CONTACT_STRUCTURAL, /* Lloyd's structural Lemke [L05 s5] */
    CRN_CONTACT_REDUCED,    /* Lloyd's reduced Lemke [L05 s5.3] */
    CRN_CONTACT_BODIES      /* semi-smooth Newton and interior point on a block-sparse matrix; round cones */
} crn_contact_method;
#define CRN_CONTACT_METHOD_COUNT 5 /* how many there are */

CRN_API const char *crn_contact_method_name(crn_contact_method method); /* "auto", "states", ...; NULL if none */
CRN_API bool crn_contact_method_find(const char *name, crn_contact_method *method); /* false if there is none */

/** What friction impulses may be. */
typedef enum crn_contact_cone {
    CRN_CONE_POLYGON = 0, /* directions of each contact */
    CRN_CONE_ROUND        /* |r_t| <= mu r_n; directions only say whether there is friction (d = 2: along t1 only) */
} crn_contact_cone;

/** Which law ties velocities to impulses. */
typedef enum crn_contact_law {
    CRN_LAW_COULOMB = 0, /* u_n complementary to r_n  [HA03 eq. 2.9] */
    CRN_LAW_CONVEX /* u in the dual cone, complementary to r: a convex program [HA03 eq. 2.10]; round cones only */
} crn_contact_law;

/** What a contact does. */
typedef enum crn_contact_kind {
    CRN_CONTACT_OFF = 0, /* no impulse */
    CRN_CONTACT_ON,      /* normal impulse, no friction (mu = 0 or d = 0) */
    CRN_CONTACT_SLIDE,   /* friction at a corner of the polygon (round cone: on its rim) */
    CRN_CONTACT_EDGE,    /* friction on the edge between corner and corner + 1: slips across the edge */
    CRN_CONTACT_STICK    /* friction inside: no slip */
} crn_contact_kind;

/** What a contact does, and where on its cone. */
typedef struct crn_contact_state {
    int kind;   /* crn_contact_kind */
    int corner; /* slide: the corner; edge: the lower of the two corners; 0 otherwise */
} crn_contact_state;

/** A contact that changes its state on the path of the method `states`. Contacts are OFF at the beginning and bounded rows
 *  within their bounds; whoever follows the changes has at the end the states of the answer. Those with ties 0 are no pivots:
 *  they say from which states another path, or a warm one, begins, and which path the answer is from if it was not the last.
 *  Islands follow one another. Other methods tell nothing (round cones: of the polygon's path that they may start from), and
 *  making impulses even is told nowhere. */
typedef struct crn_contact_change {
    int contact; /* of the problem; contacts + r is bilateral row r with its bound: ON within it, OFF at -bound (corner 0)
                    or at +bound (corner 1) */
    crn_contact_state before, after;
    double progress; /* how far the path has come: 0 at its beginning, 1 at the answer. It may go back */
    int ties;        /* inequalities that the ratio test could not tell apart: 1 is no tie */
} crn_contact_change;

/** Called for each change, during the solve: must not call back with the same workspace. */
typedef void (*crn_contact_trace)(void *user, const crn_contact_change *change);

/** Fill with crn_contact_options_default(), then change fields. */
typedef struct crn_contact_options {
    crn_contact_method method;
    crn_contact_cone cone;
    crn_contact_law law;
    bool even;               /* of all impulses with the same motion take the most evenly distributed ones */
    bool frictionless_first; /* states: solve with mu = 0 first and start from there [YN08 s4-C] */
    bool is_brief;           /* rather no answer than a late one: fewer ways are tried where the first ones fail */
    int paths;  /* bodies: central paths of Coulomb's law that are followed one after the other while none ends; 0: 3 */
    double tol; /* largest relative certificate that counts as solved; 0: 1e-9 for polygons, 1e-8 for round cones */
    int max_pivots; /* per attempt; 0: the method's own bound */
    uint64_t seed;  /* of the random shifts */
    /* Warm start, all three or none; as a previous solution left them, one entry (three numbers) per contact. */
    const crn_contact_state *start;
    const double *start_impulse;     /* 3 per contact */
    const double *start_velocity;    /* 3 per contact: contact velocities u */
    const double *start_row_impulse; /* with a warm start: 1 per row; NULL: not known */
    double
        start_share; /* of tol: a start that certifies to this is the answer; 0: 1. What answers leave over adds up in the
                           velocities of a simulation, so that it may want a start to be better than an answer must be */
    crn_contact_trace trace; /* states: told every change; NULL: none. The answer is the same to the last bit */
    void *trace_user;
    uint32_t cookie; /* set by crn_contact_options_default(): one that was not made there is refused */
} crn_contact_options;

CRN_API crn_contact_options crn_contact_options_default(void); /* auto, polygon, Coulomb's law, cold */

/* --- The answer --- */

/** How well impulses solve the problem, from the original data. The motion v is recomputed from the impulses, so only the
 *  law of contact is left to judge; relative is the largest natural map of a contact, as a velocity, or violation of a
 *  bilateral row, natural map of the box if it has a bound (brought to the whitened length of the longest normal, so that its units do not matter), over the
 *  velocity scale U. Impulses have 53 bits: where a row's speed is made of impulses' parts with a sum of magnitudes of more than
 *  1e6 U, up to 1e9 U, a millionth of that sum is its scale. */
typedef struct crn_contact_certificate {
    double relative;
    double velocity_error; /* largest natural map as a velocity [m/s] */
    double impulse_error;  /* largest natural map as an impulse [N s] */
    double row_error;      /* largest |B v + offset|; of a row with a bound its natural map as a velocity */
    double scale;          /* U: how fast the free motion closes contacts [m/s] */
    int worst;             /* contact of the largest violation; contacts + row for a bilateral row; -1 if none */
} crn_contact_certificate;

/** Where results go: the caller's arrays; any may be NULL. */
typedef struct crn_contact_solution {
    double *impulse;          /* 3 per contact: n, t1, t2 [N s], on body a */
    double *velocity;         /* of all bodies */
    double *contact_velocity; /* 3 per contact: u, offset included */
    double *row_impulse;      /* 1 per bilateral row */
    crn_contact_state *state; /* 1 per contact */
} crn_contact_solution;

/** Yes, no, or not decided. */
typedef enum crn_answer { CRN_UNDECIDED = 0, CRN_NO, CRN_YES } crn_answer;

/** Which parts of the answer the problem determines. */
typedef struct crn_contact_uniqueness {
    crn_answer is_motion_unique;  /* v, and so every w: same for all solutions */
    crn_answer is_impulse_unique; /* no other impulses give this motion */
    int active;                   /* constraints that are active: normals, friction coordinates, bilateral rows */
    int redundant;                /* how many of them depend on the others */
} crn_contact_uniqueness;

/** Written on every return. */
typedef struct crn_contact_result {
    crn_lcp_outcome outcome;
    crn_contact_method method; /* the one that gave the answer; of several islands, of the largest */
    crn_contact_law law;       /* that the answer obeys; another than was asked for: the outcome is CRN_LCP_CONVEX */
    crn_contact_certificate certificate;
    int islands;
    int pivots;           /* of all islands and attempts */
    int iterations;       /* Newton and interior-point steps */
    int refactorizations; /* fresh factorisations */
    int restarts;         /* attempts after the first */
    bool is_warm;         /* the warm start led to the answer */
    bool
        has_solution; /* not solved; but some motion parts all contacts, u_n > mu |u_t|, and obeys all rows: it was found, and
                             it proves that Coulomb's law has a solution [docs/theory/bodies.md] */
    double seconds;       /* whole call */
    double seconds_setup; /* of it: checks, whitening, islands */
} crn_contact_result;

/** Bytes of workspace that crn_contact_solve() needs; 0 if they do not fit size_t, or if problem or options are bad. Takes
 *  memory of its own during the call (islands must be found). */
CRN_API size_t crn_contact_workspace_size(const crn_contact_problem *problem, const crn_contact_options *options);

/** Solve. Takes no memory but through workspace. options NULL: defaults; solution, result, error may be NULL.
 *  @return CRN_OK if a method ran: result->outcome tells what it found. Otherwise nothing was written to solution. */
CRN_API crn_status crn_contact_solve(const crn_contact_problem *problem, const crn_contact_options *options,
                                     crn_workspace *workspace, const crn_contact_solution *solution,
                                     crn_contact_result *result, crn_error *error);

/* --- The same geometry again and again: whitening, islands and the last factor are kept --- */

/** Lives in the workspace it was prepared in; gone when that is used for anything else. */
typedef struct crn_contact_session crn_contact_session;

/** Check, whiten, split into islands. problem and options must stay until the last crn_contact_again(). */
CRN_API crn_status crn_contact_prepare(const crn_contact_problem *problem, const crn_contact_options *options,
                                       crn_workspace *workspace, crn_contact_session **session, crn_error *error);

/** Solve for another free velocity (NULL: the problem's), from the contact states of the call before. */
CRN_API crn_status crn_contact_again(crn_contact_session *session, const double *velocity,
                                     const crn_contact_solution *solution, crn_contact_result *result,
                                     crn_error *error);

/* --- Judging, assembling --- */

/** Judge any impulses, whoever computed them. row_impulse may be NULL without rows. */
CRN_API crn_status crn_contact_certify(const crn_contact_problem *problem, const crn_contact_options *options,
                                       const double *impulse, const double *row_impulse, crn_workspace *workspace,
                                       crn_contact_certificate *certificate, crn_error *error);

/** Backward error: the impulses `nearby` obey the law exactly, for offsets that are changed by no more than this. Where that is less than
 *  the offsets are known to (a gap in metres is an offset times the length of the step), an answer is as good as exact. */
typedef struct crn_contact_backward {
    double normal; /* largest change of an offset along a normal [m/s] */
    double slip;   /* along the tangents of a contact that has an impulse [m/s] */
    double row;    /* of a bilateral row, brought to the whitened length of the longest normal as in the certificate */
} crn_contact_backward;

/** Judge any impulses by their backward error. nearby (it or any of its arrays may be NULL; state is not written) gets the impulses
 *  that are meant, their motion, and contact velocities that obey the law with them: those of the changed offsets. */
CRN_API crn_status crn_contact_backward_error(const crn_contact_problem *problem, const crn_contact_options *options,
                                              const double *impulse, const double *row_impulse,
                                              crn_workspace *workspace, const crn_contact_solution *nearby,
                                              crn_contact_backward *backward, crn_error *error);

/** Which parts of the answer does the problem determine? impulse: a solution of the polygon problem. */
CRN_API crn_status crn_contact_uniqueness_of(const crn_contact_problem *problem, const double *impulse,
                                             const double *row_impulse, crn_workspace *workspace,
                                             crn_contact_uniqueness *uniqueness, crn_error *error);

/** The same without a search for other motions: is_motion_unique is undecided where it is not proved. Solves nothing and takes
 *  no memory but through workspace, so that it can be asked in every step. */
CRN_API crn_status crn_contact_redundancy_of(const crn_contact_problem *problem, const double *impulse,
                                             const double *row_impulse, crn_workspace *workspace,
                                             crn_contact_uniqueness *uniqueness, crn_error *error);

/** Order of the assembled LCP: theta of all contacts, phi (d of each contact, contact by contact), lambda of the contacts
 *  with d > 0, then free variables for the bilateral rows. -1 if it does not fit int. */
CRN_API int crn_contact_lcp_size(const crn_contact_problem *problem);

/** The explicit LCP [L05 eq. 8] (mixed if there are rows), for checks and export; never needed to solve.
 *  @param M     n x n, column-major, leading dimension n
 *  @param q     n
 *  @param lower n (0, -inf for rows, -bound for rows with one); NULL if not wanted. Upper bounds are +inf but for rows with
 *               a bound: crn_contact_lcp_bounds() */
CRN_API crn_status crn_contact_assemble(const crn_contact_problem *problem, crn_workspace *workspace, double *M,
                                        double *q, double *lower, crn_error *error);

/** Both bounds of the assembled LCP (with bounded rows a box LCP, see lcp.h), n numbers each; either may be NULL. The upper
 *  ones are +inf, or the bounds of rows that have one. */
CRN_API crn_status crn_contact_lcp_bounds(const crn_contact_problem *problem, double *lower, double *upper,
                                          crn_error *error);

/** The z of the assembled LCP that belongs to impulses of the polygon problem and their contact velocities. */
CRN_API crn_status crn_contact_to_lcp(const crn_contact_problem *problem, const double *impulse,
                                      const double *contact_velocity, const double *row_impulse, double *z,
                                      crn_error *error);

#ifdef __cplusplus
}
#endif
#endif
