#include "cetaev/report/linearize.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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
  }
  return "";
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
    text += fmt::format("  {} = {:.13g}   {} at {}\n", varied->name, value, meaning(kind), complex_text(eigenvalue, 8));
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
        std::vector<double> column;
        for (const auto& row : varied->solved) column.push_back(row[k]);
        vary["solved"][varied->solve[k]] = numbers(column);
      }
    }
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
  const std::size_t n = varied.eigenvalues.empty() ? 0 : varied.eigenvalues.front().size();
  for (std::size_t i = 1; i <= n; ++i) text += fmt::format(",re{0},im{0}", i);
  for (const std::string& name : varied.solve) text += "," + name;
  text += "\n";
  for (std::size_t i = 0; i < varied.values.size(); ++i) {
    text += fmt::format("{:.17g}", varied.values[i]);
    for (const std::complex<double> value : varied.eigenvalues[i])
      text += fmt::format(",{:.17g},{:.17g}", value.real() + 0.0, value.imag() + 0.0);
    if (!varied.solve.empty())
      for (const double value : varied.solved[i]) text += fmt::format(",{:.17g}", value);
    text += "\n";
  }
  return text;
}

void write_spectrum(const System& system, const VariedSpectrum& varied, const std::string& path) {
  AlongRows along{varied.name, varied.values, {}, {}, {}};
  const std::size_t n = varied.eigenvalues.empty() ? 0 : varied.eigenvalues.front().size();
  for (std::size_t i = 1; i <= n; ++i)
    along.columns.insert(along.columns.end(), {fmt::format("re{}", i), fmt::format("im{}", i)});
  along.columns.insert(along.columns.end(), varied.solve.begin(), varied.solve.end());
  for (std::size_t i = 0; i < varied.values.size(); ++i) {
    std::vector<double> row;
    for (const std::complex<double> value : varied.eigenvalues[i])
      row.insert(row.end(), {value.real() + 0.0, value.imag() + 0.0});
    if (!varied.solve.empty()) row.insert(row.end(), varied.solved[i].begin(), varied.solved[i].end());
    along.rows.push_back(std::move(row));
  }
  for (const auto& [value, kind, eigenvalue] : varied.critical)
    along.critical.push_back(fmt::format("{} {:.17g}", to_string(kind), value));
  write_along(system, along, path);
}

MotionTable to_table(const VariedSpectrum& varied) {
  MotionTable table{{varied.name}, {varied.values}};
  const std::size_t n = varied.eigenvalues.empty() ? 0 : varied.eigenvalues.front().size();
  std::vector<std::vector<double>> shown;
  for (const bool imaginary : {false, true}) {
    for (std::size_t i = 0; i < n; ++i) {
      std::vector<double> column;
      for (const auto& spectrum : varied.eigenvalues)
        column.push_back(imaginary ? spectrum[i].imag() : spectrum[i].real());
      const bool any = !imaginary || std::ranges::any_of(column, [](double value) { return value > 0; });
      // of a conjugate pair the real part once
      if (!any || std::ranges::find(shown, column) != shown.end()) continue;
      shown.push_back(column);
      table.names.push_back(fmt::format("{} {}", imaginary ? "Im" : "Re", i + 1));
      table.columns.push_back(std::move(column));
    }
  }
  return table;
}

}  // namespace cetaev
