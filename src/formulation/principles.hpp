// The derivations that the registry lists, one file each.
#pragma once

#include "cetaev/formulation/formulation.hpp"

namespace cetaev {

Formulation derive_multipliers(const Setting& setting);
Formulation derive_gauss(const Setting& setting);
Formulation derive_maggi(const Setting& setting);
Formulation derive_hamel(const Setting& setting);
Formulation derive_voronec(const Setting& setting);
Formulation derive_caplygin(const Setting& setting);
Formulation derive_appell(const Setting& setting);
Formulation derive_vakonomic(const Setting& setting);
Formulation derive_mvm2(const Setting& setting);
Formulation derive_mvm3(const Setting& setting);
Formulation derive_reduced(const Setting& setting);

}  // namespace cetaev
