/* A plot as an SVG picture: axes with ticks, lines and marks, fitted power laws, a legend.
 * Light and dark on a screen by itself, black on white on paper; marks and dashes tell curves apart without colour. */
#ifndef CAIRN_CLI_SVG_PLOT_H
#define CAIRN_CLI_SVG_PLOT_H

#include <stdbool.h>
#include <stdio.h>

enum { CLI_COLORS = 6 }; /* of the palette, chosen to be told apart by colour-blind eyes too */

/* One curve or cloud. Points that are not finite, or not positive on a logarithmic axis, are left out. */
typedef struct cli_series {
    const char *name;
    const double *x, *y;
    int count;
    int color;       /* 0 .. CLI_COLORS-1; the mark's shape and, on paper, the line's dashes follow it */
    bool is_dashed;  /* dashed, with hollow marks: for figures that somebody else published */
    bool is_scatter; /* marks only; faint unless there is a fit */
    bool has_fit;    /* y = c x^p, drawn thin, p in the legend */
    bool is_plain;   /* a thin line with a few marks: for hundreds of points */
} cli_series;

typedef struct cli_plot {
    const char *title, *x_label, *y_label;
    bool is_log_x, is_log_y;
    const double *x_ticks; /* NULL: chosen */
    int x_tick_count;
    const cli_series *series;
    int count;
} cli_plot;

/* The least-squares fit of log y = log c + p log x over the points with x, y > 0. False if there are fewer than two. */
bool cli_fit_power(const double *x, const double *y, int count, double *p, double *c);

/* Write the picture as one <svg> element that stands alone. */
void cli_plot_write(const cli_plot *plot, FILE *file);

/* What every picture begins with: the element and its colours. Classes s0, s1, ... are the palette's. */
void cli_svg_begin(FILE *file, int width, int height, const char *title);
void cli_svg_end(FILE *file);

/* Text with &, < and > made harmless, for SVG and HTML. */
void cli_svg_text(FILE *file, const char *text);

#endif
