// Reading single values of the document: their type is what it must be, or one error says what was expected.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "document.hpp"
#include "elaborate.hpp"

namespace cetaev::model {

// Fails at the first key of a table that is not known; `where` is "" or " in [simulation]".
void check_keys(const SourceText& source, const TomlValue& table, std::span<const std::string> known,
                const std::string& where);
[[noreturn]] void unknown_key(const SourceText& source, const Entry& entry, std::span<const std::string> known,
                              const std::string& where);

// Fails unless the value is of the kind: "'coordinates' must be an array of names, found a string".
void expect(const SourceText& source, const TomlValue& value, TomlValue::Kind kind, const std::string& what,
            const std::string& wanted);
[[noreturn]] void wrong_type(const SourceText& source, const TomlValue& value, const std::string& what,
                             const std::string& wanted);

// A string or a number as an expression. The value must stay where it is as long as the result is used.
ExpressionText expression(const SourceText& source, const TomlValue& value, const std::string& what,
                          bool equation_allowed = false);

// A number as messages show it, in up to six digits.
std::string short_decimal(double value);

// The keys of the top level, for messages about keys that went into the wrong table.
std::span<const std::string> model_keys();

}  // namespace cetaev::model
