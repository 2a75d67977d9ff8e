"""No clock decides what is computed: the same bytes when the clock runs a thousand times as fast, when others take the
processor, and on any number of processors. What is a time itself is left out of the comparison."""

import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

import program

# Every clock that a program can ask, a thousand times as fast: whatever is limited by seconds is over at once.
FAST_CLOCK = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/time.h>
#include <time.h>

enum { times = 1000 };

static long long since(clockid_t clock, const struct timespec* now) {
  static struct timespec first[16];
  static int known[16];
  const int i = clock >= 0 && clock < 16 ? clock : 0;
  if (!known[i]) first[i] = *now, known[i] = 1;
  return (now->tv_sec - first[i].tv_sec) * 1000000000LL + (now->tv_nsec - first[i].tv_nsec);
}

int clock_gettime(clockid_t clock, struct timespec* now) {
  static int (*real)(clockid_t, struct timespec*);
  if (!real) real = (int (*)(clockid_t, struct timespec*))dlsym(RTLD_NEXT, "clock_gettime");
  const int result = real(clock, now);
  if (result != 0) return result;
  const long long more = (times - 1) * since(clock, now) + now->tv_nsec;
  now->tv_sec += more / 1000000000;
  now->tv_nsec = more % 1000000000;
  return 0;
}

int gettimeofday(struct timeval* restrict now, void* restrict zone) {
  (void)zone;
  struct timespec fast;
  if (clock_gettime(CLOCK_REALTIME, &fast) != 0) return -1;
  now->tv_sec = fast.tv_sec;
  now->tv_usec = fast.tv_nsec / 1000;
  return 0;
}

time_t time(time_t* out) {
  struct timespec fast;
  clock_gettime(CLOCK_REALTIME, &fast);
  if (out) *out = fast.tv_sec;
  return fast.tv_sec;
}

clock_t clock(void) {
  struct timespec fast;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &fast);
  return fast.tv_sec * CLOCKS_PER_SEC + fast.tv_nsec / (1000000000 / CLOCKS_PER_SEC);
}
"""

# Models whose digits or formulas did depend on the clock, and some with many formulas; then one with long ones.
MODELS = ("car", "ball-in-cylinder", "ball-on-tilted-turntable", "rolling-disc", "snakeboard")
LONG = "rattleback"
COMMANDS = {
    "run": ("run", "{model}", "--t-end", "1", "--samples", "5", "--no-cache", "--json", "--trajectory"),
    "derive": ("derive", "{model}", "--ascii"),
    "derive little": ("derive", "{model}", "--ascii", "--budget", "0.02"),
    "check": ("check", "{model}", "--json"),
}

TIMES = (
    re.compile(r'("(?:compile_|wall_)?seconds": )[-+.e0-9]+'),  # JSON
    re.compile(r'(<tr data-key="wall_seconds">.*?<td>)[.0-9]+'),  # the page: of the run,
    re.compile(r"(This page was made by Cetaev \S+ in )[.0-9]+"),  # and of itself
)


def without_times(text):
    for pattern in TIMES:
        text = pattern.sub(r"\1TIME", text)
    return text


@contextlib.contextmanager
def busy_processors():
    """Two others for every processor."""
    hogs = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2 * os.cpu_count())]
    try:
        yield
    finally:
        for hog in hogs:
            hog.kill()
        for hog in hogs:
            hog.wait()


class Clock(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.known = {}

    @classmethod
    def fast_clock(cls):
        """The environment of a program whose clock is fast."""
        library = cls.folder / "fast_clock.so"
        if not library.exists():
            compiler = shutil.which("cc") or shutil.which("gcc")
            if compiler is None:
                raise unittest.SkipTest("no C compiler")
            source = library.with_suffix(".c")
            source.write_text(FAST_CLOCK)
            subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
        return {"LD_PRELOAD": str(library)}

    def output(self, command, model, before=(), env=None):
        """What the program writes, without times."""
        done = subprocess.run(
            [*before, program.CETAEV, *(part.format(model=model) for part in command)],
            env={**os.environ, **(env or {})},
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=500,
            check=False,
        )
        self.assertIn(done.returncode, (0, 3), done.stderr.decode())
        return without_times(done.stdout.decode())

    def page(self, model, before=(), env=None):
        """A report, which is a file; the code of its motion is made anew."""
        env = {"CETAEV_CACHE": "off", **(env or {})}
        self.output(("report", "{model}", "-o", "page.html", "--quiet"), model, before, env)
        return without_times((self.folder / "page.html").read_text(encoding="utf-8"))

    def usual(self, name, model):
        if (name, model) not in self.known:
            made = self.page(model) if name == "report" else self.output(COMMANDS[name], model)
            self.known[name, model] = made
        return self.known[name, model]

    def compare(self, name, model, **how):
        with self.subTest(command=name, model=model):
            other = self.page(model, **how) if name == "report" else self.output(COMMANDS[name], model, **how)
            usual = self.usual(name, model)
            if other == usual:
                return
            lines = [(a, b) for a, b in zip(usual.splitlines(), other.splitlines()) if a != b]
            self.fail("\n".join(f"{a[:300]}\n{b[:300]}" for a, b in lines[:3]) or "one ends before the other")

    def test_the_clock_of_this_test_is_fast(self):
        start = time.monotonic()
        told = program.cetaev("run", "skate", "--json", env=self.fast_clock()).json["wall_seconds"]
        self.assertGreater(told, time.monotonic() - start, "the program does not see the fast clock")

    def test_a_fast_clock_changes_nothing(self):
        fast = self.fast_clock()
        for model in MODELS:
            for name in (*COMMANDS, "report"):
                self.compare(name, model, env=fast)
        for name in ("run", "derive little", "report"):
            self.compare(name, LONG, env=fast)

    def test_a_busy_machine_changes_nothing(self):
        for name in ("run", "report"):
            self.usual(name, MODELS[0])
        with busy_processors():
            for name in ("run", "report"):
                self.compare(name, MODELS[0])

    def test_the_number_of_processors_changes_nothing(self):
        if shutil.which("taskset") is None:
            self.skipTest("no taskset")
        one = str(min(os.sched_getaffinity(0)))
        for model in MODELS[:3]:
            for name in ("run", "report"):
                self.compare(name, model, before=("taskset", "-c", one))


if __name__ == "__main__":
    unittest.main()
