/* A list of problems, one per line. */
#include "list.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The whole file with a '\0' behind it; NULL (with a message) if it cannot be had. */
static char *read_text(const char *path, size_t *size, crn_error *error)
{
    errno = 0;
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        (void)crn_fail(error, CRN_ERR_IO, "%s: cannot be opened: %s", path, strerror(errno));
        return NULL;
    }
    char *text = NULL;
    size_t capacity = 0, got = 1;
    *size = 0;
    while (got > 0 && !ferror(file)) {
        if (capacity - *size < 2) {
            capacity = 2 * capacity + 4096;
            char *grown = realloc(text, capacity);
            if (grown == NULL) {
                break;
            }
            text = grown;
        }
        got = fread(text + *size, 1, capacity - *size - 1, file);
        *size += got;
    }
    bool is_read = got == 0 && !ferror(file);
    if (!is_read) {
        (void)crn_fail(error, CRN_ERR_IO, "%s: cannot be read: %s", path, strerror(errno));
        free(text);
        text = NULL;
    } else {
        text[*size] = '\0';
    }
    fclose(file);
    return text;
}

/* Cut one line, which ends with '\0', into the words of an item. */
static void cut_line(char *line, list_item *item)
{
    static const char blanks[] = " \t\r\v\f";
    char *at = line + strspn(line, blanks);
    while (*at != '\0' && !(item->count == 0 && *at == '#')) {
        char *end = at + strcspn(at, blanks);
        if (item->count < LIST_WORDS) {
            item->words[item->count] = at;
        }
        ++item->count;
        at = end + strspn(end, blanks);
        *end = '\0';
    }
}

crn_status list_read(list *l, const char *path, crn_error *error)
{
    *l = (list){.count = 0};
    size_t size = 0;
    l->text = read_text(path, &size, error);
    if (l->text == NULL) {
        return CRN_ERR_IO;
    }

    /* Room for an item per line; the empty ones are left out while cutting. */
    size_t lines = 1;
    for (size_t i = 0; i < size; ++i) {
        lines += l->text[i] == '\n';
    }
    l->items = lines < INT_MAX ? calloc(lines, sizeof *l->items) : NULL;
    if (l->items == NULL) {
        return crn_fail(error, CRN_ERR_MEMORY, "%s: no memory for %zu lines", path, lines);
    }
    char *line = l->text;
    for (int number = 1; line < l->text + size; ++number) {
        char *end = memchr(line, '\n', size - (size_t)(line - l->text));
        end = end != NULL ? end : l->text + size;
        *end = '\0';
        list_item item = {.line = number};
        cut_line(line, &item);
        if (item.count > 0) {
            l->items[l->count++] = item;
        }
        line = end + 1;
    }
    return CRN_OK;
}

void list_free(list *l)
{
    free(l->text);
    free(l->items);
    *l = (list){.count = 0};
}

static bool can_open(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file != NULL) {
        fclose(file);
    }
    return file != NULL;
}

const char *list_locate(const char *list_path, const char *word, char *buffer, size_t size)
{
    const char *slash = strrchr(list_path, '/');
    if (slash == NULL || word[0] == '/' || can_open(word)) {
        return word;
    }
    int folder = slash - list_path < INT_MAX ? (int)(slash - list_path) : INT_MAX;
    int length = snprintf(buffer, size, "%.*s/%s", folder, list_path, word);
    return length > 0 && (size_t)length < size && can_open(buffer) ? buffer : word;
}
