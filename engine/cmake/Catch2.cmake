# The targets catch2 (headers) and catch2_main (implementation and main), from the sources of Catch2 3.7.1: the folder
# that `dev` unpacks below DEPS_DIR, else fetched by CMake. An installed Catch2 is never looked at; it may be another one.
set(DEPS_DIR ${PROJECT_SOURCE_DIR}/build/deps CACHE PATH "Folder of third-party sources")
set(catch2_dir ${DEPS_DIR}/catch2-3.7.1)
if(NOT EXISTS ${catch2_dir}/extras/catch_amalgamated.cpp)
  message(STATUS "Catch2 is not in ${DEPS_DIR}: fetching v3.7.1")
  include(FetchContent)
  FetchContent_Declare(catch2_sources GIT_REPOSITORY https://github.com/catchorg/Catch2.git GIT_TAG v3.7.1
    GIT_SHALLOW ON SOURCE_SUBDIR sources-only)
  FetchContent_MakeAvailable(catch2_sources)
  set(catch2_dir ${catch2_sources_SOURCE_DIR})
endif()

# One file holds all of the implementation; the small headers compile three times faster than its one big header.
set(CATCH_CONFIG_DEFAULT_REPORTER console)
set(CATCH_CONFIG_CONSOLE_WIDTH 80)
configure_file(${catch2_dir}/src/catch2/catch_user_config.hpp.in
  ${CMAKE_BINARY_DIR}/catch2_config/catch2/catch_user_config.hpp)

add_library(catch2 INTERFACE)
target_include_directories(catch2 SYSTEM INTERFACE ${catch2_dir}/src ${CMAKE_BINARY_DIR}/catch2_config)

add_library(catch2_main STATIC ${catch2_dir}/extras/catch_amalgamated.cpp)
target_compile_options(catch2_main PRIVATE -w -O1)
