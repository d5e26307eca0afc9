/* What this program was compiled with. */
#include "info.h"

/* What the compiler was told, as far as the program can see. */
static const char *const compiler =
#if defined(__clang__)
    "clang " __clang_version__;
#elif defined(__GNUC__)
    "gcc " __VERSION__;
#else
    "unknown";
#endif

const char *cli_info_compiler(void)
{
    return compiler;
}
