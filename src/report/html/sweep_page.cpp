#include "cetaev/report/sweep_page.hpp"

#include <fmt/format.h>

#include <optional>

#include "../mathml.hpp"
#include "assets.hpp"
#include "cetaev/error.hpp"
#include "cetaev/model/read.hpp"
#include "sections.hpp"
#include "sweep_figures.hpp"

namespace cetaev {

namespace {

// Figures of each kind: a page is read by people.
constexpr std::size_t most_histograms = 24, most_maps = 8, most_scatters = 24;

class SweepPage {
 public:
  SweepPage(const SweepFile& sweep, const SweepPageOptions& options)
      : options_(options), texts_(sweep.texts()), view_(sweep) {
    // for the units; a model that this version does not read has none
    try {
      model_ = read_model(text("text"), "the model of the sweep");
    } catch (const Error&) {
    }
  }

  std::string write() const {
    const std::string name = text("model").empty() ? "A sweep" : text("model");
    std::vector<PageSection> sections = {{"asked", "What was asked", asked()},
                                         {"ends", "How the motions ended", ends()},
                                         {"observed", "What was observed", observed()},
                                         {"maps", "Over two of what varied", maps()},
                                         {"scatter", "Over each of what varied", scatters()},
                                         {"model", "The model", model()},
                                         {"reproduce", "Reproduce", reproduce()}};
    std::erase_if(sections, [](const PageSection& section) { return section.html.empty(); });
    std::string contents = "<nav aria-label=\"Contents\"><ol>\n", body;
    for (const PageSection& section : sections) {
      contents += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", section.id, html_text(section.title));
      body += section_html(section);
    }
    return valid_page(page_head(options_.version, name + ": a sweep") + "<body>\n" + contents +
                      "</ol></nav>\n<main>\n" + header(name) + body + "</main>\n</body>\n</html>\n");
  }

 private:
  std::string text(const std::string& name) const {
    const auto found = texts_.find(name);
    return found == texts_.end() || found->second.empty() ? std::string() : found->second.front();
  }
  std::vector<std::string> list(const std::string& name) const {
    const auto found = texts_.find(name);
    return found == texts_.end() ? std::vector<std::string>() : found->second;
  }

  std::string label(const std::string& name) const {
    const std::string_view unit = model_ ? (*model_)->unit_of(name) : std::string_view();
    return unit.empty() ? name : fmt::format("{} ({})", name, unit);
  }

  static std::string codes(const std::vector<std::string>& words) {
    std::string html;
    for (const std::string& word : words) html += (html.empty() ? "<code>" : ", <code>") + html_text(word) + "</code>";
    return html;
  }

  std::string header(const std::string& name) const {
    std::vector<std::string> names;
    for (const ColumnSummary& input : view_.inputs) names.push_back(input.name);
    std::string html = fmt::format("<header>\n<h1>{}</h1>\n<p class=\"lead\">{} {} over {}.</p>\n<ul class=\"chips\">",
                                   html_text(name), view_.count, view_.count == 1 ? "motion" : "motions", codes(names));
    for (const auto& [status, number] : view_.statuses) html += fmt::format("<li>{} {}</li>", number, status);
    if (view_.there < view_.count) html += fmt::format("<li>{} missing</li>", view_.count - view_.there);
    return html + "</ul>\n</header>\n";
  }

  std::string asked() const {
    std::string html = "<div class=\"scroll\"><table>\n<tbody>\n";
    const auto row = [&](const char* what, const std::string& value) {
      if (!value.empty()) html += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", what, value);
    };
    row("Varied", list("vary").empty() ? html_text(text("table")) : codes(list("vary")));
    if (!text("count").empty() && text("count") != "0")
      row("Draws", html_text(text("count")) + ", seed " + html_text(text("seed")));
    if (texts_.contains("observe"))
      row("Observed", list("observe").empty() ? "the last state" : codes(list("observe")));
    row("Set", codes(list("settings")));
    row("To the time", html_text(text("t_end")));
    row("Form", html_text(text("form")));
    if (text("steps").empty()) {
      row("Method", html_text(text("method")));
      row("Tolerance", html_text(text("tolerance")));
    } else {
      row("Method", html_text(text("steps")) + " equal steps of the classical Runge–Kutta method");
    }
    if (texts_.contains("device")) row("Computed by", text("device") == "gpu" ? "a GPU" : "processors");
    if (!text("precision").empty()) row("Precision", html_text(text("precision")) + ", seven digits");
    row("Written by", text("version").empty() ? "" : "Cetaev " + html_text(text("version")));
    return html + "</tbody>\n</table></div>\n";
  }

  std::string ends() const {
    static const std::map<std::string, const char*> meaning = {{"finished", "came to the end"},
                                                               {"event", "were stopped by an event"},
                                                               {"singular", "reached a singular set"},
                                                               {"failed", "could not start, or not go on"},
                                                               {"interrupted", "were interrupted"}};
    std::string html =
        "<div class=\"columns\"><div class=\"scroll\"><table>\n<thead><tr><th>Status</th><th>Motions</th><th>Share</th>"
        "<th></th></tr></thead>\n<tbody>\n";
    const auto row = [&](const std::string& word, std::size_t number, const std::string& what) {
      html +=
          fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td><td>{:.4g} %</td><td>{}</td></tr>\n", html_text(word),
                      number, 100.0 * static_cast<double>(number) / static_cast<double>(view_.count), what);
    };
    for (const auto& [status, number] : view_.statuses)
      row(status, number, meaning.contains(status) ? meaning.at(status) : "");
    if (view_.there < view_.count) row("missing", view_.count - view_.there, "are not in the file yet");
    html += "</tbody>\n</table></div>\n";
    if (!view_.diagnoses.empty()) {
      html += "<div class=\"scroll\"><table>\n<thead><tr><th>Diagnosis</th><th>Motions</th></tr></thead>\n<tbody>\n";
      for (const auto& [code, number] : view_.diagnoses)
        html += fmt::format("<tr><th scope=\"row\"><code>{}</code></th><td>{}</td></tr>\n", html_text(code), number);
      html += "</tbody>\n</table></div>\n";
    }
    return html + "</div>\n";
  }

  std::string observed() const {
    std::string html =
        "<div class=\"scroll\"><table>\n<thead><tr><th></th><th>Motions with a value</th><th>Least</th><th>Mean</th>"
        "<th>Largest</th><th>Deviation</th></tr></thead>\n<tbody>\n";
    for (const auto* columns : {&view_.inputs, &view_.outputs}) {
      for (const ColumnSummary& column : *columns) {
        html += fmt::format("<tr><th scope=\"row\"><code>{}</code></th><td>{}</td>", html_text(label(column.name)),
                            column.count);
        for (const double value : {column.range.from, column.mean, column.range.to, column.spread})
          html += column.count > 0 ? "<td>" + number_html(value, 6) + "</td>" : "<td>none</td>";
        html += "</tr>\n";
      }
    }
    html += "</tbody>\n</table></div>\n<div class=\"multiples\">\n";
    std::size_t drawn = 0;
    for (const ColumnSummary& column : view_.outputs)
      if (column.count > 0 && drawn++ < most_histograms) html += histogram(column, label(column.name));
    return html + "</div>\n" + left_out(drawn, most_histograms);
  }

  std::string maps() const {
    if (!view_.has_maps()) return {};
    const std::string x = label(view_.inputs[0].name), y = label(view_.inputs[1].name);
    std::string html = fmt::format("<p>The colour is the mean of the motions of a cell{}.</p>\n",
                                   view_.inputs.size() > 2 ? ", whatever else varies" : "");
    std::size_t drawn = 0;
    for (std::size_t i = 0; i < view_.outputs.size(); ++i) {
      if (view_.outputs[i].count == 0 || drawn++ >= most_maps) continue;
      html += "<h3><code>" + html_text(view_.outputs[i].name) + "</code></h3>\n" +
              heat_map(view_, i, x, y, label(view_.outputs[i].name));
    }
    return drawn == 0 ? std::string() : html + left_out(drawn, most_maps);
  }

  std::string scatters() const {
    std::string html = "<div class=\"multiples\">\n";
    std::size_t drawn = 0;
    for (std::size_t i = 0; i < view_.outputs.size(); ++i) {
      for (std::size_t j = 0; j < view_.inputs.size(); ++j) {
        if (view_.outputs[i].count == 0 || drawn++ >= most_scatters) continue;
        html += scatter(view_, j, i, label(view_.inputs[j].name), label(view_.outputs[i].name));
      }
    }
    if (drawn == 0) return {};
    if (view_.points.size() < view_.there)
      html = fmt::format("<p>{} of the motions, evenly chosen.</p>\n", view_.points.size()) + html;
    return html + "</div>\n" + left_out(drawn, most_scatters);
  }

  static std::string left_out(std::size_t drawn, std::size_t most) {
    if (drawn <= most) return {};
    return fmt::format("<p class=\"note\">{} more are not drawn; <code>cetaev plot</code> draws each of them.</p>\n",
                       drawn - most);
  }

  std::string model() const {
    if (text("text").empty()) return {};
    return "<pre tabindex=\"0\" class=\"copy model\"><code>" + html_text(text("text")) + "</code></pre>\n";
  }

  std::string reproduce() const {
    return fmt::format(
        "<p>This page was made by Cetaev {}:</p>\n<pre tabindex=\"0\" class=\"copy\"><code>{}</code></pre>\n",
        html_text(options_.version), html_text(options_.command));
  }

  const SweepPageOptions& options_;
  SweepTexts texts_;
  SweepView view_;
  std::optional<System> model_;
};

}  // namespace

std::string write_sweep_page(const SweepFile& sweep, const SweepPageOptions& options) {
  return SweepPage(sweep, options).write();
}

}  // namespace cetaev
