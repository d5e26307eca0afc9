/* cairn/tree.h -- joints: what each kind lets move and what it holds.
 *
 * A joint connects a frame on body a with a frame on body b; its motion is that of b's frame seen from a's. Axes below
 * are those of a's joint frame. */
#ifndef CAIRN_TREE_H
#define CAIRN_TREE_H

#include <cairn/base.h>
#include <cairn/linalg.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum crn_joint_kind {
    CRN_JOINT_BALL = 0,  /* the origins coincide; no coordinate */
    CRN_JOINT_HINGE,     /* turns about z: coordinate 0 is the angle [rad] (several turns count) */
    CRN_JOINT_SLIDER,    /* moves along z: coordinate 0 is the displacement [m] */
    CRN_JOINT_UNIVERSAL, /* turns about a's x, then about b's y: coordinates 0 and 1 are the angles [rad] */
    CRN_JOINT_FIXED,     /* nothing moves */
    CRN_JOINT_DISTANCE,  /* the distance of the origins: coordinate 0 [m]. Held at length, or between its limits */
    CRN_JOINT_PLANAR     /* b moves in a's plane z = 0: coordinates x, y [m] and the angle about z [rad] */
} crn_joint_kind;
#define CRN_JOINT_KIND_COUNT      7
#define CRN_JOINT_COORDINATES_MAX 3

CRN_API const char *crn_joint_kind_name(crn_joint_kind kind); /* "ball", "hinge", ...; NULL if none */
CRN_API bool crn_joint_kind_find(const char *name, crn_joint_kind *kind);

/** How many coordinates a kind has: 0 to CRN_JOINT_COORDINATES_MAX. */
CRN_API int crn_joint_kind_coordinates(crn_joint_kind kind);

#ifdef __cplusplus
}
#endif
#endif
