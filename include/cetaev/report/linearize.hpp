// A linearisation for people and for programs: what `cetaev linearize` prints.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "cetaev/model/system.hpp"
#include "cetaev/output/read_motion.hpp"
#include "cetaev/stability/chart.hpp"

namespace cetaev {

std::string to_text(const System& system, const Linearization& found, const std::optional<VariedSpectrum>& varied = {},
                    const std::optional<StabilityChart>& chart = {});
std::string to_json(const System& system, const Linearization& found, const std::optional<VariedSpectrum>& varied = {},
                    const std::optional<StabilityChart>& chart = {});
// What moves in a mode and how far, as "steer 1, lean 0.42 (112° behind)"; names may be spelled otherwise.
std::string mode_parts(const Mode& mode, const std::function<std::string(const std::string&)>& name = {});
// The combination F of constants that has no first variation, and half of its second one written out: two lines.
std::string form_lines(const DefiniteForm& form);
// In words.
const char* meaning(VariedSpectrum::Critical::Kind kind);
// A line for each value: it, and the real and imaginary parts of all eigenvalues.
std::string to_csv(const VariedSpectrum& varied);
// The same in FILE.h5, as files of sweeps are: the input is the value, outputs are re1, im1, …; critical values are the attribute `critical`. Throws
// cannot-write.
void write_spectrum(const System& system, const VariedSpectrum& varied, const std::string& path);
// The root locus as a figure would show it: real parts, and imaginary parts that are positive somewhere.
MotionTable to_table(const VariedSpectrum& varied);

}  // namespace cetaev
