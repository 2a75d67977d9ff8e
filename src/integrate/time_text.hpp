// Times in messages.
#pragma once

#include <fmt/format.h>

#include <string>

namespace cetaev {

// "t = 0.6666666667", with as many digits as the summary of a motion.
inline std::string time_text(double t) { return fmt::format("t = {:.10g}", t + 0.0); }

}  // namespace cetaev
