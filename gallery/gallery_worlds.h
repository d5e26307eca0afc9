/* gallery_worlds.h -- scenes of bodies in motion, by name; `cairn sim gallery:NAME` runs one.
 *
 * A scene is a function that fills an empty model, in a file of its own (world_box_on_floor.c); gallery_worlds.c has the
 * table. */
#ifndef CAIRN_GALLERY_WORLDS_H
#define CAIRN_GALLERY_WORLDS_H

#include <cairn/model.h>

/** How many scenes there are, their names ("box-on-floor") and what they show, in one line. NULL outside. */
int crn_gallery_world_count(void);
const char *crn_gallery_world_name(int i);
const char *crn_gallery_world_about(int i);

/** Make a scene; the caller destroys the model. CRN_ERR_ARGUMENT if there is none of that name. */
crn_status crn_gallery_world(const char *name, crn_model **model, crn_error *error);

/* --- The same scenes with other numbers, for growth curves; each fills an empty model --- */

/** A stack of unit boxes on the floor. */
typedef struct crn_gallery_stack {
    int boxes;
    double lean;       /* boxes alternately left and right by this [m] */
    double drop;       /* gap below each box [m] */
    double mass;       /* of the lowest [kg] */
    double mass_ratio; /* of the highest to the lowest; geometric between */
    bool is_from_top;  /* bodies are added from the top down */
} crn_gallery_stack;
crn_status crn_gallery_stack_of(crn_model *model, const crn_gallery_stack *stack, crn_error *error);

/** 200 small disks and a large one in a shaken box. */
typedef struct crn_gallery_nut {
    double dt; /* [s] */
    uint64_t seed;
    crn_scheme scheme;
} crn_gallery_nut;
#define CRN_GALLERY_NUT_SMALL 0.5 /* largest radius of the small disks [m] */
crn_status crn_gallery_brazil_nut_of(crn_model *model, const crn_gallery_nut *nut, crn_error *error);

/** Spheres of radius 0.1 poured into a box of about 2.1 x 2.1 m. */
crn_status crn_gallery_pour_of(crn_model *model, int spheres, uint64_t seed, crn_error *error);

#endif
