/* Completion for bash, in plain bash: it needs no other package.
 *
 * The line is cut at blanks here and not taken from COMP_WORDS, because bash cuts it at ':' and '=' too; what is
 * offered then loses what bash holds for finished. */
#include "reference.h"

#include <stdio.h>

static const char head[] =
    "\n"
    "# Offer the words of $2 that begin with $1.\n"
    "_cairn_words()\n"
    "{\n"
    "    local word\n"
    "    for word in $2; do\n"
    "        [[ $word == \"$1\"* ]] && COMPREPLY+=(\"$word\")\n"
    "    done\n"
    "}\n"
    "\n"
    "# Offer the folders that begin with $1, and the files with the endings that follow; all files for '*'.\n"
    "_cairn_files()\n"
    "{\n"
    "    local start=$1 ending file\n"
    "    shift\n"
    "    while IFS= read -r file; do\n"
    "        [[ -n $file ]] && COMPREPLY+=(\"$file\")\n"
    "    done < <(\n"
    "        compgen -d -- \"$start\"\n"
    "        for ending in \"$@\"; do\n"
    "            compgen -f -X \"!*.$ending\" -- \"$start\"\n"
    "        done\n"
    "    )\n"
    "    compopt -o filenames 2>/dev/null\n"
    "}\n"
    "\n"
    "# Leave out of what is offered what bash does not replace: all up to the last of its breaks in $1.\n"
    "_cairn_cut()\n"
    "{\n"
    "    local kept=$1 i\n"
    "    while [[ -n $kept && ! ( ${kept: -1} == [:=] && $COMP_WORDBREAKS == *\"${kept: -1}\"* ) ]]; do\n"
    "        kept=${kept%?}\n"
    "    done\n"
    "    for i in \"${!COMPREPLY[@]}\"; do\n"
    "        COMPREPLY[i]=${COMPREPLY[i]#\"$kept\"}\n"
    "    done\n"
    "}\n"
    "\n"
    "# What may follow option $2 of command $1; $3 is typed of it, $4 stands before it. False if nothing follows it.\n"
    "_cairn_value()\n"
    "{\n"
    "    local i\n"
    "    case \"$1 $2\" in\n";

static const char middle[] = "    *) return 1 ;;\n"
                             "    esac\n"
                             "    for i in \"${!COMPREPLY[@]}\"; do\n"
                             "        COMPREPLY[i]=$4${COMPREPLY[i]}\n"
                             "    done\n"
                             "}\n"
                             "\n"
                             "# An option or an argument of command $1 that begins with $2.\n"
                             "_cairn_word()\n"
                             "{\n"
                             "    case \"$1 $2\" in\n";

static const char tail[] = "    esac\n"
                           "}\n"
                           "\n"
                           "_cairn()\n"
                           "{\n"
                           "    local words word before\n"
                           "    COMPREPLY=()\n"
                           "    read -ra words <<<\"${COMP_LINE:0:COMP_POINT}x\"\n"
                           "    word=${words[${#words[@]} - 1]%x}\n"
                           "    before=${words[${#words[@]} - 2]}\n"
                           "    if ((${#words[@]} == 2)); then\n"
                           "        _cairn_words \"$word\" \"$_cairn_commands --help --version\"\n"
                           "    elif [[ $word == --*=* ]]; then\n"
                           "        _cairn_value \"${words[1]}\" \"${word%%=*}\" \"${word#*=}\" \"${word%%=*}=\"\n"
                           "    elif [[ ${words[1]} == help ]]; then\n"
                           "        _cairn_words \"$word\" \"$_cairn_commands\"\n"
                           "    elif ! _cairn_value \"${words[1]}\" \"$before\" \"$word\" ''; then\n"
                           "        _cairn_word \"${words[1]}\" \"$word\"\n"
                           "    fi\n"
                           "    _cairn_cut \"$word\"\n"
                           "}\n"
                           "\n"
                           "complete -F _cairn cairn\n";

static void print_value(const cli_command *command, const cli_option *option)
{
    reference_kind kind = reference_kind_of(command, option);
    if (kind == REFERENCE_NOTHING) {
        return;
    }
    printf("    '%s %s') ", command->name, option->name);
    if (kind == REFERENCE_NAME) {
        printf("_cairn_words \"$3\" '");
        reference_print_names(reference_names_of(command, option->name), " ");
        printf("' ;;\n");
    } else if (kind == REFERENCE_FILE) {
        printf("_cairn_files \"$3\" '*' ;;\n");
    } else {
        printf(kind == REFERENCE_FOLDER ? "_cairn_files \"$3\" ;;\n" : ";;\n");
    }
}

static void print_words(const cli_command *command)
{
    const cli_names *names = reference_names_of(command, NULL);
    char ending[REFERENCE_ENDING_SIZE];
    printf("    '%s -'*) _cairn_words \"$2\" '", command->name);
    for (int i = 0; i < command->option_count; ++i) {
        printf("%s%s", i > 0 ? " " : "", command->options[i].name);
    }
    printf("' ;;\n");
    if (names == NULL && command->endings == NULL) {
        return;
    }
    printf("    '%s '*)\n", command->name);
    if (names != NULL) {
        printf("        _cairn_words \"$2\" '");
        reference_print_names(names, " ");
        printf("'\n");
    }
    if (command->endings != NULL) {
        printf("        _cairn_files \"$2\"");
        for (const char *at = command->endings; (at = reference_ending(at, ending)) != NULL;) {
            printf(" %s", ending);
        }
        printf("\n");
    }
    printf("        ;;\n");
}

void reference_bash(void)
{
    int count;
    const cli_command *const *commands = cli_commands(&count);
    printf("# Completion of cairn for bash; written by `cairn reference bash`.\n\n_cairn_commands='");
    for (int i = 0; i < count; ++i) {
        printf("%s%s", i > 0 ? " " : "", commands[i]->name);
    }
    printf("'\n");
    fputs(head, stdout);
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < commands[i]->option_count; ++k) {
            print_value(commands[i], &commands[i]->options[k]);
        }
    }
    fputs(middle, stdout);
    for (int i = 0; i < count; ++i) {
        print_words(commands[i]);
    }
    fputs(tail, stdout);
}
