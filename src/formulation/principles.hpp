// The principles of the house, one file each.
#pragma once

#include "cetaev/formulation/formulation.hpp"

namespace cetaev {

extern const Principle multipliers_principle, gauss_principle, maggi_principle, hamel_principle, voronec_principle,
    caplygin_principle, appell_principle, vakonomic_principle, mvm1_principle, mvm2_principle, mvm3_principle,
    reduced_principle;

}  // namespace cetaev
