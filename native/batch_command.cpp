// `repetend batch`: every combination of a sweep, on threads of this process or over the processes of an MPI job. One
// writer: lines are kept as they come, and put in the sweep's order at the end.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <mutex>
#include <thread>

#include "batch_job.hpp"
#include "batch_output.hpp"
#include "batch_progress.hpp"
#include "batch_summary.hpp"
#include "batch_world.hpp"
#include "commands.hpp"
#include "exit_status.hpp"
#include "files.hpp"
#include "input.hpp"
#include "interrupt.hpp"
#include "messages.hpp"
#include "text.hpp"

namespace repetend::native {
namespace {

using SteadyClock = std::chrono::steady_clock;

bool is_error(const std::string& line) { return line.find(", \"error\": null") == std::string::npos; }

// Where lines go: a file, or standard output in order.
class Batch {
public:
    Batch(const Invocation& invocation, const Sweep& sweep) : invocation_(invocation), sweep_(sweep) {
        for (std::int64_t k = 0; k < sweep.size(); ++k) ids_.push_back(sweep.at(k).id);
    }

    // Exit status of what is wrong, or exit_good.
    int open() {
        const OptionValues& options = invocation_.options;
        to_file_ = options.has("output") && options.text("output") != "-";
        if (options.flag("resume") && !to_file_) {
            complain("--resume", "goes with -o FILE: lines on standard output cannot be taken up again");
            return exit_usage;
        }
        for (const char* option : {"schedules", "plots"}) {
            if (!options.has(option)) continue;
            std::error_code error;
            std::filesystem::create_directories(options.text(option), error);
            if (!error) continue;
            complain(options.text(option), "cannot be made: " + error.message());
            return exit_failure;
        }
        if (to_file_) {
            const std::string path = options.text("output");
            if (const std::string error = output_.open(path, options.flag("resume")); !error.empty()) {
                complain(path, error);
                return exit_failure;
            }
            if (!options.flag("quiet")) say_opened(path);
        }
        std::int64_t finished = 0;
        for (const std::string& id : ids_) finished += output_.has(id) ? 1 : 0;
        progress_ = std::make_unique<BatchProgress>(invocation_, sweep_.size(), finished);
        return exit_good;
    }

    std::optional<std::int64_t> next() {
        while (next_ < sweep_.size() && output_.has(ids_[static_cast<std::size_t>(next_)])) ++next_;
        if (next_ == sweep_.size()) return std::nullopt;
        return next_++;
    }

    // False when the line cannot be kept.
    bool take(std::int64_t number, const std::string& line) {
        const std::string& id = ids_[static_cast<std::size_t>(number)];
        if (to_file_ ? output_.has(id) : kept_.count(number) != 0) return true;  // from a process that came back
        progress_->done(is_error(line));
        progress_->clear();
        std::string error;
        if (to_file_) {
            error = output_.append(id, line);
        } else {
            kept_[number] = line;
            // In order: what comes early waits.
            while (error.empty() && kept_.count(printed_) != 0) error = write_file("-", kept_[printed_++]);
        }
        if (error.empty()) return true;
        complain(to_file_ ? invocation_.options.text("output") : "standard output", error);
        failed_ = true;
        return false;
    }

    void tick() { progress_->update(std::chrono::duration<double>(SteadyClock::now() - start_).count()); }

    int finish() {
        progress_->clear();
        if (failed_) return exit_failure;
        std::vector<std::string> lines;
        for (std::size_t k = 0; k < ids_.size(); ++k) {
            if (to_file_) {
                if (const auto line = output_.lines().find(ids_[k]); line != output_.lines().end()) {
                    lines.push_back(line->second);
                }
            } else if (const auto line = kept_.find(static_cast<std::int64_t>(k)); line != kept_.end()) {
                lines.push_back(line->second);
            }
        }
        const bool complete = lines.size() == ids_.size();
        if (!complete) {
            complain("", "stopped: " + std::to_string(lines.size()) + " of " + std::to_string(ids_.size()) +
                             " combinations are done" + (to_file_ ? "; --resume goes on from here" : ""));
            return interrupted() ? exit_interrupted : exit_failure;
        }
        if (to_file_) {
            if (const std::string error = output_.put_in_order(ids_); !error.empty()) {
                complain(invocation_.options.text("output"), error);
                return exit_failure;
            }
        }
        return report(lines);
    }

    const std::string& id(std::int64_t number) const { return ids_[static_cast<std::size_t>(number)]; }

private:
    void say_opened(const std::string& path) const {
        if (output_.moved())
            complain(path, "what stood here is now " + path + ".previous (--resume would go on with it)");
        if (output_.torn()) complain(path, "the last line was cut short and is run again");
        const std::size_t there = output_.lines().size();
        std::size_t ours = 0;
        for (const std::string& each : ids_) ours += output_.has(each) ? 1 : 0;
        if (there > ours) {
            complain(path, plural(static_cast<std::int64_t>(there - ours), "line", "lines") +
                               " of other combinations stay as they are");
        }
    }

    int report(const std::vector<std::string>& lines) const {
        const BatchSummary summary = summarise(lines, sweep_.varied());
        if (!invocation_.options.flag("quiet")) std::fwrite(summary.table.data(), 1, summary.table.size(), stderr);
        if (!invocation_.options.has("plots")) return exit_good;
        for (const auto& [name, svg] : summary.plots) {
            const std::string path = invocation_.options.text("plots") + "/" + name;
            if (const std::string error = write_file(path, svg); !error.empty()) {
                complain(path, error);
                return exit_failure;
            }
        }
        return exit_good;
    }

    const Invocation& invocation_;
    const Sweep& sweep_;
    std::vector<std::string> ids_;
    bool to_file_ = false;
    bool failed_ = false;
    BatchOutput output_;
    std::map<std::int64_t, std::string> kept_;  // without a file
    std::int64_t printed_ = 0;
    std::int64_t next_ = 0;
    std::unique_ptr<BatchProgress> progress_;
    SteadyClock::time_point start_ = SteadyClock::now();
};

int number_of_threads(const Invocation& invocation) {
    const auto wanted = static_cast<int>(*invocation.options.integer("threads"));
    // Every combination is searched by one thread, so their number changes no result: all cores, unless told.
    if (wanted > 0 && invocation.options.has("threads")) return wanted;
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

// Threads take numbers and leave lines; this thread alone writes.
void run_on_threads(Batch& batch, const Sweep& sweep, const Invocation& invocation) {
    struct Line {
        std::int64_t number;
        std::string text;
    };
    std::mutex mutex;
    std::condition_variable arrived;
    std::deque<Line> lines;
    std::atomic<bool> stopping{false};
    const std::string schedules = invocation.options.has("schedules") ? invocation.options.text("schedules") : "";
    int busy = number_of_threads(invocation);
    std::vector<std::thread> threads;
    for (int k = busy; k > 0; --k) {
        threads.emplace_back([&] {
            while (!stopping && !interrupted()) {
                std::optional<std::int64_t> number;
                {
                    const std::lock_guard<std::mutex> lock(mutex);
                    number = batch.next();
                }
                if (!number) break;
                std::optional<std::string> line = run_job(sweep.at(*number), schedules);
                if (!line) break;
                const std::lock_guard<std::mutex> lock(mutex);
                lines.push_back({*number, std::move(*line)});
                arrived.notify_one();
            }
            const std::lock_guard<std::mutex> lock(mutex);
            --busy;
            arrived.notify_one();
        });
    }
    std::unique_lock<std::mutex> lock(mutex);
    while (busy > 0 || !lines.empty()) {
        arrived.wait_for(lock, std::chrono::milliseconds(100));
        while (!lines.empty()) {
            const Line line = std::move(lines.front());
            lines.pop_front();
            if (!stopping && !batch.take(line.number, line.text)) stopping = true;
        }
        batch.tick();
    }
    lock.unlock();
    for (std::thread& thread : threads) thread.join();
}

int run_as_coordinator(Batch& batch) {
    Coordinator coordinator;
    coordinator.next = [&] { return batch.next(); };
    coordinator.take = [&](std::int64_t number, const std::string& line) { return batch.take(number, line); };
    coordinator.idle = [&] {
        batch.tick();
        return !interrupted();
    };
    coordinator.complain = [](const std::string& words) { complain("", words); };
    const Coordination how = coordinate(coordinator);
    if (how == Coordination::stopped && interrupted()) {
        complain("", "ended from outside: by a signal, or by the launcher because a process failed");
    }
    int status = batch.finish();
    if (how == Coordination::workers_lost && status == exit_good) status = exit_failure;
    leave_world(how == Coordination::complete, status);
    return status;
}

struct LoadedSweep {
    std::optional<Sweep> sweep;
    std::string text;
    int status = exit_good;
};

LoadedSweep load_sweep(const Invocation& invocation) {
    LoadedSweep loaded;
    Loaded<std::string> path = needed_word(invocation, "batch", "FILE");
    if (!path) {
        loaded.status = path.exit_status();
        return loaded;
    }
    Loaded<std::string> text = load_text(*path);
    if (!text) {
        loaded.status = text.exit_status();
        return loaded;
    }
    Result<Sweep> sweep = read_sweep(*text);
    if (!sweep) {
        complain(input_label(*path), sweep.faults());
        loaded.status = exit_bad_input;
        return loaded;
    }
    loaded.sweep = std::move(*sweep);
    loaded.text = std::move(*text);
    return loaded;
}

int run_worker(const Invocation& invocation) {
    const std::string text = share_text("");
    if (const Result<Sweep> sweep = read_sweep(text); !text.empty() && sweep) {
        const std::string schedules = invocation.options.has("schedules") ? invocation.options.text("schedules") : "";
        work([&](std::int64_t number) { return run_job(sweep->at(number), schedules); });
    }
    const int status = interrupted() ? exit_interrupted : exit_good;
    leave_world(!interrupted(), status);
    return status;
}

}  // namespace

int run_batch(const Invocation& invocation) {
    const World world = join_world();
    if (!world.error.empty()) {
        complain("batch", world.error);
        return exit_failure;
    }
    watch_interrupts();
    if (world.rank > 0) return run_worker(invocation);

    LoadedSweep loaded = load_sweep(invocation);
    const bool shared = world.size > 1;
    std::unique_ptr<Batch> batch;
    if (loaded.sweep) {
        batch = std::make_unique<Batch>(invocation, *loaded.sweep);
        loaded.status = batch->open();
    }
    const bool good = loaded.status == exit_good;
    if (shared) share_text(good ? loaded.text : std::string());
    if (!good) {
        leave_world(true, loaded.status);
        return loaded.status;
    }
    if (shared) return run_as_coordinator(*batch);
    run_on_threads(*batch, *loaded.sweep, invocation);
    const int status = batch->finish();
    leave_world(true, status);
    return status;
}

}  // namespace repetend::native
