#!/usr/bin/env python3
"""What users of the library see is what cetaev/cetaev.hpp includes: every public header is reached from there, and none in detail/."""

import pathlib
import re
import sys

INCLUDE = pathlib.Path(__file__).resolve().parent.parent.parent / "include"


def reached(header: str, seen: set[str]) -> set[str]:
    if header not in seen:
        seen.add(header)
        for included in re.findall(r'#include "(cetaev/[^"]+)"', (INCLUDE / header).read_text(encoding="utf-8")):
            reached(included, seen)
    return seen


def main() -> int:
    seen = reached("cetaev/cetaev.hpp", set())
    headers = {str(path.relative_to(INCLUDE)) for path in INCLUDE.rglob("*.hpp")}
    inside = {header for header in headers if header.startswith("cetaev/detail/")}
    problems = [f"{header} is public and not reached from cetaev/cetaev.hpp" for header in sorted(headers - inside - seen)]
    problems += [f"{header} is in detail/ and reached from cetaev/cetaev.hpp" for header in sorted(inside & seen)]
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
