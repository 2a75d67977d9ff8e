// One System, looked at by eight threads at the same time, each with the same answers.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <thread>
#include <vector>

#include "cetaev/algebra/thread.hpp"
#include "cetaev/analysis/equations.hpp"
#include "cetaev/formulation/evaluation.hpp"
#include "cetaev/gallery.hpp"
#include "cetaev/integrate/compiled_motion.hpp"
#include "cetaev/model/read.hpp"
#include "cetaev/output/samples.hpp"
#include "cetaev/report/check.hpp"
#include "cetaev/report/written.hpp"

namespace cetaev {
namespace {

struct Answers {
  std::string check, equations;
  std::vector<double> a;
  State last;
};

Answers ask(const System& system, const CompiledMotion& shared) {
  Answers answers;
  answers.check = to_json(system, check(system));
  EquationOptions options;
  options.forms = {Form::multipliers, Form::hamel};
  answers.equations = to_text(write_equations(system, options), Notation::ascii);
  answers.a = evaluate(system).find(Form::multipliers)->values->a;
  SampleRecorder own(system), common(system);
  MotionOptions motion;
  motion.t_end = 1;
  motion.samples = 3;
  motion.cache = false;
  answers.last = CompiledMotion(system, motion).run(own).last;
  EXPECT_EQ(shared.run(common).last.q, answers.last.q);
  return answers;
}

TEST(Threads, ShareOneSystemWithoutALock) {
  System system;
  for (const GalleryModel& model : gallery())
    if (model.name == "skate") system = read_model(model.text, "skate.toml");
  MotionOptions options;
  options.t_end = 1;
  options.samples = 3;
  options.cache = false;
  const CompiledMotion shared(system, options);
  const std::size_t nodes = system->context->node_count();
  const Answers alone = ask(system, shared);
  std::vector<Answers> answers(8);
  {
    std::vector<std::jthread> threads;
    for (Answers& mine : answers)
      threads.emplace_back([&] {
        release_thread_memory_at_exit();
        mine = ask(system, shared);
      });
  }
  for (const Answers& other : answers) {
    EXPECT_EQ(other.check, alone.check);
    EXPECT_EQ(other.equations, alone.equations);
    EXPECT_EQ(other.a, alone.a);
    EXPECT_EQ(other.last.q, alone.last.q);
  }
  EXPECT_EQ(system->context->node_count(), nodes);
}

// What a temporary was given lives on in what was made of it.
TEST(Threads, NothingDanglesFromATemporary) {
  const std::string text = "coordinates = ['x']\nlagrangian = \"x'^2/2 - x^2/2\"\n[initial]\nx = 1\n";
  MotionOptions options;
  options.t_end = 1;
  options.cache = false;
  const CompiledMotion motion(read_model(text, "oscillator.toml"), options);
  const WrittenSystem written = write_equations(read_model(text, "oscillator.toml"), {});
  SampleRecorder recorder(read_model(text, "oscillator.toml"));
  EXPECT_NEAR(motion.run(recorder).last.q[0], std::cos(1.0), 1e-13);
  EXPECT_NE(to_text(written, Notation::ascii).find("x''"), std::string::npos);
}

}  // namespace
}  // namespace cetaev
