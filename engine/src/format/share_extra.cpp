// The `x_` fields of a problem and its schedule as packed bytes; see share.hpp. They are few and of any shape: one JSON
// object, whose members say where the fields stand, as
//     {"": {"x_note": 1}, "d0": {...}, "b3": {...}, "e2": {...}, "s": {...}, "r": {...}, "o3,7": {...}}
// for the problem, a device, block or dependency by its number, the schedule, its repetend, and an operation.
#include <charconv>

#include "json_value.hpp"
#include "repetend/format/share.hpp"
#include "share_coding.hpp"

namespace repetend {
namespace {

using namespace format;

constexpr char extra_version = 1;
constexpr std::size_t longest_extra = 1 << 16;   // of the JSON text
constexpr std::size_t most_packed_bytes = 1024;  // a link with pages of notes would be none that one sends
constexpr const char* what = "the packed x_ fields";

class Writer {
public:
    void add(const std::string& place, const ExtraFields& fields) {
        if (fields.empty()) return;
        open(out_, place);
        std::string inner;
        for (const auto& [name, value] : fields) {
            open(inner, name);
            inner += value;
        }
        out_ += '{' + inner + '}';
    }
    template <class Rows>
    void add_rows(char kind, const Rows& rows) {
        for (std::size_t k = 0; k < rows.size(); ++k) add(kind + std::to_string(k), rows[k].extra);
    }
    bool empty() const { return out_.empty(); }
    std::string text() const { return '{' + out_ + '}'; }

private:
    static void open(std::string& out, const std::string& name) {
        if (!out.empty()) out += ',';
        append_json_string(out, name);
        out += ':';
    }
    std::string out_;
};

// A number at the start of `text`, which loses it; -1 when there is none.
std::int64_t take_number(std::string_view& text) {
    std::int64_t number = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || number < 0) return -1;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

// Where the fields of a place belong, or null when there is no such place.
class Places {
public:
    Places(Problem& problem, Schedule* schedule) : problem_(problem), schedule_(schedule) {}

    ExtraFields* find(std::string_view place) {
        if (place.empty()) return &problem_.extra;
        const char kind = place[0];
        place.remove_prefix(1);
        if (kind == 'd') return row(problem_.devices, place);
        if (kind == 'b') return row(problem_.blocks, place);
        if (kind == 'e') return row(problem_.dependencies, place);
        if (schedule_ == nullptr) return nullptr;
        if (kind == 's' && place.empty()) return &schedule_->extra;
        if (kind == 'r' && place.empty() && schedule_->repetend) return &schedule_->repetend_extra;
        return kind == 'o' ? operation(place) : nullptr;
    }

private:
    template <class Row>
    static ExtraFields* row(std::vector<Row>& rows, std::string_view place) {
        const std::int64_t number = take_number(place);
        if (number < 0 || !place.empty() || number >= static_cast<std::int64_t>(rows.size())) return nullptr;
        return &rows[static_cast<std::size_t>(number)].extra;
    }
    // They were written in order of (micro_batch, block), and are kept in it.
    ExtraFields* operation(std::string_view place) {
        const std::int64_t block = take_number(place);
        if (block < 0 || block >= problem_.num_blocks() || place.empty() || place[0] != ',') return nullptr;
        place.remove_prefix(1);
        const std::int64_t micro_batch = take_number(place);
        if (micro_batch < 0 || micro_batch >= schedule_->micro_batches || !place.empty()) return nullptr;
        auto& list = schedule_->operation_extra;
        if (!list.empty() &&
            std::pair(list.back().micro_batch, std::int64_t{list.back().block}) >= std::pair(micro_batch, block))
            return nullptr;
        list.push_back({static_cast<int>(block), micro_batch, {}});
        return &list.back().fields;
    }

    Problem& problem_;
    Schedule* schedule_;
};

}  // namespace

std::string pack_extra(const Problem& problem, const Schedule* schedule) {
    Writer writer;
    writer.add("", problem.extra);
    writer.add_rows('d', problem.devices);
    writer.add_rows('b', problem.blocks);
    writer.add_rows('e', problem.dependencies);
    if (schedule != nullptr) {
        writer.add("s", schedule->extra);
        writer.add("r", schedule->repetend_extra);
        for (const OperationExtra& extra : schedule->operation_extra)
            writer.add('o' + std::to_string(extra.block) + ',' + std::to_string(extra.micro_batch), extra.fields);
    }
    std::string text = writer.text();
    if (writer.empty() || text.size() > longest_extra) return {};
    Packer packer;
    TextModel model;
    code_text(packer, model, text, longest_extra);
    std::string packed = seal(extra_version, packer.finish());
    return packed.size() <= most_packed_bytes ? packed : std::string();
}

Faults unpack_extra(std::string_view bytes, Problem& problem, Schedule* schedule) {
    const Result<std::string_view> body = unseal(bytes, extra_version, what);
    if (!body) return body.faults();
    Unpacker unpacker(*body);
    TextModel model;
    std::string text;
    code_text(unpacker, model, text, longest_extra);
    Value root;
    FaultList faults;
    const Faults senseless{{FaultCode::syntax, what, "make no sense"}};
    if (unpacker.failed() || !parse_json(text, root, faults) || !faults.empty() || !root.is(Value::Kind::object))
        return senseless;
    Places places(problem, schedule);
    for (std::size_t k = 0; k < root.items().size(); ++k) {
        const Value& fields = root.items()[k];
        ExtraFields* target = places.find(root.names()[k]);
        if (target == nullptr || !fields.is(Value::Kind::object)) return senseless;
        for (std::size_t f = 0; f < fields.items().size(); ++f) {
            if (!fields.names()[f].starts_with("x_")) return senseless;
            target->emplace_back(fields.names()[f], compact_json(fields.items()[f]));
        }
    }
    return {};
}

}  // namespace repetend
