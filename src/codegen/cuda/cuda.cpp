// CUDA: functions for host and device. The file is C++ for a compiler that knows nothing of CUDA.
#include <fmt/format.h>

#include "../c/c_family.hpp"

namespace cetaev::codegen {

std::string write_cuda(const Source& source) {
  const std::string& name = source.prefix;
  CFamily style;
  style.dialect.parameter = "p.";
  style.qualifier = "CETAEV_HOST_DEVICE inline";
  style.helpers = name + "_";

  std::string out = c_comment(source);
  out += R"(#pragma once

#include <math.h>

#ifdef __CUDACC__
#define CETAEV_HOST_DEVICE __host__ __device__
#else
#define CETAEV_HOST_DEVICE
#endif

)";
  out += fmt::format("enum {{ {0}_states = {1}, {0}_constraints = {2} }};\n\n", name, source.state.size(),
                     source.constraints);
  out += fmt::format("struct {}_parameters {{\n{}}};\n\n", name, c_fields(source, "  ", true));
  out += c_functions(source, style, fmt::format("const {}_parameters &p", name));
  return out + "#undef CETAEV_HOST_DEVICE\n";
}

}  // namespace cetaev::codegen
