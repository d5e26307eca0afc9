/* Status names, messages and the library's version. */
#include <cairn/base.h>

#include <stdarg.h>
#include <stdio.h>

const char *crn_version(void)
{
    return "0.1.0";
}

const char *crn_status_name(crn_status status)
{
    switch (status) {
    case CRN_OK: return "ok";
    case CRN_ERR_ARGUMENT: return "argument";
    case CRN_ERR_MEMORY: return "memory";
    case CRN_ERR_WORKSPACE: return "workspace";
    case CRN_ERR_UNSUPPORTED: return "unsupported";
    case CRN_ERR_IO: return "io";
    case CRN_ERR_FORMAT: return "format";
    case CRN_ERR_DIVERGED: return "diverged";
    }
    return "unknown";
}

void crn_clear(crn_error *error)
{
    if (error != NULL) {
        error->status = CRN_OK;
        error->text[0] = '\0';
    }
}

crn_status crn_fail(crn_error *error, crn_status status, const char *format, ...)
{
    if (error != NULL) {
        va_list arguments;
        va_start(arguments, format);
        error->status = status;
        (void)vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
    }
    return status;
}
