"""Bodies, frames, contacts, loads and springs written in Python: the accelerations of the gallery's files, and closed forms."""

import math

import numpy as np
import pytest

import cetaev


def same_accelerations(ours, theirs):
    """Under every principle that theirs has, at their state."""
    here, there = ours.eval(), theirs.eval()
    assert ours.coordinates == theirs.coordinates and len(here["forms"]) == len(there["forms"])
    for x in theirs.coordinates:
        assert here["v"][x] == pytest.approx(there["v"][x], abs=1e-12)
    compared = 0
    for form, found in there["forms"].items():
        if "error" in found:
            assert here["forms"][form]["error"]["code"] == found["error"]["code"]
            continue
        compared += 1
        for x, value in found["a"].items():
            assert here["forms"][form]["a"][x] == pytest.approx(value, rel=1e-10, abs=1e-10)
    assert compared >= 3


def disc():
    x, y, psi, theta, phi, m, r, g, disc, touch = cetaev.symbols("x y psi theta phi m r g disc touch")
    lean, wheel = cetaev.frames("lean wheel")
    return cetaev.Model(
        name="A disc",
        coordinates=[x, y, psi, theta, phi],
        gravity=[0, 0, -g],
        frames={lean: [("z", psi), ("x", theta)], wheel: [lean, ("y", phi)]},
        bodies=[{"name": disc, "frame": wheel, "mass": m, "centre": cetaev.vector(x, y, 0) + lean(0, 0, r), "uniform": {"disc": r, "axis": "y"}}],
        contacts=[{"name": touch, "body": disc, "wheel": {"radius": r, "axle": "y"}}],
        parameters={m: 1, r: 0.5, g: 9.81},
        initial={psi: 0.2, theta: -0.4, phi: -0.5, psi.dot: 0.7, theta.dot: -0.3, phi.dot: -1.1},
        outputs={
            "spin": cetaev.dot(cetaev.omega(wheel), [0, 0, 1]),
            "force": touch.force,
            "about": cetaev.components(cetaev.omega(wheel, lean), wheel).y,
            "share": disc.kinetic + disc.potential,
            "first": cetaev.multiplier(1),
        },
    )


def test_a_disc_with_frames_as_operators():
    ours, theirs = disc(), cetaev.Model("rolling-disc-body")
    same_accelerations(ours, theirs)
    motion, told = ours.run(t_end=1, samples=21), theirs.run(t_end=1, samples=21)
    for column in ("spin", "force.x", "force.y", "force.z"):
        assert np.abs(motion.outputs[column] - told.outputs[column]).max() < 1e-9
    # what the axle adds to the turning of the wheel is phi', the energy is that of the body alone, and a multiplier is a column
    assert np.abs(motion.outputs["about"] - motion.v["phi"]).max() < 1e-12
    assert np.abs(motion.outputs["share"] - motion.E).max() < 1e-12
    assert (motion.outputs["first"] == motion["lambda1"]).all()


def test_a_balancer_with_loads_and_definitions():
    x, y, yaw, pitch, left, right, r, b, h, g, k, c, u = cetaev.symbols("x y yaw pitch left right r b h g k c u")
    level, body, leftw, rightw = cetaev.frames("level body leftw rightw")
    wheel = {"mass": 3, "uniform": {"disc": r, "axis": "y"}}
    place = cetaev.vector(x, y, r)
    ours = cetaev.Model(
        coordinates=[x, y, yaw, pitch, left, right],
        gravity=cetaev.vector(0, 0, -g),
        frames={level: ("z", yaw), body: [level, ("y", pitch)], leftw: [level, ("y", left)], rightw: [level, ("y", right)]},
        bodies=[
            {"name": "rider", "frame": body, "mass": 60, "centre": place + body(0, 0, h), "inertia": [9, 10, 2]},
            {"name": "left_wheel", "frame": leftw, "centre": place + level(0, b, 0), **wheel},
            {"name": "right_wheel", "frame": rightw, "centre": place - level(0, b, 0), **wheel},
        ],
        contacts=[{"name": f"{side}_touch", "body": f"{side}_wheel", "wheel": {"radius": r, "axle": "y"}} for side in ("left", "right")],
        loads=[{"torque": u * level.y, "on": wheel_frame, "against": body} for wheel_frame in (leftw, rightw)],
        definitions={u: k * pitch + c * pitch.dot},
        parameters={r: 0.2, b: 0.3, h: 0.8, g: 9.81, k: 400, c: 80},
        initial={pitch: 0.1, x.dot: 0, yaw.dot: 0.5},
    )
    same_accelerations(ours, cetaev.Model("segway"))


def test_a_ball_with_a_quaternion():
    x, y, m, r, A, B, C = cetaev.symbols("x y m r A B C")
    e = cetaev.symbols("e0 e1 e2 e3")
    turned = cetaev.frames("turned")
    ours = cetaev.Model(
        coordinates=[x, y, *e],
        frames={turned: ("quaternion", *e)},
        bodies=[{"name": "ball", "frame": turned, "mass": m, "centre": [x, y, r], "inertia": [A, B, C]}],
        contacts=[{"name": "touch", "body": "ball", "ball": {"radius": r}}],
        parameters={m: 1, r: 0.2, A: 0.012, B: 0.016, C: 0.020},
        initial={e[0]: 1, e[1].dot: 0.6, e[2].dot: 0.9, e[3].dot: -0.4},
    )
    same_accelerations(ours, cetaev.Model("chaplygin-ball"))
    free = cetaev.Model(
        coordinates=e, frames={turned: ("quaternion", *e)}, initial={e[0]: 1, e[1].dot: 0.3, e[2].dot: -0.2, e[3].dot: 0.4},
        bodies=[{"name": "top", "frame": turned, "mass": 1, "centre": [0, 0, 0], "inertia": [1, 2, 3]}],
    )  # fmt: skip
    # Euler's equations: I₁ ω₁' = (I₂ − I₃) ω₂ ω₃ at the identity, where ω = 2 e' and ω' = 2 e''
    a = free.eval("multipliers")["forms"]["multipliers"]["a"]
    w = [0.6, -0.4, 0.8]
    expected = [(2 - 3) * w[1] * w[2] / 1, (3 - 1) * w[2] * w[0] / 2, (1 - 2) * w[0] * w[1] / 3]
    assert [2 * a[name] for name in ("e1", "e2", "e3")] == pytest.approx(expected, abs=1e-12)


def test_springs_dampers_dissipation_and_gravity():
    """A mass that hangs on a spring with a damper: x'' = g − (k/m)(x − l) − ((c + d)/m) x'."""
    z, m, k, c, d, l, g, P = cetaev.symbols("z m k c d l g P")
    model = cetaev.Model(
        coordinates=[z],
        points=[{"name": P, "mass": m, "position": [0, 0, z]}],
        gravity=[0, 0, -g],
        springs=[{"between": [P, cetaev.vector(0, 0, 0)], "stiffness": k, "length": l, "damping": c}],
        dissipation=d / 2 * z.dot**2,
        parameters={m: 2, k: 50, c: 0.7, d: 0.3, l: 1, g: 9.81},
        initial={z: -1.5, z.dot: 0.25},
    )
    a = model.eval("multipliers")["forms"]["multipliers"]["a"]["z"]
    assert a == pytest.approx(-9.81 + 50 / 2 * 0.5 - (0.7 + 0.3) / 2 * 0.25, abs=1e-13)
    motion = model.run(t_end=3, samples=31)
    rest, decay = -1 - 2 * 9.81 / 50, 1 / 4
    w = math.sqrt(50 / 2 - decay**2)
    start, speed = -1.5 - rest, 0.25
    t = motion.t
    exact = rest + np.exp(-decay * t) * (start * np.cos(w * t) + (speed + decay * start) / w * np.sin(w * t))
    assert np.abs(motion.q["z"] - exact).max() < 1e-11


def test_a_frame_about_an_axis_and_a_force_at_a_place():
    a, psi, F = cetaev.symbols("a psi F")
    about, plain = cetaev.frames("about plain")
    arm = dict(mass=1, inertia=[1, 1, 1])
    models = []
    for frame, turned in ((about, {"from": "ground", "axis": cetaev.vector(0, 0, 2), "angle": psi}), (plain, ("z", psi))):
        models.append(
            cetaev.Model(
                coordinates=[psi], frames={frame: turned}, bodies=[{"name": "arm", "frame": frame, "centre": frame(a, 0, 0), **arm}],
                loads=[{"force": frame(0, F, 0), "at": "arm"}], parameters={a: 2, F: 10},
            )  # fmt: skip
        )
    for model in models:  # (m a² + I) psi'' = a F
        assert model.eval("multipliers")["forms"]["multipliers"]["a"]["psi"] == pytest.approx(20 / 5, abs=1e-13)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda F: F(),
        lambda F: F(1, 2),
        lambda F: F("x"),
        lambda F: cetaev.omega(3),
        lambda F: cetaev.omega(F, [1, 2, 3]),
        lambda F: cetaev.components(F(1, 0, 0), 1),
        lambda F: cetaev.multiplier("1"),
        lambda F: cetaev.Model(coordinates=["x"], frames={F: [("z",)]}, lagrangian="x'^2"),
        lambda F: cetaev.Model(coordinates=["x"], frames={F: [("z", None)]}, lagrangian="x'^2"),
        lambda F: cetaev.Model(coordinates=["x"], frames={F: []}, lagrangian="x'^2"),
        lambda F: cetaev.multiplier(-1),
        lambda F: (F.x + 1).force,
    ],
)
def test_wrong_frames(wrong):
    with pytest.raises((TypeError, cetaev.Error)):
        wrong(cetaev.frames("lean"))
