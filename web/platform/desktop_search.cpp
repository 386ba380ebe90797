#include "desktop_search.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "worker/engine_api.hpp"

namespace repetend::web {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr double slice_seconds = 0.012, progress_seconds = 0.05;

struct FreeEngine {
    void operator()(Engine* engine) const { engine_free(engine); }
};

}  // namespace

// One search. Slices are counted in work units, so that its course does not depend on the machine; only their size is
// fitted to the clock.
class SearchThread::Course {
public:
    Course(SearchThread& thread, const Job& job) : thread_(thread), search_(job.search) {
        const std::string words = engine_start(engine_.get(), job.problem.c_str(), job.options.c_str());
        if (words.empty()) return;
        more_ = false;
        thread_.fail(search_, words);
    }

    bool more() const { return more_; }
    void paused_for(Clock::duration time) { begun_ += time; }

    void slice(bool stopping) {
        const auto before = Clock::now();
        more_ = !stopping && engine_step(engine_.get(), work_) == 1;
        const double cost = Seconds(Clock::now() - before).count();
        if (cost < slice_seconds / 2)
            work_ = std::min(work_ * 2, 1e9);
        else if (cost > slice_seconds * 1.5)
            work_ = std::max(work_ / 2, 1000.0);
        if (stopping) engine_stop(engine_.get(), "interrupted");
        tell();
    }

    void prove(int search, const std::string& what) {
        SearchMessage message;
        message.kind = SearchMessage::Kind::proof;
        message.search = search;
        message.what = what;
        message.text = search == search_ && !more_ ? engine_proof(engine_.get(), what.c_str())
                                                   : "the search that found this is gone: search again";
        thread_.post(std::move(message));
    }

private:
    double seconds() const { return Seconds(Clock::now() - begun_).count(); }

    void tell() {
        for (auto& event : nlohmann::ordered_json::parse(engine_events(engine_.get()))) {
            improved_ = improved_ || event["kind"] == "period" || event["kind"] == "makespan";
            events_.push_back(std::move(event));
        }
        const double now = seconds();
        if (more_ && now - told_ < progress_seconds) return;
        told_ = now;
        const auto progress = nlohmann::json::parse(engine_progress(engine_.get()));
        SearchMessage message;
        message.search = search_;
        message.seconds = now;
        message.text = events_.dump();
        message.work = progress.value("work", 0.0);
        message.nodes = progress.value("nodes", 0.0);
        thread_.post(message);
        events_ = nlohmann::ordered_json::array();
        // A result costs time in proportion to its schedule: at most a tenth of the search's.
        if (more_ && !(improved_ && now - result_told_ > 10 * result_cost_ + progress_seconds)) return;
        message.kind = SearchMessage::Kind::result;
        message.text = engine_result(engine_.get(), now);
        message.last = !more_;
        thread_.post(std::move(message));
        improved_ = false;
        result_told_ = seconds();
        result_cost_ = result_told_ - now;
    }

    SearchThread& thread_;
    int search_;
    std::unique_ptr<Engine, FreeEngine> engine_{engine_create()};
    Clock::time_point begun_ = Clock::now();
    nlohmann::ordered_json events_ = nlohmann::ordered_json::array();
    double work_ = 20000, told_ = 0, result_told_ = 0, result_cost_ = 0;
    bool improved_ = false, more_ = true;
};

SearchThread::SearchThread(std::function<void()> notify) : notify_(std::move(notify)), thread_([this] { run(); }) {}

SearchThread::~SearchThread() {
    {
        const std::lock_guard lock(mutex_);
        ending_ = true;
    }
    wake_.notify_all();
    thread_.join();
}

void SearchThread::start(int search, std::string problem, std::string options) {
    {
        const std::lock_guard lock(mutex_);
        next_ = Job{search, std::move(problem), std::move(options)};
        stopping_ = paused_ = false;
    }
    wake_.notify_all();
}

void SearchThread::stop() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    wake_.notify_all();
}

void SearchThread::pause(bool paused) {
    {
        const std::lock_guard lock(mutex_);
        paused_ = paused;
    }
    wake_.notify_all();
}

void SearchThread::prove(int search, std::string what) {
    {
        const std::lock_guard lock(mutex_);
        wanted_proofs_.emplace_back(search, std::move(what));
    }
    wake_.notify_all();
}

std::vector<SearchMessage> SearchThread::take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(messages_, {});
}

void SearchThread::post(SearchMessage message) {
    {
        const std::lock_guard lock(mutex_);
        messages_.push_back(std::move(message));
    }
    notify_();
}

void SearchThread::fail(int search, const std::string& words) {
    SearchMessage message;
    message.kind = SearchMessage::Kind::failed;
    message.search = search;
    message.text = words;
    message.last = true;
    post(std::move(message));
}

void SearchThread::run() {
    std::optional<Course> course;  // stays when it has ended: proofs are asked for later
    int search = 0;
    while (true) {
        std::optional<Job> job;
        std::vector<std::pair<int, std::string>> proofs;
        bool stopping = false, paused = false;
        {
            std::unique_lock lock(mutex_);
            const auto before = Clock::now();
            const bool working = course && course->more();
            wake_.wait(lock, [&] {
                return ending_ || next_ || !wanted_proofs_.empty() || (working && (stopping_ || !paused_));
            });
            if (working) course->paused_for(Clock::now() - before);
            if (ending_) return;
            job = std::exchange(next_, std::nullopt);
            stopping = std::exchange(stopping_, false);
            proofs = std::exchange(wanted_proofs_, {});
            paused = paused_;
        }
        if (job) search = job->search;
        try {
            if (job) course.emplace(*this, *job);
            for (const auto& [number, what] : proofs)
                if (course) course->prove(number, what);
            if (course && course->more() && (stopping || !paused)) course->slice(stopping);
        } catch (const std::exception& error) {
            fail(search, std::string("the engine ran out of memory or broke: ") + error.what());
            course.reset();
        }
    }
}

}  // namespace repetend::web
