"""Pages of the documentation that a script writes, and the question whether they are up to date."""

import argparse
import math
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
NUMBER = re.compile(r"(?<![\w.`^-])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\w`])")


def same(old, new):
    """Whether two lines are the same in words, and in numbers but for a tenth: rounding differs from machine to machine."""
    if NUMBER.sub("#", old) != NUMBER.sub("#", new):
        return False
    pairs = zip(NUMBER.findall(old), NUMBER.findall(new))
    return all(math.isclose(float(a), float(b), rel_tol=0.1, abs_tol=1e-7) for a, b in pairs)


def main(description, pages, equal=same):
    """Writes the pages, a dictionary from path to a function of the program that gives the text; or compares with --check."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / "build" / "cetaev"))
    parser.add_argument("--check", action="store_true", help="compare with what is there instead of writing it")
    options = parser.parse_args()
    stale = False
    for path, write in pages.items():
        text = write(options.program)
        if not options.check:
            path.write_text(text, encoding="utf-8")
            continue
        old = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        new = text.splitlines()
        differences = [(a, b) for a, b in zip(old, new) if not equal(a, b)]
        for a, b in differences[:10]:
            print(f"- {a}\n+ {b}")
        if differences or len(old) != len(new):
            stale = True
            print(f"{path.relative_to(ROOT)} ({len(old)} lines) is not what the program says ({len(new)} lines):"
                  f" run scripts/{pathlib.Path(sys.argv[0]).name}")  # fmt: skip
    return 1 if stale else 0
