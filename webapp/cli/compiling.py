"""Compiles the modules that `webapp.compiled` names, into the environment: `python -m webapp.cli.compiling`.

No machine must be able to: without a C compiler or Python's headers everything runs from its source, and mail leaves
more slowly.
"""

import contextlib
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path

import click

from webapp import compiled

SECONDS = 900  # some 70 on two cores
MADE = "made"  # the folder of what it makes
WORDS_KEPT = 2_000  # of what a compiler said, at its end

# Run beside copies of the sources: mypyc names modules by their paths from where it is, and writes beside them.
PROGRAM = """
import sys
from mypyc.build import mypycify
from setuptools import setup
made, group, *paths = sys.argv[1:]
sys.argv[1:] = ["build_ext", "--build-lib", made]
setup(
    name=group,
    packages=[],
    ext_modules=mypycify(paths, opt_level="2", debug_level="0", group_name=group, multi_file=False),
)
"""


class NotCompiled(Exception):
    """Why nothing was compiled, in words."""


def main() -> None:
    """Compile where that is not done yet; say so where it cannot be."""
    if compiled.is_current():
        return
    stamp = compiled.stamp()  # of what is there before it is copied: who edits meanwhile has it compiled once more
    try:
        _check_tools()
        with _copies() as folder:
            _run(folder)
            _keep(folder / MADE, stamp)
    except NotCompiled as error:
        click.echo(f"not compiled, so mail leaves more slowly: {error}", err=True)


def _keep(made: Path, stamp: str) -> None:
    """Put what was made in its place: whole, and as new files, since a running process may have loaded the old."""
    (made / compiled.STAMP).write_text(stamp)
    beside = compiled.FOLDER.with_name(f"{compiled.FOLDER.name}-{os.getpid()}")
    shutil.copytree(made, beside)
    shutil.rmtree(compiled.FOLDER, ignore_errors=True)
    beside.rename(compiled.FOLDER)


def _check_tools() -> None:
    compiler = str(sysconfig.get_config_var("CC") or "cc").split()[0]
    if shutil.which(compiler) is None:
        raise NotCompiled(f"there is no C compiler ({compiler})")
    headers = Path(sysconfig.get_path("include"))
    if not (headers / "Python.h").exists():
        raise NotCompiled(f"Python's headers are not installed ({headers}/Python.h)")


@contextlib.contextmanager
def _copies() -> Iterator[Path]:
    """A folder with the sources, which is removed in the end."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for package in ("webapp", "jobs"):
            shutil.copytree(compiled.ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copyfile(compiled.ROOT / "pyproject.toml", folder / "pyproject.toml")
        yield folder


def _run(folder: Path) -> None:
    paths = [str(compiled.source_of(module).relative_to(compiled.ROOT)) for module in compiled.MODULES]
    command = [sys.executable, "-c", PROGRAM, MADE, compiled.GROUP, *paths]
    try:
        done = subprocess.run(  # noqa: S603 - our own words alone
            command,
            cwd=folder,
            check=False,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=SECONDS,
        )
    except subprocess.TimeoutExpired:
        raise NotCompiled(f"it takes more than {SECONDS} seconds") from None
    if done.returncode:
        raise NotCompiled(f"\n{done.stdout[-WORDS_KEPT:]}")


if __name__ == "__main__":
    main()
