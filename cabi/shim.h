/* shim.h - what the Go side of the border calls in the C side. */
#ifndef EB_SHIM_H
#define EB_SHIM_H

#include "eventbroker.h"

/* Both speak of the calling thread. They are hidden from users by the version
 * script, as all names are that do not begin with eb_. */
void shim_set_error(const char *message, int64_t len);
void shim_set_needed(int64_t bytes);

#endif
