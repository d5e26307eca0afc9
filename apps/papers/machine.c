/* What the program runs on, from /proc/cpuinfo where there is one. Names of hosts and users are left out on purpose. */
#include "machine.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* The value of the line "model name : ..."; false if there is none. */
static int find_processor(char *name, size_t size)
{
    char line[256];
    int found = 0;
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && !found && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (colon && strncmp(line, "model name", 10) == 0) {
            (void)snprintf(name, size, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
            found = 1;
        }
    }
    if (file) {
        (void)fclose(file);
    }
    return found;
}

const char *cli_machine_name(char *text, size_t size)
{
    struct utsname about;
    char processor[80];
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int has_names = uname(&about) == 0;
    if (!find_processor(processor, sizeof processor)) {
        (void)snprintf(processor, sizeof processor, "%s", has_names ? about.machine : "unknown processor");
    }
    (void)snprintf(text, size, "%s, %ld core%s, %s", processor, cores, cores == 1 ? "" : "s",
                   has_names ? about.sysname : "unknown system");
    return text;
}
