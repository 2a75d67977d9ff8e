"""cetaev compare A B --map and cetaev limit: JSON, exit codes, errors."""

import json
import os
import tempfile
import unittest

from program import cetaev

ANGLE = """
coordinates = ["a"]
lagrangian = "m*l^2*a'^2/2 + m*g*l*cos(a)"
[parameters]
m = 1
g = 9.81
l = 1
[initial]
a = 0.8
"""
ANHARMONIC = """
coordinates = ["x"]
lagrangian = "x'^2/2 - x^2/2 + e*x^4/4"
[parameters]
e = 0.1
[initial]
x = 1
"""


class TwoModels(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w") as file:
            file.write(text)
        return path

    def test_a_pendulum_is_that_of_its_angle(self):
        angle = self.write("angle.toml", ANGLE)
        maps = ("--map", "x = l*sin(a)", "--map", "y = -l*cos(a)")
        result = cetaev("compare", angle, "pendulum", *maps, "--t-end", "2", "--json")
        self.assertEqual(result.code, 0, result.err)
        answer = json.loads(result.out)
        self.assertEqual(answer["agree"], True)
        self.assertEqual(answer["random_states"], 100)
        self.assertLess(answer["motion"]["position"]["difference"], 1e-11)
        heavier = cetaev("compare", angle, "pendulum", *maps, "--set", "g=10", "--json")
        self.assertEqual(heavier.code, 1)
        self.assertEqual(json.loads(heavier.out)["agree"], False)

    def test_maps_that_say_nothing_are_refused(self):
        angle = self.write("angle.toml", ANGLE)
        for maps in ((), ("--map", "x"), ("--map", "z = a"), ("--map", "x = a'", "--map", "y = a")):
            result = cetaev("compare", angle, "pendulum", *maps)
            self.assertEqual(result.code, 2, maps)
            self.assertEqual(result.out, "")
        self.assertEqual(cetaev("compare", "skate", "--map", "x = y", "--form", "maggi", "--form", "gauss").code, 2)

    def test_a_limit_has_its_order(self):
        model = self.write("anharmonic.toml", ANHARMONIC)
        limit = self.write("harmonic.toml", ANHARMONIC.replace(" + e*x^4/4", ""))
        result = cetaev("limit", model, "--vary", "e=0.1:1e-4:4", "--against", limit, "--t-end", "3", "--json")
        self.assertEqual(result.code, 0, result.err)
        answer = json.loads(result.out)
        self.assertEqual(answer["verdict"], "converges")
        self.assertAlmostEqual(answer["order"], 1, delta=0.01)
        self.assertEqual(len(answer["values"]), 4)
        # the same limit by a parameter that grows
        grows = self.write("grows.toml", ANHARMONIC.replace("e*x^4/4", "x^4/(4*e)"))
        answer = cetaev("limit", grows, "--vary", "e=10:1e4:4", "--against", limit, "--t-end", "3", "--json").json
        self.assertEqual(answer["verdict"], "converges")
        self.assertAlmostEqual(answer["order"], 1, delta=0.01)
        self.assertEqual(cetaev("limit", grows, "--vary", "e=10:0.1:4", "--against", limit, "--t-end", "0.3").code, 1)
        self.assertEqual(cetaev("limit", model, "--vary", "e=1:1:4", "--against", limit).code, 2)
        other = self.write("other.toml", ANHARMONIC.replace("x^2/2 + e*x^4/4", "2*x^2/2"))
        self.assertEqual(cetaev("limit", model, "--vary", "e=0.1:1e-4:4", "--against", other).code, 1)
        self.assertEqual(cetaev("limit", model, "--vary", "f=0.1:1e-4:4", "--against", limit).code, 2)
        self.assertEqual(cetaev("limit", model, "--against", limit).code, 2)


if __name__ == "__main__":
    unittest.main()
