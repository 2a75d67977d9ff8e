// What the motion shows: the picture, energies, constraints, phase portraits, other principles, constants, numbers.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "../layout.hpp"
#include "../mathml.hpp"
#include "cetaev/formulation/formulation.hpp"
#include "cetaev/report/motion.hpp"
#include "chart_groups.hpp"
#include "formulas.hpp"
#include "sections.hpp"

namespace cetaev {

namespace {

constexpr int colours = 7;

// Nothing happens in it beyond rounding?
bool constant(const std::vector<double>& values, double size) {
  for (const double x : values)
    if (std::isfinite(x) && std::abs(x) > 1e-12 * std::max(1.0, size)) return false;
  return true;
}

double largest(const std::vector<double>& values) {
  double most = 0;
  for (const double x : values)
    if (std::isfinite(x)) most = std::max(most, std::abs(x));
  return most;
}

bool escapes(const MotionSummary& summary) {
  return summary.diagnosis && summary.diagnosis->code() == ErrorCode::finite_escape;
}

std::string ended(const System& system, const MotionSummary& summary) {
  switch (summary.status) {
    case MotionStatus::finished: return {};
    case MotionStatus::singular:
      return fmt::format("The motion ends on a singular set at t = {:.6g}.",
                         summary.singular_at.value_or(summary.last.t));
    case MotionStatus::event:
      return fmt::format("The motion was stopped at t = {:.6g} by the event {}.", summary.last.t,
                         summary.stopping_event ? system->events[*summary.stopping_event].name : "");
    case MotionStatus::failed:
      if (escapes(summary))
        return fmt::format("The motion leaves every bound in finite time, at t = {:.6g}.", summary.last.t);
      return fmt::format("The computation of the motion failed after t = {:.6g}{}.", summary.last.t,
                         summary.diagnosis ? ": " + summary.diagnosis->message() : "");
    case MotionStatus::interrupted:
      return fmt::format("The computation was interrupted at t = {:.6g}.", summary.last.t);
  }
  return {};
}

// Formulas of balances in Unicode.
std::string balance_label(const EnergyAlong::Term& term) { return term.meaning; }

}  // namespace

Desk::Desk(const Story& s) : story(s), system(s.system), text(s.system, Notation::unicode) {}

std::string Desk::put(Chart chart) {
  const std::string html = figure(columns, chart);
  charts.push_back(std::move(chart));
  return html;
}
std::string Desk::t() { return columns.add("t", story.samples->t); }
std::string Desk::q(std::size_t i) { return columns.add(fmt::format("q{}", i), story.samples->q[i]); }
std::string Desk::v(std::size_t i) { return columns.add(fmt::format("v{}", i), story.samples->v[i]); }

std::string number_html(double value, int digits) {
  if (!std::isfinite(value)) return "none";
  std::string shown = fmt::format("{:.{}g}", readable(value), digits);
  if (const std::size_t e = shown.find('e'); e != std::string::npos)
    shown = shown.substr(0, e) + "·" + power_of_ten(std::stoi(shown.substr(e + 1)));
  if (shown.starts_with('-')) shown = "−" + shown.substr(1);
  return fmt::format("<data value=\"{}\">{}</data>", value + 0.0, shown);
}

std::string diagnosis_html(const std::string& what, const Error& error) {
  return fmt::format("<p class=\"diagnosis\"><b>{}.</b> {}. <code>{}</code></p>\n", html_text(what),
                     html_text(capital(error.message())), to_string(error.code()));
}

std::string stage_figure(Desk& desk) {
  const Story& story = desk.story;
  if (!story.has_motion()) {
    if (story.motion_error) return diagnosis_html("There is no motion to show", *story.motion_error);
    if (story.summary && story.summary->diagnosis)
      return diagnosis_html("There is no motion to show", *story.summary->diagnosis);
    if (story.summary && story.samples && story.samples->size() > 1)
      return fmt::format(
          "<p class=\"diagnosis\"><b>There is no motion to show.</b> It ends at the time at which it begins, t = "
          "{:.6g}.</p>\n",
          story.summary->last.t);
    return "<p class=\"diagnosis\">There is no motion to show.</p>\n";
  }
  const std::string name =
      fmt::format("The motion of {} from t = {:.4g} to t = {:.4g}: its path, and the system at nine instants",
                  desk.system->name, story.samples->t.front(), story.samples->t.back());
  const std::string picture = picture_svg(*story.scene, *story.frames, name, false);
  std::string caption = story.scene->stage().caption;
  if (!caption.empty()) {
    const auto& axes = story.scene->stage().axes;
    caption =
        fmt::format("Drawn in {}: {} to the right, {} upwards. ", caption, desk.name(axes[0]), desk.name(axes[1]));
  }
  caption += ended(desk.system, *story.summary);
  if (const std::size_t gaps = story.frames->left_out; gaps > 0 && !picture.empty())
    caption += fmt::format("{}Left out are {} of {} instants, at which a place in the picture is not finite.",
                           caption.empty() ? "" : " ", gaps, gaps + story.frames->size());
  std::string text = picture.empty() ? "<p class=\"diagnosis\"><b>There is no picture.</b> At every instant a place in "
                                       "it is not finite.</p>\n"
                                     : "<figure id=\"stage\">\n" + picture + "\n";
  if (!caption.empty())
    text += fmt::format("<{0}>{1}</{0}>\n", picture.empty() ? "p" : "figcaption", html_text(caption));
  if (!picture.empty()) text += "</figure>\n";
  return text;
}

std::string motion_section(Desk& desk) {
  const Story& story = desk.story;
  std::string text = stage_figure(desk);
  if (!story.has_motion()) return text;
  std::vector<ChartedQuantity> positions, velocities, outputs;
  for (std::size_t i = 0; i < desk.system->size(); ++i) {
    const std::string& x = desk.system->coordinates[i];
    const std::string unit(desk.system->unit_of(x)), rate(desk.system->unit_of(x + "'"));
    const bool declared = desk.system->declares_unit_of(x);
    const std::string kind = declared ? "" : unit;
    positions.push_back({desk.name(x), desk.q(i), unit == "1" && !declared ? "" : unit, declared, kind, {}});
    // In what the time is counted is known where the author counts in units.
    const std::string unit_of_rate = !rate.empty() ? rate : declared ? unit + "/s" : "";
    velocities.push_back({desk.name(x + "'"), desk.v(i), unit_of_rate, !unit_of_rate.empty(), kind, {}});
  }
  std::size_t column = 0;
  for (const Output& output : desk.system->outputs) {
    for (std::size_t c = 0; c < output.components.size(); ++c, ++column)
      outputs.push_back({output.column(c),
                         desk.columns.add(fmt::format("o{}", column), story.samples->outputs[column]),
                         std::string(desk.system->unit_of(output.name)),
                         desk.system->declares_unit_of(output.name),
                         {},
                         output.components.size() > 1 ? output.name : ""});
  }
  text += "<h3>Positions</h3>\n" + figures_over_time(desk, "chart-positions", "Positions over time", positions);
  text += "<details class=\"form\"><summary>Velocities</summary>\n" +
          figures_over_time(desk, "chart-velocities", "Velocities over time", velocities) + "</details>\n";
  if (!outputs.empty())
    text += "<h3>Outputs</h3>\n" + figures_over_time(desk, "chart-outputs", "Outputs of the model over time", outputs);
  return text;
}

namespace {

// What bodies, weight and springs have of the energy, and the work of loads and reactions. Nothing where that is one thing.
std::string energy_in_parts(Desk& desk, const EnergyAlong& energy, const std::string& t) {
  Chart energies{"chart-energy-parts", "The energies of bodies, weight and springs over time", "t", "energy", {}};
  Chart works{"chart-work", "The work of loads and reactions over time", "t", "work", {}};
  const double size = std::max(1.0, largest(energy.E));
  for (std::size_t i = 0; i < energy.shares.size(); ++i) {
    const EnergyAlong::Share& share = energy.shares[i];
    const bool energy_of = share.work.empty();
    Chart& chart = energy_of ? energies : works;
    const std::vector<double>& values = energy_of ? share.values : share.work;
    if (chart.curves.size() >= colours || largest(values) <= 1e-12 * size) continue;
    const std::string label = (share.kind == EnergyShare::Kind::kinetic     ? "T of "
                               : share.kind == EnergyShare::Kind::potential ? "V of "
                                                                            : "") +
                              share.of;
    chart.curves.push_back(
        {label, t, desk.columns.add(fmt::format("e.p{}", i), values), static_cast<int>(chart.curves.size())});
  }
  std::string text;
  if (energies.curves.size() > 1) text += "<h3>Whose energy it is</h3>\n" + desk.put(std::move(energies));
  if (!works.curves.empty()) text += "<h3>Work since the start</h3>\n" + desk.put(std::move(works));
  return text;
}

}  // namespace

std::string energy_section(Desk& desk) {
  const Story& story = desk.story;
  if (!story.has_motion()) return {};
  const MotionSummary& summary = *story.summary;
  const bool ours = summary.form->dalembert_lagrange;
  const auto said = [](const char* name, const std::vector<double>& values) {
    return fmt::format("{} begins at {} and ends at {}", name, number_html(values.front()), number_html(values.back()));
  };
  const std::string drift =
      escapes(summary)
          ? fmt::format(
                " Then the state grows beyond every bound, and the rounding of E with it: at the last state to {}.",
                number_html(summary.energy_drift, 2))
          : fmt::format(" Beside the work of its balance, E drifts by at most {}.",
                        number_html(summary.energy_drift, 2));
  std::string text;
  const WrittenStory& written = *story.written;
  if (ours && written.written && !written.written->energy.empty()) {
    FormulaWriter writer(*written.written);
    const std::string formulas = writer.definitions(written.written->energy);
    if (formulas.size() < 60'000)
      text += "<details class=\"form\"><summary>The energies and their balances as formulas</summary>\n" + formulas +
              "</details>\n";
  }
  if (!story.energy) {
    Chart chart{"chart-energy",
                "The energy over time",
                "t",
                "E",
                {{"E", desk.t(), desk.columns.add("E", story.samples->E), 0}}};
    std::string words = said("E", story.samples->E) + ".";
    if (ours) {
      words += drift;
    } else {
      double most = 0;
      for (const double E : story.samples->E) most = std::max(most, std::abs(E - story.samples->E.front()));
      words += fmt::format(
          " It moves by at most {}. Under this principle the reactions are others than under d'Alembert–Lagrange, and "
          "so "
          "is the balance of E.",
          number_html(most, 2));
    }
    return "<p>" + words + "</p>\n" + desk.put(std::move(chart)) + text;
  }
  const EnergyAlong& energy = *story.energy;
  const std::string t = desk.columns.add("e.t", energy.t);
  const double size = largest(energy.E);
  Chart chart{"chart-energy",
              "The energies E and E* over time",
              "t",
              "energy",
              {{"E", t, desk.columns.add("e.E", energy.E), 0}}};
  bool same = true;
  if (energy.reduced) {
    for (std::size_t i = 0; i < energy.E.size(); ++i)
      if (std::isfinite(energy.E_star[i]) && std::abs(energy.E[i] - energy.E_star[i]) > 1e-10 * std::max(1.0, size))
        same = false;
    chart.curves.push_back({"E*", t, desk.columns.add("e.E*", energy.E_star), 1, true});
  }
  std::string words = "<p>" + said("E", energy.E);
  if (energy.reduced) words += same ? "; E* is the same" : "; " + said("E*", energy.E_star);
  if (energy.reduced && !same)
    words += ". E* is the energy of the independent velocities: where others are dependent it is another";
  std::string result = words + "." + drift + "</p>\n" + desk.put(std::move(chart));

  const auto balance = [&](const char* id, const std::string& name, const std::string& prefix,
                           const std::vector<double>& rate, const std::vector<EnergyAlong::Term>& terms) {
    double most = largest(rate);
    for (const EnergyAlong::Term& term : terms) most = std::max(most, largest(term.values));
    if (most <= 1e-9 * std::max(1.0, size)) {
      return fmt::format(
          "<p>Every term of the balance of {} is zero along this motion, to rounding: {} is conserved.</p>\n", name,
          name);
    }
    Chart rates{id, fmt::format("The rate of {} and the terms of its balance over time", name), "t", "power", {}};
    rates.curves.push_back({"rate of " + name, t, desk.columns.add(prefix + "rate", rate), 0, false, true});
    int colour = 1;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      if (constant(terms[i].values, most)) continue;
      rates.curves.push_back({balance_label(terms[i]), t,
                              desk.columns.add(fmt::format("{}{}", prefix, i), terms[i].values), colour++ % colours});
    }
    return fmt::format("<h3>What changes {}</h3>\n", name) + desk.put(std::move(rates));
  };
  result += balance("chart-balance", "E", "e.b", energy.rate, energy.balance);
  if (energy.reduced && !same)
    result += balance("chart-balance-star", "E*", "e.s", energy.rate_star, energy.balance_star);
  return result + energy_in_parts(desk, energy, t) + text;
}

std::string constraints_section(Desk& desk) {
  const Story& story = desk.story;
  if (!story.has_motion() || desk.system->constraints.empty()) return {};
  std::string text =
      largest(story.samples->residual) == 0
          ? "<p>The constraints hold exactly along the motion: their residual is 0 at every sample.</p>\n"
          : fmt::format("<p>The constraints hold along the motion to {}.</p>\n",
                        number_html(story.summary->max_residual, 2));
  Chart residual{"chart-residual",
                 "The largest residual of the constraints over time, logarithmic",
                 "t",
                 "residual",
                 {{"residual", desk.t(), desk.columns.add("residual", story.samples->residual), 0}}};
  residual.logarithmic = true;
  if (largest(story.samples->residual) > 0) text += "<h3>Residual</h3>\n" + desk.put(std::move(residual));
  Chart multipliers{"chart-multipliers", "The multipliers over time", "t", "", {}};
  const auto& columns = story.samples->multipliers;
  for (std::size_t i = 0; i < columns.size() && multipliers.curves.size() < colours; ++i) {
    if (std::none_of(columns[i].begin(), columns[i].end(), [](double x) { return std::isfinite(x); })) continue;
    const std::string label = columns.size() == 1 ? "λ" : desk.name(fmt::format("$lambda{}", i + 1));
    multipliers.curves.push_back(
        {label, desk.t(), desk.columns.add(fmt::format("l{}", i), columns[i]), static_cast<int>(i) % colours});
  }
  if (multipliers.curves.empty()) return text;
  if (multipliers.curves.size() == 1) multipliers.y_label = multipliers.curves[0].label;
  text += "<h3>Multipliers</h3>\n" + desk.put(std::move(multipliers));
  if (columns.size() > colours)
    text += fmt::format("<p class=\"note\">The first {} of {} multipliers.</p>\n", colours, columns.size());
  return text;
}

std::string phase_section(Desk& desk) {
  if (!desk.story.has_motion()) return {};
  std::string text = "<div class=\"multiples\">\n";
  constexpr std::size_t shown = 6;
  for (std::size_t i = 0; i < std::min(desk.system->size(), shown); ++i) {
    const std::string& coordinate = desk.system->coordinates[i];
    const std::string q = desk.name(coordinate), v = desk.name(coordinate + "'");
    Chart chart{fmt::format("chart-phase-{}", i),
                fmt::format("Phase portrait of {}: {} over {}", q, v, q),
                q,
                v,
                {{v, desk.q(i), desk.v(i), static_cast<int>(i) % colours}}};
    chart.small = true;
    text += desk.put(std::move(chart));
  }
  for (std::size_t i = 0; i < desk.system->size(); ++i)
    desk.phase_axes.push_back({desk.name(desk.system->coordinates[i]), desk.q(i)});
  for (std::size_t i = 0; i < desk.system->size(); ++i)
    desk.phase_axes.push_back({desk.name(desk.system->coordinates[i] + "'"), desk.v(i)});
  desk.phase_axes.push_back({"t", desk.t()});
  return text + "</div>\n";
}

std::string principles_section(Desk& desk) {
  const Story& story = desk.story;
  if (story.companions.size() < 2) return {};
  const System& system = desk.system;
  std::string text =
      "<p>The same start under other principles. Those that part from d'Alembert–Lagrange are other mechanics, "
      "not other coordinates.</p>\n";
  // Along the first trace of the picture, as it is seen.
  Chart path{"chart-principles", "The path under each principle, drawn together", "", "", {}};
  path.same_scale = true;
  const bool traced = !story.scene->stage().traces.empty();
  const std::size_t trace = traced ? story.scene->stage().traces[0].at : 0;
  const Scene::Eye eye = story.scene->eye(*story.frames);
  double extent = 0;
  for (std::size_t f = 0; traced && f < story.frames->size(); ++f)
    for (const double x : eye(story.frames->vector(trace, f))) extent = std::max(extent, std::abs(x));
  std::string rows;
  const bool ours = story.summary->form->dalembert_lagrange;
  Chart coordinate{"chart-principles-time", "", "t", "", {}};
  // The coordinate in which they differ most tells them apart best.
  std::size_t which = 0;
  double most = -1;
  for (const Companion& companion : story.companions) {
    for (std::size_t c = 0; c < system->size(); ++c)
      if (companion.coordinate == system->coordinates[c] && companion.difference > most) {
        most = companion.difference;
        which = c;
      }
  }
  for (std::size_t k = 0; k < story.companions.size(); ++k) {
    const Companion& companion = story.companions[k];
    const int colour = static_cast<int>(k) % colours;
    std::string outcome;
    if (companion.samples && companion.samples->size() > 1) {
      const Frames frames = story.scene->frames(*companion.samples);
      std::vector<double> x, y;
      for (std::size_t f = 0; traced && f < frames.size(); ++f) {
        const auto p = eye(frames.vector(trace, f));
        // What flies off would make everything else a dot.
        const bool near = std::hypot(p[0], p[1]) <= 4 * std::max(extent, 1e-12);
        x.push_back(near ? p[0] : std::nan(""));
        y.push_back(near ? p[1] : std::nan(""));
      }
      const std::string prefix = fmt::format("p{}.", k);
      if (traced)
        path.curves.push_back({companion.label, desk.columns.add(prefix + "x", std::move(x), false),
                               desk.columns.add(prefix + "y", std::move(y), false), colour, k > 0, k == 0});
      std::vector<double> values = companion.samples->q[which];
      const double limit = 4 * std::max(largest(story.companions[0].samples->q[which]), 1e-12);
      for (double& value : values)
        if (std::abs(value) > limit) value = std::nan("");
      coordinate.curves.push_back({companion.label, desk.columns.add(prefix + "t", companion.samples->t, false),
                                   desk.columns.add(prefix + "q", std::move(values), false), colour, k > 0, k == 0});
      if (k == 0) {
        outcome = ours ? "<td>the motion above</td><td></td>" : "<td></td><td></td>";
      } else if (companion.part_at) {
        outcome = fmt::format("<td>parts at t = {:.4g}</td><td>{} in {}</td>", *companion.part_at,
                              number_html(companion.difference, 4), html_text(desk.name(companion.coordinate)));
      } else {
        outcome = fmt::format("<td>stays together</td><td>{}</td>", number_html(companion.difference, 2));
      }
      if (k > 0 && companion.summary && companion.summary->status != MotionStatus::finished)
        outcome = outcome.substr(0, outcome.find("</td>")) +
                  fmt::format("; ends at t = {:.4g}", companion.summary->last.t) +
                  outcome.substr(outcome.find("</td>"));
    } else {
      const std::string why = companion.error ? companion.error->message()
                              : companion.summary && companion.summary->diagnosis
                                  ? companion.summary->diagnosis->message()
                                  : "no motion";
      outcome = fmt::format("<td colspan=\"2\">{}</td>", html_text(why));
    }
    rows += fmt::format(
        "<tr><th scope=\"row\"><span class=\"key c{}{}\"></span>{} <span class=\"tag\">{}</span></th>{}</tr>\n", colour,
        k > 0 ? " dashed" : "", html_text(companion.label), to_string(companion.form), outcome);
  }
  text +=
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table of the "
      "principles\"><table><thead><tr><th "
      "scope=\"col\">Principle</th><th scope=\"col\">Beside "
      "d'Alembert–Lagrange</th><th scope=\"col\">Largest difference</th></tr></thead><tbody>\n" +
      rows + "</tbody></table></div>\n";
  // nothing to draw together
  if (coordinate.curves.size() < 2) return text;
  if (traced) text += "<h3>The path</h3>\n" + desk.put(std::move(path));
  coordinate.title = fmt::format("{} over time under each principle", desk.name(system->coordinates[which]));
  coordinate.y_label = desk.name(system->coordinates[which]);
  const bool part =
      std::any_of(story.companions.begin(), story.companions.end(), [](const Companion& c) { return c.part_at; });
  return text + (part ? "<h3>The coordinate that tells them apart</h3>\n" : "<h3>A coordinate over time</h3>\n") +
         desk.put(std::move(coordinate));
}

namespace {

// The formulas belong to the model as it was read for the motion, not to that of the equations.
std::string claims_html(Desk& desk, const std::vector<ClaimAlong>& claims, const std::string& head, Chart chart,
                        bool values) {
  WrittenSystem here;
  here.system = desk.system;
  FormulaWriter writer(here);
  std::string rows;
  chart.logarithmic = true;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const ClaimAlong& claim = claims[i];
    std::string formula = writer.expression(claim.expression);
    if (written_size(claim.expression) > 80)
      formula = "<details><summary>the formula, which is long</summary>" + formula + "</details>";
    const std::string name = claim.name.empty() ? fmt::format("integral {}", i + 1) : claim.name;
    const std::string spelled = values ? html_text(name) : writer.name(name);
    const std::string first = std::isfinite(claim.value) ? number_html(claim.value) : "not defined";
    const std::string gaps = claim.undefined == 0 ? "" : fmt::format("; not defined at {} samples", claim.undefined);
    rows += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td>{}<td>{}{}</td>{}</tr>\n", spelled, formula,
                        values ? "<td>" + first + "</td>" : "", number_html(claim.largest, 2), gaps,
                        values ? "<td>" + html_text(claim.ground) + "</td>" : "");
    // what is exactly 0 has no place on a logarithmic scale; the table says so
    if (chart.curves.size() < colours && claim.largest > 0)
      chart.curves.push_back({values ? name : desk.name(name), desk.t(),
                              desk.columns.add(fmt::format("{}{}", chart.id, i), claim.difference),
                              static_cast<int>(i) % colours});
  }
  // before the chart is given away
  const std::string table = fmt::format(
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\"><table><thead><tr>{}</tr></thead>"
      "<tbody>\n{}</tbody></table></div>\n",
      html_text(chart.title), head, rows);
  return chart.curves.empty() ? table : table + desk.put(std::move(chart));
}

}  // namespace

std::string integrals_section(Desk& desk) {
  const Story& story = desk.story;
  std::string text;
  const auto heads = [](std::initializer_list<const char*> names) {
    std::string head;
    for (const char* name : names) head += fmt::format("<th scope=\"col\">{}</th>", name);
    return head;
  };
  if (!story.closed_forms.empty()) {
    text += "<h3>Closed form</h3>\n<p>What the model says the motion is, beside the computed one.</p>\n";
    text += claims_html(
        desk, story.closed_forms, heads({"Coordinate", "Closed form", "Differs by at most"}),
        {"chart-closed", "How far the computed motion is from the closed form, logarithmic", "t", "difference", {}},
        false);
  }
  if (!story.integrals.empty()) {
    text += "<h3>Constants of the motion</h3>\n";
    text += claims_html(
        desk, story.integrals, heads({"Constant", "Formula", "Value", "Moves by at most", "Ground"}),
        {"chart-integrals", "How far each constant moves from its first value, logarithmic", "t", "change", {}}, true);
  }
  return text;
}

std::string run_section(Desk& desk) {
  const Story& story = desk.story;
  if (!story.summary) return {};
  const MotionSummary& s = *story.summary;
  std::string rows;
  const auto put = [&](const char* key, const char* name, const std::string& value) {
    rows += fmt::format("<tr data-key=\"{}\"><th scope=\"row\">{}</th><td>{}</td></tr>\n", key, name, value);
  };
  put("status", "Status", to_string(s.status));
  if (s.singular_at) put("at", "Singular set at t", number_html(*s.singular_at));
  put("form", "Form", s.form.name());
  put("method", "Method", to_string(s.method) + ", with " + std::string(how_it_was_computed(s)));
  put("tolerance", "Tolerance of a step", number_html(story.options.tolerance));
  put("t", "Time reached", number_html(s.last.t));
  put("samples", "Samples", std::to_string(s.samples));
  put("steps", "Steps", std::to_string(s.steps));
  put("rejected", "Rejected steps", std::to_string(s.rejected));
  put("rhs_evaluations", "Evaluations of the right-hand side", std::to_string(s.rhs_evaluations));
  put("max_residual", "Largest residual of the constraints", number_html(s.max_residual));
  put("E_start", "Energy at the start", number_html(s.E_start));
  put("E_end", "Energy at the end", number_html(s.E_end));
  put("energy_drift", "Drift of the energy beside its balance", number_html(s.energy_drift));
  put("projections", "Projections onto the constraints", std::to_string(s.projections));
  put("wall_seconds", "Seconds", fmt::format("{:.3f}", s.wall_seconds));
  std::string state;
  for (std::size_t i = 0; i < desk.system->size(); ++i) {
    state += fmt::format("<tr data-coordinate=\"{}\"><th scope=\"row\">{}</th><td>{}</td><td>{}</td></tr>\n",
                         html_text(desk.system->coordinates[i]), html_text(desk.name(desk.system->coordinates[i])),
                         number_html(s.last.q[i]), number_html(s.last.v[i]));
  }
  std::string text = "<div class=\"columns\"><table id=\"run-numbers\"><caption>The run</caption><tbody>\n" + rows +
                     "</tbody></table>\n<table id=\"last-state\"><caption>The last state</caption><thead><tr><th "
                     "scope=\"col\">Coordinate</th><th scope=\"col\">Position</th>"
                     "<th scope=\"col\">Velocity</th></tr></thead><tbody>\n" +
                     state + "</tbody></table></div>\n";
  if (s.diagnosis) text += diagnosis_html("How it ended", *s.diagnosis);
  for (const std::string& note : s.notes) text += "<p class=\"note\">" + html_text(capital(note)) + ".</p>\n";
  return text;
}

}  // namespace cetaev
