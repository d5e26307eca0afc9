/* Files on machines without folders (WebAssembly in a page): none. */
#include "io/output.h"

crn_status crn_io_output_open(crn_io_output *output, const char *path, crn_error *error)
{
    (void)path;
    *output = (crn_io_output){.mode = 0};
    return crn_fail(error, CRN_ERR_UNSUPPORTED, "there are no files here");
}

crn_status crn_io_output_close(crn_io_output *output, crn_status status, crn_error *error)
{
    (void)output;
    return status != CRN_OK ? status : crn_fail(error, CRN_ERR_UNSUPPORTED, "there are no files here");
}

crn_status crn_io_output_place(crn_io_output *output, crn_error *error)
{
    return crn_io_output_close(output, CRN_OK, error);
}

void crn_io_output_keep(crn_io_output *output)
{
    (void)output;
}
