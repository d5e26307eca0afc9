#include <cairn/io.h>
crn_status crn_io_read_mesh(const char *path, crn_vec3 scale, const crn_allocator *allocator, crn_mesh_data *mesh, crn_error *error)
{ (void)scale; (void)allocator; (void)mesh; return crn_fail(error, CRN_ERR_UNSUPPORTED, "%s: stub", path); }
void crn_mesh_data_free(crn_mesh_data *mesh) { (void)mesh; }
