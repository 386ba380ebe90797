# A header that holds files as texts. Shaders come without a #version line: the platform adds that.
#   cmake -DFILES=a.vert,b.frag -DPREFIX=shader -DOUTPUT=shaders_embedded.hpp -P EmbedTexts.cmake
string(REPLACE "," ";" files "${FILES}")
set(text "// Generated.\n#pragma once\n\n#include <string_view>\n\nnamespace repetend::web {\n")
foreach(file IN LISTS files)
  get_filename_component(name ${file} NAME)
  string(REPLACE "." "_" name ${name})
  file(READ ${file} body)
  string(APPEND text "inline constexpr std::string_view ${PREFIX}_${name} = R\"TEXT(${body})TEXT\";\n")
endforeach()
file(WRITE ${OUTPUT} "${text}}  // namespace repetend::web\n")
