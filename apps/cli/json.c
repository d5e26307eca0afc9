/* One JSON object on one line. */
#include "json.h"

#include <math.h>
#include <stddef.h>

cli_json cli_json_begin(FILE *file)
{
    fputc('{', file);
    return (cli_json){.file = file};
}

void cli_json_end(cli_json *json)
{
    fputs("}\n", json->file);
}

/* Length of the UTF-8 sequence at s, or 0 if it is not a valid one. */
static int sequence_length(const unsigned char *s)
{
    int length = s[0] < 0x80 ? 1 : s[0] >= 0xC2 && s[0] < 0xE0 ? 2 : s[0] >= 0xE0 && s[0] < 0xF0 ? 3 : 4;
    if (length == 4 && (s[0] < 0xF0 || s[0] > 0xF4)) {
        return 0;
    }
    for (int i = 1; i < length; ++i) {
        if ((s[i] & 0xC0) != 0x80) {
            return 0;
        }
    }
    /* Overlong forms, surrogates, and what lies beyond Unicode. */
    bool is_wrong = (s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xED && s[1] > 0x9F) || (s[0] == 0xF0 && s[1] < 0x90) ||
                    (s[0] == 0xF4 && s[1] > 0x8F);
    return is_wrong ? 0 : length;
}

/* A quoted string; bytes that are not UTF-8 become the replacement character. What would end a script element of a page, or
 * begin a comment there, is escaped. */
static void write_string(FILE *file, const char *text)
{
    fputc('"', file);
    for (const unsigned char *s = (const unsigned char *)text; *s != '\0';) {
        int length = sequence_length(s);
        if (length == 0) {
            fputs("\\ufffd", file);
            ++s;
        } else if (length > 1) {
            fwrite(s, 1, (size_t)length, file);
            s += length;
        } else {
            if (*s == '"' || *s == '\\') {
                fprintf(file, "\\%c", *s);
            } else if (*s < 0x20 || (*s == '<' && (s[1] == '/' || s[1] == '!'))) {
                fprintf(file, "\\u%04x", *s);
            } else {
                fputc(*s, file);
            }
            ++s;
        }
    }
    fputc('"', file);
}

static void write_real(FILE *file, double value)
{
    if (isfinite(value)) {
        fprintf(file, "%.17g", value);
    } else {
        fputs("null", file);
    }
}

static FILE *write_key(cli_json *json, const char *key)
{
    if (json->has_members) {
        fputs(", ", json->file);
    }
    json->has_members = true;
    if (key != NULL) {
        write_string(json->file, key);
        fputs(": ", json->file);
    }
    return json->file;
}

void cli_json_open(cli_json *json, const char *key, char bracket)
{
    fputc(bracket, write_key(json, key));
    json->has_members = false;
}

void cli_json_shut(cli_json *json, char bracket)
{
    fputc(bracket, json->file);
    json->has_members = true;
}

void cli_json_null(cli_json *json, const char *key)
{
    fputs("null", write_key(json, key));
}

void cli_json_bool(cli_json *json, const char *key, bool value)
{
    fputs(value ? "true" : "false", write_key(json, key));
}

void cli_json_int(cli_json *json, const char *key, long long value)
{
    fprintf(write_key(json, key), "%lld", value);
}

void cli_json_real(cli_json *json, const char *key, double value)
{
    write_real(write_key(json, key), value);
}

void cli_json_fixed(cli_json *json, const char *key, double value)
{
    fprintf(write_key(json, key), isfinite(value) ? "%.3f" : "null", value);
}

void cli_json_string(cli_json *json, const char *key, const char *value)
{
    write_string(write_key(json, key), value);
}

void cli_json_reals(cli_json *json, const char *key, int count, const double *values)
{
    FILE *file = write_key(json, key);
    fputc('[', file);
    for (int i = 0; i < count; ++i) {
        fputs(i == 0 ? "" : ", ", file);
        write_real(file, values[i]);
    }
    fputc(']', file);
}

void cli_json_strings(cli_json *json, const char *key, int count, const char *const *values)
{
    FILE *file = write_key(json, key);
    fputc('[', file);
    for (int i = 0; i < count; ++i) {
        fputs(i == 0 ? "" : ", ", file);
        write_string(file, values[i]);
    }
    fputc(']', file);
}
