/* Telling what a contact solve found. */
#ifndef CAIRN_CLI_CONTACT_REPORT_H
#define CAIRN_CLI_CONTACT_REPORT_H

#include "contact_job.h"

/* One JSON line for a problem that was solved or not. */
void contact_report_json(contact_job *job, const contact_request *request);

/* One JSON line for a problem that could not be read or tried. */
void contact_report_json_error(const char *name, const char *message);

/* The same for people. */
void contact_report_text(contact_job *job, const contact_request *request);

#endif
