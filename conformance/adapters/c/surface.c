/* surface.c - what the adapter says of itself: the whole interface, or the part of it that goes by handles. */
#include <stdio.h>
#include <string.h>

#include "adapter.h"
#include "eventbroker.h"

static const struct system *const all[] = {&event_system, &message_system, &pubsub_system, &assign_system, NULL};
static const struct system *const by_handle[] = {&event_handle_system, NULL};
static const struct surface plain = {"c", all}, handles = {"c-handles", by_handle};

const struct surface *find_surface(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "--handles") == 0)
        return &handles;
    return argc == 1 ? &plain : NULL;
}

json_t *hello(const struct surface *surface) {
    json_t *names = json_array();
    for (const struct system *const *system = surface->systems; *system != NULL; system++)
        json_array_append_new(names, json_string((*system)->name));
    char version[64];
    int64_t abi = eb_abi_version();
    snprintf(version, sizeof version, "libeventbroker, interface %d.%d", (int)(abi / 65536), (int)(abi % 65536));
    return json_pack("{s:{s:i, s:s, s:s, s:s, s:o, s:[s, s, s, s, s], s:{s:s, s:s}}}", "hello", "protocol", 1,
                     "surface", surface->name, "implementation", version, "runtime", "C11, compiler " __VERSION__,
                     "systems", names, "features", "batch", "null_strings", "raw_bytes", "redeliver", "status",
                     "errors", "invalid_argument", "EB_INVALID_ARGUMENT", "timed_out", "EB_TIMED_OUT");
}
