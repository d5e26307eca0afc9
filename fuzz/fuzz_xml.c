/* Any bytes as XML, by the parser of our own, beside expat.
 *
 * Nothing may crash or leak; a failure has a message of one line that names the file. What our parser takes of plain texts, expat takes
 * too, with as many elements. */
#include "text/xml.h"

#define crn_xml_build    own_build
#define crn_xml_is_there own_has_xml
crn_status own_build(struct crn_xml *xml, const char *text, size_t length, crn_error *error);
bool own_has_xml(void);
#include "../src/text/xml_own.c"
#undef crn_xml_build
#undef crn_xml_is_there

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
crn_status crn_xml_build(crn_xml *xml, const char *text, size_t length, crn_error *error);

static void demand(bool condition)
{
    if (!condition) {
        abort();
    }
}

/* What only expat looks at closely: declarations, instructions, and which characters beyond ASCII names may have. */
static bool is_plain(const char *text, size_t size)
{
    for (size_t i = 0; i < size; ++i) {
        if ((unsigned char)text[i] >= 0x80 ||
            (text[i] == '<' && i + 2 < size && (text[i + 1] == '?' || text[i + 2] == 'D'))) {
            return false;
        }
    }
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const char *text = (const char *)bytes;
    crn_xml *own = crn_xml_create("x.xml", NULL), *theirs = crn_xml_create("x.xml", NULL);
    demand(own != NULL && theirs != NULL);
    crn_error error = {CRN_OK, ""}, other = {CRN_OK, ""};
    crn_status status = own_build(own, text, size, &error);
    demand((status == CRN_OK) == (error.status == CRN_OK));
    demand(status == CRN_OK || (strncmp(error.text, "x.xml:", 6) == 0 && strchr(error.text, '\n') == NULL));
    if (status == CRN_OK && is_plain(text, size)) {
        demand(crn_xml_build(theirs, text, size, &other) == CRN_OK && own->nodes == theirs->nodes);
    }
    crn_xml_free(own);
    crn_xml_free(theirs);
    return 0;
}
