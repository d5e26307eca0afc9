/* The clock of whoever runs the module, as a number: WASI's own call passes a 64-bit integer, for which JavaScript makes an object.
 *
 * To read a browser's clock takes 0.2 us, it moves by 0.1 ms, and a step asks for it ten times. So it may be stopped for a step, though
 * never for long: who asks very often waits for time to pass. */
#include "module.h"

enum { ASKS_MOST = 32 };

static double stopped; /* what the clock shows while it is stopped */
static int asks_left;  /* until it goes on */

__attribute__((import_module("cairn"), import_name("seconds"))) double module_seconds(void);

void module_stop_clock(void)
{
    if (asks_left == 0) {
        stopped = module_seconds();
    }
    asks_left = ASKS_MOST;
}

void module_start_clock(void)
{
    asks_left = 0;
}

double crn_seconds(void)
{
    if (asks_left == 0) {
        return module_seconds();
    }
    --asks_left;
    return stopped;
}
