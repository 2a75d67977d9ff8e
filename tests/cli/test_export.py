"""Source code from the command line."""

import pathlib
import tempfile
import unittest

from program import cetaev

FORMATS = ("c", "cpp", "python", "cuda", "matlab")


class Export(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_code_goes_to_standard_output_or_to_a_file(self):
        for name in FORMATS:
            with self.subTest(format=name):
                shown = cetaev("derive", "skate", "--format", name)
                self.assertEqual(shown.code, 0, shown.err)
                self.assertEqual(shown.err, "")
                path = self.folder / name
                written = cetaev("derive", "skate", "--format", name, "-o", path)
                self.assertEqual((written.code, written.out), (0, ""))
                self.assertEqual(path.read_text(encoding="utf-8"), shown.out)
                self.assertIn("Form: hamel", shown.out)

    def test_the_header_names_the_form(self):
        self.assertIn("Form: voronec", cetaev("derive", "skate", "--format", "c", "--form", "voronec").out)
        self.assertIn("Form: multipliers", cetaev("derive", "appell-hamel", "--format", "python").out)

    def test_parameters_that_are_set_become_the_defaults(self):
        self.assertIn("p.g = 1.62;", cetaev("derive", "skate", "--format", "c", "--set", "g=1.62").out)

    def test_code_is_for_one_form(self):
        both = cetaev("derive", "skate", "--format", "c", "--form", "maggi", "--form", "hamel")
        self.assertEqual((both.code, both.out), (2, ""))
        self.assertEqual(cetaev("derive", "skate", "--format", "c", "--energy").code, 2)
        self.assertEqual(cetaev("derive", "skate", "--format", "cobol").code, 2)

    def test_where_a_form_does_not_apply_nothing_is_written(self):
        path = self.folder / "none.c"
        refused = cetaev("derive", "appell-hamel", "--format", "c", "--form", "hamel", "-o", path)
        self.assertEqual((refused.code, refused.out), (3, ""))
        self.assertIn("quasi-velocities", refused.err)
        self.assertFalse(path.exists())
        self.assertEqual(cetaev("derive", "prescribed-acceleration", "--format", "c", "-o", path).code, 3)
        self.assertFalse(path.exists())

    def test_a_file_that_cannot_be_written_is_exit_4(self):
        path = self.folder / "no" / "such" / "folder.c"
        self.assertEqual(cetaev("derive", "skate", "--format", "c", "-o", path).code, 4)


if __name__ == "__main__":
    unittest.main()
