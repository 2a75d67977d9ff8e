"""Installs what drives the browser: install_tools.py WEB FOLDER NPM puts the packages of WEB's lock file below FOLDER."""

import pathlib
import shutil
import subprocess
import sys

web, folder, npm = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
folder.mkdir(parents=True, exist_ok=True)
lock = folder / "package-lock.json"
wanted = (web / "package-lock.json").read_bytes()
if lock.exists() and lock.read_bytes() == wanted and (folder / "node_modules" / "puppeteer-core").is_dir():
    sys.exit(0)
shutil.copy(web / "package.json", folder / "package.json")
lock.write_bytes(wanted)
command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
sys.exit(subprocess.run(command, cwd=folder, check=False).returncode)
