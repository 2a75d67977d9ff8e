#include "cetaev/gallery.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

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

}  // namespace
}  // namespace cetaev
