#include "desktop_check.hpp"

#include <chrono>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "checker/checker_api.hpp"

namespace repetend::web {

// What the threads share with the window, and outlives it.
struct ProofChecks::Shared {
    std::mutex one_at_a_time;  // the checker's answer stays until its next call
    std::mutex mutex;
    std::function<void()> notify;  // empty once the window has gone
    std::vector<Answer> answers;
};

ProofChecks::ProofChecks(std::function<void()> notify) : shared_(std::make_shared<Shared>()) {
    shared_->notify = std::move(notify);
}
ProofChecks::~ProofChecks() {
    const std::lock_guard lock(shared_->mutex);
    shared_->notify = nullptr;
}

void ProofChecks::start(int check, std::string proof, std::string problem) {
    const auto work = [shared = shared_, check, proof = std::move(proof), problem = std::move(problem)] {
        Answer answer;
        answer.check = check;
        const std::lock_guard alone(shared->one_at_a_time);
        const auto begun = std::chrono::steady_clock::now();
        try {
            answer.text = checker_check(proof.c_str(), problem.c_str());
        } catch (const std::exception& error) {
            answer.failed = std::string("the checker ran out of memory or broke: ") + error.what();
        }
        answer.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
        const std::lock_guard lock(shared->mutex);
        if (!shared->notify) return;
        shared->answers.push_back(std::move(answer));
        shared->notify();
    };
    std::thread(work).detach();
}

std::vector<ProofChecks::Answer> ProofChecks::take() {
    const std::lock_guard lock(shared_->mutex);
    return std::exchange(shared_->answers, {});
}

}  // namespace repetend::web
