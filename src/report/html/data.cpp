// The numbers of the page for its scripts.
#include <bit>
#include <cstdint>
#include <cstring>

#include "../json_values.hpp"
#include "sections.hpp"

namespace cetaev {

namespace {

static_assert(std::endian::native == std::endian::little, "the scripts read little-endian numbers");

std::string base64(const std::string& bytes) {
  static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    for (std::size_t k = 0; k < 3; ++k)
      group = (group << 8U) | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k) text += k <= count ? digits[(group >> (18U - 6U * k)) & 63U] : '=';
  }
  return text;
}

template <typename Number>
std::string packed(const std::vector<double>& values) {
  std::string bytes(values.size() * sizeof(Number), '\0');
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Number number = static_cast<Number>(values[i]);
    std::memcpy(bytes.data() + i * sizeof(Number), &number, sizeof(Number));
  }
  return base64(bytes);
}

Json vector_json(const Vector3& v) { return Json::array({number(v[0]), number(v[1]), number(v[2])}); }

Json scene_json(const Desk& desk) {
  const Story& story = desk.story;
  const Stage& stage = story.scene->stage();
  const Frames& frames = *story.frames;
  Json scene;
  scene["t"] = packed<double>(frames.t);
  scene["vectors"] = Json::array();
  for (const auto& vector : frames.vectors) scene["vectors"].push_back(packed<float>(vector));
  scene["numbers"] = Json::array();
  for (const auto& numbers : frames.numbers) scene["numbers"].push_back(packed<float>(numbers));
  const auto marks = [](const std::vector<Stage::Mark>& list) {
    Json result = Json::array();
    for (const Stage::Mark& mark : list) result.push_back({{"label", mark.label}, {"at", mark.at}});
    return result;
  };
  scene["points"] = marks(stage.points);
  scene["traces"] = marks(stage.traces);
  scene["links"] = stage.links;
  scene["blades"] = Json::array();
  for (const Stage::Blade& blade : stage.blades) scene["blades"].push_back({{"at", blade.at}, {"along", blade.along}});
  scene["wheels"] = Json::array();
  for (const Stage::Wheel& wheel : stage.wheels) {
    Json object = {{"at", wheel.at}, {"axle", wheel.axle}, {"radius", wheel.radius}};
    if (wheel.spoke) object["spoke"] = *wheel.spoke;
    scene["wheels"].push_back(object);
  }
  scene["balls"] = Json::array();
  for (const Stage::Ball& ball : stage.balls) scene["balls"].push_back({{"at", ball.at}, {"radius", ball.radius}});
  const Scene::Eye eye = story.scene->eye(frames);
  scene["eye"] = {{"right", vector_json(eye.right)},
                  {"up", vector_json(eye.up)},
                  {"from", vector_json(eye.from)},
                  {"plane", eye.plane}};
  return scene;
}

}  // namespace

std::string page_data(const Desk& desk) {
  Json data;
  data["columns"] = Json::object();
  for (const Columns::Column& column : desk.columns.all()) {
    data["columns"][column.name] =
        column.precise ? Json{{"d", packed<double>(column.values)}} : Json{{"f", packed<float>(column.values)}};
  }
  data["charts"] = Json::array();
  for (const Chart& chart : desk.charts) {
    Json curves = Json::array();
    for (const Curve& curve : chart.curves) {
      curves.push_back({{"label", curve.label},
                        {"x", curve.x},
                        {"y", curve.y},
                        {"colour", curve.colour},
                        {"dashed", curve.dashed},
                        {"thick", curve.thick}});
    }
    data["charts"].push_back({{"id", chart.id},
                              {"title", chart.title},
                              {"x", chart.x_label},
                              {"y", chart.y_label},
                              {"same", chart.same_scale},
                              {"log", chart.logarithmic},
                              {"small", chart.small},
                              {"curves", curves}});
  }
  data["phase"] = Json::array();
  for (const Desk::Axis& axis : desk.phase_axes)
    data["phase"].push_back({{"label", axis.label}, {"column", axis.column}});
  if (desk.story.has_motion() && !desk.story.scene->empty() && desk.story.frames->size() > 0)
    data["scene"] = scene_json(desk);
  if (const auto& locus = desk.locus)
    data["locus"] = {
        {"name", locus->name}, {"values", locus->values}, {"re", locus->re}, {"im", locus->im}, {"at", locus->at}};
  // Nothing in it can end the script it stands in: every < is escaped.
  const std::string text = data.dump(-1, ' ', true, Json::error_handler_t::replace);
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text) {
    if (c == '<') {
      safe += "\\u003c";
    } else {
      safe += c;
    }
  }
  return safe;
}

}  // namespace cetaev
