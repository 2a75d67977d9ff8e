"""Long calls leave the interpreter to others, and can be ended."""

import _thread
import threading

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
    timer = threading.Timer(0.3, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        model.run(**FOREVER)
    timer.join()
    timer = threading.Timer(0.3, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        model.lyapunov(1e7)
    timer.join()
    assert model.run(t_end=1).status == "finished"


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


def test_the_bar_goes_away(capsys):
    from cetaev._progress import Bar

    bar = Bar()
    bar(0.25, 2.5)
    bar.clear()
    said = capsys.readouterr().err
    assert "[##########" in said and "25 %" in said and said.endswith("\r")
    cetaev.Model("skate").run(t_end=1, progress=True)
