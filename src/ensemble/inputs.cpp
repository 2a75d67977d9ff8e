#include "cetaev/ensemble/inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "cetaev/constraint/state.hpp"
#include "cetaev/detail/numeric/checksum.hpp"
#include "cetaev/detail/text/closest.hpp"
#include "cetaev/detail/text/utf8.hpp"
#include "cetaev/error.hpp"
#include "cetaev/model/read.hpp"
#include "cetaev/output/read_motion.hpp"

#include "draws.hpp"

namespace cetaev {

namespace {

constexpr std::size_t most_motions = std::size_t{1} << 53;

// What varies along one name.
struct Variation {
  enum class Kind { grid, logarithmic, list, uniform, normal, sobol };
  Kind kind = Kind::grid;
  double a = 0, b = 0;         // FROM and TO, A and B, M and S
  std::vector<double> values;  // of a list
  std::size_t count = 1;       // of a grid or a list
  std::size_t stride = 1;      // rows after which it takes its next value
  std::size_t stream = 0;      // of a random one: which of them

  bool random() const { return kind == Kind::uniform || kind == Kind::normal || kind == Kind::sobol; }
};

// One --vary, with the places of what is wrong in it.
class VaryText {
 public:
  VaryText(const System& scratch, const std::vector<double>& parameters, const std::vector<std::string>& all,
           const std::string& text)
      : system_(scratch), parameters_(parameters), all_(all), text_(text) {}

  [[noreturn]] void fail(ErrorCode code, std::size_t offset, const std::string& why,
                         const std::string& suggestion = {}) const {
    Error error(code, why);
    error.at({"--vary", 1, text::character_count(std::string_view(text_).substr(0, offset)) + 1, text_});
    if (!suggestion.empty()) error.suggest(suggestion);
    throw error;
  }

  std::pair<std::string, Variation> read(const std::vector<std::string>& known) const {
    const std::size_t equals = text_.find('=');
    if (equals == std::string::npos) fail(ErrorCode::bad_model, text_.size(), "what varies is written " + forms());
    const Piece name = trimmed({0, equals});
    if (std::find(known.begin(), known.end(), str(name)) == known.end())
      fail(ErrorCode::unknown_name, name.begin,
           fmt::format("'{}' is not a parameter, a coordinate, a velocity or t of this model", str(name)),
           text::closest(str(name), known));
    const Piece value = trimmed({equals + 1, text_.size()});
    if (value.begin == value.end) fail(ErrorCode::bad_model, text_.size(), "the values are missing: " + forms());
    return {str(name), values_of(value)};
  }

 private:
  struct Piece {
    std::size_t begin, end;
  };
  static std::string forms() {
    return "NAME=FROM:TO:COUNT, NAME=log(FROM:TO:COUNT), NAME=[1, 2, 5], NAME=uniform(A, B), NAME=normal(M, S) or "
           "NAME=sobol(A, B)";
  }
  std::string str(Piece piece) const { return text_.substr(piece.begin, piece.end - piece.begin); }
  Piece trimmed(Piece piece) const {
    piece.end = std::min(piece.end, text_.size());
    while (piece.begin < piece.end && text_[piece.begin] == ' ') ++piece.begin;
    while (piece.begin < piece.end && text_[piece.end - 1] == ' ') --piece.end;
    return piece;
  }

  // At a separator outside of parentheses.
  std::vector<Piece> split(Piece piece, char separator) const {
    std::vector<Piece> parts = {{piece.begin, piece.end}};
    int depth = 0;
    for (std::size_t i = piece.begin; i < piece.end; ++i) {
      if (text_[i] == '(') ++depth;
      if (text_[i] == ')') --depth;
      if (text_[i] != separator || depth != 0) continue;
      parts.back().end = i;
      parts.push_back({i + 1, piece.end});
    }
    for (Piece& part : parts) part = trimmed(part);
    return parts;
  }

  // WORD( … ) as a whole: the word, and what stands in the parentheses.
  std::optional<std::pair<std::string, Piece>> call(Piece piece) const {
    std::size_t open = piece.begin;
    while (open < piece.end && std::isalpha(static_cast<unsigned char>(text_[open]))) ++open;
    if (open == piece.begin || open == piece.end || text_[open] != '(' || text_[piece.end - 1] != ')') return {};
    int depth = 0;
    for (std::size_t i = open; i < piece.end; ++i) {
      if (text_[i] == '(') ++depth;
      if (text_[i] == ')' && --depth == 0 && i + 1 != piece.end) return {};
    }
    if (depth != 0) return {};
    return {{str({piece.begin, open}), {open + 1, piece.end - 1}}};
  }

  Variation values_of(Piece piece) const {
    if (text_[piece.begin] == '[') return list(piece);
    const auto of = call(piece);
    if (!of) return grid(piece, Variation::Kind::grid);
    const auto& [word, inside] = *of;
    if (word == "log" && split(inside, ':').size() > 1) return grid(inside, Variation::Kind::logarithmic);
    if (word == "uniform") return random(inside, Variation::Kind::uniform);
    if (word == "normal") return random(inside, Variation::Kind::normal);
    if (word == "sobol") return random(inside, Variation::Kind::sobol);
    if (split(piece, ':').size() > 1) return grid(piece, Variation::Kind::grid);
    const std::vector<std::string> words = {"log", "uniform", "normal", "sobol"};
    fail(ErrorCode::bad_model, piece.begin, fmt::format("'{}' does not say how values vary: {}", word, forms()),
         text::closest(word, words));
  }

  Variation grid(Piece piece, Variation::Kind kind) const {
    const std::vector<Piece> parts = split(piece, ':');
    if (parts.size() != 3)
      fail(ErrorCode::bad_model, piece.begin,
           fmt::format("'{}' is no range: {}", str(piece), parts.size() == 1 ? forms() : "write FROM:TO:COUNT"));
    Variation result;
    result.kind = kind;
    result.a = number(parts[0]);
    result.b = number(parts[1]);
    const std::string count = str(parts[2]);
    const auto [end, problem] = std::from_chars(count.data(), count.data() + count.size(), result.count);
    if (problem == std::errc::result_out_of_range || (problem == std::errc() && result.count > most_motions))
      fail(ErrorCode::bad_model, parts[2].begin,
           fmt::format("{} values are more than whole numbers in a double can count", count));
    if (problem != std::errc() || end != count.data() + count.size() || result.count == 0)
      fail(ErrorCode::bad_model, parts[2].begin,
           fmt::format("'{}' is not how many values there are: a whole number from 1 on", count));
    if (kind == Variation::Kind::logarithmic && !(result.a * result.b > 0))
      fail(ErrorCode::bad_model, parts[0].begin, "on a logarithmic scale both ends have the same sign, and none is 0");
    return result;
  }

  Variation list(Piece piece) const {
    if (text_[piece.end - 1] != ']') fail(ErrorCode::parse_error, piece.end, "the list is not closed by ']'");
    Variation result;
    result.kind = Variation::Kind::list;
    for (const Piece part : split({piece.begin + 1, piece.end - 1}, ',')) result.values.push_back(number(part));
    result.count = result.values.size();
    return result;
  }

  Variation random(Piece inside, Variation::Kind kind) const {
    const std::vector<Piece> parts = split(inside, ',');
    const bool normal = kind == Variation::Kind::normal;
    if (parts.size() != 2)
      fail(ErrorCode::bad_model, inside.begin,
           normal ? "write the mean and the deviation, normal(M, S)" : "write both ends, as in uniform(A, B)");
    Variation result;
    result.kind = kind;
    result.a = number(parts[0]);
    result.b = number(parts[1]);
    if (normal && result.b < 0) fail(ErrorCode::bad_model, parts[1].begin, "the deviation is not negative");
    return result;
  }

  double number(Piece piece) const {
    const std::string part = str(piece);
    if (part.empty()) fail(ErrorCode::parse_error, piece.begin, "a number is missing here");
    double value = 0;
    const auto [end, problem] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (problem != std::errc() || end != part.data() + part.size()) value = expression(piece, part);
    if (!std::isfinite(value)) fail(ErrorCode::bad_model, piece.begin, fmt::format("'{}' is not finite", part));
    return value;
  }

  double expression(Piece piece, const std::string& part) const {
    try {
      const Expr e = parse_expression(system_, part);
      std::vector<Value> values;
      for (std::size_t i = 0; i < parameters_.size(); ++i)
        values.emplace_back(system_->parameters[i].symbol, parameters_[i]);
      for (const Expr symbol : free_symbols(e)) {
        if (std::none_of(values.begin(), values.end(), [&](const Value& v) { return v.first == symbol; }))
          fail(ErrorCode::bad_model, piece.begin,
               fmt::format("'{}' is no number: it contains {}", part, symbol.name()));
        // its own value in the model is meant where it is one of those to come
        const auto varies = [&](const std::string& other) {
          const VaryText another(system_, parameters_, all_, other);
          return &other != &text_ && another.str(another.trimmed({0, other.find('=')})) == symbol.name();
        };
        if (std::any_of(all_.begin(), all_.end(), varies))
          fail(ErrorCode::bad_model, piece.begin,
               fmt::format("'{}' contains {}, which varies itself: values that depend on each other are the rows of "
                           "a --table",
                           part, symbol.name()));
      }
      return evaluate(e, values);
    } catch (const Error& error) {
      if (error.position() && error.position()->file == "--vary") throw;
      const std::size_t column = error.position() ? error.position()->column - 1 : 0;
      fail(error.code(), piece.begin + text::byte_of_character(part, column), error.message(), error.suggestion());
    }
  }

  const System& system_;
  const std::vector<double>& parameters_;
  const std::vector<std::string>& all_;  // that there are
  const std::string& text_;
};

std::vector<std::string> variable_names(const System& system) {
  std::vector<std::string> names;
  for (const Parameter& parameter : system->parameters) names.emplace_back(parameter.symbol.name());
  for (const std::string& x : system->coordinates) names.push_back(x);
  for (const std::string& x : system->coordinates) names.push_back(x + "'");
  names.emplace_back("t");
  return names;
}

}  // namespace

struct SweepInputs::Data {
  SweepSpecification specification;
  std::vector<std::string> names;
  std::size_t count = 0, draws = 1;
  std::vector<Variation> variations;
  MotionTable table;
  std::string fingerprint;

  void read_table(const System& system);
  void read_variations(const System& system);
};

void SweepInputs::Data::read_table(const System& system) {
  const std::string& path = specification.table;
  if (!specification.vary.empty())
    throw Error(ErrorCode::bad_model, "a table has the values of all motions: --vary does not go with --table");
  if (specification.count > 0)
    throw Error(ErrorCode::bad_model, "a table has as many motions as rows: --count does not go with --table");
  table = read_motion(path);
  const std::vector<std::string> known = variable_names(system);
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < table.names.size(); ++i) {
    const std::string& name = table.names[i];
    const auto refuse = [&](ErrorCode code, std::size_t line, const std::string& why) {
      Error error(code, why);
      std::size_t column = 1;
      for (std::size_t before = 0; before < i; ++before) column += text::character_count(table.names[before]) + 1;
      error.at({path, line, column, fmt::format("{}", fmt::join(table.names, ","))});
      if (line == 1) error.suggest(text::closest(name, known));
      throw error;
    };
    if (std::find(known.begin(), known.end(), name) == known.end())
      refuse(ErrorCode::unknown_name, 1,
             fmt::format("the column '{}' is not a parameter, a coordinate, a velocity or t of this model", name));
    if (std::find(names.begin(), names.end(), name) != names.end())
      refuse(ErrorCode::bad_model, 1, fmt::format("two columns are called '{}'", name));
    names.push_back(name);
    const std::vector<double>& column = table.columns[i];
    for (std::size_t row = 0; row < column.size(); ++row) {
      if (!std::isfinite(column[row]))
        throw Error(ErrorCode::bad_model,
                    fmt::format("'{}' has no finite number for {} in row {}", path, name, row + 1));
    }
    sum = checksum_of(column.data(), column.size() * sizeof(double), sum);
  }
  count = table.columns.empty() ? 0 : table.columns.front().size();
  if (count == 0) throw Error(ErrorCode::bad_model, fmt::format("'{}' has no rows: there is nothing to do", path));
  fingerprint = fmt::format("{} rows, crc32 {:08x}", count, sum);
}

void SweepInputs::Data::read_variations(const System& system) {
  const System scratch = system.scratch();
  const std::vector<double> parameters = parameter_values(system);
  const std::vector<std::string> known = variable_names(system);
  if (specification.vary.empty())
    throw Error(ErrorCode::bad_model, "nothing varies: write --vary NAME=FROM:TO:COUNT, or --table FILE.csv");
  std::size_t sobol = 0;
  bool any_random = false;
  for (const std::string& text : specification.vary) {
    const VaryText source(scratch, parameters, specification.vary, text);
    auto [name, variation] = source.read(known);
    if (std::find(names.begin(), names.end(), name) != names.end())
      source.fail(ErrorCode::bad_model, 0, fmt::format("'{}' varies already", name));
    if (variation.random()) {
      if (specification.count == 0)
        source.fail(ErrorCode::bad_model, text.find('=') + 1, "random values need --count, the number of draws");
      any_random = true;
      variation.stream = variation.kind == Variation::Kind::sobol ? sobol++ : names.size();
      if (sobol > ensemble::sobol_dimensions)
        source.fail(ErrorCode::bad_model, 0,
                    fmt::format("Sobol's points have at most {} dimensions here", ensemble::sobol_dimensions));
    }
    names.push_back(name);
    variations.push_back(std::move(variation));
  }
  if (specification.count > 0 && !any_random)
    throw Error(ErrorCode::bad_model, "--count is the number of random draws, and nothing varies at random");
  draws = std::max<std::size_t>(specification.count, 1);
  count = 1;
  const auto times = [this](std::size_t some) {
    if (count > most_motions / some)
      throw Error(ErrorCode::bad_model, "there are more motions than whole numbers in a double");
    count *= some;
  };
  times(draws);
  for (auto one = variations.rbegin(); one != variations.rend(); ++one) {
    if (one->random()) continue;
    one->stride = count;
    times(one->count);
  }
}

SweepInputs::SweepInputs(const System& system, SweepSpecification specification) {
  auto data = std::make_unique<Data>();
  data->specification = std::move(specification);
  if (!data->specification.table.empty()) {
    data->read_table(system);
  } else {
    data->read_variations(system);
  }
  data_ = std::move(data);
}

SweepInputs::~SweepInputs() = default;
SweepInputs::SweepInputs(SweepInputs&&) noexcept = default;
SweepInputs& SweepInputs::operator=(SweepInputs&&) noexcept = default;

const SweepSpecification& SweepInputs::specification() const { return data_->specification; }
std::size_t SweepInputs::count() const { return data_->count; }
const std::vector<std::string>& SweepInputs::names() const { return data_->names; }
const std::string& SweepInputs::fingerprint() const { return data_->fingerprint; }

void SweepInputs::row(std::size_t motion, std::span<double> values) const {
  if (!data_->table.columns.empty()) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = data_->table.columns[i][motion];
    return;
  }
  const std::uint64_t seed = data_->specification.seed;
  const std::size_t draw = motion % data_->draws;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Variation& one = data_->variations[i];
    const std::size_t step = motion / one.stride % one.count;
    const double share = one.count > 1 ? static_cast<double>(step) / static_cast<double>(one.count - 1) : 0;
    switch (one.kind) {
      // multiplied before it is divided, and the ends as they are written
      case Variation::Kind::grid:
        values[i] = step == 0 ? one.a
                    : step + 1 == one.count
                        ? one.b
                        : one.a + (one.b - one.a) * static_cast<double>(step) / static_cast<double>(one.count - 1);
        break;
      case Variation::Kind::logarithmic:
        values[i] = step == 0 ? one.a : step + 1 == one.count ? one.b : one.a * std::pow(one.b / one.a, share);
        break;
      case Variation::Kind::list: values[i] = one.values[step]; break;
      case Variation::Kind::uniform:
        values[i] = one.a + (one.b - one.a) * ensemble::uniform_draw(seed, one.stream, draw);
        break;
      case Variation::Kind::normal: values[i] = one.a + one.b * ensemble::normal_draw(seed, one.stream, draw); break;
      case Variation::Kind::sobol:
        values[i] = one.a + (one.b - one.a) * ensemble::sobol_draw(seed, one.stream, draw);
        break;
    }
  }
}

}  // namespace cetaev
