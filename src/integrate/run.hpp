// One motion along a plan: steps, choices of equations on the way, and how it ends.
#pragma once

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "accuracy.hpp"
#include "cetaev/integrate/compiled_motion.hpp"
#include "plan.hpp"
#include "progress.hpp"
#include "recording.hpp"
#include "sizes_seen.hpp"
#include "way.hpp"

namespace cetaev {

// For may_end_here().
inline constexpr double units_of_a_step = 8;

class Run {
 public:
  // With parameters of its own, which the prepared equations of the plan serve (OtherParameters). What comes out is to be relied upon where
  // nothing else was asked of the plan, which knows its own parameters only.
  Run(const MotionPlan& plan, const MotionStart& start, Recorder& recorder, std::size_t samples,
      std::span<const double> parameters = {});
  MotionSummary operator()();
  bool asked_the_plan() const { return asked_; }

 private:
  enum class Next { go_on, prepare, stop };

  // What has the parameters of the plan in it.
  const MotionPlan& ask_the_plan() {
    asked_ = true;
    return plan_;
  }

  // run.cpp: the way
  void follow(std::shared_ptr<const PreparedMotion> prepared, const State& at);
  void require_same_velocities(const State& at);
  void set_out(double t);
  void start_stepper(double t);
  void set_out_again(double t);
  void take_state(double t);
  void put_on_constraints(double t);
  void search_time_terms();
  std::unique_ptr<Stepper> new_stepper();
  std::unique_ptr<MotionView> new_view(const LastStep& step) const;
  void make_stepper();
  void segment();
  bool is_quiet() const;
  bool passes_quietly(std::size_t& since_question);
  // The time within the last step from which its equations serve badly, and that of a singular set before it, or of a bend.
  struct Met {
    std::optional<double> worn, singular, bend;
  };
  Met met_in_step(const LastStep& step, std::optional<double> worn);
  bool passed_a_narrow_place();
  bool record(double end);
  double record_events(double end);
  bool record_event(MotionView& view, const Crossing& crossing);
  void project();
  void project_close_to_a_set(double t);
  void remember_variations(const MotionPoint& here);
  void keep_variations_small();
  void vary_across_jump(double t, std::size_t jump, std::span<const double> parameters_before);
  void vary_event(std::size_t event);
  void require_rates();
  double time_scale();
  bool positions_stand();
  bool makes_progress();
  bool stands_by_its_history() const;
  bool held_back_by_rounding();
  void add_counts();
  void ask_whether_to_go_on(double t);
  void interrupt();
  void account(double energy);
  void note_last();
  bool drift_is_noticeable();
  void finish();

  // changes.cpp: other equations on the way, or another method
  void choose_anew();
  bool wants_the_form_again() const;
  void choose_others(const State& now, bool still_near);
  void leave_the_form(const State& now);
  void leave_the_form_near_a_set(const State& now);
  void follow_instead(const State& now, const PreparedMotion* of);
  void watch_stiffness();
  bool bdf_goes_further();
  void change_to_bdf();
  void take_as_derived();
  // The form loses digits on the way that multipliers keep.
  void watch_digits();
  void leave_the_form_for_digits();
  bool leaves_the_form_at(double t);
  bool takes_over_again(const State& now);
  bool leaves_the_method_at(double t);
  void take_series();
  // A singular set that coarse steps meet may be the work of their errors: met again by finer ones it is one.
  bool asks_finer_steps() const;
  void take_finer_steps();
  // Near a singular set equations as they were derived lose digits that others keep.
  void watch_algebra();
  void take_by_algebra();
  bool outlasts_its_equations();
  void take_for_the_rest();
  // The same motion with other equations that are prepared for its state, from change_at_ on.
  template <class Prepare>
  void go_on_with(const Prepare& prepare);

  // What there is to say about the motion, in order.
  struct Note {
    enum class About { passage, other };  // a singular set that it went through
    About about;
    std::string text;
  };
  void say(std::string text) { notes_.push_back({Note::About::other, std::move(text)}); }
  void say_once(std::string text) {
    if (std::none_of(notes_.begin(), notes_.end(), [&](const Note& note) { return note.text == text; }))
      say(std::move(text));
  }

  // ends.cpp: how it ends
  void end_at_failure(StepStatus status, const std::string& too_small = {});
  bool finite_at(double t);
  std::optional<Error> problem_at(double t);
  bool has_rates(double t);
  bool has_escaped();
  std::optional<Error> lost_divisor(double t);
  double record_up_to(double end);
  void end_at_the_jump();
  void end_off_the_constraints();
  bool is_another_motion(double end);
  void end_before_another_motion();
  void end_as_singular(double t, const Error& diagnosis);
  void end_at_state(const Error& error);
  bool goes_through(double t);
  void drop_passage();
  void take_back_passage(const char* why);
  bool stopped_before(double set) const;
  void note_passage(double t, const Error& why);
  bool went_through_just_now() const;
  bool lost_energy();
  bool jumps_in_energy();
  double energy_of_the_state(double t, double E);
  Error diagnosis() const;

  // leaps.cpp: over singular sets, and up to them
  struct Place {
    State state;
    std::vector<double> lambda;
    double E, work;
  };
  struct Leap {
    std::shared_ptr<const PreparedMotion> by;
    bool own;                       // of the equations in use
    std::unique_ptr<Stepper> step;  // the last one, from a place on the way
    std::unique_ptr<MotionView> view;
    State from;
    double beyond, change;      // to where, and of the energy as the state is put on the constraints there
    std::vector<double> y;      // there
    std::optional<double> met;  // the set
  };
  Place place(const MotionPoint& here) const;
  void remember_step();
  void remember_the_way();
  void remember_begin_of_step(double nearness);
  bool leap_before_it_is_met();
  bool leaps_from_before(double t);
  bool leaps_over(double t, const Error& why);
  std::optional<Leap> find_leap(std::span<const Place> places, double t, double limit);
  double record_leap(Leap& leap, double end);
  std::unique_ptr<Stepper> series_of(const PreparedMotion& by) const;
  std::optional<double> leap_over(double t);
  bool ends_by_a_series(double t);

  // overflow.cpp: numbers within the equations that are too large
  bool rates_are_others(double t, std::span<const double> y);
  bool rates_are_lost();
  void require_rates_in_doubles();
  void end_before_lost_rates();

  // jumps.cpp: constraints that jump
  void expect_jumps();
  double gross_errors_at(double t);
  std::optional<std::pair<double, double>> find_jump();
  void end_where_constraints_jump(double t);

  // crossing.cpp: equations that jump where the state crosses a set
  std::span<double> sides();
  void take_sides(double t);
  bool leads_to_its_side(std::size_t jump, double t);
  std::optional<double> next_jump();
  std::string place_of_jump(std::size_t jump) const;
  void cross();
  bool goes_on_beyond(double t, double leap = 0);
  bool depends_on_the_state(Expr u) const;
  bool takes_an_impact(double t, std::span<const double> parameters_before, double t_beyond, bool at_a_place);
  double shift_of_jump(std::size_t direction, double t);
  bool jumps_in_time(double t);
  bool leap_in_time();
  std::size_t moved_variables() const;
  void vary_leap(double t, std::span<const double> here, std::span<const double> there);
  bool rates_come_to_values(double t, double from, std::vector<double>& here);

  // poles.cpp: poles in time
  std::optional<double> growth_towards(double pole, double t);
  bool ends_at_a_pole(double t);
  bool adds_up_over_a_pole(double t);

  // bends.cpp: what stands under a root vanishes, and the equations go on
  double scale_of(std::span<const double> y) const;
  bool rates_change_with_the_state(double t, std::span<const double> y);
  bool motions_stay_together(double t, std::span<const double> y);
  bool rates_are_continuous(double t, std::span<const double> y, double span);
  bool have_rates(double t, std::span<const double> y, std::vector<double>& into);
  bool has_rates_here(double t, std::span<const double> y);
  bool formulas_have_values();
  std::unique_ptr<Field> new_field() const;
  bool comes_to_rest(double t, std::span<const double> y);  // in rest_
  bool equations_only_bend(double t, std::span<const double> y);
  bool rests_at(double t);
  bool bends_at(double t);
  bool may_bend_here(StepStatus status);
  bool began_at_a_bend();
  bool over_the_bend() { return over_a_bend_ && --steps_left_ == 0; }
  void pass_bend();

  const MotionPlan& plan_;
  System system_;
  const MotionOptions& options_;  // of the plan
  double t_end_;                  // of this motion
  Recorder& recorder_;
  MotionSummary summary_;
  Recording recording_;

  // of the equations in use
  std::shared_ptr<const PreparedMotion> prepared_;
  std::vector<const PreparedMotion*> followed_;  // so far, each once
  std::unique_ptr<MotionWatches> watch_;
  std::optional<Witness> witness_;      // where its equations are known
  std::unique_ptr<MotionCode> series_;  // where another method did not get on
  std::unique_ptr<Field> field_;
  std::vector<std::unique_ptr<Field>> replaced_;  // which the stepper may still hold
  bool at_zeros_ = false;                         // the field has values where formulas are 0/0
  std::unique_ptr<Stepper> stepper_;
  std::unique_ptr<MotionView> view_;
  std::vector<double> y_, part_end_, piece_end_, rest_;
  std::vector<double> parameters_;  // of the model, and the sides of the jumps
  std::vector<double> lambda_;
  std::vector<double> changes_;  // where the equations in use were begun: δq and δv, one variation after the other
  std::vector<Note> notes_;

  const Recorder::DenseStep dense_ = [this](double t) -> const MotionPoint& {
    return recorder_.wants_states_alone() ? view_->state_at(t) : view_->at(t);
  };
  State start_;
  double direction_, reached_;
  double size_at_start_ = 0;
  Next next_ = Next::go_on;
  double change_at_ = 0;  // of the equations, within the last step
  // Multipliers followed in the place of the form: near a set where J loses rank, or, with the equations that were left, where no other
  // choice serves it; and those multipliers, once they are made.
  bool near_a_set_ = false;
  std::shared_ptr<const PreparedMotion> left_, instead_;
  std::optional<double> went_through_;
  // States on the way, in order, the nearer to now the closer to each other: from one of them a singular set is crossed that is met in ever shorter
  // steps.
  std::vector<Place> places_;
  WayToASet way_;                        // of a motion that ends at one
  double was_as_near_ = accuracy::near;  // when the last step began
  double leap_tried_as_near_ = 1;
  std::size_t steps_seen_ = 0, next_look_ = 500, stiff_looks_ = 0;
  std::size_t steps_in_form_ = 0, next_look_at_digits_ = 512;
  double shortest_in_form_ = std::numeric_limits<double>::infinity();  // step
  bool wants_digits_ = false, lost_digits_ = false;
  bool serves_no_more_ = false;  // the form that was left
  bool wants_series_ = false;
  std::optional<double> by_series_from_;  // where another method did not get on
  double looked_as_near_ = 1;             // to a singular set, when digits were last looked at
  double step_tolerance_;                 // of the methods without series
  bool wants_finer_ = false;
  std::size_t steps_taken_ = 0;
  double look_at_pace_ = 1000;  // after so many steps, or more: to make equations ready takes some milliseconds
  bool wants_for_the_rest_ = false;
  // Where the energy was last looked at on the way to a singular set, and how far off it was.
  struct {
    double nearness = 0, drift = 0;
  } on_the_way_;
  Method method_;
  // The coarsest tolerance that rounding errors forced upon steps of this motion, and the method whose steps they were.
  struct {
    double to = 0;
    Method by = Method::taylor;
  } loosened_;
  bool wants_bdf_ = false, wants_as_derived_ = false, as_derived_ = false;
  std::optional<Algebra> wants_algebra_;
  bool tried_everywhere_ = false, tried_algebra_ = false;
  bool begun_ = false, written_anew_ = false, asked_ = false, has_forces_ = false, stiff_ = false, may_choose_ = true,
       may_jump_ = false;
  double largest_state_ = 0;
  SizesSeen sizes_;
  // The jumps at the time up to which the last step counts; of those before it, how many time could not tell apart.
  std::vector<std::size_t> jumps_;
  double last_jump_ = 0;
  std::size_t jumps_at_once_ = 0;
  bool starts_on_a_jump_ = false;
  // A bend at which the last step ends; steps that begin at one, and how many are left of them; and where they have led.
  bool at_a_bend_ = false, over_a_bend_ = false;
  std::size_t steps_over_ = 1, steps_left_ = 0;
  std::optional<double> bend_passed_;
  std::vector<std::size_t> at_rest_;  // variables that came to rest at one
  StopsAhead stops_;
  std::optional<double> flank_;                 // of a place that a step had passed
  std::vector<TimeTerms::Jump> jumps_in_time_;  // ahead, the next one last
  bool at_a_jump_in_time_ = false;
  std::optional<TimeTerms::Jump> leapt_;  // the last one
  std::vector<double> leap_;              // by what the state changes in it
  Progress progress_;
  std::vector<double> positions_asked_about_;  // where it was asked last whether these stand
  std::size_t stood_ = 0;                      // steps in a row that were shorter than time can tell
};

}  // namespace cetaev
