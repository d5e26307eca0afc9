/* The parser of our own against expat: the same trees of the same texts, and the same verdicts on texts that are damaged at random. Only
 * what its comment tells is judged otherwise: encodings but UTF-8, and declarations of document types. */
#include "text/xml.h"

/* The parser under other names, beside expat's. */
#define crn_xml_build    own_build
#define crn_xml_is_there own_has_xml
crn_status own_build(struct crn_xml *xml, const char *text, size_t length, crn_error *error);
#include "../../src/text/xml_own.c"
#undef crn_xml_build
#undef crn_xml_is_there

#include "test_support.h"

crn_status crn_xml_build(crn_xml *xml, const char *text, size_t length, crn_error *error);

static void compare(const crn_xml_node *a, const crn_xml_node *b)
{
    for (; a != NULL && b != NULL; a = a->next, b = b->next) {
        assert_string_equal(a->name, b->name);
        assert_string_equal(a->text, b->text);
        assert_int_equal(a->line, b->line);
        assert_int_equal(a->attributes, b->attributes);
        for (int i = 0; i < a->attributes; ++i) {
            assert_string_equal(a->attribute[i].name, b->attribute[i].name);
            assert_string_equal(a->attribute[i].value, b->attribute[i].value);
        }
        compare(a->child, b->child);
    }
    assert_true(a == NULL && b == NULL);
}

/* Both parsers on one text; returns whether it is XML. */
static bool judge(const char *text, size_t length)
{
    crn_xml *theirs = crn_xml_create("t.xml", NULL), *own = crn_xml_create("t.xml", NULL);
    crn_error error = {CRN_OK, ""}, own_error = {CRN_OK, ""};
    crn_status status = crn_xml_build(theirs, text, length, &error);
    crn_status own_status = own_build(own, text, length, &own_error);
    TEST_CHECK(status == own_status, "expat: '%s', own: '%s' on\n%.*s", error.text, own_error.text, (int)length, text);
    if (status == CRN_OK) {
        compare(crn_xml_root(theirs), crn_xml_root(own));
    }
    crn_xml_free(theirs);
    crn_xml_free(own);
    return status == CRN_OK;
}

static const char *const good[] = {
    "<a/>",
    "<a></a>\n",
    "\xEF\xBB\xBF<?xml version='1.0' encoding='UTF-8'?><!-- c --><a b='1'  c = \"x 'y'\"\n "
    "d='a\tb\nc&#10;&lt;&#x26;&quot;'/>",
    "<a>one<b/>two<![CDATA[<3> & ]]>&amp;four&#8364;\n<!-- -x- --><?pi some ?>\n</a><!-- end --> \n",
    "<!DOCTYPE robot><robot name='\xC3\xA4'><l:x-1.2_y/></robot>",
    "<a><b><c><d e='f'/></c></b><b g=''/></a>"};

static const char *const bad[] = {"",
                                  "  ",
                                  "x<a/>",
                                  "<a>",
                                  "<a></b>",
                                  "<a><b></a></b>",
                                  "<a/><b/>",
                                  "<a/>x",
                                  "<a b='1' b='2'/>",
                                  "<a b=1/>",
                                  "<a b/>",
                                  "<a b='<'/>",
                                  "<a b='1'c='2'/>",
                                  "<a>&nbsp;</a>",
                                  "<a>&#0;</a>",
                                  "<a>&#xD800;</a>",
                                  "<a>&#x110000;</a>",
                                  "<a>&#99999999999999999999;</a>",
                                  "<a>&#;</a>",
                                  "<a>&#x;</a>",
                                  "<a>&lt</a>",
                                  "<a>\x01</a>",
                                  "<a>\xC0\x80</a>",
                                  "<a>\xFF</a>",
                                  "<a><!-- -- --></a>",
                                  "<a><!-- </a>",
                                  "<a>]]></a>",
                                  "<a><![CDATA[</a>",
                                  "<1/>",
                                  "< a/>",
                                  "<a/ >",
                                  " <?xml version='1.0'?><a/>",
                                  "<a><?xml version='1.0'?></a>",
                                  "</a>",
                                  "<a b='x>",
                                  "<a",
                                  "<"};

static void test_known(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; ++i) {
        TEST_CHECK(judge(good[i], strlen(good[i])), "%s", good[i]);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        TEST_CHECK(!judge(bad[i], strlen(bad[i])), "%s", bad[i]);
    }
    assert_true(own_has_xml());
}

/* Characters that mean something, put at random places of good texts, or taken out there. */
static void test_damaged(void **state)
{
    (void)state;
    static const char marks[] = "<>/&;'\"= \n\rab1-!?[]#x\xC3";
    crn_random random = test_random(__func__, 7);
    int accepted = 0, trials = 200000;
    for (int k = 0; k < trials; ++k) {
        char text[256];
        const char *from = good[(size_t)k % (sizeof good / sizeof good[0])];
        size_t length = strlen(from);
        memcpy(text, from, length);
        for (int change = 1 + k % 3; change > 0; --change) {
            size_t at = (size_t)crn_random_below(&random, (int)length);
            char mark = marks[crn_random_below(&random, (int)sizeof marks - 1)];
            if (k % 2 == 0 || length < 3) {
                text[at] = mark;
            } else {
                memmove(text + at, text + at + 1, --length - at);
            }
        }
        if (length >= 2 && strncmp(from, "\xEF\xBB\xBF", 3) != 0 && memchr(text, '!', length) == NULL &&
            strncmp(text, "<?", 2) != 0) { /* declarations are judged more strictly, on purpose */
            accepted += judge(text, length);
        }
    }
    TEST_CHECK(accepted > trials / 100, "%d of %d texts were XML", accepted, trials);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_known), cmocka_unit_test(test_damaged)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
