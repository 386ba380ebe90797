// Results of a batch as pictures.
#pragma once

#include <string>
#include <vector>

namespace repetend::native {

struct BatchPoint {
    std::string label;               // the inputs that vary, in one line
    std::vector<std::string> cells;  // their values, one each
    std::string unit;                // of time
    std::string status;
    double period = 0, makespan = 0;
    double time = 0;    // per sample in ns where profiled, else per micro-batch in units
    double memory = 0;  // most on any device
    bool profiled = false;
    double tokens_per_s = 0;
    double utilisation = 0;
    bool on_front = false;
};

std::string batch_time_text(double time, const std::string& unit);
std::string batch_memory_text(double memory, bool bytes);

// Peak memory against time, one dot each, the Pareto front as a line.
std::string front_plot(const std::vector<BatchPoint>& points);
// The first of `best` as bars; `names` says what their labels are.
std::string best_plot(const std::vector<BatchPoint>& best, const std::string& names);

}  // namespace repetend::native
