/* docs/guide/recordings.md: reading. */
#include <cairn/io.h>
#include <stdio.h>

int main(void)
{
    crn_error error = {.status = CRN_OK};
    /* FRAGMENT */
    if (error.status != CRN_OK) {
        fprintf(stderr, "%s\n", error.text);
    }
    return error.status == CRN_OK ? 0 : 1;
}
