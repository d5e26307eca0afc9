/* Giving back what a stepper holds. */
#include <string.h>

#include "base/memory.h"
#include "step/step_room.h"

static void free_contacts(crn_stepper *s, crn_step_contacts *contacts)
{
    crn_release(&s->allocator, contacts->contact);
    crn_release(&s->allocator, contacts->pair);
}

static void free_problem(crn_stepper *s)
{
    crn_step_problem *p = &s->problem;
    void *const block[] = {p->body,     p->body_of, p->point,       p->row,           p->velocity,
                           p->found,    p->impulse, p->u,           p->state,         p->start,
                           p->jacobian, p->start_u, p->row_impulse, p->start_impulse, p->start_row,
                           p->island,   p->change,  p->group};
    for (size_t i = 0; i < sizeof block / sizeof *block; ++i) {
        crn_release(&s->allocator, block[i]);
    }
    crn_workspace_free(&p->workspace);
}

static void free_fit(crn_stepper *s)
{
    crn_step_fit *f = &s->fit;
    void *const block[] = {f->column, f->value,  f->residual, f->image,     f->impulse, f->push,
                           f->root,   f->motion, f->gradient, f->direction, f->row};
    for (size_t i = 0; i < sizeof block / sizeof *block; ++i) {
        crn_release(&s->allocator, block[i]);
    }
}

static void free_impact(crn_stepper *s)
{
    crn_step_impact *m = &s->impact;
    void *const block[] = {m->restitution, m->first,   m->pushed,     m->pushed_row, m->row,
                           m->after_row,   m->kept,    m->compressed, m->impulse,    m->largest,
                           m->group,       m->touches, m->is_hit,     m->friction,   m->jacobian};
    for (size_t i = 0; i < sizeof block / sizeof *block; ++i) {
        crn_release(&s->allocator, block[i]);
    }
}

static void free_lazy(crn_stepper *s)
{
    crn_step_lazy *z = &s->lazy;
    void *const block[] = {z->is_in, z->index,         z->first,   z->point, z->impulse,
                           z->u,     z->start_impulse, z->start_u, z->state, z->start};
    for (size_t i = 0; i < sizeof block / sizeof *block; ++i) {
        crn_release(&s->allocator, block[i]);
    }
}

void crn_step_free(crn_stepper *s)
{
    crn_step_fell(s);
    for (int i = 0; i < s->shapes; ++i) {
        crn_shape_destroy(s->shape[i].shape);
    }
    for (int i = 0; i < s->tendons; ++i) {
        crn_release(&s->allocator, s->tendon[i].part);
        crn_release(&s->allocator, s->tendon[i].pull);
    }
    void *const block[] = {
        s->tendon,          s->body,        s->shape,       s->joint,           s->load,       s->find.item,
        s->find.item_shape, s->find.touch,  s->find.rule,   s->limit,           s->row,        s->last_row,
        s->closing,         s->event,       s->group,       s->column,          s->compress,   s->moment,
        s->find.wider,      s->seams.group, s->seams.start, s->seams.of_body,   s->find.known, s->clamp.group,
        s->clamp.of,        s->link_state,  s->find.given,  s->find.known_begin};
    for (size_t i = 0; i < sizeof block / sizeof *block; ++i) {
        crn_release(&s->allocator, block[i]);
    }
    free_contacts(s, &s->now);
    free_contacts(s, &s->last);
    free_contacts(s, &s->round);
    free_problem(s);
    free_fit(s);
    free_impact(s);
    free_lazy(s);
    crn_broad_free(&s->find.broad);
    crn_collide_scratch_free(&s->find.scratch);
    memset(s, 0, sizeof *s);
}
