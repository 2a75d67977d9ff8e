// Inverse dynamics: the forces that make a system follow a motion. What `cetaev inverse` answers.
//
// A motion f(q) = g(t) to be followed is a constraint of order 0, and the force that keeps it is its multiplier: with f = q_i the
// generalized force along q_i, with f a place the force on what is there. What is not prescribed moves by itself.
#pragma once

#include <string>
#include <vector>

#include "cetaev/integrate/motion.hpp"
#include "cetaev/output/read_motion.hpp"
#include "cetaev/output/samples.hpp"

namespace cetaev {

// What follows one scalar equation of the motion.
struct Drive {
  std::string name;                  // the left side of the equation: "q1", "hand.x"
  std::string motion;                // the equation, or the file
  std::vector<double> force, power;  // λ and λ ∂f/∂q·v, sample by sample
  double work = 0;  // ∫ λ ∂f/∂q·v dt along the motion; of a file by polynomials through its samples
};

struct InverseDynamics {
  Samples samples;
  std::vector<Drive> drives;
  MotionSummary
      summary;  // of the integration that found the rest of the motion; of a file its last state and the residual
  std::vector<std::string> notes;
};

// Of a system that was read with ModelChanges::along, under d'Alembert–Lagrange whatever form the options name. Throws bad-model where nothing
// is to be followed, inconsistent-initial-state where the constraints of the model do not admit the motion at its start.
InverseDynamics inverse_dynamics(const System& driven, const MotionOptions& options);

// Along a motion of all coordinates that was written to a file: columns t and coordinates, velocities too where it has them. Every coordinate
// is driven, by the least forces that the constraints of the model leave to give. Throws bad-model where a column is missing, and
// inconsistent-initial-state where its states leave the constraints by more than those of a motion of this tolerance may.
InverseDynamics inverse_dynamics(const System& system, const MotionTable& motion, const std::string& file,
                                 double tolerance = MotionOptions().tolerance);

}  // namespace cetaev
