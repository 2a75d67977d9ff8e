// Everything about a model is derived once, and no answer depends on what was asked before.
#include "cetaev/analysis/workbench.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "cetaev/algebra/thread.hpp"
#include "cetaev/gallery.hpp"
#include "cetaev/model/read.hpp"
#include "cetaev/output/samples.hpp"

namespace cetaev {
namespace {

System model(std::string_view name) {
  for (const GalleryModel& m : gallery())
    if (m.name == name) return read_model(m.text, std::string(name) + ".toml");
  throw std::runtime_error("no gallery model " + std::string(name));
}

// How often the terms of a system are derived by work().
template <typename Work>
std::size_t derivations(Work work) {
  const std::size_t before = Terms::derived();
  work();
  return Terms::derived() - before;
}

// Every formula of the equations, as text.
std::vector<std::string> formulas(const WrittenSystem& written) {
  std::vector<std::string> list;
  const auto all = [&](const std::vector<Expr>& sum) {
    for (const Expr e : sum) list.push_back(to_string(e));
  };
  all(written.lagrangian);
  for (const WrittenForm& form : written.forms) {
    for (const WrittenDefinition& d : form.definitions) all(d.value);
    for (const auto* equations : {&form.equations, &form.constraints})
      for (const WrittenEquation& e : *equations) all(e.left), all(e.right);
    all(form.nonzero);
  }
  return list;
}

MotionOptions short_motion() {
  MotionOptions options;
  options.t_end = 1;
  options.samples = 3;
  options.backend = Backend::interpreter;
  return options;
}

TEST(Workbench, ACheckDerivesTheTermsOnce) {
  // nonlinear in the accelerations: the model's own state must speak for the others, too
  const System second = read_model(
      "coordinates = [\"x\", \"y\"]\nlagrangian = \"(x'^2 + y'^2)/2 - y\"\nconstraints = [\"x''^2 + y''^2 = 4\"]\n"
      "[initial]\n\"x'\" = 1\n",
      "second.toml");
  for (const System& system : {model("skate"), model("rolling-disc"), second})
    EXPECT_EQ(derivations([&] { (void)check(system); }), 1u) << system->name;
}

TEST(Workbench, DerivesTheTermsOnceWhateverIsAsked) {
  const System system = model("rolling-disc");
  EXPECT_EQ(derivations([&] {
              const Workbench bench(system);
              (void)bench.check();
              (void)bench.check(Form::vakonomic);
              (void)bench.at_initial();
              (void)bench.compare(Form::voronec, Form::reduced);
              (void)bench.equations({{Form::voronec}});
              (void)bench.first_order();
              SampleRecorder recorder(system);
              (void)bench.run(short_motion(), recorder);
            }),
            1u);
}

TEST(Workbench, KeepsItsAnswers) {
  const Workbench bench(model("skate"));
  EXPECT_EQ(&bench.check(), &bench.check());
  EXPECT_NE(&bench.check(), &bench.check(Form::vakonomic));
  EXPECT_EQ(&bench.equations({{Form::voronec}}), &bench.equations({{Form::voronec}}));
  EXPECT_NE(&bench.equations({{Form::voronec}}), &bench.equations({{Form::hamel}}));
  EXPECT_EQ(&bench.first_order(Form::hamel), &bench.first_order(Form::hamel));
  const Workbench same = bench;  // a handle
  EXPECT_EQ(&bench.check(), &same.check());
}

TEST(Workbench, GivesTheSameAnswersInAnyOrder) {
  for (const char* name : {"skate", "rolling-disc", "appell-hamel", "chaplygin-sleigh"}) {
    const System system = model(name);
    const EquationOptions all;
    const Workbench first(system), second(system);
    (void)first.check();
    (void)first.at_initial();
    (void)first.first_order();
    EXPECT_EQ(formulas(first.equations(all)), formulas(second.equations(all))) << name;
    EXPECT_EQ(formulas(write_equations(system, all)), formulas(second.equations(all))) << name;
    (void)second.check();
    ASSERT_EQ(first.check().first_integrals.size(), second.check().first_integrals.size());
    for (std::size_t i = 0; i < first.check().first_integrals.size(); ++i)
      EXPECT_EQ(to_string(first.check().first_integrals[i].integral),
                to_string(second.check().first_integrals[i].integral));
  }
}

TEST(Workbench, SaysEachTimeWhyThereIsNoAnswer) {
  const Workbench bench(
      read_model("coordinates = [\"x\"]\nlagrangian = \"x'^2/2\"\n"
                 "constraints = [\"x'^2 = -1\"]\n",
                 "none.toml"));
  for (int i = 0; i < 2; ++i) {
    try {
      (void)bench.at_initial();
      FAIL() << "there is no admissible state";
    } catch (const Error& error) {
      EXPECT_NE(exit_code(error.code()), 0);
    }
  }
  // and that it has no motion does not keep it from other questions
  EXPECT_EQ(bench.system()->size(), 1u);
}

TEST(Workbench, IsSharedByThreads) {
  const Workbench bench(model("chaplygin-sleigh"));
  const std::vector<std::string> alone = formulas(write_equations(bench.system(), {}));
  std::vector<std::vector<std::string>> texts(8);
  std::vector<const Check*> checks(8);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < 8; ++i)
      threads.emplace_back([&, i] {
        release_thread_memory_at_exit();
        EquationOptions options;
        if (i % 2 == 0) options.budget = 10 + static_cast<double>(i);  // questions of its own
        texts[i] = formulas(bench.equations(options));
        checks[i] = &bench.check();
        SampleRecorder recorder(bench.system());
        (void)bench.run(short_motion(), recorder);
      });
  }
  EXPECT_THAT(texts, testing::Each(alone));
  EXPECT_THAT(checks, testing::Each(&bench.check()));
}

}  // namespace
}  // namespace cetaev
