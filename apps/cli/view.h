/* Recordings that are shown: opened with a word on what is not whole, and written as a page. */
#ifndef CAIRN_CLI_VIEW_H
#define CAIRN_CLI_VIEW_H

#include "web_page.h"

/* Room for a sentence on how a recording ends. */
enum { VIEW_WARNING_SIZE = 400 };

/* Why the recording is not whole, as one sentence without the file's name; "" if it is. Returns text. */
const char *view_warning(const crn_recording *recording, char text[VIEW_WARNING_SIZE]);

/* Open a recording and warn on standard error if it is not whole. */
crn_status view_open(const char *path, crn_recording **recording, crn_error *error);

/* Write a page of the recording at `path`. title NULL: the scene's name. */
crn_status view_write(const char *path, const char *page, const web_text *text, crn_error *error);

#endif
