// What the papers claim, put to the test.
//
// A claim is data (papers/*.toml, docs/reference/claims.md): the formula as the paper prints it, the formula as it should
// read where that differs, and the models to try both on. The verdict is computed: every formula is evaluated in balls, at
// random admissible states of every model, with accelerations and multipliers of the principle it is about.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cetaev/error.hpp"

namespace cetaev {

// holds      the printed form is true wherever it was tried
// corrected  the printed form is wrong somewhere, the corrected one is true wherever it was tried
// refuted    the printed form is wrong somewhere, and no correction of the formula saves the claim
// open       a question of the paper; the formulas of the answer are true
// opinion    what no computation can decide
// definition nothing is claimed
// undecided  none of these could be shown
enum class ClaimVerdict { holds, corrected, refuted, open, opinion, definition, undecided };
// "holds", "corrected", "false", "open", "opinion", "definition", "undecided"
std::string_view to_string(ClaimVerdict verdict);

namespace verify {
struct ClaimBody;
}

struct Claim {
  std::string id;         // "T1-18"
  std::string paper;      // "T1"
  std::string title;      // of the paper
  std::string where;      // "equation (18)"
  std::string statement;  // in our words
  std::string remark;     // what to know about the verdict; may be empty
  ClaimVerdict expected = ClaimVerdict::holds;
  std::vector<std::string> items;  // numbered items of the paper that it is about: "(18)", "Remark 4"
  std::vector<std::string> tex;    // the paper's own lines, in its notation
  std::string extraction;          // what of it the extraction of the paper's text may be to blame for; may be empty
  std::string occurrence_of;       // the claim whose slip stands here as well; may be empty
  std::vector<std::string> given;  // definitions that the formulas use
  std::vector<std::string> printed, correct, instead, answer;  // the formulas, as they stand in the file
  std::vector<std::string> models;                             // on which they are tried
  std::string along;                                           // whose accelerations they speak of
  SourcePosition position;                                     // of its id
  std::shared_ptr<const verify::ClaimBody> body;               // how to check it
};

struct ClaimResult {
  Claim claim;
  ClaimVerdict verdict = ClaimVerdict::undecided;
  std::string method;    // "at 48 random admissible states of 6 models, along multipliers"
  std::string evidence;  // "printed form off by 0.83 on skate at …; corrected form true to 60 digits"
  double error = 0;      // of the printed form: the largest |left − right| found
  double sum = 0;        // and the sum of left − right over all that is wrong: `off` of the file
  std::string state;     // where the printed form is off most, or a state at which it was tried: model and state
  int digits = 0;        // to which the true form is true; 0 where nothing was evaluated
  double seconds = 0;
  bool passed() const { return verdict == claim.expected; }
  // "papers/talamucci.toml:31: T1-18 is expected to hold, but …"; empty when it passed.
  std::string failure() const;
};

// The claims of one file. Throws Error with the place of what is wrong; formulas are parsed here, models are not.
std::vector<Claim> read_claims(std::string_view text, const std::string& file);
// Those of the papers, embedded in the program, in the order of the files.
std::vector<Claim> paper_claims();

// A numbered equation, theorem, remark, … of a paper.
struct PaperItem {
  std::string paper, item;  // "T1", "(18)"
  friend bool operator==(const PaperItem&, const PaperItem&) = default;
};
// What a file of claims says that its papers contain ([items]).
std::vector<PaperItem> read_items(std::string_view text, const std::string& file);
// Those of the papers.
std::vector<PaperItem> paper_items();
// Items that no claim is about.
std::vector<PaperItem> without_claim(std::span<const PaperItem> items, std::span<const Claim> claims);

struct ClaimOptions {
  // After each claim, in no particular order but never two at once.
  std::function<void(const ClaimResult& result, std::size_t done, std::size_t total)> progress;
  std::function<bool()> interrupted;  // asked before each claim: true ends the work
  std::size_t threads = 0;            // 0: as many as there are processors
};

// One result per claim, in their order; fewer when interrupted. Does not throw because of a claim: one that cannot be
// checked is undecided, and its evidence says why.
std::vector<ClaimResult> verify_claims(std::span<const Claim> claims, const ClaimOptions& options = {});

}  // namespace cetaev
