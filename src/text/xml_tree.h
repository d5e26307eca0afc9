/* The inside of crn_xml: what the parser (xml.c) fills and the functions on nodes read. */
#ifndef CRN_TEXT_XML_TREE_H
#define CRN_TEXT_XML_TREE_H

#include "text/source.h"
#include "text/xml.h"

struct crn_xml {
    crn_allocator allocator;
    const char *name;            /* of the file, a copy */
    const char *shown;           /* the same as messages write it: cut at the front if it is long */
    crn_xml_node *root;          /* NULL until the first element */
    int nodes;                   /* elements so far */
    struct crn_xml_block *block; /* memory of everything else, newest first */
};

/* An empty tree; NULL if there is no memory. Free with crn_xml_free(). */
crn_xml *crn_xml_create(const char *name, const crn_allocator *allocator);

/* bytes that live as long as the tree, aligned for any type; NULL if there is no memory. */
void *crn_xml_take(crn_xml *xml, size_t bytes);

/* The tree of a text, by expat (xml.c) or without it (xml_own.c). Fills an empty tree. */
crn_status crn_xml_build(crn_xml *xml, const char *text, size_t length, crn_error *error);

#endif
