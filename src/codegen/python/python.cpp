#include "../source.hpp"

namespace cetaev::codegen {

std::string write_python(const Source& source) { return source.prefix; }

}  // namespace cetaev::codegen
