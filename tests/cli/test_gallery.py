"""The models that ship are listed, printed, and understood; none of those that belong here is missing."""

import math
import pathlib
import tempfile
import tomllib
import unittest

from program import SOURCE, cetaev

MODELS = sorted((SOURCE / "gallery").glob("*.toml"))

# What the gallery must have, item by item.
SYSTEMS = {
    "the particle of Appell and Hamel": ["appell-hamel"],
    "its machine, the weight ahead and behind": ["appell-hamel-machine", "appell-hamel-machine-behind"],
    "the skate on a slope, on the level, not turning": ["skate", "skate-level", "skate-straight"],
    "Gantmacher's rod": ["gantmacher-rod"],
    "the circle with both auxiliary functions": ["circle", "circle-angle"],
    "pursuit": ["pursuit", "pursuit-in-step", "pursuit-straight"],
    "prescribed speed, constant and varying": ["prescribed-speed", "prescribed-speed-varying"],
    "the affine family": ["affine-uniform", "affine-degree-1", "affine-degree-2", "affine-degree-3"],
    "two points, one condition": [
        "parallel-velocities",
        "perpendicular-velocities",
        "equal-speeds",
        "midpoint-along",
        "midpoint-across",
        "both-across",
        "constant-distance",
    ],
    "two points, combinations": [
        "constant-distance-midpoint-across",
        "midpoint-across-parallel-velocities",
        "constant-distance-parallel-velocities",
        "constant-distance-midpoint-along",
        "constant-distance-equal-speeds",
        "midpoint-along-equal-speeds",
    ],
    "Zeković's system by each pair": [
        f"zekovic{pair}{space}"
        for pair in ("", "-perpendicular-across", "-perpendicular-along")
        for space in ("", "-space")
    ],
    "the holonomic chain": ["holonomic-chain"],
    "knife edge, sleigh, discs, vehicles": [
        "chaplygin-sleigh-special",
        "knife-edge-off-centre",
        "chaplygin-sleigh",
        "rolling-disc",
        "rolling-disc-steady",
        "rolling-disc-vertical",
        "car",
        "cart",
    ],
    "constraints of order 2": ["prescribed-acceleration", "prescribed-tangential-acceleration"],
    "balls": ["ball-on-turntable", "ball-on-tilted-turntable", "ball-in-cylinder"],
    "rigid bodies": ["suslov", "rattleback"],
    "particles": ["nonholonomic-particle", "contact-oscillator", "heisenberg"],
    "chains": ["snakeboard", "snakeboard-driven", "snake-10", "trailer-3"],
    "pendulums": ["pendulum", "spherical-pendulum", "conical-pendulum", "double-pendulum"],
}
# Of these there is one in the plane as well.
PLANE = (
    SYSTEMS["two points, one condition"] + SYSTEMS["two points, combinations"] + SYSTEMS["the holonomic chain"]
)


class Gallery(unittest.TestCase):
    def test_has_every_system_it_should_have(self):
        names = {model.stem for model in MODELS}
        for system, models in SYSTEMS.items():
            with self.subTest(system=system):
                self.assertEqual(set(models) - names, set())
        self.assertEqual({f"{name}-plane" for name in PLANE} - names, set())

    def test_every_model_says_where_it_comes_from_and_what_is_known_of_it(self):
        for model in MODELS:
            with self.subTest(model=model.stem):
                text = tomllib.loads(model.read_text(encoding="utf-8"))
                for key in ("name", "description", "source", "initial", "expect"):
                    self.assertTrue(text.get(key), key)
                self.assertIn(text["group"], ("papers", "classics", "teaching"))
                self.assertIn("t_end", text["simulation"])
                self.assertIn("conserved", text["expect"])

    def test_lists_every_model_under_its_heading(self):
        result = cetaev("gallery")
        self.assertEqual(result.code, 0, result.err)
        headings = {"papers": "Systems of the papers", "classics": "Classics", "teaching": "To begin with"}
        blocks = {block.split("\n")[0]: block for block in result.out.split("\n\n")}
        for model in MODELS:
            text = tomllib.loads(model.read_text(encoding="utf-8"))
            lines = blocks[headings[text["group"]]].splitlines()
            self.assertIn([model.stem, text["name"]], [line.split(maxsplit=1) for line in lines])
        self.assertIn("snake-N", blocks["For every number"])

    def test_lists_sources_and_groups_as_json(self):
        answer = cetaev("gallery", "--json").json
        listed = {entry["name"]: entry for entry in answer["gallery"]}
        self.assertEqual(set(listed), {model.stem for model in MODELS})
        self.assertEqual(listed["skate"]["group"], "papers")
        self.assertIn("Llibre", listed["skate"]["source"])
        self.assertEqual([family["name"] for family in answer["families"]], ["snake", "trailer", "pendulums"])

    def test_prints_a_model_as_it_was_written(self):
        for model in MODELS:
            with self.subTest(model=model.stem):
                result = cetaev("gallery", model.stem)
                self.assertEqual(result.code, 0, result.err)
                self.assertEqual(result.out, model.read_text(encoding="utf-8"))

    def test_every_model_is_regular_and_admissible_where_it_starts(self):
        for model in MODELS:
            with self.subTest(model=model.stem):
                result = cetaev("eval", model.stem, "--json")
                self.assertEqual(result.code, 0, result.err)
                answer = result.json
                self.assertLess(max(map(abs, answer["residual"]), default=0), 1e-12)
                self.assertNotIn("error", answer["forms"]["multipliers"])

    def test_a_model_by_name_and_by_path_is_the_same(self):
        for model in MODELS:
            with self.subTest(model=model.stem):
                by_name = cetaev("eval", model.stem, "--json").json
                by_path = cetaev("eval", model, "--json").json
                self.assertEqual(by_name["forms"], by_path["forms"])


class Families(unittest.TestCase):
    def test_a_member_by_its_name_and_by_its_number_is_the_same(self):
        by_number = cetaev("gallery", "trailer", "--n", 5)
        self.assertEqual(by_number.code, 0, by_number.err)
        self.assertEqual(by_number.out, cetaev("gallery", "trailer-5").out)
        self.assertEqual(cetaev("gallery", "trailer", "--n", 5, "--json").json["name"], "trailer-5")

    def test_members_serve_wherever_a_model_is_asked_for(self):
        # n trailers: n + 3 coordinates, n + 1 constraints; n links: n + 2 and n.
        for name, coordinates, rank in (("trailer-5", 8, 6), ("trailer-1", 4, 2), ("snake-1", 3, 1), ("snake-30", 32, 30), ("pendulums-4", 5, 0)):
            with self.subTest(model=name):
                answer = cetaev("eval", name, "--form", "multipliers", "--json").json
                self.assertEqual((len(answer["q"]), answer["rank"]), (coordinates, rank))
                self.assertLess(max(map(abs, answer["residual"]), default=0), 1e-12)

    def test_trailers_follow_the_tractor(self):
        # The axle behind has the speed u cos(d) and turns at the rate u sin(d)/l.
        answer = cetaev("eval", "trailer-4", "--form", "multipliers", "--json").json
        q, v = answer["q"], answer["v"]
        speed = v["x"] * math.cos(q["th0"]) + v["y"] * math.sin(q["th0"])
        for i in range(1, 5):
            bend = q[f"th{i - 1}"] - q[f"th{i}"]
            self.assertAlmostEqual(v[f"th{i}"], speed * math.sin(bend) / 1.5, 12)
            speed *= math.cos(bend)

    def test_a_chain_of_pendulums_obeys_newton_link_by_link(self):
        # At rest: the tensions of the rods, from the last to the first, carry each point; m a = m g + T_i - T_{i+1}.
        n, m, cart, length, g = 4, 1, 2, 0.5, 9.81
        answer = cetaev("eval", f"pendulums-{n}", "--form", "multipliers", "--json").json
        q = [answer["q"][f"th{i}"] for i in range(1, n + 1)]
        a = answer["forms"]["multipliers"]["a"]
        points = []
        x, y = a["x"], 0.0
        for i in range(n):
            x += length * math.cos(q[i]) * a[f"th{i + 1}"]
            y += length * math.sin(q[i]) * a[f"th{i + 1}"]
            points.append((x, y))
        below = (0.0, 0.0)  # what the rod below pulls the point down by
        for i in reversed(range(n)):
            pull = (m * points[i][0] + below[0], m * (points[i][1] + g) + below[1])  # by the rod above, along it
            self.assertAlmostEqual(pull[0] * math.cos(q[i]) + pull[1] * math.sin(q[i]), 0, 11)
            below = pull
        self.assertAlmostEqual(cart * a["x"] + below[0], 0, 11)

    def test_what_members_say_of_themselves_holds(self):
        for name in ("trailer-1", "trailer-6", "snake-1", "snake-2", "snake-7", "pendulums-1", "pendulums-4"):
            result = cetaev("verify", name, "--json")
            self.assertEqual(result.code, 0, result.out + result.err)

    def test_many_trailers_hide_no_integral(self):
        # A bracket of twelve letters is small beside the terms it is the difference of; that does not make it zero.
        said = cetaev("check", "trailer-12", "--json").json["set"]
        self.assertIn(said["holonomic_integrals"], (0, None))
        self.assertIsNot(said["integrable"], True)

    def test_copies_a_member(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(cetaev("gallery", "snake", "--n", 4, "--copy", cwd=folder).code, 0)
            text = (pathlib.Path(folder) / "snake-4.toml").read_text(encoding="utf-8")
        self.assertEqual(text, cetaev("gallery", "snake-4").out)

    def test_refuses_what_is_no_member(self):
        for arguments, message in (
            (("gallery", "snake"), "say how many links"),
            (("gallery", "snake", "--n", 0), "from 1 to 400"),
            (("gallery", "trailer-401"), "from 1 to 400"),
            (("eval", "snake-1000"), "from 1 to 400"),
            (("gallery", "skate", "--n", 3), "one model"),
            (("gallery", "--n", 3), "--n needs the name"),
            (("gallery", "snake-03"), "no gallery model"),
        ):
            with self.subTest(arguments=arguments):
                result = cetaev(*arguments, "--json")
                self.assertEqual(result.code, 2)
                self.assertIn(message, result.json["error"]["message"])


if __name__ == "__main__":
    unittest.main()
