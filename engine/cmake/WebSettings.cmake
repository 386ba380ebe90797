# What WebAssembly objects need on top of BuildSettings.

# Errors are values: the engine and the page throw and catch nothing, and are downloaded without code that unwinds (a
# tenth of their size). Out of memory a module ends, and its host starts another. Catch2 throws: tests/ is compiled with
# exceptions of the native wasm kind.
set(REPETEND_SHIPPED_EXCEPTIONS -fno-exceptions)
set(REPETEND_TESTS_EXCEPTIONS -fwasm-exceptions)

# Sizes and indices have 32 bits here, and vectors are indexed by 64-bit counts everywhere. What matters, 64 bits into an
# int, the native compilers report; `long`, which has two sizes, is kept out of the engine by a test.
add_compile_options(-Wno-shorten-64-to-32)

# Boost and nlohmann/json are header-only here and come from the host, through a folder that holds these two and
# nothing else: the host's C library headers beside them must stay out of sight of the web compiler.
find_path(HOST_BOOST_DIR boost/graph/adjacency_list.hpp PATHS /usr/include /usr/local/include
  NO_CMAKE_FIND_ROOT_PATH REQUIRED)
find_path(HOST_JSON_DIR nlohmann/json.hpp PATHS /usr/include /usr/local/include NO_CMAKE_FIND_ROOT_PATH REQUIRED)
set(host_headers ${CMAKE_BINARY_DIR}/host_headers)
file(MAKE_DIRECTORY ${host_headers})
file(CREATE_LINK ${HOST_BOOST_DIR}/boost ${host_headers}/boost SYMBOLIC)
file(CREATE_LINK ${HOST_JSON_DIR}/nlohmann ${host_headers}/nlohmann SYMBOLIC)
include_directories(SYSTEM ${host_headers})

# Boost 1.74 still derives from std::unary_function and uses std::not1, which libc++ has removed in C++17 and C++20.
add_compile_definitions(_LIBCPP_ENABLE_CXX17_REMOVED_UNARY_BINARY_FUNCTION _LIBCPP_ENABLE_CXX20_REMOVED_NEGATORS)
