/* The nearest of some names, for messages about unknown ones. */
#ifndef CAIRN_CLI_SUGGEST_H
#define CAIRN_CLI_SUGGEST_H

enum { CLI_SUGGEST_SIZE = 400 };

/* "; did you mean A or B? (known: A, B, C)" into text, which is returned. */
const char *cli_suggest(const char *wrong, const char *const *names, int count, char text[CLI_SUGGEST_SIZE]);

#endif
