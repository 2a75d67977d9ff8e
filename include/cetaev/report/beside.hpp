// What happens beside a motion, for people and for programs: what `cetaev lyapunov` and `cetaev periodic` print.
#pragma once

#include <string>

#include "cetaev/model/system.hpp"
#include "cetaev/stability/chaos.hpp"
#include "cetaev/stability/periodic.hpp"

namespace cetaev {

std::string to_text(const System& system, const LyapunovSpectrum& found);
std::string to_json(const System& system, const LyapunovSpectrum& found);
std::string to_text(const System& system, const PeriodicMotion& found);
std::string to_json(const System& system, const PeriodicMotion& found);

}  // namespace cetaev
