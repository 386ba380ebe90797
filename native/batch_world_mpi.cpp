// With MPI: one coordinator, dynamic distribution. A worker says that it is free, is given one number, and sends the
// line back; all the while it sends a beat every second. A worker that has been silent for too long counts as
// lost: its combination goes to another one, and whichever line comes first counts. Whether the others survive a lost
// process is for the launcher to say (Open MPI ends them all unless told otherwise); finished lines are in the file
// either way.
#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <thread>
#include <vector>

#include "batch_world.hpp"
#include "interrupt.hpp"
#include "terminal.hpp"

namespace repetend::native {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int tag_free = 1;    // worker -> coordinator, empty
constexpr int tag_line = 2;    // worker -> coordinator: number in 8 bytes, then the line; no line: not done
constexpr int tag_beat = 3;    // worker -> coordinator, empty
constexpr int tag_number = 4;  // coordinator -> worker: a number, or one of the two below
constexpr std::int64_t the_end = -1;
constexpr std::int64_t the_end_alone = -2;  // one of us is lost
constexpr auto beat_interval = std::chrono::seconds(1);
constexpr auto lost_after = std::chrono::seconds(10);
constexpr auto longest_farewell = std::chrono::seconds(30);
constexpr auto nap = std::chrono::milliseconds(1);

struct Worker {
    std::optional<std::int64_t> number;  // what it works on
    bool waiting = false;                // free, and told nothing yet
    bool ended = false;
    bool lost = false;
    Clock::time_point heard = Clock::now();
};

void send_number(int rank, std::int64_t number) { MPI_Send(&number, 1, MPI_INT64_T, rank, tag_number, MPI_COMM_WORLD); }

class Coordinating {
public:
    explicit Coordinating(const Coordinator& host) : host_(host) {
        int size = 1;
        MPI_Comm_size(MPI_COMM_WORLD, &size);
        workers_.resize(static_cast<std::size_t>(size));
        workers_[0].ended = true;
    }

    Coordination run() {
        while (!all_ended()) {
            const bool heard = hear();
            if (stopped_ || !host_.idle()) return Coordination::stopped;
            feed();
            look_for_lost();
            if (!heard) std::this_thread::sleep_for(nap);
        }
        return any_lost() ? Coordination::workers_lost : Coordination::complete;
    }

private:
    bool all_ended() const {
        return std::all_of(workers_.begin(), workers_.end(), [](const Worker& w) { return w.ended || w.lost; });
    }

    bool any_lost() const {
        return std::any_of(workers_.begin(), workers_.end(), [](const Worker& w) { return w.lost; });
    }

    // One message, if there is one.
    bool hear() {
        int there = 0;
        MPI_Status status;
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
        if (there == 0) return false;
        int length = 0;
        MPI_Get_count(&status, MPI_CHAR, &length);
        std::string text(static_cast<std::size_t>(length), '\0');
        MPI_Recv(text.data(), length, MPI_CHAR, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        Worker& worker = workers_[static_cast<std::size_t>(status.MPI_SOURCE)];
        worker.heard = Clock::now();
        worker.lost = false;  // it was only slow; what it had goes to another one all the same
        if (status.MPI_TAG == tag_free) worker.waiting = true;
        if (status.MPI_TAG == tag_line && text.size() >= sizeof(std::int64_t)) {
            std::int64_t number = 0;
            std::copy_n(text.data(), sizeof number, reinterpret_cast<char*>(&number));
            worker.number.reset();
            text.erase(0, sizeof number);
            if (!text.empty() && !host_.take(number, text)) stopped_ = true;
        }
        return true;
    }

    std::optional<std::int64_t> next() {
        if (!again_.empty()) {
            const std::int64_t number = again_.front();
            again_.pop_front();
            return number;
        }
        return host_.next();
    }

    // A worker that has not said that it is free may still be lost: its combination comes back then, and the others
    // must not wait for it when they end.
    bool all_accounted_for() const {
        return std::all_of(workers_.begin(), workers_.end(),
                           [](const Worker& w) { return w.ended || w.lost || w.waiting; });
    }

    void feed() {
        for (std::size_t rank = 1; rank < workers_.size(); ++rank) {
            Worker& worker = workers_[rank];
            if (!worker.waiting || worker.ended || worker.lost) continue;
            if (const std::optional<std::int64_t> number = next()) {
                worker.number = number;
                worker.waiting = false;
                send_number(static_cast<int>(rank), *number);
            } else if (all_accounted_for()) {
                worker.ended = true;
                send_number(static_cast<int>(rank), any_lost() ? the_end_alone : the_end);
            }
        }
    }

    void look_for_lost() {
        const Clock::time_point now = Clock::now();
        for (std::size_t rank = 1; rank < workers_.size(); ++rank) {
            Worker& worker = workers_[rank];
            if (worker.ended || worker.lost || now - worker.heard < lost_after) continue;
            worker.lost = true;
            std::string words = "process " + std::to_string(rank) + " has not been heard of for " +
                                std::to_string(lost_after.count()) + " s and counts as lost";
            if (worker.number) {
                again_.push_back(*worker.number);
                worker.number.reset();
                words += "; its combination goes to another one";
            }
            host_.complain(words);
        }
    }

    const Coordinator& host_;
    std::vector<Worker> workers_;
    std::deque<std::int64_t> again_;
    bool stopped_ = false;
};

}  // namespace

World join_world() {
    World world;
    // A start without a launcher would cost half a second and leave traces in the temporary folder.
    const bool launched = !environment("OMPI_COMM_WORLD_SIZE").empty() || !environment("PMI_SIZE").empty() ||
                          !environment("PMIX_RANK").empty();
    if (!launched) return world;
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_size(MPI_COMM_WORLD, &world.size);
    MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
    return world;
}

std::string share_text(const std::string& text) {
    int length = static_cast<int>(text.size());
    MPI_Bcast(&length, 1, MPI_INT, 0, MPI_COMM_WORLD);
    std::string shared = text;
    shared.resize(static_cast<std::size_t>(length));
    MPI_Bcast(shared.data(), length, MPI_CHAR, 0, MPI_COMM_WORLD);
    return shared;
}

Coordination coordinate(const Coordinator& coordinator) { return Coordinating(coordinator).run(); }

namespace {

// Says now and then that this worker is there.
class Pulse {
public:
    void beat() {
        if (Clock::now() - last_ < beat_interval) return;
        last_ = Clock::now();
        MPI_Send(nullptr, 0, MPI_CHAR, 0, tag_beat, MPI_COMM_WORLD);
    }

private:
    Clock::time_point last_ = Clock::now();
};

}  // namespace

void work(const std::function<std::optional<std::string>(std::int64_t)>& run) {
    Pulse pulse;
    while (!interrupted()) {
        MPI_Send(nullptr, 0, MPI_CHAR, 0, tag_free, MPI_COMM_WORLD);
        int there = 0;
        while (there == 0) {  // not a blocking receive: that would keep a core busy
            MPI_Iprobe(0, tag_number, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
            if (there == 0) std::this_thread::sleep_for(nap);
            if (interrupted()) return;
            pulse.beat();
        }
        std::int64_t number = the_end;
        MPI_Recv(&number, 1, MPI_INT64_T, 0, tag_number, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        // Ending MPI in order waits for every process, the lost one too: for ever. A worker holds nothing open.
        if (number == the_end_alone) std::_Exit(EXIT_SUCCESS);
        if (number < 0) return;
        std::optional<std::string> line;
        std::atomic<bool> done{false};
        std::thread thread([&] {
            line = run(number);
            done = true;
        });
        while (!done) {
            std::this_thread::sleep_for(nap);
            pulse.beat();
        }
        thread.join();
        std::string message(reinterpret_cast<const char*>(&number), sizeof number);
        if (line) message += *line;
        MPI_Send(message.data(), static_cast<int>(message.size()), MPI_CHAR, 0, tag_line, MPI_COMM_WORLD);
    }
}

void leave_world(bool orderly, int exit_status) {
    int started = 0;
    MPI_Initialized(&started);
    if (started == 0) return;
    if (orderly) {
        // That waits for every process. One that has been lost in the last moment, before anybody could notice, must
        // not keep the others: all that matters has been written by now.
        std::thread([exit_status] {
            std::this_thread::sleep_for(longest_farewell);
            std::_Exit(exit_status);
        }).detach();
        MPI_Finalize();
    } else {
        MPI_Abort(MPI_COMM_WORLD, exit_status);
    }
}

}  // namespace repetend::native
