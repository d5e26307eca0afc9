/* The path as the caller's trace sees it: changes of states, in the caller's numbers. */
#include "contact/states_path.h"

#include "math/vec.h"

/* What a contact, or a bounded row, does now. A row that is turned round and off is at its upper bound. */
static crn_contact_state shown(const crn_states *s, int i)
{
    const crn_touch *touch = &s->touch[i];
    if (i < s->contacts) {
        return crn_states_shown(touch);
    }
    bool is_upper = touch->kind == CRN_CONTACT_OFF && s->bound[i - s->contacts].sign < 0.0;
    return (crn_contact_state){touch->kind, is_upper ? 1 : 0};
}

static double progress(const crn_states *s)
{
    return s->z0_first > 0.0 ? crn_min(crn_max(1.0 - s->z0 / s->z0_first, 0.0), 1.0) : 0.0;
}

static void tell(crn_states *s, int i, crn_contact_state after, double how_far, int ties)
{
    const crn_states_trace *trace = &s->trace;
    crn_contact_change change = {.before = s->told[i], .after = after, .progress = how_far, .ties = ties};
    change.contact =
        i < s->contacts ? trace->contact_of[i] : trace->contacts + trace->row_of[s->bound[i - s->contacts].row];
    s->told[i] = after;
    trace->tell(trace->user, &change);
}

static bool is_told(const crn_states *s, int i, crn_contact_state state)
{
    return s->told[i].kind == state.kind && s->told[i].corner == state.corner;
}

void crn_states_begin_trace(crn_states *s, const crn_states_trace *trace)
{
    s->trace = *trace;
    for (int i = 0; i < s->n; ++i) {
        s->told[i] = (crn_contact_state){i < s->contacts ? CRN_CONTACT_OFF : CRN_CONTACT_ON, 0};
    }
}

void crn_states_tell_path(crn_states *s)
{
    s->z0_first = s->z0;
    for (int i = 0; i < s->n; ++i) {
        crn_contact_state now = shown(s, i);
        if (!is_told(s, i, now)) {
            tell(s, i, now, 0.0, 0);
        }
    }
}

void crn_states_tell_pivot(crn_states *s, int contact, int ties)
{
    tell(s, contact, shown(s, contact), progress(s), ties);
}

void crn_states_tell_answer(crn_states *s, const crn_contact_state *state)
{
    for (int i = 0; i < s->contacts; ++i) {
        if (!is_told(s, i, state[i])) {
            tell(s, i, state[i], 1.0, 0);
        }
    }
}
