/* Files that appear whole: what is there stays until the new one is whole, nothing is written through devices and links, nothing is
 * removed that was not made here. */
#include "test_support.h"

#include <cairn/io.h>

#include <sys/stat.h>
#include <unistd.h>

static const char *read_back(const char *path, char text[64])
{
    FILE *file = fopen(path, "rb");
    size_t size = file != NULL ? fread(text, 1, 63, file) : 0;
    text[size] = '\0';
    if (file != NULL) {
        (void)fclose(file);
    }
    return file != NULL ? text : "none";
}

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static int enter(void **state)
{
    char name[] = "test_output_XXXXXX";
    (void)state;
    return mkdtemp(name) != NULL && chdir(name) == 0 ? 0 : -1;
}

static void test_replace(void **state)
{
    (void)state;
    char text[64];
    crn_io_output output, second;
    crn_error error = {CRN_OK, "old"};
    put("a.txt", "old");
    assert_int_equal(chmod("a.txt", 0640), 0);
    assert_int_equal(crn_io_output_open(&output, "a.txt", &error), CRN_OK);
    assert_string_equal(error.text, "");
    assert_string_equal(output.part, "a.txt.part");
    assert_int_equal(crn_io_output_open(&second, "./a.txt", &error), CRN_OK); /* somebody else writes it, too */
    assert_string_equal(second.part, "./a.txt.part1");
    fputs("first", output.file);
    fputs("second", second.file);
    assert_string_equal(read_back("a.txt", text), "old");
    assert_int_equal(crn_io_output_close(&second, CRN_OK, &error), CRN_OK);
    assert_string_equal(read_back("a.txt", text), "second");
    assert_int_equal(crn_io_output_close(&output, CRN_OK, &error), CRN_OK);
    assert_string_equal(read_back("a.txt", text), "first");
    assert_true(access("a.txt.part", F_OK) != 0 && access("a.txt.part1", F_OK) != 0);
    struct stat about;
    assert_int_equal(stat("a.txt", &about), 0);
    assert_int_equal(about.st_mode & 0777U, 0640);
    assert_int_equal(crn_io_output_close(&output, CRN_OK, &error), CRN_ERR_ARGUMENT); /* closed already */
}

static void test_drop(void **state)
{
    (void)state;
    char text[64];
    crn_io_output output;
    crn_error error = {CRN_ERR_FORMAT, "why"};
    put("b.txt", "old");
    put("b.txt.part", "of somebody else");
    assert_int_equal(crn_io_output_open(&output, "b.txt", NULL), CRN_OK);
    fputs("half", output.file);
    assert_int_equal(crn_io_output_close(&output, CRN_ERR_FORMAT, &error), CRN_ERR_FORMAT);
    assert_string_equal(error.text, "why");
    assert_string_equal(read_back("b.txt", text), "old");
    assert_string_equal(read_back("b.txt.part", text), "of somebody else");
    assert_true(access("b.txt.part1", F_OK) != 0);
}

static void test_links(void **state)
{
    (void)state;
    char text[64];
    crn_io_output output;
    struct stat about;
    assert_int_equal(mkdir("there", 0777), 0);
    put("there/c.txt", "old");
    assert_int_equal(symlink("there/c.txt", "c.txt"), 0);
    assert_int_equal(symlink("c.txt", "d.txt"), 0);
    assert_int_equal(crn_io_output_open(&output, "d.txt", NULL), CRN_OK);
    assert_string_equal(output.path, "there/c.txt");
    fputs("new", output.file);
    assert_int_equal(crn_io_output_close(&output, CRN_OK, NULL), CRN_OK);
    assert_string_equal(read_back("there/c.txt", text), "new");
    assert_true(lstat("d.txt", &about) == 0 && S_ISLNK(about.st_mode));
    assert_int_equal(symlink("e.txt", "f.txt"), 0); /* leads to a file that is not there yet */
    assert_int_equal(crn_io_output_open(&output, "f.txt", NULL), CRN_OK);
    assert_int_equal(crn_io_output_close(&output, CRN_OK, NULL), CRN_OK);
    assert_true(lstat("e.txt", &about) == 0 && S_ISREG(about.st_mode));
    assert_int_equal(symlink("ring1", "ring2"), 0);
    assert_int_equal(symlink("ring2", "ring1"), 0);
    assert_int_equal(crn_io_output_open(&output, "ring1", NULL), CRN_ERR_IO);
}

static void refused(const char *path, const char *reason)
{
    crn_io_output output;
    crn_error error;
    assert_int_equal(crn_io_output_open(&output, path, &error), CRN_ERR_IO);
    TEST_CHECK(strstr(error.text, reason) != NULL, "%s: %s", path, error.text);
}

static void test_special(void **state)
{
    (void)state;
    struct stat about;
    crn_error error;
    crn_io_output output;
    assert_int_equal(mkfifo("pipe", 0600), 0);
    assert_int_equal(symlink("/dev/null", "null"), 0);
    refused("pipe", "cannot be written: it is a device, a pipe or a socket");
    refused("/dev/null", "it is a device");
    refused("null", "it is a device");
    refused("there", "it is a folder");
    refused("nowhere/x.txt", "No such file");
    refused("a.txt/x.txt", "Not a directory");
    assert_true(stat("pipe", &about) == 0 && S_ISFIFO(about.st_mode));
    assert_int_equal(crn_io_output_open(&output, NULL, &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_io_output_open(&output, "", &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_io_output_open(NULL, "x", &error), CRN_ERR_ARGUMENT);
    assert_int_equal(crn_io_output_close(NULL, CRN_OK, &error), CRN_ERR_ARGUMENT);
    if (geteuid() != 0) {
        put("read.txt", "only");
        assert_int_equal(chmod("read.txt", 0444), 0);
        refused("read.txt", "Permission denied");
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup(test_replace, enter), cmocka_unit_test(test_drop),
                                       cmocka_unit_test(test_links), cmocka_unit_test(test_special)};
    return TEST_RUN(tests, argc, argv);
}
