// Exported systems with states at which they are run, and the true values there.
#pragma once

#include <filesystem>
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
  };
  std::vector<At> states;
};

inline constexpr const char* functions[] = {"rhs", "residual", "energy", "velocity", "jacobian"};

// A model in a form, as prefix `name`; the default form when none is given.
Case make_case(std::string_view text, const std::string& name, std::string_view form = {});

// Every gallery model in its default form; every form of some.
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
