/* How a report looks. */
#ifndef CAIRN_CLI_PAGE_STYLE_H
#define CAIRN_CLI_PAGE_STYLE_H

enum { CLI_STYLES = 3 };

/* The style sheet in parts: light and dark on screens, cards in place of the claims' table on phones, A4 on paper. */
extern const char *const cli_page_style[CLI_STYLES];

#endif
