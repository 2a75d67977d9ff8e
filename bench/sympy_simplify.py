"""Lengths and times of simplification beside SymPy's `simplify`, on the same equations.

    /usr/bin/python3 -B bench/sympy_simplify.py build/cetaev [MODEL FORM ...]

The equations as they were derived (`--budget 0 --expand`) go to SymPy; what comes back is measured as the printed equations are: by the
operations and function calls in their text. Times are of the processor, those of `derive` without its start, which takes a hundredth of a second whatever is
simplified: what a run takes beyond one with `--budget 0`.
Needs SymPy.
"""

import json
import re
import resource
import subprocess
import sys
import time

import sympy


OPERATION = re.compile(r"\b(?:sin|cos|tan|sqrt|exp|log|Abs|abs|atan2|asin|acos|atan)\(|\*\*|[-+*/^]")
SYSTEMS = (
    ("skate", "multipliers"), ("chaplygin-sleigh", "voronec"), ("rolling-disc", "voronec"), ("double-pendulum", "multipliers"),
    ("cart", "voronec"), ("suslov", "maggi"), ("zekovic", "maggi"), ("contact-oscillator", "voronec"),
)


def of_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def derive(program, model, form, *more):
    begun = of_children()
    done = subprocess.run([program, "derive", model, "--form", form, "--format", "json", *more], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["forms"][0], of_children() - begun


def length(text):
    return sum(len(OPERATION.findall(side.strip().removeprefix("-"))) for side in text.split(" = "))


def expression(text, names):
    def rename(match):
        word = match.group(0)
        if hasattr(sympy, word) and word in ("sin", "cos", "tan", "sqrt", "exp", "log", "atan2", "asin", "acos", "atan", "pi"):
            return word
        names.setdefault("n_" + word.replace("'", "_p"), sympy.Symbol(word, real=True))
        return "n_" + word.replace("'", "_p")

    spelled = re.sub(r"[A-Za-z_][A-Za-z0-9_]*'*", rename, text).replace("^", "**")
    return sympy.sympify(spelled, locals={**names, "abs": sympy.Abs}, rational=True)


REPETITIONS = 20


def seconds_of_simplification(program, model, form):
    """What simplifying adds to a run of the program: the rest, its start above all, is there without."""
    with_it = sum(derive(program, model, form, "--expand")[1] for _ in range(REPETITIONS))
    without = sum(derive(program, model, form, "--expand", "--budget", "0")[1] for _ in range(REPETITIONS))
    return max(with_it - without, 1e-4 * REPETITIONS) / REPETITIONS  # processor times come in steps


def sides(line):
    left, right = line.split(" = ", 1)
    return f"({left}) - ({right})"


def main(program, systems):
    print(f"{'model':22} {'form':12} {'SymPy':>6} {'here':>6} {'SymPy s':>8} {'here s':>7} {'whole':>7} {'ratio':>6}")
    for model, form in systems:
        written, whole = derive(program, model, form, "--expand")
        given, _ = derive(program, model, form, "--expand", "--budget", "0")
        begun = time.process_time()
        found = 0
        for equation in given["equations"]:
            found += length(str(sympy.simplify(expression(sides(equation["text"]), {}))))
        for definition in given.get("definitions", []):  # L*, B: simplified, too; the velocities alpha are with any effort
            if definition["kind"] == "velocity":
                continue
            sympy.simplify(expression(definition["text"].split(" = ", 1)[-1], {}))
        spent = time.process_time() - begun
        own = sum(length(e["text"]) for e in written["equations"])
        seconds = seconds_of_simplification(program, model, form)
        print(f"{model:22} {form:12} {found:6} {own:6} {spent:8.2f} {seconds:7.4f} {whole:7.3f} {spent / seconds:6.0f}", flush=True)


if __name__ == "__main__":
    words = sys.argv[2:]
    main(sys.argv[1], list(zip(words[::2], words[1::2])) or SYSTEMS)
