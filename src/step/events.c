/* Which bodies began or ceased to push each other: both lists of contacts are sorted by shapes, so one pass tells. */
#include "base/memory.h"
#include "step/parts.h"

/* The run of contacts of one pair of shapes from i on; whether any of them pushes. */
static int run_of(const crn_step_contacts *list, int i, bool *pushes)
{
    const crn_step_pair *first = &list->pair[i];
    *pushes = false;
    for (; i < list->contacts && list->pair[i].shape_a == first->shape_a && list->pair[i].shape_b == first->shape_b;
         ++i) {
        *pushes = *pushes || list->contact[i].kind != CRN_CONTACT_OFF;
    }
    return i;
}

static int compare(const crn_step_contacts *x, int i, const crn_step_contacts *y, int j)
{
    if (i >= x->contacts || j >= y->contacts) {
        return i < x->contacts ? -1 : 1;
    }
    const crn_step_pair *a = &x->pair[i], *b = &y->pair[j];
    int first = (a->shape_a > b->shape_a) - (a->shape_a < b->shape_a);
    return first != 0 ? first : (a->shape_b > b->shape_b) - (a->shape_b < b->shape_b);
}

static bool add(crn_stepper *s, const crn_contact *contact, bool is_begin)
{
    if (!crn_reserve(&s->allocator, (void **)&s->event, &s->event_capacity, s->events + 1, sizeof *s->event)) {
        return false;
    }
    s->event[s->events++] = (crn_contact_event){contact->a, contact->b, is_begin};
    return true;
}

crn_status crn_step_events(crn_stepper *s, crn_error *error)
{
    const crn_step_contacts *now = &s->now, *last = &s->last;
    bool is_done = true;
    for (int i = 0, j = 0; is_done && (i < now->contacts || j < last->contacts);) {
        int order = compare(now, i, last, j), first = i, before = j;
        bool pushes = false, pushed = false;
        if (order <= 0) {
            i = run_of(now, i, &pushes);
        }
        if (order >= 0) {
            j = run_of(last, j, &pushed);
        }
        if (pushes != pushed) {
            is_done = add(s, pushes ? &now->contact[first] : &last->contact[before], pushes);
        }
    }
    return is_done ? CRN_OK : crn_fail(error, CRN_ERR_MEMORY, "world: out of memory for events");
}
