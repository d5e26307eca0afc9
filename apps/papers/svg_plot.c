/* A plot as an SVG picture. */
#include "svg_plot.h"

#include <math.h>

enum { WIDTH = 860, HEIGHT = 430, LEFT = 76, RIGHT = 610, TOP = 40, BOTTOM = 372, LEGEND_X = 632, LEGEND_STEP = 24 };

static const double edge = 0.04; /* empty share of an axis at both ends */

/* --- What all pictures share --- */

void cli_svg_text(FILE *file, const char *text)
{
    for (const char *c = text; *c != '\0'; ++c) {
        switch (*c) {
        case '&': fputs("&amp;", file); break;
        case '<': fputs("&lt;", file); break;
        case '>': fputs("&gt;", file); break;
        default: fputc(*c, file); break;
        }
    }
}

/* Colours of the palette. */
static void write_palette(FILE *file, const char *const *colors)
{
    for (int i = 0; i < CLI_COLORS; ++i) {
        fprintf(file, ".crn .s%d{--c:%s}", i, colors[i]);
    }
    fputc('\n', file);
}

/* On paper all is black, and lines differ by their dashes. */
static void write_paper_style(FILE *file)
{
    static const char *const black[CLI_COLORS] = {"#000", "#000", "#000", "#000", "#000", "#000"};
    static const char *const dashes[CLI_COLORS] = {"none", "9 3", "2 2.5", "9 3 2 3", "5 2", "12 3 2 3 2 3"};
    fputs("@media print{.crn{--ink:#000;--soft:#000;--rule:#ccc;--paper:#fff}\n", file);
    write_palette(file, black);
    for (int i = 0; i < CLI_COLORS; ++i) {
        fprintf(file, ".crn .s%d .l{stroke-dasharray:%s;stroke-width:1.5;stroke-linecap:butt}", i, dashes[i]);
    }
    fputs("\n.crn .l.d{stroke-dasharray:3 4;stroke-width:1;--c:#555}.crn .f{opacity:1;stroke-width:.7;--c:#777}}\n",
          file);
}

void cli_svg_begin(FILE *file, int width, int height, const char *title)
{
    static const char *const light[CLI_COLORS] = {"#c2410c", "#1d64c8", "#0f8a5f", "#9333b8", "#8a6d00", "#5b6472"};
    static const char *const dark[CLI_COLORS] = {"#ff9b6a", "#7db3ff", "#4fd1a1", "#d69bf2", "#e3c34a", "#a9b3c1"};
    fprintf(file,
            "<svg class=\"crn\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\">\n<title>",
            width, height);
    cli_svg_text(file, title);
    fputs("</title>\n<style>\n"
          ".crn{--ink:#1c2330;--soft:#5a6475;--rule:#dfe3ea;--paper:#ffffff;font-family:system-ui,-apple-system,"
          "'Segoe UI',Roboto,'DejaVu Sans',sans-serif;font-size:13px}\n",
          file);
    write_palette(file, light);
    fputs("@media screen and (prefers-color-scheme:dark){"
          ".crn{--ink:#e8ecf3;--soft:#a3adbd;--rule:#323a47;--paper:#171b22}\n",
          file);
    write_palette(file, dark);
    fputs("}\n.crn text{fill:var(--soft)}.crn .t{fill:var(--ink);font-weight:600;font-size:15px}\n"
          ".crn .n{fill:var(--ink)}.crn .g{stroke:var(--rule);stroke-width:1;fill:none}\n"
          ".crn .a{stroke:var(--soft);stroke-width:1;fill:none}\n"
          ".crn .l{stroke:var(--c);stroke-width:2.2;fill:none;stroke-linejoin:round;stroke-linecap:round}\n"
          ".crn .d{stroke-dasharray:7 5;stroke-width:1.6}.crn .q{stroke-width:1.5}\n"
          ".crn .f{stroke:var(--c);stroke-width:1;fill:none;opacity:.55;stroke-dasharray:2 3}\n"
          ".crn .m{fill:var(--c);stroke:var(--paper);stroke-width:1.2}\n"
          ".crn .h{fill:var(--paper);stroke:var(--c);stroke-width:1.6}\n"
          ".crn .p{fill:var(--c);opacity:.45}\n",
          file);
    write_paper_style(file);
    fprintf(file, "</style>\n<rect width=\"%d\" height=\"%d\" rx=\"10\" style=\"fill:var(--paper)\"/>\n", width,
            height);
}

void cli_svg_end(FILE *file)
{
    fputs("</svg>\n", file);
}

bool cli_fit_power(const double *x, const double *y, int count, double *p, double *c)
{
    double sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
    int used = 0;
    for (int i = 0; i < count; ++i) {
        if (x[i] > 0.0 && y[i] > 0.0 && isfinite(x[i]) && isfinite(y[i])) {
            double u = log(x[i]), v = log(y[i]);
            sx += u;
            sy += v;
            sxx += u * u;
            sxy += u * v;
            ++used;
        }
    }
    double spread = used * sxx - sx * sx;
    if (used < 2 || !(spread > 0.0)) {
        return false;
    }
    *p = (used * sxy - sx * sy) / spread;
    *c = exp((sy - *p * sx) / used);
    return true;
}

/* --- Axes --- */

typedef struct axis {
    bool is_log;
    double low, high; /* of the data, logarithms if is_log */
    double from, to;  /* of the picture */
} axis;

static bool is_drawable(const axis *a, double value)
{
    return isfinite(value) && (!a->is_log || value > 0.0);
}

static double place(const axis *a, double value)
{
    double v = a->is_log ? log10(value) : value;
    return a->from + (a->to - a->from) * (v - a->low) / (a->high - a->low);
}

static axis fit_axis(const cli_plot *plot, bool is_x, double from, double to)
{
    axis a = {is_x ? plot->is_log_x : plot->is_log_y, (double)INFINITY, -(double)INFINITY, from, to};
    for (int s = 0; s < plot->count; ++s) {
        for (int i = 0; i < plot->series[s].count; ++i) {
            double value = is_x ? plot->series[s].x[i] : plot->series[s].y[i];
            if (is_drawable(&a, value)) {
                double v = a.is_log ? log10(value) : value;
                a.low = fmin(a.low, v);
                a.high = fmax(a.high, v);
            }
        }
    }
    if (!(a.low <= a.high)) {
        a.low = 0.0;
        a.high = 1.0;
    }
    a.low = a.is_log ? a.low : fmin(a.low, 0.0);
    double margin = a.high > a.low ? edge * (a.high - a.low) : 0.5;
    a.high += margin;
    a.low -= a.is_log ? margin : 0.0;
    return a;
}

/* Up to five significant digits, thousands apart by a thin space; small and large powers of ten as such. */
static void write_number(FILE *file, double value)
{
    const double small = 1e-4, large = 1e6;                        /* beyond these, zeros are hard to count */
    double power = value > 0.0 ? log10(value) : 0.5, slack = 1e-9; /* slack: rounding of the logarithm */
    if ((value <= small || value >= large) && fabs(power - round(power)) < slack) {
        fprintf(file, "10<tspan dy=\"-5\" font-size=\"10\">%s%d</tspan>", power < 0.0 ? "\u2212" : "",
                (int)fabs(round(power)));
    } else if (fabs(value) >= 1e4 && fabs(value) < 1e7 && value == floor(value)) {
        long long whole = (long long)value;
        if (whole >= 1000000) {
            fprintf(file, "%lld\u2009%03lld\u2009%03lld", whole / 1000000, whole / 1000 % 1000, whole % 1000);
        } else {
            fprintf(file, "%lld\u2009%03lld", whole / 1000, whole % 1000);
        }
    } else {
        fprintf(file, "%.5g", value);
    }
}

static void draw_tick(FILE *file, const axis *a, bool is_x, double value, bool has_label)
{
    double at = place(a, value);
    if (at < fmin(a->from, a->to) - 0.5 || at > fmax(a->from, a->to) + 0.5) {
        return;
    }
    if (is_x) {
        fprintf(file, "<path class=\"g\" d=\"M%.1f %dV%d\"/>", at, TOP, BOTTOM);
    } else {
        fprintf(file, "<path class=\"g\" d=\"M%d %.1fH%d\"/>", LEFT, at, RIGHT);
    }
    if (has_label) {
        fprintf(file,
                is_x ? "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">"
                     : "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">",
                is_x ? at : LEFT - 9.0, is_x ? BOTTOM + 19.0 : at + 4.5);
        write_number(file, value);
        fputs("</text>", file);
    }
    fputc('\n', file);
}

/* A step of 1, 2 or 5 times a power of ten that gives about five ticks. */
static double linear_step(double span)
{
    double rough = span / 5.0, power = pow(10.0, floor(log10(rough)));
    double lead = rough / power;
    return power * (lead < 1.5 ? 1.0 : lead < 3.5 ? 2.0 : lead < 7.5 ? 5.0 : 10.0);
}

/* Ticks that the caller chose, in increasing order; labels that would touch the one before are left out. */
static void draw_given_ticks(FILE *file, const axis *a, bool is_x, const double *given, int count)
{
    const double apart = 26.0; /* pixels between two labels */
    double last = -(double)INFINITY;
    for (int i = 0; i < count; ++i) {
        double at = place(a, given[i]);
        bool has_label = fabs(at - last) >= apart;
        draw_tick(file, a, is_x, given[i], has_label);
        last = has_label ? at : last;
    }
}

static void draw_ticks(FILE *file, const axis *a, bool is_x, const double *given, int count)
{
    static const double leads[3] = {1.0, 2.0, 5.0};
    const double many_decades = 2.2; /* from here on only powers of ten are labelled */
    const double most_labels = 12.0; /* decades; with more of them every second or third */
    if (given) {
        draw_given_ticks(file, a, is_x, given, count);
        return;
    }
    if (!a->is_log) {
        double step = linear_step(a->high - a->low);
        for (int k = (int)ceil(a->low / step); k * step <= a->high; ++k) {
            draw_tick(file, a, is_x, k * step, true);
        }
        return;
    }
    bool is_wide = a->high - a->low > many_decades;
    int every = 1 + (int)((a->high - a->low) / most_labels);
    for (int decade = (int)floor(a->low); decade <= a->high; ++decade) {
        for (int l = 0; l < (is_wide ? 1 : 3) && decade % every == 0; ++l) {
            draw_tick(file, a, is_x, leads[l] * pow(10.0, decade), true);
        }
    }
}

/* --- Curves --- */

static void draw_mark(FILE *file, const cli_series *s, double x, double y)
{
    bool is_cloud = s->is_scatter && !s->has_fit;
    const char *kind = s->is_dashed ? "h" : is_cloud ? "p" : "m";
    double r = is_cloud ? 3.2 : 4.6;
    switch (s->color % CLI_COLORS) {
    case 0:
        fprintf(file, "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>", kind, x - 0.9 * r,
                y - 0.9 * r, 1.8 * r, 1.8 * r);
        break;
    case 1:
        fprintf(file, "<path class=\"%s\" d=\"M%.1f %.1fl%.1f %.1fl%.1f %.1fl%.1f %.1fz\"/>", kind, x, y - 1.25 * r,
                1.25 * r, 1.25 * r, -1.25 * r, 1.25 * r, -1.25 * r, -1.25 * r);
        break;
    case 2:
        fprintf(file, "<path class=\"%s\" d=\"M%.1f %.1fl%.1f %.1fh%.1fz\"/>", kind, x, y - 1.2 * r, 1.2 * r, 2.1 * r,
                -2.4 * r);
        break;
    case 3: fprintf(file, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>", kind, x, y, r); break;
    case 4:
        fprintf(file, "<path class=\"%s\" d=\"M%.1f %.1fl%.1f %.1fh%.1fz\"/>", kind, x, y + 1.2 * r, 1.2 * r, -2.1 * r,
                -2.4 * r);
        break;
    default:
        fprintf(file, "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>", kind, x - 1.3 * r,
                y - 0.5 * r, 2.6 * r, r);
        break;
    }
}

static void draw_fit(FILE *file, const axis *x, const axis *y, const cli_series *s)
{
    double p, c, low = (double)INFINITY, high = 0.0;
    if (!s->has_fit || !cli_fit_power(s->x, s->y, s->count, &p, &c)) {
        return;
    }
    for (int i = 0; i < s->count; ++i) {
        if (is_drawable(x, s->x[i]) && is_drawable(y, s->y[i])) {
            low = fmin(low, s->x[i]);
            high = fmax(high, s->x[i]);
        }
    }
    fputs("<path class=\"f\" d=\"", file);
    for (int k = 0; k <= 24; ++k) {
        double at = low * pow(high / low, k / 24.0);
        fprintf(file, "%c%.1f %.1f", k ? 'L' : 'M', place(x, at), place(y, c * pow(at, p)));
    }
    fputs("\"/>\n", file);
}

static const char *line_class(const cli_series *s)
{
    return s->is_dashed ? "l d" : s->is_plain ? "l q" : "l";
}

/* A mark at every point; on a plain line a few, evenly along x, those of other colours in between. */
static void draw_marks(FILE *file, const axis *x, const axis *y, const cli_series *s)
{
    const double apart = 72.0; /* pixels between two marks of a plain line */
    bool is_sparse = s->is_plain && !s->is_scatter;
    double next = is_sparse ? x->from + apart * (0.3 + 0.7 * s->color / CLI_COLORS) : -(double)INFINITY;
    for (int i = 0; i < s->count; ++i) {
        if (is_drawable(x, s->x[i]) && is_drawable(y, s->y[i]) && place(x, s->x[i]) >= next) {
            draw_mark(file, s, place(x, s->x[i]), place(y, s->y[i]));
            next = is_sparse ? place(x, s->x[i]) + apart : next;
        }
    }
}

static void draw_series(FILE *file, const axis *x, const axis *y, const cli_series *s)
{
    bool is_first = true;
    fprintf(file, "<g class=\"s%d\">\n", s->color % CLI_COLORS);
    draw_fit(file, x, y, s);
    if (!s->is_scatter) {
        fprintf(file, "<path class=\"%s\" d=\"", line_class(s));
        for (int i = 0; i < s->count; ++i) {
            if (is_drawable(x, s->x[i]) && is_drawable(y, s->y[i])) {
                fprintf(file, "%c%.1f %.1f", is_first ? 'M' : 'L', place(x, s->x[i]), place(y, s->y[i]));
                is_first = false;
            }
        }
        fputs(is_first ? "M0 0\"/>\n" : "\"/>\n", file);
    }
    draw_marks(file, x, y, s);
    fputs("\n</g>\n", file);
}

static void draw_legend(FILE *file, const cli_plot *plot)
{
    for (int s = 0; s < plot->count; ++s) {
        const cli_series *series = &plot->series[s];
        double y = TOP + 14.0 + LEGEND_STEP * s, p, c;
        fprintf(file, "<g class=\"s%d\">", series->color % CLI_COLORS);
        if (!series->is_scatter) {
            fprintf(file, "<path class=\"%s\" d=\"M%d %.1fh30\"/>", line_class(series), LEGEND_X, y - 4.5);
        }
        draw_mark(file, series, LEGEND_X + 15.0, y - 4.5);
        fprintf(file, "</g><text class=\"n\" x=\"%d\" y=\"%.1f\">", LEGEND_X + 38, y);
        cli_svg_text(file, series->name);
        if (series->has_fit && cli_fit_power(series->x, series->y, series->count, &p, &c)) {
            fprintf(file,
                    " <tspan style=\"fill:var(--soft)\">~ x<tspan dy=\"-5\" font-size=\"10\">%.2f</tspan></tspan>", p);
        }
        fputs("</text>\n", file);
    }
}

static void draw_frame(FILE *file, const cli_plot *plot)
{
    fprintf(file, "<path class=\"a\" d=\"M%d %dV%dH%d\"/>\n", LEFT, TOP, BOTTOM, RIGHT);
    fprintf(file, "<text class=\"t\" x=\"%d\" y=\"24\">", LEFT);
    cli_svg_text(file, plot->title);
    fprintf(file, "</text>\n<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">", (LEFT + RIGHT) / 2, BOTTOM + 42);
    cli_svg_text(file, plot->x_label);
    fprintf(file, "</text>\n<text transform=\"translate(18 %d) rotate(-90)\" text-anchor=\"middle\">",
            (TOP + BOTTOM) / 2);
    cli_svg_text(file, plot->y_label);
    fputs("</text>\n", file);
}

void cli_plot_write(const cli_plot *plot, FILE *file)
{
    axis x = fit_axis(plot, true, LEFT, RIGHT);
    axis y = fit_axis(plot, false, BOTTOM, TOP);
    cli_svg_begin(file, WIDTH, HEIGHT, plot->title);
    draw_ticks(file, &x, true, plot->x_ticks, plot->x_tick_count);
    draw_ticks(file, &y, false, NULL, 0);
    draw_frame(file, plot);
    for (int s = 0; s < plot->count; ++s) {
        draw_series(file, &x, &y, &plot->series[s]);
    }
    draw_legend(file, plot);
    cli_svg_end(file);
}
