"""How long `cetaev report` takes for every gallery model, and for the whole site.

The first argument is the program. Each model is a process of its own; the slowest are shown, in seconds that pass and in seconds of
the processors.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time

SHOWN = 8
GOAL, GOAL_OF_SITE = 2, 60


def seconds(*command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begin = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    passed = time.perf_counter() - begin
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return passed, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    program = sys.argv[1]
    listed = subprocess.run([program, "gallery", "--json"], check=True, capture_output=True).stdout
    names = [entry["name"] for entry in json.loads(listed)["gallery"]]
    with tempfile.TemporaryDirectory() as folder:
        page = os.path.join(folder, "page.html")
        times = sorted(((*seconds(program, "report", name, "-o", page, "--quiet"), name) for name in names), reverse=True)
        print(f"cetaev report, the slowest of {len(times)} (goal {GOAL} s)")
        for passed, worked, name in times[:SHOWN]:
            print(f"  {passed:5.2f} s, {worked:5.2f} s of the processors  {name}")
        passed, worked = seconds(program, "report", "--gallery", "-o", os.path.join(folder, "site"), "--quiet")
        print(f"cetaev report --gallery: {passed:.1f} s, {worked:.1f} s of the processors (goal {GOAL_OF_SITE} s)")


main()
