/* Allocation through hooks, arenas that count, and workspaces that grow, stay warm, or refuse. */
#include "base/memory.h"

#include "test_allocator.h"
#include "test_support.h"

enum { PIECES = 40 };

typedef struct piece {
    size_t count, item_size;
    unsigned char *start;
} piece;

static void draw_pieces(crn_random *random, piece pieces[PIECES])
{
    const size_t sizes[] = {1, 4, 8, 24};
    for (int k = 0; k < PIECES; ++k) {
        pieces[k] = (piece){(size_t)crn_random_below(random, 200), sizes[crn_random_below(random, 4)], NULL};
    }
    pieces[crn_random_below(random, PIECES)].count = 0;
}

static size_t count_pieces(const piece pieces[PIECES])
{
    crn_arena arena = crn_arena_counting();
    for (int k = 0; k < PIECES; ++k) {
        assert_null(crn_arena_take(&arena, pieces[k].count, pieces[k].item_size));
    }
    assert_false(arena.overflow);
    return arena.used;
}

/* Take every piece, write a mark of its own into it, and see that all the marks are still there at the end. */
static void take_and_mark(crn_arena *arena, piece pieces[PIECES])
{
    for (int k = 0; k < PIECES; ++k) {
        pieces[k].start = (unsigned char *)crn_arena_take(arena, pieces[k].count, pieces[k].item_size);
        assert_non_null(pieces[k].start);
        assert_int_equal((uintptr_t)pieces[k].start % CRN_ARENA_ALIGN, 0);
        memset(pieces[k].start, k + 1, pieces[k].count * pieces[k].item_size);
    }
    for (int k = 0; k < PIECES; ++k) {
        for (size_t b = 0; b < pieces[k].count * pieces[k].item_size; ++b) {
            assert_int_equal(pieces[k].start[b], k + 1);
        }
    }
}

/* What a counting arena says is what the real one takes, at any alignment of the caller's memory. */
static void test_counting_equals_taking(void **state)
{
    (void)state;
    crn_random random = test_random("test_counting_equals_taking", 21);
    for (int trial = 0; trial < 70; ++trial) {
        piece pieces[PIECES];
        draw_pieces(&random, pieces);
        size_t bytes = count_pieces(pieces);
        assert_int_equal(bytes % CRN_ARENA_ALIGN, 0);
        unsigned char *block = (unsigned char *)malloc(bytes + 2 * CRN_ARENA_ALIGN);
        assert_non_null(block);
        crn_workspace workspace = crn_workspace_fixed(block + trial % 64, bytes + CRN_ARENA_ALIGN);
        crn_arena arena;
        assert_int_equal(crn_workspace_arena(&workspace, bytes, &arena, NULL), CRN_OK);
        take_and_mark(&arena, pieces);
        assert_int_equal(arena.used, bytes);
        assert_false(arena.overflow);
        assert_true(arena.data + arena.size <= block + trial % 64 + bytes + CRN_ARENA_ALIGN);
        free(block);
    }
}

static void test_arena_too_small(void **state)
{
    (void)state;
    _Alignas(64) unsigned char block[3 * 64];
    crn_arena arena = {.data = block, .size = sizeof block};
    assert_ptr_equal(crn_arena_take(&arena, 65, 1), block); /* two lines */
    assert_ptr_equal(crn_arena_take(&arena, 8, 8), block + 128);
    assert_false(arena.overflow);
    assert_non_null(crn_arena_take(&arena, 0, 8)); /* nothing fits into nothing */
    assert_null(crn_arena_take(&arena, 1, 1));
    assert_true(arena.overflow);
    assert_null(crn_arena_take(&arena, 1, 1)); /* and stays refused */
}

static void test_arena_overflow(void **state)
{
    (void)state;
    const size_t counts[] = {SIZE_MAX, SIZE_MAX / 8, SIZE_MAX / 8 + 1, (SIZE_MAX - 63) / 8 + 1, (size_t)-1000};
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; ++c) {
        crn_arena arena = crn_arena_counting();
        assert_null(crn_arena_take(&arena, counts[c], 8));
        TEST_CHECK(arena.overflow, "%zu items of 8 bytes", counts[c]);
    }
    /* Each request fits, their sum does not. */
    crn_arena arena = crn_arena_counting();
    (void)crn_arena_take(&arena, SIZE_MAX / 2, 1);
    assert_false(arena.overflow);
    (void)crn_arena_take(&arena, SIZE_MAX / 2 + 1, 1);
    assert_true(arena.overflow);
    /* CRN_TAKE with a negative count, the mark of an int that wrapped. */
    crn_arena other = crn_arena_counting();
    assert_null(CRN_TAKE(&other, double, -1));
    assert_true(other.overflow);
}

static void test_allocate(void **state)
{
    (void)state;
    test_allocator counter = {0};
    crn_allocator hooks = test_allocator_hooks(&counter);
    void *block = crn_allocate(&hooks, 10, 8);
    void *nothing = crn_allocate(&hooks, 0, 8);
    assert_non_null(block);
    assert_non_null(nothing);
    assert_int_equal(counter.live, 2);
    assert_true(counter.bytes >= 80);
    assert_null(crn_allocate(&hooks, SIZE_MAX / 8 + 1, 8)); /* the product wraps to 0 */
    assert_null(crn_allocate(&hooks, SIZE_MAX / 2, 3));
    assert_int_equal(counter.calls, 2);
    counter.fail_at = 3;
    assert_null(crn_allocate(&hooks, 1, 1));
    crn_release(&hooks, NULL);
    crn_release(&hooks, block);
    crn_release(&hooks, nothing);
    assert_int_equal(counter.live, 0);
    assert_int_equal(counter.bytes, 0);
}

/* NULL and all-NULL hooks mean the C library's; the default hooks behave like realloc and free. */
/* Nothing is a valid block too: what is added to its address stays an address. */
static void test_reserve(void **state)
{
    (void)state;
    double *array = NULL;
    int capacity = 0;
    assert_true(crn_reserve(NULL, (void **)&array, &capacity, 0, sizeof *array));
    assert_non_null(array);
    const double *first = array;
    assert_true(crn_reserve(NULL, (void **)&array, &capacity, 0, sizeof *array));
    assert_ptr_equal(array, first);
    for (int i = 0; i < 1000; ++i) {
        assert_true(crn_reserve(NULL, (void **)&array, &capacity, i + 1, sizeof *array));
        array[i] = i;
    }
    assert_true(capacity >= 1000 && capacity <= 1500);
    for (int i = 0; i < 1000; ++i) {
        assert_true(array[i] == i);
    }
    crn_release(NULL, array);
}

static void test_default_allocator(void **state)
{
    (void)state;
    const crn_allocator none = {0};
    void *a = crn_allocate(NULL, 3, 8), *b = crn_allocate(&none, 3, 8);
    assert_non_null(a);
    assert_non_null(b);
    crn_release(NULL, a);
    crn_release(&none, b);
    crn_allocator hooks = crn_allocator_default();
    char *text = (char *)hooks.resize(hooks.user, NULL, 4);
    assert_non_null(text);
    memcpy(text, "abc", 4);
    text = (char *)hooks.resize(hooks.user, text, 4000);
    assert_non_null(text);
    assert_string_equal(text, "abc");
    hooks.release(hooks.user, text);
}

static void test_workspace_grows_and_stays_warm(void **state)
{
    (void)state;
    test_allocator counter = {0};
    crn_workspace workspace = crn_workspace_with(test_allocator_hooks(&counter));
    assert_int_equal(counter.calls, 0);
    const size_t bytes[] = {100, 100, 5000, 64, 5000, 0, 4999, 100000};
    const long calls[] = {1, 1, 2, 2, 2, 2, 2, 3};
    for (size_t k = 0; k < sizeof bytes / sizeof bytes[0]; ++k) {
        crn_arena arena;
        assert_int_equal(crn_workspace_arena(&workspace, bytes[k], &arena, NULL), CRN_OK);
        TEST_CHECK(counter.calls == calls[k], "request %zu made %ld calls", k, counter.calls);
        assert_int_equal(counter.live, 1);
        assert_true(arena.size >= bytes[k]);
        assert_int_equal(arena.used, 0);
        memset(arena.data, 1, arena.size);
    }
    assert_true(counter.peak < 100000 + 5000); /* the old block goes before the new one comes */
    crn_workspace_free(&workspace);
    assert_int_equal(counter.live, 0);
    assert_null(workspace.data);
    crn_workspace_free(&workspace); /* twice, and without any, is fine */
    crn_workspace_free(NULL);
    crn_arena arena;
    assert_int_equal(crn_workspace_arena(&workspace, 100, &arena, NULL), CRN_OK); /* usable again, same hooks */
    assert_int_equal(counter.live, 1);
    crn_workspace_free(&workspace);
    assert_int_equal(counter.live, 0);
}

static void test_workspace_zero_initialised(void **state)
{
    (void)state;
    crn_workspace workspace = {0};
    crn_arena arena;
    assert_int_equal(crn_workspace_arena(&workspace, 1000, &arena, NULL), CRN_OK);
    assert_non_null(crn_arena_take(&arena, 1000, 1));
    crn_workspace_free(&workspace);
}

/* Each call fails in turn; the workspace is empty then, nothing leaks, and the next request works. */
static void test_workspace_out_of_memory(void **state)
{
    (void)state;
    for (int fail_at = 1; fail_at <= 3; ++fail_at) {
        test_allocator counter = {.fail_at = fail_at};
        crn_workspace workspace = crn_workspace_with(test_allocator_hooks(&counter));
        for (int k = 1; k <= 3; ++k) {
            crn_arena arena;
            crn_error error = {CRN_OK, ""};
            crn_status status = crn_workspace_arena(&workspace, (size_t)k * 1000, &arena, &error);
            assert_int_equal(status, k == fail_at ? CRN_ERR_MEMORY : CRN_OK);
            if (status != CRN_OK) {
                assert_int_equal(error.status, CRN_ERR_MEMORY);
                assert_non_null(strstr(error.text, "memory"));
                assert_null(workspace.data);
                assert_int_equal(workspace.size, 0);
                assert_int_equal(counter.live, 0);
            }
        }
        crn_workspace_free(&workspace);
        assert_int_equal(counter.live, 0);
    }
}

static void test_workspace_too_large(void **state)
{
    (void)state;
    test_allocator counter = {0};
    crn_workspace workspace = crn_workspace_with(test_allocator_hooks(&counter));
    crn_arena arena;
    for (size_t back = 0; back < CRN_ARENA_ALIGN; ++back) {
        crn_error error = {CRN_OK, ""};
        assert_int_equal(crn_workspace_arena(&workspace, SIZE_MAX - back, &arena, &error), CRN_ERR_MEMORY);
        assert_int_equal(error.status, CRN_ERR_MEMORY);
    }
    assert_int_equal(counter.calls, 0);
    assert_int_equal(crn_workspace_arena(&workspace, SIZE_MAX - 2 * CRN_ARENA_ALIGN, &arena, NULL), CRN_ERR_MEMORY);
    assert_int_equal(counter.calls, 1);
    crn_workspace_free(&workspace);
}

static void test_workspace_fixed(void **state)
{
    (void)state;
    unsigned char block[1024];
    memset(block, 7, sizeof block);
    crn_workspace workspace = crn_workspace_fixed(block + 1, 1000);
    crn_arena arena;
    crn_error error = {CRN_OK, ""};
    /* 1000 bytes are one alignment to set aside and 14 whole ones of 64 (896 bytes). */
    assert_int_equal(crn_workspace_arena(&workspace, 896, &arena, &error), CRN_OK);
    assert_true(arena.data > block && arena.data + arena.size <= block + 1001);
    assert_int_equal(crn_workspace_arena(&workspace, 897, &arena, &error), CRN_ERR_WORKSPACE);
    assert_int_equal(error.status, CRN_ERR_WORKSPACE);
    assert_non_null(strstr(error.text, "1000 bytes given, 1024 needed"));
    /* A refusal keeps the memory, and freeing does not hand the caller's bytes to an allocator. */
    assert_ptr_equal(workspace.data, block + 1);
    assert_int_equal(crn_workspace_arena(&workspace, 8, &arena, NULL), CRN_OK);
    crn_workspace_free(&workspace);
    assert_null(workspace.data);
    assert_int_equal(block[0], 7);
    assert_int_equal(block[1023], 7);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counting_equals_taking),
        cmocka_unit_test(test_arena_too_small),
        cmocka_unit_test(test_arena_overflow),
        cmocka_unit_test(test_allocate),
        cmocka_unit_test(test_reserve),
        cmocka_unit_test(test_default_allocator),
        cmocka_unit_test(test_workspace_grows_and_stays_warm),
        cmocka_unit_test(test_workspace_zero_initialised),
        cmocka_unit_test(test_workspace_out_of_memory),
        cmocka_unit_test(test_workspace_too_large),
        cmocka_unit_test(test_workspace_fixed),
    };
    return TEST_RUN(tests, argc, argv);
}
