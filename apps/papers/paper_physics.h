/* Scenes with a known answer: what each is, what is right, and how ours is found. */
#ifndef CAIRN_CLI_PAPER_PHYSICS_H
#define CAIRN_CLI_PAPER_PHYSICS_H

#include "paper_scene.h"

/* What came out, and whether it is right. */
typedef struct physics_answer {
    bool is_right;
    char got[200];
} physics_answer;

typedef struct physics_case {
    const char *what, *scene; /* of the gallery */
    const char *right;        /* by mechanics */
    const char *aim;
    bool (*measure)(paper *p, physics_answer *answer); /* false: a call or a step failed, p->error */
} physics_case;

/* A group of them that is measured in one way. */
typedef struct physics_group {
    const char *how;
    const physics_case *cases;
    int count;
} physics_group;

extern const physics_group physics_friction, physics_support, physics_hits, physics_joints;

/* answer->got by printf; returns true, for the end of a measurement. */
bool physics_got(physics_answer *answer, bool is_right, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* Plots of a group, after its rows; false if a step failed. */
bool physics_plot_friction(paper *p);
bool physics_plot_joints(paper *p);

#endif
