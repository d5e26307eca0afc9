/* Where the problem collections are. They are large and live beside the source tree: in the folder that the environment
 * variable CAIRN_DATA names, else in ../shared/data next to the sources. A test without its data is skipped. */
#ifndef CRN_TEST_DATA_H
#define CRN_TEST_DATA_H

#include "test_support.h"

/* Path of data file `name` ("lcp/MANIFEST.tsv") in buffer; NULL if there is no such file or the path is too long. */
static inline const char *test_data_path(const char *name, char *buffer, size_t size)
{
    const char *folder = getenv("CAIRN_DATA");
#ifdef CAIRN_SOURCE_DIR
    folder = folder != NULL ? folder : CAIRN_SOURCE_DIR "/../shared/data";
#endif
    if (folder == NULL) {
        return NULL;
    }
    int length = snprintf(buffer, size, "%s/%s", folder, name);
    if (length < 0 || (size_t)length >= size) {
        return NULL;
    }
    FILE *file = fopen(buffer, "rb");
    if (file == NULL) {
        return NULL;
    }
    (void)fclose(file);
    return buffer;
}

/* End the program as skipped if data file `name` is absent. */
static inline void test_data_require(const char *name)
{
    char path[1024];
    if (test_data_path(name, path, sizeof path) == NULL) {
        (void)printf("skipped: no %s (set CAIRN_DATA to the folder of the problem collections)\n", name);
        exit(TEST_SKIPPED);
    }
}

#endif
