"""The Python package: what a user of a notebook waits for, side by side with SciPy and SymPy in one run.

    python_package.py BUILD     the folder with python/cetaev

Every figure is the least of several; the machine code is in the cache from the first on.
"""

import pathlib
import subprocess
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(sys.argv[1]) / "python"))

try:
    import numpy as np

    import cetaev
except ImportError as problem:
    print(f"no figures of the Python package: {problem}")
    sys.exit(0)


def least(work, times=20):
    best = float("inf")
    for _ in range(times):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best


def import_time():
    """Beyond NumPy's, in fresh interpreters."""
    code = "import time, numpy; a = time.perf_counter(); import cetaev; print(time.perf_counter() - a)"
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONPATH": sys.path[0], "HOME": "/"}) for _ in range(7)]
    return min(float(run.stdout) for run in runs)


def show(what, seconds):
    unit, factor = ("ms", 1e3) if seconds >= 1e-3 else ("µs", 1e6)
    print(f"  {what:64s} {seconds * factor:9.2f} {unit}")


def beside_scipy():
    try:
        from scipy.integrate import solve_ivp
    except ImportError:
        print("  SciPy is not installed: no comparison (Debian: python3-scipy)")
        return
    model = cetaev.Model("rolling-disc")
    f = model.function("hamel")
    ours = model.run(t_end=10)
    options = {"method": "DOP853", "rtol": 2.3e-14, "atol": 2.3e-14}
    found = solve_ivp(f, (0, 10), f.y0, **options)
    difference = max(abs(found.y[f.names.index(q), -1] - ours.q[q][-1]) for q in model.coordinates)
    show("rolling disc to t = 10: ours, taylor", least(lambda: model.run(t_end=10, samples=2), 5))
    show("the same by SciPy's DOP853 on our compiled function", least(lambda: solve_ivp(f, (0, 10), f.y0, **options), 3))
    print(f"  {'the largest difference of their last positions':64s} {difference:9.1e}")
    kane(model, f, solve_ivp, options)


def kane(model, f, solve_ivp, options):
    """The rolling disc by SymPy's KanesMethod, as its documentation derives it, lambdified."""
    try:
        import sympy
        from sympy.physics import mechanics as me
    except ImportError:
        print("  SymPy is not installed: no comparison (Debian: python3-sympy)")
        return
    start = time.perf_counter()
    q1, q2, q3, u1, u2, u3 = me.dynamicsymbols("q1:4 u1:4")
    r, m, g = sympy.symbols("r m g")
    N = me.ReferenceFrame("N")
    Y = N.orientnew("Y", "Axis", [q1, N.z])
    L = Y.orientnew("L", "Axis", [q2, Y.x])
    R = L.orientnew("R", "Axis", [q3, L.y])
    w = R.ang_vel_in(N)
    R.set_ang_vel(N, u1 * L.x + u2 * L.y + u3 * L.z)
    C = me.Point("C")
    C.set_vel(N, 0)
    centre = C.locatenew("centre", r * L.z)
    centre.v2pt_theory(C, N, R)
    inertia = me.inertia(L, m / 4 * r**2, m / 2 * r**2, m / 4 * r**2)
    body = me.RigidBody("disc", centre, R, m, (inertia, centre))
    rates = [w.dot(L.x) - u1, w.dot(L.y) - u2, w.dot(L.z) - u3]
    method = me.KanesMethod(N, [q1, q2, q3], [u1, u2, u3], rates)
    method.kanes_equations([body], [(centre, -m * g * Y.z)])
    equations = method.rhs()
    function = sympy.lambdify([me.dynamicsymbols._t, [q1, q2, q3, u1, u2, u3], r, m, g], list(equations), cse=True)
    made = time.perf_counter() - start

    own = model.parameters

    def rhs(t, y):
        return function(t, y, own["r"], own["m"], own["g"])

    # our state: the angular velocity in the frame that leans
    here = model.eval("multipliers")
    angles = ("psi", "theta", "phi")
    psi, theta, phi = (here["v"][x] for x in angles)
    lean = here["q"]["theta"]
    y0 = [*(here["q"][x] for x in angles), theta, phi + psi * np.sin(lean), psi * np.cos(lean)]
    y = f.y0
    show("SymPy: KanesMethod and lambdify of the disc, three coordinates", made)
    show("cetaev: Model('rolling-disc').function('hamel')", least(lambda: cetaev.Model("rolling-disc").function("hamel"), 3))
    show("a call of the lambdified function", least(lambda: [rhs(0.0, y0) for _ in range(1000)], 5) / 1000)
    show("a call of ours, five coordinates", least(lambda: [f(0.0, y) for _ in range(1000)], 5) / 1000)
    found = solve_ivp(rhs, (0, 10), y0, **options)
    show("SciPy's DOP853 to t = 10 on the lambdified function", least(lambda: solve_ivp(rhs, (0, 10), y0, **options), 1))
    ours = model.run(t_end=10, samples=2)
    difference = max(abs(found.y[i, -1] - ours.q[x][-1]) for i, x in enumerate(angles))
    print(f"  {'the largest difference of its last angles from ours':64s} {difference:9.1e}")


print(f"The Python package, {cetaev.__version__}, NumPy {np.__version__}:")
show("import cetaev, beyond NumPy", import_time())
show('Model("skate").run(t_end=10), from the cache', least(lambda: cetaev.Model("skate").run(t_end=10)))
skate = cetaev.Model("skate")
show("the same of a model that is there already", least(lambda: skate.run(t_end=10)))
show("a million samples of it", least(lambda: skate.run(t_end=10, samples=1_000_000), 3))
motion = skate.run(t_end=10)
instants = np.linspace(0, 10, 1000)
motion(0.0)
show("1,000 states between the samples", least(lambda: motion(instants)))
million = skate.run(t_end=10, samples=1_000_000)
show("the arrays of a motion of a million samples", least(lambda: million._native.columns()))


def together(threads):
    """So many long motions at once."""
    models = [cetaev.Model("double-pendulum") for _ in range(threads)]
    workers = [threading.Thread(target=model.run, kwargs={"t_end": 500, "samples": 2}) for model in models]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()


show("a long motion of the double pendulum", least(lambda: together(1), 3))
show("two of them on two threads", least(lambda: together(2), 3))
beside_scipy()
