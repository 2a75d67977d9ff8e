// Which principle: a small value that is passed around, compared and kept as an enumerator is.
#pragma once

#include <cstddef>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>

namespace cetaev {

struct Principle;

// One of the registry: those of the house by the constants below, any of them by its name.
class Form {
 public:
  static const Form multipliers, gauss, maggi, hamel, voronec, caplygin, appell, vakonomic, mvm1, mvm2, mvm3, reduced;

  // A name stands for its form. Throws bad-model, with the closest name as the suggestion, where there is no such form.
  Form(std::string_view name);                                     // NOLINT(google-explicit-constructor)
  Form(const std::string& name) : Form(std::string_view(name)) {}  // NOLINT(google-explicit-constructor)
  Form(const char* name) : Form(std::string_view(name)) {}         // NOLINT(google-explicit-constructor)
  // A principle of the registry.
  constexpr Form(const Principle& principle) : principle_(&principle) {}  // NOLINT(google-explicit-constructor)

  // "hamel"
  std::string name() const;
  const Principle& principle() const { return *principle_; }
  const Principle* operator->() const { return principle_; }
  operator const Principle&() const { return *principle_; }  // NOLINT(google-explicit-constructor)

  friend bool operator==(Form a, Form b) { return a.principle_ == b.principle_; }
  friend std::ostream& operator<<(std::ostream& out, Form form);

 private:
  friend struct std::hash<Form>;
  const Principle* principle_;  // of the registry, whose entries stay where they are
};

}  // namespace cetaev

template <>
struct std::hash<cetaev::Form> {
  std::size_t operator()(cetaev::Form form) const noexcept {
    return std::hash<const cetaev::Principle*>()(form.principle_);
  }
};
