/* A forked child is told so at once, by every call, and its parent works on. */
#include "check.h"

#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

static uint64_t broker, topic, consumer, messages, pubsub, walk;

static void check_assign_calls(void) {
    static const int64_t empty_group[2] = {0, 0};
    int64_t buf[8];
    CHECK_EQ(eb_assign_decode_subscription(S("x"), buf, sizeof buf), EB_FORKED);
    CHECK_EQ(eb_assign_encode_subscription(empty_group, sizeof empty_group, buf, sizeof buf), EB_FORKED);
    CHECK_EQ(eb_assign_decode_assignment(NULL, 0, buf, sizeof buf), EB_FORKED);
    CHECK_EQ(eb_assign_encode_assignment(empty_group, sizeof empty_group, NULL, 0), EB_FORKED);
    CHECK_EQ(eb_assign_range(empty_group, sizeof empty_group, buf, sizeof buf), EB_FORKED);
}

static void in_child(void) {
    static const char message[] = "forked child";
    uint64_t another = 7;
    alarm(60); /* a hang is the one thing that must not be; a busy machine is none */
    check_every_call(broker, EB_FORKED);
    CHECK(strstr(last_error(), message) != NULL);
    check_every_call(topic, EB_FORKED);
    check_every_call(consumer, EB_FORKED);
    check_every_call(messages, EB_FORKED);
    check_every_call(pubsub, EB_FORKED);
    check_every_call(walk, EB_FORKED);
    check_every_call(0, EB_FORKED);
    check_assign_calls();
    CHECK_EQ(eb_event_create(broker, NULL, 0, 1), EB_FORKED);
    CHECK_EQ(eb_event_new(1, NULL, &another), EB_FORKED);
    CHECK_EQ(eb_message_new(1, NULL, &another), EB_FORKED);
    CHECK_EQ(eb_pubsub_new(NULL, &another), EB_FORKED);
    CHECK_EQ(another, 7);
    CHECK_EQ(eb_event_consumer_close(consumer), EB_OK);
    CHECK_EQ(eb_event_topic_close(topic), EB_OK);
    CHECK_EQ(eb_event_close(broker), EB_OK);
    CHECK_EQ(eb_event_close(broker), EB_OK);
    CHECK_EQ(eb_message_close(messages), EB_OK);
    CHECK_EQ(eb_pubsub_end(walk), EB_OK);
    CHECK_EQ(eb_pubsub_close(pubsub, -1), EB_OK);
    CHECK_EQ(eb_abi_version(), EB_ABI_MAJOR * 65536 + EB_ABI_MINOR);
    CHECK(strlen(eb_strerror(EB_FORKED)) > 0);
    _exit(0);
}

static void check_child(pid_t child) {
    int status = -1;
    CHECK(child > 0);
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK(WIFEXITED(status));
    CHECK_EQ(WEXITSTATUS(status), 0);
}

/* The child's child, too. */
static void in_child_of_child(void) {
    pid_t child = fork();
    if (child == 0)
        in_child();
    check_child(child);
    _exit(0);
}

int main(void) {
    broker = broker_with_topic(10, 1);
    topic = topic_of(broker);
    consumer = consumer_of(topic);
    messages = message_broker_with_topic(1);
    pubsub = pubsub_broker_with_topic(EB_PUBSUB_SYNCHRONOUS);
    CHECK_EQ(eb_pubsub_drain(pubsub, &walk), EB_OK);
    pid_t child = fork();
    if (child == 0)
        in_child();
    check_child(child);

    child = fork();
    if (child == 0)
        in_child_of_child();
    check_child(child);

    /* Past every handler that fork() would run. */
    child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (child == 0)
        in_child();
    check_child(child);

    CHECK_EQ(eb_event_publish(broker, S("t"), 0, S("the parent works on")), 0);
    CHECK_EQ(eb_event_topic_publish(topic, 0, S("its handles, too")), 1);
    CHECK_EQ(eb_event_consumer_leave(consumer), 0);
    CHECK_EQ(eb_message_publish(messages, S("t"), S("so it does here")), 0);
    CHECK_EQ(eb_pubsub_publish(pubsub, S("t"), S("and here")), 0);
    CHECK_EQ(eb_event_consumer_close(consumer), EB_OK);
    CHECK_EQ(eb_event_topic_close(topic), EB_OK);
    CHECK_EQ(eb_event_close(broker), EB_OK);
    CHECK_EQ(eb_message_close(messages), EB_OK);
    CHECK_EQ(eb_pubsub_close(pubsub, 0), EB_OK);
    return 0;
}
