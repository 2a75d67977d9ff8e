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

    def test_the_machine_of_appell_and_hamel_obeys_its_two_reduced_equations(self):
        # (A+mρ²)θ'' + (a m ρ/b)θ'z' = 0, ((m+m₁)a²+mb²+C) z'' − m a b ρ θ'² = −m g b².
        m, m1, a, b, big_a, big_c = 1.2, 0.5, 1.1, 0.4, 0.2, 0.3
        ahead, behind = "appell-hamel-machine", "appell-hamel-machine-behind"
        for name, rho in ((ahead, 0.3), (ahead, 0.01), (behind, -0.3)):
            with self.subTest(rho=rho):
                answer = evaluate(name, m=m, m1=m1, a=a, b=b, rho=rho, A=big_a, C=big_c)
                self.assertEqual(answer["rank"], 3)
                v, acc = answer["v"], answer["forms"]["multipliers"]["a"]
                self.close(acc["theta"], -a * m * rho / b * v["theta"] * v["z"] / (big_a + m * rho**2))
                weight = (m + m1) * a**2 + m * b**2 + big_c
                self.close(acc["z"], (m * a * b * rho * v["theta"] ** 2 - m * G * b**2) / weight)
                self.close(acc["phi"], acc["z"] / b)

    def test_the_machine_without_mass_tends_to_the_particle(self):
        # ρ → 0⁺ with A = C = m₁ = 0, on θ' of the order of ρ: z'' → −a²g/(1+a²) with a = b/a of the machine.
        answer = evaluate("appell-hamel-machine", m1=0, A=0, C=0, a=1, b=0.5, rho=1e-3, theta_=1e-4)
        self.close(answer["forms"]["multipliers"]["a"]["z"], -0.25 * G / 1.25, 1e-10)

    def test_the_rod_of_gantmacher(self):
        # μ₁ = −(x₁'²+x₂'²)/ℓ², μ₂ = (x₂'x₄' − x₁'x₃' + g x₁)/ℓ², ℓ² = x₁²+x₂².
        answer = evaluate("gantmacher-rod")
        q, v = answer["q"], answer["v"]
        length = q["x1"] ** 2 + q["x2"] ** 2
        first = -(v["x1"] ** 2 + v["x2"] ** 2) / length
        second = (v["x2"] * v["x4"] - v["x1"] * v["x3"] + G * q["x1"]) / length
        form = answer["forms"]["multipliers"]
        self.close(form["multipliers"][0], first)
        self.close(form["multipliers"][1], second)
        for name, expected in (
            ("x1", first * q["x1"]),
            ("x2", first * q["x2"]),
            ("x3", second * q["x1"] - G),
            ("x4", -second * q["x2"]),
        ):
            self.close(form["a"][name], expected)

    def test_the_rod_of_gantmacher_in_the_coordinates_of_its_ends(self):
        # x₁ = (X₂−X₁)/2, x₂ = (Y₂−Y₁)/2, x₃ = (Y₁+Y₂)/2, x₄ = (X₁+X₂)/2; the second constraint is then x₁x₃' − x₂x₄' = 0.
        ends = evaluate("constant-distance-midpoint-along-plane", m1=1, m2=1)

        def middle(of):
            return {
                "x1": (of["x2"] - of["x1"]) / 2,
                "x2": (of["y2"] - of["y1"]) / 2,
                "x3": (of["y1"] + of["y2"]) / 2,
                "x4": (of["x1"] + of["x2"]) / 2,
            }

        state = middle(ends["q"])
        state.update({f"{name}_": value for name, value in middle(ends["v"]).items()})
        rod = evaluate("gantmacher-rod", **state)["forms"]["multipliers"]["a"]
        for name, expected in middle(ends["forms"]["multipliers"]["a"]).items():
            self.close(rod[name], expected)

    def test_a_point_on_a_circle_is_pulled_towards_its_centre(self):
        # x'' = −U_x + λx, y'' = −U_y + λy, λ = (x U_x + y U_y − v²)/r².
        for name in ("circle", "circle-angle"):
            answer = evaluate(name, kappa=2, c=3)
            x, y, vx, vy = answer["q"]["x"], answer["q"]["y"], answer["v"]["x"], answer["v"]["y"]
            ux, uy = 2 * (x - 3), G + 2 * y
            factor = (x * ux + y * uy - vx**2 - vy**2) / (x * x + y * y)
            form = answer["forms"]["multipliers"]
            self.close(form["multipliers"][0], factor)
            self.close(form["a"]["x"], factor * x - ux)
            self.close(form["a"]["y"], factor * y - uy)

    def test_a_prescribed_speed_is_kept_by_a_force_along_the_velocity(self):
        # P'' = G + (C C' − G·P')P'/C², λ = m (C' + g z'/C).
        m = 1.5
        for name, rate in (("prescribed-speed", 0), ("prescribed-speed-varying", 2)):
            answer = evaluate(name, m=m)
            v, form = answer["v"], answer["forms"]["multipliers"]
            along = (3 * rate + G * v["z"]) / 9
            self.close(form["a"]["x"], along * v["x"])
            self.close(form["a"]["y"], along * v["y"])
            self.close(form["a"]["z"], along * v["z"] - G)
            self.close(form["multipliers"][0], m * (rate + G * v["z"] / 3))

    def test_the_speed_follows_its_prescription_at_a_later_time(self):
        c, rate = 3 + math.sin(1.4), 2 * math.cos(1.4)
        answer = evaluate("prescribed-speed-varying", t=0.7)
        v, form = answer["v"], answer["forms"]["multipliers"]
        self.close(math.hypot(v["x"], v["y"], v["z"]), c)
        self.close(form["multipliers"][0], rate + G * v["z"] / c)

    def test_the_affine_family_does_work_unless_it_is_homogeneous(self):
        # J v = −p ζ on Σσ v^p + ζ = 0, so the energy changes at the rate −p ζ λ; m a − λJ = −m g along z.
        for p, zeta in ((1, None), (2, None), (3, None), (1, 0), (2, 0), (3, 0)):
            with self.subTest(p=p, zeta=zeta):
                answer = evaluate(f"affine-degree-{p}", **({} if zeta is None else {"zeta": zeta}))
                y, v, form = answer["q"]["y"], answer["v"], answer["forms"]["multipliers"]
                sigma = {"x": 1 + y * y, "y": 2, "z": -1}
                held = sum(sigma[name] * v[name] ** p for name in v)
                factor, a = form["multipliers"][0], form["a"]
                power = sum(v[name] * a[name] for name in v) + G * v["z"]
                self.close(power, p * held * factor, 1e-11)
                self.assertEqual(abs(power) > 1e-3, zeta is None)
                # Dₜφ = 0, and the reaction is along J.
                drift = 2 * y * v["y"] * v["x"] ** p + sum(p * sigma[n] * v[n] ** (p - 1) * a[n] for n in v)
                self.close(drift, 0, 1e-11)
                for name in v:
                    weight = G if name == "z" else 0
                    self.close(a[name] + weight, factor * p * sigma[name] * v[name] ** (p - 1), 1e-11)

    def test_a_rigid_pair_falls_and_turns_at_a_constant_rate(self):
        # d'' = −|d'|²/l² d, the mass centre falls freely; the multiplier of |d| = l is −m₁m₂/(m₁+m₂) |d'|²/l.
        for name in ("holonomic-chain", "holonomic-chain-plane", "constant-distance", "constant-distance-plane"):
            with self.subTest(model=name):
                answer = evaluate(name)
                q, v, form = answer["q"], answer["v"], answer["forms"]["multipliers"]
                axes = "xy" if name.endswith("plane") else "xyz"
                between = {axis: q[f"{axis}2"] - q[f"{axis}1"] for axis in axes}
                speed = sum((v[f"{axis}2"] - v[f"{axis}1"]) ** 2 for axis in axes)
                length = math.sqrt(sum(value**2 for value in between.values()))
                for axis in axes:
                    first, second = form["a"][f"{axis}1"], form["a"][f"{axis}2"]
                    self.close(second - first, -speed / length**2 * between[axis])
                    self.close((first + 2 * second) / 3, -G if axis == axes[-1] else 0)
                if name.startswith("holonomic"):
                    self.close(form["multipliers"][0], -2 / 3 * speed / length)

    def test_equivalent_sets_of_constraints_give_the_same_motion(self):
        # Where the sets define the same admissible states, the accelerations are the same whatever the masses are.
        for names in (
            (
                "both-across-plane",
                "constant-distance-midpoint-across-plane",
                "midpoint-across-parallel-velocities-plane",
                "constant-distance-parallel-velocities-plane",
            ),
            ("both-across", "constant-distance-midpoint-across"),
            ("midpoint-across-parallel-velocities", "constant-distance-parallel-velocities"),
            (
                "constant-distance-midpoint-along-plane",
                "constant-distance-equal-speeds-plane",
                "midpoint-along-equal-speeds-plane",
            ),
            ("constant-distance-midpoint-along", "midpoint-along-equal-speeds"),
            ("zekovic", "zekovic-perpendicular-across", "zekovic-perpendicular-along"),
            ("zekovic-space", "zekovic-perpendicular-along-space"),
        ):
            first, *others = (evaluate(name, m1=1.3, m2=2.1) for name in names)
            for name, other in zip(names[1:], others):
                with self.subTest(first=names[0], other=name):
                    self.assertEqual(first["rank"], other["rank"])
                    for coordinate, expected in first["forms"]["multipliers"]["a"].items():
                        self.close(other["v"][coordinate], first["v"][coordinate])
                        self.close(other["forms"]["multipliers"]["a"][coordinate], expected, 1e-11)

    def test_what_holds_in_the_plane_alone_is_less_in_space(self):
        # From one state that both sets admit: the smaller set has a smaller rank, and another motion.
        for smaller, larger in (
            ("both-across", "midpoint-across-parallel-velocities"),
            ("constant-distance-equal-speeds", "constant-distance-midpoint-along"),
            ("zekovic-perpendicular-across-space", "zekovic-space"),
        ):
            with self.subTest(smaller=smaller, larger=larger):
                full = evaluate(larger)
                state = dict(full["q"])
                state.update({f"{name}_": value for name, value in full["v"].items()})
                less = evaluate(smaller, **state)
                self.assertEqual((less["rank"], full["rank"]), (2, 3))
                differences = (
                    abs(less["forms"]["multipliers"]["a"][name] - value)
                    for name, value in full["forms"]["multipliers"]["a"].items()
                )
                self.assertGreater(max(differences), 0.01)

    def test_homogeneous_sets_keep_the_energy(self):
        # Two points with weights m g y (z in space), and a spring: Ė = Σ m v·a + Ė of the potential = 0.
        for name, spring in (
            ("parallel-velocities", 3),
            ("parallel-velocities-plane", 3),
            ("perpendicular-velocities", 3),
            ("perpendicular-velocities-plane", 3),
            ("equal-speeds", 3),
            ("equal-speeds-plane", 3),
            ("midpoint-along", 3),
            ("midpoint-along-plane", 3),
            ("midpoint-across", 3),
            ("midpoint-across-plane", 3),
            ("zekovic", 3),
            ("zekovic-perpendicular-across-space", 3),
            ("constant-distance-equal-speeds", 0),
            ("both-across", 0),
        ):
            with self.subTest(model=name):
                answer = evaluate(name)
                q, v, a = answer["q"], answer["v"], answer["forms"]["multipliers"]["a"]
                axes = "xyz" if "z1" in q else "xy"
                power = 0
                for axis in axes:
                    one, two = f"{axis}1", f"{axis}2"
                    weight = G if axis == axes[-1] else 0
                    power += v[one] * (a[one] + weight) + 2 * v[two] * (a[two] + weight)
                    power += spring * (q[two] - q[one]) * (v[two] - v[one])
                self.close(power, 0, 1e-11)
                self.assertGreater(max(map(abs, a.values())), 0.01)

    def test_the_rolling_disc_does_not_care_for_its_size(self):
        # ψ'' = −2θ'φ'/cosθ, φ'' = θ'(−5ψ' cosθ + 6φ' tanθ)/3 for every m, r, g.
        for settings in ({}, {"m": 3.7, "r": 1.9}, {"r": 0.02, "g": 1.62}):
            answer = evaluate("rolling-disc", psi=0.2, theta=0.4, phi=0.5, psi_=0.7, theta_=0.3, phi_=1.1, **settings)
            a = answer["forms"]["multipliers"]["a"]
            self.close(a["psi"], -2 * 0.3 * 1.1 / math.cos(0.4))
            self.close(a["phi"], 0.3 * (-5 * 0.7 * math.cos(0.4) + 6 * 1.1 * math.tan(0.4)) / 3)
            self.close(a["psi"], -0.716564922, 1e-9)
            self.close(a["phi"], -0.043327823, 1e-9)

    def test_the_leaning_disc_obeys_the_balance_of_angular_momentum(self):
        # About the contact point along the heading: (5/4) θ'' = (g/r) sinθ + (3/2) ψ'φ' cosθ + (5/4) ψ'² sinθ cosθ.
        m, r = 2.3, 0.7
        v = {"psi": 0.7, "theta": 0.3, "phi": 1.1}
        sine, cosine = math.sin(0.4), math.cos(0.4)
        a = evaluate("rolling-disc", m=m, r=r)["forms"]["multipliers"]["a"]
        turning = 1.5 * v["psi"] * v["phi"] * cosine + 1.25 * v["psi"] ** 2 * sine * cosine
        self.close(a["theta"], (G / r * sine + turning) / 1.25)

    def test_the_upright_disc_goes_round_a_circle(self):
        answer = evaluate("rolling-disc-vertical", m=2, r=0.4)
        a, v, heading = answer["forms"]["multipliers"]["a"], answer["v"], answer["q"]["psi"]
        self.close(a["psi"], 0)
        self.close(a["phi"], 0)
        self.close(a["x"], -0.4 * v["phi"] * v["psi"] * math.sin(heading))
        self.close(a["y"], 0.4 * v["phi"] * v["psi"] * math.cos(heading))

    def along(self, answer, angle):
        """Speed u along the direction of an angle, its derivative, and the angle's first two derivatives."""
        v, a = answer["v"], answer["forms"]["multipliers"]["a"]
        cosine, sine = math.cos(answer["q"][angle]), math.sin(answer["q"][angle])
        u = v["x"] * cosine + v["y"] * sine
        across = v["y"] * cosine - v["x"] * sine
        return u, a["x"] * cosine + a["y"] * sine + v[angle] * across, v[angle], a[angle]

    def test_the_sleigh_of_chaplygin(self):
        # u' = a w², w' = −m a/(J + m a²) u w.
        m, inertia, a = 1.4, 0.6, 0.35
        u, u_rate, w, w_rate = self.along(evaluate("chaplygin-sleigh", m=m, J=inertia, a=a), "phi")
        self.close(u_rate, a * w * w)
        self.close(w_rate, -m * a / (inertia + m * a * a) * u * w)

    def test_a_knife_edge_with_its_mass_centre_off_the_blade(self):
        # u' − b w' − a w² = g sinβ cosφ, (J + m a²) w' + m a w (u − b w) + m a g sinβ sinφ = 0.
        m, inertia, a, b, slope = 1.4, 0.6, 0.35, 0.25, 0.4
        answer = evaluate("knife-edge-off-centre", m=m, J=inertia, a=a, b=b, slope=slope)
        u, u_rate, w, w_rate = self.along(answer, "phi")
        phi, pull = answer["q"]["phi"], G * math.sin(slope)
        self.close(u_rate - b * w_rate - a * w * w, pull * math.cos(phi))
        turning = (inertia + m * a * a) * w_rate + m * a * w * (u - b * w) + m * a * pull * math.sin(phi)
        self.close(turning, 0, 1e-11)

    def test_a_skate_on_the_level_goes_round_a_circle_and_one_that_does_not_turn_goes_straight(self):
        u, u_rate, w, w_rate = self.along(evaluate("skate-level"), "phi")
        self.close(u_rate, 0)
        self.close(w_rate, 0)
        self.assertGreater(abs(u * w), 0.1)
        answer = evaluate("skate-straight")
        u, u_rate, w, w_rate = self.along(answer, "phi")
        self.close(u_rate, G / 2 * math.cos(answer["q"]["phi"]))
        self.close(w, 0)
        self.close(w_rate, 0)

    def test_a_car_keeps_its_energy_and_the_direction_its_wheels_turn(self):
        # θ' = (u/l) tanδ, θ'' + δ'' = 0, (m + (J + m b²) tan²δ/l²) u² constant.
        m, inertia, length, b = 1000, 1200, 2.5, 1.2
        answer = evaluate("car", m=m, J=inertia, l=length, b=b)
        u, u_rate, w, w_rate = self.along(answer, "theta")
        delta, turn = answer["q"]["delta"], answer["v"]["delta"]
        self.close(w, u / length * math.tan(delta))
        self.close(w_rate + answer["forms"]["multipliers"]["a"]["delta"], 0)
        moment = (inertia + m * b * b) / length**2
        tangent = math.tan(delta)
        expected = -moment * tangent * (1 + tangent**2) * turn * u / (m + moment * tangent**2)
        self.close(u_rate, expected, 1e-11)

    def test_a_cart_on_two_wheels(self):
        # (m + 2I/r²) u' = m a w², (J + m a² + 2I c²/r²) w' = −m a u w.
        m, inertia, wheel, r, c, a = 9, 0.7, 0.03, 0.2, 0.25, 0.12
        answer = evaluate("cart", m=m, J=inertia, I=wheel, r=r, c=c, a=a)
        self.assertEqual(answer["rank"], 3)
        u, u_rate, w, w_rate = self.along(answer, "theta")
        self.close((m + 2 * wheel / r**2) * u_rate, m * a * w * w)
        self.close((inertia + m * a * a + 2 * wheel * c * c / r**2) * w_rate, -m * a * u * w)

    def test_the_nonholonomic_particle_and_the_heisenberg_system(self):
        answer = evaluate("nonholonomic-particle", m=2)
        y, v, form = answer["q"]["y"], answer["v"], answer["forms"]["multipliers"]
        # x'√(1+y²) is constant, y'' = 0, λ = m x'y'/(1+y²).
        self.close(form["a"]["x"], -v["x"] * y * v["y"] / (1 + y * y))
        self.close(form["a"]["y"], 0)
        self.close(form["multipliers"][0], 2 * v["x"] * v["y"] / (1 + y * y))
        answer = evaluate("heisenberg")
        self.close(answer["v"]["z"], -0.6)
        for value in (*answer["forms"]["multipliers"]["a"].values(), *answer["forms"]["multipliers"]["multipliers"]):
            self.close(value, 0)

    def test_the_body_of_suslov(self):
        # I₁ω₁' = −(I₁₃ω₁ + I₂₃ω₂)ω₂, I₂ω₂' = (I₁₃ω₁ + I₂₃ω₂)ω₁, ω from Euler's angles.
        answer = evaluate("suslov", I1=2, I2=3, I3=5, I13=0.5, I23=-0.7)
        theta, phi = answer["q"]["theta"], answer["q"]["phi"]
        v, a = answer["v"], answer["forms"]["multipliers"]["a"]
        st, ct, sp, cp = math.sin(theta), math.cos(theta), math.sin(phi), math.cos(phi)
        first = v["psi"] * st * sp + v["theta"] * cp
        second = v["psi"] * st * cp - v["theta"] * sp
        # d/dt of (sinθ sinφ, sinθ cosφ) and (cosφ, −sinφ) along the motion.
        turn = v["theta"] * ct
        first_rate = a["psi"] * st * sp + a["theta"] * cp + v["psi"] * turn * sp + v["phi"] * second
        second_rate = a["psi"] * st * cp - a["theta"] * sp + v["psi"] * turn * cp - v["phi"] * first
        product = 0.5 * first - 0.7 * second
        self.close(2 * first_rate, -product * second)
        self.close(3 * second_rate, product * first)

    def test_a_ball_on_a_turntable_goes_round_at_two_sevenths(self):
        # P'' = (2/7) Ω × P' + (5/7) g sin(slope) along x, for every m and r.
        for name, pull in (("ball-on-turntable", 0), ("ball-on-tilted-turntable", 5 / 7 * G * math.sin(0.1))):
            for settings in ({"Omega": 2}, {"Omega": -3.5, "m": 4, "r": 0.3}):
                answer = evaluate(name, **settings)
                v, form = answer["v"], answer["forms"]["multipliers"]
                self.close(form["a"]["x"], -2 / 7 * settings["Omega"] * v["y"] + pull)
                self.close(form["a"]["y"], 2 / 7 * settings["Omega"] * v["x"])

    def test_a_prescribed_tangential_acceleration_is_met_along_the_velocity(self):
        # P'' = a₀ + (A − a₀·e)e, e = P'/|P'|, a₀ = −g along z − (κ/m) P; the multiplier is m (A − a₀·e).
        m = 1.6
        answer = evaluate("prescribed-tangential-acceleration", m=m, kappa=2, A=0.5)
        q, v, form = answer["q"], answer["v"], answer["forms"]["multipliers"]
        speed = math.hypot(*v.values())
        free = {name: -2 / m * q[name] - (G if name == "z" else 0) for name in q}
        push = 0.5 - sum(free[name] * v[name] for name in q) / speed
        self.close(form["multipliers"][0], m * push)
        for name in q:
            self.close(form["a"][name], free[name] + push * v[name] / speed)

    def test_a_prescribed_acceleration_is_along_the_free_one(self):
        # P'' = A a₀/|a₀|, the solution of least constraint; the multiplier of |P''| = A is m (A − |a₀|).
        m = 1.6
        answer = evaluate("prescribed-acceleration", m=m, kappa=2, A=4)
        q, form = answer["q"], answer["forms"]["multipliers"]
        free = {name: -2 / m * q[name] - (G if name == "z" else 0) for name in q}
        size = math.hypot(*free.values())
        self.close(form["multipliers"][0], m * (4 - size), 1e-11)
        for name in q:
            self.close(form["a"][name], 4 / size * free[name], 1e-11)

    def test_a_snake_of_ten_links_follows_its_first_one(self):
        # Link by link: θ' = −(2/l) times the velocity of the joint behind, across the link; the joint ahead follows.
        answer = evaluate("snake-10")
        self.assertEqual(answer["rank"], 10)
        q, v, a, length = answer["q"], answer["v"], answer["forms"]["multipliers"]["a"], 0.2
        joint = [v["x"], v["y"]]
        point = [a["x"], a["y"]]
        power = 0
        for i in range(1, 11):
            angle, rate, acceleration = q[f"th{i}"], v[f"th{i}"], a[f"th{i}"]
            sine, cosine = math.sin(angle), math.cos(angle)
            self.close(rate, -2 / length * (joint[1] * cosine - joint[0] * sine))
            half = [-length / 2 * sine * rate, length / 2 * cosine * rate]
            push = [
                -length / 2 * (sine * acceleration + cosine * rate**2),
                length / 2 * (cosine * acceleration - sine * rate**2),
            ]
            power += sum((joint[k] + half[k]) * (point[k] + push[k]) for k in (0, 1))
            power += length**2 / 12 * rate * acceleration
            joint = [joint[k] + 2 * half[k] for k in (0, 1)]
            point = [point[k] + 2 * push[k] for k in (0, 1)]
        self.close(power, 0, 1e-11)


if __name__ == "__main__":
    unittest.main()
