/* A text or a file into an XML tree. */
#include "text/xml_tree.h"

#include "base/memory.h"

crn_status crn_xml_parse(const char *text, size_t length, const char *name, const crn_allocator *allocator,
                         crn_xml **xml, crn_error *error)
{
    name = name != NULL ? name : "xml";
    *xml = crn_xml_create(name, allocator);
    if (*xml == NULL) {
        return crn_fail(error, CRN_ERR_MEMORY, "%s: no memory for its elements", name);
    }
    crn_status status = crn_xml_build(*xml, text != NULL ? text : "", text != NULL ? length : 0, error);
    if (status != CRN_OK) {
        crn_xml_free(*xml);
        *xml = NULL;
        return status;
    }
    crn_clear(error);
    return CRN_OK;
}

crn_status crn_xml_read(const char *path, const crn_allocator *allocator, crn_xml **xml, crn_error *error)
{
    *xml = NULL;
    crn_allocator hooks = crn_io_allocator(allocator);
    crn_io_source source;
    crn_status status = crn_io_load(path, &hooks, &source, error);
    if (status == CRN_OK) {
        status = crn_xml_parse(source.text, source.size, path, &hooks, xml, error);
        crn_io_unload(&hooks, &source);
    }
    return status;
}
