// Which of the project's documents a text is: the value of its `format` member, found without keeping
// anything else. Reading stops there, so a document that is broken further on is told by its own reader.
#include <nlohmann/json.hpp>

#include "repetend/format/json.hpp"

namespace repetend {
namespace {

class FormatFinder final : public nlohmann::json_sax<nlohmann::json> {
public:
    bool null() override { return value(); }
    bool boolean(bool) override { return value(); }
    bool number_integer(number_integer_t) override { return value(); }
    bool number_unsigned(number_unsigned_t) override { return value(); }
    bool number_float(number_float_t, const string_t&) override { return value(); }
    bool string(string_t& text) override {
        if (depth_ == 1 && wanted_) found = std::move(text);
        return value();
    }
    bool binary(binary_t&) override { return false; }
    bool start_object(std::size_t) override { return open(); }
    bool start_array(std::size_t) override { return depth_ > 0 && open(); }
    bool key(string_t& name) override {
        wanted_ = depth_ == 1 && name == "format";
        return true;
    }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }

    std::string found;

private:
    // The first `format` decides, whatever it is; a lone value at the top is no document.
    bool value() { return depth_ > 0 && !(depth_ == 1 && wanted_); }
    bool open() {
        if (depth_ == 1 && wanted_) return false;
        ++depth_;
        return true;
    }
    bool close() {
        --depth_;
        return true;
    }
    std::int64_t depth_ = 0;
    bool wanted_ = false;
};

}  // namespace

std::string document_format(std::string_view text) {
    FormatFinder finder;
    nlohmann::json_sax<nlohmann::json>* const sax = &finder;  // as in json_parse.cpp
    nlohmann::json::sax_parse(text.begin(), text.end(), sax);
    return finder.found;
}

}  // namespace repetend
