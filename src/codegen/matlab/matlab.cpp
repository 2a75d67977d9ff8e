#include "../source.hpp"

namespace cetaev::codegen {

std::string write_matlab(const Source& source) { return source.prefix; }

}  // namespace cetaev::codegen
