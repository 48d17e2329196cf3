/// threads.hpp - the threads of one broker.
#pragma once

#include <atomic>
#include <iterator>
#include <list>
#include <mutex>
#include <new>
#include <thread>
#include <utility>

namespace eventbroker::detail {

/// The threads that a broker started and has not joined yet.
class Threads {
  public:
    /// One of them.
    class Thread {
      public:
        /// Whether it is in what a user wrote, which may take for ever.
        std::atomic<bool> calling{false};

      private:
        friend Threads;

        std::thread thread_;
        bool ended_ = false; // guarded by mutex_
    };

    Threads() = default;
    Threads(const Threads &) = delete;
    Threads &operator=(const Threads &) = delete;

    /// Starts a thread that calls body(thread), unless none is wanted any more. Throws std::system_error
    /// where the system has none left. body must keep this object alive, and nothing else: what it holds is
    /// let go when others may be joining the thread.
    template <typename Body>
    void start(Body body) {
        std::list<Thread> fresh(1);
        Thread &thread = fresh.front();
        const std::lock_guard guard(mutex_);
        if (ending_) {
            return;
        }
        thread.thread_ = std::thread([this, &thread, body = std::move(body)]() mutable {
            const Ending ending(*this, thread);
            body(thread);
        });
        threads_.splice(threads_.end(), fresh);
    }

    /// Joins those that have ended, which takes no time.
    void reap() noexcept {
        join([](const Thread &thread) { return thread.ended_; });
    }

    /// Starts no more, and returns when all have ended but the caller's own and those that are in what a
    /// user wrote.
    void finish() noexcept {
        {
            const std::lock_guard guard(mutex_);
            ending_ = true;
        }
        join([](const Thread &thread) {
            return !thread.calling && thread.thread_.get_id() != std::this_thread::get_id();
        });
    }

    /// Starts no more, and waits for none: each ends by itself.
    void abandon() noexcept {
        const std::lock_guard guard(mutex_);
        ending_ = true;
        for (Thread &thread : threads_) {
            thread.thread_.detach();
        }
    }

    /// Forgets them: in a forked child there are none, nor can they be joined or detached.
    void forget() noexcept { ::new (std::nothrow) std::list<Thread>(std::move(threads_)); }

  private:
    /// Says, as the last thing that a thread does, that joining it will not wait.
    class Ending {
      public:
        Ending(Threads &threads, Thread &thread) : threads_(threads), thread_(thread) {}
        Ending(const Ending &) = delete;
        Ending &operator=(const Ending &) = delete;
        ~Ending() {
            const std::lock_guard guard(threads_.mutex_);
            thread_.ended_ = true;
        }

      private:
        Threads &threads_;
        Thread &thread_;
    };

    template <typename Which>
    void join(Which which) {
        std::list<Thread> chosen;
        {
            const std::lock_guard guard(mutex_);
            for (auto thread = threads_.begin(); thread != threads_.end();) {
                const auto next = std::next(thread);
                if (which(*thread)) {
                    chosen.splice(chosen.end(), threads_, thread);
                }
                thread = next;
            }
        }
        for (Thread &thread : chosen) {
            thread.thread_.join();
        }
    }

    std::mutex mutex_; // guards what follows
    std::list<Thread> threads_;
    bool ending_ = false;
};

} // namespace eventbroker::detail
