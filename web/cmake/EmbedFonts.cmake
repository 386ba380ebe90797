# A source file that holds fonts as bytes.
#   cmake -DNAMES=a,b -DFILES=a.otf,b.ttf -DOUTPUT=fonts.cpp -P EmbedFonts.cmake
# A name without a file stays empty: ImGui's own font takes its place.
string(REPLACE "," ";" names "${NAMES}")
string(REPLACE "," ";" files "${FILES}")
set(text "// Generated from the font files.\n#include \"fonts_embedded.hpp\"\n\nnamespace repetend::web {\n")
foreach(name file IN ZIP_LISTS names files)
  if(file AND EXISTS ${file})
    file(READ ${file} hex HEX)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
    string(REGEX REPLACE "((0x..,){24})" "\\1\n" bytes "${bytes}")
    string(APPEND text "static const unsigned char ${name}_bytes[] = {\n${bytes}};\n"
      "FontData ${name}() { return {${name}_bytes, sizeof ${name}_bytes}; }\n")
  else()
    string(APPEND text "FontData ${name}() { return {nullptr, 0}; }\n")
  endif()
endforeach()
file(WRITE ${OUTPUT} "${text}}  // namespace repetend::web\n")
