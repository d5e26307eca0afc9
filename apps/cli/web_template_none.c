/* A program without the page: node and npm were not there when it was built. */
#include "web_template.h"

const char web_template[] = "";
