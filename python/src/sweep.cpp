// Many motions, into arrays or into files.
#include <algorithm>
#include <atomic>
#include <cmath>

#include "bindings.hpp"
#include "cetaev/ensemble/sweep.hpp"
#include "cetaev/report/sweep.hpp"
#include "cetaev/report/sweep_page.hpp"
#include "cetaev/version.hpp"

namespace cetaev::python {

namespace {

// What varies, what is observed, and who computes.
struct SweepWishes {
  SweepSpecification specification;
  EnsembleOptions options;
};

SweepWishes sweep_wishes(Names vary, std::string table, std::size_t count, std::uint64_t seed, Names observe,
                         unsigned threads, unsigned lanes, const std::string& device, std::size_t steps,
                         const std::string& precision) {
  if (precision != "double" && precision != "single")
    throw Error(ErrorCode::bad_model, "precision is double or single, not '" + precision + "'");
  SweepWishes result;
  result.specification = {std::move(vary), count, seed, std::move(table)};
  result.options.observe = std::move(observe);
  result.options.threads = threads;
  result.options.lanes = lanes;
  result.options.device = parse_device(device);
  result.options.fixed_steps = steps;
  result.options.single_precision = precision == "single";
  return result;
}

Ensemble ensemble_of(const Model& model, const SweepWishes& asked, const Wishes& wanted) {
  EnsembleOptions options = asked.options;
  options.motion = wanted.of(model.system());
  return {model.system(), SweepInputs(model.system(), asked.specification), std::move(options)};
}

// Rows of all motions; blocks come in any order, and have their place.
struct Rows {
  Names input_names, output_names;
  std::vector<double> inputs, outputs, t;
  std::vector<std::uint8_t> status;
  EnsembleSummary summary;

  explicit Rows(const Ensemble& ensemble)
      : input_names(ensemble.inputs().names()), output_names(ensemble.observables()) {
    const std::size_t count = ensemble.inputs().count();
    inputs.assign(count * input_names.size(), std::nan(""));
    outputs.assign(count * output_names.size(), std::nan(""));
    t.assign(count, std::nan(""));
    status.assign(count, static_cast<std::uint8_t>(MotionStatus::interrupted));
  }

  void take(const EnsembleBlock& block) {
    const auto into = [](const auto& values, auto& all, std::size_t first) {
      std::ranges::copy(values, all.begin() + static_cast<std::ptrdiff_t>(first));
    };
    into(block.inputs, inputs, block.first * input_names.size());
    into(block.outputs, outputs, block.first * output_names.size());
    into(block.t, t, block.first);
    for (std::size_t i = 0; i < block.rows(); ++i) status[block.first + i] = static_cast<std::uint8_t>(block.status[i]);
  }
};

py::dict arrays_of_rows(const Rows& rows) {
  const auto table = [&](const std::vector<double>& values, std::size_t columns) {
    return py::array_t<double>({static_cast<py::ssize_t>(rows.t.size()), static_cast<py::ssize_t>(columns)},
                               values.data());
  };
  const EnsembleSummary& summary = rows.summary;
  py::dict result, counts;
  result["inputs"] = table(rows.inputs, rows.input_names.size());
  result["outputs"] = table(rows.outputs, rows.output_names.size());
  result["t"] = array_of(rows.t);
  result["status"] = array_of(rows.status);
  result["input_names"] = rows.input_names;
  result["output_names"] = rows.output_names;
  counts["count"] = summary.count;
  counts["finished"] = summary.finished;
  counts["singular"] = summary.singular;
  counts["event"] = summary.event;
  counts["failed"] = summary.failed;
  counts["threads"] = summary.threads;
  counts["wall_seconds"] = summary.wall_seconds;
  result["counts"] = counts;
  return result;
}

py::dict sweep_rows(const Model& model, const SweepWishes& asked, const Wishes& wanted, const py::object& progress) {
  Watch watch(progress);
  return arrays_of_rows(watched_beside(watch, [&] {
    const Ensemble ensemble = ensemble_of(model, asked, wanted);
    Rows rows(ensemble);
    std::atomic<std::size_t> done = 0;
    rows.summary = ensemble.run(
        [&](const EnsembleBlock& block) {
          rows.take(block);
          done += block.rows();
        },
        nullptr,
        [&] {
          const auto now = static_cast<double>(done);
          return watch.told(rows.t.empty() ? 1.0 : now / static_cast<double>(rows.t.size()), now);
        });
    return rows;
  }));
}

Texts sweep_into(const Model& model, const SweepWishes& asked, const Wishes& wanted, const std::string& out,
                 bool resume, const std::optional<std::string>& shard, const py::object& progress) {
  Watch watch(progress);
  return watched_beside(watch, [&] {
    SweepOptions options;
    options.out = out;
    options.resume = resume;
    if (shard) options.shard = Shard::parse(*shard);
    options.progress = [&](std::size_t done, std::size_t of) {
      return watch.told(of == 0 ? 1.0 : static_cast<double>(done) / static_cast<double>(of), static_cast<double>(done));
    };
    const SweepOutcome outcome = run_sweep(ensemble_of(model, asked, wanted), options);
    return Texts{to_json(outcome), to_text(outcome)};
  });
}

Texts merged(const Names& parts, const std::string& out) {
  return apart([&] {
    const SweepOutcome outcome = merge_sweeps(parts, out);
    return Texts{to_json(outcome), to_text(outcome)};
  });
}

// The page of a sweep that is in a file, and the command line that makes it again.
std::string report_sweep(const std::string& file, const std::string& command) {
  return apart([&] {
    if (file.ends_with(".csv"))
      throw Error(ErrorCode::bad_model, "'" + file +
                                            "' is a table: the report of a sweep is made of its FILE.h5, which also "
                                            "has the model");
    SweepPageOptions page;
    page.version = version();
    page.command = command;
    return write_sweep_page(SweepFile::open(file), page);
  });
}

}  // namespace

void bind_sweeps(py::module_& module, py::class_<Model>& model) {
  py::class_<SweepWishes>(module, "SweepWishes").def(py::init(&sweep_wishes));
  model.def("sweep", &sweep_rows).def("sweep_into", &sweep_into);
  module.def("merge_sweeps", &merged);
  module.def("report_sweep", &report_sweep);
}

}  // namespace cetaev::python
