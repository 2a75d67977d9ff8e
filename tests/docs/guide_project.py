"""Builds and runs the project that a page of the guide shows, and compares what its programs print with what the page says.

A ```cmake, ```toml or ```cpp block whose first line is `# file: NAME` or `// file: NAME` is written to that file; the ```text block
that follows a program is its output, in which a line `...` stands for any lines. The project is configured against an installed
library. With --update the outputs in the page are replaced by the true ones, except where the page's own text already fits.
"""

import argparse
import difflib
import pathlib
import re
import subprocess
import sys

from run_docs import fits

FILE = re.compile(r"^```(?:cmake|toml|cpp)\n((?:#|//) file: ([\w.-]+)\n.*?)^```$", re.MULTILINE | re.DOTALL)
PROGRAM = re.compile(
    r"(?P<head>^```cpp\n// file: (?P<name>[\w-]+)\.cpp\n(?:(?!```).*\n)*```\n\n```text\n)(?P<output>(?:(?!```).*\n)*)(?P<tail>```$)",
    re.MULTILINE,
)


def run(*command, folder):
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=600, check=False)
    output = done.stdout.decode() + done.stderr.decode()
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{output}")
    return output


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("--prefix", required=True, help="where the library is installed")
    parser.add_argument("--folder", type=pathlib.Path, required=True, help="for the project; what is in it is replaced")
    parser.add_argument("--compiler", default="c++")
    parser.add_argument("--update", action="store_true", help="write the true outputs into the page")
    options = parser.parse_args()

    text = options.page.read_text(encoding="utf-8")
    options.folder.mkdir(parents=True, exist_ok=True)
    for content, name in FILE.findall(text):
        (options.folder / name).write_text(content, encoding="utf-8")
    run("cmake", "-S", ".", "-B", "build", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={options.prefix}",
        f"-DCMAKE_CXX_COMPILER={options.compiler}", "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror", folder=options.folder)
    run("cmake", "--build", "build", folder=options.folder)

    failures = []

    def compared(match):
        actual = [line.rstrip() for line in run(f"build/{match['name']}", folder=options.folder).splitlines()]
        expected = match["output"].splitlines()
        if fits(actual, expected) and not (options.update and expected == ["..."]):
            return match[0]
        failures.append("\n".join([match["name"], *difflib.unified_diff(expected, actual, "the page", "the program", lineterm="")]))
        return match["head"] + "".join(line + "\n" for line in actual) + match["tail"]

    updated, programs = PROGRAM.subn(compared, text)
    print("\n\n".join(failures))
    print(f"{programs} programs, {len(failures)} not as shown")
    if options.update:
        options.page.write_text(updated, encoding="utf-8")
        return 0
    return 1 if failures or programs == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
