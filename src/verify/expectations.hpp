#pragma once

#include "cetaev/report/check.hpp"
#include "cetaev/verify/model.hpp"

namespace cetaev::verify {

// [expect] against what check says.
std::vector<VerifiedItem> verify_expectations(const System& system, const Check& check);

}  // namespace cetaev::verify
