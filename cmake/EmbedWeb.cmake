# What every page of `cetaev report` carries: web/ bundled by node, and embedded in the program.
#
#   cetaev_embed_web(FOLDER SOURCE)
#
# makes the C++ file SOURCE (src/report/html/assets.hpp). Without node and npm, or where npm cannot reach its packages, the
# pages have their style and no scripts: plain, and complete.

find_package(Python3 REQUIRED COMPONENTS Interpreter)
find_program(CETAEV_NODE node)
find_program(CETAEV_NPM npm)
option(CETAEV_WEB "Bundle the scripts of the pages with node" ON)

function(cetaev_embed_web folder source)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS "${folder}/src/*")
  list(APPEND files "${folder}/package.json" "${folder}/package-lock.json" "${folder}/build.mjs")
  set(tools "")
  if(CETAEV_WEB AND CETAEV_NODE AND CETAEV_NPM)
    set(tools --node "${CETAEV_NODE}" --npm "${CETAEV_NPM}")
  endif()
  set(script "${PROJECT_SOURCE_DIR}/cmake/embed_web.py")
  add_custom_command(
    OUTPUT "${source}"
    COMMAND Python3::Interpreter "${script}" "${folder}" "${PROJECT_BINARY_DIR}/web" "${source}" ${tools}
    DEPENDS "${script}" "${PROJECT_SOURCE_DIR}/cmake/embed_texts.py" ${files}
    COMMENT "Bundling the scripts of the pages"
    VERBATIM)
endfunction()
