/* Friction problems given by matrices: check, choose the form, solve, judge. */
#include <cairn/cone.h>

crn_cone_options crn_cone_options_default(void)
{
    crn_cone_options options = {1e-8, 0, NULL};
    return options;
}
