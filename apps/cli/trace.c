/* Pivot sequences. */
#include "trace.h"

#include <stdlib.h>

static const char *const event_names[] = {[CRN_LCP_ENTER] = "enter",
                                          [CRN_LCP_EXCHANGE] = "exchange",
                                          [CRN_LCP_BACKTRACK] = "backtrack",
                                          [CRN_LCP_RESTART] = "restart"};

static const char *const state_names[] = {[CRN_CONTACT_OFF] = "off",
                                          [CRN_CONTACT_ON] = "on",
                                          [CRN_CONTACT_SLIDE] = "slide",
                                          [CRN_CONTACT_EDGE] = "edge",
                                          [CRN_CONTACT_STICK] = "stick"};

/* --- Keeping --- */

/* Room for one more item; the block, moved or not. */
static void *grown(void *block, size_t count, size_t *capacity, size_t size, bool *is_cut)
{
    if (count < *capacity || *is_cut) {
        return block;
    }
    size_t wanted = 2 * *capacity + 64;
    void *larger = realloc(block, wanted * size);
    if (larger == NULL) {
        *is_cut = true;
        return block;
    }
    *capacity = wanted;
    return larger;
}

void cli_pivots_keep(void *user, const crn_lcp_event *event)
{
    cli_pivots *p = user;
    p->event = grown(p->event, p->count, &p->capacity, sizeof *p->event, &p->is_cut);
    if (!p->is_cut) {
        p->event[p->count++] = *event;
    }
}

void cli_changes_keep(void *user, const crn_contact_change *change)
{
    cli_changes *c = user;
    c->change = grown(c->change, c->count, &c->capacity, sizeof *c->change, &c->is_cut);
    if (!c->is_cut) {
        c->change[c->count++] = *change;
    }
}

void cli_pivots_free(cli_pivots *pivots)
{
    free(pivots->event);
    *pivots = (cli_pivots){.event = NULL};
}

void cli_changes_free(cli_changes *changes)
{
    free(changes->change);
    *changes = (cli_changes){.change = NULL};
}

/* --- Tables --- */

enum { NAME_SIZE = 24 };

/* z3, w17, cover; counted from 0. */
static const char *variable_name(int variable, int n, char name[NAME_SIZE])
{
    if (variable == 2 * n || variable < 0) {
        return variable < 0 ? "" : "cover";
    }
    (void)snprintf(name, NAME_SIZE, "%c%d", variable < n ? 'z' : 'w', variable < n ? variable : variable - n);
    return name;
}

static void print_cut(bool is_cut)
{
    if (is_cut) {
        printf("  ... no memory for more\n");
    }
}

void cli_pivots_print(const cli_pivots *pivots, int n)
{
    printf("trace        %zu events; z and w are counted from 0\n", pivots->count);
    printf("  %5s  %-9s  %-8s  %-8s  %12s  %4s\n", "depth", "event", "enters", "leaves", "cover", "ties");
    for (size_t i = 0; i < pivots->count; ++i) {
        const crn_lcp_event *e = &pivots->event[i];
        char entering[NAME_SIZE], leaving[NAME_SIZE];
        printf("  %5d  %-9s  %-8s  %-8s", e->depth, event_names[e->kind], variable_name(e->entering, n, entering),
               variable_name(e->leaving, n, leaving));
        if (e->kind == CRN_LCP_ENTER || e->kind == CRN_LCP_EXCHANGE) {
            printf("  %12.6g  %4d", e->cover, e->ties);
        }
        printf("\n");
    }
    print_cut(pivots->is_cut);
}

/* slide 3, edge 2, stick; of rows: within, lower, upper. */
static const char *state_text(crn_contact_state state, bool is_row, char name[NAME_SIZE])
{
    if (is_row) {
        return state.kind == CRN_CONTACT_ON ? "within" : state.corner == 0 ? "at -bound" : "at +bound";
    }
    bool has_corner = state.kind == CRN_CONTACT_SLIDE || state.kind == CRN_CONTACT_EDGE;
    (void)snprintf(name, NAME_SIZE, has_corner ? "%s %d" : "%s", state_names[state.kind], state.corner);
    return name;
}

void cli_changes_print(const cli_changes *changes, int contacts)
{
    printf("trace        %zu changes; contacts, rows and corners are counted from 0\n", changes->count);
    printf("  %-12s  %-9s  %-9s  %8s  %4s\n", "contact", "before", "after", "progress", "ties");
    for (size_t i = 0; i < changes->count; ++i) {
        const crn_contact_change *c = &changes->change[i];
        bool is_row = c->contact >= contacts;
        char item[NAME_SIZE], before[NAME_SIZE], after[NAME_SIZE];
        (void)snprintf(item, sizeof item, is_row ? "row %d" : "%d", is_row ? c->contact - contacts : c->contact);
        printf("  %-12s  %-9s  %-9s  %8.5f  %4d\n", item, state_text(c->before, is_row, before),
               state_text(c->after, is_row, after), c->progress, c->ties);
    }
    print_cut(changes->is_cut);
}

/* --- JSON --- */

void cli_pivots_json(const cli_pivots *pivots, cli_json *json)
{
    cli_json_open(json, "trace", '[');
    for (size_t i = 0; i < pivots->count; ++i) {
        const crn_lcp_event *e = &pivots->event[i];
        cli_json_open(json, NULL, '{');
        cli_json_string(json, "event", event_names[e->kind]);
        cli_json_int(json, "entering", e->entering);
        cli_json_int(json, "leaving", e->leaving);
        cli_json_int(json, "bound", e->bound);
        cli_json_real(json, "cover", e->cover);
        cli_json_int(json, "ties", e->ties);
        cli_json_int(json, "depth", e->depth);
        cli_json_shut(json, '}');
    }
    cli_json_shut(json, ']');
}

static void state_json(cli_json *json, const char *key, crn_contact_state state)
{
    cli_json_open(json, key, '[');
    cli_json_string(json, NULL, state_names[state.kind]);
    cli_json_int(json, NULL, state.corner);
    cli_json_shut(json, ']');
}

void cli_changes_json(const cli_changes *changes, cli_json *json)
{
    cli_json_open(json, "trace", '[');
    for (size_t i = 0; i < changes->count; ++i) {
        const crn_contact_change *c = &changes->change[i];
        cli_json_open(json, NULL, '{');
        cli_json_int(json, "contact", c->contact);
        state_json(json, "before", c->before);
        state_json(json, "after", c->after);
        cli_json_real(json, "progress", c->progress);
        cli_json_int(json, "ties", c->ties);
        cli_json_shut(json, '}');
    }
    cli_json_shut(json, ']');
}
