// A planar snake of N links with a blade under the middle of each, as a user would write it.
#pragma once

#include <string>

namespace cetaev::bench {

// Coordinates x, y (the tail) and th1 … thN; N constraints: no link slides sideways.
inline std::string snake_model(int links) {
  const auto number = [](int i) { return std::to_string(i); };
  std::string coordinates = "\"x\", \"y\"";
  std::string kinetic;
  std::string constraints;
  std::string points;
  std::string definitions = "J0 = \"[x, y, 0]\"\n";
  for (int i = 1; i <= links; ++i) {
    const std::string n = number(i);
    coordinates += ", \"th" + n + "\"";
    kinetic += (i > 1 ? " + " : "") + ("th" + n + "'^2");
    constraints += "  \"P" + n + "'.x*sin(th" + n + ") - P" + n + "'.y*cos(th" + n + ") = 0\",\n";
    definitions += "u" + n + " = \"[l*cos(th" + n + "), l*sin(th" + n + "), 0]\"\n";
    definitions += "J" + n + " = \"J" + number(i - 1) + " + u" + n + "\"\n";
    const auto component = [&](const char* c) {
      return "\"J" + number(i - 1) + "." + c + " + u" + n + "." + c + "/2\"";
    };
    points += "[[points]]\nname = \"P" + n + "\"\nmass = \"m\"\nposition = [" + component("x") + ", " + component("y") +
              ", 0]\n";
  }
  return "name = \"Snake of " + number(links) + " links\"\ncoordinates = [" + coordinates + "]\nkinetic = \"I/2*(" +
         kinetic + ")\"\nconstraints = [\n" + constraints +
         "]\n\n[parameters]\nm = 1\nl = 0.2\nI = 0.004\n\n[definitions]\n" + definitions + "\n" + points;
}

}  // namespace cetaev::bench
