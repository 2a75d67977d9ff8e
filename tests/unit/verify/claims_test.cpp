#include "cetaev/verify/claims.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <map>

#include "cetaev/papers.hpp"
#include "cetaev/verify/claims_report.hpp"

namespace cetaev {
namespace {

using testing::HasSubstr;

// The claims of the papers, checked once.
const std::vector<ClaimResult>& results() {
  static const std::vector<ClaimResult> all = [] {
    ClaimOptions options;
    if (std::getenv("CETAEV_SHOW_CLAIMS") != nullptr) {
      options.progress = [](const ClaimResult& r, std::size_t done, std::size_t total) {
        std::cout << done << "/" << total << " " << r.claim.id << " " << to_string(r.verdict) << " " << r.seconds
                  << " s: " << r.method << ": " << r.evidence << "\n";
      };
    }
    return verify_claims(paper_claims(), options);
  }();
  return all;
}

TEST(Papers, EveryClaimHasTheVerdictThatItsFileSays) {
  for (const ClaimResult& result : results()) EXPECT_TRUE(result.passed()) << result.failure();
}

// [items] of the files is what scripts/paper-items finds in the texts of the papers.
TEST(Papers, EveryNumberedItemHasAnEntry) {
  const std::vector<PaperItem> items = paper_items();
  std::map<std::string, int> equations;
  for (const PaperItem& item : items)
    if (item.item.starts_with('(') && item.item[1] <= '9') ++equations[item.paper];
  // the last equations of the papers, as anyone can look up: none is left out of the list
  EXPECT_EQ(equations, (std::map<std::string, int>{{"T1", 35}, {"T2", 40}, {"T3", 37}, {"L", 82}}));
  for (const PaperItem& item : without_claim(items, paper_claims())) ADD_FAILURE() << item.paper << " " << item.item;
  EXPECT_TRUE(passed(results(), items));
}

TEST(Papers, AnItemWithoutAClaimIsMissedByName) {
  std::vector<PaperItem> items = paper_items();
  items.push_back({"L", "(83)"});
  EXPECT_EQ(without_claim(items, paper_claims()), (std::vector<PaperItem>{{"L", "(83)"}}));
  EXPECT_FALSE(passed(results(), items));
  EXPECT_THAT(to_text(results(), items), HasSubstr("without an entry: [L] (83)."));
}

// Papers ask and opine, and a reader judges them as they stand: the claims that were once judged by a sharper reading.
TEST(Papers, QuestionsAndOpinionsAreNoClaims) {
  std::map<std::string, ClaimVerdict> verdicts;
  for (const ClaimResult& result : results()) verdicts[result.claim.id] = result.verdict;
  EXPECT_EQ(verdicts["T1-converse"], ClaimVerdict::open);
  EXPECT_EQ(verdicts["L-43-where"], ClaimVerdict::open);
  EXPECT_EQ(verdicts["T2-gauss"], ClaimVerdict::opinion);
  EXPECT_EQ(verdicts["L-80-motion"], ClaimVerdict::opinion);
  EXPECT_EQ(verdicts["L-7.1"], ClaimVerdict::holds);
  EXPECT_EQ(verdicts["L-suslov"], ClaimVerdict::holds);
  EXPECT_EQ(verdicts["L-integrable"], ClaimVerdict::definition);
}

TEST(Papers, ASlipIsCountedOnceAndItsPlacesAreListed) {
  std::size_t transposed = 0;
  for (const ClaimResult& result : results()) transposed += result.claim.occurrence_of == "L-8" ? 1 : 0;
  EXPECT_EQ(transposed, 5U);  // (9), (39), (40), (12) with (41), the proof of Theorem 3
  const std::string text = to_text(results());
  EXPECT_THAT(text, testing::ContainsRegex("hold after a correction \\(in [0-9]+ places\\)"));
  EXPECT_LT(text.find("\n  L-8 "), text.find("\n    L-9 "));
}

TEST(Papers, NothingAgainstNothingIsNoEvidence) {
  for (const ClaimResult& result : results())
    EXPECT_THAT(result.evidence, testing::Not(HasSubstr("(0 against 0"))) << result.claim.id;
  const auto found = verify_claims(read_claims(
      "[papers]\nX = \"a paper\"\n[[claim]]\nid = \"X-1\"\nwhere = \"here\"\nstatement = \"s\"\nverdict = \"holds\"\n"
      "on = \"skate\"\nprinted = \"F[x]*x' = 2*F[y]\"\n",
      "test.toml"));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].verdict, ClaimVerdict::undecided);
  EXPECT_THAT(found[0].evidence, HasSubstr("every term is zero on these models"));
}

TEST(Papers, HaveClaimsOfEveryVerdict) {
  std::map<std::string, std::map<ClaimVerdict, int>> number;
  for (const ClaimResult& result : results()) ++number[result.claim.paper][result.verdict];
  for (const char* paper : {"T1", "T2", "T3", "L"}) {
    EXPECT_GE(number[paper][ClaimVerdict::holds], 10) << paper;
    EXPECT_GE(number[paper][ClaimVerdict::corrected], 2) << paper;
    EXPECT_GE(number[paper][ClaimVerdict::refuted], 1) << paper;
    EXPECT_GE(number[paper][ClaimVerdict::definition], 2) << paper;
  }
}

TEST(Papers, WrongFormsAreWrongByMoreThanRounding) {
  for (const ClaimResult& result : results()) {
    if (result.verdict == ClaimVerdict::holds || result.error == 0) continue;
    EXPECT_GT(result.error, 1e-6) << result.claim.id;
  }
}

// The text of the file with one piece of it replaced, as a reader who misremembers would write it.
std::vector<ClaimResult> with_mistake(const std::string& id, const std::string& right, const std::string& wrong) {
  for (const ClaimsFile& file : claims_files()) {
    std::string text(file.text);
    const std::size_t claim = text.find("\"" + id + "\"");
    if (claim == std::string::npos) continue;
    const std::size_t place = text.find(right, claim);
    EXPECT_NE(place, std::string::npos) << id;
    text.replace(place, right.size(), wrong);
    std::vector<Claim> chosen;
    for (Claim& c : read_claims(text, "papers/mistake.toml"))
      if (c.id == id) chosen.push_back(std::move(c));
    return verify_claims(chosen);
  }
  ADD_FAILURE() << "there is no claim " << id;
  return {};
}

struct Mistake {
  const char* id;
  const char* right;
  const char* wrong;
  ClaimVerdict verdict;
};

// A sign or a factor in a printed form that holds, in a correction, in what is true instead; in every kind of check.
TEST(Papers, AMistakeInAFormulaChangesTheVerdictAndIsPointedAt) {
  const Mistake mistakes[] = {
      {"T1-18", "(alphabar[nu] - alpha[nu])", "(alphabar[nu] + alpha[nu])", ClaimVerdict::refuted},
      {"T1-20", "-d(L, t)", "d(L, t)", ClaimVerdict::refuted},
      {"T1-14", "- sum(nu, Bp[r,nu]", "+ sum(nu, Bp[r,nu]", ClaimVerdict::refuted},
      {"T1-ex2-L", "- m1*g*y1 - m2*g*y2", "- m1*g*y1 + m2*g*y2", ClaimVerdict::undecided},  // the correction
      {"T2-18", "+ d(b0[nu], q[j]))*e[j]) + sum(j, A0", "- d(b0[nu], q[j]))*e[j]) + sum(j, A0",
       ClaimVerdict::undecided},
      {"T3-6", "+ 2*eta[r,h]", "- 2*eta[r,h]", ClaimVerdict::undecided},
      {"T3-36-B", "+ sum(mu, c0[mu]", "- sum(mu, c0[mu]", ClaimVerdict::undecided},  // true instead
      {"T1-prop3-homogeneous", "homogeneous => conic", "conic => homogeneous", ClaimVerdict::refuted},
      {"T1-ex1-parallel", "unless B' = 0, d = 0", "unless d = 0", ClaimVerdict::refuted},
      {"L-limit-below", "-/> particle", "-> particle", ClaimVerdict::refuted},
  };
  for (const Mistake& mistake : mistakes) {
    const std::vector<ClaimResult> found = with_mistake(mistake.id, mistake.right, mistake.wrong);
    ASSERT_EQ(found.size(), 1U) << mistake.id;
    EXPECT_FALSE(found[0].passed()) << mistake.id;
    EXPECT_EQ(found[0].verdict, mistake.verdict) << mistake.id << ": " << found[0].evidence;
    EXPECT_THAT(found[0].failure(), HasSubstr("papers/mistake.toml:"));
    EXPECT_THAT(found[0].failure(), HasSubstr(mistake.id));
    EXPECT_THAT(to_text(found), HasSubstr(found[0].failure()));
  }
}

TEST(Papers, ASizeThatIsNoNumberOfRowsIsPointedAt) {
  for (const char* size : {"1.5", "123456789012345678901"}) {
    const auto found = with_mistake("L-W2", "det(W3, n)", "det(W3, " + std::string(size) + ")");
    ASSERT_EQ(found.size(), 1u);
    EXPECT_THAT(found[0].failure(), HasSubstr("papers/mistake.toml:")) << size;
    EXPECT_THAT(found[0].failure(), HasSubstr("the size of a matrix is n, m, k or a number"));
  }
}

TEST(Papers, AMisprintMendedInTheFileIsNoLongerOne) {
  // the printed form as it should read: the claim holds, and is not 'corrected' any more
  const std::vector<ClaimResult> found = with_mistake("T1-9", "v[m+nu] = alpha[1]", "v[m+nu] = alpha[nu]");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].verdict, ClaimVerdict::holds);
  EXPECT_FALSE(found[0].passed());
}

std::vector<ClaimResult> check(const std::string& claim) {
  return verify_claims(
      read_claims("[papers]\nX = \"a paper\"\n[models]\nskew = '''\ncoordinates = [\"x\", \"y\", \"z\"]\n"
                  "kinetic = \"x'^2 + y'^2 + z'^2 + x'*y'\"\nconstraints = [\"z' = y*x'\"]\n'''\n" +
                      claim,
                  "test.toml"));
}

std::string formula_claim(const std::string& printed, const std::string& more = "") {
  return "[[claim]]\nid = \"X-1\"\nwhere = \"here\"\nstatement = \"s\"\nverdict = \"holds\"\non = \"skew\"\n" + more +
         "printed = '''" + printed + "'''\n";
}

TEST(Formulas, SumsDerivativesAndIndicesMeanWhatTheySay) {
  for (const char* formula : {"sum(i, v[i]*d(T, v[i])) = 2*T",
                              "q[x] = x",
                              "v[z] = z'",
                              "a[1]*2 = 2*x''",
                              "alpha[1] = y*x'",
                              "d(x^3*y, x, x, y) = 6*x",
                              "D(x*y') = x'*y' + x*y''",
                              "J[1,i]*dq[x] = J[1,i]*dq[1]",
                              "sum(i, 2, 3, i2[i]) = 13",
                              "delta[i,j] = delta[j,i]",
                              "-2^2 = -4",
                              "2^-1 = 1/2",
                              "dot([1, 2, 3], [x, y, z]) = x + 2*y + 3*z",
                              "cross([1, 0, 0], [0, 1, 0]) = [0, 0, 1]",
                              "det(H, n) = 6",
                              "sum(j, H[i,j]*inverse[j,l](H, n)) = delta[i,l]",
                              "scaled(T, c) = c^2*T",
                              "subst(x*y', y', 3) = 3*x",
                              "euler[x](T) = 2*x'' + y''",
                              "1 < 2",
                              "x'' != x'' + 1"}) {
    const auto found = check(
        formula_claim(formula, "random = [\"c\"]\ngiven = [\"i2[2] := 4\", \"i2[i] := i3[i]\", \"i3[3] := 9\"]\n"));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_TRUE(found[0].passed()) << formula << ": " << found[0].evidence;
  }
}

TEST(Formulas, FalseOnesAreSeen) {
  for (const char* formula : {"sum(i, v[i]*d(T, v[i])) = T", "x = y", "alpha[1] = -y*x'", "euler[x](T) = 2*x''",
                              "1 > 2", "x != x", "det(H, n) = 8", "a_reduced[i] = a_multipliers[i]"}) {
    const auto found = check(formula_claim(formula));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].verdict, ClaimVerdict::refuted) << formula << ": " << found[0].evidence;
  }
}

TEST(Formulas, NonsenseIsPointedAt) {
  const std::pair<const char*, const char*> cases[] = {
      {"alpa[1] = 0", "did you mean 'alpha'"},
      {"xx = 0", "unknown name 'xx'"},
      {"q[4] = 0", "is not between 1 and 3"},
      {"q[w] = 0", "unknown index 'w'"},
      {"alpha[1, 2] = 0", "takes 1 index"},
      {"d(x, x + y) = 0", "derivatives are taken by"},
      {"frobnicate(x) = 0", "unknown function 'frobnicate'"},
      {"[x, y, z] = 1", "one side is a vector"},
      {"D(x'') = 0", "accelerations cannot be differentiated"},
      {"D(dq[z]) = 0", "linear system cannot be differentiated"},
      {"lambda_dot[1] = 0", "not a number"},
      {"sum(nu, q[m+nu]) = sum(w, 1)", "range of the index 'w'"},
  };
  for (const auto& [formula, message] : cases) {
    const auto found = check(formula_claim(formula));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].verdict, ClaimVerdict::undecided) << formula;
    EXPECT_THAT(found[0].evidence, HasSubstr(message)) << formula;
  }
}

// What the reader refuses, with the place.
void expect_refused(const std::string& text, const std::string& message, std::size_t line, std::size_t column) {
  try {
    read_claims(text, "test.toml");
    ADD_FAILURE() << "accepted: " << text;
  } catch (const Error& error) {
    EXPECT_THAT(error.message(), HasSubstr(message)) << text;
    ASSERT_TRUE(error.position().has_value());
    EXPECT_EQ(error.position()->file, "test.toml");
    EXPECT_EQ(error.position()->line, line) << error.message();
    EXPECT_EQ(error.position()->column, column) << error.message();
  }
}

TEST(ClaimsFile, MistakesAreRefusedWithTheirPlace) {
  const std::string head = "[papers]\nX = \"a paper\"\n[[claim]]\nid = \"X-1\"\nwhere = \"here\"\nstatement = \"s\"\n";
  expect_refused("[paper]\n", "unknown key 'paper'", 1, 2);
  expect_refused(head + "verdikt = \"holds\"\n", "unknown key 'verdikt'", 7, 1);
  expect_refused(head + "verdict = \"true\"\n", "must be one of", 7, 11);
  expect_refused(head + "verdict = \"holds\"\non = \"skat\"\nprinted = \"1 = 1\"\n", "no model 'skat'", 8, 6);
  expect_refused(head + "verdict = \"holds\"\non = \"@all\"\nprinted = \"1 = 1\"\n", "no set of models", 8, 6);
  expect_refused(head + "verdict = \"holds\"\non = \"skate\"\nprinted = \"1 + * 2 = 0\"\n", "is expected here", 9, 16);
  expect_refused(head + "verdict = \"holds\"\non = \"skate\"\nprinted = \"x + y\"\n", "needs one of", 9, 17);
  expect_refused(head + "verdict = \"holds\"\non = \"skate\"\nprinted = \"q[1 = 0\"\n", "']' is expected", 9, 16);
  expect_refused(head + "verdict = \"holds\"\non = \"skate\"\nalong = \"multiplier\"\nprinted = \"1 = 1\"\n", "'along'",
                 9, 9);
  expect_refused(head + "verdict = \"corrected\"\non = \"skate\"\nprinted = \"1 = 1\"\n", "needs a 'correct' form", 3,
                 1);
  expect_refused(head + "verdict = \"holds\"\non = \"skate\"\nprinted = \"1 = 1\"\ncorrect = \"1 = 1\"\n",
                 "no 'correct' form", 10, 1);
  expect_refused(head + "verdict = \"holds\"\non = \"skate\"\n", "no 'printed' form", 3, 1);
  expect_refused(head + "verdict = \"open\"\non = \"skate\"\n", "needs an 'answer'", 3, 1);
  expect_refused(head + "verdict = \"open\"\non = \"skate\"\nprinted = \"1 = 1\"\n", "what nobody claims", 9, 1);
  expect_refused(head + "verdict = \"holds\"\non = \"skate\"\nanswer = \"1 = 1\"\n", "goes with 'open'", 9, 1);
  expect_refused(head + "verdict = \"definition\"\non = \"skate\"\n", "nothing is computed about a definition", 8, 1);
  expect_refused(head + "verdict = \"opinion\"\nprinted = \"1 = 1\"\n", "nothing is computed about an opinion", 8, 1);
  expect_refused(head + "verdict = \"definition\"\noccurrence_of = \"X-2\"\n", "'occurrence_of' names a claim", 8, 17);
  expect_refused(
      "[papers]\nX = \"a paper\"\n[items]\nX = [\"(1)\"]\n[[claim]]\nid = \"X-1\"\nwhere = \"here\"\n"
      "items = \"(2)\"\nstatement = \"s\"\nverdict = \"definition\"\n",
      "no item '(2)'", 8, 9);
  expect_refused("[papers]\nX = \"a paper\"\n[items]\nY = [\"(1)\"]\n", "no title under [papers]", 4, 1);
  expect_refused("[[claim]]\nid = \"Y-1\"\nwhere = \"\"\nstatement = \"\"\nverdict = \"holds\"\n", "no title", 2, 6);
}

TEST(ClaimsReport, JsonHasTheKeysOfTheContract) {
  const std::string json = to_json(results());
  for (const char* key : {"\"claims\"", "\"id\"", "\"paper\"", "\"statement\"", "\"verdict\"", "\"evidence\""})
    EXPECT_THAT(json, HasSubstr(key));
}

TEST(ClaimsReport, ThePageNamesEveryClaimAndTheEssayFindsThoseItSpeaksOf) {
  const std::string page = to_markdown(results());
  for (const ClaimResult& result : results()) EXPECT_THAT(page, HasSubstr("<a id=\"" + result.claim.id + "\"></a>"));
  EXPECT_THAT(page, testing::Not(HasSubstr("not checked in this run")));
  for (const char* id : {"L-42", "L-cor7", "L-limit", "T1-converse", "T2-prop2"})
    EXPECT_THAT(page, HasSubstr("[" + std::string(id) + "](#" + id + ")"));
}

TEST(ClaimsReport, ThePageForBrowsersNeedsNothingAndSetsEveryFormula) {
  const std::string page = to_html(results(), paper_items(), "1.0");
  for (const ClaimResult& result : results()) EXPECT_THAT(page, HasSubstr("id=\"" + result.claim.id + "\""));
  for (const char* outside : {"src=\"http", "href=\"http", "@import", "<link"})
    EXPECT_THAT(page, testing::Not(HasSubstr(outside)));
  // a command of TeX that is not understood would be shown by its name
  EXPECT_THAT(page, testing::Not(HasSubstr("<mtext>\\")));
  const auto times = [&](std::string_view what) {
    std::size_t count = 0;
    for (std::size_t at = page.find(what); at != std::string::npos; at = page.find(what, at + 1)) ++count;
    return count;
  };
  for (const std::string tag :
       {"math", "mrow", "mfrac", "mtable", "mtr", "mtd", "msub", "msup", "munder", "munderover"})
    EXPECT_EQ(times("<" + tag + ">") + times("<" + tag + " "), times("</" + tag + ">")) << tag;
  EXPECT_GT(times("<math"), 500U);
}

// The paper's line and ours are formulas of the same thing.
TEST(ClaimsReport, OurFormulasAreSetInTheNotationOfThePapers) {
  std::vector<ClaimResult> some;
  for (const ClaimResult& result : results())
    if (result.claim.id == "T1-18" || result.claim.id == "T2-22") some.push_back(result);
  const std::string page = to_markdown(some);
  EXPECT_THAT(page, HasSubstr("\\mathcal{E}^* = \\mathcal{E} + \\sum_{\\nu=1}^k"));  // the paper
  EXPECT_THAT(page, HasSubstr("\\frac{\\partial L^*}{\\partial \\dot{q}_{r}}"));     // ours
  EXPECT_THAT(
      page,
      HasSubstr("E_{r} L + \\sum_{\\nu} \\frac{\\partial \\alpha_{\\nu}}{\\partial \\dot{q}_{r}}\\, E_{m+\\nu} L"));
  EXPECT_THAT(page, HasSubstr("\\bar{\\alpha}"));
}

TEST(Claims, AnInterruptionEndsTheWork) {
  const std::vector<Claim> claims = paper_claims();
  ClaimOptions options;
  options.interrupted = [] { return true; };
  EXPECT_TRUE(verify_claims(claims, options).empty());
}

}  // namespace
}  // namespace cetaev
