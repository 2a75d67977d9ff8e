#include "cetaev/gallery.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

#include "cetaev/error.hpp"

namespace cetaev {
namespace {

const std::filesystem::path folder = std::filesystem::path(CETAEV_SOURCE_DIR) / "gallery";

TEST(Gallery, HoldsEveryModelOfTheFolderByteForByte) {
  for (const GalleryModel& model : gallery()) {
    std::ifstream file(folder / (std::string(model.name) + ".toml"), std::ios::binary);
    ASSERT_TRUE(file) << model.name;
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    EXPECT_EQ(model.text, text) << model.name;
  }
  const auto files = std::filesystem::directory_iterator(folder);
  const auto models =
      std::count_if(begin(files), end(files), [](const auto& entry) { return entry.path().extension() == ".toml"; });
  EXPECT_EQ(gallery().size(), static_cast<std::size_t>(models));
}

TEST(Gallery, IsSortedByName) {
  EXPECT_TRUE(std::ranges::is_sorted(gallery(), {}, &GalleryModel::name));
  EXPECT_EQ(std::ranges::adjacent_find(gallery(), {}, &GalleryModel::name), gallery().end());
}

TEST(Families, WriteTheMembersThatAreInTheFolder) {
  int members = 0;
  for (const GalleryModel& model : gallery()) {
    const std::optional<std::string> text = generated_model(model.name);
    if (!text) continue;
    ++members;
    EXPECT_EQ(model.text, *text) << model.name;
  }
  EXPECT_EQ(members, 2);
}

TEST(Families, HaveAModelForEveryNumberWithinTheirLimits) {
  for (const ModelFamily& family : model_families()) {
    for (const int number : {family.least, family.least + 1, family.most}) {
      const std::string name = std::string(family.name) + "-" + std::to_string(number);
      EXPECT_EQ(generated_model(family, number), generated_model(name)) << name;
      EXPECT_EQ(gallery_text(name), generated_model(name)) << name;
    }
    for (const int number : {family.least - 1, family.most + 1, -5})
      EXPECT_THROW(generated_model(family, number), Error) << family.name << " " << number;
  }
  EXPECT_THROW(generated_model("snake-99999999999999999999"), Error);
}

TEST(Families, LeaveOtherNamesAlone) {
  for (const char* name :
       {"", "-", "snake", "snake-", "snake-x", "snake-1x", "snake-01", "snake--1", "snake-+1", "eel-3", "trailer-5 "})
    EXPECT_EQ(generated_model(name), std::nullopt) << name;
  EXPECT_EQ(gallery_text("no-such-model"), std::nullopt);
  EXPECT_TRUE(gallery_text("skate").has_value());
}

}  // namespace
}  // namespace cetaev
