# repetend-view, the program behind `repetend view`: of its own, so that the command line neither waits for it to be built
# nor needs OpenGL to start.
set(window_data ${CMAKE_CURRENT_BINARY_DIR}/window_data)
set(window_texts ${CMAKE_CURRENT_BINARY_DIR}/embedded/window_texts.hpp)
file(MAKE_DIRECTORY ${window_data})
add_custom_command(OUTPUT ${window_texts}
  COMMAND make_site ${page_template} ${window_data} ${tours}
  COMMAND ${CMAKE_COMMAND} -DFILES=${window_data}/gallery.txt,${window_data}/tours.json -DPREFIX=text
    -DOUTPUT=${window_texts} -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/EmbedTexts.cmake
  DEPENDS make_site ${page_template} ${tours} ${CMAKE_CURRENT_SOURCE_DIR}/cmake/EmbedTexts.cmake
  COMMENT "Drawing small schedules of the presets" VERBATIM)
file(GLOB desktop_sources CONFIGURE_DEPENDS platform/desktop_*.cpp)
list(FILTER desktop_sources EXCLUDE REGEX "/desktop_search\\.cpp$")
# One of two files.
if(APPLE OR WIN32)
  list(FILTER desktop_sources EXCLUDE REGEX "/desktop_display_unix\\.cpp$")
else()
  list(FILTER desktop_sources EXCLUDE REGEX "/desktop_display_always\\.cpp$")
endif()
find_package(ZLIB REQUIRED)
add_executable(repetend_view ${look_sources} ${desktop_sources} ${shader_header} ${window_texts})
# Beside build/native/repetend, which looks for it there.
set_target_properties(repetend_view PROPERTIES OUTPUT_NAME repetend-view RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
target_include_directories(repetend_view PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/embedded)
target_compile_definitions(repetend_view PRIVATE GLFW_INCLUDE_GLCOREARB GL_GLEXT_PROTOTYPES)
target_link_libraries(repetend_view PRIVATE web_app web_fonts imgui search_thread checker_api glfw OpenGL::GL
  ZLIB::ZLIB ${CMAKE_DL_LIBS})
