# cmake -DBUILD=folder -DSCRATCH=folder -DCOMPILER=c++ -DPYTHON=python3 -P consume.cmake

file(REMOVE_RECURSE "${SCRATCH}")

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "${command}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

run("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${SCRATCH}/prefix")
run("${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}/consumer" -B "${SCRATCH}/build" -G Ninja
    "-DCMAKE_PREFIX_PATH=${SCRATCH}/prefix" "-DCMAKE_CXX_COMPILER=${COMPILER}")
run("${CMAKE_COMMAND}" --build "${SCRATCH}/build")
run("${SCRATCH}/build/consumer")
if(NOT output MATCHES "skate: 3 coordinates" OR NOT output MATCHES "^(cetaev [0-9.]+)\n")
  message(FATAL_ERROR "the consumer said: ${output}")
endif()
set(version "${CMAKE_MATCH_1}")
run("${SCRATCH}/build/motion")
if(NOT output MATCHES "the cycloid to 1e-12")
  message(FATAL_ERROR "the motion said: ${output}")
endif()
run("${SCRATCH}/prefix/bin/cetaev" --version)
if(NOT output MATCHES "^${version}\n")
  message(FATAL_ERROR "the library says ${version}, and the program ${output}")
endif()

# The project of the guide, as a reader would copy it.
cmake_path(SET root NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../..")
run("${PYTHON}" -B "${root}/tests/docs/guide_project.py" "${root}/docs/guide/cpp.md" --prefix "${SCRATCH}/prefix"
    --folder "${SCRATCH}/guide" --compiler "${COMPILER}")
