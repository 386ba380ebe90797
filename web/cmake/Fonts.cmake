# The target web_fonts: the page's fonts from the distribution's packages (fonts-inter, fonts-jetbrains-mono), cut down
# with fonttools to the characters that the page writes, and compiled in. What is missing leaves ImGui's own small font.
find_program(PYFTSUBSET pyftsubset NO_CMAKE_FIND_ROOT_PATH)
# Names that people give are written in the text font; titles and numbers are ours.
set(letters "U+0020-007E,U+00B0-00B7,U+00D7,U+2026,U+2212")
set(all_letters "U+0020-007E,U+00A0-017F,U+2010-2026,U+2190-2193,U+2212,U+2264,U+2265,U+25B6,U+2713")
foreach(font IN ITEMS "font_text|inter/Inter-Regular.otf|fonts-inter|all_letters"
    "font_strong|inter/Inter-SemiBold.otf|fonts-inter|letters"
    "font_number|jetbrains-mono/JetBrainsMono-Regular.ttf|fonts-jetbrains-mono|letters")
  string(REPLACE "|" ";" font "${font}")
  list(GET font 0 name)
  list(GET font 1 file)
  list(GET font 2 package)
  list(GET font 3 set)
  find_file(FILE_${name} ${file} PATHS /usr/share/fonts/opentype /usr/share/fonts/truetype /usr/local/share/fonts
    NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
  set(subset ${CMAKE_CURRENT_BINARY_DIR}/${name}.font)
  if(PYFTSUBSET AND FILE_${name})
    # The same characters as in theme/look.cpp.
    add_custom_command(OUTPUT ${subset}
      COMMAND ${PYFTSUBSET} ${FILE_${name}} --output-file=${subset} --layout-features= --no-hinting --desubroutinize
        --drop-tables+=GDEF,GPOS,GSUB,kern,OS/2,post,name,gasp,STAT,meta,DSIG --unicodes=${${set}}
      COMMENT "Cutting ${file} down to what the page writes" VERBATIM)
    list(APPEND subsets ${subset})
    list(APPEND font_licences ${CMAKE_CURRENT_BINARY_DIR}/${package}-licence.txt)
    configure_file(/usr/share/doc/${package}/copyright ${CMAKE_CURRENT_BINARY_DIR}/${package}-licence.txt COPYONLY)
  else()
    message(STATUS "The page uses ImGui's own font in place of ${file} (packages fonttools and ${package})")
  endif()
  list(APPEND names ${name})
  list(APPEND files ${subset})
endforeach()
list(REMOVE_DUPLICATES font_licences)
list(JOIN names "," names)
list(JOIN files "," files)
set(fonts_source ${CMAKE_CURRENT_BINARY_DIR}/fonts_embedded.cpp)
add_custom_command(OUTPUT ${fonts_source}
  COMMAND ${CMAKE_COMMAND} -DNAMES=${names} -DFILES=${files} -DOUTPUT=${fonts_source}
    -P ${CMAKE_CURRENT_SOURCE_DIR}/cmake/EmbedFonts.cmake
  DEPENDS ${subsets} ${CMAKE_CURRENT_SOURCE_DIR}/cmake/EmbedFonts.cmake COMMENT "Embedding fonts" VERBATIM)
add_library(web_fonts STATIC ${fonts_source})
target_include_directories(web_fonts PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}/theme)
