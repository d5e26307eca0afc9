/* survey_traits.h -- what a model is like, for the survey. Not for users of the gallery. */
#ifndef CAIRN_GALLERY_SURVEY_TRAITS_H
#define CAIRN_GALLERY_SURVEY_TRAITS_H

#include "survey.h"

/** Fill the part of the survey that tells what the world is. */
crn_status crn_survey_look(const crn_model *model, crn_survey *survey, crn_error *error);

/** Radius of a body's finite shapes about its origin; 0: it has none. */
crn_status crn_survey_radius(const crn_body_def *body, double *radius, crn_error *error);

/** Energy that springs of the joints have now. */
double crn_survey_springs(const crn_model *model, const crn_world *world);

#endif
