// Motions on a GPU: seconds of the device for 8,388,608 motions of 1000 steps of the classical Runge–Kutta method in doubles, the skate beside a
// kernel written by hand that is compiled by the same compiler in the same run. And dop853 with the tolerance 10⁻¹². In floats: Lorenz's
// equations, which are constraints that leave no freedom, beside a kernel written by hand, and the skate and the sleigh.
//
// Best of five. What is not in it: starts of the motions, transfers, compiling.
#include <algorithm>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "../src/gpu/cuda.hpp"
#include "cetaev/detail/gpu/motions.hpp"
#include "cetaev/error.hpp"
#include "cetaev/gallery.hpp"
#include "cetaev/integrate/compiled_motion.hpp"
#include "cetaev/model/read.hpp"

namespace {

using namespace cetaev;

constexpr std::size_t motions = std::size_t{1} << 23;
constexpr std::size_t steps = 1000;
constexpr int repetitions = 5;

// x' = u cos φ, y' = u sin φ, φ' = w, u' = g sin(slope) cos φ, w' = 0.
constexpr const char* skate_by_hand = R"(
struct Rate { double x, y, phi, u; };
__device__ __forceinline__ Rate rate(double phi, double u, double w, double drive)
{
  double s, c;
  sincos(phi, &s, &c);
  return {u*c, u*s, w, drive*c};
}
extern "C" __global__ void follow(long long count, const int *list, double *data, int *code, long long stride,
                                  double t_end, double tolerance, long long steps_now, long long steps_all)
{
  const long long i = (long long)blockIdx.x*blockDim.x + threadIdx.x;
  if (i >= count) return;
  double x = data[i], y = data[stride + i], phi = data[2*stride + i], u = data[3*stride + i];
  const double w = data[4*stride + i], h = t_end/(double)steps_all, drive = tolerance;
  for (long long step = 0; step < steps_all; ++step) {
    const Rate a = rate(phi, u, w, drive);
    const Rate b = rate(phi + 0.5*h*a.phi, u + 0.5*h*a.u, w, drive);
    const Rate c = rate(phi + 0.5*h*b.phi, u + 0.5*h*b.u, w, drive);
    const Rate d = rate(phi + h*c.phi, u + h*c.u, w, drive);
    x += h/6.0*(a.x + 2.0*b.x + 2.0*c.x + d.x);
    y += h/6.0*(a.y + 2.0*b.y + 2.0*c.y + d.y);
    phi += h/6.0*(a.phi + 2.0*b.phi + 2.0*c.phi + d.phi);
    u += h/6.0*(a.u + 2.0*b.u + 2.0*c.u + d.u);
  }
  data[i] = x;
  data[stride + i] = y;
  data[2*stride + i] = phi;
  data[3*stride + i] = u;
  code[i] = 2;
}
)";

constexpr const char* lorenz_by_hand = R"(
struct Rate { float x, y, z; };
__device__ __forceinline__ Rate rate(float x, float y, float z)
{
  return {10.0f*(y - x), x*(28.0f - z) - y, x*y - 2.6666667f*z};
}
extern "C" __global__ void follow(long long count, const int *list, double *data, int *code, long long stride,
                                  double t_end, double tolerance, long long steps_now, long long steps_all)
{
  const long long i = (long long)blockIdx.x*blockDim.x + threadIdx.x;
  if (i >= count) return;
  float x = data[i], y = data[stride + i], z = data[2*stride + i];
  const float h = (float)t_end/(float)steps_all;
  const int steps = (int)steps_all;
  for (int step = 0; step < steps; ++step) {
    const Rate a = rate(x, y, z);
    const Rate b = rate(x + 0.5f*h*a.x, y + 0.5f*h*a.y, z + 0.5f*h*a.z);
    const Rate c = rate(x + 0.5f*h*b.x, y + 0.5f*h*b.y, z + 0.5f*h*b.z);
    const Rate d = rate(x + h*c.x, y + h*c.y, z + h*c.z);
    x += h/6.0f*(a.x + 2.0f*b.x + 2.0f*c.x + d.x);
    y += h/6.0f*(a.y + 2.0f*b.y + 2.0f*c.y + d.y);
    z += h/6.0f*(a.z + 2.0f*b.z + 2.0f*c.z + d.z);
  }
  data[i] = x;
  data[stride + i] = y;
  data[2*stride + i] = z;
  code[i] = 2;
}
)";

constexpr const char* lorenz_model = R"toml(name = "Lorenz"
coordinates = ["x", "y", "z"]
lagrangian = "(x'^2 + y'^2 + z'^2)/2"
constraints = ["x' = 10*(y - x)", "y' = x*(28 - z) - y", "z' = x*y - b*z"]
[parameters]
b = "8/3"
[initial]
x = 1
y = 1
z = 1
)toml";

// Five fields of a motion: the start from which it differs in the last one.
double by_hand(gpu::Cuda& cuda, const char* source, double start, double from, double parameter) {
  gpu::Cuda::Function follow = cuda.compile(source, "follow", false);
  gpu::Cuda::Memory data = cuda.allocate(5 * motions * sizeof(double)), codes = cuda.allocate(motions * sizeof(int));
  std::vector<double> starts(5 * motions, start);
  for (std::size_t i = 0; i < motions; ++i) starts[4 * motions + i] = from + 1e-7 * static_cast<double>(i);
  double best = 1e300;
  for (int k = 0; k < repetitions; ++k) {
    data.write(0, starts.data(), starts.size() * sizeof(double));
    auto count = static_cast<long long>(motions), stride = count, all = static_cast<long long>(steps), now = all;
    std::uint64_t list = 0, address = data.address(), code = codes.address();
    double t_end = 10;
    std::vector<void*> arguments = {&count, &list, &address, &code, &stride, &t_end, &parameter, &now, &all};
    follow.launch(motions, arguments);
    best = std::min(best, follow.wait());
  }
  return best;
}

struct Study {
  const char* model;
  double t_end;
  double from, to;  // factors of the state at the start
  std::string text = {};
};

// Of all motions, in lots of as many as there is room for; and how many of the first lot were left to the processor.
void measure(const Study& study, std::size_t fixed_steps, bool single = false) {
  const System system =
      read_model(study.text.empty() ? std::string(*gallery_text(study.model)) : study.text, study.model);
  MotionOptions options = default_options(system);
  if (!study.text.empty()) options.form = Form::hamel;
  options.method = Method::dop853;
  options.t_end = study.t_end;
  options.tolerance = 1e-12;
  const CompiledMotion motion(system, options);
  gpu::MotionsOptions wanted;
  wanted.fixed_steps = fixed_steps;
  wanted.single = single;
  wanted.cache = false;
  gpu::Motions device(motion, wanted);
  gpu::MotionBatch batch = device.batch();
  gpu::MotionHost host(device);
  const std::vector<double> parameters = parameter_values(system);
  for (std::size_t i = 0; i < batch.capacity(); ++i) {
    State start = motion.initial();
    const double share = static_cast<double>(i) / static_cast<double>(batch.capacity());
    const double factor = study.from + (study.to - study.from) * share;
    for (double& value : study.text.empty() ? start.v : start.q) value *= factor;
    host.put(batch, i, start, parameters);
  }
  double best = 1e300;
  std::size_t alone = 0;
  for (int k = 0; k < repetitions; ++k) {
    gpu::MotionBatch copy = batch;
    const double before = device.seconds();
    device.run(copy, nullptr);
    best = std::min(best, device.seconds() - before);
    State last;
    std::size_t taken = 0;
    for (std::size_t i = 0; k == 0 && i < copy.capacity(); i += 64)
      alone += host.finish(copy, i, parameters, last, taken) ? 1 : 0;
  }
  const double lots = static_cast<double>(motions) / static_cast<double>(batch.capacity());
  std::printf("%-18s %-8s t_end %4.1f  %9.1f ms   left alone %5.2f %%\n", study.model,
              fixed_steps > 0 ? single ? "rk4 f32" : "rk4" : "dop853", study.t_end, 1e3 * best * lots,
              6400.0 * static_cast<double>(alone) / static_cast<double>(batch.capacity()));
  std::fflush(stdout);
}

}  // namespace

int main() {
  try {
    gpu::Cuda cuda;
    std::printf("%s, 8,388,608 motions\n", cuda.device().c_str());
    const auto hand = [&](const char* name, const char* how, double seconds) {
      std::printf("%-18s %-8s t_end 10.0  %9.1f ms\n", name, how, 1e3 * seconds);
    };
    hand("skate by hand", "rk4", by_hand(cuda, skate_by_hand, 0, 0.5, 9.81 / 2));
    hand("Lorenz by hand", "rk4 f32", by_hand(cuda, lorenz_by_hand, 1, 1, 0));
    measure({"Lorenz", 10, 1, 1.1, lorenz_model}, steps, true);
    measure({"skate", 10, 0.5, 1.5}, steps, true);
    measure({"chaplygin-sleigh", 10, 0.5, 1.5}, steps, true);
    for (const Study& study :
         {Study{"skate", 10, 0.5, 1.5}, Study{"chaplygin-sleigh", 10, 0.5, 1.5}, Study{"rolling-disc", 10, 0.9, 1.1},
          Study{"double-pendulum", 10, 0.5, 1.5}, Study{"appell-hamel", 1, 1, 1.5}, Study{"bicycle", 1, 0.99, 1.01}}) {
      measure(study, steps);
      measure(study, 0);
    }
  } catch (const Error& error) {
    std::printf("not measured: %s\n", error.what());
  }
}
