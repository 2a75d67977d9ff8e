// The equations of a model at its initial state, in the form in which it is integrated.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cetaev/detail/formulation/multipliers.hpp"
#include "cetaev/formulation/evaluation.hpp"
#include "cetaev/formulation/first_order.hpp"
#include "cetaev/gallery.hpp"
#include "cetaev/model/read.hpp"

namespace cetaev::bench {

class AtStart {
 public:
  explicit AtStart(std::string_view text)
      : work_(read_model(std::string(text), "model")),
        run_(work_.system(), first_order_by_default(work_.setting(), work_.start().at.state)),
        y_(run_.state(work_.start().at.state)),
        parameters_(parameter_values(work_.system())) {}

  const FirstOrderSystem& equations() const { return run_.equations(); }
  const std::vector<double>& y() const { return y_; }
  const std::vector<double>& parameters() const { return parameters_; }
  // y' from y, t, parameters
  Program rates() const {
    const NumberedBlocks systems = equations().needed_for(equations().rates);
    return Program(equations().rates, equations().inputs(), systems.blocks);
  }
  std::vector<double> inputs() const {
    std::vector<double> all = y_;
    all.push_back(0);
    all.insert(all.end(), parameters_.begin(), parameters_.end());
    return all;
  }

 private:
  Groundwork work_;
  FirstOrderProgram run_;
  std::vector<double> y_, parameters_;
};

inline std::string_view gallery_text(std::string_view name) {
  for (const GalleryModel& model : gallery()) {
    if (model.name == name) return model.text;
  }
  return "";
}

inline constexpr std::string_view double_pendulum =
    "name = \"Double pendulum\"\ncoordinates = [\"a\", \"b\"]\n[parameters]\nm = 1\nl = 1\ng = 9.81\n"
    "[[points]]\nname = \"A\"\nmass = \"m\"\nposition = [\"l*sin(a)\", \"-l*cos(a)\", \"0\"]\n"
    "[[points]]\nname = \"B\"\nmass = \"m\"\nposition = [\"A.x + l*sin(b)\", \"A.y - l*cos(b)\", \"0\"]\n"
    "[forces]\n"
    "[initial]\na = 2\nb = 1\n\"a'\" = 0\n\"b'\" = 0\n";

}  // namespace cetaev::bench
