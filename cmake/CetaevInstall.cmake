# Installation: the program, the public headers, the stages as static libraries, and a CMake package, so that
#
#   find_package(cetaev REQUIRED)
#   target_link_libraries(mine PRIVATE cetaev::cetaev)     # or one stage, such as cetaev::model
#
# gives another project the C++ interface.

include(CMakePackageConfigHelpers)

get_property(stages GLOBAL PROPERTY CETAEV_STAGES)
list(TRANSFORM stages PREPEND cetaev_ OUTPUT_VARIABLE stage_targets)

add_library(cetaev_all INTERFACE)
add_library(cetaev::cetaev ALIAS cetaev_all)
set_target_properties(cetaev_all PROPERTIES EXPORT_NAME cetaev)
target_link_libraries(cetaev_all INTERFACE ${stage_targets})

# What an installation needs, without tests and benchmarks.
add_custom_target(product DEPENDS ${stage_targets})
if(TARGET cetaev)
  add_dependencies(product cetaev cetaev_documents)
  install(TARGETS cetaev RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  install(FILES "${CETAEV_MANUAL}" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
  install(FILES "${CETAEV_BASH_COMPLETION}" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" RENAME cetaev)
  install(FILES "${CETAEV_ZSH_COMPLETION}" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
endif()

if(TARGET cetaev_python)
  add_dependencies(product cetaev_python)
endif()

install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/cetaev" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        FILES_MATCHING PATTERN "*.hpp" PATTERN "detail" EXCLUDE)
install(TARGETS ${stage_targets} cetaev_all EXPORT cetaevTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")

set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/cetaev")
install(EXPORT cetaevTargets NAMESPACE cetaev:: DESTINATION "${package_folder}")

# Imported targets that the stages link (fmt::fmt) must exist again where the package is used: find their packages, which
# by custom are named as the namespace.
get_property(linked GLOBAL PROPERTY CETAEV_LINKED)
set(llvm ${linked})
list(FILTER llvm INCLUDE REGEX "^LLVM")
list(FILTER linked INCLUDE REGEX "::")
list(TRANSFORM linked REPLACE "::.*" "")
list(REMOVE_DUPLICATES linked)
set(CETAEV_FIND_DEPENDENCIES "")
foreach(package IN LISTS linked)
  string(APPEND CETAEV_FIND_DEPENDENCIES "find_dependency(${package})\n")
endforeach()
if(llvm)  # its archives have no namespace
  string(APPEND CETAEV_FIND_DEPENDENCIES "find_dependency(LLVM 19.1 CONFIG HINTS \"${LLVM_DIR}\")\n")
endif()

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/cetaevConfig.cmake.in"
                              "${PROJECT_BINARY_DIR}/package/cetaevConfig.cmake" INSTALL_DESTINATION "${package_folder}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/package/cetaevConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/package/cetaevConfig.cmake"
              "${PROJECT_BINARY_DIR}/package/cetaevConfigVersion.cmake" DESTINATION "${package_folder}")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
