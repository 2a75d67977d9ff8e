"""No two files define different things under one name: the linker would take either without a word."""

import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOISE = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<mark>\w*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', re.DOTALL
)
TOKEN = re.compile(
    r"namespace(?P<space>\s+[\w:]+)?\s*\{|(?:struct|class)\s+(?P<type>\w+)(?:\s+final)?\s*(?::(?!:)[^;{]*)?\{|\{|\}"
)


def definitions(text):
    """The names of the types that a file defines at namespace level, outside anonymous namespaces."""
    around = []
    for match in TOKEN.finditer(NOISE.sub(" ", text)):
        if match.group() == "}":
            if around:
                around.pop()
        elif match.group().startswith("namespace"):
            around.append((match["space"] or "").strip())
        elif match["type"] and None not in around:
            if "" not in around:
                yield "::".join([*around, match["type"]])
            around.append(None)
        else:
            around.append(None)


def main():
    found = collections.defaultdict(set)
    for folder in ("include", "src"):
        for path in sorted((ROOT / folder).rglob("*.?pp")):
            for name in definitions(path.read_text(encoding="utf-8")):
                found[name].add(str(path.relative_to(ROOT)))
    twice = {name: files for name, files in found.items() if len(files) > 1}
    for name, files in twice.items():
        print(f"{name} is defined in {' and in '.join(sorted(files))}")
    if len(found) < 200:
        print(f"only {len(found)} definitions were found: the search itself is broken")
    return 1 if twice or len(found) < 200 else 0


if __name__ == "__main__":
    sys.exit(main())
