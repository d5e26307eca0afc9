/* A tree that grows element by element: what parsers call as they go through a text. */
#ifndef CRN_IO_XML_GROW_H
#define CRN_IO_XML_GROW_H

#include "text/xml_tree.h"

typedef struct crn_xml_grower {
    crn_xml *xml;
    struct crn_xml_element *open; /* the innermost element that has not ended; NULL: none */
    int depth;
    crn_status status; /* the first failure; nothing is done after it */
    crn_error *error;
} crn_xml_grower;

/* Fail with "name:line: what", unless it has failed before. */
void crn_xml_grow_fail(crn_xml_grower *g, int line, crn_status status, const char *what);

/* An element begins: its name, and names and values of attributes in pairs, NULL after the last. */
void crn_xml_grow_start(crn_xml_grower *g, int line, const char *name, const char *const *pairs);

/* Character data of the innermost element, in pieces. Outside of the root it is left out. */
void crn_xml_grow_text(crn_xml_grower *g, int line, const char *piece, size_t count);

/* The innermost element ends. */
void crn_xml_grow_end(crn_xml_grower *g);

#endif
