/* gallery_classes.h -- small random contact problems in classes, each hard in its own way and solvable by construction. */
#ifndef CAIRN_GALLERY_CLASSES_H
#define CAIRN_GALLERY_CLASSES_H

#include "gallery.h"

enum { CRN_GALLERY_CLASS_COUNT = 14 };

/** Name of a class: "random", "redundant", ...; NULL if there is none of that number. */
const char *crn_gallery_class_name(int number);

/** Problem `index` of a class: a pure function of the three. out is zero but for its allocator. */
crn_status crn_gallery_class_make(int number, int index, uint64_t seed, crn_gallery_contact_problem *out,
                                  crn_error *error);

#endif
