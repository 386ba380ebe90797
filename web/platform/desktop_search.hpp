// The search of the desktop window in a thread of its own: what page/search.js does in a Web Worker, by the same
// interface of the engine. One search at a time, in slices short enough that a stop is heard at once.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace repetend::web {

struct SearchMessage {
    enum class Kind { progress, result, failed, proof } kind = Kind::progress;
    int search = 0;
    double seconds = 0;
    std::string text;  // events, the result, the proof, or what is wrong
    std::string what;  // of what the proof is
    double work = 0, nodes = 0;
    bool last = false;
};

class SearchThread {
public:
    // `notify` is called in the thread when there are messages.
    explicit SearchThread(std::function<void()> notify);
    ~SearchThread();
    SearchThread(const SearchThread&) = delete;
    SearchThread& operator=(const SearchThread&) = delete;

    // In place of the search before, which says no more.
    void start(int search, std::string problem, std::string options);
    void stop();  // the best so far follows as the last result
    void pause(bool paused);
    // The proof of what that search found, if it is the last one and has ended.
    void prove(int search, std::string what);
    std::vector<SearchMessage> take();

private:
    struct Job {
        int search = 0;
        std::string problem, options;
    };
    class Course;
    void run();
    void post(SearchMessage message);
    void fail(int search, const std::string& words);

    std::function<void()> notify_;
    std::mutex mutex_;
    std::condition_variable wake_;
    std::optional<Job> next_;
    std::vector<std::pair<int, std::string>> wanted_proofs_;
    bool stopping_ = false, paused_ = false, ending_ = false;
    std::vector<SearchMessage> messages_;
    std::thread thread_;
};

}  // namespace repetend::web
