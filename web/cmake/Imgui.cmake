# The target imgui, from the sources of Dear ImGui 1.90.1: the folder that `dev` unpacks below DEPS_DIR, else fetched.
set(DEPS_DIR ${PROJECT_SOURCE_DIR}/build/deps CACHE PATH "Folder of third-party sources")
set(imgui_dir ${DEPS_DIR}/imgui-1.90.1)
if(NOT EXISTS ${imgui_dir}/imgui.cpp)
  message(STATUS "Dear ImGui is not in ${DEPS_DIR}: fetching v1.90.1")
  include(FetchContent)
  FetchContent_Declare(imgui_sources GIT_REPOSITORY https://github.com/ocornut/imgui.git GIT_TAG v1.90.1
    GIT_SHALLOW ON SOURCE_SUBDIR sources-only)
  FetchContent_MakeAvailable(imgui_sources)
  set(imgui_dir ${imgui_sources_SOURCE_DIR})
endif()

add_library(imgui STATIC ${imgui_dir}/imgui.cpp ${imgui_dir}/imgui_draw.cpp ${imgui_dir}/imgui_tables.cpp
  ${imgui_dir}/imgui_widgets.cpp ${imgui_dir}/misc/cpp/imgui_stdlib.cpp ${imgui_dir}/backends/imgui_impl_opengl3.cpp)
target_include_directories(imgui SYSTEM PUBLIC ${imgui_dir})
# 32-bit indices: a schedule has more than 64 k vertices.
target_compile_definitions(imgui PUBLIC IMGUI_DISABLE_OBSOLETE_FUNCTIONS ImDrawIdx=unsigned\ int
  IMGUI_DISABLE_DEMO_WINDOWS IMGUI_DISABLE_DEBUG_TOOLS IMGUI_DISABLE_FILE_FUNCTIONS)
target_compile_options(imgui PRIVATE -w -Oz)
