#include "story.hpp"

#include <chrono>
#include <cmath>
#include <future>

#include "cetaev/algebra/thread.hpp"
#include "cetaev/codegen/export.hpp"
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

}  // namespace

Story tell(const Workbench& bench, const PageOptions& options) {
  const System& system = bench.system();
  const auto start = std::chrono::steady_clock::now();
  Story story;
  story.system = system;
  story.options = options.motion;
  // The equations, and the other principles, have a thread of their own.
  auto written = std::async(std::launch::async, [&] {
    release_thread_memory_at_exit();
    return write_story(bench, options.budget);
  });
  auto others = std::async(std::launch::async, [&] {
    release_thread_memory_at_exit();
    if (system->constraints.empty()) return std::vector<Companion>();
    return other_motions(bench, options.motion);
  });

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
  if (story.has_motion())
    story.companions = beside(bench, options.motion, *story.summary, *story.samples, others.get());
  story.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return story;
}

}  // namespace cetaev
