/* A row with |l| <= c in the interior point: two half-lines  [M92].
 *
 *     p = c + l >= 0  complementary to  s_p >= 0,     q = c - l >= 0  complementary to  s_q >= 0,     B'v + offset = s_p - s_q
 *
 * With right-hand sides c_p, c_q for the products and e = s_p - s_q - (B'v + offset)
 *
 *     p ds_p + s_p dl = c_p,   q ds_q - s_q dl = c_q,   B'dv = e + ds_p - ds_q
 *     dl = A (e + c_p/p - c_q/q - B'dv),      A = 1/(s_p/p + s_q/q)
 *
 * (with a proximal term, which is left in e, A = 1/(s_p/p + s_q/q + delta/kappa)), so the row adds A B B' to the matrix. p and q are kept apart: c - l would lose what is left of q near the bound. */
#include "contact/body_box.h"

#include <math.h>

#include "math/vec.h"
#include "math/vec3.h"

/* Row i with p, the distance to its lower bound, or with q to the upper one; the products are the energy. */
static crn_body_box_state place(int row, double c, bool is_lower, double distance, double energy)
{
    double p = is_lower ? distance : 2.0 * c - distance, q = is_lower ? 2.0 * c - distance : distance;
    return (crn_body_box_state){.row = row, .p = p, .q = q, .sp = energy / p, .sq = energy / q};
}

/* A row that its bound could stop begins in the middle, as if it had no bound; one that moves on begins near the bound
 * that its speed e asks for. */
static crn_body_box_state begin_cold(const crn_body_system *s, int row, double e, double energy)
{
    double c = s->bound[row], speed = fabs(e);
    bool is_stopped = c * s->delta[s->contacts + row] >= speed || c * speed <= energy;
    return place(row, c, e > 0.0, is_stopped ? c : energy / (speed + 0.5 * energy / c), energy);
}

/* Near the impulse l and the speed e: with p of its nearer bound, s - delta p as l and e have it and s p = energy. */
static crn_body_box_state begin_near(const crn_body_system *s, int row, double l, double e, double energy)
{
    double c = s->bound[row], delta = s->delta[s->contacts + row];
    bool is_lower = l <= 0.0;
    double x = crn_max(is_lower ? e : -e, 0.0) - delta * (c - fabs(l)), root = sqrt(x * x + 4.0 * delta * energy);
    double big = 0.5 * (fabs(x) + root), slack = x > 0.0 ? big : delta * energy / big;
    return place(row, c, is_lower, crn_min(energy / slack, c), energy);
}

void crn_body_box_start(crn_bodies *b, bool is_near, double g)
{
    const crn_body_system *s = &b->system;
    double energy = s->contacts > 0 ? 0.0 : g * g; /* the mean product of the contacts: all are centred alike */
    for (int i = 0; i < s->contacts && s->bounded > 0; ++i) {
        energy += crn_dot3(b->cone[i].s, b->cone[i].z) / s->contacts;
    }
    for (int i = 0, k = 0; i < s->rows && k < s->bounded; ++i) {
        int at = 3 * s->contacts + i;
        if (s->bound[i] < INFINITY) {
            crn_body_box_state *x = &b->box[k++];
            *x = is_near ? begin_near(s, i, b->r[at], b->u[at], energy) : begin_cold(s, i, b->u[at], energy);
            b->r[at] = 0.5 * (x->p - x->q);
        }
    }
}

double crn_body_box_look(crn_bodies *b)
{
    double worst = 0.0;
    for (int k = 0; k < b->system.bounded; ++k) {
        crn_body_box_state *x = &b->box[k];
        x->e = x->sp - x->sq - b->u[3 * b->system.contacts + x->row];
        worst = crn_max(worst, b->system.row_factor[x->row] * fabs(x->e));
    }
    return worst;
}

void crn_body_box_weigh(crn_bodies *b)
{
    const crn_body_system *s = &b->system;
    for (int k = 0; k < s->bounded; ++k) {
        const crn_body_box_state *x = &b->box[k];
        b->weight[x->row] = 1.0 / (x->sp / x->p + x->sq / x->q + s->delta[s->contacts + x->row] / b->kappa);
    }
}

void crn_body_box_ask(crn_bodies *b, double change, bool from_products, bool with_second)
{
    for (int k = 0; k < b->system.bounded; ++k) {
        crn_body_box_state *x = &b->box[k];
        x->cp = change - (from_products ? x->p * x->sp : 0.0) - (with_second ? x->dl * x->dsp : 0.0);
        x->cq = change - (from_products ? x->q * x->sq : 0.0) + (with_second ? x->dl * x->dsq : 0.0);
    }
}

void crn_body_box_forget(crn_bodies *b)
{
    for (int k = 0; k < b->system.bounded; ++k) {
        b->box[k].dl = b->box[k].dsp = b->box[k].dsq = 0.0;
    }
}

void crn_body_box_force(crn_bodies *b, bool with_residuals)
{
    for (int k = 0; k < b->system.bounded; ++k) {
        const crn_body_box_state *x = &b->box[k];
        double e = with_residuals ? x->e : 0.0;
        b->p[3 * b->system.contacts + x->row] = b->weight[x->row] * (e + x->cp / x->p - x->cq / x->q);
    }
}

void crn_body_box_step(crn_bodies *b, bool with_residuals)
{
    for (int k = 0; k < b->system.bounded; ++k) {
        crn_body_box_state *x = &b->box[k];
        double e = with_residuals ? x->e : 0.0;
        x->dl = b->weight[x->row] * (e + x->cp / x->p - x->cq / x->q - b->w[3 * b->system.contacts + x->row]);
        x->dsp = (x->cp - x->sp * x->dl) / x->p;
        x->dsq = (x->cq + x->sq * x->dl) / x->q;
    }
}

double crn_body_box_gap(const crn_bodies *b, double t)
{
    double sum = 0.0;
    for (int k = 0; k < b->system.bounded; ++k) {
        const crn_body_box_state *x = &b->box[k];
        sum += (x->p + t * x->dl) * (x->sp + t * x->dsp) + (x->q - t * x->dl) * (x->sq + t * x->dsq);
    }
    return sum;
}

static double until_zero(double x, double rate, double limit)
{
    return rate < 0.0 ? crn_min(limit, -x / rate) : limit;
}

double crn_body_box_way(const crn_bodies *b, double limit)
{
    for (int k = 0; k < b->system.bounded; ++k) {
        const crn_body_box_state *x = &b->box[k];
        limit = until_zero(x->p, x->dl, limit);
        limit = until_zero(x->q, -x->dl, limit);
        limit = until_zero(x->sp, x->dsp, limit);
        limit = until_zero(x->sq, x->dsq, limit);
    }
    return limit;
}

bool crn_body_box_is_inside(const crn_bodies *b, double t)
{
    for (int k = 0; k < b->system.bounded; ++k) {
        const crn_body_box_state *x = &b->box[k];
        if (!(x->p + t * x->dl > 0.0 && x->q - t * x->dl > 0.0 && x->sp + t * x->dsp > 0.0 &&
              x->sq + t * x->dsq > 0.0)) {
            return false;
        }
    }
    return true;
}

void crn_body_box_move(crn_bodies *b, double t)
{
    for (int k = 0; k < b->system.bounded; ++k) {
        crn_body_box_state *x = &b->box[k];
        x->p += t * x->dl;
        x->q -= t * x->dl;
        x->sp += t * x->dsp;
        x->sq += t * x->dsq;
        b->r[3 * b->system.contacts + x->row] += t * x->dl;
    }
}
