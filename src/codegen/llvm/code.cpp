#include "code.hpp"

#include <stdexcept>

#include "cache.hpp"
#include "cetaev/error.hpp"
#include "host.hpp"

namespace cetaev::native {

// To be raised whenever the code that is made for a program changes.
constexpr std::uint64_t format_version = 17;

Hasher begin_key(std::string_view kind, const NativeOptions& options) {
  Hasher h;
  h.word(format_version);
  h.text(kind);
  h.word(options.lanes);
  for (const std::string& s : {host().triple, host().cpu, host().features, host().compiler}) h.text(s);
  return h;
}

void add_system(Hasher& h, const Program::System& s) {
  h.word(s.size);
  h.word(s.right_hand_sides);
  h.word(s.solution);
  h.list(std::span(s.matrix));
  h.list(std::span(s.right));
}

void require_lanes(unsigned lanes) {
  if (lanes != 1 && lanes != 2 && lanes != 4 && lanes != 8)
    throw Error(ErrorCode::bad_model, "machine code is made for 1, 2, 4 or 8 lanes, not " + std::to_string(lanes));
}

std::unique_ptr<LoadedImage> find_or_make(const Digest& key, bool cache, NativeOrigin& origin,
                                          const std::function<Image()>& make) {
  try {
    if (cache) {
      CachedImage cached = read_cache(key);
      if (cached.image) {
        auto loaded = std::make_unique<LoadedImage>(*cached.image);
        origin.from_cache = true;
        return loaded;
      }
      origin.cache_refusal = std::move(cached.refusal);
    }
    const Image image = make();
    auto loaded = std::make_unique<LoadedImage>(image);
    if (cache) {
      std::string refusal = write_cache(key, image);
      if (origin.cache_refusal.empty()) origin.cache_refusal = std::move(refusal);
    }
    return loaded;
  } catch (const std::runtime_error&) {
    return nullptr;  // the system forbids new code, or the compiler does not know the processor
  }
}

}  // namespace cetaev::native

namespace cetaev {

unsigned natural_lanes() { return native::host().doubles_per_vector; }

}  // namespace cetaev
