/* Any bytes as contact JSON.
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
    crn_io_source source = {.name = "p.json", .text = (const char *)bytes, .size = size};
    crn_contact_data data = {.h = 0.0};
    crn_error error = {.status = CRN_OK};
    crn_status status = crn_io_parse_contact_json(&source, NULL, &data, &error);
    demand(error.status == status);
    if (status == CRN_OK) {
        demand(crn_contact_check(&data.problem, &error) == CRN_OK);
        demand(crn_contact_dof(&data.problem) >= 0);
    } else {
        demand(data.storage[0] == NULL && data.problem.body == NULL);
        demand(error.text[0] != '\0' && strchr(error.text, '\n') == NULL);
    }
    crn_contact_data_free(&data);
    return 0;
}
