/* Which bodies of a model are links of trees: one joint per link, no loops. */
#ifndef CRN_MODEL_LINKS_H
#define CRN_MODEL_LINKS_H

#include <cairn/model.h>

typedef struct crn_links {
    int *joint;  /* per body: 1 + index of the joint that makes it a link; 0: none */
    int *forest; /* per body: union-find of what joints in trees connect (math/forest.h) */
    int count, capacity;
} crn_links;

/* All joints of a model. */
typedef struct crn_joint_list {
    const crn_joint_def *joint;
    int count;
} crn_joint_list;

/* Room for one more body; false: no memory, nothing has changed. */
bool crn_links_grow(crn_links *links, const crn_allocator *allocator);
void crn_links_free(crn_links *links, const crn_allocator *allocator);

/* A body, which is no link yet; there is room. */
void crn_links_add_body(crn_links *links);

/* May a joint in a tree be added? Its bodies exist; body: all of the model. The message begins with where. */
crn_status crn_links_check(crn_links *links, const crn_body_def *body, const crn_joint_def *def, const char *where,
                           crn_error *error);

/* It was: remember it. */
void crn_links_add_joint(crn_links *links, const crn_joint_def *def, int index);

/* May coordinates of a joint, which is or will be at index, follow those that they name? Joints behind it may still come
 * unless is_last. */
crn_status crn_links_check_follows(const crn_joint_list *list, const crn_joint_def *def, int index, bool is_last,
                                   crn_error *error);

/* crn_model_check() */
crn_status crn_links_check_all(const crn_links *links, const crn_body_def *body, const crn_joint_list *list,
                               crn_error *error);

#endif
