/* A frame from above, twice: legs that Lemke chooses, and the even impulses. */
#include "paper_frame.h"

#include "svg_plot.h"

#include <math.h>

enum { WIDTH = 860, HEIGHT = 430, PANEL = 410, RADIUS = 138 };

typedef struct panel {
    double x, y, scale;
} panel;

static double at_x(const panel *a, double x)
{
    return a->x + a->scale * x;
}

static double at_y(const panel *a, double y)
{
    return a->y - a->scale * y; /* y points up */
}

/* Distance of the farthest foot from the centre. */
static double reach_of(const frame_picture *picture)
{
    double reach = 0.0;
    for (int i = 0; i < picture->legs; ++i) {
        reach = fmax(reach, hypot(picture->x[i], picture->y[i]));
    }
    return reach;
}

/* Feet in the order of their angle, so that the outline does not cross itself. */
static void draw_outline(FILE *file, const panel *a, const frame_picture *picture)
{
    fputs("<path class=\"g\" style=\"fill:var(--rule);fill-opacity:.35;stroke:var(--soft)\" d=\"", file);
    for (int i = 0; i < picture->legs; ++i) {
        fprintf(file, "%c%.1f %.1f", i ? 'L' : 'M', at_x(a, picture->x[i]), at_y(a, picture->y[i]));
    }
    fputs("z\"/>\n", file);
}

/* The line of action goes through the ground here. */
static void draw_load(FILE *file, const panel *a, const frame_picture *picture)
{
    double x = at_x(a, picture->load_x), y = at_y(a, picture->load_y);
    fprintf(file,
            "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"7\" style=\"fill:var(--paper);stroke:var(--ink);stroke-width:2\"/>", x,
            y);
    fprintf(file, "<path d=\"M%.1f %.1fl8 8m0 -8l-8 8\" style=\"stroke:var(--ink);stroke-width:2\"/>\n", x - 4.0,
            y - 4.0);
}

static void draw_triangle(FILE *file, const panel *a, const frame_picture *picture, int k)
{
    fprintf(file,
            "<path class=\"s%d\" style=\"fill:var(--c);fill-opacity:.13;stroke:var(--c);stroke-width:2.2;"
            "stroke-linejoin:round\" d=\"",
            k % CLI_COLORS);
    for (int c = 0; c < 3; ++c) {
        int foot = picture->triangle[k][c];
        if (foot >= 0) {
            fprintf(file, "%c%.1f %.1f", c ? 'L' : 'M', at_x(a, picture->x[foot]), at_y(a, picture->y[foot]));
        }
    }
    fputs("z\"/>\n", file);
}

static void draw_feet(FILE *file, const panel *a, const frame_picture *picture)
{
    for (int i = 0; i < picture->legs; ++i) {
        double length = hypot(picture->x[i], picture->y[i]);
        double out = (a->scale * length + 18.0) / (a->scale * length);
        fprintf(file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4.5\" style=\"fill:var(--ink)\"/>", at_x(a, picture->x[i]),
                at_y(a, picture->y[i]));
        fprintf(file, "<text class=\"n\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%d</text>\n",
                at_x(a, out * picture->x[i]), at_y(a, out * picture->y[i]) + 4.5, i + 1);
    }
}

/* Discs whose area is the leg's share of the load, with the share beside them, away from the centre. */
static void draw_shares(FILE *file, const panel *a, const frame_picture *picture)
{
    const double largest = 46.0; /* radius of a disc that carries everything */
    const double gap = 9.0, sideways = 0.4;
    for (int i = 0; i < picture->legs; ++i) {
        double share = fmax(picture->even[i], 0.0), r = largest * sqrt(share);
        double x = at_x(a, picture->x[i]), y = at_y(a, picture->y[i]);
        double length = hypot(x - a->x, y - a->y), dx = (x - a->x) / length, dy = (y - a->y) / length;
        const char *anchor = dx > sideways ? "start" : dx < -sideways ? "end" : "middle";
        double rise = fabs(dx) > sideways ? gap : gap + 6.0; /* above and below a disc the text has its own height */
        fprintf(file,
                "<circle class=\"s3\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" style=\"fill:var(--c);fill-opacity:.3;"
                "stroke:var(--c);stroke-width:2\"/>",
                x, y, r);
        fprintf(file, "<text class=\"n\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%.1f\u2009%%</text>\n",
                x + (r + gap) * dx, y + (r + rise) * dy + 4.5, anchor, 100.0 * share);
    }
}

void frame_draw(FILE *file, const void *what)
{
    const frame_picture *picture = what;
    double scale = RADIUS / reach_of(picture);
    panel left = {0.5 * PANEL + 10.0, 0.5 * HEIGHT + 32.0, scale};
    panel right = {1.5 * PANEL + 30.0, 0.5 * HEIGHT + 32.0, scale};
    cli_svg_begin(file, WIDTH, HEIGHT, picture->title);
    fprintf(file, "<text class=\"t\" x=\"24\" y=\"28\">");
    cli_svg_text(file, picture->title);
    fprintf(file, "</text>\n<text x=\"24\" y=\"50\">Lemke: %d%s different choices of legs in 60 orders</text>\n",
            picture->triangles, picture->triangles == FRAME_TRIANGLES_MAX ? " or more" : "");
    fprintf(file, "<text x=\"%d\" y=\"50\">even impulses: the same in every order</text>\n", PANEL + 40);
    draw_outline(file, &left, picture);
    for (int k = 0; k < picture->triangles; ++k) {
        draw_triangle(file, &left, picture, k);
    }
    draw_feet(file, &left, picture);
    draw_load(file, &left, picture);
    draw_outline(file, &right, picture);
    draw_shares(file, &right, picture);
    draw_load(file, &right, picture);
    cli_svg_end(file);
}
