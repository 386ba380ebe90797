// `repetend.model` documents.
#include <algorithm>

#include "decimal.hpp"
#include "repetend/format/profile_files.hpp"

namespace repetend::format {
namespace {

using cost::LayerGroup;
using cost::ModelPart;

constexpr std::int64_t most_layers = 1024;
constexpr std::int64_t most_parts = 64;
constexpr std::int64_t most_hidden = 1 << 20;
constexpr std::int64_t most_wide = 1 << 24;

class ModelReader {
public:
    ModelReader(Fields& fields, FaultList& faults) : fields_(fields), faults_(faults) {}

    cost::Model run() {
        model_.name = fields_.string("name", true).value_or("");
        model_.source = fields_.string("source", true).value_or("");
        model_.vocabulary = fields_.integer("vocabulary", 1, 1 << 28, false).value_or(0);
        model_.head = read_boolean(fields_, faults_, "head").value_or(false);
        model_.tied = read_boolean(fields_, faults_, "tied").value_or(false);
        if (model_.head && model_.vocabulary == 0) {
            faults_.add(FaultCode::missing, fields_.path_of("vocabulary"), "missing; a head needs one");
        }
        if (const Value* parts = fields_.array("parts", true)) read_parts(*parts);
        if (const Value* defaults = fields_.optional("defaults")) read_defaults(*defaults);
        check_whole();
        return std::move(model_);
    }

private:
    void read_parts(const Value& parts) {
        const std::string path = fields_.path_of("parts");
        if (parts.items().empty()) faults_.add(FaultCode::missing, path, "at least one part is needed");
        if (parts.items().size() > static_cast<std::size_t>(most_parts)) {
            faults_.add(FaultCode::limit, path, "more than " + std::to_string(most_parts) + " parts");
            return;
        }
        for (std::size_t k = 0; k < parts.items().size(); ++k) {
            Fields part(parts.items()[k], path + '[' + std::to_string(k) + ']', faults_);
            read_part(part, static_cast<int>(k));
            part.finish();
        }
    }

    void read_part(Fields& fields, int number) {
        ModelPart part;
        part.name = fields.string("name", true).value_or("");
        for (const ModelPart& other : model_.parts) {
            if (!part.name.empty() && other.name == part.name) {
                faults_.add(FaultCode::duplicate, fields.path_of("name"),
                            "part " + in_quotes(part.name) + " exists twice");
            }
        }
        part.sequence = fields.integer("sequence", 1, most_wide, true).value_or(1);
        part.embedding = read_boolean(fields, faults_, "embedding").value_or(false);
        if (part.embedding && model_.vocabulary == 0) {
            faults_.add(FaultCode::missing, fields_.path_of("vocabulary"), "missing; an embedding needs one");
        }
        if (fields.is_object() && fields.optional("after")) {
            read_after(fields, part);
        } else if (number > 0) {
            part.after = {number - 1};
        }
        if (const Value* layers = fields.array("layers", true)) read_layers(*layers, fields.path_of("layers"), part);
        model_.parts.push_back(std::move(part));
    }

    void read_after(Fields& fields, ModelPart& part) {
        const Value* after = fields.array("after", false);
        if (!after) return;
        const std::string path = fields.path_of("after");
        for (std::size_t k = 0; k < after->items().size() && k < static_cast<std::size_t>(most_parts); ++k) {
            const Value& item = after->items()[k];
            const std::string at = path + '[' + std::to_string(k) + ']';
            if (!item.is(Value::Kind::string)) {
                add_type_fault(item, at, "the name of an earlier part", faults_);
                continue;
            }
            std::vector<std::string> names;
            int found = -1;
            for (std::size_t p = 0; p < model_.parts.size(); ++p) {
                names.push_back(model_.parts[p].name);
                if (names.back() == item.text()) found = static_cast<int>(p);
            }
            if (found < 0) {
                const std::string near = nearest_name(item.text(), names);
                faults_.add(FaultCode::reference, at,
                            "part " + in_quotes(item.text()) + " does not stand before this one" +
                                (near.empty() ? "" : "; did you mean " + in_quotes(near) + "?"));
            } else if (std::find(part.after.begin(), part.after.end(), found) != part.after.end()) {
                faults_.add(FaultCode::duplicate, at, "part " + in_quotes(item.text()) + " stands here twice");
            } else {
                part.after.push_back(found);
            }
        }
    }

    void read_layers(const Value& layers, const std::string& path, ModelPart& part) {
        if (layers.items().empty()) faults_.add(FaultCode::missing, path, "at least one layer is needed");
        if (layers.items().size() > static_cast<std::size_t>(most_layers)) {
            faults_.add(FaultCode::limit, path, "more than " + std::to_string(most_layers) + " layers");
            return;
        }
        for (std::size_t k = 0; k < layers.items().size(); ++k) {
            Fields fields(layers.items()[k], path + '[' + std::to_string(k) + ']', faults_);
            part.layers.push_back(read_layer(fields, part));
            fields.finish();
        }
    }

    LayerGroup read_layer(Fields& fields, const ModelPart& part) {
        LayerGroup layer;
        layer.count = fields.integer("count", 1, most_layers, true).value_or(1);
        layer.hidden = fields.integer("hidden", 1, most_hidden, true).value_or(1);
        layer.heads = fields.integer("heads", 1, most_hidden, true).value_or(1);
        layer.kv_heads = fields.integer("kv_heads", 1, most_hidden, false).value_or(layer.heads);
        layer.feed_forward = fields.integer("feed_forward", 1, most_wide, false).value_or(4 * layer.hidden);
        layer.gated = read_boolean(fields, faults_, "gated").value_or(false);
        layer.experts = fields.integer("experts", 1, 4096, false).value_or(1);
        layer.experts_per_token = fields.integer("experts_per_token", 1, 4096, false).value_or(1);
        layer.cross_attention = read_boolean(fields, faults_, "cross_attention").value_or(false);
        if (layer.hidden % layer.heads != 0) {
            faults_.add(
                FaultCode::range, fields.path_of("heads"),
                std::to_string(layer.heads) + " does not divide the hidden size " + std::to_string(layer.hidden));
        }
        if (layer.heads % layer.kv_heads != 0) {
            faults_.add(
                FaultCode::range, fields.path_of("kv_heads"),
                std::to_string(layer.kv_heads) + " does not divide the " + std::to_string(layer.heads) + " heads");
        }
        if (layer.experts_per_token > layer.experts) {
            faults_.add(FaultCode::range, fields.path_of("experts_per_token"),
                        std::to_string(layer.experts_per_token) + " of " + std::to_string(layer.experts) + " experts");
        }
        if (layer.cross_attention && part.after.empty()) {
            faults_.add(FaultCode::usage, fields.path_of("cross_attention"), "there is no part before to attend to");
        }
        if (!part.layers.empty() && layer.hidden != part.layers.front().hidden) {
            faults_.add(FaultCode::range, fields.path_of("hidden"),
                        "layers of a part share their hidden size (" + std::to_string(part.layers.front().hidden) +
                            "); begin another part");
        }
        return layer;
    }

    template <class Kind>
    void choice(Fields& fields, const char* name, std::optional<Kind> (*from)(const std::string&),
                const std::vector<std::string>& words, Kind& value) {
        const std::optional<std::string> text = fields.string(name, false);
        if (!text) return;
        if (const std::optional<Kind> known = from(*text)) {
            value = *known;
            return;
        }
        std::string message = in_quotes(*text) + " is not known";
        if (const std::string near = nearest_name(*text, words); !near.empty()) {
            message += "; did you mean " + in_quotes(near) + "?";
        } else {
            message += "; expected one of";
            for (std::size_t k = 0; k < words.size(); ++k) message += (k > 0 ? ", " : " ") + words[k];
        }
        faults_.add(FaultCode::unknown, fields.path_of(name), message);
    }

    void read_defaults(const Value& value) {
        cost::TrainingDefaults& defaults = model_.defaults;
        Fields fields(value, fields_.path_of("defaults"), faults_);
        defaults.micro_batch_size = fields.integer("micro_batch_size", 1, 1 << 20, false).value_or(1);
        defaults.global_batch = fields.integer("global_batch", 1, most_micro_batches, false).value_or(1);
        choice(fields, "recompute", cost::recompute_from, {"none", "selective", "full"}, defaults.recompute);
        choice(fields, "optimizer", cost::optimizer_from,
               {"adam", "adam-fp32-gradients", "distributed-adam", "half-adam"}, defaults.optimizer);
        defaults.inference = read_boolean(fields, faults_, "inference").value_or(false);
        fields.finish();
    }

    void check_whole() {
        if (cost::count_layers(model_) > most_layers) {
            faults_.add(FaultCode::limit, fields_.path_of("parts"),
                        std::to_string(cost::count_layers(model_)) + " layers are more than this program accepts (" +
                            std::to_string(most_layers) + ")");
        }
        for (std::size_t k = 0; k < model_.parts.size(); ++k) {
            const ModelPart& part = model_.parts[k];
            if (!part.embedding || part.layers.empty()) continue;
            if (model_.embedding_hidden == 0) model_.embedding_hidden = part.layers.front().hidden;
            if (model_.embedding_hidden == part.layers.front().hidden) continue;
            faults_.add(FaultCode::range, fields_.path_of("parts") + '[' + std::to_string(k) + "].embedding",
                        "parts that share the embedding share its hidden size (" +
                            std::to_string(model_.embedding_hidden) + ")");
        }
        if (model_.embedding_hidden == 0 && model_.head && !model_.parts.empty() &&
            !model_.parts.back().layers.empty()) {
            model_.embedding_hidden = model_.parts.back().layers.back().hidden;
        }
    }

    Fields& fields_;
    FaultList& faults_;
    cost::Model model_;
};

}  // namespace
}  // namespace repetend::format

namespace repetend {

Result<cost::Model> read_model(std::string_view text) {
    using namespace format;
    FaultList faults;
    Value root;
    if (!parse_json(text, root, faults)) return faults.take();
    Fields fields(root, "", faults);
    if (!read_format(fields, "repetend.model", false, faults)) return faults.take();
    cost::Model model = ModelReader(fields, faults).run();
    fields.finish();
    if (!faults.empty()) return faults.take();
    return model;
}

}  // namespace repetend
