// Threads for the engine's tasks (repetend/model/workers.hpp): a few that wait between two calls, and the caller's own.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "repetend/model/workers.hpp"

namespace repetend::native {

class ThreadWorkers final : public Workers {
public:
    // `threads` in all, the caller's included.
    explicit ThreadWorkers(int threads);
    ~ThreadWorkers() override;
    ThreadWorkers(const ThreadWorkers&) = delete;
    ThreadWorkers& operator=(const ThreadWorkers&) = delete;

    void run(int number, const std::function<void(int)>& task) override;

private:
    void work();
    void take_tasks(std::unique_lock<std::mutex>& lock);

    std::mutex mutex_;
    std::condition_variable there_is_work_, all_done_;
    const std::function<void(int)>* task_ = nullptr;
    int number_ = 0, next_ = 0, unfinished_ = 0;
    bool ending_ = false;
    std::vector<std::thread> threads_;
};

}  // namespace repetend::native
