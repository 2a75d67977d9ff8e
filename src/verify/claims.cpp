#include "cetaev/verify/claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>

#include "cetaev/gallery.hpp"
#include "cetaev/papers.hpp"
#include "claim_body.hpp"
#include "parallel.hpp"

namespace cetaev {

namespace verify {

void Outcome::fails(double by, const std::string& place) {
  answer = Answer::no;
  // in a chain a = b = c errors cancel: each comparison has a weight of its own
  const double weighted = by * (1 + static_cast<double>(comparisons % 100) / 100);
  sum += weighted;
  absolute += std::abs(weighted);
  // Of two models with the same equations, whose values differ by rounding at most, the first is named.
  constexpr double beyond_rounding = 1 + 1e-12;
  if (!error_place.empty() && std::abs(by) <= error * beyond_rounding) return;
  error = std::abs(by);
  error_place = place;
}

void Outcome::is_undecided(const std::string& why) {
  if (answer == Answer::yes) answer = Answer::undecided;
  if (reason.empty()) reason = why;
}

std::pair<std::string_view, std::string> Benches::text(const ClaimsDocument& document, const ModelUse& use) {
  const auto own = document.models.find(use.model);
  if (own != document.models.end()) return {own->second, document.source.file() + " [models] " + use.model};
  for (const GalleryModel& model : gallery())
    if (model.name == use.model) return {model.text, "gallery/" + use.model + ".toml"};
  throw Error(ErrorCode::bad_model, "there is no model '" + use.model + "'");
}

Bench& Benches::get(const ClaimsDocument& document, const ModelUse& use) {
  const auto [text, file] = this->text(document, use);
  Slot* slot = nullptr;
  {
    const std::lock_guard lock(mutex_);
    auto& entry = slots_[file + "\n" + use.key()];
    if (!entry) entry = std::make_unique<Slot>();
    slot = entry.get();
  }
  const std::lock_guard lock(slot->mutex);
  if (!slot->bench) slot->bench = std::make_unique<Bench>(text, file, use);
  return *slot->bench;
}

std::string trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(' ') - begin + 1));
}

std::string describe_state(const System& system, const State& state) {
  std::string result;
  const auto add = [&](const std::string& name, double value) {
    result += fmt::format("{}{} = {:.4g}", result.empty() ? "" : ", ", name, value);
  };
  for (std::size_t i = 0; i < system->size(); ++i) add(system->coordinates[i], state.q[i]);
  for (std::size_t i = 0; i < system->size(); ++i) add(system->coordinates[i] + "'", state.v[i]);
  return result;
}

std::string describe_use(const ModelUse& use) {
  std::string result = use.model;
  const auto add = [&](const std::string& word, const std::vector<std::string>& list) {
    for (std::size_t i = 0; i < list.size(); ++i) result += (i == 0 ? " " + word + " " : ", ") + list[i];
  };
  add("with", use.settings);
  add("solved for", use.dependent);
  add("with auxiliary functions", use.auxiliary);
  return result;
}

namespace {

using Answer = Outcome::Answer;

// How far `off` of the file may be from the sum, beside the sum of absolute values.
constexpr double off_tolerance = 1e-8;

Outcome check(const ClaimBody& body, const Form& form, Benches& benches) {
  switch (body.kind) {
    case CheckKind::formula: return check_formulas(body, form, benches);
    case CheckKind::motion: return check_motion(body, form, benches);
    case CheckKind::facts: return check_facts(body, form, benches);
    case CheckKind::sets: return check_sets(body, form, benches);
    case CheckKind::limit: return check_limit(body, form, benches);
  }
  return {};
}

std::string count(std::size_t number, const std::string& what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

// "at 48 random admissible states of 6 models, along multipliers"
std::string method(const ClaimBody& body, const Outcome& outcome) {
  const std::string models = count(body.on.size(), "model");
  switch (body.kind) {
    case CheckKind::formula:
      return fmt::format("evaluated at {} of {}, {}", count(outcome.states, "random admissible state"), models,
                         body.along == "free"         ? "accelerations arbitrary"
                         : body.along == "admissible" ? "accelerations arbitrary within the constraints"
                                                      : "along " + body.along);
    case CheckKind::motion:
      return fmt::format("put into the equations of {} at {} on {}", body.along,
                         count(outcome.states, "random instant"), models);
    case CheckKind::facts: return "classified on " + models;
    case CheckKind::sets: return "sets of constraints compared on " + models;
    case CheckKind::limit: return "motions compared as a parameter tends to its limit";
  }
  return {};
}

std::string words(const std::string& form, const Outcome& outcome) {
  switch (outcome.answer) {
    case Answer::yes: {
      std::string text = form + " true";
      if (outcome.digits > 0) text += fmt::format(" to {} digits", outcome.digits);
      if (outcome.models > 0) text += " on " + count(outcome.models, "model");
      if (outcome.silent > 0) text += fmt::format(", and 0 = 0 on {}", count(outcome.silent, "other"));
      if (outcome.largest > 0) text += fmt::format(", with terms up to {:.3g}", outcome.largest);
      if (!outcome.reason.empty()) text += " (" + outcome.reason + ")";
      return text;
    }
    case Answer::no:
      return outcome.error > 0 ? fmt::format("{} off by {:.3g} ({})", form, outcome.error, outcome.error_place)
                               : form + " wrong: " + outcome.error_place;
    case Answer::undecided: break;
  }
  return form + " undecided: " + outcome.reason;
}

// What was found about the form that is printed, and about the one that should stand there.
void check_printed(const ClaimBody& body, Benches& benches, ClaimResult& result) {
  const Outcome printed = check(body, body.printed, benches);
  result.method = method(body, printed);
  result.error = printed.error;
  result.sum = printed.sum;
  result.state = printed.answer == Answer::no ? printed.error_place : printed.example;
  result.evidence = words("printed form", printed);
  if (printed.answer == Answer::yes) result.verdict = ClaimVerdict::holds;
  if (printed.answer == Answer::no) result.verdict = ClaimVerdict::refuted;
  result.digits = printed.answer == Answer::yes ? printed.digits : 0;
  // What comes in its place must be true, or nothing is decided.
  const Form& other = body.correct.empty() ? body.instead : body.correct;
  if (!other.empty()) {
    const Outcome outcome = check(body, other, benches);
    result.evidence += "; " + words(body.correct.empty() ? "true instead:" : "corrected form", outcome);
    result.digits = outcome.answer == Answer::yes ? outcome.digits : 0;
    if (outcome.answer != Answer::yes) {
      if (printed.answer == Answer::no) result.verdict = ClaimVerdict::undecided;
    } else if (printed.answer == Answer::no && !body.correct.empty()) {
      result.verdict = ClaimVerdict::corrected;
    }
  }
  if (body.off && printed.answer == Answer::no &&
      !(std::abs(printed.sum - *body.off) <= off_tolerance * printed.absolute)) {
    result.verdict = ClaimVerdict::undecided;
    result.evidence +=
        fmt::format("; off by {:.10g} in all, where the file says {:.10g}: a formula or a model has changed",
                    printed.sum, *body.off);
  }
}

// Nobody claims anything: what the file answers must be true.
void check_answer(const ClaimBody& body, ClaimVerdict asked, Benches& benches, ClaimResult& result) {
  const Outcome outcome = check(body, body.answer, benches);
  result.method = method(body, outcome);
  result.evidence = words("the answer is", outcome);
  result.state = outcome.answer == Answer::no ? outcome.error_place : outcome.example;
  result.digits = outcome.answer == Answer::yes ? outcome.digits : 0;
  if (outcome.answer == Answer::yes) result.verdict = asked;
}

ClaimResult check(const Claim& claim, Benches& benches) {
  const auto start = std::chrono::steady_clock::now();
  ClaimResult result;
  result.claim = claim;
  const ClaimBody& body = *claim.body;
  try {
    if (!body.printed.empty()) {
      check_printed(body, benches, result);
    } else if (!body.answer.empty()) {
      check_answer(body, claim.expected, benches, result);
    } else {
      result.verdict = claim.expected;
      result.evidence = claim.expected == ClaimVerdict::definition ? "a definition: nothing to check"
                                                                   : "an opinion: nothing that can be computed";
    }
  } catch (const Error& error) {
    result.verdict = ClaimVerdict::undecided;
    if (const auto& at = error.position()) result.evidence = fmt::format("{}:{}:{}: ", at->file, at->line, at->column);
    result.evidence += error.message();
    if (!error.suggestion().empty()) result.evidence += fmt::format("; did you mean '{}'?", error.suggestion());
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace

}  // namespace verify

std::string_view to_string(ClaimVerdict verdict) {
  switch (verdict) {
    case ClaimVerdict::holds: return "holds";
    case ClaimVerdict::corrected: return "corrected";
    case ClaimVerdict::refuted: return "false";
    case ClaimVerdict::open: return "open";
    case ClaimVerdict::opinion: return "opinion";
    case ClaimVerdict::definition: return "definition";
    case ClaimVerdict::undecided: break;
  }
  return "undecided";
}

std::string ClaimResult::failure() const {
  if (passed()) return {};
  return fmt::format("{}:{}: {} is said to be '{}' and comes out as '{}': {}", claim.position.file, claim.position.line,
                     claim.id, to_string(claim.expected), to_string(verdict), evidence);
}

std::vector<Claim> paper_claims() {
  std::vector<Claim> claims;
  for (const ClaimsFile& file : claims_files()) {
    std::vector<Claim> more = read_claims(file.text, "papers/" + std::string(file.name) + ".toml");
    claims.insert(claims.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  }
  return claims;
}

std::vector<PaperItem> paper_items() {
  std::vector<PaperItem> items;
  for (const ClaimsFile& file : claims_files())
    for (PaperItem& item : read_items(file.text, "papers/" + std::string(file.name) + ".toml"))
      items.push_back(std::move(item));
  return items;
}

std::vector<PaperItem> without_claim(std::span<const PaperItem> items, std::span<const Claim> claims) {
  std::vector<PaperItem> missing;
  for (const PaperItem& item : items) {
    const auto about = [&](const Claim& claim) {
      return claim.paper == item.paper &&
             std::find(claim.items.begin(), claim.items.end(), item.item) != claim.items.end();
    };
    if (std::none_of(claims.begin(), claims.end(), about)) missing.push_back(item);
  }
  return missing;
}

std::vector<ClaimResult> verify_claims(std::span<const Claim> claims, const ClaimOptions& options) {
  verify::Benches benches;
  std::vector<std::optional<ClaimResult>> results(claims.size());
  std::size_t finished = 0;
  verify::in_parallel(
      claims.size(), {options.threads, options.interrupted},
      [&](std::size_t i) { results[i] = verify::check(claims[i], benches); },
      [&](std::size_t i) {
        ++finished;
        if (options.progress) options.progress(*results[i], finished, claims.size());
      });
  std::vector<ClaimResult> all;
  for (auto& result : results)
    if (result) all.push_back(std::move(*result));
  return all;
}

}  // namespace cetaev
