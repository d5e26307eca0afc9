/* Any bytes as Matrix Market files: M # q # lower # upper, where the bounds may be left out.
 *
 * Nothing may crash or leak, a failure must leave data empty and a message of one line, and what the reader accepts the
 * library must accept too. */
#include "io/io_room.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void demand(bool condition)
{
    if (!condition) {
        abort();
    }
}

/* Cut the bytes at '#' into at most four sources; returns how many. */
static int cut(const char *text, size_t size, crn_io_source sources[4])
{
    static const char *const names[4] = {"M.mtx", "q.mtx", "lower.mtx", "upper.mtx"};
    int count = 0;
    const char *end = text + size;
    while (count < 4) {
        const char *mark = memchr(text, '#', (size_t)(end - text));
        const char *stop = mark != NULL ? mark : end;
        sources[count] = (crn_io_source){.name = names[count], .text = text, .size = (size_t)(stop - text)};
        ++count;
        if (mark == NULL) {
            break;
        }
        text = mark + 1;
    }
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    crn_io_source sources[4];
    int count = cut(size > 0 ? (const char *)bytes : "", size, sources);
    if (count < 2) {
        sources[1] = sources[0];
    }
    crn_lcp_data data = {0};
    crn_error error = {.status = CRN_OK};
    crn_status status = crn_io_parse_matrix_market(&sources[0], &sources[1], count > 2 ? &sources[2] : NULL,
                                                   count > 3 ? &sources[3] : NULL, NULL, &data, &error);
    demand(error.status == status);
    if (status == CRN_OK) {
        demand(crn_lcp_check(&data.problem, &error) == CRN_OK);
    } else {
        demand(data.storage[0] == NULL && data.storage[CRN_IO_SLOT_Q] == NULL);
        demand(error.text[0] != '\0' && strchr(error.text, '\n') == NULL);
    }
    crn_lcp_data_free(&data);
    return 0;
}
