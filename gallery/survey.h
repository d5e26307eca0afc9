/* survey.h -- step a world and judge every step from outside: is it finite, is energy gained, do joints hold, does anything
 * overlap, what did the step say of itself?
 *
 * Energy. E = kinetic + potential of gravity + springs of joints, with the velocities that the world shows. E(0) is taken from
 * poses and velocities right after crn_world_create_from(), which has put joints into trees: velocities of their bodies
 * are then those that the joints allow. A step exceeds if
 *
 *     E(t) > E(0) + work + tolerance * scale,      work = sum of loads, motors, driven bodies, repair > 0 of the ledger
 *
 * A world is closed if nothing works on it: no loads, motors, applied forces of joints or driven bodies. Worlds that are
 * not closed are judged only if their steps fill the ledger. */
#ifndef CAIRN_GALLERY_SURVEY_H
#define CAIRN_GALLERY_SURVEY_H

#include <stdio.h>

#include <cairn/world.h>

enum { CRN_SURVEY_NAME = 48, CRN_SURVEY_TEXT = 160 };

/** What a world is like, and how it went. No pointers: it can be sent through a pipe. */
typedef struct crn_survey {
    char name[CRN_SURVEY_NAME];
    /* --- the world --- */
    int bodies;                    /* free ones */
    int joints;                    /* that hold something */
    int loops, rows, springs;      /* joints that close a loop; that must be rows; that have springs */
    bool is_planar, is_closed;     /* closed: see above */
    bool has_restitution;          /* of any shape */
    bool has_friction;             /* likewise */
    bool has_overlap, has_gravity; /* overlap: at the start */
    double dt;
    double mass_ratio;    /* of the heaviest to the lightest */
    double start;         /* E(0) [J] */
    double opening_start; /* worst joint error or limit exceeded at the start [m, rad] */
    double overlap_start; /* of the smaller body's radius */
    /* --- the run --- */
    crn_status status; /* of the step that failed; CRN_OK: all went */
    char text[CRN_SURVEY_TEXT];
    int steps;
    bool is_finite, is_judged; /* states and energy; was energy judged? */
    int exceeded;              /* steps that end above the bound */
    int raised;                /* of them: higher above it than any step before */
    int exceeded_certified;    /* of those that exceed: the step says that it is certified */
    int first;                 /* the first step that exceeds; -1: none */
    double excess;             /* the largest (E - E(0) - work) / scale */
    double ratio;    /* the largest E - E(0) - work, of the energy at hand, which is K(0) + springs + m g size */
    double repaired; /* sum of repair > 0, of the scale */
    crn_step_stats at_first; /* of that step */
    int verdict[CRN_VERDICT_COUNT];
    int unsolved, other_law, relaxed, bounced, touching; /* steps; touching: some contact pushes */
    int overlapping; /* steps that end with an overlap; the first 20 do not count if there was one at the start */
    double overlap;  /* the largest, beyond the world's repair tolerance, of the smaller body's radius */
    int open;        /* steps that end with a joint open */
    double opening;  /* the largest [m, rad] */
    double aslant;   /* of a planar world: how far a body has left the plane [radii, rad] */
    double unexplained, momentum, angular; /* of the ledger, the largest of their scales */
    bool has_ledger;                       /* some step has filled it */
    double seconds, slowest;               /* of steps; of the slowest */
} crn_survey;

extern const double crn_survey_energy_tolerance;  /* of the scale of energies */
extern const double crn_survey_overlap_tolerance; /* of the smaller body's radius */
extern const double crn_survey_joint_tolerance;   /* [m, rad] */

/** Make a world from the model, take steps of the model's dt, and judge them. log: a line per step; NULL: none. Fails only
 *  if the world cannot be made; a step that fails ends the run and is told in status and text. */
crn_status crn_survey_run(const crn_model *model, int steps, FILE *log, crn_survey *survey, crn_error *error);

#endif
