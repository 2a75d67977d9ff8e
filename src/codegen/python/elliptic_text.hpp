// Elliptic functions of exported Python: those of SciPy, for every real parameter, and their derivatives by it.
#pragma once

#include <string_view>

namespace cetaev {

inline constexpr std::string_view python_elliptic_text = R"(

def _integrals(phi, m):
    """F and E of Legendre; SciPy's need m <= 1."""
    above = m > 1
    k = np.sqrt(np.where(above, m, 1))
    between = np.where(above, 1 / k**2, m)
    phi = np.where(above, np.arcsin(np.where(above, k * np.sin(phi), 0)) * np.where(abs(phi) < np.pi / 2, 1, np.nan), phi)
    first, second = special.ellipkinc(phi, between), special.ellipeinc(phi, between)
    return first / k, np.where(above, k * (second - (1 - between) * first), second)


def _jacobi(u, m):
    """am, dn and the integral of dn**2; SciPy's functions of Jacobi need 0 <= m <= 1."""
    below, above = m < 0, m > 1
    k = np.sqrt(np.where(below, 1 - m, np.where(above, m, 1)))
    between = np.where(below, -m / k**2, np.where(above, 1 / k**2, m))
    s, c, d, phi = special.ellipj(k * u, between)
    angle = np.arctan2(s, k * c)
    turned = angle + 2 * np.pi * np.round((phi - angle) / (2 * np.pi))
    am = np.where(below, turned, np.where(above, np.arctan2(s / k, d), phi))
    dn = np.where(below, 1 / d, np.where(above, c, d))
    swinging = k * special.ellipeinc(phi, between) - (m - 1) * u
    return am, dn, np.where(above, swinging, special.ellipeinc(am, np.where(above, 0, m)))


def _product(x, y, k):
    return sum(x[j] * y[k - j] for j in range(k + 1))


def _divide(x, y, known):
    """The next coefficient of the quotient of two polynomials."""
    k = len(known)
    known.append((x[k] - sum(y[j] * known[k - j] for j in range(1, min(k + 1, len(y))))) / y[0])
    return known[k]


def _elliptic(name, order, x, m):
    """A derivative by m; those of an order above 0 are nan at m = 0 and m = 1, and have fewer digits near them."""
    x, m = np.broadcast_arrays(np.asarray(x, dtype=float), np.asarray(m, dtype=float))
    with np.errstate(all="ignore"):
        if name in ("ellipticF", "ellipticE"):
            first, second = ([value] for value in _integrals(x, m))
            s, c = np.sin(x), np.cos(x)
            root, over_root, by_m, moved, right, first_slope, second_slope = [np.sqrt(1 - m * s**2)], [], [], [], [], [], []
            for k in range(order):
                if k > 0:
                    square = -(s**2) if k == 1 else 0
                    root.append((square - sum(root[j] * root[k - j] for j in range(1, k))) / (2 * root[0]))
                _divide([s * c] + [0] * k, root, over_root)
                before = first[k - 1] if k > 0 else 0
                moved.append(second[k] - (1 - m) * first[k] + before)
                right.append(_divide(moved, [m, 1], by_m) - over_root[k])
                slope = _divide(right, [2 * (1 - m), -2], first_slope)
                second.append(_divide([b - a for a, b in zip(first, second)], [2 * m, 2], second_slope) / (k + 1))
                first.append(slope / (k + 1))
            found = first if name == "ellipticF" else second
        else:
            am, dn, second = ([value] for value in _jacobi(x, m))
            s, c = [np.sin(am[0])], [np.cos(am[0])]
            both, squares, moved, am_right, dn_right, am_slope, dn_slope, by_m = [], [], [], [], [], [], [], []
            for k in range(order):
                if k > 0:
                    s.append(sum(j * am[j] * c[k - j] for j in range(1, k + 1)) / k)
                    c.append(-sum(j * am[j] * s[k - j] for j in range(1, k + 1)) / k)
                both.append(_product(s, c, k))
                squares.append(_product(s, s, k))
                moved.append(second[k] - ((1 - m) * x if k == 0 else -x if k == 1 else 0))
                am_right.append(m * both[k] + (both[k - 1] if k > 0 else 0) - _product(dn, moved, k))
                dn_right.append(_product(both, moved, k) - _product(squares, dn, k))
                _divide(am_right, [2 * m * (1 - m), 2 - 4 * m, -2], am_slope)
                _divide(dn_right, [2 * (1 - m), -2], dn_slope)
                _divide([second[0] - x] + second[1:], [2 * m, 2], by_m)
                am.append(am_slope[k] / (k + 1))
                second.append((_product(dn, am_slope, k) + by_m[k]) / (k + 1))
                dn.append(dn_slope[k] / (k + 1))
            found = {"am": am, "dn": dn, "ellipticEpsilon": second}[name]
        factorial = 1
        for j in range(2, order + 1):
            factorial *= j
        return factorial * found[order]
)";

}  // namespace cetaev
