// Cairo, loaded where a figure is drawn and nowhere else: other commands do not wait for it.
#pragma once

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include "cetaev/error.hpp"

namespace cetaev {

#define CETAEV_CAIRO_FUNCTIONS(X)   \
  X(cairo_svg_surface_create)       \
  X(cairo_pdf_surface_create)       \
  X(cairo_image_surface_create)     \
  X(cairo_image_surface_get_data)   \
  X(cairo_image_surface_get_stride) \
  X(cairo_surface_mark_dirty)       \
  X(cairo_set_source_surface)       \
  X(cairo_get_source)               \
  X(cairo_pattern_set_filter)       \
  X(cairo_translate)                \
  X(cairo_surface_write_to_png)     \
  X(cairo_surface_finish)           \
  X(cairo_surface_status)           \
  X(cairo_surface_destroy)          \
  X(cairo_status_to_string)         \
  X(cairo_create)                   \
  X(cairo_destroy)                  \
  X(cairo_scale)                    \
  X(cairo_rotate)                   \
  X(cairo_paint)                    \
  X(cairo_save)                     \
  X(cairo_restore)                  \
  X(cairo_rectangle)                \
  X(cairo_clip)                     \
  X(cairo_fill)                     \
  X(cairo_set_source_rgb)           \
  X(cairo_set_line_width)           \
  X(cairo_set_line_join)            \
  X(cairo_set_line_cap)             \
  X(cairo_move_to)                  \
  X(cairo_line_to)                  \
  X(cairo_stroke)                   \
  X(cairo_select_font_face)         \
  X(cairo_set_font_size)            \
  X(cairo_set_dash)                 \
  X(cairo_text_extents)             \
  X(cairo_show_text)

struct Cairo {
#define CETAEV_DECLARE(name) decltype(&::name) name = nullptr;
  CETAEV_CAIRO_FUNCTIONS(CETAEV_DECLARE)
#undef CETAEV_DECLARE

  Cairo() {
    void* library = dlopen("libcairo.so.2", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
      throw Error(ErrorCode::cannot_write, fmt::format("cannot draw: Cairo is not on this machine ({})", dlerror()));
#define CETAEV_FIND(name) name = reinterpret_cast<decltype(name)>(find(library, #name));
    CETAEV_CAIRO_FUNCTIONS(CETAEV_FIND)
#undef CETAEV_FIND
  }

 private:
  static void* find(void* library, const char* name) {
    void* found = dlsym(library, name);
    if (found == nullptr) throw Error(ErrorCode::cannot_write, fmt::format("cannot draw: Cairo has no {}", name));
    return found;
  }
};

}  // namespace cetaev
