// How a motion went: what `cetaev run` says.
#pragma once

#include <string>
#include <string_view>

#include "cetaev/integrate/compare_motions.hpp"
#include "cetaev/integrate/motion.hpp"
#include "cetaev/output/samples.hpp"

namespace cetaev {

// What a run keeps beside its summary; absent where it was not asked for.
struct MotionRecord {
  const Samples* trajectory = nullptr;
  const Samples* section = nullptr;
  std::string section_event;
  const EventLog* events = nullptr;
  std::string out;  // the file that was written
};

std::string to_json(const System& system, const MotionSummary& summary, const MotionRecord& record);
std::string to_text(const System& system, const MotionSummary& summary, const MotionRecord& record);
// "finished at t = 10", "stopped at t = 3.2 by the event landing"
std::string how_it_ended(const System& system, const MotionSummary& summary);
// "machine code", "tables", "the interpreter"
std::string_view how_it_was_computed(const MotionSummary& summary);

std::string to_text(const System& system, const MotionComparison& comparison);

// 0, also on the singular set; on `failed` that of the diagnosis.
int exit_code(const MotionSummary& summary);

}  // namespace cetaev
