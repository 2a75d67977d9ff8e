"""The models that ship are listed, printed, and understood."""

import unittest

from program import SOURCE, cetaev

MODELS = sorted((SOURCE / "gallery").glob("*.toml"))


class Gallery(unittest.TestCase):
    def test_lists_every_model(self):
        result = cetaev("gallery")
        self.assertEqual(result.code, 0, result.err)
        for model in MODELS:
            self.assertIn(model.stem, result.out)

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


if __name__ == "__main__":
    unittest.main()
