// Is the steady motion of the model stable? Its eigenvalues, its modes, and where it changes along a speed.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>

#include "../layout.hpp"
#include "../mathml.hpp"
#include "../words.hpp"
#include "cetaev/detail/constraint/describe.hpp"
#include "cetaev/report/linearize.hpp"
#include "sections.hpp"

namespace cetaev {

namespace {

const char* verdict_title(Stability verdict) {
  switch (verdict) {
    case Stability::asymptotically_stable: return "Asymptotically stable";
    case Stability::stable: return "Stable";
    case Stability::unstable: return "Unstable";
    case Stability::undecided: return "Not decided by the linearisation";
  }
  return "";
}

const char* verdict_class(Stability verdict) {
  return verdict == Stability::unstable ? "no" : verdict == Stability::undecided ? "open" : "yes";
}

// With its conjugate.
std::string eigenvalue_html(std::complex<double> value) {
  constexpr int digits = 8;
  std::string html = number_html(value.real(), digits);
  if (value.imag() != 0) html += " ± " + number_html(std::abs(value.imag()), digits) + " i";
  return html;
}

std::string modes_table(Desk& desk, const Linearization& found) {
  std::string rows;
  for (const Mode& mode : found.modes) {
    rows += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td></tr>\n", eigenvalue_html(mode.value),
                        html_text(mode_parts(mode, [&](const std::string& name) { return desk.name(name); })),
                        html_text(mode.meaning));
  }
  return "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Modes\"><table><thead><tr><th "
         "scope=\"col\">Eigenvalue</th><th scope=\"col\">What moves, and how far beside the largest</th><th "
         "scope=\"col\">How</th></tr></thead><tbody>\n" +
         rows + "</tbody></table></div>\n";
}

std::string locus_html(Desk& desk, const VariedSpectrum& varied) {
  const std::string name = desk.name(varied.name);
  Desk::Locus locus;
  locus.name = name;
  locus.values = desk.columns.add("locus", varied.values);
  Chart over{"chart-locus", "Eigenvalues over " + name, name, "real and imaginary parts", {}};
  Chart plane{"chart-plane", "Eigenvalues in the complex plane, along " + name, "real part", "imaginary part", {}};
  const std::size_t n = varied.eigenvalues.front().size();
  constexpr int palette = 7;
  for (std::size_t k = 0; k < n; ++k) {
    std::vector<double> re, im;
    for (const auto& spectrum : varied.eigenvalues) {
      re.push_back(spectrum[k].real());
      im.push_back(spectrum[k].imag());
    }
    locus.re.push_back(desk.columns.add(fmt::format("re{}", k), re));
    locus.im.push_back(desk.columns.add(fmt::format("im{}", k), im));
    const int colour = static_cast<int>(k) % palette;
    plane.curves.push_back({fmt::format("λ{}", k + 1), locus.re.back(), locus.im.back(), colour});
    over.curves.push_back({fmt::format("Re λ{}", k + 1), locus.values, locus.re.back(), colour});
    if (std::ranges::any_of(im, [](double y) { return y > 0; }))
      over.curves.push_back({fmt::format("Im λ{}", k + 1), locus.values, locus.im.back(), colour, true});
  }
  std::string text = fmt::format("<h3>Along {}</h3>\n", html_text(name));
  if (varied.critical.empty()) {
    text += fmt::format("<p>No eigenvalue crosses the imaginary axis from {} = {} to {}.</p>\n", html_text(name),
                        number_html(varied.values.front()), number_html(varied.values.back()));
  } else {
    text += "<ul>\n";
    for (const auto& [value, kind, eigenvalue] : varied.critical)
      text += fmt::format("<li>{} = {}: {}</li>\n", html_text(name), number_html(value, 13), meaning(kind));
    text += "</ul>\n";
  }
  locus.at = varied.values.size() / 2;
  text += "<div id=\"locus\"></div>\n" + desk.put(std::move(over)) + "<h3>In the complex plane</h3>\n" +
          desk.put(std::move(plane));
  desk.locus = std::move(locus);
  return text;
}

}  // namespace

std::string stability_section(Desk& desk) {
  if (!desk.story.stability) return {};
  const Linearization& found = *desk.story.stability;
  const System& system = desk.system;
  std::vector<std::string> kept;
  for (const std::size_t i : found.steady.ignorable) kept.push_back(desk.name(system->coordinates[i]));
  std::string text = fmt::format(
      "<p>The initial state is a steady motion{}.</p>\n<dl class=\"verdicts\">\n<div class=\"verdict "
      "{}\"><dt>{}</dt><dd>{}.</dd></div>\n</dl>\n",
      kept.empty() ? ""
                   : fmt::format(": only {} {}, which no equation contains", html_text(enumerate(kept)),
                                 kept.size() == 1 ? "changes" : "change"),
      verdict_class(found.verdict), verdict_title(found.verdict), html_text(capital(found.because)));
  if (found.form) text += "<pre tabindex=\"0\">" + html_text(form_lines(*found.form)) + "</pre>\n";
  std::string more = modes_table(desk, found);
  if (desk.story.locus && !desk.story.locus->eigenvalues.front().empty()) more += locus_html(desk, *desk.story.locus);
  return text + "<details class=\"form\"><summary>Eigenvalues, modes" +
         (desk.story.locus ? " and the root locus" : "") + "</summary>\n" + more + "</details>\n";
}

}  // namespace cetaev
