#include "progress.hpp"

#include <fmt/format.h>

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

#include "cetaev/detail/text/printable.hpp"

namespace cetaev::app {

namespace {

std::string duration(double seconds) {
  if (seconds < 99.5) return fmt::format("{:.0f} s", std::max(1.0, seconds));
  if (seconds < 99.5 * 60) return fmt::format("{:.0f} min", seconds / 60);
  if (seconds < 99.5 * 3600) return fmt::format("{:.0f} h", seconds / 3600);
  return fmt::format("{:.0f} days", seconds / 86400);
}

volatile std::sig_atomic_t asked_to_stop = 0;
struct sigaction before_interrupt, before_terminate;

void remember(int) { asked_to_stop = 1; }

}  // namespace

Progress::Progress(bool wanted) {
  const char* terminal = std::getenv("TERM");
  wanted_ = wanted && isatty(STDERR_FILENO) == 1 && (terminal == nullptr || std::string(terminal) != "dumb");
}

void Progress::show(double fraction, const std::string& where) {
  if (!wanted_) return;
  const Clock::time_point now = Clock::now();
  // What is over in a moment needs no line.
  if (now - last_ < std::chrono::milliseconds(drawn_ ? 100 : 500)) return;
  last_ = now;
  fraction = std::clamp(fraction, 0.0, 1.0);
  const double spent = std::chrono::duration<double>(now - start_).count();
  constexpr int width = 30;
  const int full = static_cast<int>(std::floor(fraction * width));
  std::string line =
      fmt::format("[{}{}] {:3.0f} %  {}", std::string(static_cast<std::size_t>(full), '#'),
                  std::string(static_cast<std::size_t>(width - full), '.'), 100 * fraction, text::printable(where));
  if (fraction > 0) line += fmt::format("  {} left", duration(spent * (1 - fraction) / fraction));
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1)
    line = line.substr(0, static_cast<std::size_t>(size.ws_col) - 1);
  std::fputs(("\r" + line + "\x1b[K").c_str(), stderr);
  std::fflush(stderr);
  drawn_ = true;
}

void Progress::clear() {
  if (!drawn_) return;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
  drawn_ = false;
}

Interruption::Interruption() {
  asked_to_stop = 0;
  struct sigaction action {};
  action.sa_handler = remember;
  action.sa_flags = SA_RESTART | SA_RESETHAND;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &before_interrupt);
  sigaction(SIGTERM, &action, &before_terminate);
  // A command in the background of a script is started deaf to Ctrl-C and stays so.
  if (before_interrupt.sa_handler == SIG_IGN) sigaction(SIGINT, &before_interrupt, nullptr);
}

Interruption::~Interruption() {
  sigaction(SIGINT, &before_interrupt, nullptr);
  sigaction(SIGTERM, &before_terminate, nullptr);
}

bool Interruption::asked() { return asked_to_stop != 0; }

std::function<bool(double t)> until_interrupted(Progress& progress, double t_end) {
  return [&progress, t_end, start = std::optional<double>()](double t) mutable {
    if (!start) start = t;
    progress.show((t - *start) / (t_end - *start), fmt::format("t = {:.6g}", t));
    return !Interruption::asked();
  };
}

}  // namespace cetaev::app
