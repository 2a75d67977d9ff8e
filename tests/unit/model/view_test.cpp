// [view]: what is read of a picture, and how mistakes in it are answered.
#include <gtest/gtest.h>

#include "refuses.hpp"
#include "scratch.hpp"

namespace cetaev {
namespace {

const std::string head =
    "coordinates = [\"x\", \"y\", \"phi\"]\n"
    "lagrangian = \"x'^2 + y'^2 + phi'^2\"\n"
    "[parameters]\nr = 2\n"
    "[definitions]\nP = \"[x, y, 0]\"\nd = \"r*[cos(phi), sin(phi), 0]\"\n"
    "[view]\n";

TEST(View, IsAbsentWhereTheModelHasNone) {
  EXPECT_FALSE(scratch_model("coordinates = [\"x\"]\nkinetic = \"x'^2\"\n", "m.toml")->view.has_value());
}

TEST(View, TakesNamesVectorsAndLists) {
  const System system = scratch_model(head +
                                          "points = [\"P\", \"P + d\", [\"x\", \"y\", 1]]\n"
                                          "links = [[\"P\", \"P + d\"], [\"P\", \"P + d\", [0, 0, 0]]]\n"
                                          "blades = [{at = \"P\", along = \"d\"}]\n"
                                          "wheels = [{at = \"P\", axle = [0, 0, 1], radius = \"r\", spoke = \"d\"}]\n"
                                          "balls = [{at = \"P'\", radius = 1}]\n"
                                          "traces = [\"P\"]\n"
                                          "camera = {from = [1, \"-r\", \"pi\"]}\n",
                                      "m.toml");
  ASSERT_TRUE(system->view.has_value());
  const View& view = *system->view;
  ASSERT_EQ(view.points.size(), 3u);
  EXPECT_EQ(view.points[0].label, "P");
  EXPECT_EQ(view.points[1].label, "");
  EXPECT_EQ(view.points[0].at[0], system->motion.q[0]);
  EXPECT_EQ(view.points[1].at[1], parse_expression(system, "y + r*sin(phi)"));
  EXPECT_EQ(view.points[2].at[2], parse_expression(system, "1"));
  ASSERT_EQ(view.links.size(), 2u);
  EXPECT_EQ(view.links[1].size(), 3u);
  ASSERT_EQ(view.blades.size(), 1u);
  EXPECT_EQ(view.blades[0].along[0], parse_expression(system, "r*cos(phi)"));
  ASSERT_EQ(view.wheels.size(), 1u);
  EXPECT_TRUE(view.wheels[0].spoke.has_value());
  ASSERT_EQ(view.balls.size(), 1u);
  EXPECT_EQ(view.balls[0].at[0], system->motion.v[0]);
  EXPECT_EQ(view.traces.size(), 1u);
  ASSERT_TRUE(view.camera.has_value());
  EXPECT_EQ(view.camera->from[1], -2);
  EXPECT_EQ(view.camera->up[2], 1);
}

TEST(View, SaysWhatIsWrongAndWhere) {
  const auto bad = ErrorCode::bad_model;
  refuses(head + "¶point = []\n", bad, "unknown key 'point' in [view]", "points");
  refuses(head + "points = ¶\"P\"\n", bad,
          "'points' in [view] must be a list of places: names of points, or vectors, found a string");
  refuses(head + "points = [\"¶x\"]\n", bad, "a scalar where a vector is needed: a point of [view]");
  refuses(head + "points = [¶[1, 2]]\n", bad, "a point of [view] has three components, found 2");
  refuses(head + "traces = [\"¶Q\"]\n", ErrorCode::unknown_name, "unknown name 'Q'");
  refuses(head + "links = [¶[\"P\"]]\n", bad, "a link of [view] joins two places or more");
  refuses(head + "blades = [¶{at = \"P\"}]\n", bad, "a blade of [view] has no 'along'");
  refuses(head + "blades = [{at = \"P\", ¶allong = \"d\"}]\n", bad, "unknown key 'allong' of a blade of [view]",
          "along");
  refuses(head + "wheels = [¶{at = \"P\", axle = \"d\"}]\n", bad, "a wheel of [view] has no 'radius'");
  refuses(head + "wheels = [{at = \"P\", axle = ¶[0, 0, 0], radius = 1}]\n", bad,
          "'axle' of a wheel of [view] has no direction");
  refuses(head + "wheels = [{at = \"P\", axle = \"d\", radius = ¶0}]\n", bad,
          "'radius' of a wheel of [view] is not positive");
  refuses(head + "wheels = [{at = \"P\", axle = \"d\", radius = ¶\"-r\"}]\n", bad,
          "'radius' of a wheel of [view] is not positive");
  refuses(head + "wheels = [{at = \"P\", axle = \"d\", radius = 1, spoke = ¶\"d - d\"}]\n", bad,
          "'spoke' of a wheel of [view] has no direction");
  refuses(head + "balls = [{at = \"P\", radius = ¶-1}]\n", bad, "'radius' of a ball of [view] is not positive");
  refuses(head + "blades = [{at = \"P\", along = ¶[0, 0, 0]}]\n", bad, "'along' of a blade of [view] has no direction");
  // what moves may pass through zero
  EXPECT_NO_THROW(scratch_model(head + "wheels = [{at = \"P\", axle = [\"x\", 0, 0], radius = \"x\"}]\n", "m.toml"));
  refuses(head + "points = [\"¶P''\"]\n", bad,
          "a point of [view] contains the acceleration x''; it may contain coordinates, velocities, the time and "
          "parameters");
  refuses(head + "camera = \"¶above\"\n", bad,
          "unknown camera 'above'; there is \"plane\", or a table with 'from' and 'up'");
  refuses(head + "camera = {from = ¶[0, 0, 0]}\n", bad, "'from' of the camera has no direction");
  refuses(head + "camera = ¶{from = [0, 0, 1]}\n", bad, "'up' of the camera is the direction one looks in");
}

}  // namespace
}  // namespace cetaev
