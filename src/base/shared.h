/* What the second library, that of readers and writers (io), calls of the first: exported by it, but under a symbol version that
 * only the library of the same build has (cmake/CairnExports.cmake). No part of the API. */
#ifndef CAIRN_BASE_SHARED_H
#define CAIRN_BASE_SHARED_H

#include <cairn/base.h>

#define CRN_SHARED CRN_API

#endif
