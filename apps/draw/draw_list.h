/* What one picture is made of: triangles in the world, and where they are on the screen. */
#ifndef CAIRN_CLI_DRAW_LIST_H
#define CAIRN_CLI_DRAW_LIST_H

#include "draw_math.h"

#include <stdbool.h>
#include <stddef.h>

/* How a surface looks. */
typedef struct draw_paint {
    crn_vec3 colour;   /* linear light, 0 to 1 */
    bool is_flat;      /* the colour as it is, without light and shadow */
    bool is_two_sided; /* seen from behind, too: open surfaces */
    bool is_on_top;    /* not hidden by others; casts no shadow */
} draw_paint;

typedef struct draw_vertex {
    crn_vec3 at, normal; /* world */
    double x, y;         /* pixels, y down */
    double near;         /* larger is nearer, > 0, linear on the screen; perspective: a constant over the depth */
} draw_vertex;

typedef struct draw_triangle {
    int corner[3];
    int paint;
} draw_triangle;

/* Grows as needed and keeps its memory from picture to picture. */
typedef struct draw_list {
    draw_vertex *vertex;
    draw_triangle *triangle;
    int vertices, vertex_room;
    int triangles, triangle_room;
    bool is_short; /* memory ran out: something is missing */
} draw_list;

void draw_list_clear(draw_list *list);
void draw_list_free(draw_list *list);

/* Index of the new vertex; -1: no memory. */
int draw_list_vertex(draw_list *list, crn_vec3 at, crn_vec3 normal);
void draw_list_triangle(draw_list *list, int a, int b, int c, int paint);

#endif
