// Whatever the bytes, the model reader answers with a System or with an Error; anything else is a finding.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "cetaev/error.hpp"
#include "cetaev/model/read.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    static_cast<void>(cetaev::read_model(text, "fuzz.toml"));
  } catch (const cetaev::Error&) {
    // Being told what is wrong with the text is what a user of a bad model is owed.
  }
  return 0;
}
