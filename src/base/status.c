/* Status names, messages and the library's version. */
#include <cairn/base.h>

#include <stdarg.h>
#include <stdio.h>

#define TEXT_OF(x)                        #x
#define VERSION_TEXT(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

const char *crn_version(void)
{
    return VERSION_TEXT(CRN_VERSION_MAJOR, CRN_VERSION_MINOR, CRN_VERSION_PATCH);
}

int crn_version_number(void)
{
    return CRN_VERSION;
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

/* Bytes at text that a terminal may obey: control characters, and those of Latin-1 in UTF-8. */
static int control_bytes(const unsigned char *text)
{
    if (text[0] < 0x20 || text[0] == 0x7f) {
        return 1;
    }
    return text[0] == 0xc2 && text[1] >= 0x80 && text[1] <= 0x9f ? 2 : 0;
}

size_t crn_show(const char *text, char *shown, size_t size)
{
    const unsigned char *from = (const unsigned char *)(text != NULL ? text : "");
    size_t length = 0;
    if (shown == NULL || size == 0) {
        return 0;
    }
    while (*from != '\0') {
        int control = control_bytes(from);
        if (length + (control > 0 ? 4 * (size_t)control : 1) >= size) {
            break;
        }
        if (control == 0) {
            shown[length++] = (char)*from++;
        }
        for (int i = 0; i < control; ++i) {
            (void)snprintf(shown + length, 5, "\\x%02x", (unsigned)*from++);
            length += 4;
        }
    }
    shown[length] = '\0';
    return length;
}

crn_status crn_fail(crn_error *error, crn_status status, const char *format, ...)
{
    if (error != NULL) {
        char raw[sizeof error->text];
        va_list arguments;
        va_start(arguments, format);
        error->status = status;
        (void)vsnprintf(raw, sizeof raw, format, arguments);
        va_end(arguments);
        (void)crn_show(raw, error->text, sizeof error->text);
    }
    return status;
}
