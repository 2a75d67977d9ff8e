"""Equations beside what SymPy's `simplify` makes of them: never longer by the operations in their text."""

import importlib.util
import sys
import unittest

from program import CETAEV, SOURCE, under_debians_python

under_debians_python("sympy")
HAS_SYMPY = importlib.util.find_spec("sympy") is not None
if HAS_SYMPY:
    sys.path.insert(0, str(SOURCE / "bench"))
    import sympy
    import sympy_simplify as beside

# those that SymPy has done with in a second
SYSTEMS = (("skate", "multipliers"), ("double-pendulum", "multipliers"), ("zekovic", "maggi"), ("contact-oscillator", "voronec"), ("chaplygin-sleigh", "voronec"))


@unittest.skipUnless(HAS_SYMPY, "SymPy is not installed")
class BesideSympy(unittest.TestCase):
    def test_no_equations_are_longer(self):
        for model, form in SYSTEMS:
            with self.subTest(model=model, form=form):
                ours, _ = beside.derive(CETAEV, model, form, "--expand")
                given, _ = beside.derive(CETAEV, model, form, "--expand", "--budget", "0")
                theirs = [str(sympy.simplify(beside.expression(beside.sides(e["text"]), {}))) for e in given["equations"]]
                lengths = [sum(map(beside.length, texts)) for texts in ([e["text"] for e in ours["equations"]], theirs)]
                self.assertLessEqual(lengths[0], lengths[1], (ours["equations"], theirs))


if __name__ == "__main__":
    unittest.main()
