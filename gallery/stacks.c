/* stacks.c -- stacked blocks under gravity with a random wrench on the top block  [L05 s5.4].
 *
 * `stacks`: ten configurations by index % 10:
 *     index % 10   0  1  2  3  4  5  6  7  8  9
 *     blocks       1  2  2  3  3  4  4  5  5  5
 *     contacts     4  8 12 12 16 16 20 20 32 28
 * `stacks-tall`: 10, 15, 20 blocks by index % 3, four contacts per block.
 * `mass-ratio`: 2 + index / 4 % 4 blocks whose masses form a geometric sequence from 1 kg to 10^(1 + index % 4) kg,
 * growing upward if index / 16 % 2 is 0 and downward otherwise; four contacts per block. dof 6 per block. */
#include "families.h"
#include "gallery_data.h"
#include "gallery_scene.h"
#include "gallery_stack.h"

enum { GROUND = CRN_GALLERY_GROUND, NONE = CRN_GALLERY_NOTHING };

typedef struct configuration {
    int count;
    crn_gallery_block blocks[5];
} configuration;

static const configuration configurations[10] = {
    /* columns */
    {1, {{0.0, 0, false, {GROUND, NONE}, 1.0}}},
    {2, {{0.0, 0, false, {GROUND, NONE}, 1.0}, {0.0, 1, false, {0, NONE}, 1.0}}},
    {2, {{0.0, 0, false, {GROUND, NONE}, 1.0}, {0.0, 1, true, {0, NONE}, 1.0}}},
    {3, {{0.0, 0, false, {GROUND, NONE}, 1.0}, {0.0, 1, false, {0, NONE}, 1.0}, {0.0, 2, false, {1, NONE}, 1.0}}},
    /* a bridge: two blocks side by side, one across */
    {3, {{-0.55, 0, false, {GROUND, NONE}, 1.0}, {0.55, 0, false, {GROUND, NONE}, 1.0}, {0.0, 1, false, {0, 1}, 1.0}}},
    {4,
     {{0.0, 0, false, {GROUND, NONE}, 1.0},
      {0.0, 1, false, {0, NONE}, 1.0},
      {0.0, 2, false, {1, NONE}, 1.0},
      {0.0, 3, false, {2, NONE}, 1.0}}},
    /* a bridge with a block on it */
    {4,
     {{-0.55, 0, false, {GROUND, NONE}, 1.0},
      {0.55, 0, false, {GROUND, NONE}, 1.0},
      {0.0, 1, false, {0, 1}, 1.0},
      {0.0, 2, false, {2, NONE}, 1.0}}},
    {5,
     {{0.0, 0, false, {GROUND, NONE}, 1.0},
      {0.0, 1, false, {0, NONE}, 1.0},
      {0.0, 2, false, {1, NONE}, 1.0},
      {0.0, 3, false, {2, NONE}, 1.0},
      {0.0, 4, false, {3, NONE}, 1.0}}},
    /* a column with the second, fourth and fifth block turned */
    {5,
     {{0.0, 0, false, {GROUND, NONE}, 1.0},
      {0.0, 1, true, {0, NONE}, 1.0},
      {0.0, 2, false, {1, NONE}, 1.0},
      {0.0, 3, true, {2, NONE}, 1.0},
      {0.0, 4, true, {3, NONE}, 1.0}}},
    /* three blocks in a row, two across */
    {5,
     {{-1.1, 0, false, {GROUND, NONE}, 1.0},
      {0.0, 0, false, {GROUND, NONE}, 1.0},
      {1.1, 0, false, {GROUND, NONE}, 1.0},
      {-0.55, 1, false, {0, 1}, 1.0},
      {0.55, 1, false, {1, 2}, 1.0}}},
};

crn_status crn_gallery_stacks(int index, uint64_t seed, crn_gallery_contacts *contacts, crn_error *error)
{
    const configuration *chosen = &configurations[index % 10];
    crn_random random = crn_gallery_random("stacks", index, seed);
    return crn_gallery_make_stack(chosen->blocks, chosen->count, &random, contacts, error);
}

/* A column of blocks, each heavier than the one below it by the factor growth. */
static void fill_column(crn_gallery_block *blocks, int count, double bottom_mass, double growth)
{
    double mass = bottom_mass;
    for (int b = 0; b < count; ++b) {
        crn_gallery_block block = {0.0, b, false, {b ? b - 1 : GROUND, NONE}, mass};
        blocks[b] = block;
        mass *= growth;
    }
}

crn_status crn_gallery_stacks_tall(int index, uint64_t seed, crn_gallery_contacts *contacts, crn_error *error)
{
    static const int heights[3] = {10, 15, 20};
    crn_gallery_block blocks[CRN_GALLERY_BLOCKS_MAX];
    crn_random random = crn_gallery_random("stacks-tall", index, seed);
    fill_column(blocks, heights[index % 3], 1.0, 1.0);
    return crn_gallery_make_stack(blocks, heights[index % 3], &random, contacts, error);
}

crn_status crn_gallery_tower(int blocks, uint64_t seed, crn_gallery_contacts *contacts, crn_error *error)
{
    crn_gallery_block column[CRN_GALLERY_BLOCKS_MAX];
    crn_random random = crn_gallery_random("tower", blocks, seed);
    if (blocks < 1 || blocks > CRN_GALLERY_BLOCKS_MAX) {
        return crn_fail(error, CRN_ERR_ARGUMENT, "gallery: a tower has 1 to %d blocks, not %d", CRN_GALLERY_BLOCKS_MAX,
                        blocks);
    }
    fill_column(column, blocks, 1.0, 1.0);
    return crn_gallery_make_stack(column, blocks, &random, contacts, error);
}

crn_status crn_gallery_mass_ratio(int index, uint64_t seed, crn_gallery_contacts *contacts, crn_error *error)
{
    int count = 2 + index / 4 % 4;
    double ratio = pow(10.0, 1.0 + index % 4);
    double growth = pow(ratio, 1.0 / (count - 1));
    bool is_heavy_on_top = index / 16 % 2 == 0;
    crn_gallery_block blocks[CRN_GALLERY_BLOCKS_MAX];
    crn_random random = crn_gallery_random("mass-ratio", index, seed);
    fill_column(blocks, count, is_heavy_on_top ? 1.0 : ratio, is_heavy_on_top ? growth : 1.0 / growth);
    return crn_gallery_make_stack(blocks, count, &random, contacts, error);
}
