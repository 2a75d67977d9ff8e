// What users choose by name: methods, backends, forms; and what [simulation] says about them.
#include <gtest/gtest.h>

#include "../model/refuses.hpp"
#include "cetaev/integrate/motion.hpp"

namespace cetaev {

namespace {

void refuses_choice(std::string_view marked, std::string_view message, std::string_view suggestion = "") {
  const Marked model(marked);
  const System system = read_model(model.text, "model.toml");
  expect_error(error_of([&] { (void)default_options(system); }), ErrorCode::bad_model, message, suggestion,
               "model.toml", model.line, model.column);
}

const std::string pendulum = "coordinates = [\"x\"]\nlagrangian = \"x'^2/2 + cos(x)\"\n";

TEST(Choices, OfAModelAreRefusedWhereTheyStand) {
  refuses_choice(pendulum + "[simulation]\nmethod = \"¶rk4\"\n",
                 "unknown method 'rk4'; there are taylor, dop853, adams, bdf, auto");
  refuses_choice(pendulum + "[simulation]\nform = \"¶vornec\"\n",
                 "unknown form 'vornec'; there are multipliers, gauss, maggi, hamel, voronec, caplygin, appell, "
                 "vakonomic, mvm1, mvm2, "
                 "mvm3, reduced, auto",
                 "voronec");
}

TEST(Choices, OfAModelAreTaken) {
  const System system = read_model(pendulum + "[simulation]\nmethod = \"bdf\"\nform = \"gauss\"\n", "model.toml");
  EXPECT_EQ(default_options(system).method, Method::bdf);
  EXPECT_EQ(default_options(system).form, Form::gauss);
  EXPECT_FALSE(default_options(read_model(pendulum + "[simulation]\nform = \"auto\"\n", "model.toml")).form);
}

TEST(Choices, AreReadAsTheyAreWritten) {
  for (const Method method : {Method::taylor, Method::dop853, Method::adams, Method::bdf})
    EXPECT_EQ(parse_method(to_string(method)), method);
  for (const Backend backend : {Backend::jit, Backend::interpreter})
    EXPECT_EQ(parse_backend(to_string(backend)), backend);
  for (const std::string& name : form_names()) EXPECT_EQ(to_string(parse_form(name)), name);
  EXPECT_EQ(error_of([] { (void)parse_method("tailor"); })->suggestion(), "taylor");
  EXPECT_EQ(error_of([] { (void)parse_backend("interpreted"); })->suggestion(), "interpreter");
}

}  // namespace

}  // namespace cetaev
