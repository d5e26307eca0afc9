/* The clock of whoever runs the module, as a number: WASI's own call passes a 64-bit integer, for which JavaScript makes an object. */
#include <cairn/base.h>

__attribute__((import_module("cairn"), import_name("seconds"))) double module_seconds(void);

double crn_seconds(void)
{
    return module_seconds();
}
