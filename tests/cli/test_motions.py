"""Accelerations and multipliers of the gallery against what is known in closed form about each system."""

import math
import unittest

from program import cetaev

G = 9.81


def evaluate(model, **state):
    """`eval` at a state: keywords are names, with _ for the prime (x_=1 sets x')."""
    settings = []
    for name, value in state.items():
        settings += ["--set", f"{name.replace('_', chr(39))}={value!r}"]
    result = cetaev("eval", model, "--json", *settings)
    if result.code != 0:
        raise AssertionError(result.err)
    return result.json


class Motions(unittest.TestCase):
    def close(self, actual, expected, tolerance=1e-12):
        self.assertLessEqual(abs(actual - expected), tolerance * (1 + abs(expected)), f"{actual} is not {expected}")

    def test_the_skate_runs_along_a_cycloid(self):
        # x = (g sinβ/2ω²) sin²φ, y = (g sinβ/4ω²)(2φ − sin 2φ), φ = ωt, differentiated twice; λ from y'' = −λ cosφ.
        slope, omega = math.pi / 6, 1.3
        pull = G * math.sin(slope)
        for phi in (0.0, 0.4, 0.9, 1.4):
            answer = evaluate("skate", phi=phi, phi_=omega, x_=pull / omega * math.sin(phi) * math.cos(phi))
            self.close(answer["v"]["y"], pull / omega * math.sin(phi) ** 2)
            form = answer["forms"]["multipliers"]
            self.close(form["a"]["x"], pull * math.cos(2 * phi))
            self.close(form["a"]["y"], pull * math.sin(2 * phi))
            self.close(form["a"]["phi"], 0)
            self.close(form["multipliers"][0], -2 * pull * math.sin(phi))

    def test_the_particle_of_appell_and_hamel_loses_speed_at_a_constant_rate(self):
        # u' = −a g/(1+a²) along the horizontal velocity, z'' = −a²g/(1+a²), λ = m g/(1+a²).
        for a in (0.5, 1.25):
            answer = evaluate("appell-hamel", a=a, x_=3, y_=4)
            self.close(answer["v"]["z"], 5 * a)
            form = answer["forms"]["multipliers"]
            loss = a * G / (1 + a * a)
            self.close(form["a"]["x"], -loss * 0.6)
            self.close(form["a"]["y"], -loss * 0.8)
            self.close(form["a"]["z"], -a * loss)
            self.close(form["multipliers"][0], G / (1 + a * a))

    def test_parallel_velocities_are_a_redundant_set_of_rank_two(self):
        answer = evaluate("parallel-velocities")
        self.assertEqual(len(answer["residual"]), 3)
        self.assertEqual(answer["rank"], 2)
        v, a = answer["v"], answer["forms"]["multipliers"]["a"]
        first, second = ([f"{axis}{point}" for axis in "xyz"] for point in (1, 2))
        # The derivative of P1' × P2' = 0: P1'' × P2' + P1' × P2'' = 0.
        for i, j in ((1, 2), (2, 0), (0, 1)):
            self.close(
                a[first[i]] * v[second[j]]
                - a[first[j]] * v[second[i]]
                + v[first[i]] * a[second[j]]
                - v[first[j]] * a[second[i]],
                0,
                1e-11,
            )

    def test_the_pendulum_in_cartesian_coordinates_is_the_pendulum(self):
        # θ from the downward vertical: θ'' = −(g/l) sinθ, (x, y) = l (sinθ, −cosθ).
        answer = evaluate("pendulum")
        x, y, vx, vy = answer["q"]["x"], answer["q"]["y"], answer["v"]["x"], answer["v"]["y"]
        length = math.hypot(x, y)
        sine, cosine = x / length, -y / length
        rate = (vx * cosine + vy * sine) / length
        angular = -G / length * sine
        a = answer["forms"]["multipliers"]["a"]
        self.close(a["x"], length * (angular * cosine - rate**2 * sine))
        self.close(a["y"], length * (angular * sine + rate**2 * cosine))

    def test_the_pursuer_keeps_its_speed(self):
        # No forces: |P'| is constant, and the velocity turns with the line of sight.
        answer = evaluate("pursuit")
        a, v = answer["forms"]["multipliers"]["a"], answer["v"]
        self.close(a["x"] * v["x"] + a["y"] * v["y"], 0)
        self.assertGreater(math.hypot(a["x"], a["y"]), 0.01)


if __name__ == "__main__":
    unittest.main()
