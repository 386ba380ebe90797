// Systems whose windows need no word in the environment.
#include "desktop_host.hpp"

namespace repetend::web {

bool may_have_display() { return true; }

}  // namespace repetend::web
