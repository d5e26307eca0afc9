/* --help of every command, from what the command tells of itself. */
#include "args.h"
#include "cli.h"

#include <stdio.h>
#include <string.h>

/* "usage: cairn solve ...", one line per form. */
static void print_usage(const char *usage)
{
    const char *before = "usage:";
    for (const char *form = usage; *form != '\0';) {
        size_t length = strcspn(form, "\n");
        printf("%s %s %.*s\n", before, cli_program, (int)length, form);
        before = "      ";
        form += length + (form[length] == '\n');
    }
}

static void print_options(const cli_option *options, int count)
{
    for (int i = 0; i < count; ++i) {
        char left[40];
        (void)snprintf(left, sizeof left, "%s %s", options[i].name, options[i].value != NULL ? options[i].value : "");
        printf("  %-24s %s\n", left, options[i].help);
    }
}

static void print_names(const cli_names *names)
{
    printf("\n%s:\n", names->title);
    for (int i = 0; names->name(i) != NULL; ++i) {
        printf("  %-24s %s\n", names->name(i), names->about(i));
    }
}

void cli_command_help(const cli_command *command)
{
    print_usage(command->usage);
    printf("\n%s\n\n", command->about);
    print_options(command->options, command->option_count);
    for (int i = 0; i < command->name_count; ++i) {
        if (command->names[i].title != NULL) {
            print_names(&command->names[i]);
        }
    }
    if (command->after != NULL) {
        printf("\n%s\n", command->after);
    }
}
