#include "../source.hpp"

namespace cetaev::codegen {

std::string write_cuda(const Source& source) { return source.prefix; }

}  // namespace cetaev::codegen
