/* The command line as Markdown: docs/reference/cli.md. */
#include "reference.h"

#include <stdio.h>
#include <string.h>

/* Text that Markdown would take for markup; in a cell, bars too. */
static void print_text(const char *text)
{
    for (; *text != '\0'; ++text) {
        if (*text == '<' || *text == '>') {
            fputs(*text == '<' ? "&lt;" : "&gt;", stdout);
        } else {
            printf("%s%c", strchr("|*_", *text) != NULL ? "\\" : "", *text);
        }
    }
}

static void print_usage(const char *usage)
{
    char line[REFERENCE_LINE_SIZE];
    printf("\n```text\n");
    while ((usage = reference_line(usage, line)) != NULL) {
        printf("cairn %s\n", line);
    }
    printf("```\n\n");
}

static void print_choices(const cli_names *names)
{
    printf(" One of `");
    reference_print_names(names, "`, `");
    printf("`.");
}

static void print_options(const cli_command *command)
{
    printf("\n| option | meaning |\n|---|---|\n");
    for (int i = 0; i < command->option_count; ++i) {
        const cli_option *option = &command->options[i];
        const cli_names *names = reference_choices(command, option);
        printf("| `%s%s%s` | ", option->name, option->value != NULL ? " " : "",
               option->value != NULL ? option->value : "");
        print_text(option->help);
        printf(".");
        if (names != NULL) {
            print_choices(names);
        }
        printf(" |\n");
    }
}

static void print_list(const cli_names *names)
{
    printf("\n| %s | |\n|---|---|\n", names->title);
    for (int i = 0; names->name(i) != NULL; ++i) {
        printf("| `%s` | ", names->name(i));
        print_text(names->about(i));
        printf(" |\n");
    }
}

static void print_command(const cli_command *command)
{
    printf("\n## cairn %s\n", command->name);
    print_usage(command->usage);
    print_text(command->about);
    printf("\n");
    print_options(command);
    for (int i = 0; i < command->name_count; ++i) {
        if (command->names[i].title != NULL) {
            print_list(&command->names[i]);
        }
    }
    if (command->after != NULL) {
        printf("\n");
        print_text(command->after);
        printf("\n");
    }
}

void reference_markdown(void)
{
    int count;
    const cli_command *const *commands = cli_commands(&count);
    printf("# Command line\n\n"
           "Written by `cairn reference markdown`; renew it with `make reference`.\n\n"
           "| command | does |\n|---|---|\n");
    for (int i = 0; i < count; ++i) {
        printf("| [`%s`](#cairn-%s) | ", commands[i]->name, commands[i]->name);
        print_text(commands[i]->summary);
        printf(" |\n");
    }
    printf(
        "\n`--name VALUE` and `--name=VALUE` are the same; `--` ends the options. `cairn --version` tells the "
        "version,\n"
        "`cairn COMMAND --help` what stands here.\n\n"
        "Exit codes: 0 done, 1 the answer is no, 2 bad usage or bad input, with one line on standard error that says\n"
        "what.\n");
    for (int i = 0; i < count; ++i) {
        print_command(commands[i]);
    }
}
