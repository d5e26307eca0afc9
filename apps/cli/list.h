/* A list of problems: one per line, words separated by blanks; blank lines and lines that start with '#' are left out. */
#ifndef CAIRN_CLI_LIST_H
#define CAIRN_CLI_LIST_H

#include <cairn/base.h>

enum { LIST_WORDS = 3 };

typedef struct list_item {
    int line;                /* 1-based */
    int count;               /* words; more than LIST_WORDS are not kept */
    char *words[LIST_WORDS]; /* as given */
} list_item;

typedef struct list {
    char *text; /* the whole file, cut into words */
    list_item *items;
    int count;
} list;

/* Read a list; release with list_free(), also after a failure. */
crn_status list_read(list *l, const char *path, crn_error *error);
void list_free(list *l);

/* The path by which the file can be opened: as given, or else in the folder of the list. The result is word or in
 * buffer. */
const char *list_locate(const char *list_path, const char *word, char *buffer, size_t size);

#endif
