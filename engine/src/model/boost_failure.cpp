// Boost.Graph throws where its input is wrong (a negative weight), as ours never is. Where it is compiled without
// exceptions (WebAssembly), it asks the program for these functions instead.
#include <boost/assert/source_location.hpp>
#include <boost/throw_exception.hpp>
#include <cstdlib>

#ifdef BOOST_NO_EXCEPTIONS
namespace boost {

void throw_exception(const std::exception&) { std::abort(); }
void throw_exception(const std::exception&, const source_location&) { std::abort(); }

}  // namespace boost
#endif
