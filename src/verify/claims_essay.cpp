#include "claims_essay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cetaev {

namespace {

constexpr std::string_view essay = R"(# What the papers claim

This page is written by `cetaev verify --papers --markdown`, and `--html FILE` makes one file of it for a browser. Every
numbered equation, proposition, remark and example of four papers stands below with a verdict, and every verdict was
computed while the page was written: the formula as the paper prints it was evaluated in ball arithmetic at random
admissible states of several models, and so was its correction where it needs one. A verdict is `holds`, `corrected` (the
printed form is wrong, the corrected form is right) or `false` (with a counterexample); a question that a paper asks is
`open`, with an answer whose formulas are true; an `opinion` is what no computation decides, shown with what bears on it;
a `definition` claims nothing. A claim is judged as the paper states it. A slip that stands in several places is one
claim, with the other places below it. The papers were read in texts that had been extracted from PDF: where that may be
to blame, the entry says so. The formulas are data, in the folder `papers`; their language is described in [the
reference](../reference/claims.md).

Most of what is wrong is a slip of the pen, and no reader who does the computation for himself will be led astray by
it. Three things go deeper.

## mvm2 and its auxiliary functions

[L] sets up its modified vakonomic mechanics with functions of its own choice beside the constraints: with W = ∂f/∂v
and Ω = E f, the N functions f being the constraints and N − M auxiliary functions, and with A = W⁻¹Ω, Theorem 2 says
that the motion is E L = Aᵀp + Jᵀλ̇. For constraints linear in the velocities this is claimed to be the motion of
d'Alembert and Lagrange, whatever the auxiliary functions are ([L-42]).

It is not. Write s = W⁻ᵀp; then Aᵀp = Σ_j s_j E f_j, and the equations are those of d'Alembert and Lagrange if and
only if this sum is a combination of the rows of J at the true accelerations, Nᵀ Σ_j s_j E f_j = 0. That is a
condition on the auxiliary functions, and most functions fail it. The skate with y' and φ' turns by itself: φ'' = −y'²
cosφ/sin³φ, which is {SKATE} at φ = 0.7, y' = 0.8, where the true motion has φ'' = 0. Without constraints, where the
paper takes the velocities themselves and is right ([L-7.1]), a free particle does not go straight when the functions
are x' and (1 + x²)y' ([L-cor7]). With the functions that the paper itself uses for its examples the condition happens to be satisfied ([L-42-condition]),
which is how the error could live; with the independent velocities, the most natural choice of all, mvm2 is exactly
the mistake of substituting the constraints into L. Theorem 3 is sound, for a reason that leaves little of the theory:
there L itself is the last function, Aᵀp vanishes identically, and what remains is Lagrange's multiplier rule with λ̇
written for λ ([L-16], [L-43]). `cetaev eval` shows the discrepancy of mvm2 for the auxiliary functions in use, and
`cetaev eval --propose-auxiliary` looks for functions without one.

## The cone, and the converse that [T1] leaves open

[T1] shows that ᾱ = α, where ᾱ_ν = Σ_r v_r ∂α_ν/∂v_r, is what makes Četaev's condition physical: then the reactions do
no work, the two energies E and E* are one, and energy is conserved when L does not contain the time, even if the
constraints do ([T1-prop2-power], [T1-prop3], [T1-30]). Constraints homogeneous in the velocities have the property
([T1-prop3-homogeneous]). The paper ends with the question whether only they have it, and [T2] answers yes
([T2-prop2]).

The answer depends on what is asked. The *functions* need not be homogeneous: exp(y' − x') − 1 = 0 is not, and α = x'
is ([T1-converse]). But ᾱ = α is a property of the *set*: it says that the admissible velocities at each position and
time form a cone, v admissible ⇒ s v admissible for s near 1, which where the constraints are regular is J v = 0 on
the set. And every such set can be written with homogeneous functions: v_{m+ν} − α_ν = 0 are some, of degree 1
([T1-converse-set]). So what [T1] presumes at its end is right, all and only the cones admit a homogeneous list,
and the sentence in [T2] is not. `cetaev check` therefore reports both, the degree of each function and whether the
set is a cone, and offers the homogeneous list where the given one is not homogeneous.

One sentence of both papers must go with it. On a cone the velocity is itself a virtual displacement. It does not
follow that virtual displacements and admissible velocities are the same vectors ([T1-prop1-vectors], [T2-prop1]):
that is so for linear constraints, while for a curved cone the displacements are the plane that touches it along the
velocity.

## Appell–Hamel as a limit

Appell and Hamel obtained their particle, z' = (b/a)√(x'² + y'²), from a machine with linear constraints only: a wheel
that rolls on a plane winds up the thread of a weight which hangs a distance ρ ahead of the contact point; then they
let ρ tend to zero. [L] repeats the objection that the limit lowers the order of the equations, that the machine and
the particle therefore differ essentially, and that the example is incorrect.

What happens depends on three things that the objection does not separate. For a wheel without mass, θ' obeys ρθ'' =
−(a/b)θ'z', so that while the weight rises and ρ > 0 the turning dies out within a time of order ρ, the faster the
smaller ρ is; the limit is regular and it is the particle ([L-limit]: {L-limit}). For ρ < 0 the same factor grows, and
the machine leaves the particle's path at once however small |ρ| is ([L-limit-below]: {L-limit-below}). And for a
wheel with a moment of inertia A about its diameter neither happens: in the limit θ'' = 0, the wheel keeps turning at
the rate it was given, for both signs of ρ, and the limit is another system, with linear constraints that depend on
time ([L-limit-heavy]). So the example is correct for what it was made of, a massless wheel with the weight ahead of
it, while the weight rises; it is not the limit of every machine.
)";

const ClaimResult* find(std::span<const ClaimResult> results, std::string_view id) {
  const auto found =
      std::find_if(results.begin(), results.end(), [&](const ClaimResult& r) { return r.claim.id == id; });
  return found == results.end() ? nullptr : &*found;
}

// "T1-18", and not the index in v_{m+ν}
bool is_id(std::string_view text) {
  return text.size() > 2 && text[0] >= 'A' && text[0] <= 'Z' && text.find('-') != std::string_view::npos;
}

// The numbers of the evidence about the printed form: what comes behind it, and the verdict, repeat what the text says.
std::string printed_evidence(const ClaimResult& result) {
  const std::string text = result.evidence.substr(0, result.evidence.find("; true instead"));
  constexpr std::string_view wrong = "printed form wrong: ";
  if (text.starts_with(wrong)) return text.substr(wrong.size());
  const std::size_t open = text.find(" (");
  return text.starts_with("printed form true") && open != std::string::npos && text.ends_with(')')
             ? text.substr(open + 2, text.size() - open - 3)
             : text;
}

}  // namespace

std::string claims_essay(std::span<const ClaimResult> results) {
  std::string text;
  for (std::size_t i = 0; i < essay.size(); ++i) {
    const char open = essay[i];
    const char close = open == '{' ? '}' : ']';
    const std::size_t end = open == '{' || open == '[' ? essay.find(close, i) : std::string_view::npos;
    const std::string id(end == std::string_view::npos ? std::string_view() : essay.substr(i + 1, end - i - 1));
    if (id == "SKATE") {
      text += fmt::format("{:.6f}", -0.64 * std::cos(0.7) / std::pow(std::sin(0.7), 3));
    } else if (open == '{' && is_id(id)) {
      const ClaimResult* result = find(results, id);
      text += result != nullptr ? printed_evidence(*result) : "not checked in this run";
    } else if (open == '[' && end != std::string_view::npos && find(results, id) != nullptr) {
      text += fmt::format("[{0}](#{0})", id);
    } else {
      text += open;
      continue;
    }
    i = end;
  }
  return text;
}

}  // namespace cetaev
