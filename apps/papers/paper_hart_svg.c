/* Frames of a planar world: what is solid, the bodies, a radius on each that shows how it has turned. */
#include "paper_hart.h"

#include <math.h>

enum { WIDTH = 860, EDGE = 20, GAP = 16, HEAD = 48, LABEL = 24 };

static const double degrees = 57.295779513082321;

/* A panel: the window and where it is drawn. */
typedef struct panel {
    double x0, x1, y0, y1; /* window [m] */
    double left, top;      /* of the drawing */
    double scale;
} panel;

static double at_x(const panel *a, double x)
{
    return a->left + a->scale * (x - a->x0);
}

static double at_y(const panel *a, double y)
{
    return a->top + a->scale * (a->y1 - y); /* y points up */
}

/* --- The window --- */

static panel fit_window(const hart_picture *picture)
{
    const double air = 0.03; /* of the width, above the highest body */
    panel a = {.x0 = picture->x0, .x1 = picture->x1, .y0 = picture->y0, .y1 = picture->y0};
    for (int f = 0; f < picture->frames; ++f) {
        for (int i = 0; i < picture->frame[f].bodies; ++i) {
            const hart_body *b = &picture->frame[f].body[i];
            double reach_x = hypot(b->rx * cos(b->angle), b->ry * sin(b->angle));
            double reach_y = hypot(b->rx * sin(b->angle), b->ry * cos(b->angle));
            a.x0 = fmin(a.x0, b->x - reach_x);
            a.x1 = fmax(a.x1, b->x + reach_x);
            a.y0 = fmin(a.y0, b->y - reach_y);
            a.y1 = fmax(a.y1, b->y + reach_y);
        }
    }
    a.y1 += air * (a.x1 - a.x0);
    a.scale = (WIDTH - 2 * EDGE - (picture->columns - 1) * GAP) / (picture->columns * (a.x1 - a.x0));
    return a;
}

/* --- What is solid --- */

typedef struct corner {
    double x, y;
} corner;

/* The part of the window inside a half-plane: its four sides cut one after the other [Sutherland-Hodgman]. */
static int cut_window(const panel *a, const hart_wall *wall, corner *out)
{
    const corner in[4] = {{a->x0, a->y0}, {a->x1, a->y0}, {a->x1, a->y1}, {a->x0, a->y1}};
    int count = 0;
    for (int i = 0; i < 4; ++i) {
        corner p = in[i], q = in[(i + 1) % 4];
        double dp = wall->nx * p.x + wall->ny * p.y - wall->offset, dq = wall->nx * q.x + wall->ny * q.y - wall->offset;
        if (dp <= 0.0) {
            out[count++] = p;
        }
        if ((dp <= 0.0) != (dq <= 0.0)) {
            double t = dp / (dp - dq);
            out[count++] = (corner){p.x + t * (q.x - p.x), p.y + t * (q.y - p.y)};
        }
    }
    return count;
}

static void draw_walls(FILE *file, const panel *a, const hart_frame *frame)
{
    fputs("<g style=\"fill:var(--soft);stroke:none\">", file);
    for (int w = 0; w < frame->walls; ++w) {
        corner corners[8];
        int count = cut_window(a, &frame->wall[w], corners);
        fputs(count > 0 ? "<path d=\"" : "", file);
        for (int i = 0; i < count; ++i) {
            fprintf(file, "%c%.1f %.1f", i ? 'L' : 'M', at_x(a, corners[i].x), at_y(a, corners[i].y));
        }
        fputs(count > 0 ? "z\"/>" : "", file);
    }
    fputs("</g>\n", file);
}

/* --- Bodies --- */

static void draw_bodies(FILE *file, const panel *a, const hart_frame *frame, bool is_large)
{
    fprintf(file,
            "<g class=\"s%d\" style=\"fill:var(--c);fill-opacity:.22;stroke:var(--c);stroke-width:1.2;"
            "stroke-linecap:round\">\n",
            is_large ? 0 : 1);
    for (int i = 0; i < frame->bodies; ++i) {
        const hart_body *b = &frame->body[i];
        if (b->is_large == is_large) {
            fprintf(file,
                    "<g transform=\"translate(%.2f %.2f)rotate(%.1f)\"><ellipse rx=\"%.2f\" ry=\"%.2f\"/>"
                    "<path d=\"M0 0H%.2f\"/></g>\n",
                    at_x(a, b->x), at_y(a, b->y), -degrees * b->angle, a->scale * b->rx, a->scale * b->ry,
                    a->scale * b->rx);
        }
    }
    fputs("</g>\n", file);
}

static void draw_panel(FILE *file, const panel *a, const hart_frame *frame)
{
    double width = a->scale * (a->x1 - a->x0), height = a->scale * (a->y1 - a->y0);
    draw_walls(file, a, frame);
    draw_bodies(file, a, frame, false);
    draw_bodies(file, a, frame, true);
    fprintf(file, "<rect class=\"g\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n", a->left, a->top, width,
            height);
    fprintf(file, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">t = %.4g s</text>\n", a->left + 0.5 * width,
            a->top + height + 17.0, frame->time);
}

void hart_draw(FILE *file, const void *what)
{
    const hart_picture *picture = what;
    panel a = fit_window(picture);
    double width = a.scale * (a.x1 - a.x0), height = a.scale * (a.y1 - a.y0) + LABEL;
    int rows = (picture->frames + picture->columns - 1) / picture->columns;
    cli_svg_begin(file, WIDTH, (int)ceil(HEAD + rows * height + (rows - 1) * 6.0 + 6.0), picture->title);
    fprintf(file, "<text class=\"t\" x=\"%d\" y=\"28\">", EDGE);
    cli_svg_text(file, picture->title);
    fputs("</text>\n", file);
    for (int f = 0; f < picture->frames; ++f) {
        int column = f % picture->columns, row = f / picture->columns;
        a.left = EDGE + column * (width + GAP);
        a.top = HEAD + row * (height + 6.0);
        draw_panel(file, &a, &picture->frame[f]);
    }
    cli_svg_end(file);
}
