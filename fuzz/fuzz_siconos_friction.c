/* Any bytes as a friction problem of Siconos. The first byte is the kind ('0' any, '1' local, '2' global), the rest the
 * text.
 *
 * Nothing may crash or leak, a failure must leave data empty and a message of one line, and what the reader accepts the
 * library must accept too; but a global problem may have an M that is not symmetric, which is the library's to refuse. */
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
    crn_siconos_friction kind = (crn_siconos_friction)(bytes[0] % 3);
    crn_io_source source = {.name = "p.dat", .text = (const char *)bytes + 1, .size = size - 1};
    crn_cone_data data = {.problem = {.dof = 0}};
    crn_error error = {.status = CRN_OK};
    crn_status status = crn_io_parse_siconos_friction(&source, kind, NULL, &data, &error);
    demand(error.status == status);
    if (status == CRN_OK) {
        demand(crn_cone_check(&data.problem, &error) == CRN_OK || data.problem.form == CRN_CONE_GLOBAL);
    } else {
        demand(data.storage[0] == NULL && data.problem.mu == NULL);
        demand(error.text[0] != '\0' && strchr(error.text, '\n') == NULL);
    }
    crn_cone_data_free(&data);
    return 0;
}
