/* A solver note as JSON; the words are those of docs/guide/recordings.md. */
#include "sim_note.h"

/* A comma before every item but the first. */
static void separate(text_buffer *text, int i)
{
    text_put(text, i > 0 ? "," : "");
}

static void put_ints(text_buffer *text, int count, const int *value)
{
    text_put(text, "[");
    for (int i = 0; i < count; ++i) {
        separate(text, i);
        text_put_int(text, value[i]);
    }
    text_put(text, "]");
}

static void put_directions(text_buffer *text, const crn_contact_problem *problem)
{
    text_put(text, ",\"directions\":[");
    for (int i = 0; i < problem->contacts; ++i) {
        separate(text, i);
        text_put_int(text, problem->contact[i].directions);
    }
    text_put(text, "]");
}

static void put_impulses(text_buffer *text, const char *key, int contacts, const double *impulse)
{
    text_put(text, ",\"");
    text_put(text, key);
    text_put(text, "\":[");
    for (int i = 0; i < contacts; ++i) {
        text_put(text, i > 0 ? ",[" : "[");
        for (int k = 0; k < 3; ++k) {
            separate(text, k);
            text_put_real(text, impulse[3 * i + k]);
        }
        text_put(text, "]");
    }
    text_put(text, "]");
}

/* "outcome": ..., "certificate": ..., "events": [ */
static void open_events(text_buffer *text, crn_lcp_outcome outcome, double certificate)
{
    text_put(text, "\"outcome\":\"");
    text_put(text, crn_lcp_outcome_name(outcome));
    text_put(text, "\",\"certificate\":");
    text_put_real(text, certificate);
    text_put(text, ",\"events\":[");
}

static void close_events(text_buffer *text, int events)
{
    text_put(text, "],\"isCut\":");
    text_put(text, events > NOTE_EVENTS_MAX ? "true}" : "false}");
}

static int kept(int events)
{
    return events < NOTE_EVENTS_MAX ? events : NOTE_EVENTS_MAX;
}

static void put_change(text_buffer *text, const crn_contact_change *c)
{
    const int words[5] = {c->contact, c->before.kind, c->before.corner, c->after.kind, c->after.corner};
    text_put(text, "[");
    for (int k = 0; k < 5; ++k) {
        text_put_int(text, words[k]);
        text_put(text, ",");
    }
    text_put_real(text, c->progress);
    text_put(text, ",");
    text_put_int(text, c->ties);
    text_put(text, "]");
}

static void put_pivot(text_buffer *text, const crn_lcp_event *e)
{
    const int words[3] = {(int)e->kind, e->entering, e->leaving};
    text_put(text, "[");
    for (int k = 0; k < 3; ++k) {
        text_put_int(text, words[k]);
        text_put(text, ",");
    }
    text_put_real(text, e->cover);
    text_put(text, ",");
    text_put_int(text, e->ties);
    text_put(text, ",");
    text_put_int(text, e->depth);
    text_put(text, "]");
}

static void put_states(text_buffer *text, const sim_note *note)
{
    text_put(text, ",\"states\":{");
    open_events(text, note->states.outcome, note->states.certificate.relative);
    for (int i = 0; i < kept(note->changes); ++i) {
        separate(text, i);
        put_change(text, &note->change[i]);
    }
    close_events(text, note->changes);
}

static void put_lcp(text_buffer *text, const sim_note *note)
{
    text_put(text, ",\"lcp\":{\"n\":");
    text_put_int(text, note->order);
    text_put(text, ",");
    open_events(text, note->lcp.outcome, note->lcp.certificate.relative);
    for (int i = 0; i < kept(note->pivots); ++i) {
        separate(text, i);
        put_pivot(text, &note->pivot[i]);
    }
    close_events(text, note->pivots);
}

void sim_note_put(sim_note *note)
{
    text_buffer *text = &note->buffer;
    const int contacts = note->problem.contacts;
    text_clear(text);
    text_put(text, "{\"contact\":");
    put_ints(text, contacts, note->contact);
    put_directions(text, &note->problem);
    text_put(text, ",\"rows\":");
    text_put_int(text, note->problem.rows);
    put_states(text, note);
    if (note->order > 0) {
        put_lcp(text, note);
    }
    if (note->states.outcome == CRN_LCP_SOLVED) {
        put_impulses(text, "vertex", contacts, note->impulse);
        if (note->even.outcome == CRN_LCP_SOLVED) {
            put_impulses(text, "even", contacts, note->even_impulse);
        }
        text_put(text, ",\"redundant\":");
        text_put_int(text, note->uniqueness.redundant);
    }
    text_put(text, "}");
}
