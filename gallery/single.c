/* single.c -- one body in ten situations, 1 to 16 contacts  [L05 s5.4].
 *
 * Situation index % 10, hence contacts 1, 2, 3, 4, 6, 8, 9, 10, 12, 16 (see situations.c). dof 6. */
#include "families.h"
#include "gallery_data.h"
#include "gallery_situations.h"

crn_status crn_gallery_single(int index, uint64_t seed, crn_gallery_contacts *contacts, crn_error *error)
{
    crn_gallery_spot spots[CRN_GALLERY_SITUATION_MAX];
    crn_gallery_body body;
    int count = crn_gallery_situation(index % CRN_GALLERY_SITUATION_COUNT, spots, &body);
    crn_random random = crn_gallery_random("single", index, seed);
    crn_status status = crn_gallery_contacts_open(contacts, 1, 6, count, CRN_GALLERY_DIRECTIONS, error);
    if (status == CRN_OK) {
        crn_gallery_load_spots(contacts, &body, spots, count, crn_random_uniform(&random, 0.2, 0.6), &random);
    }
    return status;
}
