// Counting without tables: actions are sorted and compared with what they have to be, so that a micro-batch number in
// the billions costs nothing before it is known to be right.
#include "execution/faults.hpp"

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

#include "repetend/model/graph.hpp"

namespace repetend::execution {
namespace {

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

// One action as it stands: `item` is a place in the list of what each micro-batch needs.
struct Place {
    std::int64_t micro_batch = 0;
    int item = 0;
    std::int64_t position = 0;
    bool operator<(const Place& other) const {
        return std::tie(micro_batch, item, position) < std::tie(other.micro_batch, other.item, other.position);
    }
};

// What one micro-batch needs: each block once on each device, each message once at each end.
struct Item {
    ActionKind kind = ActionKind::compute;
    int index = 0;
    int device = 0;
};

class Checker {
public:
    Checker(const Problem& problem, const Program& program) : problem_(problem), program_(program) { list_items(); }

    std::string run() {
        if (program_.micro_batches < 1) return "there are no micro-batches";
        if (std::string fault = gather(); !fault.empty()) return fault;
        std::sort(places_.begin(), places_.end());
        if (std::string fault = check_count(); !fault.empty()) return fault;
        for (const Dependency& dependency : merged_dependencies(problem_)) {
            if (std::string fault = check_dependency(dependency); !fault.empty()) return fault;
        }
        for (std::size_t r = 0; r < program_.routes.size(); ++r) {
            if (std::string fault = check_message(r); !fault.empty()) return fault;
        }
        return {};
    }

private:
    void list_items() {
        first_item_.reserve(problem_.blocks.size());
        for (int b = 0; b < problem_.num_blocks(); ++b) {
            first_item_.push_back(static_cast<int>(items_.size()));
            for (const int device : problem_.blocks[at(b)].devices) {
                items_.push_back({ActionKind::compute, b, device});
            }
        }
        first_message_ = static_cast<int>(items_.size());
        for (int r = 0; r < static_cast<int>(program_.routes.size()); ++r) {
            items_.push_back({ActionKind::send, r, program_.routes[at(r)].sender});
            items_.push_back({ActionKind::receive, r, program_.routes[at(r)].receiver});
        }
        for (const Item& item : items_) needed_.push_back(is_unlisted(problem_, program_, item.device) ? 0 : 1);
    }

    // -1 when the action does not belong on this device.
    int item_of(const Action& action, int device) const {
        if (action.kind != ActionKind::compute) {
            const int item = first_message_ + 2 * action.index + (action.kind == ActionKind::send ? 0 : 1);
            return items_[at(item)].device == device ? item : -1;
        }
        const std::vector<int>& devices = problem_.blocks[at(action.index)].devices;
        const auto found = std::find(devices.begin(), devices.end(), device);
        return found == devices.end() ? -1 : first_item_[at(action.index)] + static_cast<int>(found - devices.begin());
    }

    std::string on(int device) const { return device_label(problem_, device); }

    std::string words(const Item& item, std::int64_t n) const {
        if (item.kind == ActionKind::compute) return label(problem_, item.index, n);
        const Route& route = program_.routes[at(item.index)];
        return (item.kind == ActionKind::send ? "the send of " : "the receive of ") + label(problem_, route.from, n) +
               (item.kind == ActionKind::send ? " to " + on(route.receiver) : " from " + on(route.sender));
    }

    std::string gather() {
        std::size_t count = 0;
        for (const auto& list : program_.devices) count += list.size();
        places_.reserve(count);
        for (std::size_t d = 0; d < program_.devices.size(); ++d) {
            const auto& list = program_.devices[d];
            for (std::size_t k = 0; k < list.size(); ++k) {
                const Action& action = list[k];
                const int item = item_of(action, static_cast<int>(d));
                if (item < 0) {
                    return on(static_cast<int>(d)) + " is told to run " +
                           words({action.kind, action.index, 0}, action.micro_batch) + ", which belongs on " +
                           (action.kind == ActionKind::compute
                                ? on(problem_.blocks[at(action.index)].devices.front())
                                : on(items_[at(first_message_ + 2 * action.index +
                                               (action.kind == ActionKind::send ? 0 : 1))]
                                         .device));
                }
                if (action.micro_batch < 0 || action.micro_batch >= program_.micro_batches) {
                    return words(items_[at(item)], action.micro_batch) + " is there, but there are only " +
                           std::to_string(program_.micro_batches) + " micro-batches";
                }
                places_.push_back({action.micro_batch, item, static_cast<std::int64_t>(k)});
            }
        }
        return {};
    }

    std::string missing(const Item& item, std::int64_t n) const {
        std::string text = words(item, n) + " is missing on " + on(item.device);
        if (item.kind == ActionKind::send) text += ": its receive would wait for ever";
        return text;
    }

    std::string check_count() {
        std::vector<int> wanted;
        for (std::size_t i = 0; i < items_.size(); ++i) {
            if (needed_[i] != 0) wanted.push_back(static_cast<int>(i));
        }
        std::int64_t n = 0;
        std::size_t next = 0;
        for (std::size_t k = 0; k < places_.size(); ++k) {
            const Place& place = places_[k];
            if (k > 0 && place.micro_batch == places_[k - 1].micro_batch && place.item == places_[k - 1].item) {
                const Item& item = items_[at(place.item)];
                return words(item, place.micro_batch) + " is there twice on " + on(item.device);
            }
            if (next == wanted.size()) {
                next = 0;
                ++n;
            }
            if (place.micro_batch != n || place.item != wanted[next]) return missing(items_[at(wanted[next])], n);
            ++next;
        }
        if (wanted.empty()) return "there is nothing to run";
        if (next < wanted.size()) return missing(items_[at(wanted[next])], n);
        if (n + 1 < program_.micro_batches) return missing(items_[at(wanted.front())], n + 1);
        slot_.assign(items_.size(), -1);
        for (std::size_t i = 0; i < wanted.size(); ++i) slot_[at(wanted[i])] = static_cast<std::int64_t>(i);
        per_micro_batch_ = static_cast<std::int64_t>(wanted.size());
        return {};
    }

    std::int64_t position(int item, std::int64_t n) const {
        return places_[at(n * per_micro_batch_ + slot_[at(item)])].position;
    }

    // `first` must stand before `second`, both on one device, in every micro-batch.
    std::string check_order(int first, int second, const char* why) const {
        if (slot_[at(first)] < 0 || slot_[at(second)] < 0) return {};
        for (std::int64_t n = 0; n < program_.micro_batches; ++n) {
            if (position(first, n) < position(second, n)) continue;
            return words(items_[at(second)], n) + " stands before " + words(items_[at(first)], n) + " on " +
                   on(items_[at(first)].device) + ", " + why;
        }
        return {};
    }

    std::string check_dependency(const Dependency& dependency) const {
        for (const int device : problem_.blocks[at(dependency.from)].devices) {
            const int first = item_of({ActionKind::compute, dependency.from, 0}, device);
            const int second = item_of({ActionKind::compute, dependency.to, 0}, device);
            if (second < 0) continue;
            if (std::string fault = check_order(first, second, "but depends on it"); !fault.empty()) return fault;
        }
        return {};
    }

    std::string check_message(std::size_t r) const {
        const Route& route = program_.routes[r];
        const int send = first_message_ + 2 * static_cast<int>(r);
        const int made = item_of({ActionKind::compute, route.from, 0}, route.sender);
        if (std::string fault = check_order(made, send, "which makes the data"); !fault.empty()) return fault;
        for (const int consumer : route.consumers) {
            const int used = item_of({ActionKind::compute, consumer, 0}, route.receiver);
            if (std::string fault = check_order(send + 1, used, "but needs its data"); !fault.empty()) return fault;
        }
        return {};
    }

    const Problem& problem_;
    const Program& program_;
    std::vector<Item> items_;
    std::vector<int> first_item_;  // by block
    int first_message_ = 0;
    std::vector<char> needed_;
    std::vector<Place> places_;
    std::vector<std::int64_t> slot_;  // by item: its place among those of one micro-batch
    std::int64_t per_micro_batch_ = 0;
};

}  // namespace

std::string label(const Problem& problem, int block, std::int64_t micro_batch) {
    return problem.blocks[at(block)].name + " of micro-batch " + std::to_string(micro_batch);
}

bool is_unlisted(const Problem& problem, const Program& program, int device) {
    return problem.devices[at(device)].kind == DeviceKind::link && program.devices[at(device)].empty();
}

std::string find_fault(const Problem& problem, const Program& program) { return Checker(problem, program).run(); }

}  // namespace repetend::execution
