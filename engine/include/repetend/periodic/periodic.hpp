// The repetend search: the minimal integer period for a given number of copies, with its proof.
// (design.md section 2 in short: block i of micro-batch n starts at s_i + n*T; with the order on every
// device fixed this is a system of difference constraints; the search decides the orders.)
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "repetend/model/problem.hpp"
#include "repetend/model/proof.hpp"
#include "repetend/model/workers.hpp"

namespace repetend {

// A periodic schedule: copy c of block i starts at start[i][c] + n*period for every integer n, and
// belongs to micro-batch c + n*copies. Copies of one block start in order.
struct PeriodicPattern {
    Ticks period = 0;
    int copies = 1;
    std::vector<std::vector<Ticks>> start;  // [block][copy]
    bool operator==(const PeriodicPattern&) const = default;
};

enum class CertificateKind {
    none,
    load,       // a device is busy all the time
    cycle,      // a chain of dependencies and memory that cannot be shortened (memory energy included)
    capacity,   // memory rows alone
    gang,       // blocks on all devices, plus what is left without them
    exhausted,  // every order was refuted
};

// Why no shorter period exists (or, for an infeasible problem, why none exists at all).
struct Certificate {
    CertificateKind kind = CertificateKind::none;
    int device = -1;          // load, cycle, capacity: the device that binds
    std::vector<int> blocks;  // the blocks named by the argument
    Ticks bound = 0;          // periods below this are impossible
    std::int64_t nodes = 0;   // exhausted: search nodes of the refutation
    std::string words;        // one sentence: "device 2 is busy all the time: no schedule can be faster"
};

enum class PeriodicStatus { running, optimal, infeasible, stopped };

struct PeriodicOptions {
    int copies = 1;
    std::optional<std::int64_t> max_in_flight;  // only with one copy
    std::uint64_t seed = 1;
    bool log_proof = false;      // keep what `refutation` needs; changes nothing else
    Workers* workers = nullptr;  // changes nothing but the time; must outlive the search
};

// A resumable search for one number of copies. No clock, no thread: `step` does about the work it is
// given (one unit is roughly one touched matrix entry) and returns. Same problem, options and sum of work
// give the same result on every machine, however the work is cut into steps.
class PeriodicSearch {
public:
    // Faults: max_in_flight with several copies, numbers too large for the exact arithmetic
    // (blocks * copies * sum of times beyond 2^61), too many block copies.
    static Result<PeriodicSearch> start(const Problem& problem, const PeriodicOptions& options);
    PeriodicSearch(PeriodicSearch&&) noexcept;
    PeriodicSearch& operator=(PeriodicSearch&&) noexcept;
    ~PeriodicSearch();

    // Works for about `work` units; running while there is more to do.
    PeriodicStatus step(std::int64_t work);
    PeriodicStatus status() const;

    // The best pattern so far, or null. Its period is least for the order it chose.
    const PeriodicPattern* best() const;
    // Every integer period below this is proved impossible (>= 1).
    Ticks lower_bound() const;
    // A proved lower bound, for any number of copies, on period/copies, as a fraction.
    struct Rate {
        Ticks period = 0;
        std::int64_t copies = 1;
    };
    Rate rate_bound() const;
    const Certificate& certificate() const;
    // With log_proof: the argument against lower_bound() - 1, for a PeriodProof; null where none can be written (a
    // limit on micro-batches in flight, memory that descendants do not release, a log grown too long).
    const Refutation* refutation() const;
    // After `infeasible`: the refutation also rules out any schedule of finitely many micro-batches. (A schedule of
    // N micro-batches contains one of a single micro-batch when memory never falls below what the others hold,
    // that is when every allocation is released by descendants, and that one could be repeated.)
    bool excludes_any_schedule() const;

    std::int64_t nodes() const;  // decisions taken
    std::int64_t work() const;   // work done

private:
    struct State;
    explicit PeriodicSearch(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace repetend
