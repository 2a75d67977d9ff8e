"""Files of sweeps: what becomes of those that are there already."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from program import CETAEV, FREE_OSCILLATOR, cetaev

VARY = ("--vary", "k=1:5:40", "--t-end", "1")


class SweepFiles(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.model = self.folder / "oscillator.toml"
        self.model.write_text(FREE_OSCILLATOR, encoding="utf-8")

    def sweep(self, *arguments, out="o.h5"):
        done = cetaev("sweep", self.model, *arguments, "--out", self.folder / out, "--json")
        self.assertEqual(done.code, 0, done.err)
        return done.json

    def refused(self, says, *arguments, code=2):
        done = cetaev("sweep", *arguments, timeout=60)
        self.assertEqual(done.code, code, done.err)
        self.assertIn(says, done.err)

    def names(self):
        return sorted(path.name for path in self.folder.iterdir())

    def test_a_merge_that_is_refused_touches_nothing(self):
        for k in (1, 2, 3):
            self.sweep(*VARY, "--shard", f"{k}/3")
        self.sweep("--vary", "k=1:6:40", out="other.h5")
        part = self.folder / "o.1-of-3.h5"
        broken = self.folder / "broken.h5"
        broken.write_bytes(part.read_bytes()[:-100])
        os.mkfifo(self.folder / "pipe.h5")
        for name in ("keep.h5", "keep.csv", "keep.csv.part"):
            (self.folder / name).write_bytes(b"as it was")
        before = self.names()
        for wrong, says in (("other.h5", "another sweep"), ("broken.h5", "damaged"), ("none.h5", "cannot be read"),
                            ("pipe.h5", "no file on a disk")):
            for out in ("keep.h5", "keep.csv", "new.h5", "new.csv"):
                self.refused(says, "--merge", part, self.folder / "o.2-of-3.h5", self.folder / wrong, "--out",
                             self.folder / out)
            self.refused(says, "--merge", self.folder / wrong, part, "--out", self.folder / "keep.h5")
        self.assertEqual(self.names(), before)
        for name in ("keep.h5", "keep.csv", "keep.csv.part"):
            self.assertEqual((self.folder / name).read_bytes(), b"as it was")
        self.refused("--merge computes nothing", "--merge", part, "--out", self.folder / "keep.h5", "--resume")

    def test_a_finished_table_is_resumed_by_doing_nothing(self):
        first = self.sweep(*VARY, out="o.csv")
        self.assertEqual((first["computed"], first["finished"]), (40, 40))
        table = self.folder / "o.csv"
        whole, time = table.read_bytes(), table.stat().st_mtime_ns
        again = self.sweep(*VARY, "--resume", out="o.csv")
        self.assertEqual([again[key] for key in ("computed", "count", "finished", "missing", "out")],
                         [0, 40, 40, 0, str(table)])
        self.assertEqual((table.read_bytes(), table.stat().st_mtime_ns), (whole, time))
        for other in (("--vary", "k=1:6:40", "--t-end", "1"), ("--vary", "k=1:5:40", "--t-end", "2"),
                      (*VARY, "--set", "m=2"), (*VARY, "--observe", "x"), (*VARY, "--tolerance", "1e-6")):
            self.refused("another sweep", self.model, *other, "--out", table, "--resume")
            self.assertEqual(table.read_bytes(), whole)
        self.assertEqual(self.names(), ["o.csv", "oscillator.toml"])

    def test_a_table_that_does_not_say_its_sweep_is_compared(self):
        self.sweep(*VARY, out="o.csv")
        table = self.folder / "o.csv"
        whole = table.read_bytes()
        shutil.copyfile(table, self.folder / "copy.csv")  # without its attributes
        self.assertEqual(self.sweep(*VARY, "--resume", out="copy.csv")["computed"], 40)
        self.assertEqual(self.sweep(*VARY, "--resume", out="copy.csv")["computed"], 0)
        shutil.copyfile(table, self.folder / "copy.csv")
        os.truncate(self.folder / "copy.csv", 300)
        for name in ("copy.csv", "o.csv"):
            before = (self.folder / name).read_bytes()
            other = ("--vary", "k=1:5:40", "--t-end", "2") if name == "o.csv" else VARY
            self.refused("another sweep", self.model, *other, "--out", self.folder / name, "--resume")
            self.assertEqual((self.folder / name).read_bytes(), before)
        self.assertEqual(table.read_bytes(), whole)
        self.assertEqual(self.names(), ["copy.csv", "o.csv", "oscillator.toml"])

    def test_what_killed_processes_left_is_removed(self):
        process = subprocess.Popen(["true"])
        process.wait()
        dead, alive = process.pid, os.getpid()
        for out in ("o.h5", "o.csv"):
            litter = [f"{out}.{dead}.new", f"{out}.rank1.{dead}.new", f"{out}.part.{dead}.new", f"{out}.part.rank0.{dead}.new"]
            others = [f"{out}.{alive}.new", f"an{out}.{dead}.new", f"{out}.notes.{dead}.new"]
            for name in litter + others:
                (self.folder / name).write_bytes(b"")
            self.sweep(*VARY, "--resume", out=out)
            self.assertFalse(set(litter) & set(self.names()))
            self.assertTrue(set(others) <= set(self.names()))

    def test_links_are_written_through_and_pipes_refused(self):
        (self.folder / "deep").mkdir()
        for ending in ("h5", "csv"):
            link, target = self.folder / f"link.{ending}", self.folder / "deep" / f"o.{ending}"
            link.symlink_to(pathlib.Path("deep") / f"o.{ending}")
            self.sweep(*VARY, out=link.name)
            whole = self.folder / f"plain.{ending}"
            self.sweep(*VARY, out=whole.name)
            self.sweep(*VARY, "--resume", out=link.name)
            self.assertTrue(link.is_symlink())
            self.assertEqual(target.read_bytes(), whole.read_bytes())
            pipe = self.folder / f"pipe.{ending}"
            os.mkfifo(pipe)
            self.refused("a pipe or a device", self.model, *VARY, "--out", pipe, code=4)
            self.refused("a pipe or a device", "--merge", self.folder / "plain.h5", "--out", pipe, code=4)
            self.assertTrue(pipe.is_fifo())
        self.assertEqual([name for name in self.names() if name.endswith((".part", ".new"))], [])

    def test_a_table_may_begin_with_a_byte_order_mark(self):
        rows = self.folder / "rows.csv"
        rows.write_text("k,x\n4,1\n9,0.5\n", encoding="utf-8-sig")
        self.assertEqual(self.sweep("--table", rows, "--t-end", "1")["finished"], 2)

    def test_a_model_whose_file_has_a_name_that_is_no_text(self):
        odd = os.fsencode(self.folder) + b"/caf\xe9.toml"
        os.rename(self.model, odd)
        self.model = os.fsdecode(odd)
        self.sweep(*VARY)
        page = self.folder / "o.html"
        self.assertEqual(cetaev("report", self.folder / "o.h5", "-o", page).code, 0)
        self.assertIn("caf\\xe9", page.read_text(encoding="utf-8"))

    def test_more_motions_than_can_be_counted(self):
        for count in (2**53 + 1, 2**63 - 1):
            self.refused("more motions than whole numbers in a double", self.model, "--vary", "k=uniform(1, 2)", "--count", str(count))

    def test_words_of_messages(self):
        self.refused("--vary: 1 required SPEC missing", self.model, "--vary")
        self.sweep("--vary", "k=1:1:1", "--t-end", "1")
        page = self.folder / "o.html"
        self.assertEqual(cetaev("report", self.folder / "o.h5", "-o", page).code, 0)
        self.assertIn(">1 motion over", page.read_text(encoding="utf-8"))

    @unittest.skipUnless(shutil.which("mpirun"), "Open MPI is not installed")
    def test_one_rank_merges_and_one_speaks(self):
        ranks = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "2", CETAEV, "sweep"]
        for k in (1, 2):
            self.sweep(*VARY, "--shard", f"{k}/2")
        self.sweep(*VARY, out="whole.h5")
        parts = [str(self.folder / f"o.{k}-of-2.h5") for k in (1, 2)]
        done = subprocess.run([*ranks, "--merge", *parts, "--out", str(self.folder / "all.h5"), "--json"],
                              capture_output=True, text=True, check=False)
        self.assertEqual(json.loads(done.stdout)["missing"], 0)
        self.assertEqual((self.folder / "all.h5").read_bytes(), (self.folder / "whole.h5").read_bytes())
        for wrong in (("--merge", parts[0]), ("--merge", str(self.model), "--out", str(self.folder / "no.h5")),
                      (str(self.model), "--vary", "q=1:2:3"), ("--nonsense",)):
            done = subprocess.run([*ranks, *wrong], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertEqual(done.stderr.count("error:"), 1, done.stderr)
        # a finished table under ranks, too
        self.sweep(*VARY, out="o.csv")
        done = subprocess.run([*ranks, str(self.model), *VARY, "--out", str(self.folder / "o.csv"), "--resume", "--json"],
                              capture_output=True, text=True, check=False)
        self.assertEqual((json.loads(done.stdout)["computed"], json.loads(done.stdout)["finished"]), (0, 40))
        self.assertEqual([name for name in self.names() if "rank" in name or "part" in name], [])


if __name__ == "__main__":
    unittest.main()
