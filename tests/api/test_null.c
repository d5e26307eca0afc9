/* Every public call with every argument bad in turn, and with all of them NULL: none may crash. Each call runs in a process of its own,
 * so that all that do are listed. */
#include "fixture.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS = 20 }; /* that a call may take */

/* What became of the call: NULL, or a word. */
static const char *try_call(fixture *g, const fixture_call *call, int which)
{
    int status = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        (void)alarm(SECONDS);
        call->run(g, which);
        _exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child) {
        return "could not be tried";
    }
    if (WIFSIGNALED(status)) {
        return WTERMSIG(status) == SIGALRM ? "hangs" : strsignal(WTERMSIG(status));
    }
    return WEXITSTATUS(status) == 0 ? NULL : "ends the program";
}

int main(int argc, char **argv)
{
    const char *only = argc > 1 ? argv[1] : "";
    int tried = 0, found = 0;
    fixture *g = fixture_create();
    for (int i = 0; i < fixture_call_count; ++i) {
        const fixture_call *call = &fixture_calls[i];
        if (strstr(call->name, only) == NULL) {
            continue;
        }
        for (int which = -1; which < call->parameters; ++which) {
            const char *fault = try_call(g, call, which);
            ++tried;
            if (fault != NULL) {
                ++found;
                printf("%s, %s: %s\n", call->name, which < 0 ? "all" : call->parameter[which], fault);
            }
        }
    }
    printf("%d calls of %d functions, %d findings\n", tried, fixture_call_count, found);
    return found == 0 ? 0 : 1;
}
