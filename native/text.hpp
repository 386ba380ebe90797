// Words and numbers for people: amounts with their units, wrapped and aligned lines.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "repetend/model/problem.hpp"

namespace repetend::native {

// The exact number, and beside it a readable form where the unit is a known one and the number is long:
// `187654321 ns (187.7 ms)`, `12 ticks`.
std::string time_text(const Problem& problem, Ticks ticks);
// As above: `34359738368 bytes (32 GiB)`, `4`.
std::string memory_text(const Problem& problem, Memory amount);
// Short readable forms for tables: `187.7 ms`, `32 GiB`; the exact number where no unit is known.
std::string short_time(const Problem& problem, Ticks ticks);
std::string short_memory(const Problem& problem, Memory amount);

std::string percent(double share);           // `12.5 %`
std::string count_text(std::int64_t count);  // `950`, `12.3k`, `4.56M`
std::string seconds_text(double seconds);    // `0.004 s`, `12.3 s`, `2 min 5 s`
std::string plural(std::int64_t count, std::string_view one, std::string_view many);

// `text` in lines of at most `columns`, the later ones indented; broken between words only.
std::string wrapped(std::string_view text, int columns, int indent);
// A heading of fixed width and a text beside it, wrapped.
std::string labelled(std::string_view label, std::string_view text, int columns);
// Filled with spaces to a width, counted in code points of UTF-8.
std::string padded(std::string_view text, int width);
std::string padded_left(std::string_view text, int width);
int width_of(std::string_view text);
// Rows of as many cells each, columns as wide as they must be: the first `left_first` and the last `left_last` of them
// to the left, the others, numbers, to the right. At least one row.
std::string aligned_table(const std::vector<std::vector<std::string>>& rows, std::size_t left_first,
                          std::size_t left_last);

// Gap of a value to its lower bound as a share of the bound.
double gap_share(Ticks value, Ticks bound);

// JSON string with its quotes.
std::string json_text(std::string_view text);

}  // namespace repetend::native
