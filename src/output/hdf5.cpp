// Motions as HDF5: h5py.File("motion.h5")["states/q"][:] is all there is to reading one.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

#include "cetaev/output/motion_file.hpp"
#include "hdf5_writer.hpp"
#include "target.hpp"

namespace cetaev {

namespace {

using output::Handle;
using output::Hdf5Library;

class Hdf5File : public MotionFile, private output::Hdf5Writer {
 public:
  Hdf5File(const System& system, MotionOptions options, const std::string& path)
      : Hdf5Writer(library(), path),
        system_(system),
        options_(std::move(options)),
        target_(path, output::Target::Seekable()) {}

  ~Hdf5File() override {
    const std::lock_guard lock(output::hdf5_mutex());
    try {
      if (file_ >= 0) flush();
    } catch (const Error&) {  // whoever wanted to know has called finish
    }
    close();
  }
  Hdf5File(const Hdf5File&) = delete;
  Hdf5File& operator=(const Hdf5File&) = delete;

  void sample(const MotionPoint& point) override {
    const std::lock_guard lock(output::hdf5_mutex());
    if (file_ < 0) begin();
    t_.add(point.t);
    q_.add(point.q);
    v_.add(point.v);
    // Only some forms have multipliers; all of their samples do.
    if (changes_.dataset >= 0) changes_.add(point.variations);
    if (lambda_.dataset >= 0 && point.multipliers.size() == lambda_.columns) lambda_.add(point.multipliers);
    E_.add(point.E);
    residual_.add(point.residual);
    for (std::size_t i = 0; outputs_.dataset >= 0 && i < outputs_.columns; ++i)
      outputs_.add(i < point.outputs.size() ? point.outputs[i] : std::nan(""));
    if (++pending_ >= chunk || (pending_ % 64 == 0 && Clock::now() - flushed_ > std::chrono::seconds(1))) flush();
  }

  void event(std::size_t number, const MotionPoint& point) override {
    const std::lock_guard lock(output::hdf5_mutex());
    if (file_ < 0) begin();
    event_number_.add(static_cast<double>(number));
    event_t_.add(point.t);
    event_q_.add(point.q);
    event_v_.add(point.v);
    if (++pending_ >= chunk) flush();
  }

  void finish(const MotionSummary& summary) override {
    const std::lock_guard lock(output::hdf5_mutex());
    if (file_ < 0) begin();
    text(file_, "status", to_string(summary.status));
    text(file_, "form", summary.form.name());
    text(file_, "method", to_string(summary.method));
    text(file_, "backend", to_string(summary.backend));
    if (summary.diagnosis) {
      text(file_, "diagnosis", std::string(to_string(summary.diagnosis->code())));
      text(file_, "diagnosis_message", summary.diagnosis->message());
    }
    if (summary.singular_at) real(file_, "singular_at", *summary.singular_at);
    if (summary.stopping_event) text(file_, "stopping_event", system_->events[*summary.stopping_event].name);
    texts(file_, "notes", summary.notes);
    whole(file_, "steps", summary.steps);
    whole(file_, "rhs_evaluations", summary.rhs_evaluations);
    whole(file_, "projections", summary.projections);
    whole(file_, "reselections", summary.reselections);
    real(file_, "max_residual", summary.max_residual);
    real(energy_, "drift", summary.energy_drift);
    real(energy_, "projection_energy", summary.projection_energy);
    real(file_, "wall_seconds", summary.wall_seconds);
    flush();
    checked(close());
    closed_ = true;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr hsize_t chunk = 512;  // rows

  // Rows that are written and rows that wait.
  struct Table {
    std::size_t columns = 1;
    bool matrix = false;
    Handle dataset;
    hsize_t rows = 0;
    std::vector<double> waiting;

    void add(double value) { waiting.push_back(value + 0.0); }
    void add(std::span<const double> values) {
      for (const double value : values) add(value);
    }
  };

  std::vector<Table*> tables() {
    return {&t_,       &q_,       &v_,      &residual_, &lambda_, &changes_, &E_, &outputs_, &event_number_,
            &event_t_, &event_q_, &event_v_};
  }

  static const Hdf5Library& library() {
    const std::lock_guard lock(output::hdf5_mutex());
    return output::hdf5_library();
  }

  // What lies in the file before it.
  bool close() {
    bool fine = true;
    for (Table* table : tables()) fine = table->dataset.close() && fine;
    for (Handle* group : {&model_, &states_, &multipliers_, &variations_, &energy_, &outputs_group_, &events_})
      fine = group->close() && fine;
    return file_.close() && fine;
  }

  void begin() {
    if (closed_) return;
    constexpr unsigned truncate = 0x0002u;  // H5F_ACC_TRUNC, whose macro calls the library
    file_ = Handle(checked(h_.H5Fcreate(target_.path().c_str(), truncate, H5P_DEFAULT, H5P_DEFAULT)), h_.H5Fclose);
    target_.claim();
    text(file_, "creator", "cetaev");
    text(file_, "version", CETAEV_VERSION);
    text(file_, "status", "running");
    text(file_, "form", to_string(options_.form));
    text(file_, "method", to_string(options_.method));
    text(file_, "backend", to_string(options_.backend));
    real(file_, "tolerance", options_.tolerance);
    real(file_, "t_end", options_.t_end);
    whole(file_, "samples", options_.samples);

    model_ = group("model");
    text(model_, "name", system_->name);
    text(model_, "file", system_->file);
    text(model_, "text", system_->text);
    texts(model_, "settings", system_->settings);
    texts(model_, "coordinates", system_->coordinates);
    std::vector<std::string> names;
    for (const Parameter& parameter : system_->parameters) names.emplace_back(parameter.symbol.name());
    texts(model_, "parameter_names", names);
    reals(model_, "parameter_values", parameter_values(system_));

    std::vector<std::string> velocities, constraints;
    for (const std::string& x : system_->coordinates) velocities.push_back(x + "'");
    for (const Constraint& constraint : system_->constraints) constraints.push_back(constraint.label());
    states_ = group("states");
    t_ = column(states_, "t");
    q_ = matrix(states_, "q", system_->coordinates);
    v_ = matrix(states_, "v", velocities);
    residual_ = column(states_, "residual");
    multipliers_ = group("multipliers");
    if (!constraints.empty()) lambda_ = matrix(multipliers_, "lambda", constraints);
    if (!options_.variations.empty()) {
      variations_ = group("variations");
      changes_ = matrix(variations_, "changes", variation_columns(system_, options_.variations));
    }
    energy_ = group("energy");
    E_ = column(energy_, "E");

    if (const std::vector<std::string> outputs = system_->output_columns(); !outputs.empty()) {
      outputs_group_ = group("outputs");
      outputs_ = matrix(outputs_group_, "values", outputs);
    }

    events_ = group("events");
    std::vector<std::string> events;
    for (const Event& event : system_->events) events.push_back(event.name);
    texts(events_, "names", events);
    if (!events.empty()) {
      event_number_ = table(events_, "event", 1, false, h_.native_int64);
      event_t_ = column(events_, "t");
      event_q_ = matrix(events_, "q", system_->coordinates);
      event_v_ = matrix(events_, "v", velocities);
    }
    flush();
  }

  Handle group(const char* name) const {
    return {checked(h_.H5Gcreate2(file_, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)), h_.H5Gclose};
  }

  Table column(hid_t where, const char* name) const { return table(where, name, 1, false, h_.native_double); }
  Table matrix(hid_t where, const char* name, const std::vector<std::string>& names) const {
    Table result = table(where, name, names.size(), true, h_.native_double);
    texts(result.dataset, "names", names);
    return result;
  }
  // The library converts the numbers to the type of the file.
  Table table(hid_t where, const char* name, std::size_t columns, bool matrix, hid_t type) const {
    Table result;
    result.columns = columns;
    result.matrix = matrix;
    const int rank = matrix ? 2 : 1;
    const hsize_t size[] = {0, columns}, limit[] = {H5S_UNLIMITED, columns}, chunks[] = {chunk, columns};
    const Handle space(checked(h_.H5Screate_simple(rank, size, limit)), h_.H5Sclose);
    const Handle layout(checked(h_.H5Pcreate(h_.dataset_creation)), h_.H5Pclose);
    checked(h_.H5Pset_chunk(layout, rank, chunks) >= 0);
    result.dataset =
        Handle(checked(h_.H5Dcreate2(where, name, type, space, H5P_DEFAULT, layout, H5P_DEFAULT)), h_.H5Dclose);
    return result;
  }

  void write(Table& table) const {
    const std::vector<double> values = std::exchange(table.waiting, {});
    const hsize_t rows = values.size() / table.columns;
    if (rows == 0) return;
    const int rank = table.matrix ? 2 : 1;
    const hsize_t extent[] = {table.rows + rows, table.columns}, from[] = {table.rows, 0};
    const hsize_t block[] = {rows, table.columns};
    checked(h_.H5Dset_extent(table.dataset, extent) >= 0);
    const Handle there(checked(h_.H5Dget_space(table.dataset)), h_.H5Sclose);
    checked(h_.H5Sselect_hyperslab(there, H5S_SELECT_SET, from, nullptr, block, nullptr) >= 0);
    const Handle here(checked(h_.H5Screate_simple(rank, block, nullptr)), h_.H5Sclose);
    checked(h_.H5Dwrite(table.dataset, h_.native_double, here, there, H5P_DEFAULT, values.data()) >= 0);
    table.rows += rows;
  }

  // Everything that waits, so that whoever ends the program finds a whole file.
  void flush() {
    for (Table* table : tables())
      if (table->dataset >= 0) write(*table);
    checked(h_.H5Fflush(file_, H5F_SCOPE_LOCAL) >= 0);
    pending_ = 0;
    flushed_ = Clock::now();
  }

  System system_;
  MotionOptions options_;
  output::Target target_;
  // In this order, so that what lies in the file is closed before it.
  Handle file_, model_, states_, multipliers_, variations_, energy_, outputs_group_, events_;
  Table changes_, t_, q_, v_, residual_, lambda_, E_, outputs_, event_number_, event_t_, event_q_, event_v_;
  bool closed_ = false;
  std::size_t pending_ = 0;
  Clock::time_point flushed_;
};

}  // namespace

std::unique_ptr<MotionFile> open_hdf5(const System& system, const MotionOptions& options, const std::string& path) {
  return std::make_unique<Hdf5File>(system, options, path);
}

}  // namespace cetaev
