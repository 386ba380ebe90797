// Decimal fractions in documents (bandwidths, efficiencies), and the other types that problems do not have.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "fields.hpp"

namespace repetend::format {

// The member as a number within [least, most], written as digits with at most 15 of them and no exponent: such a
// spelling becomes the same double on every machine. Nothing and a fault otherwise.
std::optional<double> read_decimal(Fields& fields, FaultList& faults, std::string_view name, double least, double most,
                                   bool needed);
std::optional<bool> read_boolean(Fields& fields, FaultList& faults, std::string_view name);

}  // namespace repetend::format
