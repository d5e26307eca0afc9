/* A build without XML: nothing parses, so there are no trees to walk. */
#include "text/xml_tree.h"

bool crn_xml_is_there(void)
{
    return false;
}

crn_status crn_xml_build(crn_xml *xml, const char *text, size_t length, crn_error *error)
{
    (void)text;
    (void)length;
    return crn_fail(error, CRN_ERR_UNSUPPORTED, "%s: this build of the library has no XML (CAIRN_XML)", xml->shown);
}
