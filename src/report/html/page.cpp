#include "cetaev/report/page.hpp"

#include <fmt/format.h>

#include "../mathml.hpp"
#include "assets.hpp"
#include "cetaev/detail/text/printable.hpp"
#include "cetaev/detail/text/utf8.hpp"
#include "sections.hpp"
#include "sketch.hpp"

namespace cetaev {

namespace {

std::vector<PageSection> sections(Desk& desk, const PageOptions& options) {
  std::vector<PageSection> list;
  const auto add = [&](const char* id, const char* title, std::string html) {
    if (!html.empty()) list.push_back({id, title, std::move(html)});
  };
  add("motion", "Motion", motion_section(desk));
  add("kind", "What kind of system", kind_section(desk));
  add("equations", "Equations", equations_section(desk));
  add("energy", "Energy", energy_section(desk));
  add("constraints", "Constraints and multipliers", constraints_section(desk));
  add("phase", "Phase portraits", phase_section(desk));
  add("principles", "Principles compared", principles_section(desk));
  add("integrals", "Integrals and closed forms", integrals_section(desk));
  add("stability", "Stability", stability_section(desk));
  add("numbers", "Numbers of the run", run_section(desk));
  add("model", "The model", model_section(desk));
  add("reproduce", "Reproduce", reproduce_section(desk, options));
  return list;
}

std::string header(const Story& story, const PageOptions& options) {
  const System& system = story.system;
  std::string text = "<header>\n";
  if (!options.index.empty())
    text += fmt::format("<p class=\"back\"><a href=\"{}\">← Gallery</a></p>\n", html_text(options.index));
  text += "<h1>" + html_text(system->name) + "</h1>\n";
  if (!system->description.empty()) text += "<p class=\"lead\">" + html_text(system->description) + "</p>\n";
  if (!system->source.empty()) text += "<p class=\"origin\">Source: " + html_text(system->source) + "</p>\n";
  text += "<ul class=\"chips\">";
  for (const std::string& chip : chips(story)) text += "<li>" + html_text(chip) + "</li>";
  return text + "</ul>\n</header>\n";
}

std::string end_of_page(const Desk& desk) {
  std::string html;
  if (!page_script().empty()) {
    html += "<script type=\"application/json\" id=\"data\">" + page_data(desk) + "</script>\n<script>";
    html += page_script();
    html += "</script>\n";
  }
  return html + "</body>\n</html>\n";
}

}  // namespace

std::string section_html(const PageSection& section) {
  return fmt::format(
      "<section id=\"{0}\" aria-labelledby=\"{0}-title\">\n<h2 id=\"{0}-title\">{1}</h2>\n{2}</section>\n", section.id,
      html_text(section.title), section.html);
}

std::string valid_page(const std::string& text) {
  const std::u32string points = text::code_points(text);
  std::string result;
  result.reserve(text.size());
  for (const char32_t c : points)
    text::append_utf8(result, text::is_control(c) && c != '\n' && c != '\t' ? text::bad_character : c);
  return result;
}

std::string write_stage(const System& system, const MotionSummary& summary, const Samples& samples,
                        const std::string& version) {
  Story story;
  story.system = system;
  story.summary = summary;
  story.samples = samples;
  if (story.has_motion()) {
    story.scene.emplace(system, samples);
    story.frames = story.scene->frames(samples);
  }
  Desk desk(story);
  std::string html = page_head(version, system->name) + "<body>\n<main>\n" + stage_figure(desk) + "</main>\n";
  return valid_page(html + end_of_page(desk));
}

ReportPage write_page(const Workbench& bench, const PageOptions& options) {
  const System& system = bench.system();
  const Story story = tell(bench, options);
  Desk desk(story);
  const std::vector<PageSection> parts = sections(desk, options);

  std::string body = header(story, options);
  std::string contents = "<nav aria-label=\"Contents\"><ol>\n";
  for (const PageSection& part : parts)
    contents += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", part.id, html_text(part.title));
  contents += "</ol></nav>\n";
  for (const PageSection& part : parts) body += section_html(part);

  ReportPage page;
  page.error = story.motion_error;
  page.html = page_head(options.version, system->name) + "<body>\n";
  page.html += contents + "<main>\n" + body + "</main>\n";
  page.html = valid_page(page.html + end_of_page(desk));

  for (const std::string& chip : chips(story)) page.kind += (page.kind.empty() ? "" : ", ") + chip;
  page.summary = story.summary;
  if (story.has_motion()) {
    page.thumbnail = valid_page(picture_svg(*story.scene, *story.frames, "The motion of " + system->name, true));
    page.sketch = sketch(*story.scene, *story.frames);
  }
  return page;
}

}  // namespace cetaev
