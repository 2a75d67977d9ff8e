#include "cetaev/ensemble/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "cetaev/detail/gpu/motions.hpp"
#include "cetaev/detail/output/beside.hpp"
#include "cetaev/error.hpp"
#include "ranks.hpp"

namespace cetaev {

namespace fs = std::filesystem;
using ensemble::Ranks;

namespace {

bool is_csv(const std::string& path) { return path.ends_with(".csv"); }
void require_kind(const std::string& path) {
  if (path.empty() || is_csv(path) || path.ends_with(".h5") || path.ends_with(".hdf5")) return;
  throw Error(ErrorCode::bad_model,
              fmt::format("the name of the file for a sweep ends in .h5 or .csv: '{}' does not", path));
}

// A table is made of such a file when it is complete; until then `resume` goes on with it.
std::string rows_path(const std::string& out) { return is_csv(out) ? out + ".part" : out; }
std::string rank_path(const std::string& out, unsigned rank) { return fmt::format("{}.rank{}", rows_path(out), rank); }

// Parts that ranks of an earlier run have left behind.
std::vector<std::string> parts_left(const std::string& out) {
  const std::string begin = fs::path(rows_path(out)).filename().string() + ".rank";
  fs::path folder = fs::path(out).parent_path();
  if (folder.empty()) folder = ".";
  std::vector<std::string> found;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(begin) || name.size() == begin.size()) continue;
    if (name.find_first_not_of("0123456789", begin.size()) == std::string::npos)
      found.push_back((fs::path(out).parent_path() / name).string());
  }
  std::sort(found.begin(), found.end());
  return found;
}

SweepDescription description_of(const Ensemble& ensemble) {
  const System& system = ensemble.system();
  const SweepSpecification& specification = ensemble.inputs().specification();
  const MotionOptions& motion = ensemble.options().motion;
  SweepDescription description;
  description.count = ensemble.inputs().count();
  description.block = ensemble.block_size();
  description.inputs = ensemble.inputs().names();
  description.outputs = ensemble.observables();
  description.texts = {{"model", system->name},
                       {"text", system->text},
                       {"table", ensemble.inputs().fingerprint()},
                       {"form", to_string(motion.form)},
                       {"method", to_string(motion.method)},
                       {"device", to_string(ensemble.options().device)}};
  description.lists = {
      {"settings", system->settings}, {"vary", specification.vary}, {"observe", ensemble.options().observe}};
  description.numbers = {{"count", static_cast<double>(specification.count)},
                         {"seed", static_cast<double>(specification.seed)},
                         {"t_end", motion.t_end},
                         {"tolerance", motion.tolerance},
                         {"block", static_cast<double>(ensemble.block_size())}};
  if (ensemble.options().fixed_steps > 0)
    description.numbers.emplace_back("steps", static_cast<double>(ensemble.options().fixed_steps));
  if (ensemble.options().single_precision) description.texts.emplace_back("precision", "single");
  return description;
}

[[noreturn]] void refuse_table(const std::string& out) {
  throw Error(ErrorCode::bad_model,
              fmt::format("'{}' is the table of another sweep: the model, what varies, what is observed, the options "
                          "or the version of the program differ; without --resume it is replaced",
                          out));
}

bool same_bytes(const std::string& one, const std::string& other) {
  std::ifstream a(one, std::ios::binary), b(other, std::ios::binary);
  using Bytes = std::istreambuf_iterator<char>;
  return std::equal(Bytes(a), Bytes(), Bytes(b), Bytes());
}

// The table, where nothing is missing; else what is there of it. One that is there and does not say of which sweep it is stays as it is.
void finish_table(SweepOutcome& outcome, const SweepFile& rows, const std::string& out, bool doubtful = false) {
  outcome.table = out;
  if (!outcome.complete()) {
    outcome.out = rows_path(out);
    return;
  }
  if (doubtful) {
    const std::string again = rows_path(out) + ".csv";
    write_csv(rows, again);
    const bool same = same_bytes(again, out);
    fs::remove(again);
    if (!same) {
      fs::remove(rows_path(out));
      refuse_table(out);
    }
  }
  write_csv(rows, out);
  fs::remove(rows_path(out));
}

double seconds_since_start(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// One run of a sweep, of one rank.
class SweepRun {
 public:
  SweepRun(const Ensemble& ensemble, const SweepOptions& options)
      : ensemble_(ensemble), options_(options), out_(options.shard ? options.shard->path(options.out) : options.out) {
    require_kind(options.out);
    if (options.out.empty() && (options.resume || options.shard))
      throw Error(ErrorCode::bad_model, "--resume and --shard need --out, the file");
    if (options.shard && ranks_.size() > 1)
      throw Error(ErrorCode::bad_model, "--shard is for those who have no MPI; mpirun shares the work by itself");
    mine_.assign(ensemble.blocks(), false);
  }

  SweepOutcome operator()() {
    const auto start = std::chrono::steady_clock::now();
    outcome_.out = out_;
    outcome_.device = ensemble_.options().device;
    outcome_.fixed_steps = ensemble_.options().fixed_steps;
    outcome_.single_precision = ensemble_.options().single_precision;
    outcome_.ranks = ranks_.size();
    outcome_.speaks = ranks_.rank() == 0;
    open();
    share();
    const std::function<bool()> keep_going = [this] { return told(); };
    const EnsembleSummary now =
        ensemble_.run([this](const EnsembleBlock& block) { keep(block); },
                      [this](std::size_t block) { return static_cast<bool>(mine_[block]); }, keep_going);
    close();
    count(now);
    outcome_.all.wall_seconds = seconds_since_start(start);
    return std::move(outcome_);
  }

 private:
  bool wanted(std::size_t block) const { return !options_.shard || block % options_.shard->n == options_.shard->k - 1; }

  // The first rank puts what there is in order before the others look at it.
  void open() {
    if (out_.empty()) return;
    const SweepDescription description = description_of(ensemble_);
    if (ranks_.rank() == 0) {
      (void)output::replaced_by(out_);
      output::remove_leftovers(out_);
      const bool begun = fs::exists(rows_path(out_));
      file_.emplace(options_.resume ? SweepFile::resume(rows_path(out_), description)
                                    : SweepFile::create(rows_path(out_), description));
      if (options_.resume && is_csv(out_) && !begun && fs::exists(out_)) look_at_table();
      for (const std::string& part : parts_left(out_)) {
        if (options_.resume && file_) file_->take(SweepFile::open(part));
        fs::remove(part);
      }
    }
    ranks_.wait();
    if (ranks_.size() > 1) own_.emplace(SweepFile::create(rank_path(out_, ranks_.rank()), description));
  }

  // A table that is there already, where nothing has been begun since.
  void look_at_table() {
    TableThere there = table_there(out_, *file_);
    doubtful_ = there.of == TableThere::Of::unknown;
    if (doubtful_) return;
    file_.reset();
    fs::remove(rows_path(out_));
    if (there.of == TableThere::Of::another) refuse_table(out_);
    finished_ = std::move(there.statuses);
  }

  // What is missing goes round: motions that are neighbours take about as long as each other. The first rank alone looks into the file.
  void share() {
    constexpr std::size_t bits = 64;
    std::vector<std::uint64_t> there(ensemble_.blocks() / bits + 1, finished_ ? ~std::uint64_t{0} : 0);
    if (options_.resume && file_) {
      for (std::size_t block = 0; block < ensemble_.blocks(); ++block)
        if (wanted(block) && file_->has(block)) there[block / bits] |= std::uint64_t{1} << (block % bits);
    }
    ranks_.add(there);
    std::size_t number = 0;
    for (std::size_t block = 0; block < ensemble_.blocks(); ++block) {
      if (!wanted(block)) continue;
      const std::size_t rows = ensemble_.rows_of(block);
      outcome_.count += rows;
      if ((there[block / bits] >> (block % bits)) & 1U) {
        there_ += rows;
        continue;
      }
      mine_[block] = number++ % ranks_.size() == ranks_.rank();
      if (mine_[block]) to_do_ += rows;
    }
  }

  bool told() const {
    if (!options_.progress) return true;
    return ranks_.rank() > 0 ? options_.progress(0, 1) : options_.progress(there_ + done_, there_ + to_do_);
  }

  void keep(const EnsembleBlock& block) {
    if (own_) {
      own_->write(block.number, block);
    } else if (file_) {
      file_->write(block.number, block);
    }
    done_ += block.rows();
    (void)told();
  }

  void close() {
    own_.reset();
    ranks_.wait();
    if (out_.empty() || ranks_.rank() > 0 || ranks_.size() == 1) return;
    for (unsigned rank = 0; rank < ranks_.size(); ++rank) {
      const std::string part = rank_path(out_, rank);
      if (file_) file_->take(SweepFile::open(part));
      fs::remove(part);
    }
  }

  static std::string reason(std::size_t i) { return gpu::to_string(static_cast<gpu::LeftAlone>(i)); }

  void count(const EnsembleSummary& now) {
    std::array<std::uint64_t, 9> sums = {now.count, now.finished, now.singular,
                                         now.event, now.failed,   now.steps,
                                         now.alone, now.threads,  now.interrupted ? 1U : 0U};
    ranks_.add(sums);
    std::array<std::uint64_t, gpu::reasons> left{};
    for (std::size_t i = 0; i < left.size(); ++i)
      if (const auto found = now.left.find(reason(i)); found != now.left.end()) left[i] = found->second;
    ranks_.add(left);
    EnsembleSummary& all = outcome_.all;
    for (std::size_t i = 0; i < left.size(); ++i)
      if (left[i] > 0) all.left[reason(i)] = left[i];
    outcome_.computed = sums[0];
    all.steps = sums[5];
    all.alone = sums[6];
    all.threads = static_cast<unsigned>(sums[7]);
    all.interrupted = sums[8] > 0;
    all.lanes = now.lanes;
    all.device = now.device;
    all.device_seconds = now.device_seconds;
    all.compile_seconds = now.compile_seconds;
    if (finished_) {
      all.count = outcome_.count;
      all.finished = (*finished_)[to_string(MotionStatus::finished)];
      all.singular = (*finished_)[to_string(MotionStatus::singular)];
      all.event = (*finished_)[to_string(MotionStatus::event)];
      all.failed = (*finished_)[to_string(MotionStatus::failed)];
      outcome_.table = out_;
    } else if (ranks_.rank() == 0 && file_ && there_ > 0) {
      for (std::size_t block = 0; block < file_->blocks(); ++block)
        if (wanted(block) && file_->has(block)) all.add(file_->read(block));
    } else {
      all.count = sums[0];
      all.finished = sums[1];
      all.singular = sums[2];
      all.event = sums[3];
      all.failed = sums[4];
    }
    if (ranks_.rank() == 0 && file_ && is_csv(out_) && !options_.shard) finish_table(outcome_, *file_, out_, doubtful_);
    ranks_.wait();
  }

  const Ensemble& ensemble_;
  const SweepOptions& options_;
  Ranks ranks_;
  std::string out_;
  std::optional<SweepFile> file_, own_;  // of all, which the first rank has; of this rank where there are several
  std::optional<std::map<std::string, std::size_t>> finished_;  // how motions ended in a table that is there as a whole
  bool doubtful_ = false;   // there is a table that does not say of which sweep it is
  std::vector<bool> mine_;  // blocks that this rank computes
  std::size_t there_ = 0, to_do_ = 0, done_ = 0;
  SweepOutcome outcome_;
};

}  // namespace

Shard Shard::parse(const std::string& text) {
  Shard shard;
  const std::size_t slash = text.find('/');
  const auto number = [&](std::size_t from, std::size_t to, std::size_t& value) {
    const auto [end, problem] = std::from_chars(text.data() + from, text.data() + to, value);
    return problem == std::errc() && end == text.data() + to;
  };
  if (slash == std::string::npos || !number(0, slash, shard.k) || !number(slash + 1, text.size(), shard.n) ||
      shard.k < 1 || shard.k > shard.n)
    throw Error(ErrorCode::bad_model, fmt::format("'{}' is no part of a sweep; write K/N, from 1/N to N/N", text));
  return shard;
}

std::string Shard::path(const std::string& whole) const {
  const fs::path path(whole);
  const std::string ending = is_csv(whole) ? ".h5" : path.extension().string();
  return (path.parent_path() / fmt::format("{}.{}-of-{}{}", path.stem().string(), k, n, ending)).string();
}

SweepOutcome run_sweep(const Ensemble& ensemble, const SweepOptions& options) { return SweepRun(ensemble, options)(); }

SweepOutcome merge_sweeps(const std::vector<std::string>& parts, const std::string& out) {
  require_kind(out);
  if (parts.empty()) throw Error(ErrorCode::bad_model, "there are no parts of a sweep to join");
  const auto start = std::chrono::steady_clock::now();
  const Ranks ranks;
  SweepOutcome outcome;
  outcome.out = out;
  outcome.ranks = ranks.size();
  outcome.speaks = ranks.rank() == 0;
  if (outcome.speaks) {
    for (const std::string& part : parts) {
      std::error_code ignored;
      if (fs::equivalent(part, out, ignored))
        throw Error(ErrorCode::bad_model, fmt::format("'{}' is the input of this command and is not overwritten", out));
    }
    (void)output::replaced_by(out);
    output::remove_leftovers(out);
    const SweepFile whole = SweepFile::join(parts, rows_path(out));
    outcome.count = whole.count();
    outcome.all.threads = 1;
    for (std::size_t block = 0; block < whole.blocks(); ++block)
      if (whole.has(block)) outcome.all.add(whole.read(block));
    if (is_csv(out)) finish_table(outcome, whole, out);
    outcome.all.wall_seconds = seconds_since_start(start);
  }
  ranks.wait();
  return outcome;
}

}  // namespace cetaev
