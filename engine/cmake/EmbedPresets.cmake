# Script: writes a .cpp that holds the text of preset files, so that no host needs to find them on a disk.
#   cmake -DFILES=a.json,b.json -DFUNCTION=embedded_problems -DOUTPUT=out.cpp -P EmbedPresets.cmake
# Bytes are written as character literals: compilers limit the length of strings, not of arrays.
string(REPLACE "," ";" files "${FILES}")
set(arrays "")
set(table "")
set(number 0)
foreach(file IN LISTS files)
  get_filename_component(stem ${file} NAME_WE)
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${bytes}")
  string(APPEND arrays "constexpr char text_${number}[] = {${bytes}};\n")
  string(APPEND table "        {\"${stem}\", {text_${number}, sizeof text_${number}}},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${OUTPUT} "// Generated from presets/ by EmbedPresets.cmake.
#include \"presets_embedded.hpp\"

#include <string_view>
#include <utility>
#include <vector>

namespace repetend {
namespace {
${arrays}}  // namespace

std::vector<std::pair<std::string_view, std::string_view>> ${FUNCTION}() {
    return {
${table}    };
}
}  // namespace repetend
")
