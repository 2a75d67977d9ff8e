#include "apart.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>

#include "cetaev/error.hpp"

namespace cetaev::output {

namespace {

// What the system allows anyway is not raised.
void limit_to(__rlimit_resource_t resource, rlim_t soft, rlim_t hard) {
  rlimit now{};
  if (getrlimit(resource, &now) != 0) return;
  const rlimit limit = {std::min(soft, now.rlim_max), std::min(hard, now.rlim_max)};
  setrlimit(resource, &limit);
}

// Of the address space that is mapped.
std::size_t bytes_in_use() {
  unsigned long pages = 0;
  if (std::FILE* const file = std::fopen("/proc/self/statm", "re")) {
    if (std::fscanf(file, "%lu", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

void confine(const Apart::Limits& limits) {
  if (const std::size_t now = bytes_in_use(); now > 0) limit_to(RLIMIT_AS, now + limits.memory, now + limits.memory);
  limit_to(RLIMIT_CPU, limits.seconds, limits.seconds + 1);
  limit_to(RLIMIT_CORE, 0, 0);
  limit_to(RLIMIT_FSIZE, 0, 0);
}

constexpr int pipe_place = STDERR_FILENO + 1;
constexpr char ready = 'r';  // what comes first

// Files of this process are no business of its copy: one that is closed here stays locked as long as it is open there. And what the
// copy says while it dies is no message of ours.
void leave_files(int pipe) {
  const int nothing = open("/dev/null", O_RDWR);
  // beyond the places that are taken now
  pipe = fcntl(pipe, F_DUPFD, pipe_place + 1);
  for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nothing, file);
  dup2(pipe, pipe_place);
  if (close_range(pipe_place + 1, ~0U, 0) == 0) return;
  for (int file = pipe_place + 1; file < sysconf(_SC_OPEN_MAX); ++file) close(file);
}

}  // namespace

void ApartPipe::write(const void* from, std::size_t size) const {
  const auto* p = static_cast<const char*>(from);
  while (size > 0) {
    const ssize_t n = ::write(file_, p, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) _exit(1);
    p += n;
    size -= static_cast<std::size_t>(n);
  }
}

Apart::Apart(const Limits& limits, const std::function<void(const ApartPipe&)>& work) : silence_(limits.silence) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw Error(ErrorCode::out_of_memory, "the system has no pipe left");
  process_ = fork();
  if (process_ == 0) {
    int status = 1;
    try {
      leave_files(ends[1]);
      confine(limits);
      const ApartPipe pipe(pipe_place);
      pipe.write(&ready, sizeof ready);
      work(pipe);
      status = 0;
    } catch (...) {
    }
    _exit(status);
  }
  close(ends[1]);
  file_ = ends[0];
  if (process_ < 0) {
    close(file_);
    throw Error(ErrorCode::out_of_memory, "the system has no process left");
  }
  char first = 0;
  (void)read(&first, sizeof first);  // whoever has not come so far says nothing later, either
}

Apart::~Apart() {
  close(file_);
  // Where the program leaves its children to the system there is nothing to wait for, and nobody to be ended by that number.
  if (waitpid(process_, nullptr, WNOHANG) != 0) return;
  kill(process_, SIGKILL);
  while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

bool Apart::read(void* to, std::size_t size) {
  auto* p = static_cast<char*>(to);
  while (size > 0) {
    pollfd wait = {file_, POLLIN, 0};
    const int heard = poll(&wait, 1, static_cast<int>(std::chrono::milliseconds(silence_).count()));
    if (heard < 0 && errno == EINTR) continue;
    if (heard <= 0) return false;
    const ssize_t n = ::read(file_, p, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    p += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

}  // namespace cetaev::output
