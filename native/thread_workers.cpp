#include "thread_workers.hpp"

namespace repetend::native {

ThreadWorkers::ThreadWorkers(int threads) {
    for (int k = 1; k < threads; ++k) threads_.emplace_back([this] { work(); });
}

ThreadWorkers::~ThreadWorkers() {
    {
        const std::scoped_lock lock(mutex_);
        ending_ = true;
    }
    there_is_work_.notify_all();
    for (std::thread& thread : threads_) thread.join();
}

void ThreadWorkers::run(int number, const std::function<void(int)>& task) {
    std::unique_lock lock(mutex_);
    task_ = &task;
    number_ = unfinished_ = number;
    next_ = 0;
    there_is_work_.notify_all();
    take_tasks(lock);
    all_done_.wait(lock, [this] { return unfinished_ == 0; });
}

void ThreadWorkers::take_tasks(std::unique_lock<std::mutex>& lock) {
    while (next_ < number_) {
        const int mine = next_++;
        lock.unlock();
        (*task_)(mine);
        lock.lock();
        if (--unfinished_ == 0) all_done_.notify_one();
    }
}

void ThreadWorkers::work() {
    std::unique_lock lock(mutex_);
    while (true) {
        there_is_work_.wait(lock, [this] { return ending_ || next_ < number_; });
        if (ending_) return;
        take_tasks(lock);
    }
}

}  // namespace repetend::native
