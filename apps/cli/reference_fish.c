/* Completion for fish: one line per command, option and kind of argument. */
#include "reference.h"

#include <stdio.h>

static void print_quoted(const char *text)
{
    putchar('\'');
    for (; *text != '\0'; ++text) {
        printf("%s%c", *text == '\'' ? "\\" : "", *text);
    }
    putchar('\'');
}

/* "complete ... -n 'the command is this one'" */
static void begin_line(const cli_command *command)
{
    printf("complete -c cairn -n '__fish_seen_subcommand_from %s'", command->name);
}

static void print_option(const cli_command *command, const cli_option *option)
{
    reference_kind kind = reference_kind_of(command, option);
    bool is_long = option->name[1] == '-';
    begin_line(command);
    printf(" -%c %s", is_long ? 'l' : 's', option->name + (is_long ? 2 : 1));
    if (kind == REFERENCE_NAME) {
        printf(" -x -a '");
        reference_print_names(reference_names_of(command, option->name), " ");
        printf("'");
    } else if (kind == REFERENCE_FILE) {
        printf(" -r -F");
    } else if (kind == REFERENCE_FOLDER) {
        printf(" -x -a '(__fish_complete_directories)'");
    } else if (kind == REFERENCE_TEXT) {
        printf(" -x");
    }
    printf(" -d ");
    print_quoted(option->help);
    printf("\n");
}

static void print_arguments(const cli_command *command)
{
    const cli_names *names = reference_names_of(command, NULL);
    char ending[REFERENCE_ENDING_SIZE];
    if (names != NULL) {
        begin_line(command);
        printf(" -a '");
        reference_print_names(names, " ");
        printf("'\n");
    }
    for (const char *at = command->endings; (at = reference_ending(at, ending)) != NULL;) {
        begin_line(command);
        printf(" -k -a '(__fish_complete_suffix .%s)'\n", ending);
    }
}

void reference_fish(void)
{
    int count;
    const cli_command *const *commands = cli_commands(&count);
    printf("# Completion of cairn for fish; written by `cairn reference fish`.\n\n"
           "complete -c cairn -f\n"
           "complete -c cairn -n __fish_use_subcommand -l help -d 'tell what there is'\n"
           "complete -c cairn -n __fish_use_subcommand -l version -d 'tell the version'\n");
    for (int i = 0; i < count; ++i) {
        printf("complete -c cairn -n __fish_use_subcommand -a %s -d ", commands[i]->name);
        print_quoted(commands[i]->summary);
        printf("\n");
    }
    for (int i = 0; i < count; ++i) {
        printf("\n");
        for (int k = 0; k < commands[i]->option_count; ++k) {
            print_option(commands[i], &commands[i]->options[k]);
        }
        print_arguments(commands[i]);
    }
}
