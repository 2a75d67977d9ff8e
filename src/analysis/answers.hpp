// Questions that were asked, each with its answer.
#pragma once

#include <chrono>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

#include "cetaev/interruption.hpp"

namespace cetaev {

// An answer is found by the first who asks; others who ask the same meanwhile wait for it, other questions do not. Where finding it
// throws there is none, and the next one to ask tries again. Whoever waits may be interrupted.
template <typename Question, typename Answer>
class Answers {
 public:
  template <typename Find>
  const Answer& operator()(const Question& question, Find find) {
    Entry& entry = about(question);
    std::unique_lock lock(entry.mutex, std::defer_lock);
    while (!lock.try_lock_for(std::chrono::milliseconds(50)))
      if (Interruptible* here = Interruptible::current()) here->look();
    if (!entry.answer) entry.answer.emplace(find());
    return *entry.answer;
  }

 private:
  struct Entry {
    explicit Entry(const Question& asked) : question(asked) {}
    Question question;
    std::timed_mutex mutex;
    std::optional<Answer> answer;
  };

  Entry& about(const Question& question) {
    const std::lock_guard lock(mutex_);
    for (Entry& entry : entries_)
      if (entry.question == question) return entry;
    return entries_.emplace_back(question);
  }

  std::mutex mutex_;
  std::deque<Entry> entries_;  // which keeps its elements where they are
};

}  // namespace cetaev
