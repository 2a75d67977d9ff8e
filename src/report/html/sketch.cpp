#include "sketch.hpp"

#include <algorithm>
#include <cmath>

#include "cetaev/detail/text/utf8.hpp"

namespace cetaev {

namespace {

// Two by four dots in every character.
class Braille {
 public:
  Braille(std::size_t columns, std::size_t lines) : columns_(columns), cells_(columns * lines, 0) {}

  long width() const { return static_cast<long>(2 * columns_); }
  long height() const { return static_cast<long>(4 * (cells_.size() / columns_)); }

  void dot(long x, long y) {
    if (x < 0 || y < 0 || x >= width() || y >= height()) return;
    static constexpr unsigned bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    cells_[static_cast<std::size_t>(y / 4) * columns_ + static_cast<std::size_t>(x / 2)] |= bits[y % 4][x % 2];
  }

  void line(double x0, double y0, double x1, double y1) {
    const double steps = std::ceil(std::max({std::abs(x1 - x0), std::abs(y1 - y0), 1.0}));
    for (double k = 0; k <= steps; ++k)
      dot(std::lround(x0 + (x1 - x0) * k / steps), std::lround(y0 + (y1 - y0) * k / steps));
  }

  std::string text() const {
    std::string result;
    for (std::size_t begin = 0; begin < cells_.size(); begin += columns_) {
      std::size_t end = begin + columns_;
      while (end > begin && cells_[end - 1] == 0) --end;
      result += "  ";
      for (std::size_t i = begin; i < end; ++i) text::append_utf8(result, 0x2800 + cells_[i]);
      result += "\n";
    }
    return result;
  }

 private:
  std::size_t columns_;
  std::vector<unsigned> cells_;
};

}  // namespace

std::string sketch(const Scene& scene, const Frames& frames, std::size_t columns, std::size_t lines) {
  if (frames.size() < 2 || scene.stage().traces.empty()) return {};
  const Scene::Eye eye = scene.eye(frames);
  std::array<double, 2> least = {INFINITY, INFINITY}, most = {-INFINITY, -INFINITY};
  std::vector<std::vector<std::array<double, 2>>> paths;
  for (const Stage::Mark& trace : scene.stage().traces) {
    auto& path = paths.emplace_back();
    for (std::size_t f = 0; f < frames.size(); ++f) {
      path.push_back(eye(frames.vector(trace.at, f)));
      for (std::size_t i = 0; i < 2; ++i) {
        least[i] = std::min(least[i], path.back()[i]);
        most[i] = std::max(most[i], path.back()[i]);
      }
    }
  }
  const double span_x = most[0] - least[0], span_y = most[1] - least[1];
  if (!(std::max(span_x, span_y) > 0)) return {};
  // As many lines as the shape of the path needs.
  const double wanted = span_x > 0 ? span_y / span_x * static_cast<double>(columns) / 2 : static_cast<double>(lines);
  lines = std::clamp<std::size_t>(static_cast<std::size_t>(std::ceil(wanted)), 1, lines);
  Braille grid(columns, lines);
  const double scale = std::min(static_cast<double>(grid.width() - 1) / std::max(span_x, 1e-300),
                                static_cast<double>(grid.height() - 1) / std::max(span_y, 1e-300));
  const auto x = [&](const auto& p) { return scale * (p[0] - least[0]); };
  const auto y = [&](const auto& p) { return scale * (most[1] - p[1]); };
  for (const auto& path : paths)
    for (std::size_t i = 1; i < path.size(); ++i) grid.line(x(path[i - 1]), y(path[i - 1]), x(path[i]), y(path[i]));
  return grid.text();
}

}  // namespace cetaev
