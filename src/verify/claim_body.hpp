// How a claim is checked: what its file says beyond the texts that are shown.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "bench.hpp"
#include "cetaev/verify/claims.hpp"
#include "formula.hpp"

namespace cetaev::verify {

// What the claims of one file share.
struct ClaimsDocument {
  ClaimsDocument(const std::string& file, std::string text) : source(file, std::move(text)) {}
  model::SourceText source;
  std::map<std::string, std::string> models;  // [models]: texts of model files
};

// One printed (corrected, …) form: formulas, or lines of one of the small languages of facts and sets.
struct Form {
  std::vector<std::string> lines;
  std::vector<std::size_t> offsets;   // of the strings in the file
  std::vector<Statement> statements;  // parsed, for formulas and motions
  bool empty() const { return lines.empty(); }
};

enum class CheckKind { formula, motion, facts, sets, limit };

struct ClaimBody {
  std::shared_ptr<const ClaimsDocument> document;
  CheckKind kind = CheckKind::formula;
  std::vector<ModelUse> on;
  std::string along = cetaev::Form::multipliers.name();
  std::vector<std::string> random;
  std::vector<Statement> given;
  Form printed, correct, instead, answer;
  // Σ w (left − right) over what is wrong in the printed form, as the file says: a slip of the pen in a form that is wrong
  // anyway shows in nothing else
  std::optional<double> off;
};

// What became of one form.
struct Outcome {
  enum class Answer { yes, no, undecided };
  Answer answer = Answer::yes;
  double error = 0;              // the largest |left − right| found
  double sum = 0, absolute = 0;  // Σ w (left − right) over all that are wrong, Σ w |left − right|, with weights w
  std::string error_place;       // where: model, indices, state
  std::string reason;            // why it is undecided, or a word on how it is known
  std::size_t models = 0, states = 0, comparisons = 0;
  std::size_t silent = 0;  // models, not among these, on which every term is zero
  int digits = 0;          // to which equations were asked to hold
  double largest = 0;      // of the terms that were compared, in absolute value
  std::string example;     // a place where it was tried

  void fails(double by, const std::string& place);
  void is_undecided(const std::string& why);
};

// The benches of a run, made when they are first used and shared by claims and threads.
class Benches {
 public:
  // Lock the bench before using it. Throws what making it throws, again and again.
  Bench& get(const ClaimsDocument& document, const ModelUse& use);
  // The text of a model, and the file it is from.
  static std::pair<std::string_view, std::string> text(const ClaimsDocument& document, const ModelUse& use);

 private:
  struct Slot {
    std::mutex mutex;
    std::unique_ptr<Bench> bench;
  };
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<Slot>> slots_;
};

Outcome check_formulas(const ClaimBody& body, const Form& form, Benches& benches);
Outcome check_motion(const ClaimBody& body, const Form& form, Benches& benches);
Outcome check_facts(const ClaimBody& body, const Form& form, Benches& benches);
Outcome check_sets(const ClaimBody& body, const Form& form, Benches& benches);
Outcome check_limit(const ClaimBody& body, const Form& form, Benches& benches);

// Without spaces at its ends.
std::string trimmed(std::string_view text);
// "x = 0.25, x' = 1": a state in a few digits
std::string describe_state(const System& system, const State& state);
// The model as messages name it: with its settings and choices.
std::string describe_use(const ModelUse& use);

}  // namespace cetaev::verify
