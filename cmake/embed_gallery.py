"""Writes the models of the gallery as a C++ source: embed_gallery.py LIST SOURCE, where LIST has one path per line.

Texts become arrays of characters. String literals would meet the compiler's limit on their length, and raw ones any
delimiter that the text happens to contain.
"""

import pathlib
import sys

BYTES_PER_LINE = 24


def array(data: bytes) -> str:
    lines = []
    for start in range(0, len(data), BYTES_PER_LINE):
        lines.append("  " + " ".join(f"'\\x{byte:02x}'," for byte in data[start : start + BYTES_PER_LINE]))
    return "\n".join(lines)


def source(models: list[pathlib.Path]) -> str:
    arrays = []
    entries = []
    for number, model in enumerate(models):
        text = model.read_bytes()
        text.decode("utf-8")  # a model that is not text must not get into the program
        if not text:
            raise ValueError(f"{model} is empty")
        arrays.append(f"constexpr char text_{number}[] = {{\n{array(text)}\n}};\n")
        entries.append(f'    {{"{model.stem}", {{text_{number}, sizeof text_{number}}}}},')
    table = "\n".join(entries)
    return (
        "// Generated from gallery/ by cmake/embed_gallery.py.\n"
        '#include "cetaev/gallery.hpp"\n\n#include <array>\n\n'
        "namespace cetaev {\nnamespace {\n\n"
        + "\n".join(arrays)
        + f"\nconstexpr std::array<GalleryModel, {len(models)}> models = {{{{\n{table}\n}}}};\n\n"
        "}  // namespace\n\n"
        "std::span<const GalleryModel> gallery() { return models; }\n\n"
        "}  // namespace cetaev\n"
    )


def main() -> int:
    listing, target = map(pathlib.Path, sys.argv[1:])
    models = [pathlib.Path(line) for line in listing.read_text(encoding="utf-8").splitlines() if line]
    models.sort(key=lambda path: path.stem)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(source(models), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
