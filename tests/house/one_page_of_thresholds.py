#!/usr/bin/env python3
"""Motions decide by numbers that stand on one page, src/integrate/accuracy.hpp, each with its unit and its ground: no other file of the stage has any of its own."""

import itertools
import pathlib
import re
import sys

STAGE = pathlib.Path(__file__).resolve().parents[2] / "src" / "integrate"
PAGE = "accuracy.hpp"
# Files whose numbers are no thresholds, and why.
WHOLE_FILES = {
    "costs.cpp": "prices of operations, in nanoseconds",
    "costs.hpp": "prices of operations, in evaluations",
    "dop853.hpp": "the method as it was published, with its controller, in any precision",
    "dop853_coefficients.hpp": "the method as it was published",
    "equations.cpp": "prices of algebra beside those of steps",
}
# Numbers in other files.
LINES = {
    ("poles.cpp", "std::array<double, 4> nodes"): "Gauss's formula",
    ("poles.cpp", "std::array<double, 4> weights"): "Gauss's formula",
    ("poles.cpp", "0.9305681557970263"): "Gauss's formula",
    ("poles.cpp", "0.17392742256872692}"): "Gauss's formula",
    ("witness.cpp", "1.0 / 12"): "differences of the fourth order",
    ("taylor.cpp", "1.4142"): "a logarithm as a polynomial",
    ("taylor.cpp", "0.6953"): "an exponential as a polynomial",
    ("taylor.cpp", "turn_low"): "the digits of 2π after those of a double",
    ("taylor.cpp", "part = series.entire()"): "orders, as terms are priced",
    ("taylor.cpp", "most_parts = 1000"): "a budget",
    ("time_terms.cpp", "search_budget = 1e6"): "a budget",
    ("run.hpp", "units_of_a_step = 8"): "a budget",
    ("dop853.cpp", "integral_gain"): "the controller of the method",
    ("sides.cpp", "near_by = 1.5"): "where random states lie",
    ("regularity_plan.cpp", "random.uniform(-1.5, 1.5)"): "where random states lie",
    ("field.hpp", "double tolerance = 1e-14"): "what a user has by default",
}
NOISE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)
NUMBER = re.compile(r"(?<![\w.])(?:0x[\da-f.]+p[-+]?\d+|\d[\d']*(?:\.\d*)?e[-+]?\d+|\d+\.\d*[1-9]\d*)", re.IGNORECASE)
HARMLESS = {"0.5", "0.25"}
NAMED = re.compile(r"(?<=constexpr )(?:double|float) [^;]*?\w+ = -?[\d.']+(?=[,;])")
EPSILON = re.compile(r"epsilon\(\)")


def problems(name: str, text: str):
    code = NOISE.sub(lambda match: "\n" * match.group().count("\n"), text)
    for number, line in enumerate(code.splitlines(), 1):
        found = [hit for hit in NUMBER.findall(line) if hit not in HARMLESS] + NAMED.findall(line) + EPSILON.findall(line)
        if found and not any(file == name and part in line for file, part in LINES):
            yield f"src/integrate/{name}:{number}: {found[0]} belongs on src/integrate/{PAGE}, with its unit and its ground"


def main() -> int:
    files = {path.name: path.read_text(encoding="utf-8") for path in sorted(STAGE.glob("*.?pp"))}
    found = [line for name, text in files.items() if name != PAGE and name not in WHOLE_FILES for line in problems(name, text)]
    found += [f"src/integrate/{name} is excepted and does not exist" for name in WHOLE_FILES if name not in files]
    found += [f"src/integrate/{name} has no more `{part}`, which is excepted" for name, part in LINES if part not in files.get(name, "")]
    page = files[PAGE]
    names = re.findall(r"(?:constexpr|inline) double (\w+)\(", page)
    for constants in re.findall(r"^constexpr double ([^(;]*);", page, re.MULTILINE):
        names += re.findall(r"(\w+) =", constants)
    for name in names:
        users = sum(len(re.findall(rf"\b{name}\b", NOISE.sub(" ", text))) for text in files.values())
        if users < 2:
            found.append(f"nobody asks for accuracy::{name}")
    for above, line in itertools.pairwise(page.splitlines()):
        if line.startswith(("constexpr", "inline")) and not above and " rounding =" not in line:
            found.append(f"on the page nothing is said about: {line}")
    if len(names) < 60:
        found.append(f"only {len(names)} names were found on the page: the search itself is broken")
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
