// What tests of motions share: who listens to them, which models, for how long.
#pragma once

#include <string>
#include <vector>

#include "cetaev/integrate/motion.hpp"
#include "cetaev/model/read.hpp"

namespace cetaev {

class Keeper : public Recorder {
 public:
  struct Point {
    double t, E, residual;
    std::vector<double> q, v, multipliers;
  };
  void sample(const MotionPoint& p) override { points.push_back(copy(p)); }
  void event(std::size_t number, const MotionPoint& p) override {
    events.push_back(number);
    event_points.push_back(copy(p));
  }
  static Point copy(const MotionPoint& p) {
    return {p.t,
            p.E,
            p.residual,
            {p.q.begin(), p.q.end()},
            {p.v.begin(), p.v.end()},
            {p.multipliers.begin(), p.multipliers.end()}};
  }
  std::vector<Point> points, event_points;
  std::vector<std::size_t> events;
};

class Silent : public Recorder {
 public:
  void sample(const MotionPoint&) override {}
};

inline MotionSummary run_text(const std::string& model, const MotionOptions& options) {
  Silent nobody;
  return run_motion(read_model(model, "model.toml"), options, nobody);
}

inline System gallery_model(const std::string& name, const std::vector<std::string>& settings = {}) {
  return read_model_file(std::string(CETAEV_SOURCE_DIR) + "/gallery/" + name + ".toml", settings);
}

inline MotionOptions until(double t_end, std::size_t samples = 101) {
  MotionOptions options;
  options.t_end = t_end;
  options.samples = samples;
  options.cache = false;
  return options;
}

inline MotionOptions until(double t_end, Method method) {
  MotionOptions options = until(t_end);
  options.method = method;
  return options;
}

inline const std::vector<Method> methods = {Method::taylor, Method::dop853, Method::adams, Method::bdf};
// What each can be held to, relative to the size of the motion.
inline double accuracy(Method method) {
  return method == Method::taylor ? 1e-12 : method == Method::dop853 ? 1e-11 : method == Method::adams ? 1e-8 : 1e-6;
}

}  // namespace cetaev
