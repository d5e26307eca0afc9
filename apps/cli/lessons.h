/* Lessons: scenes to be touched, with a text beside the stage. */
#ifndef CAIRN_CLI_LESSONS_H
#define CAIRN_CLI_LESSONS_H

#include "web_page.h"

typedef struct lesson {
    const char *name, *title, *about;
    const char *scene; /* "gallery:NAME", or scene JSON */
    double time;       /* of the film, which plays where the simulation cannot [s] */
    web_lesson page;
} lesson;

int lessons_count(void);
const lesson *lessons_at(int index); /* NULL outside */

/* The lesson of a scene called "lesson:NAME"; NULL if it is not called so, or there is none. */
const lesson *lessons_find(const char *scene);
bool lessons_is_named(const char *scene); /* "lesson:..." */

/* Write the page of each lesson into a folder, and an index page. */
crn_status lessons_write(const char *folder, crn_error *error);

#endif
