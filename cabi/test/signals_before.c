/*
 * What the host had set before it loaded the library stays: its handlers are
 * called, also those for the signals that the library takes, which passes on what
 * is none of its own. Loaded here and not linked, so that there is a before.
 */
#define _GNU_SOURCE
#include "check.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

/* The last is taken. */
static const int signals[] = {SIGINT, SIGTERM, SIGALRM, SIGHUP, SIGCHLD, SIGUSR1, SIGPIPE};
enum { SIGNALS = sizeof signals / sizeof *signals, UNTOUCHED = SIGNALS - 1 };

static volatile sig_atomic_t caught;
static char *page;

static void handle(int signal) { caught = signal; }

/* As a host with a heap of its own does: the write that failed is tried again. */
static void open_page(int signal, siginfo_t *info, void *context) {
    (void)context;
    if (info->si_addr != page || mprotect(page, 1, PROT_READ | PROT_WRITE) != 0)
        _exit(2);
    caught = signal;
}

static void load(const char *path) {
    void *library = dlopen(path, RTLD_NOW);
    if (library == NULL)
        fail(dlerror(), __FILE__, __LINE__);
    int64_t (*event_new)(int64_t, const eb_event_options *, uint64_t *);
    uint64_t broker = 0;
    *(void **)&event_new = dlsym(library, "eb_event_new");
    CHECK_EQ(event_new(1, NULL, &broker), EB_OK); /* its runtime is up */
}

/* SA_ONSTACK is all that is added. */
static void handlers(const char *path) {
    struct sigaction before[SIGNALS], now;
    for (int i = 0; i < SIGNALS; i++) {
        struct sigaction action = {.sa_handler = handle, .sa_flags = i % 2 == 0 ? SA_RESTART : 0};
        CHECK_EQ(sigaddset(&action.sa_mask, SIGWINCH), 0);
        CHECK_EQ(sigaction(signals[i], &action, NULL), 0);
        CHECK_EQ(sigaction(signals[i], NULL, &before[i]), 0);
    }
    load(path);
    for (int i = 0; i < UNTOUCHED; i++) {
        CHECK_EQ(sigaction(signals[i], NULL, &now), 0);
        CHECK(now.sa_handler == handle);
        CHECK_EQ(now.sa_flags, before[i].sa_flags | SA_ONSTACK);
        for (int s = 1; s < NSIG; s++)
            CHECK_EQ(sigismember(&now.sa_mask, s), sigismember(&before[i].sa_mask, s));
    }
    for (int i = 0; i < SIGNALS; i++) {
        CHECK_EQ(raise(signals[i]), 0);
        CHECK_EQ(caught, signals[i]);
    }
}

static void fault(const char *path) {
    struct sigaction action = {.sa_sigaction = open_page, .sa_flags = SA_SIGINFO};
    page = mmap(NULL, 1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(page != MAP_FAILED);
    CHECK_EQ(sigaction(SIGSEGV, &action, NULL), 0);
    load(path);
    *(volatile char *)page = 'x';
    CHECK_EQ(caught, SIGSEGV);
    CHECK_EQ(*page, 'x');
}

static void write_to_nobody(const char *path) {
    int ends[2];
    load(path);
    CHECK_EQ(pipe(ends), 0);
    CHECK_EQ(close(ends[0]), 0);
    CHECK_EQ(write(ends[1], "x", 1), -1);
    CHECK_EQ(errno, EPIPE);
}

static void ignored(const char *path) {
    CHECK(signal(SIGPIPE, SIG_IGN) != SIG_ERR);
    write_to_nobody(path);
}

static void interrupted(const char *path) {
    load(path);
    raise(SIGINT);
}

/* A process of its own each time: a library is loaded but once. */
static int run(void (*test)(const char *), const char *path) {
    int status = 0;
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        test(path);
        _exit(0);
    }
    CHECK_EQ(waitpid(child, &status, 0), child);
    return status;
}

int main(int count, char **arguments) {
    CHECK_EQ(count, 2);
    CHECK_EQ(run(handlers, arguments[1]), 0);
    CHECK_EQ(run(fault, arguments[1]), 0);
    CHECK_EQ(run(ignored, arguments[1]), 0);
    int status = run(write_to_nobody, arguments[1]);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE);
    status = run(interrupted, arguments[1]);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
    return 0;
}
