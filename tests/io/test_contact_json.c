/* Contact JSON: both kinds against values on paper, defaults, every way to be wrong, written and read back to the bit over
 * the gallery, other forms of the same problem, failing allocations. */
#include "io/io_room.h"

#include "gallery.h"
#include "test_allocator.h"
#include "test_support.h"

#include <math.h>
#include <unistd.h>

static crn_status parse(const char *text, crn_contact_data *data, crn_error *error)
{
    crn_io_source source = {.name = "p.json", .text = text, .size = strlen(text)};
    return crn_io_parse_contact_json(&source, NULL, data, error);
}

static void parse_good(const char *text, crn_contact_data *data)
{
    crn_error error = {CRN_OK, ""};
    crn_status status = parse(text, data, &error);
    TEST_CHECK(status == CRN_OK, "%s", error.text);
}

static void expect_reals(const double *found, size_t count, const double *wanted)
{
    for (size_t i = 0; i < count; ++i) {
        TEST_CHECK(found[i] == wanted[i], "number %zu: %.17g instead of %.17g", i, found[i], wanted[i]);
    }
}

/* --- Rigid --- */

#define BODY_0                                                                                 \
    "{\"mass\": 2, \"inertia_world\": [[1, 0, 0], [0, 4, 0], [0, 0, 8]], \"com\": [1, 2, 3], " \
    "\"velocity\": [10, 20, 30, 40, 50, 60]}"
#define BODY_1 "{\"mass\": 0.5, \"inertia_world\": [[2, 1, 0], [1, 2, 0], [0, 0, 1]], \"com\": [0, 0, 0]}"
#define CONTACT_0                                                                                                \
    "{\"a\": 0, \"b\": -1, \"point\": [1, 2, 0], \"normal\": [0, 0, 1], \"t1\": [0, 1, 0], \"t2\": [-1, 0, 0], " \
    "\"mu\": 0.3, \"gap\": 0.02}"
#define CONTACT_1 \
    "{\"a\": -1, \"b\": 1, \"point\": [0, 0, 1], \"normal\": [0.6, 0, 0.8], \"d\": 4, \"offset\": [1, 2, 3]}"
#define ROW \
    "{\"a\": 0, \"b\": 1, \"jacobian_a\": [1, 2, 3, 4, 5, 6], \"jacobian_b\": [7, 8, 9, 10, 11, 12], \"offset\": 9}"
#define WRENCH "[[4, 0, -8, 2, 4, 8], [0, 0, 1, 3, 0, 0]]"
#define RIGID                                                                                                      \
    "{\"kind\": \"rigid\", \"h\": 0.25, \"d\": 8, \"mu\": 0.7, \"name\": \"of no meaning\",\n\"bodies\": [" BODY_0 \
    ", " BODY_1 "],\n\"contacts\": [" CONTACT_0 ", " CONTACT_1 "],\n\"rows\": [" ROW "],\n\"wrench\": " WRENCH "}"

static void test_rigid(void **state)
{
    (void)state;
    crn_contact_data data = {0};
    parse_good(RIGID, &data);
    const crn_contact_problem *p = &data.problem;
    assert_int_equal(data.kind, CRN_CONTACT_FILE_RIGID);
    assert_true(data.h == 0.25);
    assert_int_equal(p->bodies, 2);
    assert_int_equal(p->contacts, 2);
    assert_int_equal(p->rows, 1);
    assert_int_equal(p->body[0].kind, CRN_MASS_RIGID);
    assert_true(p->body[0].mass == 2.0 && p->body[1].inertia[1] == 1.0 && p->body[0].com[2] == 3.0);

    /* Angular first, and v + h M^-1 wrench: w + 0.25 (2/1, 4/4, 8/8), v + 0.25 (4, 0, -8)/2. The torque (3, 0, 0) on the
     * second body turns it by [2 1; 1 2]^-1 (3, 0) = (2, -1). */
    expect_reals(p->velocity, 12, (const double[]){40.5, 50.25, 60.25, 10.5, 20, 29, 0.5, -0.25, 0, 0, 0, 0.5});
    expect_reals(data.velocity, 6, (const double[]){40, 50, 60, 10, 20, 30});
    expect_reals(data.wrench, 6, (const double[]){2, 4, 8, 4, 0, -8});

    const crn_contact_point *c = p->contact;
    assert_true(c[0].a == 0 && c[0].b == -1 && c[1].a == -1 && c[1].b == 1);
    expect_reals(c[0].position, 3, (const double[]){1, 2, 0});
    expect_reals(c[0].t1, 3, (const double[]){0, 1, 0});
    expect_reals(c[0].t2, 3, (const double[]){-1, 0, 0});
    expect_reals(c[1].t1, 3, (const double[]){0, 0, 0}); /* left to the library */
    assert_true(c[0].mu == 0.3 && c[1].mu == 0.7 && c[0].directions == 8 && c[1].directions == 4);
    expect_reals(c[0].offset, 3, (const double[]){0.08, 0, 0});
    expect_reals(c[1].offset, 3, (const double[]){1, 2, 3});
    assert_true(c[0].jacobian_a == NULL && data.gap[0] == 0.02 && isnan(data.gap[1]));

    assert_true(p->row[0].a == 0 && p->row[0].b == 1 && p->row[0].offset == 9.0);
    expect_reals(p->row[0].jacobian_a, 6, (const double[]){4, 5, 6, 1, 2, 3});
    expect_reals(p->row[0].jacobian_b, 6, (const double[]){10, 11, 12, 7, 8, 9});
    crn_contact_data_free(&data);
}

/* Nearly unit and nearly orthogonal directions are straightened, t2 is made of t1, an empty problem is a problem. */
static void test_defaults(void **state)
{
    (void)state;
    crn_contact_data data = {0};
    parse_good("{\"kind\": \"rigid\", \"d\": 0, \"bodies\": [" BODY_1 "], \"contacts\": [{\"a\": 0, \"b\": -1, "
               "\"point\": [0, 0, 0], \"normal\": [0.6000003, 0, 0.8000004], \"t1\": [0, 1, 5e-7]}]}",
               &data);
    const crn_contact_point *c = data.problem.contact;
    double length = c->normal[0] * c->normal[0] + c->normal[2] * c->normal[2];
    assert_true(fabs(length - 1.0) <= 4e-16 && fabs(c->normal[0] - 0.6) <= 1e-15);
    assert_true(fabs(c->normal[2] * c->t1[2] + c->normal[0] * c->t1[0]) <= 1e-16);
    assert_true(fabs(c->t2[0] + 0.8) <= 1e-6 && fabs(c->t2[2] - 0.6) <= 1e-6);
    assert_true(c->mu == 0.0 && c->offset[0] == 0.0 && data.h == 0.0 && data.wrench == NULL);
    crn_contact_data_free(&data);

    parse_good("{\"kind\": \"rigid\", \"h\": 1, \"d\": 4, \"bodies\": [], \"contacts\": []}", &data);
    assert_int_equal(data.problem.contacts, 0);
    crn_contact_data_free(&data);
}

/* --- Generalised --- */

#define GENERALIZED                                                                                    \
    "{\"kind\": \"generalized\", \"h\": 0.5, \"d\": [2, 8], \"mass_matrix\": [[2, 1], [1, 3]],\n"      \
    "\"jacobian_n_t1_t2\": [[1, 2], [3, 4], [5, 6], [7, 8], [9, 10], [11, 12]], \"mu\": [0.1, 0.2],\n" \
    "\"v_free\": [-1, -2], \"gap\": [0.5, 0], \"rows\": [[1, -1]], \"row_offset\": [4]}"

static void test_generalized(void **state)
{
    (void)state;
    crn_contact_data data = {0};
    parse_good(GENERALIZED, &data);
    const crn_contact_problem *p = &data.problem;
    assert_int_equal(data.kind, CRN_CONTACT_FILE_GENERALIZED);
    assert_int_equal(p->bodies, 1);
    assert_int_equal(p->body->kind, CRN_MASS_MATRIX);
    assert_int_equal(p->body->dof, 2);
    expect_reals(p->body->matrix, 4, (const double[]){2, 1, 1, 3});
    expect_reals(p->velocity, 2, (const double[]){-1, -2});
    assert_int_equal(p->contacts, 2);
    for (int i = 0; i < 2; ++i) {
        assert_true(p->contact[i].a == 0 && p->contact[i].b == -1);
        assert_int_equal(p->contact[i].directions, i == 0 ? 2 : 8);
        assert_true(p->contact[i].mu == (i == 0 ? 0.1 : 0.2));
    }
    expect_reals(p->contact[1].jacobian_a, 6, (const double[]){7, 8, 9, 10, 11, 12});
    assert_true(p->contact[0].offset[0] == 1.0 && p->contact[1].offset[0] == 0.0);
    assert_int_equal(p->rows, 1);
    expect_reals(p->row[0].jacobian_a, 2, (const double[]){1, -1});
    assert_true(p->row[0].offset == 4.0);
    crn_contact_data_free(&data);

    /* One d and one mu for all; offsets instead of gaps. */
    parse_good("{\"kind\": \"generalized\", \"d\": 4, \"mass_matrix\": [[2]], \"jacobian_n_t1_t2\": [[1], [0], [0]], "
               "\"mu\": 0.4, \"v_free\": [1], \"offset\": [[1, 2, 3]]}",
               &data);
    assert_true(data.problem.contact->mu == 0.4 && data.problem.contact->directions == 4);
    expect_reals(data.problem.contact->offset, 3, (const double[]){1, 2, 3});
    crn_contact_data_free(&data);
}

/* --- Wrong files --- */

typedef struct wrong {
    const char *text;
    const char *message; /* how the message must begin */
} wrong;

#define HEAD       "{\"kind\": \"rigid\", \"h\": 0.1, \"d\": 8, \"mu\": 1, \"bodies\": [" BODY_0 ", " BODY_1 "], "
#define BODIES(b)  "{\"kind\": \"rigid\", \"h\": 0.1, \"d\": 8, \"bodies\": [" b "], \"contacts\": []}"
#define CONTACT(c) HEAD "\"contacts\": [" CONTACT_0 ", {" c "}]}"
#define PLACE      "\"a\": 0, \"b\": 1, \"point\": [0, 0, 0], "
#define UP         PLACE "\"normal\": [0, 0, 1]"
#define WHOLE      "{\"kind\": \"generalized\", \"d\": 4, "
#define MASS       "\"mass_matrix\": [[2, 1], [1, 3]], "
#define JACOBIAN   "\"jacobian_n_t1_t2\": [[1, 2], [3, 4], [5, 6]], "

static const wrong wrongs[] = {
    {"", "p.json:1: syntax: "},
    {"{\"kind\": \"rigid\",\n\"h\": 0.1,,}", "p.json:2: syntax: "},
    {"{\"kind\": \"rigid\",\n\"h\": NaN}", "p.json:2: syntax: "},
    {"{\"kind\": \"rigid\",\n\"h\": 1e999}", "p.json:2: syntax: real number overflow"},
    {"{\"h\": 1,\n\"h\": 2}", "p.json:2: syntax: duplicate object key"},
    {"[1]", "p.json: not an object"},
    {"{}", "p.json: kind: missing"},
    {"{\"kind\": 3}", "p.json: kind: not a string"},
    {"{\"kind\": \"soft\"}", "p.json: kind: not 'rigid' or 'generalized'"},
    {"{\"kind\": \"rigid\"}", "p.json: bodies: missing"},
    {"{\"kind\": \"rigid\", \"bodies\": 3}", "p.json: bodies: not an array"},
    {"{\"kind\": \"rigid\", \"bodies\": []}", "p.json: contacts: missing"},
    {"{\"kind\": \"rigid\", \"h\": 0, \"bodies\": []}", "p.json: h: 0 is not positive"},
    {"{\"kind\": \"rigid\", \"h\": \"x\", \"bodies\": []}", "p.json: h: not a number"},
    {"{\"kind\": \"rigid\", \"bodys\": [], \"contact\": []}",
     "p.json: unknown key 'contact'; did you mean 'contacts'?"},
    {"{\"kind\": \"rigid\", \"Wrench\": []}", "p.json: unknown key 'Wrench'; did you mean 'wrench'?"},
    {"{\"kind\": \"rigid\", \"wrnech\": []}", "p.json: unknown key 'wrnech'; did you mean 'wrench'?"},
    {BODIES("3"), "p.json: bodies[0]: not an object"},
    {BODIES("{}"), "p.json: bodies[0].mass: missing"},
    {BODIES("{\"mass\": 0}"), "p.json: bodies[0].mass: 0 is not positive"},
    {BODIES("{\"mass\": -1}"), "p.json: bodies[0].mass: -1 is not positive"},
    {BODIES("{\"mass\": 1, \"inertia\": 3}"), "p.json: bodies[0].inertia_world: missing"},
    {BODIES("{\"mass\": 1, \"inertia_world\": [1, 2, 3]}"), "p.json: bodies[0].inertia_world[0]: not an array"},
    {BODIES("{\"mass\": 1, \"inertia_world\": [[1, 0, 0], [0, 1, 0]]}"), "p.json: bodies[0].inertia_world: 2 items"},
    {BODIES("{\"mass\": 1, \"inertia_world\": [[1, 0], [0, 1, 0], [0, 0, 1]]}"),
     "p.json: bodies[0].inertia_world[0]: 2 items, but 3 are needed"},
    {BODIES("{\"mass\": 1, \"inertia_world\": [[1, 0, \"a\"], [0, 1, 0], [0, 0, 1]]}"),
     "p.json: bodies[0].inertia_world[0][2]: not a number"},
    {BODIES("{\"mass\": 1, \"inertia_world\": [[1, 0.1, 0], [0, 1, 0], [0, 0, 1]]}"),
     "p.json: bodies[0].inertia_world: not symmetric"},
    {BODIES("{\"mass\": 1, \"inertia_world\": [[1, 2, 0], [2, 1, 0], [0, 0, 1]]}"),
     "p.json: bodies[0].inertia_world: not positive definite"},
    {BODIES("{\"mass\": 1, \"inertia_world\": [[1, 0, 0], [0, 1, 0], [0, 0, -1]]}"),
     "p.json: bodies[0].inertia_world: not positive definite"},
    {BODIES("{\"mass\": 1, \"inertia_world\": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}"), "p.json: bodies[0].com: missing"},
    {BODIES("{\"mass\": 1, \"inertia_world\": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], \"com\": [0, 0, 0], "
            "\"velocity\": [1, 2, 3]}"),
     "p.json: bodies[0].velocity: 3 items, but 6 are needed"},
    {HEAD "\"contacts\": [], \"wrench\": [[1, 2, 3, 4, 5, 6]]}", "p.json: wrench: 1 items, but 2 are needed"},
    {HEAD "\"contacts\": [], \"wrench\": [[1, 2, 3, 4, 5, 6], [1]]}", "p.json: wrench[1]: 1 items"},
    {HEAD "\"contacts\": [], \"wrench\": [[1, 2, 3, 4, 5, 6], [1e308, 0, 0, 1e308, 1e308, 1e308]]}",
     "p.json: wrench[1]: the free velocity is not finite"},
    {"{\"kind\": \"rigid\", \"bodies\": [" BODY_1 "], \"contacts\": [], \"wrench\": [[1, 2, 3, 4, 5, 6]]}",
     "p.json: h: missing, although wrench is given"},
    {CONTACT(""), "p.json: contacts[1].a: missing"},
    {CONTACT("\"a\": 2, \"b\": 0"), "p.json: contacts[1].a: 2 is not in -1 .. 1"},
    {CONTACT("\"a\": 0, \"b\": -2"), "p.json: contacts[1].b: -2 is not in -1 .. 1"},
    {CONTACT("\"a\": 0, \"b\": 0.5"), "p.json: contacts[1].b: 0.5 is not an integer"},
    {CONTACT("\"a\": 0, \"b\": 1e300"), "p.json: contacts[1].b: 1e+300 is not in"},
    {CONTACT("\"a\": 0, \"b\": 0"), "p.json: contacts[1].b: 0 is body a too"},
    {CONTACT("\"a\": -1, \"b\": -1"), "p.json: contacts[1].b: -1 is body a too"},
    {CONTACT("\"a\": 0, \"b\": 1"), "p.json: contacts[1].point: missing"},
    {CONTACT(PLACE "\"normal\": [0, 0, 1.1]"), "p.json: contacts[1].normal: not a unit vector: its length is 1.1"},
    {CONTACT(PLACE "\"normal\": [0, 0, 0]"), "p.json: contacts[1].normal: not a unit vector: its length is 0"},
    {CONTACT(PLACE "\"normal\": [0, 1]"), "p.json: contacts[1].normal: 2 items, but 3 are needed"},
    {CONTACT(UP ", \"t2\": [0, 1, 0]"), "p.json: contacts[1].t1: missing, although t2 is given"},
    {CONTACT(UP ", \"t1\": [0, 0.6, 0.8]"), "p.json: contacts[1].t1: not orthogonal to normal"},
    {CONTACT(UP ", \"t1\": [0, 1, 0], \"t2\": [0, 1, 0]"), "p.json: contacts[1].t2: not orthogonal to t1"},
    {CONTACT(UP ", \"mu\": -0.1"), "p.json: contacts[1].mu: -0.1 is negative"},
    {CONTACT(UP ", \"d\": 3"), "p.json: contacts[1].d: 3 is not 0, 2, or an even number"},
    {CONTACT(UP ", \"d\": -2"), "p.json: contacts[1].d: -2 is not in 0 .. "},
    {CONTACT(UP ", \"d\": 1000000"), "p.json: contact 1: directions"},
    {CONTACT(UP ", \"gap\": 1, \"offset\": [1, 2, 3]"), "p.json: contacts[1].offset: given beside gap"},
    {CONTACT(UP ", \"gap\": 1e308"), "p.json: contacts[1].gap: 1e+308 / h is not finite"},
    {CONTACT(UP ", \"gaps\": 1"), "p.json: contacts[1]: unknown key 'gaps'; did you mean 'gap'?"},
    {"{\"kind\": \"rigid\", \"mu\": 1, \"bodies\": [" BODY_0 "], \"contacts\": [{\"a\": 0, \"b\": -1, \"point\": [0, "
     "0, 0], \"normal\": [0, 0, 1]}]}",
     "p.json: contacts[0].d: missing"},
    {"{\"kind\": \"rigid\", \"d\": 4, \"bodies\": [" BODY_0 "], \"contacts\": [{\"a\": 0, \"b\": -1, \"point\": [0, "
     "0, 0], \"normal\": [0, 0, 1]}]}",
     "p.json: contacts[0].mu: missing"},
    {"{\"kind\": \"rigid\", \"d\": 4, \"bodies\": [" BODY_0 "], \"contacts\": [{\"a\": 0, \"b\": -1, \"point\": [0, "
     "0, 0], \"normal\": [0, 0, 1], \"mu\": 1, \"gap\": 0.1}]}",
     "p.json: contacts[0].gap: 0.1 needs the time step h"},
    {HEAD "\"contacts\": [], \"rows\": [{\"a\": 0, \"b\": 1, \"jacobian_a\": [1, 2, 3, 4, 5, 6]}]}",
     "p.json: rows[0].jacobian_b: missing"},
    {HEAD "\"contacts\": [], \"rows\": [{\"a\": 0, \"b\": -1, \"jacobian_a\": [1, 2, 3, 4, 5]}]}",
     "p.json: rows[0].jacobian_a: 5 items"},
    {WHOLE "\"v_free\": []}", "p.json: mass_matrix: missing"},
    {WHOLE "\"mass_matrix\": []}", "p.json: mass_matrix: empty"},
    {WHOLE "\"mass_matrix\": [[], [], []]}", "p.json: mass_matrix[0]: 0 items, but 3 are needed"},
    {WHOLE "\"mass_matrix\": [[1, 2], [2, 1]]}", "p.json: mass_matrix: not positive definite at row 2"},
    {WHOLE "\"mass_matrix\": [[1, 0], [0.1, 1]]}", "p.json: mass_matrix: not symmetric: entries (2, 1) and (1, 2)"},
    {WHOLE MASS "\"v_free\": [1]}", "p.json: v_free: 1 items, but 2 are needed"},
    {WHOLE MASS "\"v_free\": [1, 2]}", "p.json: jacobian_n_t1_t2: missing"},
    {WHOLE MASS "\"v_free\": [1, 2], \"jacobian_n_t1_t2\": [[1, 2]]}", "p.json: jacobian_n_t1_t2: 1 rows, but each"},
    {WHOLE MASS "\"v_free\": [1, 2], \"jacobian_n_t1_t2\": [[1, 2], [3], [4, 5]]}", "p.json: jacobian_n_t1_t2[1]: 1"},
    {WHOLE MASS JACOBIAN "\"v_free\": [1, 2]}", "p.json: mu: missing"},
    {WHOLE MASS JACOBIAN "\"v_free\": [1, 2], \"mu\": [1, 2]}", "p.json: mu: 2 items, but there are 1 contacts"},
    {WHOLE MASS JACOBIAN "\"v_free\": [1, 2], \"mu\": [-1]}", "p.json: mu[0]: -1 is negative"},
    {WHOLE MASS JACOBIAN "\"v_free\": [1, 2], \"mu\": [1], \"gap\": [1]}", "p.json: gap[0]: 1 needs the time step h"},
    {WHOLE MASS JACOBIAN "\"v_free\": [1, 2], \"mu\": [1], \"gap\": 1}", "p.json: gap: not an array"},
    {WHOLE MASS JACOBIAN "\"v_free\": [1, 2], \"mu\": [1], \"offset\": [[1, 2]]}", "p.json: offset[0]: 2 items"},
    {WHOLE MASS JACOBIAN "\"v_free\": [1, 2], \"mu\": [1], \"row_offset\": [1]}", "p.json: rows: missing, although"},
    {WHOLE MASS JACOBIAN "\"v_free\": [1, 2], \"mu\": [1], \"rows\": [[1]]}", "p.json: rows[0]: 1 items"},
    {WHOLE MASS JACOBIAN "\"v_free\": [1, 2], \"mu\": [1], \"rows\": [[1, 2]], \"row_offset\": []}",
     "p.json: row_offset: 0 items, but there are 1 rows"},
    {WHOLE MASS JACOBIAN "\"v_free\": [1, 2], \"mu\": [1], \"row_bound\": [1]}",
     "p.json: rows: missing, although row_bound"},
    {WHOLE MASS JACOBIAN "\"v_free\": [1, 2], \"mu\": [1], \"rows\": [[1, 2]], \"row_bound\": [1, 2]}",
     "p.json: row_bound: 2 items, but there are 1 rows"},
    {WHOLE MASS JACOBIAN "\"v_free\": [1, 2], \"mu\": [1], \"rows\": [[1, 2]], \"row_bound\": [-1]}",
     "p.json: row_bound[0]: -1 is negative"},
};

static void test_wrong_files(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrongs / sizeof wrongs[0]; ++i) {
        crn_contact_data data = {0};
        crn_error error = {CRN_OK, ""};
        crn_status status = parse(wrongs[i].text, &data, &error);
        TEST_CHECK(status == CRN_ERR_FORMAT, "case %zu has status %d: %s", i, (int)status, wrongs[i].message);
        TEST_CHECK(strncmp(error.text, wrongs[i].message, strlen(wrongs[i].message)) == 0,
                   "case %zu: '%s' instead of '%s'", i, error.text, wrongs[i].message);
        for (size_t k = 0; k < sizeof data.storage / sizeof data.storage[0]; ++k) {
            assert_null(data.storage[k]);
        }
    }
    crn_contact_data data = {0};
    assert_int_equal(crn_io_read_contact_json(NULL, NULL, &data, NULL), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_io_read_contact_json("p", NULL, NULL, NULL), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_io_read_contact_json("/no/such/file", NULL, &data, NULL), CRN_ERR_IO);
    assert_int_equal(crn_io_write_contact_json(NULL, &data, NULL, NULL), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_io_write_contact_json("/no/such/folder/p", &data, NULL, NULL), CRN_ERR_IO);
}

static void test_truncated_files(void **state)
{
    (void)state;
    const char *texts[] = {RIGID, GENERALIZED};
    for (size_t t = 0; t < 2; ++t) {
        for (size_t size = 0; size < strlen(texts[t]); ++size) {
            crn_io_source cut = {.name = "p.json", .text = texts[t], .size = size};
            crn_contact_data data = {0};
            crn_error error = {CRN_OK, ""};
            assert_int_equal(crn_io_parse_contact_json(&cut, NULL, &data, &error), CRN_ERR_FORMAT);
            assert_int_equal(strncmp(error.text, "p.json:", 7), 0);
        }
    }
}

static void test_failing_allocations(void **state)
{
    (void)state;
    const char *texts[] = {RIGID, GENERALIZED};
    for (size_t t = 0; t < 2; ++t) {
        crn_io_source source = {.name = "p.json", .text = texts[t], .size = strlen(texts[t])};
        crn_status status = CRN_ERR_MEMORY;
        for (long k = 1; status != CRN_OK; ++k) {
            test_allocator counter = {.fail_at = k};
            crn_allocator hooks = test_allocator_hooks(&counter);
            crn_contact_data data = {0};
            crn_error error = {CRN_OK, ""};
            status = crn_io_parse_contact_json(&source, &hooks, &data, &error);
            TEST_CHECK(status == CRN_OK || status == CRN_ERR_MEMORY, "text %zu, k %ld: %s", t, k, error.text);
            crn_contact_data_free(&data);
            assert_int_equal(counter.live, 0);
        }
    }
}

/* --- Written and read back --- */

static const char *scratch_path(char path[64])
{
    (void)snprintf(path, 64, "test_contact_%ld.json", (long)getpid());
    return path;
}

static void write_and_read(const crn_contact_data *data, crn_contact_data *again)
{
    char path[64];
    crn_error error = {CRN_OK, ""};
    crn_status status = crn_io_write_contact_json(scratch_path(path), data, NULL, &error);
    TEST_CHECK(status == CRN_OK, "%s", error.text);
    status = crn_io_read_contact_json(path, NULL, again, &error);
    TEST_CHECK(status == CRN_OK, "%s", error.text);
    (void)remove(path);
}

static void expect_bits(const double *a, const double *b, size_t count)
{
    assert_true((a == NULL) == (b == NULL));
    if (a != NULL && count > 0) {
        assert_memory_equal(a, b, count * sizeof(double));
    }
}

static void expect_same_body(const crn_contact_body *a, const crn_contact_body *b)
{
    assert_true(a->kind == b->kind && a->dof == b->dof && a->mass == b->mass);
    expect_bits(a->inertia, b->inertia, 9);
    expect_bits(a->com, b->com, 3);
    expect_bits(a->matrix, b->matrix, a->matrix != NULL ? (size_t)a->dof * (size_t)a->dof : 0);
}

static void expect_same_contact(const crn_contact_point *a, const crn_contact_point *b, size_t dof)
{
    assert_true(a->a == b->a && a->b == b->b && a->mu == b->mu && a->directions == b->directions);
    expect_bits(a->offset, b->offset, 3);
    expect_bits(a->jacobian_a, b->jacobian_a, 3 * dof);
    if (a->jacobian_a == NULL) {
        expect_bits(a->position, b->position, 3);
        expect_bits(a->normal, b->normal, 3);
        expect_bits(a->t1, b->t1, 3);
        expect_bits(a->t2, b->t2, 3);
    }
}

/* The same problem to the bit. */
static void expect_same(const crn_contact_problem *a, const crn_contact_problem *b)
{
    assert_true(a->bodies == b->bodies && a->contacts == b->contacts && a->rows == b->rows);
    size_t dof = a->bodies > 0 ? (size_t)a->body[0].dof : 0;
    for (int i = 0; i < a->bodies; ++i) {
        expect_same_body(&a->body[i], &b->body[i]);
    }
    for (int i = 0; i < a->contacts; ++i) {
        expect_same_contact(&a->contact[i], &b->contact[i], dof);
    }
    for (int i = 0; i < a->rows; ++i) {
        assert_true(a->row[i].a == b->row[i].a && a->row[i].b == b->row[i].b && a->row[i].offset == b->row[i].offset);
        expect_bits(a->row[i].jacobian_a, b->row[i].jacobian_a, dof);
        expect_bits(a->row[i].jacobian_b, b->row[i].jacobian_b, dof);
    }
    expect_bits(a->velocity, b->velocity, (size_t)crn_contact_dof(a));
}

static void test_round_trip(void **state)
{
    (void)state;
    const char *texts[] = {RIGID, GENERALIZED};
    for (size_t t = 0; t < 2; ++t) {
        crn_contact_data data = {0}, again = {0};
        parse_good(texts[t], &data);
        write_and_read(&data, &again);
        assert_int_equal(data.kind, again.kind);
        assert_true(data.h == again.h);
        expect_same(&data.problem, &again.problem);
        expect_bits(data.wrench, again.wrench, t == 0 ? 12 : 0);
        expect_bits(data.velocity, again.velocity, t == 0 ? 12 : 0);
        assert_true(data.gap[0] == again.gap[0] && isnan(data.gap[1]) == isnan(again.gap[1]));
        crn_contact_data_free(&data);
        crn_contact_data_free(&again);
    }
}

/* The assembled LCP of both must be the same: to rounding, for whitened bodies are joined in one. */
static void expect_same_lcp(const crn_contact_problem *a, const crn_contact_problem *b)
{
    int n = crn_contact_lcp_size(a);
    assert_int_equal(crn_contact_lcp_size(b), n);
    size_t size = (size_t)n;
    double *M[2], *q[2];
    crn_workspace workspace = {0};
    crn_error error = {CRN_OK, ""};
    for (int k = 0; k < 2; ++k) {
        M[k] = calloc(size * size + 1, sizeof(double));
        q[k] = calloc(size + 1, sizeof(double));
        crn_status status = crn_contact_assemble(k == 0 ? a : b, &workspace, M[k], q[k], NULL, &error);
        TEST_CHECK(status == CRN_OK, "%s", error.text);
    }
    double worst = 0.0, largest = 0.0;
    for (size_t i = 0; i < size * size; ++i) {
        worst = fmax(worst, fabs(M[0][i] - M[1][i]));
        largest = fmax(largest, fabs(M[0][i]));
    }
    for (size_t i = 0; i < size; ++i) {
        worst = fmax(worst, fabs(q[0][i] - q[1][i]));
    }
    TEST_CHECK(worst <= 1e-12 * (1.0 + largest), "the assembled problems differ by %g", worst);
    for (int k = 0; k < 2; ++k) {
        free(M[k]);
        free(q[k]);
    }
    crn_workspace_free(&workspace);
}

/* Every contact family of the gallery: bodies and mechanisms come back to the bit; whitened problems, which become
 * "generalized", give the same LCP. */
static void test_gallery(void **state)
{
    (void)state;
    enum { PROBLEMS = 3 };
    static const crn_gallery_contact_problem empty;
    int families = 0, met = 0;
    const crn_gallery_family *family = crn_gallery_families(&families);
    for (int k = 0; k < families * PROBLEMS; ++k) {
        const crn_gallery_family *f = &family[k / PROBLEMS];
        for (int form = 0; form < 2 && f->make_contact != NULL; ++form) {
            crn_gallery_contact_problem made = empty;
            crn_contact_data again = {0};
            crn_error error = {CRN_OK, ""};
            crn_status status = form == 0 ? f->make_contact(k % PROBLEMS, 7, &made, &error)
                                          : f->make_whitened(k % PROBLEMS, 7, &made, &error);
            TEST_CHECK(status == CRN_OK, "%s: %s", f->name, error.text);
            crn_contact_data data = {.problem = made.problem};
            bool is_same_kind = made.problem.bodies == 0 || made.problem.body[0].kind == CRN_MASS_RIGID ||
                                (made.problem.bodies == 1 && made.problem.body[0].kind == CRN_MASS_MATRIX);
            if (crn_contact_lcp_size(&made.problem) < 1500) {
                write_and_read(&data, &again);
                expect_same_lcp(&made.problem, &again.problem);
                if (form == 0 && is_same_kind) {
                    expect_same(&made.problem, &again.problem);
                }
                ++met;
            }
            crn_contact_data_free(&again);
            crn_gallery_contact_free(&made);
        }
    }
    print_message("%d problems\n", met);
    assert_true(met > 10);
}

/* --- Other forms --- */

static double product(const crn_cone_matrix *W, int i, const double *r)
{
    double sum = 0.0;
    for (int j = 0; j < W->columns; ++j) {
        for (int k = W->start[j]; k < W->start[j + 1]; ++k) {
            sum += W->row[k] == i ? W->value[k] * r[j] : 0.0;
        }
    }
    return sum;
}

/* For the impulses r that the library finds, u = W r + q of the local form is the contact velocity it reports. */
static void expect_same_velocities(const char *name, const crn_contact_problem *problem)
{
    crn_cone_data global = {0}, local = {0};
    crn_error error = {CRN_OK, ""};
    crn_workspace workspace = {0};
    crn_contact_result result;
    size_t n = 3 * (size_t)problem->contacts;
    double *r = calloc(n + 1, sizeof(double)), *u = calloc(n + 1, sizeof(double));
    crn_contact_solution solution = {.impulse = r, .contact_velocity = u};
    crn_status status = crn_contact_solve(problem, NULL, &workspace, &solution, &result, &error);
    TEST_CHECK(status == CRN_OK, "%s: %s", name, error.text);
    status = crn_io_contact_to_cone(problem, NULL, &global, &error);
    TEST_CHECK(status == CRN_OK, "%s: %s", name, error.text);
    assert_int_equal(crn_cone_check(&global.problem, &error), CRN_OK);
    status = crn_io_cone_to_local(&global.problem, NULL, &local, &error);
    TEST_CHECK(status == CRN_OK, "%s: %s", name, error.text);
    assert_int_equal(local.problem.dim, 3);
    for (size_t i = 0; i < n; ++i) {
        double again = product(&local.problem.W, (int)i, r) + local.problem.q[i];
        TEST_CHECK(fabs(again - u[i]) <= 1e-9 * (1.0 + fabs(local.problem.q[i])), "%s: u[%zu] is %g and %g", name, i,
                   u[i], again);
    }
    free(r);
    free(u);
    crn_cone_data_free(&global);
    crn_cone_data_free(&local);
    crn_workspace_free(&workspace);
}

static void test_cone_forms(void **state)
{
    (void)state;
    static const crn_gallery_contact_problem empty;
    static const char *const names[] = {"single", "peg", "humanoid", "frames"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; ++k) {
        const crn_gallery_family *f = crn_gallery_find(names[k]);
        TEST_CHECK(f != NULL && f->make_contact != NULL, "no family %s", names[k]);
        crn_gallery_contact_problem made = empty;
        crn_error error = {CRN_OK, ""};
        assert_int_equal(f->make_contact(1, 5, &made, &error), CRN_OK);
        expect_same_velocities(names[k], &made.problem);
        crn_gallery_contact_free(&made);
    }
}

/* Two blocks on a rail that a row holds together, in the plane. */
static void test_planar_and_rows(void **state)
{
    (void)state;
    crn_contact_data data = {0};
    crn_cone_data global = {0};
    crn_error error = {CRN_OK, ""};
    parse_good("{\"kind\": \"generalized\", \"d\": [2, 0], \"mass_matrix\": [[2, 0], [0, 4]], \"mu\": 0.5, "
               "\"jacobian_n_t1_t2\": [[1, 0], [0, 1], [0, 0], [0, 1], [1, 0], [0, 0]], \"v_free\": [3, 5], "
               "\"offset\": [[1, 2, 3], [4, 5, 6]], \"rows\": [[1, -1]], \"row_offset\": [7]}",
               &data);
    crn_status status = crn_io_contact_to_cone(&data.problem, NULL, &global, &error);
    TEST_CHECK(status == CRN_OK, "%s", error.text);
    const crn_cone_problem *p = &global.problem;
    assert_true(p->form == CRN_CONE_GLOBAL && p->dim == 2 && p->contacts == 2 && p->dof == 2 && p->rows == 1);
    expect_reals(p->mu, 2, (const double[]){0.5, 0});
    expect_reals(p->f, 2, (const double[]){6, 20});
    expect_reals(p->w, 4, (const double[]){1, 2, 4, 5});
    expect_reals(p->b, 1, (const double[]){7});
    expect_reals(p->G.value, 2, (const double[]){1, -1});
    crn_cone_data_free(&global);

    /* One contact in the plane, one in space: no friction problem has both. */
    crn_contact_point contacts[2] = {data.problem.contact[0], data.problem.contact[1]};
    contacts[1].directions = 8;
    data.problem.contact = contacts;
    assert_int_equal(crn_io_contact_to_cone(&data.problem, NULL, &global, &error), CRN_ERR_UNSUPPORTED);
    assert_null(global.storage[0]);
    crn_contact_data_free(&data);
}

/* Bounds of rows come back, in both kinds; a friction problem cannot have them. */
static void test_bounds(void **state)
{
    (void)state;
    static const char *const texts[2] = {
        "{\"kind\": \"generalized\", \"d\": 0, \"mass_matrix\": [[2, 0], [0, 4]], \"jacobian_n_t1_t2\": [], "
        "\"v_free\": [3, 5], "
        "\"rows\": [[1, -1], [1, 0], [0, 1]], \"row_offset\": [7, 8, 9], \"row_bound\": [0.25, 0, 1e300]}",
        "{\"kind\": \"rigid\", \"bodies\": [{\"mass\": 2, \"inertia_world\": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "
        "\"com\": [0, 0, 0]}], "
        "\"contacts\": [], \"rows\": [{\"a\": 0, \"b\": -1, \"jacobian_a\": [1, 0, 0, 0, 0, 0], \"offset\": 7, "
        "\"bound\": 0.25}, "
        "{\"a\": 0, \"b\": -1, \"jacobian_a\": [0, 1, 0, 0, 0, 0]}, "
        "{\"a\": -1, \"b\": 0, \"jacobian_b\": [0, 1, 0, 0, 0, 0], \"bound\": 1e300}]}"};
    for (int t = 0; t < 2; ++t) {
        crn_contact_data data = {0}, again = {0};
        crn_cone_data global = {0};
        crn_error error = {CRN_OK, ""};
        parse_good(texts[t], &data);
        write_and_read(&data, &again);
        assert_int_equal(again.problem.rows, 3);
        static const double bound[3] = {0.25, 0.0, 1e300};
        for (int i = 0; i < 3; ++i) {
            assert_true(data.problem.row[i].bound == bound[i] && again.problem.row[i].bound == bound[i]);
        }
        assert_int_equal(crn_io_contact_to_cone(&data.problem, NULL, &global, &error), CRN_ERR_UNSUPPORTED);
        assert_non_null(strstr(error.text, "row 0"));
        crn_contact_data_free(&data);
        crn_contact_data_free(&again);
    }
}

/* Planar bodies are written in generalised coordinates: the same problem. */
static void test_planar_bodies(void **state)
{
    (void)state;
    crn_contact_body body[2] = {{.kind = CRN_MASS_PLANAR, .dof = 3, .mass = 2.0, .com = {0.1, 0.5, 0.0}},
                                {.kind = CRN_MASS_PLANAR, .dof = 3, .mass = 3.0, .com = {0.0, 1.5, 0.0}}};
    body[0].inertia[8] = 0.25;
    body[1].inertia[8] = 0.5;
    crn_contact_point contact[3] = {{.a = 0, .b = -1, .position = {-0.5, 0.0, 0.0}, .mu = 0.5, .directions = 2},
                                    {.a = 0, .b = -1, .position = {0.5, 0.0, 0.0}, .mu = 0.5, .directions = 2},
                                    {.a = 1, .b = 0, .position = {0.0, 1.0, 0.0}, .mu = 0.25, .directions = 2}};
    for (int i = 0; i < 3; ++i) {
        contact[i].normal[1] = 1.0;
    }
    const double velocity[6] = {0.1, 0.2, -1.0, -0.1, 0.3, -2.0};
    crn_contact_data data = {.problem = {2, 3, 0, body, contact, NULL, velocity}}, again = {0};
    crn_cone_data global = {0};
    crn_error error = {CRN_OK, ""};
    write_and_read(&data, &again);
    assert_int_equal(again.kind, CRN_CONTACT_FILE_GENERALIZED);
    expect_same_lcp(&data.problem, &again.problem);
    assert_int_equal(crn_io_contact_to_cone(&data.problem, NULL, &global, &error), CRN_OK);
    assert_true(global.problem.dim == 2 && global.problem.dof == 6);
    expect_reals(global.problem.M.value, 6, (const double[]){0.25, 2, 2, 0.5, 3, 3});
    crn_cone_data_free(&global);
    crn_contact_data_free(&again);
}

static void solve_nothing(void *user, const double *impulse, double *velocity)
{
    (void)user;
    velocity[0] = impulse[0];
}

static void test_callback_bodies(void **state)
{
    (void)state;
    const double velocity[1] = {1};
    const crn_contact_body body = {.kind = CRN_MASS_OPERATOR, .dof = 1, .solve = solve_nothing};
    crn_contact_data data = {.problem = {.bodies = 1, .body = &body, .velocity = velocity}};
    crn_cone_data cone = {0};
    crn_error error = {CRN_OK, ""};
    char path[64];
    assert_int_equal(crn_io_contact_to_cone(&data.problem, NULL, &cone, &error), CRN_ERR_UNSUPPORTED);
    assert_int_equal(crn_io_write_contact_json(scratch_path(path), &data, NULL, &error), CRN_ERR_UNSUPPORTED);
    TEST_CHECK(strstr(error.text, "body 0") != NULL, "%s", error.text);
    assert_int_equal(access(path, F_OK), -1);
}

/* A factor and a unit mass matrix become numbers; failing allocations while writing leave nothing. */
static void test_other_masses(void **state)
{
    (void)state;
    const double velocity[3] = {1, 2, 3}, factor[4] = {2, 1, 99, 3}, jacobian[6] = {1, 2, 0, 0, 0, 0},
                 one[3] = {5, 0, 0};
    const crn_contact_body bodies[2] = {{.kind = CRN_MASS_FACTOR, .dof = 2, .matrix = factor, .ld = 2},
                                        {.kind = CRN_MASS_UNIT, .dof = 1}};
    const crn_contact_point contact = {
        .a = 0, .b = 1, .jacobian_a = jacobian, .jacobian_b = one, .mu = 0.5, .directions = 4, .offset = {1, 0, 0}};
    crn_contact_data data = {
        .problem = {.bodies = 2, .body = bodies, .contacts = 1, .contact = &contact, .velocity = velocity}};
    crn_contact_data again = {0};
    write_and_read(&data, &again);
    expect_reals(again.problem.body->matrix, 9, (const double[]){4, 2, 0, 2, 10, 0, 0, 0, 1});
    expect_reals(again.problem.contact->jacobian_a, 3, (const double[]){1, 2, 5});
    expect_same_lcp(&data.problem, &again.problem);
    crn_contact_data_free(&again);

    char path[64];
    crn_status status = CRN_ERR_MEMORY;
    for (long k = 1; status != CRN_OK; ++k) {
        test_allocator counter = {.fail_at = k};
        crn_allocator hooks = test_allocator_hooks(&counter);
        status = crn_io_write_contact_json(scratch_path(path), &data, &hooks, NULL);
        assert_true(status == CRN_OK || (status == CRN_ERR_MEMORY && access(path, F_OK) == -1));
        assert_int_equal(counter.live, 0);
    }
    (void)remove(path);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rigid),           cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_generalized),     cmocka_unit_test(test_wrong_files),
        cmocka_unit_test(test_truncated_files), cmocka_unit_test(test_failing_allocations),
        cmocka_unit_test(test_round_trip),      cmocka_unit_test(test_gallery),
        cmocka_unit_test(test_cone_forms),      cmocka_unit_test(test_planar_and_rows),
        cmocka_unit_test(test_callback_bodies), cmocka_unit_test(test_other_masses),
        cmocka_unit_test(test_bounds),          cmocka_unit_test(test_planar_bodies),
    };
    return TEST_RUN(tests, argc, argv);
}
