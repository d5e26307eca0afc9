/* <hfield>: heights over a grid, along x in columns and along y in rows.
 *
 * size is half of the extent along x and y, how high it is, and how deep below 0; ours is solid below. Heights are written from the row
 * at the largest y on, and are scaled so that they reach from 0 to size[2]. Without them all are 0. */
#include "robots/mjcf.h"
#include "math/elementary.h"

#include <math.h>
#include <string.h>

enum { SIDE_MOST = 10000 };

static crn_xml_node *find_field(const crn_mjcf *mjcf, const char *name)
{
    crn_xml_node *root = crn_xml_root(mjcf->file[0]);
    for (crn_xml_node *section = NULL; (section = crn_xml_child(root, "asset", section)) != NULL;) {
        for (crn_xml_node *node = NULL; (node = crn_xml_child(section, "hfield", node)) != NULL;) {
            const char *own = crn_xml_get(node, "name");
            if (own != NULL && strcmp(own, name) == 0) {
                return node;
            }
        }
    }
    return NULL;
}

/* Heights from 0 to `high`, rows turned round. */
static void scale_heights(const double *from, int rows, int columns, double high, double *to)
{
    double least = INFINITY, most = -INFINITY;
    for (int i = 0; i < rows * columns; ++i) {
        least = crn_fmin(least, from[i]);
        most = crn_fmax(most, from[i]);
    }
    double scale = most > least ? high / (most - least) : 0.0;
    for (int r = 0; r < rows; ++r) {
        for (int c = 0; c < columns; ++c) {
            to[(rows - 1 - r) * columns + c] = scale * (from[r * columns + c] - least);
        }
    }
}

static crn_status read_heights(crn_mjcf *mjcf, const crn_mjcf_element *field, int rows, int columns, double high,
                               double *to)
{
    double *values = NULL;
    int count = 0;
    crn_status status = crn_mjcf_array(mjcf, field, "elevation", &values, &count);
    if (status == CRN_OK && count > 0 && count != rows * columns) {
        return crn_mjcf_fail(mjcf, field->node, CRN_ERR_FORMAT, " elevation: has %d numbers, not nrow x ncol = %d",
                             count, rows * columns);
    }
    if (status == CRN_OK && count > 0) {
        scale_heights(values, rows, columns, high, to);
    }
    return status;
}

crn_status crn_mjcf_read_field(crn_mjcf *mjcf, const crn_mjcf_element *geom, crn_shape_def *shape, bool *is_known)
{
    const char *name = crn_mjcf_text(geom, "hfield");
    crn_xml_node *node = name != NULL ? find_field(mjcf, name) : NULL;
    crn_mjcf_element field = {.node = node, .owner = {node}, .owners = 1};
    double size[4] = {0, 0, 0, 0};
    int rows = 0, columns = 0;
    *is_known = false;
    if (node == NULL) {
        return name == NULL ? crn_mjcf_fail(mjcf, geom->node, CRN_ERR_FORMAT, " hfield: missing")
                            : crn_mjcf_fail(mjcf, geom->node, CRN_ERR_FORMAT, " hfield: there is no '%.40s'", name);
    }
    if (crn_xml_get(node, "file") != NULL) {
        crn_mjcf_warn(mjcf, node, "file", " file: heights from files are not supported, its geoms are left out");
        return CRN_OK;
    }
    crn_status status = crn_mjcf_numbers(mjcf, &field, "size", 4, 4, size, NULL);
    status = status == CRN_OK ? crn_mjcf_integer(mjcf, &field, "nrow", 2, SIDE_MOST, &rows) : status;
    status = status == CRN_OK ? crn_mjcf_integer(mjcf, &field, "ncol", 2, SIDE_MOST, &columns) : status;
    if (status == CRN_OK && !(size[0] > 0.0 && size[1] > 0.0 && size[2] > 0.0)) {
        status = crn_mjcf_fail(mjcf, node, CRN_ERR_FORMAT, " size: must be > 0");
    }
    double *heights = NULL;
    if (status == CRN_OK) {
        size_t bytes = (size_t)rows * (size_t)columns * sizeof *heights;
        heights = crn_mjcf_keep(mjcf, node, bytes);
        status = heights != NULL ? CRN_OK : CRN_ERR_MEMORY;
        if (heights != NULL) {
            memset(heights, 0, bytes);
            status = read_heights(mjcf, &field, rows, columns, size[2], heights);
        }
    }
    *shape = (crn_shape_def){.kind = CRN_SHAPE_HEIGHT_FIELD, .points = heights, .rows = columns, .columns = rows};
    shape->size.x = 2.0 * size[0] / (columns - 1);
    shape->size.y = 2.0 * size[1] / (rows - 1);
    *is_known = status == CRN_OK;
    return status;
}
