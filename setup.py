"""The Python package for pip: the module is built by CMake, in build/ as `make` does it, or in the folder named by CETAEV_BUILD."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent
BUILD = pathlib.Path(os.environ.get("CETAEV_BUILD", ROOT / "build")).resolve()
SCRATCH = BUILD / "pip"  # what setuptools leaves behind


class CMakeBuild(build_ext):
    """Builds the target cetaev_python and takes its module."""

    def build_extension(self, ext):
        # Not that of a virtual environment, which may be gone when the same folder is built the next time.
        interpreter = getattr(sys, "_base_executable", None) or sys.executable
        configure = ["cmake", "-S", str(ROOT), "-B", str(BUILD), f"-DCETAEV_PYTHON={interpreter}", "--log-level=NOTICE"]
        if not (BUILD / "CMakeCache.txt").exists():
            configure += ["-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"]
        subprocess.run(configure, check=True, stdout=subprocess.DEVNULL)
        jobs = str(os.cpu_count() or 1)
        subprocess.run(["cmake", "--build", str(BUILD), "--target", "cetaev_python", "-j", jobs], check=True)
        target = pathlib.Path(self.get_ext_fullpath(ext.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(BUILD / "python" / "cetaev" / target.name, target)


version = re.search(r"project\(cetaev VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")).group(1)

SCRATCH.mkdir(parents=True, exist_ok=True)
setup(
    version=version,
    package_dir={"": "python"},
    packages=["cetaev"],
    package_data={"cetaev": ["py.typed", "*.pyi"]},
    ext_modules=[Extension("cetaev._native", sources=[])],
    options={"build": {"build_base": str(SCRATCH)}, "egg_info": {"egg_base": str(SCRATCH)}},
    cmdclass={"build_ext": CMakeBuild},
)
