/* cairn reference -- the command line as Markdown, as a manual page, and for the completion of shells. */
#include "reference.h"

#include <stdio.h>
#include <string.h>

typedef struct form {
    const char *name, *about;
    void (*print)(void);
} form;

static const form forms[] = {
    {"markdown", "docs/reference/cli.md", reference_markdown},
    {"man", "the manual page, cairn.1", reference_man},
    {"bash", "completion for bash: source it, or put it into share/bash-completion/completions/cairn", reference_bash},
    {"zsh", "completion for zsh: _cairn in a folder of $fpath", reference_zsh},
    {"fish", "completion for fish: cairn.fish in ~/.config/fish/completions", reference_fish},
};
enum { FORM_COUNT = sizeof forms / sizeof forms[0] };

enum { OPTION_HELP, OPTION_COUNT };
static const cli_option options[OPTION_COUNT] = {
    [OPTION_HELP] = {"--help", NULL, "this text"},
};

/* --- What the forms share --- */

const cli_names *reference_names_of(const cli_command *command, const char *option)
{
    for (int i = 0; i < command->name_count; ++i) {
        const char *of = command->names[i].option;
        if (of == NULL ? option == NULL : option != NULL && strcmp(of, option) == 0) {
            return &command->names[i];
        }
    }
    return NULL;
}

reference_kind reference_kind_of(const cli_command *command, const cli_option *option)
{
    if (option->value == NULL) {
        return REFERENCE_NOTHING;
    }
    if (reference_names_of(command, option->name) != NULL) {
        return REFERENCE_NAME;
    }
    if (strcmp(option->value, "FILE") == 0 || strcmp(option->value, "LIST") == 0) {
        return REFERENCE_FILE;
    }
    bool is_folder = strcmp(option->value, "DIR") == 0 || strcmp(option->value, "FOLDER") == 0;
    return is_folder ? REFERENCE_FOLDER : REFERENCE_TEXT;
}

const cli_names *reference_choices(const cli_command *command, const cli_option *option)
{
    const cli_names *choices = reference_names_of(command, option->name);
    if (choices == NULL || choices->title != NULL) {
        return NULL;
    }
    for (int i = 0; choices->name(i) != NULL; ++i) {
        if (strstr(option->help, choices->name(i)) == NULL) {
            return choices;
        }
    }
    return NULL;
}

void reference_print_names(const cli_names *names, const char *between)
{
    for (int i = 0; names->name(i) != NULL; ++i) {
        printf("%s%s%s", i > 0 ? between : "", names->prefix != NULL ? names->prefix : "", names->name(i));
    }
}

const char *reference_ending(const char *endings, char ending[REFERENCE_ENDING_SIZE])
{
    if (endings == NULL || *endings == '\0') {
        return NULL;
    }
    size_t length = strcspn(endings, " ");
    (void)snprintf(ending, REFERENCE_ENDING_SIZE, "%.*s", (int)length, endings);
    return endings + length + strspn(endings + length, " ");
}

const char *reference_line(const char *text, char line[REFERENCE_LINE_SIZE])
{
    if (text == NULL || *text == '\0') {
        return NULL;
    }
    size_t length = strcspn(text, "\n");
    (void)snprintf(line, REFERENCE_LINE_SIZE, "%.*s", (int)length, text);
    return text + length + (text[length] == '\n');
}

/* --- The command --- */

static const char *form_name(int i)
{
    return i < FORM_COUNT ? forms[i].name : NULL;
}

static const char *form_about(int i)
{
    return forms[i].about;
}

static int run(int argc, char **argv)
{
    const char *given[OPTION_COUNT] = {NULL}, *wanted = NULL;
    cli_args args = {.command = "reference",
                     .options = options,
                     .option_count = OPTION_COUNT,
                     .given = given,
                     .files = &wanted,
                     .file_limit = 1};
    if (!cli_args_read(&args, argc, argv)) {
        return CLI_BAD;
    }
    if (wanted == NULL) {
        return cli_fail("reference: no form named; try 'cairn reference --help'");
    }
    int choice = cli_args_argument(&args, 0, "form", form_name);
    if (choice < 0) {
        return CLI_BAD;
    }
    forms[choice].print();
    return CLI_DONE;
}

static const cli_names names[] = {{.name = form_name, .title = "forms", .about = form_about}};

const cli_command cli_reference_command = {
    .name = "reference",
    .summary = "print this reference as Markdown, as a manual page, or for a shell to complete by",
    .usage = "reference FORM",
    .about = "Print what the commands tell of themselves, in another form.",
    .options = options,
    .option_count = OPTION_COUNT,
    .names = names,
    .name_count = sizeof names / sizeof names[0],
    .run = run,
};
