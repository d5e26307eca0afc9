/* The page without a recording, as apps/viewer builds it. */
#ifndef CAIRN_CLI_WEB_TEMPLATE_H
#define CAIRN_CLI_WEB_TEMPLATE_H

/* Text that ends with '\0'; empty if this program was built without the viewer. */
extern const char web_template[];

#endif
