// Work that somebody may end: derivations, checks, whatever takes a while.
//
//   std::atomic<bool> enough = false;  // set by somebody else
//   const Interruptible here([&] { return enough.load(); });
//   try { bench.check(); } catch (const Interrupted&) { … }
//
// What was asked stays without an answer, and whoever asks again gets the one there would have been.
#pragma once

#include <atomic>
#include <functional>

namespace cetaev {

// Thrown where work is ended. No std::exception: nobody who deals with what went wrong takes it for that.
struct Interrupted {};

// As long as it lives the work of its thread may be ended; one within another takes its place meanwhile.
class Interruptible {
 public:
  // Asked now and then; true ends the work. Also by the threads that help with it, one of them or several at a time.
  explicit Interruptible(std::function<bool()> enough);
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;

  // That of the calling thread; null where its work cannot be ended.
  static Interruptible* current();

  // In a thread that helps: the work of the thread that has `helped`, which lives longer. Null: nobody ends it.
  class Helper {
   public:
    explicit Helper(Interruptible* helped);
    ~Helper();
    Helper(const Helper&) = delete;
    Helper& operator=(const Helper&) = delete;

   private:
    Interruptible* before_;
  };

  // Throws Interrupted once there is enough.
  void look();

 private:
  std::function<bool()> enough_;
  std::atomic<bool> ended_ = false;
  Interruptible* before_;
};

// Where work is done, before it: throws Interrupted where it is to end. A unit is about the making of one node of an expression, and the
// question is put once in some hundreds of them.
void may_end_here(double units = 1);

}  // namespace cetaev
