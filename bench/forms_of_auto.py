"""What `--form auto` costs beside the best of the other forms: whole runs, with nothing in the cache.

    forms_of_auto.py [--counted] PROGRAM MODEL.toml ...

Forms of d'Alembert and Lagrange only, which have the same motions. Prints the ratio for each model and, at the end, the largest.

Without an option it is the processor time, the best of many runs of each: of ten milliseconds two are noise, and more on a busy machine.
With --counted it is the instructions that valgrind counts, in millions: the same in every run and on every machine, and what a machine does
while it waits for memory is not in them.
"""

import json
import os
import re
import resource
import subprocess
import sys

FORMS = ["auto", "multipliers", "gauss", "maggi", "hamel", "voronec", "caplygin", "appell"]
RUNS = 3  # and as many as fit in
SECONDS = 0.25
COUNT = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]


def command(program, model, form):
    return [program, "run", model, "--form", form, "--no-cache", "--json"]


def form_taken(done):
    """None where the motion is not finished in it."""
    return json.loads(done.stdout)["form"] if done.returncode == 0 else None


def used():
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def run(program, model, form):
    """Seconds of one run, and the form that it took."""
    begin = used()
    done = subprocess.run(command(program, model, form), capture_output=True)
    return used() - begin, form_taken(done)


def best(program, model, form, limit):
    times = []
    while len(times) < RUNS or sum(times) < SECONDS:
        seconds, taken = run(program, model, form)
        if taken is None:
            return None
        times.append(seconds)
        if form != "auto" and min(times) > 2 * limit:
            break  # never the best one
    return min(times), taken


def counted(program, model, form, limit):
    """Millions of instructions, and the form."""
    done = subprocess.run(COUNT + command(program, model, form), capture_output=True)
    taken = form_taken(done)
    if taken is None:
        return None
    found = re.search(rb"I\s+refs:\s+([\d,]+)", done.stderr)
    return int(found[1].replace(b",", b"")) / 1e6, taken


def main():
    arguments = sys.argv[1:]
    measure, unit = (counted, "10^6") if arguments[0] == "--counted" else (best, "s")
    program, *models = arguments[1:] if arguments[0] == "--counted" else arguments
    largest = 0
    print(f"ratio {f'auto [{unit}]':>11}{f'best [{unit}]':>12}  auto takes    best")
    for model in models:
        costs = {}
        chosen = None
        for form in FORMS:
            found = measure(program, model, form, min(costs.values(), default=float("inf")))
            if found is None:
                continue
            costs[form] = found[0]
            if form == "auto":
                chosen = found[1]
        if chosen is None or len(costs) < 2:
            print(f"   --   no motion to compare                {os.path.basename(model)}", flush=True)
            continue
        other = min((form for form in costs if form != "auto"), key=costs.get)
        ratio = costs["auto"] / costs[other]
        largest = max(largest, ratio)
        print(
            f"{ratio:5.2f}  {costs['auto']:10.3f}  {costs[other]:10.3f}  {chosen:12}  {other:12}  {os.path.basename(model)}",
            flush=True,
        )
    print(f"{largest:5.2f}  at most")


main()
