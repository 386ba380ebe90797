// Boost.Graph throws where its input is wrong (a negative weight), as ours never is. Compiled without exceptions
// (WebAssembly), it asks the program for these functions (boost/throw_exception.hpp) instead.
#ifndef __cpp_exceptions
#include <exception>

namespace boost {

struct source_location;

[[noreturn]] void throw_exception(const std::exception&) { std::terminate(); }
[[noreturn]] void throw_exception(const std::exception&, const source_location&) { std::terminate(); }

}  // namespace boost
#endif
