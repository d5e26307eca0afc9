/* Colours of pictures: <material> has a <color>, or the name of a material that has one elsewhere in the file. */
#include "robots/urdf.h"

#include "math/rigid.h"

#include <string.h>

/* The <color> of a material of that name among the children of a node; NULL: none. */
static crn_xml_node *find_among(const crn_xml_node *parent, const char *name)
{
    for (crn_xml_node *at = NULL; (at = crn_xml_child(parent, "material", at)) != NULL;) {
        const char *own = crn_xml_get(at, "name");
        crn_xml_node *color = crn_xml_child(at, "color", NULL);
        if (own != NULL && color != NULL && strcmp(own, name) == 0) {
            return color;
        }
    }
    return NULL;
}

/* Of the robot, or of the first picture that defines it. */
static crn_xml_node *find_named(const crn_urdf *urdf, const char *name)
{
    crn_xml_node *color = find_among(crn_xml_root(urdf->xml), name);
    for (int i = 0; i < urdf->links && color == NULL; ++i) {
        const crn_xml_node *link = urdf->link[i].node;
        for (crn_xml_node *at = NULL; color == NULL && (at = crn_xml_child(link, "visual", at)) != NULL;) {
            color = find_among(at, name);
        }
    }
    return color;
}

crn_status crn_urdf_color(crn_urdf *urdf, const crn_xml_node *visual, crn_vec3 *color)
{
    crn_xml_node *material = crn_xml_child(visual, "material", NULL);
    const char *name = material != NULL ? crn_xml_get(material, "name") : NULL;
    crn_xml_node *node = material != NULL ? crn_xml_child(material, "color", NULL) : NULL;
    node = node == NULL && name != NULL ? find_named(urdf, name) : node;
    double rgba[4] = {-1.0, -1.0, -1.0, 1.0};
    crn_status status = node != NULL ? crn_urdf_need_numbers(urdf, node, "rgba", 4, rgba) : CRN_OK;
    for (int k = 0; k < 3 && node != NULL && status == CRN_OK; ++k) {
        if (!(rgba[k] >= 0.0 && rgba[k] <= 1.0)) {
            status = CRN_URDF_FAIL(urdf, node, CRN_ERR_FORMAT, " rgba: must be in 0 to 1, but is %.9g", rgba[k]);
        }
    }
    *color = crn_v3_of(rgba);
    return status;
}
