// Exported systems with states at which they are run, and the true values there.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "cetaev/codegen/export.hpp"

namespace cetaev::exported {

struct Case {
  System system;  // its file name is the prefix of the exported names
  std::string prefix;
  FirstOrderSystem equations;
  struct At {
    double t = 0;
    std::vector<double> y;
    // rhs, residual, energy, velocity, jacobian, from balls
    std::vector<std::vector<double>> expected;
    // what the library itself loses of each in doubles, of the greatest or of one
    std::vector<double> lost;
  };
  std::vector<At> states;
};

inline constexpr const char* functions[] = {"rhs", "residual", "energy", "velocity", "jacobian"};

// A model in a form, as prefix `name`; the default form when none is given. At random states where doubles do well; with settings,
// which say where, at the initial state, however doubles do there.
Case make_case(std::string_view text, const std::string& name, std::string_view form = {},
               std::span<const std::string> settings = {});

// A gallery model close to where something that its equations may divide by vanishes.
struct NearlySingular {
  const char* model;
  const char* form;
  std::vector<std::string> settings;
};
const std::vector<NearlySingular>& nearly_singular();
System system_at(const NearlySingular& place);

// Every gallery model in its default form; every form of some; what is nearly singular.
const std::vector<Case>& all_cases();
// A few of all kinds, for what is slow.
std::vector<const Case*> some_cases();
const Case& case_of(std::string_view prefix);

// Where a test writes its files: empty, made new.
std::filesystem::path scratch(const std::string& name);
void write(const std::filesystem::path& file, const std::string& text);
// Runs a command in a folder and returns its exit code; output goes to the file `log` there.
int run(const std::filesystem::path& folder, const std::string& command);
std::string log(const std::filesystem::path& folder);

// A double as source code, exactly.
std::string exact(double value);
// {a, b, c}
std::string list(const std::vector<double>& values, const char* open, const char* close);

// Holds the numbers in the file `results` of the folder to the expected ones, in the order of the cases.
void expect_results(const std::filesystem::path& folder, const std::vector<const Case*>& cases);
std::vector<const Case*> pointers(const std::vector<Case>& cases);

}  // namespace cetaev::exported
