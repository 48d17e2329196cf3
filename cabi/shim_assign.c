/* shim_assign.c - the public functions of range assignment, which have no handle. */
#include "_cgo_export.h"
#include "shim.h"

#define CALL(go, in)                                               \
    do {                                                           \
        SHIM_NOT_FORKED();                                         \
        SHIM_CHECK_ARGUMENT(#in, shim_wrong_string(in, in##_len)); \
        SHIM_CHECK_ARGUMENT("buf", shim_wrong_buffer(buf));        \
        SHIM_CHECK_ARGUMENT("cap", shim_wrong_capacity(cap));      \
        return go((char *)in, in##_len, buf, cap);                 \
    } while (0)

int64_t eb_assign_decode_subscription(const char *bytes, int64_t bytes_len, void *buf, int64_t cap) {
    CALL(shim_go_assign_decode_subscription, bytes);
}

int64_t eb_assign_encode_subscription(const void *frame, int64_t frame_len, void *buf, int64_t cap) {
    CALL(shim_go_assign_encode_subscription, frame);
}

int64_t eb_assign_decode_assignment(const char *bytes, int64_t bytes_len, void *buf, int64_t cap) {
    CALL(shim_go_assign_decode_assignment, bytes);
}

int64_t eb_assign_encode_assignment(const void *frame, int64_t frame_len, void *buf, int64_t cap) {
    CALL(shim_go_assign_encode_assignment, frame);
}

int64_t eb_assign_range(const void *frame, int64_t frame_len, void *buf, int64_t cap) {
    CALL(shim_go_assign_range, frame);
}
