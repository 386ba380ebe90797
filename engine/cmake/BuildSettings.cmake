# Flags that every object of every build shares.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

# No fused multiply-add: a double that is shown must be the same everywhere.
add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Werror -ffp-contract=off)

if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 12)
    message(FATAL_ERROR "g++ 12 or newer is needed (this is ${CMAKE_CXX_COMPILER_VERSION})")
  elseif(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC bug 105651: false alarm on every "text" + std::to_string(n).
    add_compile_options(-Wno-restrict)
  else()
    # False alarms on every function that returns a reference into one argument and takes a temporary as another.
    add_compile_options(-Wno-dangling-reference)
  endif()
endif()

# Somebody waits for the first build. Only search, completion and verification earn the slowest compilation; in rooms
# whose work is over in milliseconds (a problem built, a table printed) code generation would cost most of the build, and
# in those that read and write large files some.
set(REPETEND_QUICKLY_COMPILED -Og)
set(REPETEND_SOON_COMPILED -O1)
if(EMSCRIPTEN) # a page is downloaded: for size
  set(REPETEND_QUICKLY_COMPILED -Oz)
  set(REPETEND_SOON_COMPILED -Oz)
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

# Most of a first build goes into reading the standard library again for every file. Where files of a room can stand in one
# translation unit, several are compiled together. The preset `clang` compiles each alone: it finds missing includes.
option(REPETEND_TOGETHER "Compile several files of a room together" ON)
#   compile_together(TARGET [files that need a unit of their own...])
function(compile_together target)
  if(REPETEND_TOGETHER AND NOT EMSCRIPTEN)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
    set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endfunction()

# Where files are compiled alone, these headers are read once for all of a target. Not with a compiler cache: it would
# have to be told to trust them, and saves more.
#   read_headers_once(TARGET HEADERS...)
function(read_headers_once target)
  if(REPETEND_TOGETHER AND NOT EMSCRIPTEN AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()

option(REPETEND_SANITIZE "AddressSanitizer and UndefinedBehaviorSanitizer" OFF)
if(REPETEND_SANITIZE)
  # Asserts stay on here: Release would define NDEBUG.
  set(CMAKE_CXX_FLAGS_RELEASE "-O1 -g")
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    # GCC bug 105562: with sanitizers it takes std::regex's own variants for uninitialized.
    add_compile_options(-Wno-maybe-uninitialized)
  endif()
endif()
