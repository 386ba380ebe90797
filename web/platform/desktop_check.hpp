// Checks of proofs on a desktop: each in a thread of its own, by the interface of the page's checker. A check that
// nobody waits for any longer ends by itself; the window does not wait for it when it closes.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace repetend::web {

class ProofChecks {
public:
    struct Answer {
        int check = 0;
        double seconds = 0;
        std::string text, failed;
    };
    // `notify` is called in the thread when there is an answer.
    explicit ProofChecks(std::function<void()> notify);
    ~ProofChecks();
    ProofChecks(const ProofChecks&) = delete;
    ProofChecks& operator=(const ProofChecks&) = delete;

    void start(int check, std::string proof, std::string problem);
    std::vector<Answer> take();

private:
    struct Shared;
    std::shared_ptr<Shared> shared_;
};

}  // namespace repetend::web
