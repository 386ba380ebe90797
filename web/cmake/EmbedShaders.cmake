# A header that holds the shaders of shaders/ as texts, without a #version line: the platform adds that.
#   cmake -DFILES=a.vert,b.frag -DOUTPUT=shaders_embedded.hpp -P EmbedShaders.cmake
string(REPLACE "," ";" files "${FILES}")
set(text "// Generated from shaders/.\n#pragma once\n\n#include <string_view>\n\nnamespace repetend::web {\n")
foreach(file IN LISTS files)
  get_filename_component(name ${file} NAME)
  string(REPLACE "." "_" name ${name})
  file(READ ${file} body)
  string(APPEND text "inline constexpr std::string_view shader_${name} = R\"GLSL(${body})GLSL\";\n")
endforeach()
file(WRITE ${OUTPUT} "${text}}  // namespace repetend::web\n")
