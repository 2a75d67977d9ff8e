// How far a long command is, for those who wait at a terminal; and their wish to stop it.
#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace cetaev::app {

// A line on stderr that is drawn anew now and then and gone in the end. Nothing at all where stderr is no terminal.
class Progress {
 public:
  explicit Progress(bool wanted);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // From 0 to 1; `where` says what has been reached: "t = 3.2".
  void show(double fraction, const std::string& where);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  bool wanted_, drawn_ = false;
  Clock::time_point start_ = Clock::now(), last_ = start_;
};

// While it lives, the first Ctrl-C (or SIGTERM) is only remembered; the second ends the program as usual.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  static bool asked();
};

// What a motion asks now and then: shows the time that it has reached, and says no once somebody has asked to stop. The progress must outlive it.
std::function<bool(double t)> until_interrupted(Progress& progress, double t_end);

}  // namespace cetaev::app
