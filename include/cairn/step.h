/* cairn/step.h -- what a step of a world tells: figures, contacts, events. */
#ifndef CAIRN_STEP_H
#define CAIRN_STEP_H

#include <cairn/contact.h>
#include <cairn/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A body of a world; {0} is none. */
typedef struct crn_body_id {
    int32_t index1; /* 1, 2, ...; 0: null */
    uint32_t generation;
} crn_body_id;

/** A motion of your own for a driven body: pose of its frame at a time. */
typedef void (*crn_motion_function)(void *user, double time, crn_pose *pose);

/** A solver of your own for the problem of a step, called as crn_contact_solve() is: fills all arrays of solution, and result.
 *  A status other than CRN_OK ends the step. */
typedef crn_status (*crn_step_solver)(void *user, const crn_contact_problem *problem,
                                      const crn_contact_options *options, const crn_contact_solution *solution,
                                      crn_contact_result *result, crn_error *error);

/** What can be wrong with a step. A step is certified when nothing is. */
typedef enum crn_verdict {
    CRN_VERDICT_CERTIFIED = 0, /* nothing */
    CRN_VERDICT_PROBLEM,       /* its complementarity problem is not solved to the tolerance */
    CRN_VERDICT_LAW,           /* it is solved, but by the convex law where Coulomb's was asked for */
    CRN_VERDICT_OVERLAP, /* bodies overlap at its end that no row of it kept apart, or deeper than can be repaired */
    CRN_VERDICT_JOINTS,  /* joints or loops are open by more than their tolerance */
    CRN_VERDICT_ENERGY,  /* energy changed by more than all that acted explains, or grew without work */
    CRN_VERDICT_MOMENTUM /* momentum or angular momentum changed by more than what acted explains */
} crn_verdict;
#define CRN_VERDICT_COUNT 7 /* how many there are */

CRN_API const char *crn_verdict_name(crn_verdict verdict); /* "certified", "problem", "law", ...; NULL if none */
CRN_API bool crn_verdict_find(const char *name, crn_verdict *verdict); /* false if there is none of that name */
CRN_API const char *crn_verdict_sentence(crn_verdict verdict);         /* what it means, one sentence; NULL if none */

/** Where the energy of a step went [J]: after = before + the sum of all that follows. Losses are negative. */
typedef struct crn_ledger {
    double before, after; /* kinetic energy, potential of gravity, and what springs of joints hold */
    double loads;         /* work of applied forces: loads, and what the caller pushed with */
    double motors;        /* work of motors, of given motions and of applied forces of joints */
    double driven;        /* work of driven bodies, through contacts and joints */
    double friction;      /* of contacts and joints: < 0, but for the error of the time step where something rolls */
    double impact;        /* of contacts and limits along their normals, with what restitution gives back: likewise */
    double damping;       /* of bodies and joints: <= 0 */
    double projection;  /* what turning joints and loops lose, and what was taken out so that nothing is gained: <= 0 */
    double repair;      /* overlap and open joints undone by moving positions */
    double integration; /* error of the time step itself */
    double unexplained; /* the rest: rounding, or something is wrong */
    double scale;       /* what unexplained is to be compared with: the largest energy that was moved to and fro */
    crn_vec3 momentum;  /* linear momentum that nothing explains [kg m/s] */
    crn_vec3 angular_momentum;            /* the same about the origin [kg m^2/s] */
    double momentum_scale, angular_scale; /* what these are to be compared with */
    double gained; /* all steps so far: energy above that of the beginning and all work done since; < 0: lost */
} crn_ledger;

/** How far surfaces may have to stand elsewhere for an answer to be exact, in sizes of a body; not at all in worlds that have a tolerance of
 *  their own. */
#define CRN_SHIFT_MOST 1e-10

/** What a step did; written on every return of crn_world_step(). */
typedef struct crn_step_stats {
    double time;             /* at the end of the step [s] */
    crn_verdict verdict;     /* certified, or the first in the order of crn_verdict that is wrong */
    unsigned failed;         /* all that is wrong: bit (1u << verdict) each; 0: certified */
    double amount, allowed;  /* of the verdict: how much it is, how much would have been right */
    crn_ledger ledger;       /* where the energy went */
    int bodies;              /* free bodies that were stepped */
    int contacts;            /* in the problem: gap below the margin */
    int active;              /* of them with an impulse */
    int rows;                /* bilateral rows, motors and joint friction included */
    int islands;             /* of the contact graph */
    int problems;            /* complementarity problems solved: 1, and 2 more if something bounced */
    crn_lcp_outcome outcome; /* of the worst of them */
    crn_contact_law law;     /* convex where Coulomb's law was asked for but not reached, or where it was asked for */
    crn_contact_method method;
    double certificate; /* relative, of the worst */
    double
        shift; /* 0; else the certificate is above the tolerance, but the answer is exact for surfaces that stand elsewhere, or move
                     elsewhere in the step, by no more than this [m]; at most CRN_SHIFT_MOST of the smallest body that touches */
    int pivots, iterations;
    bool is_warm;       /* the last step's impulses led to the answer */
    bool is_relaxed;    /* jammed: no velocity satisfies all; overlap stays, motors get less; that problem is solved */
    double penetration; /* deepest overlap of the contacts before the step [m], >= 0 */
    double
        deepening; /* largest growth of an overlap in the step, in sizes of the smaller body: what was not repaired */
    int unseen;    /* pairs of bodies that overlap at the end and that no row of the step knew */
    int rounds;    /* how often the problem was solved again because contacts were missing */
    double penetration_mean; /* over the contacts that touch: gap <= 0 or an impulse */
    double
        joint_error; /* largest error of what joints hold before the step [m, rad]: of loops loop_error; joints in trees,
                                  exact to rounding, are not looked at (crn_joint_error() does) */
    double kinetic, potential;  /* energy at the end [J]; potential of gravity, relative to the origin */
    crn_vec3 momentum;          /* linear, at the end [kg m/s] */
    crn_vec3 angular_momentum;  /* about the origin [kg m^2/s] */
    int drifts;                 /* trees: parts of the drift, of the tree with the most */
    int repairs;                /* trees: position problems solved after the drift */
    double clamped;             /* energy taken out because the error of the time step had gained it [J] */
    double loop_error;          /* loops of mechanisms: largest error of what they hold [m, rad] */
    double loop_opening;        /* of the joint that has used up most of its clearance: how far it is open [m] ... */
    double loop_clearance;      /* ... and how far it may be */
    double loop_misfit;         /* largest error of a loop that no motion closes [m, rad] ... */
    double loop_misfit_allowed; /* ... and how large it may be: the clearance */
    int loop_rows;              /* of all mechanisms: rows of loops, ... */
    int loop_held, loop_loose;  /* ... directions that they hold, and those that are free within the clearance */
    double seconds;             /* whole step */
    double seconds_collide;     /* of it: finding contacts */
    double seconds_solve;       /* of it: complementarity problems */
    int parts;                  /* 1; more: it was made in parts, because as a whole it would not have been certified */
    double part_time;           /* length of the last part, which contacts and their impulses belong to [s] */
} crn_step_stats;

/** How the loops of a mechanism, links that joints connect, are held now. A direction is a motion of the links together with
 *  how it opens the loops. Rows beyond those held over-constrain it: how they share forces is not determined by rigid bodies. */
typedef struct crn_mechanism_report {
    crn_body_id body;          /* its first link */
    int links, loops;          /* loops: joints that close them, and coordinates that follow others */
    int rows;                  /* of what these hold; of their directions ... */
    int held;                  /* ... are held exactly, */
    int loose;                 /* ... hardly open the loops and are free within the clearance, */
    int none;                  /* ... are held by others already: no motion opens or closes them */
    double error;              /* largest of what is held [m, rad] */
    crn_body_id a, b;          /* bodies of the joint that has used up most of its clearance; null: the world; ... */
    int joint;                 /* ... its index1 */
    double size;               /* of its loop: half of the way round [m] */
    double opening, clearance; /* how far it is open, and may be [m] */
    double misfit, misfit_allowed; /* largest error that no motion closes, and its clearance [m, rad] */
    bool is_widened;               /* it was open by more than its clearance at the start, which therefore is that */
    bool is_jammed;                /* it stands because the clearance is used up */
} crn_mechanism_report;

/** What type a figure has. */
typedef enum crn_figure_kind {
    CRN_FIGURE_REAL = 0, /* double */
    CRN_FIGURE_COUNT,    /* int, >= 0 */
    CRN_FIGURE_FLAG,     /* bool */
    CRN_FIGURE_MASK,     /* unsigned */
    CRN_FIGURE_WORD      /* an enumeration whose values have names */
} crn_figure_kind;

/** The figure of a step that was made in parts, from those of its parts. */
typedef enum crn_figure_in_parts {
    CRN_PARTS_LAST = 0, /* the last one */
    CRN_PARTS_FIRST,    /* the first one */
    CRN_PARTS_TOTAL,    /* their sum */
    CRN_PARTS_LARGEST,  /* the largest */
    CRN_PARTS_FAILED    /* that of the first part which is not certified; else the last one */
} crn_figure_in_parts;

/** A number of crn_step_stats by name: what recordings, CSV files and the page hold of a step. All but the time. */
typedef struct crn_step_figure {
    const char *name; /* "contacts", "momentum.x", "ledger.friction" */
    crn_figure_kind kind;
    bool adds_up;                   /* its sum over a run means something: work and losses of the ledger [J] */
    size_t offset;                  /* in crn_step_stats */
    const char *(*word)(int value); /* of CRN_FIGURE_WORD: name of a value; NULL if there is none */
    crn_figure_in_parts in_parts;   /* of a step in parts */
} crn_step_figure;

CRN_API int crn_step_figure_count(void);
CRN_API const crn_step_figure *crn_step_figure_at(int index);          /* 0 .. count-1; NULL if there is none */
CRN_API const crn_step_figure *crn_step_figure_find(const char *name); /* NULL if there is none */

/** Its value as a number, which is exact for every kind. */
CRN_API double crn_step_figure_get(const crn_step_figure *figure, const crn_step_stats *stats);

/** Set it; false, and nothing is changed, if such a figure cannot have this value. */
CRN_API bool crn_step_figure_set(const crn_step_figure *figure, double value, crn_step_stats *stats);

/** The name of its value; NULL if its values have none. */
CRN_API const char *crn_step_figure_word(const crn_step_figure *figure, const crn_step_stats *stats);

/** One contact point of the last step. Which body is a depends on the order in which bodies and shapes were added: to know the
 *  force on one of them, ask crn_contact_force_on(), or turn the impulse round if the body is b. */
typedef struct crn_contact {
    crn_body_id a, b;
    int shape_a, shape_b; /* index of the shape on its body */
    uint32_t key;         /* which features touch */
    crn_vec3 point;       /* at the beginning of the step, world [m] */
    crn_vec3 normal;      /* unit, out of b into a */
    double gap;           /* at the beginning of the step [m] */
    double friction;      /* mu of the pair */
    crn_vec3 impulse;     /* on a, world axes [N s]; on b its opposite acts */
    crn_vec3 velocity;    /* of a relative to b at the point, after the step [m/s] */
    int kind;             /* crn_contact_kind: off, on, slide, edge, stick */
} crn_contact;

/** Two bodies that began or ceased to push each other in the last step. */
typedef struct crn_contact_event {
    crn_body_id a, b;
    bool is_begin;
} crn_contact_event;

#ifdef __cplusplus
}
#endif
#endif
