#include "cetaev/verify/claims.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

namespace cetaev {
namespace {

TEST(Papers, EveryClaimHasTheVerdictThatItsFileSays) {
  ClaimOptions options;
  const bool show = std::getenv("CETAEV_SHOW_CLAIMS") != nullptr;
  options.progress = [&](const ClaimResult& r, std::size_t done, std::size_t total) {
    if (!show) return;
    std::cout << done << "/" << total << " " << r.claim.id << " " << to_string(r.verdict) << " " << r.seconds
              << " s: " << r.method << ": " << r.evidence << "\n";
  };
  for (const ClaimResult& result : verify_claims(paper_claims(), options))
    EXPECT_TRUE(result.passed()) << result.failure();
}

}  // namespace
}  // namespace cetaev
