/* Solver notes: their text is JSON of the right sizes, their impulses move the bodies alike, and the simulation does not
 * notice that they are written. */
#include "../../apps/cli/sim_note.h"

#include "gallery_worlds.h"
#include "test_support.h"

#include <jansson.h>
#include <math.h>

/* --- Worlds --- */

static crn_world *world_of(const char *name)
{
    crn_model *model = NULL;
    crn_world *world = NULL;
    crn_error error = {.status = CRN_OK};
    crn_status status = crn_gallery_world(name, &model, &error);
    if (status == CRN_OK) {
        status = crn_world_create_from(model, NULL, &world, &error);
    }
    TEST_CHECK(status == CRN_OK, "%s: %s", name, error.text);
    crn_model_destroy(model);
    return world;
}

static double step_of(const crn_world *world)
{
    return crn_world_definition(world)->dt;
}

static void step(crn_world *world)
{
    crn_error error = {.status = CRN_OK};
    crn_status status = crn_world_step(world, step_of(world), NULL, &error);
    TEST_CHECK(status == CRN_OK, "%s", error.text);
}

static void write_note(sim_note *note, const crn_world *world)
{
    crn_error error = {.status = CRN_OK};
    crn_status status = sim_note_write(note, world, &error);
    TEST_CHECK(status == CRN_OK, "%s", error.text);
}

/* --- The text --- */

static json_t *member(json_t *object, const char *key)
{
    json_t *value = json_object_get(object, key);
    TEST_CHECK(value != NULL, "no \"%s\"", key);
    return value;
}

static void check_events(json_t *part, size_t width, int events)
{
    json_t *list = member(part, "events");
    size_t kept = (size_t)(events < NOTE_EVENTS_MAX ? events : NOTE_EVENTS_MAX);
    assert_int_equal(json_array_size(list), kept);
    assert_int_equal(json_is_true(member(part, "isCut")), events > NOTE_EVENTS_MAX);
    for (size_t i = 0; i < kept; ++i) {
        json_t *event = json_array_get(list, i);
        assert_int_equal(json_array_size(event), width);
        for (size_t k = 0; k < width; ++k) {
            assert_true(json_is_number(json_array_get(event, k)));
        }
    }
}

static void check_impulses(json_t *list, int contacts, const double *impulse)
{
    assert_int_equal(json_array_size(list), (size_t)contacts);
    for (int i = 0; i < contacts; ++i) {
        json_t *triple = json_array_get(list, (size_t)i);
        assert_int_equal(json_array_size(triple), 3);
        for (int k = 0; k < 3; ++k) {
            double written = json_number_value(json_array_get(triple, (size_t)k)), meant = impulse[3 * i + k];
            TEST_CHECK(fabs(written - meant) <= 1e-5 * fabs(meant), "impulse %d.%d: %g for %g", i, k, written, meant);
        }
    }
}

/* Unknowns of the LCP as the viewer counts them: theta, phi, lambda, rows. */
static int order_of(json_t *directions, int rows)
{
    int order = rows;
    for (size_t i = 0; i < json_array_size(directions); ++i) {
        int d = (int)json_integer_value(json_array_get(directions, i));
        order += d > 0 ? d + 2 : 1;
    }
    return order;
}

/* What a note points to is where the problem has it. */
static void check_places(const sim_note *note, const crn_world *world, json_t *list)
{
    int count, found = 0;
    const crn_contact *contact = crn_world_contacts(world, &count);
    assert_int_equal(json_array_size(list), (size_t)note->problem.contacts);
    for (int i = 0; i < note->problem.contacts; ++i) {
        int at = (int)json_integer_value(json_array_get(list, (size_t)i));
        assert_in_range(at + 1, 0, count);
        if (at >= 0) {
            assert_true(contact[at].point.x == note->problem.contact[i].position[0]);
            assert_true(contact[at].normal.z == note->problem.contact[i].normal[2]);
            ++found;
        }
    }
    assert_int_equal(found, count); /* every contact of the frame is in the problem; limits have no index */
}

static void check_text(const sim_note *note, const crn_world *world)
{
    json_error_t reason;
    json_t *root = json_loads(note->text, 0, &reason);
    TEST_CHECK(root != NULL, "%s in %s", reason.text, note->text);
    const int contacts = note->problem.contacts, rows = (int)json_integer_value(member(root, "rows"));
    json_t *states = member(root, "states"), *lcp = json_object_get(root, "lcp");
    check_places(note, world, member(root, "contact"));
    assert_int_equal(json_array_size(member(root, "directions")), (size_t)contacts);
    assert_int_equal(rows, note->problem.rows);
    check_events(states, 7, note->changes);
    assert_string_equal(json_string_value(member(states, "outcome")), crn_lcp_outcome_name(note->states.outcome));
    int order = order_of(member(root, "directions"), rows);
    assert_int_equal(lcp != NULL, order <= NOTE_ORDER_MAX);
    if (lcp != NULL) {
        assert_int_equal(json_integer_value(member(lcp, "n")), order);
        assert_string_equal(json_string_value(member(lcp, "outcome")), crn_lcp_outcome_name(note->lcp.outcome));
        check_events(lcp, 6, note->pivots);
    }
    if (note->states.outcome == CRN_LCP_SOLVED) {
        check_impulses(member(root, "vertex"), contacts, note->impulse);
        check_impulses(member(root, "even"), contacts, note->even_impulse);
        assert_int_equal(json_integer_value(member(root, "redundant")), note->uniqueness.redundant);
    }
    json_decref(root);
}

/* --- The impulses --- */

enum { BODIES_MAX = 64, DOF_MAX = 512 };

/* n, t1, t2 of a contact on a body, as an impulse of its velocities; sign: +1 on a, -1 on b. */
static void add_geometry(const crn_contact_body *body, const crn_contact_point *c, const double *r, double sign,
                         double *push)
{
    double force[3], arm[3];
    for (int k = 0; k < 3; ++k) {
        force[k] = sign * (r[0] * c->normal[k] + r[1] * c->t1[k] + r[2] * c->t2[k]);
        arm[k] = c->position[k] - body->com[k];
    }
    for (int k = 0; k < 3; ++k) {
        int l = (k + 1) % 3, m = (k + 2) % 3;
        push[k] += arm[l] * force[m] - arm[m] * force[l];
        push[3 + k] += force[k];
    }
}

static void add_jacobian(int dof, const double *jacobian, int columns, const double *r, double *push)
{
    for (int j = 0; j < columns; ++j) {
        for (int k = 0; k < dof; ++k) {
            push[k] += jacobian[k + j * dof] * r[j];
        }
    }
}

/* The impulse on all velocities of bodies that are not planar: equal ones move the bodies alike, for masses are regular. */
static void push_of(const crn_contact_problem *p, const double *impulse, const double *row, double *push)
{
    int start[BODIES_MAX + 1] = {0};
    assert_true(p->bodies <= BODIES_MAX);
    for (int b = 0; b < p->bodies; ++b) {
        assert_true(p->body[b].kind != CRN_MASS_PLANAR);
        start[b + 1] = start[b] + p->body[b].dof;
    }
    assert_true(start[p->bodies] <= DOF_MAX);
    memset(push, 0, DOF_MAX * sizeof *push);
    for (int i = 0; i < p->contacts; ++i) {
        const crn_contact_point *c = &p->contact[i];
        const double *jacobian[2] = {c->jacobian_a, c->jacobian_b};
        for (int side = 0; side < 2; ++side) {
            int b = side == 0 ? c->a : c->b;
            if (b >= 0 && jacobian[side] != NULL) {
                add_jacobian(p->body[b].dof, jacobian[side], c->directions > 0 ? 3 : 1, impulse + 3 * i,
                             push + start[b]);
            } else if (b >= 0) {
                add_geometry(&p->body[b], c, impulse + 3 * i, side == 0 ? 1.0 : -1.0, push + start[b]);
            }
        }
    }
    for (int i = 0; i < p->rows; ++i) {
        if (p->row[i].a >= 0) {
            add_jacobian(p->body[p->row[i].a].dof, p->row[i].jacobian_a, 1, row + i, push + start[p->row[i].a]);
        }
        if (p->row[i].b >= 0) {
            add_jacobian(p->body[p->row[i].b].dof, p->row[i].jacobian_b, 1, row + i, push + start[p->row[i].b]);
        }
    }
}

/* Both certify, and both move the bodies alike. */
static void check_motion(const sim_note *note, double *worst)
{
    const crn_contact_problem *p = &note->problem;
    const double *impulse[2] = {note->impulse, note->even_impulse}, *row[2] = {note->row, note->even_row};
    crn_contact_certificate c[2];
    crn_workspace workspace = {0};
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(crn_contact_certify(p, NULL, impulse[i], row[i], &workspace, &c[i], NULL), CRN_OK);
        *worst = fmax(*worst, c[i].relative);
    }
    crn_workspace_free(&workspace);
    double push[2][DOF_MAX], largest = 0.0;
    for (int i = 0; i < 2; ++i) {
        push_of(p, impulse[i], row[i], push[i]);
    }
    for (int k = 0; k < DOF_MAX; ++k) {
        largest = fmax(largest, fabs(push[0][k]));
    }
    for (int k = 0; k < DOF_MAX; ++k) {
        TEST_CHECK(fabs(push[0][k] - push[1][k]) <= 1e-7 * largest, "velocity %d is pushed by %g and %g", k, push[0][k],
                   push[1][k]);
    }
}

/* --- Tests --- */

/* Rigid bodies with polygons and round cones, trees with limits, mechanisms with joints. */
static const char *const scenes[] = {"hoist", "ring2", "humanoid", "table-8", "stack-10", "box-on-floor"};
enum { SCENES = sizeof scenes / sizeof scenes[0] };

static void notes_are_json_of_the_right_sizes(void **state)
{
    (void)state;
    for (int s = 0; s < SCENES; ++s) {
        crn_world *world = world_of(scenes[s]);
        sim_note note = {.text = NULL};
        write_note(&note, world);
        assert_null(note.text); /* nothing was solved yet */
        int notes = 0, solved = 0, lcp = 0, lcp_solved = 0;
        double worst = 0.0, seconds = 0.0;
        size_t longest = 0;
        for (int k = 0; k < 120; ++k) {
            step(world);
            double begin = crn_seconds();
            write_note(&note, world);
            if (note.text != NULL) {
                seconds += crn_seconds() - begin;
                check_text(&note, world);
                ++notes;
                longest = note.buffer.length > longest ? note.buffer.length : longest;
                lcp += note.order > 0;
                lcp_solved += note.order > 0 && note.lcp.outcome == CRN_LCP_SOLVED;
                if (note.states.outcome == CRN_LCP_SOLVED) {
                    ++solved;
                    check_motion(&note, &worst);
                }
            }
        }
        print_message("%-14s %3d notes, %3d solved, %3d of %3d LCPs; worst certificate %.1e; %.0f us a note, up to %zu "
                      "bytes\n",
                      scenes[s], notes, solved, lcp_solved, lcp, worst, 1e6 * seconds / notes, longest);
        assert_true(notes > 0 && solved == notes);
        assert_true(worst <= 1e-9);
        sim_note_free(&note);
        crn_world_destroy(world);
    }
}

static void a_simulation_does_not_notice(void **state)
{
    (void)state;
    for (int s = 0; s < SCENES; ++s) {
        crn_world *with = world_of(scenes[s]), *without = world_of(scenes[s]);
        sim_note note = {.text = NULL};
        for (int k = 0; k < 60; ++k) {
            step(with);
            step(without);
            write_note(&note, with);
            assert_true(crn_world_hash(with) == crn_world_hash(without));
        }
        sim_note_free(&note);
        crn_world_destroy(with);
        crn_world_destroy(without);
    }
}

/* Warm, a note takes no memory but where the problem is larger than ever before. */
static void memory_is_used_again(void **state)
{
    (void)state;
    crn_world *world = world_of("table-8");
    sim_note note = {.text = NULL};
    for (int k = 0; k < 40; ++k) {
        step(world);
        write_note(&note, world);
    }
    const void *buffer = note.buffer.data, *numbers = note.numbers, *workspace = note.workspace.data;
    for (int k = 0; k < 40; ++k) {
        write_note(&note, world);
    }
    assert_true(note.buffer.data == buffer && note.numbers == numbers && note.workspace.data == workspace);
    sim_note_free(&note);
    assert_null(note.text);
    crn_world_destroy(world);
}

/* A stack of 100 boxes has 400 contacts: no note, and no complaint. */
static void too_many_contacts_have_no_note(void **state)
{
    (void)state;
    crn_world *world = world_of("stack-100");
    sim_note note = {.text = NULL};
    step(world);
    write_note(&note, world);
    int contacts;
    (void)crn_world_contacts(world, &contacts);
    assert_true(contacts > NOTE_CONTACTS_MAX);
    assert_null(note.text);
    sim_note_free(&note);
    crn_world_destroy(world);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(notes_are_json_of_the_right_sizes),
        cmocka_unit_test(a_simulation_does_not_notice),
        cmocka_unit_test(memory_is_used_again),
        cmocka_unit_test(too_many_contacts_have_no_note),
    };
    return TEST_RUN(tests, argc, argv);
}
