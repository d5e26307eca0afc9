/* XML as a tree with line numbers: what the readers of URDF and MJCF look at. expat is included by xml.c only.
 *
 * Hostile input is bounded: no entities but the five of XML and characters by number, no external ones, at most
 * CRN_XML_DEPTH_MOST levels and CRN_XML_NODES_MOST elements. */
#ifndef CRN_TEXT_XML_H
#define CRN_TEXT_XML_H

#include <cairn/base.h>

#include <stddef.h>

enum { CRN_XML_DEPTH_MOST = 200, CRN_XML_NODES_MOST = 1000000 };

typedef struct crn_xml_attribute {
    const char *name, *value;
    bool is_read; /* set by crn_xml_get(): readers warn about what nobody asked for */
} crn_xml_attribute;

typedef struct crn_xml_node {
    const char *name;
    const char *text; /* all character data of the element itself, "" if none */
    int line;
    crn_xml_attribute *attribute;
    int attributes;
    struct crn_xml_node *parent, *child, *next; /* next: of the same parent */
} crn_xml_node;

typedef struct crn_xml crn_xml;

/* Can this build parse XML? */
bool crn_xml_is_there(void);

/* Parse; the root is crn_xml_root(). The message is "name:line: what". */
crn_status crn_xml_parse(const char *text, size_t length, const char *name, const crn_allocator *allocator,
                         crn_xml **xml, crn_error *error);
/* The same of a whole file. */
crn_status crn_xml_read(const char *path, const crn_allocator *allocator, crn_xml **xml, crn_error *error);
void crn_xml_free(crn_xml *xml);
crn_xml_node *crn_xml_root(crn_xml *xml);
const char *crn_xml_name(const crn_xml *xml); /* of the file, for messages */

/* First child of that name (NULL: any) after `after` (NULL: from the first); NULL if there is none. */
crn_xml_node *crn_xml_child(const crn_xml_node *node, const char *name, const crn_xml_node *after);

/* Value of an attribute, marked as read; NULL if it is not there. */
const char *crn_xml_get(crn_xml_node *node, const char *name);
const char *crn_xml_look(const crn_xml_node *node, const char *name); /* the same, but is_read stays as it is */

/* Exactly count finite numbers from an attribute into to. is_there (may be NULL): was it there at all? An absent one is not an error and
 * leaves `to` as it is. The message: "robot.urdf:12: <origin> xyz: needs 3 numbers, but is '1 2'". */
crn_status crn_xml_numbers(const crn_xml *xml, crn_xml_node *node, const char *name, int count, double *to,
                           bool *is_there, crn_error *error);

/* "file:line: <element>: message"; a message that begins with a blank, as " xyz: ...", goes without the colon. */
crn_status crn_xml_fail(const crn_xml *xml, const crn_xml_node *node, crn_status status, crn_error *error,
                        const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 5, 6)))
#endif
    ;

#endif
