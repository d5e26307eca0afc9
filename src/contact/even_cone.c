/* Projections on the cones of contacts whose slip is known.
 *
 * Sticking on a polygon, the nearest point to (a, b), b_j = d_j'g_t, of {phi >= 0, sum phi <= mu theta} is
 *
 *     theta = a + mu lambda,   phi_j = max(0, b_j - lambda),   0 <= lambda  complementary to  mu theta - sum phi >= 0
 *
 * lambda is the root of  sum max(0, b_j - lambda) - mu a - mu^2 lambda,  decreasing and convex: Newton's method from the
 * left ends after finitely many steps. Corners come in opposite pairs and lambda >= 0, so of each pair only the positive
 * b_j matters. A slider has the equation  sum phi = mu theta  on one or two corners, and lambda of any sign.
 *
 * With the corners in use I, m of them, the derivative is a projector: diag(1, 1_I), or with the cone's bound active that
 * minus c c'/(m + mu^2), c = (-mu, 1_I). S is its image under r = E (theta, phi). The round cone is taken in the metric of
 * r itself: outside of it and of its polar, alpha = (g_n + mu |g_t|)/(1 + mu^2), r = alpha (1, mu t), t = g_t/|g_t|. */
#include "contact/even_cone.h"

#include <math.h>
#include <string.h>

#include "math/vec.h"

/* S += f * x x' */
static void add_square(double f, const double *x, double *S)
{
    S[0] += f * x[0] * x[0];
    S[1] += f * x[0] * x[1];
    S[2] += f * x[0] * x[2];
    S[3] += f * x[1] * x[1];
    S[4] += f * x[1] * x[2];
    S[5] += f * x[2] * x[2];
}

static void clear(double *x, int count)
{
    for (int k = 0; k < count; ++k) {
        x[k] = 0.0;
    }
}

static void project_normal(const double *g, double *r, double *S)
{
    r[0] = crn_max(g[0], 0.0);
    if (S) {
        S[0] = g[0] > 0.0 ? 1.0 : 0.0;
    }
}

/* The ray through v = (1, mu t). */
static void project_ray(double mu, const double *t, const double *g, double *r, double *S)
{
    double v[3] = {1.0, mu * t[0], mu * t[1]}, square = 1.0 + mu * mu;
    double s = (g[0] + v[1] * g[1] + v[2] * g[2]) / square;
    if (s > 0.0) {
        for (int k = 0; k < 3; ++k) {
            r[k] = s * v[k];
        }
        if (S) {
            add_square(1.0 / square, v, S);
        }
    }
}

static void project_pair(const crn_face *face, const double *g, double *r, double *S)
{
    const double *t = face->t, *other = face->t + 2;
    double mu = face->mu, weight = 2.0 + mu * mu;
    double b[2] = {t[0] * g[1] + t[1] * g[2], other[0] * g[1] + other[1] * g[2]};
    double lambda = (b[0] + b[1] - mu * g[0]) / weight;
    double phi[2] = {b[0] - lambda, b[1] - lambda};
    if (phi[0] <= 0.0 || phi[1] <= 0.0) { /* one of the two rays that bound the face, or its tip */
        project_ray(mu, b[0] >= b[1] ? t : other, g, r, S);
        return;
    }
    r[0] = g[0] + mu * lambda;
    r[1] = phi[0] * t[0] + phi[1] * other[0];
    r[2] = phi[0] * t[1] + phi[1] * other[1];
    if (S) {
        const double e[3] = {1.0, 0.0, 0.0}, x[3] = {0.0, t[0], t[1]}, y[3] = {0.0, other[0], other[1]};
        const double c[3] = {-mu, t[0] + other[0], t[1] + other[1]};
        add_square(1.0, e, S);
        add_square(1.0, x, S);
        add_square(1.0, y, S);
        add_square(-1.0 / weight, c, S);
    }
}

/* |b_j| of pair j, and the sign that makes it positive. */
static double pair_value(const crn_face *face, const double *g, int j, double *sign)
{
    double b = face->corner[2 * j] * g[1] + face->corner[2 * j + 1] * g[2];
    *sign = b < 0.0 ? -1.0 : 1.0;
    return fabs(b);
}

/* The root lambda >= 0; -1 if the point of the face is its tip. */
static double polygon_lambda(const crn_face *face, const double *g)
{
    double mu = face->mu, lambda = 0.0, sign;
    int before = -1;
    for (;;) {
        double sum = -mu * g[0];
        int count = 0;
        for (int j = 0; j < face->half; ++j) {
            double b = pair_value(face, g, j, &sign);
            if (b > lambda) {
                sum += b;
                ++count;
            }
        }
        if (lambda == 0.0 && sum <= 0.0) {
            return 0.0;
        }
        if (count == 0) {
            return -1.0;
        }
        if (count == before) { /* the corners in use only become fewer: the same number is the same set */
            return lambda;
        }
        before = count;
        lambda = crn_max(sum / (count + mu * mu), lambda);
    }
}

static void project_polygon(const crn_face *face, const double *g, double *r, double *S)
{
    double lambda = polygon_lambda(face, g), mu = face->mu;
    double c[3] = {-mu, 0.0, 0.0}, e[3] = {1.0, 0.0, 0.0}, sign;
    int count = 0;
    if (lambda < 0.0 || (lambda == 0.0 && g[0] <= 0.0)) {
        return;
    }
    r[0] = g[0] + mu * lambda;
    for (int j = 0; j < face->half; ++j) {
        double b = pair_value(face, g, j, &sign);
        if (b > lambda) {
            double x[3] = {0.0, sign * face->corner[2 * j], sign * face->corner[2 * j + 1]};
            r[1] += (b - lambda) * x[1];
            r[2] += (b - lambda) * x[2];
            c[1] += x[1];
            c[2] += x[2];
            ++count;
            if (S) {
                add_square(1.0, x, S);
            }
        }
    }
    if (S) {
        add_square(1.0, e, S);
        if (lambda > 0.0) {
            add_square(-1.0 / (count + mu * mu), c, S);
        }
    }
}

static void project_round(double mu, const double *g, double *r, double *S)
{
    const double axis[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    double length = sqrt(g[1] * g[1] + g[2] * g[2]);
    if (length <= mu * g[0]) {
        memcpy(r, g, 3 * sizeof *r);
        for (int k = 0; S && k < 3; ++k) {
            add_square(1.0, axis[k], S);
        }
    } else if (mu * length > -g[0]) {
        double t[2] = {g[1] / length, g[2] / length};
        double alpha = (g[0] + mu * length) / (1.0 + mu * mu);
        double d[3] = {1.0, mu * t[0], mu * t[1]}, across[3] = {0.0, -t[1], t[0]};
        for (int k = 0; k < 3; ++k) {
            r[k] = alpha * d[k];
        }
        if (S) {
            add_square(1.0 / (1.0 + mu * mu), d, S);
            add_square(mu * alpha / length, across, S);
        }
    }
}

void crn_face_project(const crn_face *face, const double *g, double *r, double *S)
{
    clear(r, 3);
    if (S) {
        clear(S, 6);
    }
    switch (face->kind) {
    case CRN_FACE_NORMAL: project_normal(g, r, S); break;
    case CRN_FACE_RAY: project_ray(face->mu, face->t, g, r, S); break;
    case CRN_FACE_PAIR: project_pair(face, g, r, S); break;
    case CRN_FACE_POLYGON: project_polygon(face, g, r, S); break;
    case CRN_FACE_ROUND:
    default: project_round(face->mu, g, r, S); break;
    }
}

void crn_face_inside(const crn_face *face, double *S)
{
    const double mu = face->mu, *t = face->t;
    double r[3], on_ray[3] = {1.0, mu * t[0], mu * t[1]}, on_pair[3] = {2.0, mu * (t[0] + t[2]), mu * (t[1] + t[3])};
    const double up[3] = {1.0, 0.0, 0.0};
    switch (face->kind) {
    case CRN_FACE_RAY: crn_face_project(face, on_ray, r, S); break;
    case CRN_FACE_PAIR: crn_face_project(face, on_pair, r, S); break;
    case CRN_FACE_POLYGON: /* one corner of every pair */
        clear(S, 6);
        add_square(1.0, up, S);
        for (int j = 0; j < face->half; ++j) {
            const double x[3] = {0.0, face->corner[2 * j], face->corner[2 * j + 1]};
            add_square(1.0, x, S);
        }
        break;
    case CRN_FACE_NORMAL:
    case CRN_FACE_ROUND:
    default: crn_face_project(face, up, r, S); break;
    }
}
