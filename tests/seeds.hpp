// Which random systems a test looks at: some; a share of them, in percent, where CETAEV_SHARE says so, as in the sanitized build; or those that
// CETAEV_SEED and CETAEV_SYSTEMS ask for, as `make stress` does.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <vector>

namespace cetaev {

struct Seeds {
  std::uint64_t first = 1, count = 0;
  bool usual = false;  // the same in every run, and all of them
  std::uint64_t end() const { return first + count; }
  std::vector<std::uint64_t> all() const {
    std::vector<std::uint64_t> result(count);
    std::iota(result.begin(), result.end(), first);
    return result;
  }
  // What a hundred systems have at least `percent` of on the average, these have as often at least: of the usual ones so much as is known;
  // of others less by three standard deviations, as if what is counted came from one system by the handful, or twice the average where
  // that is more.
  int share(int percent) const {
    const double each = percent / 100.0, mean = static_cast<double>(count) * each;
    const double variance = mean * std::max(4.0, 2 * each);
    return static_cast<int>(usual ? mean : std::max(0.0, mean - 3 * std::sqrt(variance)));
  }
};

inline Seeds seeds(std::uint64_t usual) {
  const auto from_environment = [](const char* name, std::uint64_t otherwise) {
    const char* text = std::getenv(name);
    return text != nullptr && *text != '\0' ? std::strtoull(text, nullptr, 10) : otherwise;
  };
  const std::uint64_t few = (usual * from_environment("CETAEV_SHARE", 100) + 99) / 100;
  const Seeds result{from_environment("CETAEV_SEED", 1), from_environment("CETAEV_SYSTEMS", few)};
  return {result.first, result.count, result.first == 1 && result.count == usual};
}

// All of a list, or the first few where a share is asked for.
template <class T>
std::vector<T> some_of(std::vector<T> list) {
  const std::size_t count = std::min<std::size_t>(list.size(), seeds(list.size()).count);
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(count), list.end());
  return list;
}

}  // namespace cetaev
