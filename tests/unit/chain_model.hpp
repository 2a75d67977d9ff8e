// A chain of bodies that hang on each other, as a model file.
#pragma once

#include <string>

namespace cetaev {

// N links, each turned about an axis of the one before: y, z, x, y, …
inline std::string chain_model(int N, const std::string& last_mass = "1.5",
                               const std::string& last_inertia = "[0.02, 0.03, 0.04]") {
  std::string coordinates, frames, places, bodies, initial;
  for (int i = 1; i <= N; ++i) {
    const std::string k = std::to_string(i), before = std::to_string(i - 1);
    coordinates += (i > 1 ? ", \"q" : "\"q") + k + "\"";
    frames += "f" + k + " = \"" + (i > 1 ? "f" + before + ", " : "") + "xyz"[i % 3] + " q" + k + "\"\n";
    const std::string start = i > 1 ? "p" + before + " + " : "";
    places += "p" + k + " = \"" + start + "f" + k + "([0.1, 0.05, -0.4])\"\n";
    bodies += "[[bodies]]\nname = \"b" + k + "\"\nframe = \"f" + k + "\"\nmass = " + (i < N ? "1.5" : last_mass) +
              "\ncentre = \"" + start + "f" + k +
              "([0.05, 0.02, -0.2])\"\ninertia = " + (i < N ? "[0.02, 0.03, 0.04]" : last_inertia) + "\n";
    initial += "q" + k + " = " + std::to_string(0.1 + 0.03 * (i % 7)) + "\n\"q" + k +
               "'\" = " + std::to_string(0.2 - 0.05 * (i % 5)) + "\n";
  }
  return "coordinates = [" + coordinates + "]\ngravity = [\"0\", \"0\", \"-9.81\"]\n[frames]\n" + frames +
         "[definitions]\n" + places + bodies + "[initial]\n" + initial;
}

}  // namespace cetaev
