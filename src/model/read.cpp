#include "cetaev/model/read.hpp"

#include <array>
#include <filesystem>
#include <fstream>
#include <utility>

#include "cetaev/detail/model/written_expression.hpp"
#include "cetaev/detail/text/printable.hpp"
#include "model_reader.hpp"
#include "unicode.hpp"

namespace cetaev {
namespace model {

ModelReader::ModelReader(const SourceText& source, const TomlValue& document, const ModelChanges& changes)
    : source_(source), document_(document), changes_(changes) {
  system_.context = std::make_shared<Context>();
  system_.file = source.file();
  system_.text = source.text();
  system_.settings = changes.settings;
  const auto record = [&](const char* option, const std::vector<std::string>& texts) {
    for (const std::string& tried : texts) system_.settings.push_back(std::string(option) + " " + tried);
  };
  if (changes.constraints) record("--constraint", *changes.constraints);
  if (changes.auxiliary) record("--auxiliary", *changes.auxiliary);
  if (changes.transpositional) record("--transpositional", {*changes.transpositional});
}

System ModelReader::read() {
  if (document_.entries.empty()) fail("the model is empty: it needs 'coordinates' and a 'lagrangian'", 0);
  check_keys(source_, document_, model_keys(), "");
  system_.name = optional_string("name");
  // the name of a file may be any bytes, that of a model is text
  if (find("name") == nullptr) system_.name = text::printable(std::filesystem::path(source_.file()).stem().string());
  system_.description = optional_string("description");
  system_.source = optional_string("source");
  system_.group = optional_string("group");

  read_coordinates();
  read_parameter_names();
  collect_points();
  collect_definitions();
  collect_frames();
  collect_bodies();
  collect_contacts();
  read_settings(changes_.settings);

  frames_.emplace(*system_.context, system_.motion);
  elaborator_.emplace(*system_.context, system_.motion, *names_, *frames_);
  resolve_named();
  read_bodies();
  read_energies();
  read_forces();
  read_loads();
  read_dissipation();
  read_constraints();
  read_contact_constraints();
  read_driven();
  read_alternatives();
  read_dependent();
  read_auxiliary();
  read_transpositional();
  read_quasi_velocities();
  read_integrals();
  read_closed_form();
  read_expectations();
  read_events();
  read_outputs();
  read_units();
  read_initial();
  begin_turned();
  read_simulation();
  read_view();
  return System(std::move(system_));
}

std::string ModelReader::optional_string(std::string_view key) const {
  const Entry* entry = find(key);
  if (entry == nullptr) return {};
  expect(source_, entry->value, TomlValue::Kind::string, in_quotes(key), "a string");
  return entry->value.text;
}

const TomlValue* ModelReader::optional_table(std::string_view key, const std::string& wanted) const {
  const Entry* entry = find(key);
  if (entry == nullptr) return nullptr;
  expect(source_, entry->value, TomlValue::Kind::table, in_quotes(key), wanted);
  return &entry->value;
}

const TomlValue* ModelReader::optional_array(std::string_view key, const std::string& wanted) const {
  const Entry* entry = find(key);
  if (entry == nullptr) return nullptr;
  expect(source_, entry->value, TomlValue::Kind::array, in_quotes(key), wanted);
  return &entry->value;
}

void ModelReader::check_name(const std::string& name, const std::string& kind, std::size_t place) const {
  if (!is_name(name))
    fail(in_quotes(name) + " cannot be the name of " + kind +
             ": names have letters, digits and '_' and begin with a letter",
         place);
  const Names::Entry* taken = names_->find(name);
  if (taken == nullptr) return;
  if (kind_name(taken->kind) == kind) fail(in_quotes(name) + " is named twice", place);
  fail(in_quotes(name) + " cannot be the name of " + kind + ": it is " + std::string(kind_name(taken->kind)), place);
}

void ModelReader::check_column(const std::string& name, const std::string& kind, std::size_t place) const {
  if (const std::string_view owner = own_column(name); !owner.empty())
    fail(in_quotes(name) + " cannot be the name of " + kind + ": it is " + std::string(owner), place);
}

void ModelReader::add_name(const std::string& name, NameKind kind, std::size_t index, const Quantity& value,
                           std::size_t place) {
  check_name(name, std::string(kind_name(kind)), place);
  names_->add(name, kind, index, value);
}

void ModelReader::read_coordinates() {
  const TomlValue* list = optional_array("coordinates", "an array of names");
  if (list == nullptr) fail("'coordinates' is missing", 0);
  if (list->elements.empty()) fail("'coordinates' is empty: a system has at least one", list->offset);
  for (const TomlValue& element : list->elements) {
    expect(source_, element, TomlValue::Kind::string, "a coordinate", "a name in quotes");
    system_.coordinates.push_back(element.text);
  }
  Context& context = *system_.context;
  Motion& motion = system_.motion;
  for (const std::string& x : system_.coordinates) motion.q.push_back(context.symbol(x));
  for (const std::string& x : system_.coordinates) motion.v.push_back(context.symbol(x + "'"));
  for (const std::string& x : system_.coordinates) motion.a.push_back(context.symbol(x + "''"));
  motion.t = context.symbol("t");
  names_.emplace(context, motion.t);
  for (std::size_t i = 0; i < system_.size(); ++i) {
    const std::size_t place = string_place(list->elements[i]);
    add_name(system_.coordinates[i], NameKind::coordinate, i, Quantity::scalar(motion.q[i], 0), place);
    check_column(system_.coordinates[i], "a coordinate", place);
  }
}

void ModelReader::read_parameter_names() {
  const TomlValue* table = optional_table("parameters", "a table");
  if (table == nullptr) return;
  for (std::size_t i = 0; i < table->entries.size(); ++i) {
    const Entry& entry = table->entries[i];
    const Expr symbol = system_.context->symbol(entry.key);
    add_name(entry.key, NameKind::parameter, i, Quantity::scalar(symbol), entry.offset);
    system_.parameters.push_back({symbol, {}, source_.position(entry.offset)});
  }
}

Names names_of(const System& system, FrameTree& frames) {
  Names names(*system->context, system->motion.t);
  for (std::size_t i = 0; i < system->size(); ++i)
    names.add(system->coordinates[i], NameKind::coordinate, i, Quantity::scalar(system->motion.q[i], 0));
  for (std::size_t i = 0; i < system->parameters.size(); ++i)
    names.add(system->parameters[i].symbol.name(), NameKind::parameter, i,
              Quantity::scalar(system->parameters[i].symbol));
  for (std::size_t i = 0; i < system->points.size(); ++i)
    if (!system->points[i].name.empty())
      names.add(system->points[i].name, NameKind::point, i, {system->points[i].position, true, 0});
  const auto made_of = [](const std::vector<Expr>& components) {
    Quantity value{{}, components.size() == 3, 2};
    std::copy(components.begin(), components.end(), value.components.begin());
    return value;
  };
  for (std::size_t i = 0; i < system->definitions.size(); ++i)
    names.add(system->definitions[i].name, NameKind::definition, i, made_of(system->definitions[i].components));
  std::vector<std::uint32_t> numbers = {FrameTree::ground};
  for (std::size_t i = 0; i < system->frames.size(); ++i) {
    const Frame& frame = system->frames[i];
    numbers.push_back(frames.known(frame.rotation, frame.omega));
    Quantity value{{}, false, 0};
    value.frame = numbers.back();
    names.add(frame.name, NameKind::frame, i, value);
  }
  for (std::size_t i = 0; i < system->bodies.size(); ++i) {
    Quantity value{system->bodies[i].centre, true, 0};
    value.frame = numbers[system->bodies[i].frame];
    if (!system->bodies[i].name.empty()) names.add(system->bodies[i].name, NameKind::body, i, value);
  }
  for (std::size_t i = 0; i < system->contacts.size(); ++i)
    if (!system->contacts[i].name.empty())
      names.add(system->contacts[i].name, NameKind::contact, i, {system->contacts[i].point, true, 0});
  names.add("ground", NameKind::frame, 0, {});
  // what has the name already has it first
  for (std::size_t i = 0; i < system->outputs.size(); ++i)
    names.add(system->outputs[i].name, NameKind::output, i, made_of(system->outputs[i].components));
  return names;
}

}  // namespace model

System read_model_with(const ModelChanges& changes, std::string_view text, const std::string& file) {
  const model::SourceText source(file, std::string(text));
  const model::TomlValue document = model::read_document(source);
  return model::ModelReader(source, document, changes).read();
}

System read_model(std::string_view text, const std::string& file, std::span<const std::string> settings) {
  return read_model_with({{settings.begin(), settings.end()}, {}, {}, {}}, text, file);
}

std::string read_text_file(const std::string& path) {
  const auto refuse = [&](const std::string& why) {
    Error error(ErrorCode::bad_model, "cannot read " + model::in_quotes(path) + ": " + why);
    error.at({path, 1, 1, ""});
    throw error;
  };
  std::error_code problem;
  const auto status = std::filesystem::status(path, problem);
  if (!std::filesystem::exists(status)) refuse("there is no such file");
  if (std::filesystem::is_directory(status)) refuse("it is a directory");
  std::ifstream in(path, std::ios::binary);
  if (!in) refuse("it cannot be opened");
  // Piece by piece: the size of a pipe is not known beforehand. What goes beyond the limit tells a file that is too large.
  std::string text;
  std::array<char, 65536> piece;
  while (in && text.size() <= model::SourceText::size_limit) {
    in.read(piece.data(), piece.size());
    text.append(piece.data(), static_cast<std::size_t>(in.gcount()));
  }
  if (in.bad()) refuse("reading failed");
  return text;
}

System read_model_file_with(const ModelChanges& changes, const std::string& path) {
  return read_model_with(changes, read_text_file(path), path);
}

System read_model_file(const std::string& path, std::span<const std::string> settings) {
  return read_model(read_text_file(path), path, settings);
}

namespace {

// What `ask(elaborator, expression)` makes of a text in the names of the system.
template <class Ask>
auto elaborated(const System& system, std::string_view text, Ask&& ask) {
  const model::SourceText source("expression", std::string(text));
  const model::Origin origin = model::Origin::bare(source, 0);
  model::FrameTree frames(*system->context, system->motion);
  const model::Names names = model::names_of(system, frames);
  const model::ExpressionText expression{model::parse_syntax(source.text(), origin), origin, "the expression"};
  return ask(model::Elaborator(*system->context, system->motion, names, frames), expression);
}

}  // namespace

Expr parse_expression(const System& system, std::string_view text) {
  return elaborated(system, text, [](model::Elaborator&& elaborator, const model::ExpressionText& expression) {
    return elaborator.scalar(expression, model::Contents::anything());
  });
}

std::vector<Expr> parse_quantity(const System& system, std::string_view text) {
  return elaborated(system, text, [](model::Elaborator&& elaborator, const model::ExpressionText& expression) {
    const model::Quantity found = elaborator.quantity(expression, model::Contents::anything());
    return std::vector<Expr>(found.span().begin(), found.span().end());
  });
}

}  // namespace cetaev
