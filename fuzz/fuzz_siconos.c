/* Any bytes as a Siconos .dat file. The first byte is the kind ('0' any, '1' lcp, '2' box, '3' mlcp), the rest the text.
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

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size == 0) {
        return 0;
    }
    crn_siconos_kind kind = (crn_siconos_kind)(bytes[0] % 4);
    crn_io_source source = {.name = "p.dat", .text = (const char *)bytes + 1, .size = size - 1};
    crn_lcp_data data = {0};
    crn_error error = {.status = CRN_OK};
    crn_status status = crn_io_parse_siconos(&source, kind, NULL, &data, &error);
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
