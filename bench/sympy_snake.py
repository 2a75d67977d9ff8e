"""The snake of snake_model.hpp in SymPy: the same task, from symbols to a function for H, b, J, c.

Prints a line per N with the time of SymPy, the time of the program (best of several, measured in the same run by the
benchmark `cetaev_bench_derive`, whose path is the first argument) and their ratio. Does nothing without SymPy.
"""

import json
import subprocess
import sys
import time

try:
    import sympy
except ImportError:
    print("SymPy is not installed: no comparison (Debian: python3-sympy)")
    sys.exit(0)


def derive(links):
    names = ["x", "y"] + [f"th{i}" for i in range(1, links + 1)]
    q = sympy.symbols(names)
    v = sympy.symbols([name + "_dot" for name in names])
    m, l, inertia = sympy.symbols("m l I")
    advance = lambda e: sum(sympy.diff(e, a) * b for a, b in zip(q, v))

    joint = [q[0], q[1]]
    kinetic = 0
    constraints = []
    for i in range(links):
        c, s = sympy.cos(q[2 + i]), sympy.sin(q[2 + i])
        centre = [joint[0] + l * c / 2, joint[1] + l * s / 2]
        velocity = [advance(e) for e in centre]
        kinetic += m * (velocity[0] ** 2 + velocity[1] ** 2) / 2 + inertia * v[2 + i] ** 2 / 2
        constraints.append(velocity[0] * s - velocity[1] * c)
        joint = [joint[0] + l * c, joint[1] + l * s]

    momentum = [sympy.diff(kinetic, a) for a in v]
    mass = [sympy.diff(p, a) for p in momentum for a in v]
    bias = [sympy.diff(kinetic, a) - advance(p) for a, p in zip(q, momentum)]
    jacobian = [sympy.diff(f, a) for f in constraints for a in v]
    drift = [-advance(f) for f in constraints]
    outputs = mass + bias + jacobian + drift
    return sympy.lambdify([*q, *v, m, l, inertia], outputs, cse=True, modules="math")


def own_times(program):
    out = subprocess.run(
        [program, "--benchmark_filter=read_derive_and_lower_snake/(5|10)$", "--benchmark_repetitions=5", "--benchmark_format=json"],
        capture_output=True, check=True).stdout
    best = {}
    for run in json.loads(out)["benchmarks"]:
        if run["run_type"] != "iteration":
            continue
        links = int(run["run_name"].rsplit("/", 1)[1])
        best[links] = min(best.get(links, float("inf")), run["real_time"] / 1e3)
    return best


def main():
    own = own_times(sys.argv[1])
    print(f"SymPy {sympy.__version__} on the same task (read or build, derive H, b, J, c, make a function):")
    for links in (5, 10):
        begin = time.perf_counter()
        derive(links)
        seconds = time.perf_counter() - begin
        print(f"  N = {links:3d}: SymPy {seconds:8.3f} s, cetaev {own[links]:9.5f} s, ratio {seconds / own[links]:8.0f}")


main()
