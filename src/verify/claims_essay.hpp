// The words before the claims on the page about the papers.
#pragma once

#include <span>
#include <string>

#include "cetaev/verify/claims.hpp"

namespace cetaev {

// {ID} in the essay becomes the evidence of that claim, and [ID] a link to it.
std::string claims_essay(std::span<const ClaimResult> results);

}  // namespace cetaev
