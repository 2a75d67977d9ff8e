#pragma once

#include "cetaev/report/stability_chart.hpp"
#include "json_values.hpp"

namespace cetaev {

Json chart_json(const StabilityChart& chart);

}  // namespace cetaev
