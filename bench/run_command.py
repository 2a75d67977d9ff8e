"""The time from typing `cetaev run skate --t-end 1 --json` to the answer, with nothing in the cache and with everything there.

The first argument is the program. Best and middle of several runs, each a process of its own.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time

COMMAND = ["run", "skate", "--t-end", "1", "--json"]


def seconds(program, cache):
    begin = time.perf_counter()
    subprocess.run([program, *COMMAND], check=True, stdout=subprocess.DEVNULL, env={**os.environ, "CETAEV_CACHE": cache})
    return time.perf_counter() - begin


def show(what, times, goal):
    print(f"  {what}: best {min(times) * 1e3:6.1f} ms, middle {statistics.median(times) * 1e3:6.1f} ms (goal {goal} ms)")


def main():
    program = sys.argv[1]
    print("cetaev " + " ".join(COMMAND))
    with tempfile.TemporaryDirectory() as folder:
        show("cold      ", [seconds(program, os.path.join(folder, str(i))) for i in range(15)], 40)
        kept = os.path.join(folder, "kept")
        seconds(program, kept)
        show("from cache", [seconds(program, kept) for _ in range(30)], 15)


main()
