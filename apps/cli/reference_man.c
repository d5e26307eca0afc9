/* The command line as a manual page: cairn.1. */
#include "reference.h"

#include <cairn/base.h>

#include <stdio.h>
#include <string.h>

/* The code point of the UTF-8 sequence at *text, which moves on. */
static unsigned next_point(const char **text)
{
    unsigned char first = (unsigned char)*(*text)++;
    int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : 0;
    unsigned point = more == 0 ? first : first & (0x3Fu >> more);
    for (; more > 0 && **text != '\0'; --more) {
        point = point << 6 | ((unsigned char)*(*text)++ & 0x3Fu);
    }
    return point;
}

/* Text in roff's spelling; it must not begin a line with a dot or a quote. */
static void print_text(const char *text)
{
    while (*text != '\0') {
        unsigned point = next_point(&text);
        if (point >= 0x80) {
            printf("\\[u%04X]", point);
        } else if (point == '\\') {
            printf("\\e");
        } else if (point == '-') {
            printf("\\-");
        } else if (point == '\'') {
            printf("\\(aq");
        } else {
            putchar((int)point);
        }
    }
}

/* .MACRO "text" */
static void print_macro(const char *macro, const char *text)
{
    printf(".%s \"", macro);
    print_text(text);
    printf("\"\n");
}

static void print_synopsis(const cli_command *command)
{
    char line[REFERENCE_LINE_SIZE];
    const char *usage = command->usage;
    while ((usage = reference_line(usage, line)) != NULL) {
        size_t name = strlen(command->name);
        printf(".B cairn ");
        print_text(command->name);
        printf("\n");
        if (line[name] != '\0') {
            print_text(line + name + 1);
            printf("\n");
        }
        printf(".br\n");
    }
}

static void print_item(const char *name, const char *value, const char *about)
{
    printf(".TP\n\\fB");
    print_text(name);
    printf("\\fR");
    if (value != NULL) {
        printf(" \\fI");
        print_text(value);
        printf("\\fR");
    }
    printf("\n");
    print_text(about);
    printf("\n");
}

static void print_choices(const cli_names *names)
{
    printf("One of ");
    for (int i = 0; names->name(i) != NULL; ++i) {
        printf("%s\\fB", i > 0 ? ", " : "");
        print_text(names->name(i));
        printf("\\fR");
    }
    printf(".\n");
}

static void print_options(const cli_command *command)
{
    for (int i = 0; i < command->option_count; ++i) {
        const cli_option *option = &command->options[i];
        const cli_names *names = reference_choices(command, option);
        print_item(option->name, option->value, option->help);
        if (names != NULL) {
            printf(".br\n");
            print_choices(names);
        }
    }
}

static void print_command(const cli_command *command)
{
    char heading[80];
    (void)snprintf(heading, sizeof heading, "cairn %s", command->name);
    print_macro("SS", heading);
    print_synopsis(command);
    printf(".PP\n");
    print_text(command->about);
    printf("\n");
    print_options(command);
    for (int i = 0; i < command->name_count; ++i) {
        const cli_names *names = &command->names[i];
        if (names->title != NULL) {
            printf(".PP\n");
            print_text(names->title);
            printf(":\n");
            for (int k = 0; names->name(k) != NULL; ++k) {
                print_item(names->name(k), NULL, names->about(k));
            }
        }
    }
    if (command->after != NULL) {
        printf(".PP\n");
        print_text(command->after);
        printf("\n");
    }
}

static void print_head(const cli_command *const *commands, int count)
{
    printf(".TH CAIRN 1 \"\" \"cairn %s\" \"User Commands\"\n", crn_version());
    printf(".SH NAME\ncairn \\- bodies in hard contact, and the complementarity problems underneath, certified\n");
    printf(".SH SYNOPSIS\n.B cairn\n.I COMMAND\n[\\fIARGUMENTS\\fR]\n.br\n.B cairn\n"
           "[\\fB\\-\\-help\\fR | \\fB\\-\\-version\\fR]\n");
    printf(
        ".SH DESCRIPTION\n"
        "Cairn simulates rigid and articulated bodies in hard contact and solves the linear complementarity and\n"
        "contact problems underneath. Every answer and every step carries a certificate.\n"
        ".PP\n"
        "\\fB\\-\\-name\\fR \\fIVALUE\\fR and \\fB\\-\\-name=\\fR\\fIVALUE\\fR are the same; \\fB\\-\\-\\fR ends the\n"
        "options. The commands:\n");
    for (int i = 0; i < count; ++i) {
        print_item(commands[i]->name, NULL, commands[i]->summary);
    }
}

void reference_man(void)
{
    int count;
    const cli_command *const *commands = cli_commands(&count);
    print_head(commands, count);
    printf(".SH COMMANDS\n");
    for (int i = 0; i < count; ++i) {
        print_command(commands[i]);
    }
    printf(".SH EXIT STATUS\n");
    print_item("0", NULL, "It did its job.");
    print_item("1", NULL, "It ran, and the answer is no.");
    print_item("2", NULL, "Bad usage or bad input; one line on standard error says what.");
    printf(".SH EXAMPLES\n");
    print_item("cairn solve M.mtx q.mtx", NULL, "Solve a linear complementarity problem in Matrix Market files.");
    print_item("cairn sim gallery:stack-100 --time 2", NULL, "Simulate two seconds of a scene of the gallery.");
    print_item("cairn sim robot.urdf -o robot.crn", NULL, "Drop a robot on a floor and record its motion.");
}
