/* A panic inside is an answer, and poisons the one broker. Needs a library with the tag ebtest. */
#include "check.h"

int64_t eb_test_panic(uint64_t broker);
int64_t eb_test_panic_new(uint64_t *broker);

static void in_a_constructor(void) {
    uint64_t broker = 7;
    CHECK_EQ(eb_test_panic_new(&broker), EB_INTERNAL);
    CHECK(strstr(last_error(), "asked to") != NULL);
    CHECK_EQ(broker, 7);
    CHECK_EQ(eb_event_new(1, NULL, &broker), EB_OK); /* the library works on */
    CHECK_EQ(eb_event_close(broker), EB_OK);
}

int main(void) {
    in_a_constructor();
    uint64_t broken = broker_with_topic(1, 1), sound = broker_with_topic(1, 1);
    CHECK_EQ(eb_test_panic(broken), EB_INTERNAL);
    CHECK(strstr(last_error(), "asked to") != NULL);

    CHECK_REFUSES(eb_event_create(sound, S(""), 1), "topic"); /* another message in between */
    check_every_call(broken, EB_INTERNAL);
    CHECK_EQ(eb_event_create(broken, NULL, 0, 1), EB_INTERNAL);
    CHECK(strstr(last_error(), "asked to") != NULL);

    CHECK_EQ(eb_event_publish(sound, S("t"), 0, S("x")), 0);
    CHECK_EQ(eb_event_close(broken), EB_OK);
    check_every_call(broken, EB_CLOSED);
    CHECK_EQ(eb_event_close(sound), EB_OK);
    CHECK_EQ(eb_test_panic(sound), EB_CLOSED);
    return 0;
}
