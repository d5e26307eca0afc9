/* machine.c -- on what the figures were taken. */
#include "machine.h"

#include <stdio.h>
#include <string.h>

/* Copy what follows the colon of "model name : ..." into text, without the line's end. */
static void copy_value(const char *line, char *text, size_t size)
{
    const char *value = strchr(line, ':');
    value = value ? value + 1 + strspn(value + 1, " \t") : "unknown";
    snprintf(text, size, "%.*s", (int)strcspn(value, "\n"), value);
}

const char *bench_machine_cpu(void)
{
    static char model[128];
    if (model[0]) {
        return model;
    }
    snprintf(model, sizeof model, "unknown");
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[512];
    while (file && fgets(line, sizeof line, file)) {
        if (strncmp(line, "model name", strlen("model name")) == 0) {
            copy_value(line, model, sizeof model);
            break;
        }
    }
    if (file) {
        fclose(file);
    }
    return model;
}

const char *bench_machine_compiler(void)
{
#if defined(__clang__)
    return "clang " __clang_version__;
#elif defined(__GNUC__)
    return "gcc " __VERSION__;
#else
    return "unknown";
#endif
}
