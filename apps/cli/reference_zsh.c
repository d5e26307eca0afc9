/* Completion for zsh: one call of _arguments per command. */
#include "reference.h"

#include <stdio.h>

/* Text inside of '...[...]': what would end either is kept from it. */
static void print_help(const char *text)
{
    for (; *text != '\0'; ++text) {
        switch (*text) {
        case '\'': fputs("'\\''", stdout); break;
        case '[':
        case ']':
        case ':': printf("\\%c", *text); break;
        default: putchar(*text);
        }
    }
}

static void print_option(const cli_command *command, const cli_option *option)
{
    reference_kind kind = reference_kind_of(command, option);
    printf("            '%s%s[", option->name, kind == REFERENCE_NOTHING ? "" : option->name[1] == '-' ? "=" : "+");
    print_help(option->help);
    printf("]");
    if (kind != REFERENCE_NOTHING) {
        printf(":%s:", option->value);
    }
    if (kind == REFERENCE_NAME) {
        printf("(");
        reference_print_names(reference_names_of(command, option->name), " ");
        printf(")");
    } else if (kind == REFERENCE_FILE || kind == REFERENCE_FOLDER) {
        printf(kind == REFERENCE_FILE ? "_files" : "_files -/");
    }
    printf("' \\\n");
}

/* Arguments that are names or files: a function, for _arguments takes one action only. */
static void print_arguments(const cli_command *command)
{
    const cli_names *names = reference_names_of(command, NULL);
    char ending[REFERENCE_ENDING_SIZE];
    printf("_cairn_%s()\n{\n", command->name);
    if (names != NULL) {
        printf("    compadd -- ");
        reference_print_names(names, " ");
        printf("\n");
    }
    if (command->endings != NULL) {
        const char *before = "";
        printf("    _files -g '*.(");
        for (const char *at = command->endings; (at = reference_ending(at, ending)) != NULL; before = "|") {
            printf("%s%s", before, ending);
        }
        printf(")'\n");
    }
    if (names == NULL && command->endings == NULL) {
        printf("    _message 'no arguments'\n");
    }
    printf("}\n\n");
}

void reference_zsh(void)
{
    int count;
    const cli_command *const *commands = cli_commands(&count);
    printf("#compdef cairn\n# Completion of cairn for zsh; written by `cairn reference zsh`.\n\n");
    for (int i = 0; i < count; ++i) {
        print_arguments(commands[i]);
    }
    printf("_cairn()\n{\n    local context state state_descr line\n    typeset -A opt_args\n    local -a commands=(\n");
    for (int i = 0; i < count; ++i) {
        printf("        '%s:", commands[i]->name);
        print_help(commands[i]->summary);
        printf("'\n");
    }
    printf("    )\n"
           "    _arguments -C '--help[tell what there is]' '--version[tell the version]' '1:command:->command' "
           "'*::argument:->rest'\n"
           "    case $state in\n"
           "    command) _describe command commands ;;\n"
           "    rest)\n"
           "        case $words[1] in\n");
    for (int i = 0; i < count; ++i) {
        printf("        %s)\n            _arguments \\\n", commands[i]->name);
        for (int k = 0; k < commands[i]->option_count; ++k) {
            print_option(commands[i], &commands[i]->options[k]);
        }
        printf("            '*:argument:_cairn_%s'\n            ;;\n", commands[i]->name);
    }
    printf("        esac\n        ;;\n    esac\n}\n\n_cairn \"$@\"\n");
}
