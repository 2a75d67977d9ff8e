// What happens beside a motion, for people and for programs: what `cetaev lyapunov` and `cetaev periodic` print.
#pragma once

#include <string>

#include "cetaev/model/system.hpp"
#include "cetaev/output/read_motion.hpp"
#include "cetaev/stability/chaos.hpp"
#include "cetaev/stability/continuation.hpp"
#include "cetaev/stability/periodic.hpp"

namespace cetaev {

std::string to_text(const System& system, const LyapunovSpectrum& found);
std::string to_json(const System& system, const LyapunovSpectrum& found);
std::string to_text(const System& system, const PeriodicMotion& found);
std::string to_json(const System& system, const PeriodicMotion& found);
std::string to_text(const System& system, const PeriodicBranch& branch);
std::string to_json(const System& system, const PeriodicBranch& branch);
// In words.
const char* meaning(PeriodicBranch::Kind kind);
// A line for each point: the value, the period, E, the first state, least and largest values of coordinates, multipliers, whether it is stable (1, 0, or nothing) and
// what happens there.
std::string to_csv(const System& system, const PeriodicBranch& branch);
// The same in FILE.h5, as files of sweeps are: the input is the value; where something happens is the attribute `critical`. Throws cannot-write.
void write_branch(const System& system, const PeriodicBranch& branch, const std::string& path);
// The branch as a figure would show it: the largest value of every coordinate that comes back, apart where it is stable, unstable and undecided.
MotionTable to_table(const System& system, const PeriodicBranch& branch);

}  // namespace cetaev
