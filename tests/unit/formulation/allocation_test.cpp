// The evaluation that integrators repeat millions of times must not allocate. Sanitizers bring their own malloc, so
// this test belongs to the plain build.
#if !defined(__SANITIZE_ADDRESS__)

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <string>

#include "cetaev/constraint/admissible.hpp"
#include "cetaev/detail/formulation/multipliers.hpp"
#include "scratch.hpp"

namespace {
std::size_t allocations = 0;
}

extern "C" {
void* __libc_malloc(std::size_t size);
void* malloc(std::size_t size) {  // operator new and Eigen both come here
  ++allocations;
  return __libc_malloc(size);
}
}

namespace cetaev {
namespace {

TEST(Allocation, IsCounted) {
  const std::size_t before = allocations;
  delete new int(1);
  volatile auto* p = std::malloc(8);
  std::free(const_cast<void*>(static_cast<volatile void*>(p)));
  EXPECT_GE(allocations - before, 1u);
}

TEST(Allocation, NoneInTheEvaluationOfMultipliers) {
  for (const char* name : {"skate", "appell-hamel", "pendulum", "pursuit"}) {
    const System system = scratch_model_file(std::string(CETAEV_SOURCE_DIR) + "/gallery/" + name + ".toml");
    const Multipliers form(system, Terms(system));
    const std::vector<double> inputs = state_values(Admissible(system).initial().state, parameter_values(system));
    Multipliers::Workspace workspace(form);
    std::vector<double> a(system->size());
    std::vector<double> multipliers(system->constraints.size());
    const std::size_t before = allocations;
    for (int i = 0; i < 10; ++i) form.evaluate(inputs, workspace, a, multipliers);
    EXPECT_EQ(allocations, before) << name;
  }
}

}  // namespace
}  // namespace cetaev

#endif
