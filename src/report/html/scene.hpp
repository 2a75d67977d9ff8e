// The picture of a motion in numbers: what the model's [view] says, or what suggests itself where it says nothing.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cetaev/model/system.hpp"
#include "cetaev/output/samples.hpp"
#include "cetaev/program/program.hpp"

namespace cetaev {

using Vector3 = std::array<double, 3>;

// What stands still: which vectors and numbers of a frame are what.
struct Stage {
  struct Mark {
    std::string label;
    std::size_t at;
  };
  struct Blade {
    std::size_t at, along;
  };
  struct Wheel {
    std::size_t at, axle, radius;
    std::optional<std::size_t> spoke;
  };
  struct Ball {
    std::size_t at, radius;
  };
  std::vector<Mark> points, traces;
  std::vector<std::vector<std::size_t>> links;
  std::vector<Blade> blades;
  std::vector<Wheel> wheels;
  std::vector<Ball> balls;
  std::string caption;              // what is drawn, where that is not the space of the model
  std::array<std::string, 2> axes;  // names of the directions of such a picture
};

// The frames of one motion. A frame at which something is not finite is left out.
struct Frames {
  std::vector<double> t;
  std::vector<std::vector<double>> vectors;  // each x, y, z of the first frame, of the second, …
  std::vector<std::vector<double>> numbers;
  std::size_t left_out = 0;
  std::size_t size() const { return t.size(); }
  Vector3 vector(std::size_t which, std::size_t frame) const {
    const double* at = vectors[which].data() + 3 * frame;
    return {at[0], at[1], at[2]};
  }
};

class Scene {
 public:
  // `samples` decide what is drawn without a [view]: points at constant distance are joined.
  Scene(const System& system, const Samples& samples);

  const Stage& stage() const { return stage_; }
  Frames frames(const Samples& samples) const;
  bool empty() const {
    return stage_.points.empty() && stage_.traces.empty() && stage_.links.empty() && stage_.wheels.empty();
  }

  // How one looks at it: from above at what stays in a plane z = const.
  struct Eye {
    Vector3 right, up, from;
    bool plane = true;
    std::array<double, 2> operator()(const Vector3& p) const;
    double depth(const Vector3& p) const;
  };
  Eye eye(const Frames& frames) const;

 private:
  std::size_t add(const View::Vector& vector);
  std::size_t add(Expr number);
  void take(const View& view);
  View suggested(const System& system);
  void find_blades(const System& system, View& view) const;
  void join_points(const Frames& frames);

  std::vector<View::Vector> vectors_;
  std::vector<Expr> numbers_;
  Stage stage_;
  std::optional<View::Camera> camera_;
  std::vector<double> parameters_;
  Program program_;
};

// The motion as a still picture: the paths, and the system at a few instants. `name` is what a reader who cannot see it is told.
std::string picture_svg(const Scene& scene, const Frames& frames, const std::string& name, bool small);

}  // namespace cetaev
