/* Formats by the endings of names. */
#include <cairn/file_format.h>

#include "text/text.h"

#include <string.h>

static const struct {
    const char *ending; /* in small letters */
    crn_file_format format;
} endings[] = {
    {".json", CRN_FILE_JSON}, {".crn", CRN_FILE_RECORDING},     {".urdf", CRN_FILE_URDF}, {".xml", CRN_FILE_MJCF},
    {".mjcf", CRN_FILE_MJCF}, {".obj", CRN_FILE_OBJ},           {".stl", CRN_FILE_STL},   {".ply", CRN_FILE_PLY},
    {".dae", CRN_FILE_DAE},   {".mtx", CRN_FILE_MATRIX_MARKET}, {".npy", CRN_FILE_NPY},   {".npz", CRN_FILE_NPZ},
    {".hdf5", CRN_FILE_HDF5}, {".h5", CRN_FILE_HDF5},
};

crn_file_format crn_file_format_of(const char *name)
{
    size_t length = name != NULL ? strlen(name) : 0;
    for (size_t k = 0; k < sizeof endings / sizeof *endings; ++k) {
        size_t size = strlen(endings[k].ending);
        crn_io_word end = {.text = length > size ? name + (length - size) : "", .length = length > size ? size : 0};
        if (crn_io_word_is(&end, endings[k].ending)) {
            return endings[k].format;
        }
    }
    return CRN_FILE_OTHER;
}

bool crn_file_is_robot(const char *name)
{
    crn_file_format format = crn_file_format_of(name);
    return format == CRN_FILE_URDF || format == CRN_FILE_MJCF;
}

bool crn_file_is_mesh(const char *name)
{
    crn_file_format format = crn_file_format_of(name);
    return format >= CRN_FILE_OBJ && format <= CRN_FILE_DAE;
}
