# Texts that travel inside the program: the models of gallery/, the claims of papers/.
#
#   cetaev_embed_texts(NAME FOLDER TYPE FUNCTION)
#
# makes the library cetaev_NAME (cetaev/NAME.hpp) from FOLDER/*.toml. A file that is added, changed or removed is seen by
# the next build.

find_package(Python3 REQUIRED COMPONENTS Interpreter)

function(cetaev_embed_texts name folder type function)
  file(GLOB files CONFIGURE_DEPENDS "${folder}/*.toml")
  set(script "${PROJECT_SOURCE_DIR}/cmake/embed_texts.py")
  set(source "${PROJECT_BINARY_DIR}/generated/${name}.cpp")
  # A list of files rather than arguments: when a file is removed the list changes, and with it the source.
  list(JOIN files "\n" lines)
  set(list "${PROJECT_BINARY_DIR}/generated/${name}.txt")
  file(CONFIGURE OUTPUT "${list}" CONTENT "${lines}\n" @ONLY)
  add_custom_command(
    OUTPUT "${source}"
    COMMAND Python3::Interpreter "${script}" "${list}" "${source}" "cetaev/${name}.hpp" "${type}" "${function}"
    DEPENDS "${script}" "${list}" ${files}
    COMMENT "Embedding ${name}"
    VERBATIM)
  cetaev_stage(${name} SOURCES "${source}")
endfunction()
