#include "text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

namespace repetend::native {
namespace {

constexpr int label_width = 11;

std::string formatted(const char* format, double value) {
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, format, value);
    return buffer;
}

// Three or four significant digits, no trailing zeros after the point.
std::string significant(double value) {
    const double size = std::fabs(value);
    std::string text = formatted(size >= 1000 ? "%.0f" : size >= 100 ? "%.1f" : size >= 10 ? "%.2f" : "%.3f", value);
    if (text.find('.') != std::string::npos) {
        text.erase(text.find_last_not_of('0') + 1);
        if (text.back() == '.') text.pop_back();
    }
    return text;
}

struct Scale {
    double factor;
    std::string_view unit;
};

// The largest unit that leaves a number of at least one.
std::string scaled(double value, const std::vector<Scale>& scales) {
    for (const Scale& scale : scales) {
        if (std::fabs(value) >= scale.factor) return significant(value / scale.factor) + ' ' + std::string(scale.unit);
    }
    return significant(value / scales.back().factor) + ' ' + std::string(scales.back().unit);
}

// Seconds per unit of time, or 0 when the unit is none that we know.
double seconds_per(std::string_view unit) {
    if (unit == "ns" || unit == "nanosecond" || unit == "nanoseconds") return 1e-9;
    if (unit == "us" || unit == "microsecond" || unit == "microseconds") return 1e-6;
    if (unit == "ms" || unit == "millisecond" || unit == "milliseconds") return 1e-3;
    if (unit == "s" || unit == "second" || unit == "seconds") return 1;
    return 0;
}

bool counts_bytes(std::string_view unit) { return unit == "byte" || unit == "bytes" || unit == "B"; }

std::string readable_time(const Problem& problem, Ticks ticks) {
    const double unit = seconds_per(problem.time_unit);
    if (unit == 0) return {};
    return scaled(static_cast<double>(ticks) * unit, {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}});
}

std::string readable_memory(const Problem& problem, Memory amount) {
    if (!counts_bytes(problem.memory_unit)) return {};
    return scaled(static_cast<double>(amount),
                  {{1024.0 * 1024 * 1024, "GiB"}, {1024.0 * 1024, "MiB"}, {1024, "KiB"}, {1, "B"}});
}

bool continues_code_point(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

}  // namespace

std::string time_text(const Problem& problem, Ticks ticks) {
    const std::string unit = problem.time_unit.empty() ? (ticks == 1 ? "tick" : "ticks") : problem.time_unit;
    std::string text = std::to_string(ticks) + ' ' + unit;
    if (problem.time_unit == "tick" && ticks != 1) text += 's';
    const std::string readable = readable_time(problem, ticks);
    if (!readable.empty() && readable != text && std::abs(ticks) >= 1000) text += " (" + readable + ')';
    return text;
}

std::string memory_text(const Problem& problem, Memory amount) {
    std::string text = std::to_string(amount);
    if (!problem.memory_unit.empty()) text += ' ' + problem.memory_unit;
    if (problem.memory_unit == "byte" && amount != 1) text += 's';
    const std::string readable = readable_memory(problem, amount);
    if (!readable.empty() && std::abs(amount) >= 1024) text += " (" + readable + ')';
    return text;
}

std::string short_time(const Problem& problem, Ticks ticks) {
    const std::string readable = readable_time(problem, ticks);
    return readable.empty() ? std::to_string(ticks) : readable;
}

std::string short_memory(const Problem& problem, Memory amount) {
    const std::string readable = readable_memory(problem, amount);
    return readable.empty() ? std::to_string(amount) : readable;
}

std::string percent(double share) {
    // What is not nothing does not look like nothing.
    if (share > 0 && share < 0.0005) return "< 0.1 %";
    return formatted("%.1f %%", share * 100);
}

std::string count_text(std::int64_t count) {
    const double value = static_cast<double>(count);
    if (count < 10'000) return std::to_string(count);
    if (count < 10'000'000) return formatted("%.1fk", value / 1e3);
    if (count < 10'000'000'000) return formatted("%.1fM", value / 1e6);
    return formatted("%.1fG", value / 1e9);
}

std::string seconds_text(double seconds) {
    if (seconds < 10) return formatted("%.3f s", seconds);
    if (seconds < 120) return formatted("%.1f s", seconds);
    const auto whole = static_cast<std::int64_t>(seconds);
    return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
}

std::string plural(std::int64_t count, std::string_view one, std::string_view many) {
    return std::to_string(count) + ' ' + std::string(count == 1 ? one : many);
}

int width_of(std::string_view text) {
    return static_cast<int>(std::count_if(text.begin(), text.end(), [](char c) { return !continues_code_point(c); }));
}

std::string padded(std::string_view text, int width) {
    return std::string(text) + std::string(static_cast<std::size_t>(std::max(0, width - width_of(text))), ' ');
}

std::string padded_left(std::string_view text, int width) {
    return std::string(static_cast<std::size_t>(std::max(0, width - width_of(text))), ' ') + std::string(text);
}

std::string aligned_table(const std::vector<std::vector<std::string>>& rows, std::size_t left_first,
                          std::size_t left_last) {
    std::vector<int> widths(rows.front().size(), 0);
    for (const auto& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
    }
    std::string text;
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const bool left = i < left_first || i + left_last >= row.size();
            line += (left ? padded(row[i], widths[i]) : padded_left(row[i], widths[i])) + "  ";
        }
        text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
    }
    return text;
}

std::string wrapped(std::string_view text, int columns, int indent) {
    std::string out;
    int at = indent;  // the first line begins where the caller stands
    bool line_empty = true;
    std::size_t i = 0;
    while (i < text.size()) {
        const std::size_t end = std::min(text.find(' ', i), text.size());
        const std::string_view word = text.substr(i, end - i);
        const int width = width_of(word);
        if (!line_empty && at + 1 + width > columns) {
            out += '\n';
            out.append(static_cast<std::size_t>(indent), ' ');
            at = indent;
            line_empty = true;
        }
        if (!line_empty) {
            out += ' ';
            ++at;
        }
        out += word;
        at += width;
        line_empty = false;
        i = end + 1;
    }
    return out;
}

std::string labelled(std::string_view label, std::string_view text, int columns) {
    return padded(label, label_width) + wrapped(text, columns, label_width) + '\n';
}

double gap_share(Ticks value, Ticks bound) {
    if (bound <= 0) return 0;
    return (static_cast<double>(value) - static_cast<double>(bound)) / static_cast<double>(bound);
}

std::string json_text(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (byte < 0x20) {
            char buffer[8];
            std::snprintf(buffer, sizeof buffer, "\\u%04x", byte);
            out += buffer;
        } else {
            out += c;
        }
    }
    return out + '"';
}

}  // namespace repetend::native
