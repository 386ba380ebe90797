// Megatron-LM's pipeline layout strings:
//   layout  item { item }
//   item    atom [ "*" count ]
//   atom    E embedding, t decoder layer, m layer for multi-token prediction, L loss, | end of a stage, ( layout )
// A comma (here also a blank) may stand anywhere and means nothing; empty stages are legal. Stage k goes to device k
// mod p: first one chunk of every device, then the next. Repeats are counted before they are written out, so a few
// bytes cannot ask for more than the program accepts.
#include <algorithm>
#include <cstddef>
#include <iterator>

#include "json_value.hpp"
#include "repetend/format/cost_tables.hpp"
#include "stage_chain.hpp"

namespace repetend {
namespace {

using namespace format;

constexpr std::size_t most_symbols = 1 << 20;
constexpr int deepest_brackets = 64;

// The symbols E, t, m, L and | with all repeats written out.
class Expander {
public:
    Expander(std::string_view text, FaultList& faults) : text_(text), faults_(faults) {}

    std::string run() {
        std::string symbols = layout(0);
        skip();
        if (faults_.empty() && at_ < text_.size()) fault("a bracket is closed that was not opened");
        return symbols;
    }

private:
    void fault(const std::string& message) {
        if (faults_.empty()) faults_.add(FaultCode::syntax, "character " + std::to_string(at_ + 1), message);
    }
    void skip() {
        while (at_ < text_.size() && std::string_view(", \t\r\n").find(text_[at_]) != std::string_view::npos) ++at_;
    }
    bool next_is(char c) {
        skip();
        return at_ < text_.size() && text_[at_] == c;
    }

    std::string layout(int depth) {
        std::string symbols;
        bool any = false;
        for (skip(); faults_.empty() && at_ < text_.size() && text_[at_] != ')'; skip()) {
            any = true;
            append(symbols, atom(depth));
        }
        if (!any) fault("expected E, t, m, L, | or a bracket");
        return symbols;
    }

    std::string atom(int depth) {
        const char c = text_[at_];
        if (std::string_view("EtmL|").find(c) != std::string_view::npos) {
            ++at_;
            return std::string(1, c);
        }
        if (c != '(') {
            fault("expected E, t, m, L, | or a bracket, found " + in_quotes(std::string_view(&text_[at_], 1)));
            return {};
        }
        if (depth >= deepest_brackets) {
            fault("brackets nested deeper than " + std::to_string(deepest_brackets));
            return {};
        }
        ++at_;
        std::string inner = layout(depth + 1);
        if (faults_.empty() && !next_is(')')) fault("the bracket is not closed");
        if (faults_.empty()) ++at_;
        return inner;
    }

    // An atom with its count behind it.
    void append(std::string& symbols, const std::string& atom) {
        std::size_t count = 1;
        if (faults_.empty() && next_is('*')) {
            ++at_;
            skip();
            const std::size_t first = at_;
            count = 0;
            for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_)
                count = std::min(count * 10 + static_cast<std::size_t>(text_[at_] - '0'), most_symbols + 1);
            if (at_ == first || count == 0) fault("expected a count of at least 1 after *");
        }
        if (!faults_.empty()) return;
        if (!atom.empty() && count > (most_symbols - symbols.size()) / atom.size()) {
            fault("more than " + std::to_string(most_symbols) + " symbols");
            return;
        }
        for (std::size_t k = 0; k < count; ++k) symbols += atom;
    }

    std::string_view text_;
    FaultList& faults_;
    std::size_t at_ = 0;
};

struct Layers {
    std::int64_t embedding = 0, decoder = 0, prediction = 0, loss = 0;

    // `E+3t`
    std::string words() const {
        std::string text;
        const auto add = [&](std::int64_t count, char letter) {
            if (count > 0) text += (text.empty() ? "" : "+") + (count > 1 ? std::to_string(count) : "") + letter;
        };
        add(embedding, 'E');
        add(decoder, 't');
        add(prediction, 'm');
        add(loss, 'L');
        return text.empty() ? "empty" : text;
    }
};

std::vector<Layers> split(const std::string& symbols) {
    std::vector<Layers> stages(1);
    for (const char c : symbols) {
        Layers& stage = stages.back();
        if (c == '|') stages.emplace_back();
        if (c == 'E') ++stage.embedding;
        if (c == 't') ++stage.decoder;
        if (c == 'm') ++stage.prediction;
        if (c == 'L') ++stage.loss;
    }
    return stages;
}

// One embedding before, one loss after everything else; layers for prediction behind the decoder.
void check_order(const std::string& symbols, FaultList& faults) {
    std::string layers;
    std::copy_if(symbols.begin(), symbols.end(), std::back_inserter(layers), [](char c) { return c != '|'; });
    const auto count = [&](char c) { return std::count(layers.begin(), layers.end(), c); };
    const auto wrong = [&](const std::string& words) { faults.add(FaultCode::range, "", words); };
    if (count('E') != 1) wrong("there are " + std::to_string(count('E')) + " embeddings (E), expected one");
    if (count('L') != 1) wrong("there are " + std::to_string(count('L')) + " losses (L), expected one");
    if (count('t') == 0) wrong("there is no decoder layer (t)");
    if (!faults.empty()) return;
    if (layers.front() != 'E') wrong("the embedding (E) must come first");
    if (layers.back() != 'L') wrong("the loss (L) must come last");
    if (const std::size_t m = layers.find('m'); m != std::string::npos && layers.find('t', m) != std::string::npos)
        wrong("a decoder layer (t) comes after a layer for multi-token prediction (m)");
}

// value * numerator / denominator, rounded up.
Ticks scaled(Ticks value, Ticks numerator, Ticks denominator) {
    const double estimate = static_cast<double>(value) * static_cast<double>(numerator);
    if (estimate > static_cast<double>(largest_number)) return largest_number;
    return (value * numerator + denominator - 1) / denominator;
}

Ticks product(Ticks value, std::int64_t count) {
    return count > 0 && value > largest_number / count ? largest_number : value * count;
}

struct Shape {
    std::int64_t devices = 0, chunks = 0;
};

Shape find_shape(std::int64_t stages, const LayoutOptions& options, FaultList& faults) {
    Shape shape{options.devices.value_or(0), options.chunks.value_or(0)};
    if (shape.devices == 0 && shape.chunks == 0) shape.chunks = 1;
    if (shape.devices == 0 && stages % shape.chunks == 0) shape.devices = stages / shape.chunks;
    if (shape.chunks == 0 && stages % shape.devices == 0) shape.chunks = stages / shape.devices;
    const bool overflows = shape.devices > most_blocks || shape.chunks > most_blocks;
    if (stages > most_blocks / 3 || shape.devices > most_devices) {
        faults.add(FaultCode::limit, "",
                   std::to_string(stages) + " stages on " + std::to_string(shape.devices) +
                       " devices are more than this program accepts");
    } else if (overflows || shape.devices * shape.chunks != stages) {
        const auto text = [](std::int64_t number, const std::string& what) {
            return number == 0 ? "any number of " + what : std::to_string(number) + ' ' + what;
        };
        faults.add(FaultCode::range, "",
                   "the layout has " + std::to_string(stages) + " stages, which do not make " +
                       text(shape.devices, "devices") + " of " + text(shape.chunks, "chunks"));
    }
    return shape;
}

std::string describe(const std::vector<Layers>& stages, const Shape& shape, bool empty_stage) {
    Layers all;
    for (const Layers& stage : stages) {
        all.decoder += stage.decoder;
        all.prediction += stage.prediction;
    }
    std::string text = std::to_string(stages.size()) + " stages on " + std::to_string(shape.devices) + " devices of " +
                       std::to_string(shape.chunks) + (shape.chunks == 1 ? " chunk: " : " chunks: ") +
                       std::to_string(all.decoder) + " decoder layers";
    if (all.prediction > 0) text += ", " + std::to_string(all.prediction) + " for multi-token prediction";
    // Devices that hold the same are told together.
    std::int64_t first = 0;
    const auto held = [&](std::int64_t device) {
        std::string words;
        for (std::int64_t c = 0; c < shape.chunks; ++c)
            words += (c == 0 ? "" : " and ") + stages[static_cast<std::size_t>(c * shape.devices + device)].words();
        return words;
    };
    constexpr int most_groups = 8;
    int groups = 0;
    for (std::int64_t d = 1; d <= shape.devices && groups <= most_groups; ++d) {
        if (d < shape.devices && held(d) == held(first)) continue;
        if (groups++ == most_groups) {
            text += "; ...";
            break;
        }
        text += (d - first == 1 ? "; device " + std::to_string(first)
                                : "; devices " + std::to_string(first) + " to " + std::to_string(d - 1)) +
                ": " + held(first);
        first = d;
    }
    if (empty_stage) text += "; stages without layers are taken to last 1 tick";
    return text;
}

}  // namespace

Result<ImportedProblem> read_megatron_layout(std::string_view text, const LayoutOptions& options) {
    FaultList faults;
    const std::string symbols = Expander(text, faults).run();
    if (faults.empty()) check_order(symbols, faults);
    if (!faults.empty()) return faults.take();
    const std::vector<Layers> layers = split(symbols);
    const Shape shape = find_shape(static_cast<std::int64_t>(layers.size()), options, faults);
    if (!faults.empty()) return faults.take();

    const AssumedCosts& costs = options.costs;
    const bool split_backward = costs.weight.value_or(0) > 0;
    const Ticks forward = costs.forward.value_or(1);
    const Ticks backward = costs.backward.value_or(split_backward ? 1 : 3), weight = costs.weight.value_or(0);
    std::vector<ChainStage> stages;
    bool empty_stage = false;
    for (std::size_t s = 0; s < layers.size(); ++s) {
        const Layers& held = layers[s];
        ChainStage& stage = stages.emplace_back();
        stage.device = static_cast<int>(s % static_cast<std::size_t>(shape.devices));
        stage.layers = held.words();
        const std::int64_t count = held.decoder + held.prediction;
        const Ticks ends = (held.embedding > 0 ? options.embedding : 0) + (held.loss > 0 ? options.loss : 0);
        const auto time = [&](Ticks each) {
            return std::min(std::max<Ticks>(product(each, count) + scaled(ends, each, forward), 1), largest_number);
        };
        empty_stage = empty_stage || (count == 0 && ends == 0);
        stage.forward = time(forward);
        stage.backward = time(backward);
        if (split_backward) stage.weight = time(weight);
        stage.forward_memory = split_backward ? 2 * count : count;
        stage.backward_memory = -count;
        stage.weight_memory = -count;
    }
    ImportedProblem imported;
    imported.problem = make_chain(static_cast<int>(shape.devices), stages, costs.lag);
    imported.problem.name = "Megatron layout, " + std::to_string(shape.devices) + " devices of " +
                            std::to_string(shape.chunks) + (shape.chunks == 1 ? " chunk" : " chunks");
    imported.problem.micro_batches = options.micro_batches;
    imported.note = describe(layers, shape, empty_stage);
    const Faults wrong = validate(imported.problem);
    if (!wrong.empty()) return wrong;
    return imported;
}

}  // namespace repetend
