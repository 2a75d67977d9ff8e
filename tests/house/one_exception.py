"""Those who use the library meet one exception type, cetaev::Error.

The sources throw nothing else, but for what never leaves its stage: there the standard exception is caught by the named file.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
STANDARD = re.compile(r"throw\s+std::|(?<!enum )(?:struct|class)\s+\w+(?:\s+final)?\s*:\s*(?:public\s+)?std::")
# where the exception is thrown or defined -> the file that catches it
WITHIN = {
    "include/cetaev/error.hpp": "",  # Error itself
    "src/algebra/budget.hpp": "src/algebra/zero.cpp",
    "src/algebra/fraction.hpp": "src/algebra/zero.cpp",
    "src/codegen/llvm/compiler.cpp": "src/codegen/llvm/code.cpp",
    "src/codegen/llvm/image.cpp": "src/codegen/llvm/code.cpp",
}
EXPORTED = "src/codegen/cpp/cpp.cpp"  # the text of exported programs, which know nothing of the library


def main():
    wrong, seen = [], set()
    for folder in ("include", "src"):
        for path in sorted((ROOT / folder).rglob("*.?pp")):
            name = str(path.relative_to(ROOT))
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                if not STANDARD.search(line.split("//")[0]) or name == EXPORTED:
                    continue
                seen.add(name)
                if name not in WITHIN:
                    wrong.append(f"{name}:{number}: {line.strip()}")
    for name in sorted(set(WITHIN) - seen):
        wrong.append(f"{name} throws nothing of the kind any more: the list here is out of date")
    for name in sorted(set(WITHIN.values()) - {""}):
        if "catch (const " not in (ROOT / name).read_text(encoding="utf-8"):
            wrong.append(f"{name} is to catch what is thrown beside it, and does not")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
