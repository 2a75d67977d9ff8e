"""What `--form auto` costs beside the best of the other forms: the processor time of whole runs, with nothing in the cache.

    forms_of_auto.py PROGRAM MODEL.toml ...

Forms of d'Alembert and Lagrange only, which have the same motions; best of many runs of each: of ten milliseconds two are noise. Prints the ratio for each model and, at the end, the
largest. Processor time hardly depends on what else the machine does.
"""

import json
import os
import resource
import subprocess
import sys

FORMS = ["auto", "multipliers", "gauss", "maggi", "hamel", "voronec", "caplygin", "appell"]
RUNS = 3  # and as many as fit in
SECONDS = 0.25


def used():
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def run(program, model, form):
    """Seconds of one run, and the form that it took; None where the motion is not finished in it."""
    begin = used()
    done = subprocess.run([program, "run", model, "--form", form, "--no-cache", "--json"], capture_output=True)
    seconds = used() - begin
    if done.returncode != 0:
        return None
    result = json.loads(done.stdout)
    return seconds, result["form"]


def best(program, model, form, limit):
    times = []
    taken = form
    while len(times) < RUNS or sum(times) < SECONDS:
        result = run(program, model, form)
        if result is None:
            return None
        times.append(result[0])
        taken = result[1]
        if form != "auto" and min(times) > 2 * limit:
            break  # never the best one
    return min(times), taken


def main():
    program, models = sys.argv[1], sys.argv[2:]
    largest = 0
    print("ratio   auto [s]  best [s]  auto takes    best")
    for model in models:
        times = {}
        chosen = None
        for form in FORMS:
            found = best(program, model, form, min(times.values(), default=float("inf")))
            if found is None:
                continue
            times[form] = found[0]
            if form == "auto":
                chosen = found[1]
        if chosen is None or len(times) < 2:
            print(f"   --   no motion to compare                {os.path.basename(model)}", flush=True)
            continue
        other = min((form for form in times if form != "auto"), key=times.get)
        ratio = times["auto"] / times[other]
        largest = max(largest, ratio)
        print(
            f"{ratio:5.2f}  {times['auto']:8.3f}  {times[other]:8.3f}  {chosen:12}  {other:12}  {os.path.basename(model)}",
            flush=True,
        )
    print(f"{largest:5.2f}  at most")


main()
