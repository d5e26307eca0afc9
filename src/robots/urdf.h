/* URDF into a model.
 *
 *   urdf.c        the whole file, in the order below
 *   urdf_value.c  what the readers of elements share: origins, numbers, warnings
 *   urdf_link.c   <link>: name, inertia, surface
 *   urdf_joint.c  <joint>: kind, frames, axis, limits, damping, mimic
 *   urdf_tree.c   who hangs on whom: names, the root, the order, links that make one body
 *   urdf_mass.c   mass and inertia of a body
 *   urdf_shape.c  <collision>: shapes of a body; <visual>: its pictures
 *   urdf_color.c  <material>: colours of pictures
 *   urdf_build.c  bodies and joints into the model
 *
 * Links at fixed joints become part of the body above them: mass, inertia and shapes are added up. So a body is a link
 * that moves, and all that is fixed to it; it has the frame and the name of that link. docs/guide/robots.md says what is
 * read and how. */
#ifndef CRN_ROBOTS_URDF_H
#define CRN_ROBOTS_URDF_H

#include "robots/robot.h"
#include "text/xml_tree.h"

/* Links and joints of a robot: models compare names one by one. */
enum { CRN_URDF_LINKS_MOST = 20000 };

/* A root of this name is the world: it does not move, and what stands on it is no part of the robot. */
#define CRN_URDF_WORLD "world"

typedef struct crn_urdf_link {
    crn_xml_node *node;
    const char *name;
    /* <inertial> and <contact> */
    double mass;                  /* [kg]; 0: none */
    crn_vec3 com;                 /* in the link's frame */
    crn_mat3 inertia;             /* about com, axes of the link */
    double friction, restitution; /* of its shapes */
    /* where it is in the tree */
    int joint;           /* above it; -1: the root */
    int child, sibling;  /* first child, next child of the same parent; -1: none */
    int owner;           /* the link whose body it is a part of: itself, if it moves */
    crn_pose in_body;    /* its frame in the body */
    int part, last_part; /* owners: a list of all parts, itself first; -1: no more */
    crn_pose pose;       /* owners: in the world at the start */
    int body;            /* owners: in the model; -1: part of the world */
} crn_urdf_link;

typedef struct crn_urdf_joint {
    crn_xml_node *node;
    const char *name;
    crn_joint_kind kind;
    int parent, child;   /* links */
    crn_pose origin;     /* of the child's link frame in the parent's, all coordinates 0 */
    crn_vec3 direction;  /* of the axis in the child's frame, unit */
    crn_joint_axis axis; /* limits, damping, friction, effort */
    crn_xml_node *mimic; /* NULL: none */
    int leader;          /* joint that it follows; -1: none */
    double ratio, shift; /* value = ratio * leader's + shift */
    double start;        /* coordinate at the start */
    int index;           /* in the model; -1: none */
} crn_urdf_joint;

typedef struct crn_urdf {
    crn_xml *xml;
    const crn_robot_options *options;
    crn_model *model;
    crn_allocator allocator;
    crn_error *error;
    crn_robot_warnings warnings;
    crn_urdf_link *link;
    crn_urdf_joint *joint;
    int links, joints;
    int *order;           /* links, each behind the one above it */
    int root;             /* link */
    bool is_welded;       /* the root does not move */
    uint32_t group, mask; /* of all shapes */
} crn_urdf;

/* Memory that lives as long as the file; NULL after a message. */
void *crn_urdf_take(crn_urdf *urdf, int count, size_t size);

/* "file:line: <element>: message" */
#define CRN_URDF_FAIL(urdf, node, status, ...) crn_xml_fail((urdf)->xml, (node), (status), (urdf)->error, __VA_ARGS__)

/* Warn, once, about each child whose name is not in the list (NULL behind the last) and each attribute that nobody read. */
void crn_urdf_warn_rest(crn_urdf *urdf, const crn_xml_node *node, const char *const *known);

/* What <origin> says; the identity if there is none. */
crn_status crn_urdf_origin(crn_urdf *urdf, const crn_xml_node *owner, crn_pose *origin);

/* Attribute `name`, which must be there, as count numbers. */
crn_status crn_urdf_need_numbers(crn_urdf *urdf, crn_xml_node *node, const char *name, int count, double *to);

/* Attribute "value" of child `name`; absent: as it is. Less than 0 is an error. */
crn_status crn_urdf_value(crn_urdf *urdf, const crn_xml_node *owner, const char *name, double *to);

crn_status crn_urdf_read_link(crn_urdf *urdf, crn_xml_node *node, crn_urdf_link *link);
crn_status crn_urdf_read_joint(crn_urdf *urdf, crn_xml_node *node, crn_urdf_joint *joint);

/* Resolve names of links and joints, find root, order and bodies. */
crn_status crn_urdf_connect(crn_urdf *urdf);

/* Shapes of a body and the meshes that they point to. */
typedef struct crn_urdf_shapes {
    crn_body_shape *shape;
    crn_mesh_data *mesh;
    int count, meshes;
} crn_urdf_shapes;

/* Of <collision>, or of <visual>, which are pictures: what is missing of these is told and left out. */
crn_status crn_urdf_read_shapes(crn_urdf *urdf, int owner, crn_urdf_shapes *shapes);
crn_status crn_urdf_read_pictures(crn_urdf *urdf, int owner, crn_urdf_shapes *pictures);
void crn_urdf_free_shapes(crn_urdf_shapes *shapes);

/* Red, green and blue that <material> gives a <visual>, by its own <color> or by its name; a red < 0: none (urdf_color.c). */
crn_status crn_urdf_color(crn_urdf *urdf, const crn_xml_node *visual, crn_vec3 *color);

/* Of a body, in its frame: see urdf_mass.c. */
crn_mass_properties crn_urdf_add_masses(crn_urdf *urdf, int owner);

/* Bodies and joints into the model. */
crn_status crn_urdf_build(crn_urdf *urdf);

#endif
