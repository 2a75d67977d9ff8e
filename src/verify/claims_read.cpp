// papers/*.toml
#include <algorithm>
#include <set>

#include "../model/names.hpp"
#include "../model/unicode.hpp"
#include "../model/values.hpp"
#include "cetaev/gallery.hpp"
#include "claim_body.hpp"

namespace cetaev {

namespace verify {

namespace {

using model::Entry;
using model::in_quotes;
using model::TomlValue;
using ValueKind = TomlValue::Kind;

class Reader {
 public:
  explicit Reader(std::shared_ptr<ClaimsDocument> document)
      : document_(std::move(document)), source_(document_->source) {}

  std::vector<Claim> read() {
    root_ = model::read_document(source_);
    static const std::vector<std::string> keys = {"papers", "items", "models", "sets", "claim"};
    model::check_keys(source_, root_, keys, "");
    read_texts("papers", titles_);
    read_items();
    read_texts("models", document_->models);
    read_sets();
    std::vector<Claim> claims;
    if (const Entry* list = root_.find("claim")) {
      model::expect(source_, list->value, ValueKind::array, "'claim'", "tables headed [[claim]]");
      for (const TomlValue& value : list->value.elements) {
        model::expect(source_, value, ValueKind::table, "a claim", "a table");
        claims.push_back(read_claim(value));
      }
      for (std::size_t i = 0; i < claims.size(); ++i) check_occurrence(claims[i], list->value.elements[i], claims);
    }
    return claims;
  }

  const std::vector<PaperItem>& items() const { return items_; }

 private:
  [[noreturn]] void fail(const std::string& message, std::size_t offset, const std::string& suggestion = {}) const {
    source_.fail(ErrorCode::bad_model, message, offset, suggestion);
  }

  void read_texts(const std::string& key, std::map<std::string, std::string>& into) const {
    const Entry* entry = root_.find(key);
    if (entry == nullptr) return;
    model::expect(source_, entry->value, ValueKind::table, in_quotes(key), "a table of strings");
    for (const Entry& text : entry->value.entries) {
      model::expect(source_, text.value, ValueKind::string, in_quotes(text.key), "a string");
      into[text.key] = text.value.text;
    }
  }

  // [items]: what each paper numbers
  void read_items() {
    const Entry* entry = root_.find("items");
    if (entry == nullptr) return;
    model::expect(source_, entry->value, ValueKind::table, "'items'", "a table of lists");
    for (const Entry& list : entry->value.entries) {
      if (!titles_.contains(list.key))
        fail("the paper " + in_quotes(list.key) + " has no title under [papers]", list.offset);
      for (const std::string& item : strings(list.value, in_quotes(list.key))) items_.push_back({list.key, item});
    }
  }

  // Where a paper's items are listed, a claim is about those.
  void check_item(const std::string& paper, const std::string& item, std::size_t offset) const {
    std::vector<std::string> known;
    for (const PaperItem& one : items_)
      if (one.paper == paper) known.push_back(one.item);
    if (!known.empty() && std::find(known.begin(), known.end(), item) == known.end())
      fail("the paper has no item " + in_quotes(item), offset, model::closest(item, known));
  }

  void check_occurrence(const Claim& claim, const TomlValue& value, const std::vector<Claim>& claims) const {
    if (claim.occurrence_of.empty()) return;
    const auto same =
        std::find_if(claims.begin(), claims.end(), [&](const Claim& c) { return c.id == claim.occurrence_of; });
    if (same == claims.end() || same->paper != claim.paper || !same->occurrence_of.empty())
      fail("'occurrence_of' names a claim about the same paper that is not an occurrence itself",
           value.find("occurrence_of")->value.offset);
  }

  void read_sets() {
    const Entry* entry = root_.find("sets");
    if (entry == nullptr) return;
    model::expect(source_, entry->value, ValueKind::table, "'sets'", "a table of lists of models");
    for (const Entry& set : entry->value.entries)
      sets_[set.key] = read_uses(set.value, "the set " + in_quotes(set.key));
  }

  std::vector<std::string> strings(const TomlValue& value, const std::string& what) const {
    std::vector<std::string> result;
    if (value.kind == ValueKind::string) return {value.text};
    model::expect(source_, value, ValueKind::array, what, "a string or a list of strings");
    for (const TomlValue& element : value.elements) {
      model::expect(source_, element, ValueKind::string, "an entry of " + what, "a string");
      result.push_back(element.text);
    }
    return result;
  }

  std::vector<ModelUse> read_uses(const TomlValue& value, const std::string& what) const {
    std::vector<ModelUse> result;
    const auto add = [&](const TomlValue& element) {
      if (element.kind == ValueKind::string && element.text.starts_with('@')) {
        const auto found = sets_.find(element.text.substr(1));
        if (found == sets_.end())
          fail("there is no set of models " + in_quotes(element.text.substr(1)), element.offset);
        result.insert(result.end(), found->second.begin(), found->second.end());
        return;
      }
      ModelUse use;
      use.offset = element.offset;
      if (element.kind == ValueKind::string) {
        use.model = element.text;
      } else {
        model::expect(source_, element, ValueKind::table, "a model", "a name or a table with 'model'");
        static const std::vector<std::string> keys = {"model", "dependent", "auxiliary", "settings"};
        model::check_keys(source_, element, keys, " of a model");
        const Entry* name = element.find("model");
        if (name == nullptr) fail("'model' is missing", element.offset);
        model::expect(source_, name->value, ValueKind::string, "'model'", "a name");
        use.model = name->value.text;
        if (const Entry* e = element.find("dependent")) use.dependent = strings(e->value, "'dependent'");
        if (const Entry* e = element.find("auxiliary")) use.auxiliary = strings(e->value, "'auxiliary'");
        if (const Entry* e = element.find("settings")) use.settings = strings(e->value, "'settings'");
      }
      check_model(use.model, element.offset);
      result.push_back(std::move(use));
    };
    if (value.kind == ValueKind::array) {
      for (const TomlValue& element : value.elements) add(element);
    } else {
      add(value);
    }
    if (result.empty()) fail(what + " names no model", value.offset);
    return result;
  }

  void check_model(const std::string& name, std::size_t offset) const {
    if (document_->models.contains(name)) return;
    std::vector<std::string> known;
    for (const GalleryModel& model : gallery()) {
      if (model.name == name) return;
      known.emplace_back(model.name);
    }
    for (const auto& [own, text] : document_->models) known.push_back(own);
    fail("there is no model " + in_quotes(name) + " in the gallery or under [models]", offset,
         model::closest(name, known));
  }

  std::string required(const TomlValue& claim, const std::string& key) const {
    const Entry* entry = claim.find(key);
    if (entry == nullptr) fail("the claim has no '" + key + "'", claim.offset);
    model::expect(source_, entry->value, ValueKind::string, in_quotes(key), "a string");
    return entry->value.text;
  }

  template <typename Value>
  Value choice(const TomlValue& claim, const std::string& key, const std::vector<std::pair<std::string, Value>>& values,
               std::optional<Value> absent) const {
    const Entry* entry = claim.find(key);
    if (entry == nullptr && absent) return *absent;
    const std::string text = required(claim, key);
    std::vector<std::string> known;
    for (const auto& [name, value] : values) {
      if (name == text) return value;
      known.push_back(name);
    }
    std::string list;
    for (const std::string& name : known) list += (list.empty() ? "'" : ", '") + name + "'";
    fail(in_quotes(key) + " must be one of " + list, entry->value.offset, model::closest(text, known));
  }

  Form read_form(const TomlValue& claim, const std::string& key, bool formulas) const {
    Form form;
    const Entry* entry = claim.find(key);
    if (entry == nullptr) return form;
    const std::vector<std::string> lines = strings(entry->value, in_quotes(key));
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const std::size_t offset =
          entry->value.kind == ValueKind::array ? entry->value.elements[i].offset : entry->value.offset;
      form.lines.push_back(lines[i]);
      form.offsets.push_back(offset);
      if (formulas) form.statements.push_back(parse_statement(lines[i], model::Origin::string(source_, offset)));
    }
    if (form.empty()) fail(in_quotes(key) + " is empty", entry->value.offset);
    return form;
  }

  Claim read_claim(const TomlValue& value) {
    static const std::vector<std::string> keys = {
        "id", "where", "items",  "tex",   "extraction", "occurrence_of", "statement", "remark", "verdict", "check",
        "on", "along", "random", "given", "printed",    "correct",       "instead",   "answer", "off"};
    model::check_keys(source_, value, keys, " of a claim");
    Claim claim;
    claim.id = required(value, "id");
    const Entry& id = *value.find("id");
    claim.position = source_.position(id.value.offset);
    if (!seen_.insert(claim.id).second) fail("there is another claim " + in_quotes(claim.id), id.value.offset);
    claim.paper = claim.id.substr(0, claim.id.find('-'));
    const auto title = titles_.find(claim.paper);
    if (title == titles_.end())
      fail("the paper " + in_quotes(claim.paper) + " of this claim has no title under [papers]", id.value.offset);
    claim.title = title->second;
    claim.where = required(value, "where");
    claim.statement = required(value, "statement");
    if (value.find("remark") != nullptr) claim.remark = required(value, "remark");
    if (value.find("extraction") != nullptr) claim.extraction = required(value, "extraction");
    if (value.find("occurrence_of") != nullptr) claim.occurrence_of = required(value, "occurrence_of");
    if (const Entry* tex = value.find("tex")) claim.tex = strings(tex->value, "'tex'");
    if (const Entry* items = value.find("items")) {
      claim.items = strings(items->value, "'items'");
      for (const std::string& item : claim.items) check_item(claim.paper, item, items->value.offset);
    }
    claim.expected = choice<ClaimVerdict>(value, "verdict",
                                          {{"holds", ClaimVerdict::holds},
                                           {"corrected", ClaimVerdict::corrected},
                                           {"false", ClaimVerdict::refuted},
                                           {"open", ClaimVerdict::open},
                                           {"opinion", ClaimVerdict::opinion},
                                           {"definition", ClaimVerdict::definition}},
                                          std::nullopt);
    read_body(value, claim);
    return claim;
  }

  // What is computed about it: nothing for a definition, and for an opinion nothing or what bears on it.
  void read_body(const TomlValue& value, Claim& claim) const {
    auto body = std::make_shared<ClaimBody>();
    body->document = document_;
    claim.body = body;
    const ClaimVerdict verdict = claim.expected;
    const auto forbid = [&](const char* key, const std::string& why) {
      if (const Entry* entry = value.find(key)) fail(why, entry->offset);
    };
    if (verdict == ClaimVerdict::definition || (verdict == ClaimVerdict::opinion && value.find("answer") == nullptr)) {
      for (const char* key :
           {"check", "on", "along", "random", "given", "printed", "correct", "instead", "answer", "off"})
        forbid(key,
               "nothing is computed about " +
                   std::string(verdict == ClaimVerdict::definition ? "a definition" : "an opinion without 'answer'"));
      return;
    }
    body->kind = choice<CheckKind>(value, "check",
                                   {{"formula", CheckKind::formula},
                                    {"motion", CheckKind::motion},
                                    {"facts", CheckKind::facts},
                                    {"sets", CheckKind::sets},
                                    {"limit", CheckKind::limit}},
                                   CheckKind::formula);
    const Entry* on = value.find("on");
    if (on == nullptr) fail("the claim does not say 'on' which models it is tried", value.offset);
    body->on = read_uses(on->value, "'on'");
    if (const Entry* along = value.find("along")) {
      body->along = required(value, "along");
      std::vector<std::string> known = {"admissible", "free"};
      for (const Principle& principle : principles()) known.emplace_back(principle.name);
      if (std::find(known.begin(), known.end(), body->along) == known.end())
        fail("'along' names a form, or is 'admissible' or 'free'", along->value.offset,
             model::closest(body->along, known));
    }
    if (const Entry* random = value.find("random")) body->random = strings(random->value, "'random'");
    const bool formulas = body->kind == CheckKind::formula || body->kind == CheckKind::motion;
    const Form given = read_form(value, "given", true);
    body->given = given.statements;
    for (const Statement& one : body->given)
      if (!one.is_definition()) one.origin.fail(ErrorCode::bad_model, "'given' has definitions only, with :=", 0);
    body->printed = read_form(value, "printed", formulas);
    body->correct = read_form(value, "correct", formulas);
    body->instead = read_form(value, "instead", formulas);
    body->answer = read_form(value, "answer", formulas);
    const bool asked = verdict == ClaimVerdict::open || verdict == ClaimVerdict::opinion;
    if (asked) {
      for (const char* key : {"printed", "correct", "instead", "off"})
        forbid(key, "what nobody claims has no " + in_quotes(key) + " form; what is true goes under 'answer'");
      if (body->answer.empty()) fail("a question that is 'open' needs an 'answer'", value.offset);
    } else {
      forbid("answer", "an 'answer' goes with 'open' and 'opinion'");
      if (body->printed.empty()) fail("the claim has no 'printed' form", value.offset);
    }
    if (verdict == ClaimVerdict::corrected && body->correct.empty())
      fail("a claim that is 'corrected' needs a 'correct' form", value.offset);
    if (verdict != ClaimVerdict::corrected)
      forbid("correct", "a claim that " + std::string(verdict == ClaimVerdict::holds ? "holds" : "is false") +
                            " has no 'correct' form; what is true instead of a false one goes under 'instead'");
    if (const Entry* off = value.find("off")) {
      model::expect(source_, off->value, ValueKind::number, "'off'", "a number");
      body->off = Rational::parse(off->value.text).value_or(Rational(0)).to_double();
      if (verdict == ClaimVerdict::holds) fail("'off' is the error of a printed form that is wrong", off->value.offset);
    }
    claim.given = given.lines;
    claim.printed = body->printed.lines;
    claim.correct = body->correct.lines;
    claim.instead = body->instead.lines;
    claim.answer = body->answer.lines;
    claim.along = body->along;
    for (const ModelUse& use : body->on) claim.models.push_back(describe_use(use));
  }

  std::shared_ptr<ClaimsDocument> document_;
  const model::SourceText& source_;
  TomlValue root_;
  std::map<std::string, std::string> titles_;
  std::vector<PaperItem> items_;
  std::map<std::string, std::vector<ModelUse>> sets_;
  std::set<std::string> seen_;
};

}  // namespace

}  // namespace verify

std::vector<Claim> read_claims(std::string_view text, const std::string& file) {
  return verify::Reader(std::make_shared<verify::ClaimsDocument>(file, std::string(text))).read();
}

std::vector<PaperItem> read_items(std::string_view text, const std::string& file) {
  verify::Reader reader(std::make_shared<verify::ClaimsDocument>(file, std::string(text)));
  reader.read();
  return reader.items();
}

}  // namespace cetaev
