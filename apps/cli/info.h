/* How this program was built. */
#ifndef CAIRN_CLI_INFO_H
#define CAIRN_CLI_INFO_H

const char *cli_info_compiler(void); /* "gcc 12.2.0" */

#endif
