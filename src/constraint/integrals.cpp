#include "integrals.hpp"
namespace cetaev {
std::vector<FoundIntegral> find_integrals(OnSet&, std::size_t) { return {}; }
}
