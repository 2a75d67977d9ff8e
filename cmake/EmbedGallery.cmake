# The models of gallery/ travel inside the program.
#
#   cetaev_embed_gallery(FOLDER)
#
# makes the library cetaev_gallery (cetaev/gallery.hpp) from FOLDER/*.toml. A model that is added, changed or removed is
# seen by the next build.

find_package(Python3 REQUIRED COMPONENTS Interpreter)

function(cetaev_embed_gallery folder)
  file(GLOB models CONFIGURE_DEPENDS "${folder}/*.toml")
  set(script "${PROJECT_SOURCE_DIR}/cmake/embed_gallery.py")
  set(source "${PROJECT_BINARY_DIR}/generated/gallery.cpp")
  # A list of files rather than arguments: when a model is removed the list changes, and with it the source.
  list(JOIN models "\n" lines)
  set(list "${PROJECT_BINARY_DIR}/generated/gallery.txt")
  file(CONFIGURE OUTPUT "${list}" CONTENT "${lines}\n" @ONLY)
  add_custom_command(
    OUTPUT "${source}"
    COMMAND Python3::Interpreter "${script}" "${list}" "${source}"
    DEPENDS "${script}" "${list}" ${models}
    COMMENT "Embedding the gallery"
    VERBATIM)
  cetaev_stage(gallery SOURCES "${source}")
endfunction()
