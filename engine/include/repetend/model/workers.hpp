// Tasks that may run at the same time. The engine has no threads: a host that has some hands in a `Workers`. What the
// tasks are never depends on it, they share nothing that one of them changes, and what they found is put together in
// their order; so results are the same for any number of threads, and without any.
#pragma once

#include <functional>

namespace repetend {

class Workers {
public:
    virtual ~Workers() = default;
    // Calls task(0) ... task(number - 1), each once, in any order, on any threads; returns when all have returned.
    // Tasks do not throw.
    virtual void run(int number, const std::function<void(int)>& task) = 0;
};

// On `workers`, or one after another where there are none.
inline void run_tasks(Workers* workers, int number, const std::function<void(int)>& task) {
    if (workers != nullptr && number > 1) {
        workers->run(number, task);
        return;
    }
    for (int k = 0; k < number; ++k) task(k);
}

}  // namespace repetend
