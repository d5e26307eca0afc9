/* Where the solution of a step starts: from the last step's impulses, matched by shapes and key; in later rounds of a kick from
 * what the round before found, where it had the contact. */
#include "math/rigid.h"
#include "step/tendons.h"

static int compare(const crn_step_contacts *x, int i, const crn_step_contacts *y, int j)
{
    const crn_step_pair *a = &x->pair[i], *b = &y->pair[j];
    if (a->shape_a != b->shape_a) {
        return a->shape_a < b->shape_a ? -1 : 1;
    }
    if (a->shape_b != b->shape_b) {
        return a->shape_b < b->shape_b ? -1 : 1;
    }
    uint32_t p = x->contact[i].key, q = y->contact[j].key;
    return (p > q) - (p < q);
}

/* A vector along normal and tangents. */
static void resolve(const crn_contact_point *point, crn_vec3 v, double *to)
{
    to[0] = crn_v3_dot(v, crn_v3_of(point->normal));
    to[1] = crn_v3_dot(v, crn_v3_of(point->t1));
    to[2] = crn_v3_dot(v, crn_v3_of(point->t2));
}

static void start_contact(crn_step_problem *p, int i, const crn_step_contacts *from, int j)
{
    resolve(&p->point[i], from->pair[j].start, p->start_impulse + 3 * i);
    resolve(&p->point[i], from->contact[j].velocity, p->start_u + 3 * i);
    p->start_u[3 * i] += p->point[i].offset[0];
    p->start[i] = (crn_contact_state){from->contact[j].kind, from->pair[j].corner};
}

void crn_step_last_start(const crn_stepper *s, int i, double *impulse)
{
    int match = s->now.pair[i].match;
    resolve(&s->problem.point[i], match >= 0 ? s->last.pair[match].start : crn_v3(0.0, 0.0, 0.0), impulse);
}

static void start_at_zero(crn_step_problem *p, int i)
{
    for (int k = 0; k < 3; ++k) {
        p->start_impulse[3 * i + k] = p->start_u[3 * i + k] = 0.0;
    }
    p->start[i] = (crn_contact_state){0};
}

void crn_step_match(crn_stepper *s)
{
    for (int i = 0; i < s->now.contacts; ++i) {
        s->now.pair[i].match = -1;
    }
    for (int i = 0, j = 0; i < s->now.contacts && j < s->last.contacts;) {
        int order = compare(&s->now, i, &s->last, j);
        if (order == 0) {
            s->now.pair[i].match = j;
        }
        i += order <= 0;
        j += order >= 0;
    }
}

void crn_step_start(crn_stepper *s)
{
    crn_step_problem *p = &s->problem;
    for (int i = 0, j = 0; i < s->now.contacts; ++i) {
        int order = 1;
        while (j < s->round.contacts && (order = compare(&s->now, i, &s->round, j)) > 0) {
            ++j;
        }
        if (order == 0) {
            start_contact(p, i, &s->round, j);
        } else if (s->now.pair[i].match >= 0) {
            start_contact(p, i, &s->last, s->now.pair[i].match);
        } else {
            start_at_zero(p, i);
        }
    }
    for (int i = 0; i < s->limits + s->forest.stops; ++i) {
        start_at_zero(p, s->now.contacts + i); /* stops stay there */
    }
    for (int i = 0; i < s->limits; ++i) {
        int at = s->now.contacts + i;
        p->start_impulse[3 * at] = *crn_step_limit_impulse(s, &s->limit[i]);
        p->start[at].kind = p->start_impulse[3 * at] > 0.0 ? CRN_CONTACT_ON : CRN_CONTACT_OFF;
    }
    for (int i = 0; i < s->rows; ++i) {
        p->start_row[i] = s->rows == s->last_rows ? s->last_row[i] : 0.0;
    }
}
