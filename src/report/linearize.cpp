#include "cetaev/report/linearize.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "along_file.hpp"
#include "cetaev/detail/constraint/describe.hpp"
#include "cetaev/detail/numeric/indices.hpp"
#include "complex_text.hpp"
#include "stability_chart_json.hpp"

namespace cetaev {

namespace {

// Of a real matrix: conjugate pairs in one line.
std::string eigenvalue_lines(const Linearization& found) {
  std::string text;
  for (const Eigenvalue& one : found.eigenvalues) {
    if (one.value.imag() < 0) continue;
    text += "  " + pair_text(one.value, 12);
    if (one.radius) text += *one.radius == 0 ? "   (proved)" : fmt::format("   (proved to {:.1g})", *one.radius);
    text += "\n";
  }
  return text;
}

std::string mode_lines(const Linearization& found) {
  std::string text;
  for (const Mode& mode : found.modes) {
    text += fmt::format("  {}   {}", pair_text(mode.value, 6), mode.name);
    if (mode.parts.size() > 1) text += ": " + mode_parts(mode);
    text += "; " + mode.meaning + "\n";
  }
  return text;
}

// A number before a name: none where it is one.
std::string term_text(double coefficient, const std::string& of, bool first) {
  const char* sign = coefficient < 0 ? (first ? "-" : " - ") : (first ? "" : " + ");
  const std::string size = fmt::format("{:.6g}", std::abs(coefficient));
  return sign + (size == "1" ? "" : size + " ") + of;
}

// A square matrix by its rows.
Json square_json(const std::vector<double>& entries, std::size_t n) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < n; ++i)
    rows.push_back(numbers({entries.begin() + static_cast<std::ptrdiff_t>(i * n),
                            entries.begin() + static_cast<std::ptrdiff_t>((i + 1) * n)}));
  return rows;
}

Json form_json(const DefiniteForm& form) {
  Json one;
  one["combination"] = Json::array();
  for (const auto& [constant, coefficient] : form.combination)
    one["combination"].push_back({{"constant", constant}, {"coefficient", number(coefficient)}});
  one["kept"] = form.kept;
  one["variables"] = form.variables;
  one["matrix"] = square_json(form.matrix, form.variables.size());
  one["definite"] = form.positive ? "positive" : "negative";
  return one;
}

}  // namespace

std::string form_lines(const DefiniteForm& form) {
  constexpr std::size_t most_terms = 12;  // what a line holds; all of them are in JSON
  std::string text = "  F = ";
  for (std::size_t i = 0; i < form.combination.size(); ++i)
    text += term_text(form.combination[i].coefficient, "(" + form.combination[i].constant + ")", i == 0);
  text += "\n";
  std::string terms;
  std::size_t count = 0;
  const std::size_t n = form.variables.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i; j < n; ++j) {
      const double entry = form.matrix[i * n + j] * (i == j ? 0.5 : 1);
      if (entry == 0 || ++count > most_terms) continue;
      terms += term_text(entry,
                         i == j ? fmt::format("\u03b4{}\u00b2", form.variables[i])
                                : fmt::format("\u03b4{} \u03b4{}", form.variables[i], form.variables[j]),
                         terms.empty());
    }
  }
  if (count > most_terms) terms += fmt::format(" + \u2026 ({} terms)", count);
  if (n > 0)
    text += fmt::format("  \u00bd \u03b4\u00b2F = {}, {} definite\n", terms, form.positive ? "positive" : "negative");
  return text;
}

const char* meaning(VariedSpectrum::Critical::Kind kind) {
  switch (kind) {
    case VariedSpectrum::Critical::Kind::hopf: return "a pair crosses the imaginary axis";
    case VariedSpectrum::Critical::Kind::zero: return "an eigenvalue passes zero";
    case VariedSpectrum::Critical::Kind::collision: return "two pairs meet on the imaginary axis and leave it";
    case VariedSpectrum::Critical::Kind::singular: return "the equations are singular: eigenvalues have no bound";
    case VariedSpectrum::Critical::Kind::jump: return "an eigenvalue jumps past the imaginary axis";
  }
  return "";
}

// Where there is a diagnosis there is no spectrum.
std::size_t size_of_spectra(const VariedSpectrum& varied) {
  std::size_t n = 0;
  for (const auto& spectrum : varied.eigenvalues) n = std::max(n, spectrum.size());
  return n;
}
std::complex<double> eigenvalue_of(const VariedSpectrum& varied, std::size_t i, std::size_t k) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  return k < varied.eigenvalues[i].size() ? varied.eigenvalues[i][k] + 0.0 : std::complex<double>(none, none);
}

std::string mode_parts(const Mode& mode, const std::function<std::string(const std::string&)>& name) {
  constexpr double least = 0.005;  // of the largest
  std::string parts;
  for (const Mode::Part& part : mode.parts) {
    if (part.size < least) continue;
    parts += fmt::format("{}{} {:.3g}", parts.empty() ? "" : ", ", name ? name(part.name) : part.name, part.size);
    const long degrees = std::lround(part.ahead);
    if (std::abs(degrees) == 180)
      parts += " (opposite)";
    else if (degrees != 0)
      parts += fmt::format(" ({}° {})", std::abs(degrees), degrees > 0 ? "ahead" : "behind");
  }
  return parts;
}

std::string to_text(const System& system, const Linearization& found, const std::optional<VariedSpectrum>& varied,
                    const std::optional<StabilityChart>& chart) {
  const SteadyMotion& steady = found.steady;
  const std::vector<std::size_t> all = all_indices(system->size());
  std::string text = system->name + "\n";
  text +=
      fmt::format("steady motion{}\n  {}\n  {}\n", steady.certified ? " (proved)" : "",
                  describe_positions(system, steady.state.q, all), describe_velocities(system, steady.state.v, all));
  std::string names;
  for (const std::size_t i : steady.ignorable) names += (names.empty() ? "" : ", ") + system->coordinates[i];
  text += fmt::format("  ignorable: {}\n", names.empty() ? "none" : names);
  if (!steady.solved.empty()) {
    text += "  solved for:";
    for (std::size_t i = 0; i < steady.solved.size(); ++i)
      text += fmt::format("{} {} = {:.13g}", i == 0 ? "" : ",", steady.solved[i].first, steady.solved[i].second);
    text += "\n";
  }
  names.clear();
  for (const std::string& name : found.state) names += (names.empty() ? "" : ", ") + name;
  text += fmt::format("\nz' = A z, z = ({})\n", names);
  const std::size_t n = found.state.size();
  std::vector<std::string> entries;
  std::size_t width = 0;
  for (const double entry : found.A) {
    entries.push_back(fmt::format("{:.8g}", entry + 0.0));
    width = std::max(width, entries.back().size());
  }
  for (std::size_t i = 0; i < n; ++i) {
    text += " ";
    for (std::size_t j = 0; j < n; ++j) text += fmt::format(" {:>{}}", entries[i * n + j], width);
    text += "\n";
  }
  text += "\neigenvalues\n" + eigenvalue_lines(found);
  text += "\nmodes\n" + mode_lines(found);
  text += fmt::format("\n{}: {}\n", to_string(found.verdict), found.because);
  if (found.form) text += form_lines(*found.form);
  if (chart) text += "\n" + to_text(*chart);
  if (!varied) return text;
  text += fmt::format("\nalong {} = {:.6g} … {:.6g}\n", varied->name, varied->values.front(), varied->values.back());
  if (varied->critical.empty()) text += "  no eigenvalue crosses the imaginary axis\n";
  for (const auto& [value, kind, eigenvalue] : varied->critical)
    text += fmt::format("  {} = {:.13g}   {}{}\n", varied->name, value, meaning(kind),
                        kind == VariedSpectrum::Critical::Kind::singular ? "" : " at " + complex_text(eigenvalue, 8));
  // one after the other for the same reason are one line
  const auto reason = [&](std::size_t i) {
    return varied->diagnosis[i] ? to_string(varied->diagnosis[i]->code()) : "";
  };
  for (std::size_t i = 0; i < varied->diagnosis.size();) {
    std::size_t last = i;
    while (last + 1 < varied->diagnosis.size() && reason(last + 1) == reason(i)) ++last;
    if (varied->diagnosis[i])
      text += fmt::format("  {}no spectrum, {}: {}\n",
                          last > i ? fmt::format("{} values from {:.6g} to {:.6g}   ", last + 1 - i, varied->values[i],
                                                 varied->values[last])
                                   : "",
                          reason(i), varied->diagnosis[i]->what());
    i = last + 1;
  }
  return text;
}

std::string to_json(const System& system, const Linearization& found, const std::optional<VariedSpectrum>& varied,
                    const std::optional<StabilityChart>& chart) {
  Json document;
  document["model"] = system->name;
  Json& steady = document["steady"];
  steady["residual"] = number(found.steady.residual);
  steady["q"] = by_coordinate(system, found.steady.state.q);
  steady["v"] = by_coordinate(system, found.steady.state.v);
  steady["ignorable"] = Json::array();
  for (const std::size_t i : found.steady.ignorable) steady["ignorable"].push_back(system->coordinates[i]);
  steady["certified"] = found.steady.certified;
  if (!found.steady.solved.empty()) {
    steady["solved"] = Json::object();
    for (const auto& [name, value] : found.steady.solved) steady["solved"][name] = number(value);
  }
  document["state"] = found.state;
  document["A"] = square_json(found.A, found.state.size());
  document["eigenvalues"] = Json::array();
  for (const Eigenvalue& one : found.eigenvalues) {
    Json value = complex_json(one.value);
    value["radius"] = one.radius ? number(*one.radius) : Json();
    document["eigenvalues"].push_back(std::move(value));
  }
  document["zero"] = found.zero;
  document["modes"] = Json::array();
  for (const Mode& mode : found.modes) {
    Json one = complex_json(mode.value);
    one["name"] = mode.name;
    one["multiplicity"] = mode.multiplicity;
    one["directions"] = mode.directions;
    one["parts"] = Json::array();
    for (const Mode::Part& part : mode.parts)
      one["parts"].push_back({{"name", part.name}, {"size", number(part.size)}, {"ahead", number(part.ahead)}});
    one["meaning"] = mode.meaning;
    document["modes"].push_back(std::move(one));
  }
  document["families"] = found.families;
  document["verdict"] = to_string(found.verdict);
  document["because"] = found.because;
  document["form"] = found.form ? form_json(*found.form) : Json();
  if (varied) {
    Json& vary = document["vary"];
    vary["name"] = varied->name;
    vary["values"] = numbers(varied->values);
    vary["eigenvalues"] = Json::array();
    for (const auto& spectrum : varied->eigenvalues) {
      Json list = Json::array();
      for (const std::complex<double> value : spectrum) list.push_back(complex_json(value));
      vary["eigenvalues"].push_back(std::move(list));
    }
    if (!varied->solve.empty()) {
      vary["solved"] = Json::object();
      for (std::size_t k = 0; k < varied->solve.size(); ++k) {
        Json& column = vary["solved"][varied->solve[k]] = Json::array();
        for (std::size_t i = 0; i < varied->solved.size(); ++i)
          column.push_back(varied->diagnosis[i] ? Json() : number(varied->solved[i][k]));
      }
    }
    vary["diagnosis"] = Json::array();
    for (const std::optional<Error>& error : varied->diagnosis)
      vary["diagnosis"].push_back(error ? Json(to_string(error->code())) : Json());
    vary["critical"] = Json::array();
    for (const auto& [value, kind, eigenvalue] : varied->critical) {
      Json one{{"value", number(value)}, {"kind", to_string(kind)}};
      one.update(complex_json(eigenvalue));
      vary["critical"].push_back(std::move(one));
    }
  }
  if (chart) document["chart"] = chart_json(*chart);
  return dump(document);
}

std::string to_csv(const VariedSpectrum& varied) {
  std::string text = varied.name;
  const std::size_t n = size_of_spectra(varied);
  const bool diagnosed = std::ranges::any_of(varied.diagnosis, [](const auto& one) { return one.has_value(); });
  for (std::size_t i = 1; i <= n; ++i) text += fmt::format(",re{0},im{0}", i);
  for (const std::string& name : varied.solve) text += "," + name;
  text += diagnosed ? ",diagnosis\n" : "\n";
  const auto cell = [](double value) { return std::isnan(value) ? std::string(",") : fmt::format(",{:.17g}", value); };
  for (std::size_t i = 0; i < varied.values.size(); ++i) {
    text += fmt::format("{:.17g}", varied.values[i]);
    for (std::size_t k = 0; k < n; ++k) {
      const std::complex<double> value = eigenvalue_of(varied, i, k);
      text += cell(value.real()) + cell(value.imag());
    }
    if (!varied.solve.empty())
      for (const double value : varied.solved[i]) text += cell(value);
    if (diagnosed) text += fmt::format(",{}", varied.diagnosis[i] ? to_string(varied.diagnosis[i]->code()) : "");
    text += "\n";
  }
  return text;
}

void write_spectrum(const System& system, const VariedSpectrum& varied, const std::string& path) {
  AlongRows along{varied.name, varied.values, {}, {}, {}, {}};
  const std::size_t n = size_of_spectra(varied);
  for (std::size_t i = 1; i <= n; ++i)
    along.columns.insert(along.columns.end(), {fmt::format("re{}", i), fmt::format("im{}", i)});
  along.columns.insert(along.columns.end(), varied.solve.begin(), varied.solve.end());
  for (std::size_t i = 0; i < varied.values.size(); ++i) {
    std::vector<double> row;
    for (std::size_t k = 0; k < n; ++k) {
      const std::complex<double> value = eigenvalue_of(varied, i, k);
      row.insert(row.end(), {value.real(), value.imag()});
    }
    if (!varied.solve.empty()) row.insert(row.end(), varied.solved[i].begin(), varied.solved[i].end());
    along.rows.push_back(std::move(row));
    along.diagnosis.push_back(varied.diagnosis[i] ? std::optional(varied.diagnosis[i]->code()) : std::nullopt);
  }
  for (const auto& [value, kind, eigenvalue] : varied.critical)
    along.critical.push_back(fmt::format("{} {:.17g}", to_string(kind), value));
  write_along(system, along, path);
}

MotionTable to_table(const VariedSpectrum& varied) {
  MotionTable table{{varied.name}, {varied.values}};
  const std::size_t n = size_of_spectra(varied);
  std::vector<std::vector<double>> shown;
  const auto same = [](const std::vector<double>& a, const std::vector<double>& b) {
    return std::ranges::equal(a, b, [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
  };
  for (const bool imaginary : {false, true}) {
    for (std::size_t i = 0; i < n; ++i) {
      std::vector<double> column;
      for (std::size_t at = 0; at < varied.values.size(); ++at) {
        const std::complex<double> value = eigenvalue_of(varied, at, i);
        column.push_back(imaginary ? value.imag() : value.real());
      }
      const bool any = !imaginary || std::ranges::any_of(column, [](double value) { return value > 0; });
      // of a conjugate pair the real part once
      if (!any || std::ranges::any_of(shown, [&](const auto& one) { return same(one, column); })) continue;
      shown.push_back(column);
      table.names.push_back(fmt::format("{} λ{}", imaginary ? "Im" : "Re", i + 1));
      table.columns.push_back(std::move(column));
    }
  }
  return table;
}

}  // namespace cetaev
