// Motions as comma-separated values: RFC 4180, one header line, decimal points.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <cmath>
#include <optional>

#include "cetaev/detail/output/csv_cell.hpp"
#include "cetaev/detail/output/existing.hpp"
#include "cetaev/output/motion_file.hpp"
#include "target.hpp"

namespace cetaev {

namespace {

class CsvFile : public MotionFile {
 public:
  CsvFile(const System& system, const std::string& path, const std::vector<std::string>& variations)
      : path_(path), constraints_(system->constraints.size()) {
    if (path != "-") target_.emplace(path);
    header_ = "t";
    for (const std::string& x : system->coordinates) header_ += "," + output::csv_cell(x);
    for (const std::string& x : system->coordinates) header_ += "," + output::csv_cell(x + "'");
    for (std::size_t i = 1; i <= constraints_; ++i) header_ += ",lambda" + std::to_string(i);
    header_ += ",E,residual";
    for (const std::string& output : system->output_columns()) header_ += "," + output::csv_cell(output);
    for (const std::string& x : variation_columns(system, variations)) header_ += "," + output::csv_cell(x);
    header_ += "\n";
    outputs_ = system->output_columns().size();
  }

  ~CsvFile() override {
    try {
      if (file_ >= 0) flush();
    } catch (const Error&) {  // whoever wanted to know has called finish
    }
    if (file_ > STDERR_FILENO) close(file_);
  }
  CsvFile(const CsvFile&) = delete;
  CsvFile& operator=(const CsvFile&) = delete;

  void sample(const MotionPoint& point) override {
    if (file_ < 0) begin();
    append(point.t);
    for (const double x : point.q) append(x);
    for (const double x : point.v) append(x);
    for (std::size_t i = 0; i < constraints_; ++i) append(i < point.multipliers.size() ? point.multipliers[i] : NAN);
    append(point.E);
    append(point.residual);
    for (std::size_t i = 0; i < outputs_; ++i) append(i < point.outputs.size() ? point.outputs[i] : NAN);
    for (const double x : point.variations) append(x);
    buffer_.back() = '\n';
    // Whole lines only, at the latest after a second: whoever ends the program finds no broken line.
    if (buffer_.size() > 1 << 16 || (++since_look_ % 64 == 0 && Clock::now() - flushed_ > std::chrono::seconds(1)))
      flush();
  }

  void finish(const MotionSummary&) override {
    if (file_ < 0) begin();
    flush();
    const int file = std::exchange(file_, -1);
    if (file > STDERR_FILENO && close(file) != 0) output::refuse(path_, errno);
  }

 private:
  using Clock = std::chrono::steady_clock;

  void begin() {
    if (target_) {
      file_ = output::open_existing(path_, O_TRUNC);
      target_->claim();
    } else {
      file_ = STDOUT_FILENO;
    }
    buffer_ = header_;
    flush();
  }

  // With a comma behind it. What is not finite is no value.
  void append(double value) {
    if (std::isfinite(value)) {
      char text[32];
      const auto end = std::to_chars(text, text + sizeof text, value + 0.0);
      buffer_.append(text, end.ptr);
    }
    buffer_ += ',';
  }

  void flush() {
    std::size_t done = 0;
    while (done < buffer_.size()) {
      const ssize_t n = write(file_, buffer_.data() + done, buffer_.size() - done);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) {
        const int problem = errno;
        cut_after_line(done);
        buffer_.clear();
        output::refuse(path_ == "-" ? "standard output" : path_, problem);
      }
      done += static_cast<std::size_t>(n);
    }
    buffer_.clear();
    flushed_ = Clock::now();
  }

  // Of a file on disk: so many bytes of the buffer were written, and the last line of them is perhaps a part of one.
  void cut_after_line(std::size_t written) {
    struct stat status {};
    if (fstat(file_, &status) != 0 || !S_ISREG(status.st_mode)) return;
    const std::size_t line = written == 0 ? std::string::npos : buffer_.rfind('\n', written - 1);
    const std::size_t broken = written - (line == std::string::npos ? 0 : line + 1);
    const off_t end = lseek(file_, 0, SEEK_CUR) - static_cast<off_t>(broken);
    if (broken == 0 || end < 0 || ftruncate(file_, end) != 0) return;
    lseek(file_, end, SEEK_SET);
  }

  std::string path_, header_, buffer_;
  std::size_t constraints_, outputs_ = 0, since_look_ = 0;
  std::optional<output::Target> target_;
  int file_ = -1;
  Clock::time_point flushed_;
};

}  // namespace

std::unique_ptr<MotionFile> open_csv(const System& system, const std::string& path,
                                     const std::vector<std::string>& variations) {
  return std::make_unique<CsvFile>(system, path, variations);
}

}  // namespace cetaev
