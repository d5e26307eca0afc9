/* One line on standard error, and the exit code that goes with it. */
#include "cli.h"

#include <cairn/base.h>

#include <stdarg.h>
#include <stdio.h>

int cli_fail(const char *format, ...)
{
    char text[1024], line[1024];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    (void)crn_show(text, line, sizeof line); /* one line, whatever a file name holds */
    fprintf(stderr, "%s: %s\n", cli_program, line);
    return CLI_BAD;
}
