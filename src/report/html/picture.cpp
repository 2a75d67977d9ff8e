// The motion as a still picture: the paths, and the system at a few instants, the later the stronger.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "../mathml.hpp"
#include "scene.hpp"

namespace cetaev {

namespace {

using Place = std::array<double, 2>;

class Picture {
 public:
  Picture(const Scene& scene, const Frames& frames, bool small)
      : scene_(scene), frames_(frames), eye_(scene.eye(frames)), small_(small) {
    fit();
  }

  std::string svg(const std::string& name) {
    std::string text =
        fmt::format("<svg class=\"picture\" viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" aria-label=\"{}\">", width_,
                    height_, html_text(name));
    const Stage& stage = scene_.stage();
    for (std::size_t i = 0; i < stage.traces.size(); ++i) text += trace(stage.traces[i].at, i);
    const std::size_t last = frames_.size() - 1;
    const std::size_t ghosts = small_ ? 3 : 8;
    std::size_t before = last + 1;
    for (std::size_t k = 0; k <= ghosts; ++k) {
      const std::size_t frame = last * k / ghosts;
      if (frame == before) continue;
      before = frame;
      const double strength = k == ghosts ? 1 : 0.12 + 0.3 * static_cast<double>(k) / static_cast<double>(ghosts);
      text += fmt::format("<g opacity=\"{:.2f}\">{}</g>", strength, system(frame, k == ghosts));
    }
    return text + "</svg>";
  }

 private:
  void take(const Vector3& p, double around) {
    const Place s = eye_(p);
    for (std::size_t i = 0; i < 2; ++i) {
      least_[i] = std::min(least_[i], s[i] - around);
      most_[i] = std::max(most_[i], s[i] + around);
    }
  }

  void fit() {
    const Stage& stage = scene_.stage();
    for (std::size_t f = 0; f < frames_.size(); ++f) {
      for (const Stage::Mark& mark : stage.points) take(frames_.vector(mark.at, f), 0);
      for (const Stage::Mark& mark : stage.traces) take(frames_.vector(mark.at, f), 0);
      for (const auto& link : stage.links)
        for (const std::size_t place : link) take(frames_.vector(place, f), 0);
      for (const Stage::Blade& blade : stage.blades) take(frames_.vector(blade.at, f), 0);
      for (const Stage::Wheel& wheel : stage.wheels)
        take(frames_.vector(wheel.at, f), std::abs(frames_.numbers[wheel.radius][f]));
      for (const Stage::Ball& ball : stage.balls)
        take(frames_.vector(ball.at, f), std::abs(frames_.numbers[ball.radius][f]));
    }
    width_ = small_ ? 320 : 960;
    height_ = small_ ? 200 : 460;
    const double edge = small_ ? 18 : 44;
    const double span_x = most_[0] - least_[0], span_y = most_[1] - least_[1];
    const double largest = std::max({span_x, span_y, 1e-300});
    scale_ = std::min((width_ - 2 * edge) / std::max(span_x, 1e-9 * largest),
                      (height_ - 2 * edge) / std::max(span_y, 1e-9 * largest));
    if (!(largest > 1e-290)) scale_ = 1;
    // A blade is shorter than what carries it.
    blade_ = 0.035 * largest;
    for (const auto& link : stage.links)
      for (std::size_t i = 1; i < link.size(); ++i)
        blade_ = std::min(blade_, 0.3 * length(plus(frames_.vector(link[i], 0), -1, frames_.vector(link[i - 1], 0))));
    blade_ = std::max(blade_, (small_ ? 4 : 6) / scale_);
  }

  Place at(const Vector3& p) const {
    const Place s = eye_(p);
    return {width_ / 2 + scale_ * (s[0] - (least_[0] + most_[0]) / 2),
            height_ / 2 - scale_ * (s[1] - (least_[1] + most_[1]) / 2)};
  }

  std::string trace(std::size_t which, std::size_t number) const {
    std::string d;
    Place last{}, before{};
    const std::size_t count = frames_.size();
    for (std::size_t f = 0; f < count; ++f) {
      const Place p = at(frames_.vector(which, f));
      const double step = f == 0 ? 0 : std::hypot(p[0] - before[0], p[1] - before[1]);
      if (step > 5) {
        // Long enough to be seen: a cubic with the slopes of its neighbours.
        const Place a = at(frames_.vector(which, f < 2 ? 0 : f - 2)),
                    b = at(frames_.vector(which, std::min(f + 1, count - 1)));
        d += fmt::format("C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}", before[0] + (p[0] - a[0]) / 6,
                         before[1] + (p[1] - a[1]) / 6, p[0] - (b[0] - before[0]) / 6, p[1] - (b[1] - before[1]) / 6,
                         p[0], p[1]);
        last = p;
      } else if (f == 0 || f + 1 == count || std::hypot(p[0] - last[0], p[1] - last[1]) >= 0.6) {
        d += fmt::format("{}{:.1f} {:.1f}", f == 0 ? "M" : "L", p[0], p[1]);
        last = p;
      }
      before = p;
    }
    return fmt::format("<path class=\"trace c{}\" d=\"{}\"/>", number % 6, d);
  }

  static Vector3 plus(const Vector3& a, double s, const Vector3& b) {
    return {a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]};
  }
  static double length(const Vector3& a) { return std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]); }

  std::string line(const Place& a, const Place& b, const char* kind) const {
    return fmt::format("<path class=\"{}\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"/>", kind, a[0], a[1], b[0], b[1]);
  }

  std::string wheel(const Stage::Wheel& wheel, std::size_t f) const {
    const Vector3 centre = frames_.vector(wheel.at, f), axle = frames_.vector(wheel.axle, f);
    const double radius = std::abs(frames_.numbers[wheel.radius][f]);
    const double size = length(axle);
    if (!(size > 0)) return {};
    // Two directions across the axle.
    Vector3 u = std::abs(axle[2]) < 0.9 * size ? Vector3{-axle[1], axle[0], 0} : Vector3{axle[2], 0, -axle[0]};
    const double norm = length(u);
    for (double& x : u) x /= norm;
    const Vector3 w = {(axle[1] * u[2] - axle[2] * u[1]) / size, (axle[2] * u[0] - axle[0] * u[2]) / size,
                       (axle[0] * u[1] - axle[1] * u[0]) / size};
    std::string d;
    constexpr int corners = 40;
    for (int k = 0; k < corners; ++k) {
      const double angle = 2 * M_PI * k / corners;
      const Place p = at(plus(plus(centre, radius * std::cos(angle), u), radius * std::sin(angle), w));
      d += fmt::format("{}{:.1f} {:.1f}", k == 0 ? "M" : "L", p[0], p[1]);
    }
    std::string text = fmt::format("<path class=\"wheel\" d=\"{}Z\"/>", d);
    if (wheel.spoke) {
      const Vector3 spoke = frames_.vector(*wheel.spoke, f);
      const double spoke_length = length(spoke);
      if (spoke_length > 0) text += line(at(centre), at(plus(centre, radius / spoke_length, spoke)), "spoke");
    }
    return text;
  }

  std::string system(std::size_t f, bool labels) const {
    const Stage& stage = scene_.stage();
    std::string text;
    for (const Stage::Wheel& w : stage.wheels) text += wheel(w, f);
    for (const Stage::Ball& ball : stage.balls) {
      const Place p = at(frames_.vector(ball.at, f));
      text += fmt::format("<circle class=\"ball\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\"/>", p[0], p[1],
                          std::max(2.0, scale_ * std::abs(frames_.numbers[ball.radius][f])));
    }
    for (const auto& link : stage.links)
      for (std::size_t i = 1; i < link.size(); ++i)
        text += line(at(frames_.vector(link[i - 1], f)), at(frames_.vector(link[i], f)), "link");
    for (const Stage::Blade& blade : stage.blades) {
      const Vector3 along = frames_.vector(blade.along, f), centre = frames_.vector(blade.at, f);
      const double size = length(along);
      if (size > 0)
        text += line(at(plus(centre, -blade_ / size, along)), at(plus(centre, blade_ / size, along)), "blade");
    }
    for (std::size_t i = 0; i < stage.points.size(); ++i) {
      const Place p = at(frames_.vector(stage.points[i].at, f));
      text +=
          fmt::format("<circle class=\"point\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"/>", p[0], p[1], small_ ? 3.5 : 5.0);
      if (labels && !small_ && !stage.points[i].label.empty())
        text += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", p[0] + 9, p[1] - 8,
                            html_text(stage.points[i].label));
    }
    return text;
  }

  const Scene& scene_;
  const Frames& frames_;
  Scene::Eye eye_;
  bool small_;
  Place least_ = {INFINITY, INFINITY}, most_ = {-INFINITY, -INFINITY};
  double width_ = 0, height_ = 0, scale_ = 1, blade_ = 1;
};

}  // namespace

std::string picture_svg(const Scene& scene, const Frames& frames, const std::string& name, bool small) {
  if (frames.size() == 0 || scene.empty()) return {};
  return Picture(scene, frames, small).svg(name);
}

}  // namespace cetaev
