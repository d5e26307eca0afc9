/* A definition that must be refused with a message, or accepted. `call` names the place of its report `error`. */
#ifndef CRN_TEST_CHECK_CASE_H
#define CRN_TEST_CHECK_CASE_H

#include "test_support.h"

#define EXPECT(call, message)                                                                          \
    do {                                                                                               \
        crn_error reason = {CRN_OK, ""};                                                               \
        crn_error *error = &reason;                                                                    \
        crn_status status = (call);                                                                    \
        TEST_CHECK(status == CRN_ERR_ARGUMENT && error->status == status, "not refused: %s", message); \
        TEST_CHECK(strcmp(error->text, message) == 0, "'%s' instead of '%s'", error->text, message);   \
    } while (0)

#define ACCEPT(call)                                                    \
    do {                                                                \
        crn_error reason = {CRN_ERR_IO, "old"};                         \
        crn_error *error = &reason;                                     \
        crn_status status = (call);                                     \
        TEST_CHECK(status == CRN_OK, "%s", error->text);                \
        assert_true(error->status == CRN_OK && error->text[0] == '\0'); \
    } while (0)

#endif
