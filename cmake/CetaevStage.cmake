# One library per stage of the road from a model file to a motion. A stage links only the stages before it, so a wrong
# dependency does not link.
#
#   cetaev_stage(NAME [HOT | WORDS] [FUZZED] [DEPENDS stage…] [PUBLIC_LIBRARIES lib…] [LIBRARIES lib…] [BATCH KiB] SOURCES file…)
#
# HOT: its inner loops are what users wait for; the others are optimised a little less, which halves the time they take to
# compile. WORDS: it puts into words, pages and options what others have computed, and is optimised least. FUZZED: the fuzz targets look for new ways through it; their marks would make the other stages, and with them the
# sanitized tests, up to twice as slow. BATCH: sources are compiled together up to so
# many KiB, 36 unless told and 0 for each alone: headers are then read once for all of them, and no object takes long.
# Beside the target cetaev_NAME (alias cetaev::NAME) it keeps a list of the stages, which the installation reads.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

# What was compiled once is not compiled again.
find_program(CETAEV_CCACHE ccache)
if(CETAEV_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER "${CETAEV_CCACHE}")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CETAEV_CCACHE}")
endif()

if(CETAEV_SANITIZE)
  add_compile_options("-fsanitize=${CETAEV_SANITIZE}" -fno-sanitize-recover=all -fno-omit-frame-pointer)
  if(CETAEV_SANITIZE MATCHES "address.*undefined")
    # What goes through a null pointer or beyond an object, AddressSanitizer sees as well; to check every access twice takes a quarter of
    # the time of compilation.
    add_compile_options(-fno-sanitize=null,alignment,object-size,vptr)
  endif()
  add_link_options("-fsanitize=${CETAEV_SANITIZE}")
endif()

# A library does not wait for those that it links: only programs do.
set(CMAKE_OPTIMIZE_DEPENDENCIES ON)

# The same arithmetic on every machine: no silent fusing of a product and a sum.
add_compile_options(-ffp-contract=off)

# The stages are linked into the program and into the Python module, and are compiled once for both. Nobody puts another function in
# the place of one of ours when a program starts, so the compiler may still inline them.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(-fno-semantic-interposition)
endif()

add_library(cetaev_warnings INTERFACE)
target_compile_options(cetaev_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
                       -Wnon-virtual-dtor -Woverloaded-virtual
                       $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>  # g++ 12 sees overlaps in std::string that are not there
                       $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>  # and strings as long as memory
                       $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)  # and takes the sources of a batch for headers
if(CETAEV_WARNINGS_AS_ERRORS)
  target_compile_options(cetaev_warnings INTERFACE -Werror)
endif()

# Several sources as one: file-local names have to differ within a stage.
option(CETAEV_UNITY "Compile several sources as one" ON)

# The sources of a target, in their order, in groups of at most so many KiB. What is generated is compiled alone: its size is not
# known yet.
function(cetaev_unity target most)
  if(NOT CETAEV_UNITY OR most EQUAL 0)
    return()
  endif()
  math(EXPR most "${most} * 1024")
  set(group 0)
  set(size 0)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source OUTPUT_VARIABLE file)
    get_source_file_property(generated "${file}" GENERATED)
    if(generated OR NOT EXISTS "${file}")
      continue()
    endif()
    file(SIZE "${file}" bytes)
    math(EXPR size "${size} + ${bytes}")
    if(size GREATER most)
      math(EXPR group "${group} + 1")
      set(size ${bytes})
    endif()
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${group}")
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

function(cetaev_words target)
  target_compile_options(${target} PRIVATE "$<$<CONFIG:Release>:-O1>$<$<CONFIG:Debug>:-O0>")
endfunction()

function(cetaev_stage name)
  cmake_parse_arguments(STAGE "HOT;WORDS;FUZZED" "BATCH" "DEPENDS;LIBRARIES;PUBLIC_LIBRARIES;SOURCES" ${ARGN})
  add_library(cetaev_${name} STATIC ${STAGE_SOURCES})
  set_target_properties(cetaev_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  if(NOT DEFINED STAGE_BATCH)
    set(STAGE_BATCH 64)
  endif()
  cetaev_unity(cetaev_${name} ${STAGE_BATCH})
  if(STAGE_WORDS)
    cetaev_words(cetaev_${name})
  elseif(NOT STAGE_HOT)
    target_compile_options(cetaev_${name} PRIVATE "$<$<CONFIG:Release>:-O2>")
  endif()
  if(STAGE_FUZZED AND CETAEV_BUILD_FUZZ)
    target_compile_options(cetaev_${name} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
  add_library(cetaev::${name} ALIAS cetaev_${name})
  set_target_properties(cetaev_${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(cetaev_${name} PUBLIC "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>"
                             "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  target_compile_features(cetaev_${name} PUBLIC cxx_std_20)
  foreach(stage IN LISTS STAGE_DEPENDS)
    target_link_libraries(cetaev_${name} PUBLIC cetaev_${stage})
  endforeach()
  target_link_libraries(cetaev_${name} PUBLIC ${STAGE_PUBLIC_LIBRARIES})
  foreach(library IN LISTS STAGE_LIBRARIES)
    # What only headers of our own .cpp files need (Eigen, PEGTL, …) is no business of those who link the library.
    set(type "")
    if(TARGET ${library})
      get_target_property(type ${library} TYPE)
    endif()
    if(type STREQUAL "INTERFACE_LIBRARY")
      target_link_libraries(cetaev_${name} PRIVATE "$<BUILD_INTERFACE:${library}>")
    else()
      target_link_libraries(cetaev_${name} PRIVATE ${library})
      set_property(GLOBAL APPEND PROPERTY CETAEV_LINKED ${library})
    endif()
  endforeach()
  target_link_libraries(cetaev_${name} PRIVATE "$<BUILD_INTERFACE:cetaev_warnings>")
  set_property(GLOBAL APPEND PROPERTY CETAEV_LINKED ${STAGE_PUBLIC_LIBRARIES})
  set_property(GLOBAL APPEND PROPERTY CETAEV_STAGES ${name})
endfunction()
