# One library per stage of the road from a model file to a motion. A stage links only the stages before it, so a wrong
# dependency does not link.
#
#   cetaev_stage(NAME [DEPENDS stage…] [PUBLIC_LIBRARIES lib…] [LIBRARIES lib…] SOURCES file…)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

add_library(cetaev_warnings INTERFACE)
target_compile_options(cetaev_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
                       -Wnon-virtual-dtor -Woverloaded-virtual)
if(CETAEV_WARNINGS_AS_ERRORS)
  target_compile_options(cetaev_warnings INTERFACE -Werror)
endif()

function(cetaev_stage name)
  cmake_parse_arguments(STAGE "" "" "DEPENDS;LIBRARIES;PUBLIC_LIBRARIES;SOURCES" ${ARGN})
  add_library(cetaev_${name} STATIC ${STAGE_SOURCES})
  add_library(cetaev::${name} ALIAS cetaev_${name})
  target_include_directories(cetaev_${name} PUBLIC "${CMAKE_SOURCE_DIR}/include")
  foreach(stage IN LISTS STAGE_DEPENDS)
    target_link_libraries(cetaev_${name} PUBLIC cetaev::${stage})
  endforeach()
  target_link_libraries(cetaev_${name} PUBLIC ${STAGE_PUBLIC_LIBRARIES} PRIVATE ${STAGE_LIBRARIES} cetaev_warnings)
endfunction()
