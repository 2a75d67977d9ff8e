#include "cetaev/verify/claims.hpp"

#include "cetaev/papers.hpp"

namespace cetaev {

std::string_view to_string(ClaimVerdict verdict) {
  switch (verdict) {
    case ClaimVerdict::holds: return "holds";
    case ClaimVerdict::corrected: return "corrected";
    case ClaimVerdict::refuted: return "false";
    case ClaimVerdict::undecided: break;
  }
  return "undecided";
}

std::string ClaimResult::failure() const {
  if (passed()) return {};
  return claim.position.file + ":" + std::to_string(claim.position.line) + ": " + claim.id + " should be '" +
         std::string(to_string(claim.expected)) + "' and is '" + std::string(to_string(verdict)) + "': " + evidence;
}

std::vector<Claim> paper_claims() {
  std::vector<Claim> claims;
  for (const ClaimsFile& file : claims_files()) {
    std::vector<Claim> more = read_claims(file.text, "papers/" + std::string(file.name) + ".toml");
    claims.insert(claims.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  }
  return claims;
}

}  // namespace cetaev
