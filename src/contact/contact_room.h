/* The door of this room for the rooms above: what a problem's contacts are as columns. */
#ifndef CRN_CONTACT_ROOM_H
#define CRN_CONTACT_ROOM_H

#include "contact/problem.h"

#endif
