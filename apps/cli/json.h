/* One JSON object on one line. What is not a number in JSON (NaN, infinity) is written as null. */
#ifndef CAIRN_CLI_JSON_H
#define CAIRN_CLI_JSON_H

#include <stdbool.h>
#include <stdio.h>

typedef struct cli_json {
    FILE *file;
    bool has_members;
} cli_json;

cli_json cli_json_begin(FILE *file);
void cli_json_end(cli_json *json); /* with a newline */

void cli_json_null(cli_json *json, const char *key);
void cli_json_bool(cli_json *json, const char *key, bool value);
void cli_json_int(cli_json *json, const char *key, long long value);
void cli_json_real(cli_json *json, const char *key, double value); /* 17 digits */
void cli_json_string(cli_json *json, const char *key, const char *value);
void cli_json_reals(cli_json *json, const char *key, int count, const double *values);
void cli_json_strings(cli_json *json, const char *key, int count, const char *const *values);

/* A list or an object inside: '[' or '{', then its members, then ']' or '}'. In a list, and for items of it below, key is
 * NULL. */
void cli_json_open(cli_json *json, const char *key, char bracket);
void cli_json_shut(cli_json *json, char bracket);

/* A number with three decimals, for times. */
void cli_json_fixed(cli_json *json, const char *key, double value);

#endif
