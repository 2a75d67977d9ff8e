#include "story.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <future>

#include "cetaev/algebra/thread.hpp"
#include "cetaev/codegen/export.hpp"
#include "cetaev/detail/formulation/multipliers.hpp"
#include "cetaev/detail/numeric/dense.hpp"
#include "cetaev/interruption.hpp"
#include "cetaev/report/written.hpp"

namespace cetaev {

namespace {

// The source code of one form, from one derivation; nothing where it has none.
void add_code(const Workbench& bench, Form form, std::vector<Source>& sources) {
  try {
    const FirstOrderSystem& equations = bench.first_order(form);
    for (const auto& [title, language] : {std::pair("Python", Language::python), std::pair("C", Language::c)})
      if (std::string text = export_code(equations, language); !text.empty())
        sources.push_back({title, std::move(text)});
  } catch (const Error&) {
    return;
  }
}

std::unique_ptr<WrittenStory> write_story(const Workbench& bench, double budget) {
  const System& system = bench.system();
  auto story = std::make_unique<WrittenStory>();
  EquationOptions options;
  options.forms = principles_of(system);
  options.energy = true;
  options.budget = budget;
  // Of some systems every formula is long whatever one does: the two forms that are shortest.
  constexpr std::size_t many = 9;
  constexpr double large = 400;
  const double size = size_of(system);
  story->every_form = system->size() <= many && size <= large;
  if (!story->every_form) options.forms = {Form::multipliers, Form::hamel};
  try {
    story->written = bench.equations(options);
  } catch (const Error& error) {
    story->error = error;
    return story;
  }
  if (story->every_form && !system->constraints.empty()) {
    try {
      story->views = bench.transpositional_relations();
    } catch (const Error&) {
      story->views.reset();  // constraints on accelerations, or no state
    }
  }
  for (const WrittenForm& form : story->written->forms) {
    auto& sources = story->sources.emplace_back();
    if (form.refusal) continue;
    WrittenSystem alone;
    alone.system = story->written->system;
    alone.dependent = story->written->dependent;
    alone.names = story->written->names;
    alone.forms = {form};
    sources.push_back({"LaTeX", to_latex(alone)});
    // Code costs a derivation each time; what takes long is left to `cetaev derive`.
    if (size <= largest_in_full) add_code(bench, form.name, sources);
  }
  return story;
}

// Is it zero where one parameter is, and the others have their values?
bool vanishes_with(const System& system, Expr e, Expr symbol) {
  std::vector<Value> values;
  const std::vector<double> parameters = parameter_values(system);
  for (std::size_t i = 0; i < parameters.size(); ++i)
    values.emplace_back(system->parameters[i].symbol, system->parameters[i].symbol == symbol ? 0 : parameters[i]);
  try {
    return evaluate(e, values) == 0;
  } catch (const Error&) {
    return false;  // it is divided by
  }
}

// What a steady motion is naturally followed along: a parameter that its velocities are given by, or the velocity of an ignorable coordinate that may
// have any value. From rest to twice its speed.
std::optional<Along> natural_speed(const System& system, const Linearization& found) {
  constexpr std::size_t count = 121;
  std::vector<std::string> names;
  for (const std::optional<Expr>& given : system->initial.v) {
    if (!given) continue;
    for (const Expr symbol : free_symbols(*given))
      if (vanishes_with(system, *given, symbol)) names.emplace_back(symbol.name());
  }
  for (const std::size_t i : found.steady.ignorable) {
    const std::string name = system->coordinates[i] + "'";
    if (system->initial.v[i] && std::ranges::find(found.families, name) != found.families.end()) names.push_back(name);
  }
  const std::vector<double> parameters = parameter_values(system);
  for (const std::string& name : names) {
    double value = 0;
    for (std::size_t i = 0; i < parameters.size(); ++i)
      if (system->parameters[i].symbol.name() == name) value = parameters[i];
    for (std::size_t i = 0; i < system->size(); ++i)
      if (system->coordinates[i] + "'" == name) value = found.steady.state.v[i];
    if (value != 0) return Along{name, 0, 2 * value, count};
  }
  return std::nullopt;
}

struct StabilityStory {
  std::optional<Linearization> found;
  std::optional<VariedSpectrum> locus;
};
// At a steady motion the independent velocities do not change; this costs less to see than a linearisation.
bool may_be_steady(const Workbench& bench) {
  constexpr double changes = 1e-6;
  Groundwork work = bench.groundwork();
  const AdmissibleState at = work.initial();
  const std::vector<double> a = Multipliers(work.system(), work.terms()).evaluate(at.state).a;
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (std::ranges::find(at.dependent, i) == at.dependent.end()) largest = std::max(largest, std::abs(a[i]));
  return largest <= changes * (1 + largest_magnitude(at.state.v));
}

StabilityStory tell_stability(const Workbench& bench) {
  const System& system = bench.system();
  StabilityStory result;
  try {
    if (system->quasi_velocities.empty() && !may_be_steady(bench)) return result;
    result.found = linearize(system);
    if (const auto along = natural_speed(system, *result.found)) {
      VariedSpectrum locus = linearize_along(system, *along);
      const auto fails = [](const auto& diagnosis) { return diagnosis.has_value(); };
      if (std::ranges::none_of(locus.diagnosis, fails)) result.locus = std::move(locus);
    }
  } catch (const Error&) {
    // no steady motion, or none along the way
  }
  return result;
}

}  // namespace

Story tell(const Workbench& bench, const PageOptions& options) {
  const System& system = bench.system();
  const auto start = std::chrono::steady_clock::now();
  Story story;
  story.system = system;
  story.options = options.motion;
  // The equations, and the other principles, have a thread of their own.
  const auto apart = [helped = Interruptible::current()](auto work) {
    return std::async(std::launch::async, [helped, work] {
      release_thread_memory_at_exit();
      const Interruptible::Helper helper(helped);
      return work();
    });
  };
  auto written = apart([&] { return write_story(bench, options.budget); });
  auto others = apart([&] {
    if (system->constraints.empty()) return std::vector<Companion>();
    return other_motions(bench, options.motion);
  });
  auto stability = apart([&] { return tell_stability(bench); });

  const std::optional<Form>& asked = options.motion.form;
  const bool other = asked && !(*asked)->dalembert_lagrange;
  try {
    story.check = bench.check(other ? *asked : Form::multipliers);
    // those of d'Alembert–Lagrange are no constants of this motion
    if (other) story.check->first_integrals.clear();
  } catch (const Error& error) {
    story.check_error = error;
  }
  try {
    SampleRecorder recorder(system);
    story.summary = bench.run(options.motion, recorder);
    story.samples = recorder.samples();
  } catch (const Error& error) {
    story.motion_error = error;
  }
  if (story.has_motion()) {
    const Samples& samples = *story.samples;
    story.scene.emplace(system, samples);
    story.frames = story.scene->frames(samples);
    if (story.summary->form->dalembert_lagrange) story.energy = energy_along(bench, samples);
    story.closed_forms = closed_forms(system, samples);
    story.integrals = constants_of_motion(system, story.check ? &*story.check : nullptr, samples);
  }
  story.written = written.get();
  StabilityStory found = stability.get();
  story.stability = std::move(found.found);
  story.locus = std::move(found.locus);
  if (story.has_motion())
    story.companions = beside(bench, options.motion, *story.summary, *story.samples, others.get());
  story.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return story;
}

}  // namespace cetaev
