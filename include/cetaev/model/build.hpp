// Systems written in C++ instead of in a file.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cetaev/model/system.hpp"

namespace cetaev {

// What of a body touches, as [[contacts]] has it; lengths are expressions.
struct ContactShape {
  static ContactShape wheel(std::string_view radius, std::string_view axle);
  static ContactShape tyre(std::string_view radius, std::string_view crown, std::string_view axle);
  static ContactShape ball(std::string_view radius);
  static ContactShape ellipsoid(const std::vector<std::string>& axes, std::string_view centre = "[0, 0, 0]");

  std::string text;  // as it stands in the file
};

// What it touches: the plane z = 0 of the ground, one with a point and a normal, or the plane z = 0 of a frame that moves with it.
struct ContactGround {
  static ContactGround plane(std::string_view point, std::string_view normal);
  static ContactGround frame(std::string_view frame, std::string_view point);

  std::string text = "\"ground\"";
};

// Takes the language of model files (docs/reference/model.md) piece by piece:
//
//   const System skate = SystemBuilder()
//                            .coordinates({"x", "y", "phi"})
//                            .lagrangian("m/2*(x'^2 + y'^2) + J/2*phi'^2 + m*g*x*sin(slope)")
//                            .constraint("x'*sin(phi) - y'*cos(phi) = 0")
//                            .parameter("m", 1).parameter("J", 1).parameter("g", 9.81).parameter("slope", "pi/6")
//                            .initial("phi'", 1.3)
//                            .build();
//
// Numbers are taken as they are, to the last bit. Nothing is checked before build().
class SystemBuilder {
 public:
  SystemBuilder& name(std::string_view name);
  SystemBuilder& coordinates(const std::vector<std::string>& names);
  SystemBuilder& lagrangian(std::string_view expression);
  SystemBuilder& kinetic(std::string_view expression);
  SystemBuilder& potential(std::string_view expression);
  SystemBuilder& constraint(std::string_view equation);
  SystemBuilder& dependent(const std::vector<std::string>& coordinates);
  SystemBuilder& auxiliary(std::string_view expression);
  // A of mvm1: its rows, or the name of a point of view.
  SystemBuilder& transpositional(const std::vector<std::vector<std::string>>& rows);
  SystemBuilder& transpositional_view(std::string_view name);
  SystemBuilder& point(std::string_view name, std::string_view mass, const std::vector<std::string>& position);
  // Bodies: docs/reference/model.md, "Bodies".
  SystemBuilder& gravity(const std::vector<std::string>& components);
  SystemBuilder& frame(std::string_view name, std::string_view turns);
  SystemBuilder& frame(std::string_view name, std::string_view from, std::string_view axis, std::string_view angle);
  // With three moments of inertia, or six entries of the matrix: xx, yy, zz, xy, yz, xz.
  SystemBuilder& body(std::string_view name, std::string_view frame, std::string_view mass, std::string_view centre,
                      const std::vector<std::string>& inertia);
  // Of even density: {"ball", {"r"}}, {"cylinder", {"r", "h"}, "z"}.
  struct Uniform {
    std::string shape;
    std::vector<std::string> lengths;
    std::string axis = {};
  };
  SystemBuilder& body(std::string_view name, std::string_view frame, std::string_view mass, std::string_view centre,
                      const Uniform& uniform);
  SystemBuilder& contact(std::string_view name, std::string_view body, const ContactShape& shape,
                         const ContactGround& on = {}, std::string_view kind = "rolling");
  SystemBuilder& spring(std::string_view from, std::string_view to, std::string_view stiffness,
                        std::string_view length = "0", std::string_view damping = "0", std::string_view name = "");
  // At a place that moves with the coordinates, or on the material of a body that is there; "" for neither.
  SystemBuilder& load(std::string_view force, std::string_view at, std::string_view on = "",
                      std::string_view against = "", std::string_view name = "");
  SystemBuilder& torque(std::string_view torque, std::string_view on, std::string_view against = "ground",
                        std::string_view name = "");
  // Rayleigh's function.
  SystemBuilder& dissipation(std::string_view expression);
  SystemBuilder& output(std::string_view name, std::string_view expression);
  SystemBuilder& unit(std::string_view name, std::string_view unit);
  SystemBuilder& definition(std::string_view name, std::string_view expression);
  SystemBuilder& parameter(std::string_view name, double value);
  SystemBuilder& parameter(std::string_view name, std::string_view expression);
  SystemBuilder& force(std::string_view coordinate, std::string_view expression);
  SystemBuilder& quasi_velocity(std::string_view name, std::string_view expression);
  SystemBuilder& integral(std::string_view name, std::string_view expression);
  // A coordinate as a function of t, from the initial state on.
  SystemBuilder& closed_form(std::string_view coordinate, std::string_view expression);
  SystemBuilder& event(std::string_view name, std::string_view when, int direction = 0, bool stop = false);
  // x, x' or t
  SystemBuilder& initial(std::string_view name, double value);
  SystemBuilder& initial(std::string_view name, std::string_view expression);
  // Multipliers: λ of the state, one for each scalar constraint, and λ⁰ of the auxiliary functions, one for each.
  SystemBuilder& lambda(const std::vector<double>& values);
  SystemBuilder& lambda0(const std::vector<double>& values);

  // The model file that says the same.
  std::string text() const;
  // Throws as read_model, with places in text().
  System build() const;

 private:
  using Entries = std::vector<std::pair<std::string, std::string>>;  // key and value as they stand in the file
  Entries top_, parameters_, definitions_, forces_, quasi_velocities_, integrals_, closed_form_, events_, initial_;
  Entries frames_, outputs_, units_;
  std::vector<std::string> constraints_, auxiliary_, points_, bodies_, contacts_, springs_, loads_;
};

}  // namespace cetaev
