// Work that is worth so much and no more: it is given up where it takes longer, counted and not timed.
//
//   Patience patience(1e5);
//   if (!patience.with([&] { better = algebra(); })) …  // it would have taken more
#pragma once

namespace cetaev {

class Patience;

// Thrown where a patience has come to its end, as Interrupted is: no std::exception, and what was asked stays without an answer.
struct OutOfPatience {
  const Patience* whose;
};

// In the units of may_end_here(), which is where it is counted; of the thread that has it.
class Patience {
 public:
  explicit Patience(double units) : left_(units) {}
  Patience(const Patience&) = delete;
  Patience& operator=(const Patience&) = delete;

  // Does the work, as far as it goes; one within another has no more than that.
  template <class Work>
  bool with(const Work& work) {
    const Here here(*this);
    try {
      work();
      return true;
    } catch (const OutOfPatience& end) {
      if (end.whose != this) throw;  // that of somebody around
      return false;
    }
  }
  // Of the patience that work of this thread is done with, if any.
  static void spend(double units);

 private:
  class Here {
   public:
    explicit Here(Patience& patience);
    ~Here();
    Here(const Here&) = delete;
    Here& operator=(const Here&) = delete;

   private:
    Patience* before_;
  };

  double left_;
  Patience* around_ = nullptr;
};

}  // namespace cetaev
