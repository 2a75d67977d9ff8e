"""Bundles web/ and writes it as a C++ source: embed_web.py FOLDER WORK SOURCE [--node NODE --npm NPM].

The work is done on a copy of FOLDER below WORK, so that nothing is written into the source tree. Without node, and when npm or
the bundler fails, the style alone is embedded; a failure is said on stderr.
"""

import argparse
import base64
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys

from embed_texts import array


def copy(folder: pathlib.Path, work: pathlib.Path) -> None:
    shutil.rmtree(work / "src", ignore_errors=True)
    shutil.copytree(folder / "src", work / "src")
    for name in ("package.json", "package-lock.json", "build.mjs"):
        shutil.copy(folder / name, work / name)


def install(work: pathlib.Path, npm: str, environment: dict[str, str]) -> None:
    lock = hashlib.sha256((work / "package-lock.json").read_bytes()).hexdigest()
    stamp = work / "installed"
    if stamp.exists() and stamp.read_text() == lock and (work / "node_modules").is_dir():
        return
    command = [npm, "ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    subprocess.run(command, cwd=work, env=environment, check=True, timeout=300, stdout=subprocess.DEVNULL)
    stamp.write_text(lock)


def bundle(folder: pathlib.Path, work: pathlib.Path, node: str, npm: str) -> tuple[bytes, bytes]:
    """The script and the fonts."""
    environment = os.environ | {"PATH": f"{pathlib.Path(node).parent}{os.pathsep}{os.environ.get('PATH', '')}"}
    work.mkdir(parents=True, exist_ok=True)
    copy(folder, work)
    install(work, npm, environment)
    subprocess.run([node, "build.mjs"], cwd=work, env=environment, check=True, timeout=120)
    return (work / "dist" / "report.js").read_bytes(), (work / "dist" / "fonts.css").read_bytes()


def policy(style: bytes, script: bytes) -> bytes:
    """What a browser may do with a page: run this script, apply this style with the fonts in it, and nothing else."""

    def only(text: bytes) -> str:
        return f"'sha256-{base64.b64encode(hashlib.sha256(text).digest()).decode()}'"

    parts = ["default-src 'none'", f"style-src {only(style)}", "font-src data:", "base-uri 'none'", "form-action 'none'"]
    if script:
        parts.append(f"script-src {only(script)}")
    return "; ".join(parts).encode()


def source(style: bytes, script: bytes) -> str:
    parts = []
    texts = {"style": style, "script": script, "policy": policy(style, script)}
    for name, text in texts.items():
        text.decode("utf-8")
        if b"</script" in text or b"</style" in text:
            raise ValueError(f"the {name} would end the element it stands in")
        if any(c < 0x20 and c not in b"\n\t" for c in text):
            raise ValueError(f"the {name} has control characters, which would not be the same in a page")
        parts.append(f"constexpr char {name}[] = {{\n{array(text)}\n  '\\0'}};\n")
    functions = "\n".join(
        f"std::string_view page_{name}() {{ return {{{name}, sizeof {name} - 1}}; }}" for name in texts
    )
    return (
        "// Generated from web/ by cmake/embed_web.py.\n"
        '#include "assets.hpp"\n\nnamespace cetaev {\nnamespace {\n\n'
        + "\n".join(parts)
        + f"\n}}  // namespace\n\n{functions}\n\n}}  // namespace cetaev\n"
    )


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("target", type=pathlib.Path)
    parser.add_argument("--node")
    parser.add_argument("--npm")
    options = parser.parse_args()
    style = (options.folder / "src" / "report.css").read_bytes()
    script = fonts = b""
    if options.node and options.npm:
        try:
            script, fonts = bundle(options.folder, options.work, options.node, options.npm)
        except (subprocess.SubprocessError, OSError) as problem:
            print(f"warning: pages will have no scripts: {problem}", file=sys.stderr)
    options.target.parent.mkdir(parents=True, exist_ok=True)
    options.target.write_text(source(fonts + style, script), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
