// A batch over several processes. One of two files stands behind this: with MPI, or without it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace repetend::native {

// Was this process started as one of several, and which one is it?
struct World {
    int size = 1;
    int rank = 0;
    std::string error;  // started as one of several, but this program cannot work so
};
World join_world();

// From the first process to all: the sweep's text, which only that one may be able to read. An empty text says that
// there is nothing to do.
std::string share_text(const std::string& text);

// The first process: hands numbers of combinations out, one at a time to whoever is free, and takes their lines.
struct Coordinator {
    std::function<std::optional<std::int64_t>()> next;                       // the next number, until there is none
    std::function<bool(std::int64_t number, const std::string& line)> take;  // false: stop, the line cannot be kept
    std::function<bool()> idle;                                              // called often; false: stop
    std::function<void(const std::string&)> complain;                        // a process that was lost, in words
};
enum class Coordination { complete, stopped, workers_lost };
Coordination coordinate(const Coordinator& coordinator);

// Every other process: runs what it is given until there is nothing more.
void work(const std::function<std::optional<std::string>(std::int64_t)>& run);

// Leaves. After lost workers or an interrupt nobody waits for the others.
void leave_world(bool orderly, int exit_status);

}  // namespace repetend::native
