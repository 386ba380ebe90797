// Share links: everything that makes a picture, in the fragment of an address.
//
//     index.html#v=1&preset=v&devices=4&micro_batches=16&memory=4
//     index.html#v=1&t=Two+towers&p=<packed problem>&x=<its packed x_ fields, if any>&s=<packed schedule>
//
// A link carries a recipe: a preset with its options or a packed problem, and how to search it. Because searches
// repeat bit for bit, that is the schedule as well; one that was not made by a search is packed beside it. Links come
// from strangers: sizes are checked before memory is taken, packed parts carry a checksum, and what is decoded passes
// the same validation as a file. Keys that this version does not know are kept for the host, so that old readers open
// newer links as far as they can.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "repetend/model/schedule.hpp"
#include "repetend/session/options.hpp"

namespace repetend {

struct Recipe {
    std::string preset;  // empty: `problem` is given
    std::optional<Problem> problem;
    OptionValues options;              // of the groups preset and search, and the budget
    std::optional<Schedule> schedule;  // carried as it is, not searched; only with `problem`
    std::string title;
    std::vector<std::pair<std::string, std::string>> view;  // the host's own keys: zoom, selection, ...
};

inline constexpr std::size_t longest_link = 1 << 20;  // characters; more is refused

// Does an option travel in links? Those that decide the problem or the search.
bool travels_in_links(const OptionRow& row);

// The fragment, without `#`.
std::string write_link(const Recipe& recipe);
// The explorer's address with it, relative: whoever publishes the page puts the site's before it.
std::string write_address(const Recipe& recipe);
// Reads a fragment, or an address that has one. Whether a preset exists and its options fit, the presets say.
Result<Recipe> read_link(std::string_view link);

// The packed parts alone: bytes with a version and a checksum.
std::string pack_problem(const Problem& problem);
Result<Problem> unpack_problem(std::string_view bytes);
// Expects every block of every micro-batch once.
std::string pack_schedule(const Problem& problem, const Schedule& schedule);
Result<Schedule> unpack_schedule(std::string_view bytes, const Problem& problem);
// The `x_` fields of both (`schedule` may be null). Empty when there are none, or more than 1 KiB of them when packed
// (long notes): these stay out of links.
std::string pack_extra(const Problem& problem, const Schedule* schedule);
// Adds them to a problem and schedule that have none yet. After a fault both may have some.
Faults unpack_extra(std::string_view bytes, Problem& problem, Schedule* schedule);

}  // namespace repetend
