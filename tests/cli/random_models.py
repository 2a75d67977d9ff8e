"""Models by chance, of the families that people write: coupled coordinates, chains of springs, planar vehicles, points."""

import random


def _coupled(r, parameter):
    q = r.sample(["x", "y", "z", "theta", "phi", "psi", "s"], r.randint(2, 4))
    kinetic = " + ".join(f"{parameter(f'm{i + 1}')}/2*{a}'^2" for i, a in enumerate(q))
    for _ in range(r.randint(0, 3)):
        a, b = r.sample(q, 2)
        kinetic += " + " + r.choice(
            (
                f"{parameter('k', 0.1, 0.3)}*{a}'*{b}'*cos({a} - {b})",
                f"{parameter('c', 0.1, 0.5)}*{b}^2*{a}'^2/2",
                f"{parameter('e', 0.1, 0.4)}*sin({b})^2*{a}'^2",
                f"{parameter('h', 0.1, 0.4)}*cos({b})*{a}'",
                f"exp(-{a})*{b}'^2/3",
            )
        )
    potential = r.choice(("0", f"{parameter('g')}*{q[0]}", f"{parameter('b')}/2*({q[0]} - {q[1]})^2", f"-{parameter('g')}*cos({q[0]})"))
    constraints = []
    for _ in range(1 if len(q) < 4 else r.randint(1, 2)):
        a, b = r.sample(q, 2)
        c = r.choice(q)
        constraints.append(
            r.choice(
                (
                    f"{a}'*sin({c}) - {b}'*cos({c}) = 0",
                    f"{a}' = {parameter('d')}*{c}*{b}'",
                    f"{a}' = {parameter('d')}*{b}'*exp({c}) + {parameter('v0')}",
                    f"{a}'*(2 + sin({b})) + {b}'*{c} = {parameter('v0')}*sin(t)",
                    f"{a}'^2 + {b}'^2 = {parameter('v2', 2, 3)}",
                    f"{a}'*{b}' = {parameter('v2')}*(1 + {c}^2)",
                    f"{a}' - {parameter('d')}*{b}'*cos(t) = 0",
                )
            )
        )
    return q, f'lagrangian = "{kinetic} - ({potential})"', list(dict.fromkeys(constraints)), ""


def _springs(r, parameter):
    q = [f"x{i + 1}" for i in range(r.randint(3, 7))]
    m, k = parameter("m"), parameter("k")
    pairs = list(zip(q, q[1:], strict=False))
    potential = r.choice(
        (
            " + ".join(f"{k}/2*({b} - {a})^2" for a, b in pairs),
            " + ".join(f"{k}*(1 - cos({b} - {a}))" for a, b in pairs),
            " + ".join(f"{k}/4*({b} - {a})^4" for a, b in pairs),
        )
    )
    kinetic = " + ".join(f"{m}/2*{a}'^2" for a in q)
    constraints = [f"x1' + {parameter('b')}*{q[-1]}'*x2 = 0"] if r.random() < 0.5 else []
    return q, f'kinetic = "{kinetic}"\npotential = "{potential}"', constraints, ""


def _vehicle(r, parameter):
    trailers = r.randint(0, 2)
    q = ["x", "y", "theta"] + [f"a{i + 1}" for i in range(trailers)]
    kinetic = " + ".join(f"{parameter(f'J{i}')}/2*({' + '.join(a + chr(39) for a in q[2 : 3 + i])})^2" for i in range(trailers + 1))
    c, b, e = parameter("c"), parameter("b"), parameter("e")
    points = f'[[points]]\nname = "G"\nmass = "{parameter("m")}"\nposition = ["x + {c}*cos(theta)", "y + {c}*sin(theta)", "0"]\n'
    constraints = ["x'*sin(theta) - y'*cos(theta) = 0"]
    x, y, angle = "x", "y", "theta"
    for i in range(1, trailers + 1):
        x, y = f"{x} - {b}*cos({angle})", f"{y} - {b}*sin({angle})"
        angle += f" + a{i}"
        points += f'[[points]]\nname = "Q{i}"\nmass = "{parameter(f"m{i}")}"\nposition = ["{x} - {e}*cos({angle})", "{y} - {e}*sin({angle})", "0"]\n'
        if r.random() < 0.6:
            constraints.append(f"Q{i}'.x*sin({angle}) - Q{i}'.y*cos({angle}) = 0")
    return q, f'kinetic = "{kinetic}"', constraints, points


def _points(r, parameter):
    points = "".join(
        f'[[points]]\nname = "P{i}"\nmass = "{parameter(f"m{i}")}"\nposition = ["x{i}", "y{i}", "0"]\n' for i in (1, 2)
    )
    points += '[definitions]\nd = "P2 - P1"\nC = "(P1 + P2)/2"\n'
    v0 = parameter("v0")
    some = ["norm(d) = 1.5 + t/7", "dot(P1', d) = 0", f"dot(C', d) = {v0}", "cross(P1', P2').z = 0.3", "dot(P1', P1') = dot(P2', P2')"]
    return ["x1", "y1", "x2", "y2"], f'gravity = ["0", "-{parameter("g", 9, 10)}", "0"]', r.sample(some, r.randint(1, 2)), points


def random_model(seed):
    """The text of a model."""
    r = random.Random(seed)
    parameters = {}

    def parameter(name, least=0.5, most=2.0):
        parameters[name] = round(r.uniform(least, most), 3)
        return name

    q, head, constraints, rest = r.choice((_coupled, _coupled, _coupled, _springs, _vehicle, _points))(r, parameter)
    lines = [f'name = "random {seed}"', f"coordinates = [{', '.join(f'{chr(34)}{a}{chr(34)}' for a in q)}]", head]
    if constraints:
        lines.append(f"constraints = [{', '.join(f'{chr(34)}{c}{chr(34)}' for c in constraints)}]")
    lines += [rest, "[parameters]", *(f"{name} = {value}" for name, value in parameters.items()), "[initial]", "t = 0.3"]
    for a in q:
        lines += [f"{a} = {round(r.uniform(0.2, 1.1), 3)}", f"\"{a}'\" = {round(r.uniform(0.3, 1.4), 3)}"]
    return "\n".join(lines) + "\n"
