/* XML trees: what is read, where it stood, and that hostile bytes end in a message. */
#include "text/xml.h"

#include "test_allocator.h"
#include "test_support.h"

#include <cairn/io.h>

static crn_xml *parse(const char *text)
{
    crn_xml *xml = NULL;
    crn_error error;
    crn_status status = crn_xml_parse(text, strlen(text), "t.xml", NULL, &xml, &error);
    TEST_CHECK(status == CRN_OK, "%s", error.text);
    assert_non_null(xml);
    assert_string_equal(error.text, "");
    return xml;
}

/* The whole message, or how it begins if it ends with "...". Nothing is left behind. */
static void expect(const char *text, size_t length, const char *message)
{
    test_allocator counter = {0};
    crn_allocator hooks = test_allocator_hooks(&counter);
    crn_xml *xml = (crn_xml *)&counter;
    crn_error error = {CRN_OK, ""};
    crn_status status = crn_xml_parse(text, length, "t.xml", &hooks, &xml, &error);
    TEST_CHECK(status == CRN_ERR_FORMAT && error.status == status, "status %d for '%s'", (int)status, message);
    size_t size = strlen(message);
    bool is_begin = size >= 3 && strcmp(message + size - 3, "...") == 0;
    TEST_CHECK(is_begin ? strncmp(error.text, message, size - 3) == 0 : strcmp(error.text, message) == 0,
               "'%s' instead of '%s'", error.text, message);
    assert_null(xml);
    assert_int_equal(counter.live, 0);
}

#define EXPECT(text, message) expect(text, sizeof(text) - 1, message)

/* --- What is read --- */

static const char small[] = "<?xml version='1.0'?>\n"
                            "<!-- a comment\n over two lines -->\n"
                            "<robot name=\"r&amp;d\"\n"
                            "       version='1'>\n"
                            "  <link name=\"a\"/><link\n name='b'>\n"
                            "    <mass value='2.5'/>one<x/>two &lt;3&#33;<![CDATA[<4>]]>\n"
                            "  </link>\n"
                            "  <ns:odd/>\n"
                            "</robot>\n";

static void test_tree_and_lines(void **state)
{
    (void)state;
    crn_xml *xml = parse(small);
    assert_string_equal(crn_xml_name(xml), "t.xml");
    crn_xml_node *robot = crn_xml_root(xml);
    assert_string_equal(robot->name, "robot");
    assert_null(robot->parent);
    assert_null(robot->next);
    assert_int_equal(robot->line, 4);
    assert_int_equal(robot->attributes, 2);

    crn_xml_node *a = crn_xml_child(robot, "link", NULL), *b = crn_xml_child(robot, "link", a);
    assert_ptr_equal(a, crn_xml_child(robot, NULL, NULL));
    assert_ptr_equal(b, crn_xml_child(robot, NULL, a));
    assert_null(crn_xml_child(robot, "link", b));
    assert_null(crn_xml_child(robot, "joint", NULL));
    assert_null(crn_xml_child(a, NULL, NULL));
    assert_int_equal(a->line, 6);
    assert_int_equal(b->line, 6);
    assert_ptr_equal(b->parent, robot);
    assert_string_equal(a->text, "");
    assert_string_equal(b->text, "\n    onetwo <3!<4>\n  ");
    assert_int_equal(crn_xml_child(b, "mass", NULL)->line, 8);
    assert_int_equal(crn_xml_child(b, "x", NULL)->line, 8);
    crn_xml_node *odd = crn_xml_child(robot, "ns:odd", NULL);
    assert_int_equal(odd->line, 10);
    assert_ptr_equal(crn_xml_child(robot, NULL, b), odd);
    crn_xml_free(xml);
}

static void test_attributes_remember_who_was_asked(void **state)
{
    (void)state;
    crn_xml *xml = parse(small);
    crn_xml_node *robot = crn_xml_root(xml);
    assert_null(crn_xml_get(robot, "nam"));
    assert_false(robot->attribute[0].is_read || robot->attribute[1].is_read);
    assert_string_equal(crn_xml_get(robot, "name"), "r&d");
    assert_true(robot->attribute[0].is_read);
    assert_false(robot->attribute[1].is_read);
    assert_string_equal(robot->attribute[1].name, "version");
    crn_xml_free(xml);
    crn_xml_free(NULL);
}

static void test_numbers(void **state)
{
    (void)state;
    crn_xml *xml = parse("<o a=' 1 -2.5e1\t3\n' b='1 2' c='1 2 3 4' d='1 2 x' e='' f='nan' g='1e999' h='7' i='1,2,3'\n"
                         "j='a very long line of nothing in particular'/>");
    crn_xml_node *o = crn_xml_root(xml);
    double v[3] = {9.0, 9.0, 9.0};
    bool is_there = false;
    crn_error error;
    assert_int_equal(crn_xml_numbers(xml, o, "a", 3, v, &is_there, &error), CRN_OK);
    assert_true(is_there && v[0] == 1.0 && v[1] == -25.0 && v[2] == 3.0);
    assert_int_equal(crn_xml_numbers(xml, o, "none", 3, v, &is_there, &error), CRN_OK);
    assert_true(!is_there && v[0] == 1.0 && v[1] == -25.0 && v[2] == 3.0);
    assert_int_equal(crn_xml_numbers(xml, o, "h", 1, v, NULL, &error), CRN_OK);
    assert_true(v[0] == 7.0);
    const char *wrong[][2] = {{"b", "t.xml:1: <o> b: needs 3 numbers, but is '1 2'"},
                              {"c", "t.xml:1: <o> c: needs 3 numbers, but is '1 2 3 4'"},
                              {"d", "t.xml:1: <o> d: needs 3 numbers, but is '1 2 x'"},
                              {"e", "t.xml:1: <o> e: needs 3 numbers, but is ''"},
                              {"f", "t.xml:1: <o> f: needs 3 numbers, but is 'nan'"},
                              {"i", "t.xml:1: <o> i: needs 3 numbers, but is '1,2,3'"},
                              {"j", "t.xml:1: <o> j: needs 3 numbers, but is 'a very long line of noth...'"}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        v[0] = 8.0;
        assert_int_equal(crn_xml_numbers(xml, o, wrong[i][0], 3, v, &is_there, &error), CRN_ERR_FORMAT);
        assert_string_equal(error.text, wrong[i][1]);
        assert_true(is_there && v[0] == 8.0);
    }
    assert_int_equal(crn_xml_numbers(xml, o, "g", 1, v, NULL, &error), CRN_ERR_FORMAT);
    assert_string_equal(error.text, "t.xml:1: <o> g: needs 1 number, but is '1e999'");
    assert_int_equal(crn_xml_fail(xml, o, CRN_ERR_UNSUPPORTED, &error, "no %s", "way"), CRN_ERR_UNSUPPORTED);
    assert_string_equal(error.text, "t.xml:1: <o>: no way");
    crn_xml_free(xml);
}

static void test_encodings(void **state)
{
    (void)state;
    assert_true(crn_io_has_xml());
    crn_xml *xml = parse("<?xml version='1.0' encoding='ISO-8859-1'?><a b='\xe4'/>"); /* Latin 1 becomes UTF-8 */
    assert_string_equal(crn_xml_get(crn_xml_root(xml), "b"), "\xc3\xa4");
    crn_xml_free(xml);
    xml = parse("\xef\xbb\xbf<a/>"); /* with a byte order mark */
    assert_int_equal(crn_xml_root(xml)->line, 1);
    crn_xml_free(xml);
    static const char wide[] = "\xff\xfe<\0a\0/\0>"; /* UTF-16; the string's own end is its last byte */
    crn_error error;
    assert_int_equal(crn_xml_parse(wide, sizeof wide, "t.xml", NULL, &xml, &error), CRN_OK);
    assert_string_equal(crn_xml_root(xml)->name, "a");
    crn_xml_free(xml);
    xml = parse("<!DOCTYPE a [<!ELEMENT a ANY>]><a/>"); /* a type of its own is read and not used */
    crn_xml_free(xml);
}

/* --- Hostile bytes --- */

static void test_not_xml(void **state)
{
    (void)state;
    EXPECT("", "t.xml:1: syntax: ...");
    EXPECT("\n\n", "t.xml:3: syntax: ...");
    EXPECT("{}", "t.xml:1: syntax: ...");
    EXPECT("<a>\n<b>\n</a>", "t.xml:3: syntax: mismatched tag");
    EXPECT("<a/>\n<b/>", "t.xml:2: syntax: junk after document element");
    EXPECT("<a\nb='1' b='2'/>", "t.xml:2: syntax: duplicate attribute");
    EXPECT("<a b=1/>", "t.xml:1: syntax: ...");
    EXPECT("<a>\n&nbsp;</a>", "t.xml:2: syntax: undefined entity");
    EXPECT("<a>\0</a>", "t.xml:1: syntax: ...");
    EXPECT("<a>\n\n<b c='\0'/></a>", "t.xml:3: syntax: ...");
    EXPECT("<a/>\0", "t.xml:1: syntax: ...");
    EXPECT("\0\0\0\0", "t.xml:1: syntax: ...");
    EXPECT("<a>\xff</a>", "t.xml:1: syntax: ...");
    EXPECT("<a>&#0;</a>", "t.xml:1: syntax: reference to invalid character number");
    EXPECT("<?xml version='1.0' encoding='none-of-them'?><a/>", "t.xml:1: syntax: unknown encoding");
    EXPECT("<?xml version='1.0' encoding='UTF-16'?><a/>", "t.xml:1: syntax: ...");
    expect(NULL, 7, "t.xml:1: syntax: ...");
}

static void test_truncated_anywhere(void **state)
{
    (void)state;
    size_t whole = strlen(small) - 1; /* without the last line end */
    for (size_t length = 0; length < whole; ++length) {
        expect(small, length, "t.xml:...");
    }
}

static void test_no_entities(void **state)
{
    (void)state;
    static const char message[] =
        "t.xml:2: the file declares an entity: only &lt; &gt; &amp; &quot; &apos; and &#N; are supported";
    EXPECT("<!DOCTYPE a [\n<!ENTITY l0 'lol'>\n<!ENTITY l1 '&l0;&l0;&l0;&l0;&l0;&l0;&l0;&l0;'>\n"
           "<!ENTITY l2 '&l1;&l1;&l1;&l1;&l1;&l1;&l1;&l1;'>]>\n<a>&l2;</a>",
           message);
    EXPECT("<!DOCTYPE a [\n<!ENTITY x SYSTEM 'file:///etc/passwd'>]><a>&x;</a>", message);
    EXPECT("<!DOCTYPE a [\n<!ENTITY % x 'y'>]><a/>", message);
    static const char outside[] = "t.xml:1: the file has declarations outside of it, which are not supported";
    EXPECT("<!DOCTYPE a SYSTEM 'a.dtd'>\n<a>&x;</a>", outside);
    EXPECT("<!DOCTYPE a SYSTEM 'a.dtd'>\n<a b='&x;'/>", outside);
    EXPECT("<!DOCTYPE a PUBLIC '-//A//B' 'a.dtd'><a/>", outside);
    EXPECT("<!DOCTYPE a [<!ELEMENT a ANY>\n%x;]><a/>",
           "t.xml:2: the file has declarations outside of it, which are not supported");
    EXPECT("<?xml version='1.0' standalone='yes'?><!DOCTYPE a SYSTEM 'a.dtd'>\n<a b='&x;'/>",
           "t.xml:2: syntax: undefined entity");
    EXPECT("<!DOCTYPE a [\n<!ATTLIST a b CDATA 'c'>]><a/>", "t.xml:2: the file declares a default for an attribute...");
}

/* before, count times piece, after. */
static char *repeat(const char *before, const char *piece, int count, const char *after, size_t *length)
{
    size_t first = strlen(before), each = strlen(piece), last = strlen(after);
    char *text = malloc(first + each * (size_t)count + last + 1);
    assert_non_null(text);
    memcpy(text, before, first);
    for (int i = 0; i < count; ++i) {
        memcpy(text + first + each * (size_t)i, piece, each);
    }
    memcpy(text + first + each * (size_t)count, after, last + 1);
    *length = first + each * (size_t)count + last;
    return text;
}

static void test_deep(void **state)
{
    (void)state;
    size_t length;
    char *text = repeat("", "<a>", 1000000, "", &length);
    expect(text, length, "t.xml:1: elements are nested more than 200 deep");
    free(text);
    char *open = repeat("", "<a>", 199, "<a/>", &length);
    text = repeat(open, "</a>", 199, "", &length);
    crn_xml *xml = parse(text); /* 200 levels are fine */
    int depth = 0;
    for (crn_xml_node *node = crn_xml_root(xml); node != NULL; node = node->child) {
        ++depth;
    }
    assert_int_equal(depth, 200);
    crn_xml_free(xml);
    free(text);
    free(open);
}

static void test_many(void **state)
{
    (void)state;
    size_t length;
    char *text = repeat("<r>\n", "<a/>", CRN_XML_NODES_MOST, "</r>", &length);
    expect(text, length, "t.xml:2: more than 1000000 elements");
    free(text);
    text = repeat("<r>", "<a/>", CRN_XML_NODES_MOST - 1, "</r>", &length);
    crn_xml *xml = parse(text);
    crn_xml_free(xml);
    free(text);
    text = repeat("<r>", "&#65;<b/>", 200000, "</r>", &length); /* text in as many pieces */
    xml = parse(text);
    assert_int_equal(strlen(crn_xml_root(xml)->text), 200000);
    crn_xml_free(xml);
    free(text);
}

static void test_many_attributes(void **state)
{
    (void)state;
    enum { COUNT = 20000 };
    char *text = malloc(COUNT * 16 + 16);
    assert_non_null(text);
    size_t at = (size_t)sprintf(text, "<r");
    for (int i = 0; i < COUNT; ++i) {
        at += (size_t)sprintf(text + at, " a%d='%d'", i, i);
    }
    (void)sprintf(text + at, "/>");
    crn_xml *xml = parse(text);
    assert_int_equal(crn_xml_root(xml)->attributes, COUNT);
    assert_string_equal(crn_xml_get(crn_xml_root(xml), "a19999"), "19999");
    crn_xml_free(xml);
    free(text);
}

/* Names are shown, but a long or odd one does not take the message over. */
static void test_messages_stay_short(void **state)
{
    (void)state;
    char name[600];
    memset(name, 'n', sizeof name);
    memcpy(name + sizeof name - 6, ".urdf", 6);
    crn_xml *xml = NULL;
    crn_error error;
    assert_int_equal(crn_xml_parse("<a>", 3, name, NULL, &xml, &error), CRN_ERR_FORMAT);
    assert_memory_equal(error.text, "...nnn", 6);
    assert_non_null(strstr(error.text, "nnn.urdf:1: syntax: no element found"));
    static const char text[] = "<\xc3\xa4\xc3\xa4\xc3\xa4verylongnameofanelementthatgoeson/>";
    xml = parse(text);
    assert_int_equal(crn_xml_fail(xml, crn_xml_root(xml), CRN_ERR_FORMAT, &error, "bad"), CRN_ERR_FORMAT);
    assert_string_equal(error.text, "t.xml:1: <??????verylongnameofanel...>: bad");
    assert_int_equal(crn_xml_fail(xml, crn_xml_root(xml), CRN_ERR_FORMAT, &error, "a\nb"), CRN_ERR_FORMAT);
    assert_string_equal(error.text, "t.xml:1: <??????verylongnameofanel...>: a?b");
    crn_xml_free(xml);
}

static void test_random_bytes(void **state)
{
    (void)state;
    crn_random random = test_random("test_random_bytes", 3);
    char text[sizeof small];
    int parsed = 0;
    for (int round = 0; round < 20000; ++round) {
        memcpy(text, small, sizeof small);
        for (int i = crn_random_below(&random, 4); i >= 0; --i) {
            text[crn_random_below(&random, (int)sizeof small - 1)] = (char)crn_random_below(&random, 256);
        }
        crn_xml *xml = NULL;
        crn_error error;
        crn_status status = crn_xml_parse(text, sizeof small - 1, "t.xml", NULL, &xml, &error);
        assert_true(status == CRN_OK || (status == CRN_ERR_FORMAT && xml == NULL && error.text[0] != '\0'));
        parsed += status == CRN_OK;
        crn_xml_free(xml);
    }
    assert_true(parsed > 100 && parsed < 19900);
}

/* --- Files and memory --- */

static void test_files(void **state)
{
    (void)state;
    crn_xml *xml = (crn_xml *)&xml;
    crn_error error;
    assert_int_equal(crn_xml_read("no/such.xml", NULL, &xml, &error), CRN_ERR_IO);
    assert_null(xml);
    FILE *file = fopen("test_xml.tmp", "wb");
    assert_non_null(file);
    (void)fputs(small, file);
    (void)fclose(file);
    assert_int_equal(crn_xml_read("test_xml.tmp", NULL, &xml, &error), CRN_OK);
    assert_string_equal(crn_xml_name(xml), "test_xml.tmp");
    assert_string_equal(crn_xml_root(xml)->name, "robot");
    crn_xml_free(xml);
    (void)remove("test_xml.tmp");
}

static void test_every_allocation_fails_once(void **state)
{
    (void)state;
    size_t length;
    char *text = repeat(small, "", 0, "", &length);
    char *large = repeat("<r name='a long value, so that blocks fill up'>", "<a>text</a>\n", 2000, "</r>", &length);
    const char *texts[] = {text, large};
    for (int i = 0; i < 2; ++i) {
        bool is_done = false;
        for (long k = 1; !is_done; ++k) {
            test_allocator counter = {.fail_at = k};
            crn_allocator hooks = test_allocator_hooks(&counter);
            crn_xml *xml = NULL;
            crn_error error;
            crn_status status = crn_xml_parse(texts[i], strlen(texts[i]), "t.xml", &hooks, &xml, &error);
            is_done = counter.calls < k;
            assert_int_equal(status, is_done ? CRN_OK : CRN_ERR_MEMORY);
            assert_true((xml != NULL) == is_done);
            crn_xml_free(xml);
            assert_int_equal(counter.live, 0);
        }
    }
    free(large);
    free(text);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tree_and_lines),
        cmocka_unit_test(test_attributes_remember_who_was_asked),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_encodings),
        cmocka_unit_test(test_not_xml),
        cmocka_unit_test(test_truncated_anywhere),
        cmocka_unit_test(test_no_entities),
        cmocka_unit_test(test_deep),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_many_attributes),
        cmocka_unit_test(test_messages_stay_short),
        cmocka_unit_test(test_random_bytes),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_every_allocation_fails_once),
    };
    return TEST_RUN(tests, argc, argv);
}
