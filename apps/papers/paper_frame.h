/* What `cairn-papers enzenhofer` measures on one shape of frame, and a picture of one frame. */
#ifndef CAIRN_CLI_PAPER_FRAME_H
#define CAIRN_CLI_PAPER_FRAME_H

#include "paper.h"

enum { FRAME_LEGS_MAX = 64, FRAME_TRIANGLES_MAX = 6 };

/* All loads and orders of a frame with so many legs. */
typedef struct frame_study {
    int legs;
    bool is_regular;
    int loads, loads_inside; /* lines of action, and those that meet the ground inside the feet */
    int lemke_solved, states_solved;
    int most_support;    /* legs with an impulse, at most */
    int least_triangles; /* of feet round the line of action, at least, over the loads inside */
    double mean_triangles;
    int murty_solved, murty_singular, murty_other;
    int orders, order_supports; /* orders of the legs tried, and how many different sets of legs Lemke chose */
    double order_w;             /* largest difference of w over the orders, relative to the largest |q| */
    double order_even;          /* largest difference of the even impulses, relative to the load */
    double central_even;        /* largest difference to W/n of the even impulses, central load, regular; relative */
    int even_solved, even_runs;
} frame_study;

/* Measure; loads and orders say how many. False if something broke (p->error). */
bool frame_measure(paper *p, int loads, int orders, frame_study *study);

/* A frame from above: its feet, the line of action, legs chosen by Lemke in several orders, and the even impulses. */
typedef struct frame_picture {
    const char *title;
    int legs;
    double x[FRAME_LEGS_MAX], y[FRAME_LEGS_MAX], load_x, load_y;
    int triangles, triangle[FRAME_TRIANGLES_MAX][3]; /* -1: fewer than three legs */
    double even[FRAME_LEGS_MAX];                     /* shares of the load */
} frame_picture;

bool frame_take_picture(paper *p, int legs, bool is_regular, double load_x, double load_y, frame_picture *picture);
void frame_draw(FILE *file, const void *what); /* what: a frame_picture */

#endif
