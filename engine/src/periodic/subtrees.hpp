// One period's search, in parts once it has become long: a few height solvers, each below assumptions of its own
// (bounds on count variables), that together cover the whole tree.
//
// Cube and conquer (Heule, Kullmann, Wieringa and Biere 2011) with the splitting done on the way: the search starts as
// one; what it learned goes with every part. When a part is refuted, another one is cut in two, so that as many
// remain; short clauses are handed around. Ours is deterministic: parts work in rounds of equal work, and whatever
// passes between them does so between rounds, in their order. The number of parts does not depend on the threads.
//
// Measured on refutations with 2 and 3 copies, four parts and one thread take 0.7 to 0.9 of the work of the whole. With
// one copy they take 1.6 to 4 times as much (the proofs are long chains about gangs that parts learn again), so such
// searches stay whole.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "periodic/height_solver.hpp"
#include "repetend/model/workers.hpp"

namespace repetend::periodic {

class Subtrees {
public:
    // As HeightSolver; `workers` may be null.
    Subtrees(const Instance& instance, Ticks period, std::uint64_t seed, ProofLog* log, Workers* workers);

    // As HeightSolver::run; a round of all parts is finished once it has begun.
    Answer run(std::int64_t work_limit);

    Ticks period() const { return first().period(); }
    std::int64_t work() const { return work_; }
    std::int64_t nodes() const { return nodes_; }
    bool paused() const { return parts_.size() == 1 && first().paused(); }
    const RootConflict& root_conflict() const { return first().root_conflict(); }
    std::vector<ProofVariable> proof_variables() const { return first().proof_variables(); }
    // After `feasible`.
    const std::vector<std::int64_t>& counts() const { return found_->counts(); }

private:
    struct Part {
        std::unique_ptr<HeightSolver> solver;
        std::unique_ptr<ProofLog> log;
        Answer answer = Answer::unknown;
        std::int64_t work = 0, nodes = 0;  // seen so far
    };
    struct Refuted {
        std::vector<Literal> assumptions;
        std::int32_t clause = -1;
    };

    const HeightSolver& first() const { return *parts_.front().solver; }
    void round();
    void append_logs();
    void exchange();
    void split();
    void count(Part& part);
    void conclude(Refuted refuted);

    ProofLog* log_;
    Workers* workers_;
    std::vector<Part> parts_;  // the first one stays for what is asked of it, even when it has an answer
    std::vector<Refuted> refuted_;
    const HeightSolver* found_ = nullptr;
    std::int64_t work_ = 0, nodes_ = 0;
    bool whole_;  // not to be cut
    Answer answer_ = Answer::unknown;
};

}  // namespace repetend::periodic
