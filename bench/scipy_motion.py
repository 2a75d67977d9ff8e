"""The four motions of motion.cpp in SciPy: solve_ivp with DOP853, as one would write it.

Prints a line per motion with the time of SciPy, those of the hand-written C++ and of `taylor` from the model file, measured
in the same run by the benchmark `cetaev_bench_motion`, whose path is the first argument, and the ratios. Does nothing without
SciPy.
"""

import json
import math
import subprocess
import sys
import time

try:
    import scipy
    from scipy.integrate import solve_ivp
except ImportError:
    print("SciPy is not installed: no comparison (Debian: python3-scipy)")
    sys.exit(0)


def skate(t, s):
    x, y, phi, u, w = s
    c = math.cos(phi)
    return u * c, u * math.sin(phi), w, 4.905 * c, 0.0


def sleigh(t, s):
    x, y, phi, v, w = s
    return v * math.cos(phi), v * math.sin(phi), w, 0.2 * w * w, -0.2 / 0.34 * v * w


def disc(t, state):
    X, Y, psi, theta, phi, p, q, s = state
    n, c = math.sin(theta), math.cos(theta)
    tangent = n / c
    spin = q - s * tangent
    return (-spin * math.cos(psi), -spin * math.sin(psi), s / c, p, spin,
            1.2 * q * s - 0.2 * s * s * tangent + 0.8 * 9.81 * n, -2 / 3 * p * s, p * (s * tangent - 2 * q))


def double_pendulum(t, state):
    a, b, u, v = state
    s, c = math.sin(a - b), math.cos(a - b)
    f1 = -s * v * v - 2 * 9.81 * math.sin(a)
    f2 = s * u * u - 9.81 * math.sin(b)
    d = 2 - c * c
    return u, v, (f1 - c * f2) / d, (2 * f2 - c * f1) / d


PROBLEMS = {
    "skate": (skate, [0, 0, 0, 0, 1.3]),
    "sleigh": (sleigh, [0, 0, 0, 1, 2]),
    "disc": (disc, [0, 0, 0, 0.2, 0, 0, 5, 0.5]),
    "double pendulum": (double_pendulum, [2, 1, 0, 0]),
}


def main():
    own = json.loads(subprocess.run([sys.argv[1], "--json"], capture_output=True, check=True).stdout)
    print(f"SciPy {scipy.__version__}, DOP853, absolute and relative tolerance 2.3e-14 (the least it takes):")
    for entry in own:
        rates, start = PROBLEMS[entry["problem"]]
        best = float("inf")
        for _ in range(2):
            begin = time.perf_counter()
            solution = solve_ivp(rates, (0, entry["t_end"]), start, method="DOP853", rtol=2.3e-14, atol=2.3e-14,
                                 t_eval=[entry["t_end"]])
            best = min(best, time.perf_counter() - begin)
        reached = solution.y[:, -1]
        error = max(abs(a - b) / max(1, abs(b)) for a, b in zip(reached, entry["coordinates"]))
        print(f"  {entry['problem']:16s} t = {entry['t_end']:4g}: SciPy {best * 1e3:9.2f} ms, error {error:.1e}; "
              f"by hand in C++ {best / entry['dop853']:6.0f} times faster, taylor {best / entry['taylor']:6.0f} times")


main()
