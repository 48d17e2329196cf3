/* The last error of a thread, and the names of statuses. */
#include "check.h"

#include <pthread.h>

static const char refused[] = "invalid argument: topic: \"orders\" does not exist";

static void fail_once(uint64_t broker) {
    CHECK_FAILS(eb_event_publish(broker, S("orders"), 0, S("x")), EB_INVALID_ARGUMENT, refused);
}

static void lengths(void) {
    const int64_t len = (int64_t)strlen(refused);
    char text[128];
    CHECK_EQ(eb_last_error(NULL, 0), len);
    CHECK_EQ(eb_last_error(NULL, 100), len);
    memset(text, '#', sizeof text);
    CHECK_EQ(eb_last_error(text, 0), len);
    CHECK_EQ(eb_last_error(text, -5), len);
    CHECK_EQ(text[0], '#');
    CHECK_EQ(eb_last_error(text, 7), len); /* cut, and not a byte behind it */
    CHECK(memcmp(text, "invalid#", 8) == 0);
    CHECK_EQ(eb_last_error(text, sizeof text), len);
    CHECK(memcmp(text, refused, (size_t)len) == 0);
    CHECK_EQ(text[len], '#');
}

/* However long the argument is, the message stays short and is UTF-8. */
static void long_arguments(uint64_t broker) {
    static char name[100000];
    for (size_t i = 0; i < sizeof name; i++)
        name[i] = i % 2 == 0 ? '\xc3' : '\xa9';
    for (int64_t len = 65; len < 2000; len++) {
        CHECK_REFUSES(eb_event_create(broker, name, len, 1), "topic");
        CHECK(eb_last_error(NULL, 0) < 1000);
    }
    CHECK_REFUSES(eb_event_create(broker, name, sizeof name, 1), "topic");
    CHECK_REFUSES(eb_event_create(broker, S("\xff\xfe"), 1), "topic");
    for (const unsigned char *c = (const unsigned char *)last_error(); *c != '\0'; c++)
        CHECK(*c < 0x80);
}

static void *other_thread(void *broker) {
    CHECK_EQ(eb_last_error(NULL, 0), 0);
    CHECK_EQ(eb_needed(), 0);
    CHECK_REFUSES(eb_event_create(*(uint64_t *)broker, S(""), 1), "topic");
    return NULL;
}

/* A key's destructor runs as the thread ends, where the library's own may have run before. */
static void call_at_thread_exit(void *broker) { fail_once(*(uint64_t *)broker); }

static pthread_key_t late_key;

static void *set_key(void *broker) {
    pthread_setspecific(late_key, broker);
    fail_once(*(uint64_t *)broker);
    return NULL;
}

static void run(void *(*body)(void *), uint64_t *broker) {
    pthread_t thread;
    CHECK_EQ(pthread_create(&thread, NULL, body, broker), 0);
    CHECK_EQ(pthread_join(thread, NULL), 0);
}

static void names(void) {
    for (int64_t status = EB_STORAGE; status <= EB_OK; status++)
        CHECK(strlen(eb_strerror(status)) > 0);
    CHECK(strcmp(eb_strerror(EB_OK), "ok") == 0);
    CHECK(strcmp(eb_strerror(EB_INVALID_ARGUMENT), "invalid argument") == 0);
    CHECK(strcmp(eb_strerror(EB_CLOSED), "closed") == 0);
    const int64_t unknown[] = {1, -1, -14, -1000, INT64_MIN, INT64_MAX, INT64_C(1) << 32};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        CHECK(strcmp(eb_strerror(unknown[i]), "unknown status") == 0);
}

int main(void) {
    CHECK_EQ(eb_last_error(NULL, 0), 0);
    names();
    CHECK_EQ(eb_abi_version(), EB_ABI_MAJOR * 65536 + EB_ABI_MINOR);

    uint64_t broker = broker_with_topic(1, 1);
    fail_once(broker);
    lengths();
    CHECK_EQ(eb_event_publish(broker, S("t"), 0, S("x")), 0); /* success leaves it as it is */
    CHECK(strcmp(last_error(), refused) == 0);
    run(other_thread, &broker);
    CHECK(strcmp(last_error(), refused) == 0); /* and so does another thread */
    CHECK_EQ(pthread_key_create(&late_key, call_at_thread_exit), 0);
    run(set_key, &broker);
    long_arguments(broker);
    CHECK_EQ(eb_event_close(broker), EB_OK);
    return 0;
}
