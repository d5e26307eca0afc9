/* docs/guide/recordings.md: writing. */
#include <cairn/io.h>
#include <math.h>
#include <stdio.h>

int main(void)
{
    const char *text = "{\"bodies\": []}";
    crn_error error = {.status = CRN_OK};
    /* FRAGMENT */
    if (error.status != CRN_OK) {
        fprintf(stderr, "%s\n", error.text);
    }
    return error.status == CRN_OK ? 0 : 1;
}
