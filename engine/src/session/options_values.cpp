// Values of options: text in, checked values out, by the rows of the table. Only whole numbers are used (also
// for durations, which are read as decimal fractions digit by digit), so that every machine reads alike.
#include <algorithm>
#include <cassert>
#include <charconv>
#include <cstddef>

#include "repetend/session/options.hpp"

namespace repetend {
namespace {

std::string flag_name(const OptionRow& row) { return "--" + std::string(row.name); }

std::string quoted(std::string_view text) {
    constexpr std::size_t longest_shown = 40;
    std::string shown;
    for (const char c : text.substr(0, longest_shown)) shown += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
    return "'" + shown + (text.size() > longest_shown ? "..." : "") + "'";
}

// Large round limits read better as powers.
std::string bound_text(std::int64_t value) {
    if (value == largest_number) return "2^53";
    if (value == most_micro_batches) return "2^31";
    return std::to_string(value);
}

std::string duration_text(std::int64_t ms) {
    if (ms % 3'600'000 == 0) return std::to_string(ms / 3'600'000) + "h";
    if (ms % 60'000 == 0) return std::to_string(ms / 60'000) + "m";
    if (ms % 1000 == 0) return std::to_string(ms / 1000) + "s";
    return std::to_string(ms) + "ms";
}

enum class NumberState { good, none, too_large };

// Digits with an optional sign, nothing else.
NumberState read_integer(std::string_view text, std::int64_t& value) {
    if (text.size() > 1 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);
    if (text.empty()) return NumberState::none;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (end != text.data() + text.size()) return NumberState::none;
    if (error == std::errc::result_out_of_range) return NumberState::too_large;
    return error == std::errc() ? NumberState::good : NumberState::none;
}

// `1.5s` -> 1500. Digits beyond the millisecond are refused rather than rounded.
NumberState read_duration(std::string_view text, std::int64_t& ms) {
    std::int64_t unit_ms = 1000;
    const std::size_t digits_end = std::min(text.find_first_not_of("0123456789."), text.size());
    const std::string_view unit = text.substr(digits_end);
    if (unit == "ms") {
        unit_ms = 1;
    } else if (unit == "m" || unit == "min") {
        unit_ms = 60'000;
    } else if (unit == "h") {
        unit_ms = 3'600'000;
    } else if (!unit.empty() && unit != "s") {
        return NumberState::none;
    }
    const std::string_view number = text.substr(0, digits_end);
    const std::size_t point = std::min(number.find('.'), number.size());
    std::string digits(number.substr(0, point));
    std::int64_t scale = 1;
    if (point < number.size()) {
        const std::string_view fraction = number.substr(point + 1);
        if (fraction.empty() || fraction.size() > 6) return NumberState::none;
        digits += fraction;
        for (std::size_t i = 0; i < fraction.size(); ++i) scale *= 10;
    }
    if (digits.empty() || digits.size() > 15) return digits.empty() ? NumberState::none : NumberState::too_large;
    std::int64_t value = 0;
    if (read_integer(digits, value) != NumberState::good) return NumberState::none;
    if (value > largest_number / unit_ms) return NumberState::too_large;
    if (value * unit_ms % scale != 0) return NumberState::none;
    ms = value * unit_ms / scale;
    return NumberState::good;
}

Fault out_of_range(const OptionRow& row, std::string_view text) {
    return {FaultCode::usage, flag_name(row), quoted(text) + " is out of range: " + describe_range(row) + " expected"};
}

bool is_word(const OptionRow& row, std::string_view text) {
    const std::vector<std::string> words = option_words(row);
    return std::find(words.begin(), words.end(), text) != words.end();
}

Fault unknown_word(const OptionRow& row, std::string_view text, std::string_view expected) {
    std::string message = quoted(text) + " is not " + std::string(expected);
    const std::string nearest = nearest_name(text, option_words(row));
    if (!nearest.empty()) message += "; did you mean " + nearest + "?";
    return {FaultCode::usage, flag_name(row), message};
}

// A whole number within the row's range.
std::optional<Fault> take_integer(const OptionRow& row, std::string_view text, std::string_view expected,
                                  std::int64_t& number) {
    switch (read_integer(text, number)) {
        case NumberState::none:
            return unknown_word(row, text, expected);
        case NumberState::too_large:
            return out_of_range(row, text);
        case NumberState::good:
            break;
    }
    if (number < row.low || number > row.high) return out_of_range(row, text);
    return std::nullopt;
}

std::optional<Fault> take_amounts(const OptionRow& row, std::string_view text,
                                  std::vector<std::optional<Memory>>& amounts, std::string& shown) {
    amounts.clear();
    shown.clear();
    if (static_cast<std::int64_t>(std::count(text.begin(), text.end(), ',')) >= most_devices) {
        return Fault{FaultCode::usage, flag_name(row), "more than " + std::to_string(most_devices) + " amounts"};
    }
    std::string_view rest = text;
    while (true) {
        const std::size_t comma = rest.find(',');
        const std::string_view item = rest.substr(0, comma);
        if (!shown.empty()) shown += ',';
        if (is_word(row, item)) {
            amounts.emplace_back(std::nullopt);
            shown += item;
        } else {
            std::int64_t number = 0;
            const std::string expected = "a whole number or " + std::string(row.words);
            if (auto fault = take_integer(row, item, expected, number)) return fault;
            amounts.emplace_back(number);
            shown += std::to_string(number);
        }
        if (comma == std::string_view::npos) return std::nullopt;
        rest = rest.substr(comma + 1);
    }
}

std::size_t row_index(std::string_view name) {
    const OptionRow* row = find_option(name);
    assert(row != nullptr);
    return static_cast<std::size_t>(row - option_table().data());
}

}  // namespace

std::string describe_range(const OptionRow& row) {
    switch (row.kind) {
        case OptionKind::flag:
        case OptionKind::text:
            return "";
        case OptionKind::choice:
            return std::string(row.words);
        case OptionKind::duration:
            return duration_text(row.low) + " to " + duration_text(row.high);
        case OptionKind::integer:
            return bound_text(row.low) + " to " + bound_text(row.high);
        case OptionKind::integer_or_word:
        case OptionKind::amounts:
            return bound_text(row.low) + " to " + bound_text(row.high) + " or " + std::string(row.words);
    }
    return "";
}

OptionValues::OptionValues() : values_(option_table().size()) {}

std::optional<Fault> OptionValues::set(std::string_view name, std::string_view text) {
    const OptionRow* row = find_option(name);
    if (row == nullptr) {
        std::vector<std::string> names;
        for (const OptionRow& known : option_table()) names.emplace_back(known.name);
        const std::string nearest = nearest_name(name, names);
        const std::string hint = nearest.empty() ? "" : "; did you mean --" + nearest + "?";
        return Fault{FaultCode::usage, "--" + std::string(name), "unknown option" + hint};
    }
    Value value;
    value.given = true;
    std::int64_t number = 0;
    std::optional<Fault> fault;
    switch (row->kind) {
        case OptionKind::flag:
            if (!text.empty() && text != "true" && text != "false") {
                return Fault{FaultCode::usage, flag_name(*row), "takes no value"};
            }
            value.text = text == "false" ? "false" : "true";
            break;
        case OptionKind::text:
            if (text.empty()) return Fault{FaultCode::usage, flag_name(*row), "must not be empty"};
            value.text = text;
            break;
        case OptionKind::choice:
            if (!is_word(*row, text)) return unknown_word(*row, text, "one of " + std::string(row->words));
            value.text = text;
            break;
        case OptionKind::integer_or_word:
            if (is_word(*row, text)) {
                value.text = text;
                break;
            }
            fault = take_integer(*row, text, "a whole number or " + std::string(row->words), number);
            if (fault) return fault;
            value.number = number;
            value.text = std::to_string(number);
            break;
        case OptionKind::integer:
            fault = take_integer(*row, text, "a whole number", number);
            if (fault) return fault;
            value.number = number;
            value.text = std::to_string(number);
            break;
        case OptionKind::duration: {
            const NumberState state = read_duration(text, number);
            if (state == NumberState::none) {
                return Fault{FaultCode::usage, flag_name(*row),
                             quoted(text) + " is not a time such as 500ms, 30s, 2m or 1h"};
            }
            if (state == NumberState::too_large || number < row->low || number > row->high) {
                return out_of_range(*row, text);
            }
            value.number = number;
            value.text = duration_text(number);
            break;
        }
        case OptionKind::amounts:
            fault = take_amounts(*row, text, value.amounts, value.text);
            if (fault) return fault;
            break;
    }
    values_[row_index(name)] = std::move(value);
    return std::nullopt;
}

bool OptionValues::has(std::string_view name) const { return values_[row_index(name)].given; }

bool OptionValues::flag(std::string_view name) const { return values_[row_index(name)].text == "true"; }

std::string OptionValues::text(std::string_view name) const {
    const std::size_t index = row_index(name);
    return values_[index].given ? values_[index].text : std::string(option_table()[index].standard);
}

std::optional<std::int64_t> OptionValues::integer(std::string_view name) const {
    const std::size_t index = row_index(name);
    if (values_[index].given) return values_[index].number;
    std::int64_t number = 0;
    if (read_integer(option_table()[index].standard, number) != NumberState::good) return std::nullopt;
    return number;
}

std::vector<std::optional<Memory>> OptionValues::amounts(std::string_view name) const {
    return values_[row_index(name)].amounts;
}

std::vector<std::pair<std::string, std::string>> OptionValues::given() const {
    std::vector<std::pair<std::string, std::string>> list;
    for (std::size_t i = 0; i < values_.size(); ++i) {
        if (values_[i].given) list.emplace_back(std::string(option_table()[i].name), values_[i].text);
    }
    return list;
}

}  // namespace repetend
