"""Long calls leave the interpreter to others, and can be ended."""

import _thread
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import cetaev

FOREVER = dict(t_end=1e7, samples=2)


def test_other_threads_run_during_a_motion():
    """Python counts while C++ computes; with the lock held it would not get to a hundred."""
    model = cetaev.Model("double-pendulum")
    model.run(t_end=1)
    thread = threading.Thread(target=model.run, kwargs={"t_end": 2000, "samples": 2})
    thread.start()
    count = 0
    while thread.is_alive():
        count += 1
    thread.join()
    assert count > 10_000


def test_threads_share_a_model_and_find_the_same():
    model = cetaev.Model("rolling-disc")
    alone = cetaev.Model("rolling-disc")
    expected = (alone.run(t_end=2, samples=50).q["X"].copy(), dict(alone.check()), alone.equations("hamel").text)
    found = [None] * 4

    def ask(i):
        check, text = dict(model.check()), model.equations("hamel").text
        found[i] = (model.run(t_end=2, samples=50).q["X"], check, text, model.function("hamel"))

    threads = [threading.Thread(target=ask, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for x, check, text, function in found:
        assert (x == expected[0]).all() and check == expected[1] and text == expected[2]
        assert (function(0, function.y0) == found[0][3](0, function.y0)).all()


def test_threads_share_a_function_and_a_motion():
    function = cetaev.Model("rolling-disc").function("hamel")
    motion = cetaev.Model("rolling-disc").run(t_end=2)
    states = np.random.default_rng(1).uniform(0.5, 1, (100, len(function.names)))
    expected = [function(0, y) for y in states]
    t = np.linspace(0, 2, 1000)
    wrong = []

    def ask():
        for _ in range(20):
            wrong.extend(not (function(0, y) == e).all() for y, e in zip(states, expected))
            wrong.append(abs(motion(t).q["X"][-1] - motion.q["X"][-1]) > 1e-12)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(wrong) == 4 * 20 * 101 and not any(wrong)


def test_ctrl_c_ends_a_motion():
    model = cetaev.Model("double-pendulum")
    interrupted(lambda: model.run(**FOREVER))
    interrupted(lambda: model.lyapunov(1e7))
    assert model.run(t_end=1).status == "finished"


def interrupted(work, after=0.3):
    """KeyboardInterrupt comes out of it, as of Ctrl-C."""
    timer = threading.Timer(after, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        work()
    timer.join()


def test_ctrl_c_ends_what_many_threads_do(tmp_path):
    model = cetaev.Model("double-pendulum")
    many = {"theta1": np.linspace(1, 2, 100_000)}
    interrupted(lambda: model.sweep(many, t_end=100))
    interrupted(lambda: model.sweep_into(tmp_path / "many.h5", many, t_end=100))
    upright = cetaev.Model("rolling-disc", set={"theta": 0, "theta'": 0, "psi'": 0})
    interrupted(lambda: upright.linearize(vary=[("phi'", -5, -1, 1000), ("r", 0.5, 2, 1000)]))
    interrupted(cetaev.verify_papers)
    assert len(model.sweep({"theta1": [1, 2]}, t_end=1)) == 2


# Asked for so much that an answer would take days.
ENDLESS = {
    "compare": lambda model: model.compare("multipliers", "hamel", states=10**9),
    "compare motions": lambda model: model.compare("multipliers", "gauss", t_end=1e9),
    "linearize": lambda model: model.linearize(vary=("Omega", 1, 2, 10**6)),
}


@pytest.mark.parametrize("question", ENDLESS)
def test_ctrl_c_ends_what_would_take_days(question):
    """What was interrupted harms nobody: the same model gives the answers of one that was left alone."""
    model, alone = cetaev.Model("rolling-disc-steady"), cetaev.Model("rolling-disc-steady")
    interrupted(lambda: ENDLESS[question](model))
    assert model.equations("hamel").text == alone.equations("hamel").text
    assert dict(model.check()) == dict(alone.check())
    assert dict(model.linearize()) == dict(alone.linearize())
    assert (model.run(t_end=1).q["X"] == alone.run(t_end=1).q["X"]).all()


DERIVED = {
    "equations": lambda model: model.equations().text,
    "report": lambda model: model.report(),
    "verify": lambda model: dict(model.verify())["passed"],
}


@pytest.mark.parametrize("question", DERIVED)
def test_ctrl_c_ends_a_derivation(question):
    """In less than half of the processor's work of all of it, which is a second or two."""
    model = cetaev.Model("bicycle")
    start = time.process_time()
    interrupted(lambda: DERIVED[question](model), 0.1)
    cut = time.process_time()
    answer = DERIVED[question](model)
    assert cut - start < (time.process_time() - cut) / 2
    if question != "report":  # which says how long it took
        assert answer == DERIVED[question](cetaev.Model("bicycle"))


def test_other_threads_are_not_interrupted():
    """Ctrl-C is for the thread that Python gives it to; the work of another goes on to its answer."""
    model, found = cetaev.Model("rolling-disc"), []
    thread = threading.Thread(target=lambda: found.extend([dict(model.check()), model.equations("hamel").text]))
    thread.start()
    interrupted(lambda: ENDLESS["compare"](cetaev.Model("rolling-disc-steady")))
    thread.join()
    assert found == [dict(cetaev.Model("rolling-disc").check()), cetaev.Model("rolling-disc").equations("hamel").text]


def test_progress_is_told_by_the_thread_that_called():
    seen = set()
    model = cetaev.Model("double-pendulum")
    model.sweep({"theta1": np.linspace(1, 2, 2000)}, t_end=20, progress=lambda fraction, count: seen.add((threading.get_ident(), 0 <= fraction <= 1)))
    assert seen == {(threading.get_ident(), True)}


def test_two_motions_are_under_way_at_the_same_time():
    """Each is told from within its own motion, which would never end by itself, that the other has begun. How much faster two are on two
    processors is a figure of bench/python_package.py."""
    models = [cetaev.Model("double-pendulum") for _ in range(2)]
    begun, together = set(), set()

    def run(number):
        def progress(fraction, t):
            begun.add(number)
            if len(begun) == 2:
                together.add(number)
                raise StopIteration

        with pytest.raises(StopIteration):
            models[number].run(**FOREVER, progress=progress)

    threads = [threading.Thread(target=run, args=(i,), daemon=True) for i in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert together == {0, 1}


def test_progress_is_told_and_may_have_enough():
    seen = []

    class Enough(Exception):
        pass

    def progress(fraction, t):
        seen.append((fraction, t))
        if len(seen) == 3:
            raise Enough

    with pytest.raises(Enough):
        cetaev.Model("double-pendulum").run(**FOREVER, progress=progress)
    assert [f for f, _ in seen] == sorted(f for f, _ in seen)
    for fraction, t in seen:
        assert fraction == pytest.approx(t / FOREVER["t_end"])


def test_the_bar_ends_its_line(capsys):
    from cetaev._progress import Bar

    bar = Bar()
    bar(0.25, 2.5)
    bar.end(False)
    said = capsys.readouterr().err
    assert "[##########" in said and "25 %  t = 2.5" in said and said.endswith("\n")
    Bar().end(True)  # of what was too short to be drawn
    assert capsys.readouterr().err == ""
    bar(0.5, 5)
    bar.end(True)
    *_, last = capsys.readouterr().err.split("\r")
    assert last.rstrip() == "[" + 40 * "#" + "] 100 %" and last.endswith("\n")
    Bar("motions")(0.5, 2000)
    assert "50 %  2000 motions" in capsys.readouterr().err
    cetaev.Model("skate").run(t_end=1, progress=True)


def test_a_thread_that_nobody_waits_for_does_not_bring_the_process_down():
    code = """
import cetaev, threading, time
model = cetaev.Model("skate")
threading.Thread(target=lambda: model.run(t_end=1e7), daemon=True).start()
threading.Thread(target=lambda: cetaev.Model("bicycle").equations(), daemon=True).start()
time.sleep(0.3)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
