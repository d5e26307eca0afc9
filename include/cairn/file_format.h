/* cairn/file_format.h -- which format a file's name ends for. The one place where endings are known. */
#ifndef CAIRN_FILE_FORMAT_H
#define CAIRN_FILE_FORMAT_H

#include <cairn/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Formats that the library and its program read by name. */
typedef enum crn_file_format {
    CRN_FILE_OTHER = 0,
    CRN_FILE_JSON, /* scenes, contact problems */
    CRN_FILE_RECORDING,
    CRN_FILE_URDF,
    CRN_FILE_MJCF,
    CRN_FILE_OBJ,
    CRN_FILE_STL,
    CRN_FILE_PLY,
    CRN_FILE_DAE, /* COLLADA */
    CRN_FILE_MATRIX_MARKET,
    CRN_FILE_NPY,
    CRN_FILE_NPZ,
    CRN_FILE_HDF5
} crn_file_format;

/** Endings of robots and of meshes, for messages. */
#define CRN_FILE_ROBOT_ENDINGS ".urdf, .xml or .mjcf"
#define CRN_FILE_MESH_ENDINGS  ".obj, .stl, .ply or .dae"

/** The format that the name ends for, in capitals or not. NULL ends for none. */
CRN_API crn_file_format crn_file_format_of(const char *name);

/** Is it one of a robot; of a mesh? */
CRN_API bool crn_file_is_robot(const char *name);
CRN_API bool crn_file_is_mesh(const char *name);

#ifdef __cplusplus
}
#endif

#endif
