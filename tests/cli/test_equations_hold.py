"""The equations that `derive` prints hold for the accelerations that `eval` computes.

The printed text is evaluated as it stands at the initial state, so that simplification, signs and the division by common
factors are all held to the numbers of another part of the program.
"""

import math
import re
import unittest

from program import SOURCE, cetaev

NAME = re.compile(r"[^\W\d]\w*'*")
NEARBY = 1e-3  # by which accelerations are moved to see the size of the terms
FORMS = ("multipliers", "maggi", "voronec", "caplygin", "appell", "vakonomic")
FUNCTIONS = {
    name: getattr(math, name)
    for name in ("sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "log")
} | {"abs": abs, "pi": math.pi}


def value(text, names):
    """A formula of the model language in Python."""
    scope = dict(FUNCTIONS)

    def rename(match):
        name = match.group(0)
        if name in FUNCTIONS:
            return name
        key = "n_" + name.replace("'", "_p")
        scope[key] = names[name]
        return key

    return eval(NAME.sub(rename, text).replace("^", "**"), {"__builtins__": {}}, scope)  # noqa: S307


class Equations(unittest.TestCase):
    def test_hold_for_the_accelerations_of_the_same_form(self):
        checked = 0
        for path in sorted((SOURCE / "gallery").glob("*.toml")):
            if path.stem.startswith("snake"):
                continue
            state = cetaev("eval", path.stem, "--json").json
            arguments = [argument for form in FORMS for argument in ("--form", form)]
            written = cetaev("derive", path.stem, *arguments, "--format", "json", "--numeric", "--expand").json
            for form in written["forms"]:
                found = state["forms"][form["name"]]
                if "error" in form or "error" in found:
                    continue
                names = {"t": state["t"]}
                for name in state["q"]:
                    names[name] = state["q"][name]
                    names[name + "'"] = state["v"][name]
                    names[name + "''"] = found["a"][name]
                for i, number in enumerate(found.get("multipliers", found.get("lambda", []))):
                    names[f"lambda{i + 1}"] = number
                for i, number in enumerate(found.get("lambda_dot", [])):
                    names[f"lambda{i + 1}'"] = number
                # by turns up and down: in an equation homogeneous in the velocities a common factor would show nothing
                nearby = {
                    name: number * (1 + NEARBY * (-1) ** i * name.endswith("'"))
                    for i, (name, number) in enumerate(names.items())
                }
                last_places = {name: number + 4e-16 * (-1) ** i * (1 + abs(number)) for i, (name, number) in enumerate(names.items())}
                if "independent_constraints" in state and form["name"] == "multipliers":
                    continue  # least-norm multipliers belong to all rows, the equations to independent ones
                for equation in form["equations"]:
                    with self.subTest(model=path.stem, form=form["name"], equation=equation["text"][:200]):
                        try:
                            sides = equation["text"].split(" = ")
                            left, right = (value(side, names) for side in sides)
                            moved = [value(side, nearby) for side in sides]
                            rounded = [value(side, last_places) for side in sides]
                        except (KeyError, ZeroDivisionError):
                            continue  # gamma and alpha without a closed form; a singular choice of velocities
                        checked += 1
                        # velocities and accelerations are known to a few units of their last place; large terms may cancel
                        terms = abs(left - right - moved[0] + moved[1]) / NEARBY
                        # and what the last places, beside one, make of them
                        noise = abs(left - right - rounded[0] + rounded[1])
                        allowed = 1e-9 * (1 + abs(left) + abs(right)) + 1e-12 * terms + 100 * noise
                        self.assertLessEqual(abs(left - right), allowed)
        self.assertGreater(checked, 500)


if __name__ == "__main__":
    unittest.main()
