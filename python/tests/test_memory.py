"""What is dropped is given back."""

import gc

import cetaev

TEXT = 'coordinates = ["x"]\nlagrangian = "x\'^2/2 - k*x^2/2"\nparameters = {k = 4}\ninitial = {x = 1}\n'


def resident():
    """MiB of memory that the process has."""
    gc.collect()
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * 4096 / 2**20


def test_ten_thousand_models_leave_nothing_behind():
    for _ in range(1000):
        cetaev.Model(TEXT)
    before = resident()
    for _ in range(9000):
        cetaev.Model(TEXT)
    assert resident() - before < 4


def test_motions_functions_and_errors_leave_nothing_behind():
    model = cetaev.Model(TEXT)

    def once():
        motion = model.run(t_end=1, samples=1001)
        motion(0.5)
        model.function()._native.capsule(None)
        try:
            cetaev.Model(TEXT + "nonsense")
        except cetaev.Error:
            pass

    for _ in range(20):
        once()
    before = resident()
    for _ in range(150):  # a leak of the samples alone would be 6 MiB
        once()
    assert resident() - before < 4
