"""The modules that every mail passes through, compiled to C by mypyc where that was done: a tenth less work per mail.

`python -m webapp.cli.compiling` does it, into the environment. What is compiled says the same as its source, by the
same types; where it is absent, made of other sources or turned off with PENNYPOST_COMPILED=0, the source is run.

None of them awaits in `except` or `finally`, nor holds an `async with` whose end waits: mypyc keeps the exception that
is being handled for the whole thread, so other tasks would take it for theirs. tests/test_architecture.py looks.
"""

import hashlib
import os
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parent.parent
FOLDER = Path(sys.prefix) / "pennypost-compiled"
STAMP = "stamp"  # the file of what was compiled, and by which Python
GROUP = "pennypost"
LIBRARY = f"{GROUP}__mypyc"  # which all compiled modules share
MODULES = (
    "webapp.domain.delivery.lease_keeper",
    "webapp.domain.delivery.outcome_writer",
    "webapp.domain.delivery.dispatcher",
    "webapp.domain.delivery.load_messages",
    "webapp.domain.delivery.campaign_content",
    "webapp.domain.delivery.campaign_builder",
    "webapp.domain.delivery.deliver",
    "webapp.domain.delivery.account_queue",
    "webapp.domain.merge_tags.fast_path",
    "webapp.domain.delivery.retry_policy",
    "webapp.domain.delivery.live_state",
    "webapp.models.outbox.settlements",
    "webapp.sending.limits",
    "webapp.sending.gate",
    "webapp.sending.mime.headers",
    "webapp.sending.mime.message",
    "webapp.sending.smtp.transaction",
    "webapp.sending.outcomes",
    "webapp.sending.mime.preencoded",
    "webapp.sending.smtp.pool",
    "webapp.sending.smtp.session",
    "webapp.sending.smtp.protocol",
)


def source_of(module: str) -> Path:
    """The file of a module."""
    return ROOT.joinpath(*module.split(".")).with_suffix(".py")


def stamp() -> str:
    """What the compiled modules depend on: every byte of their sources, and this Python."""
    found = hashlib.sha256(sys.version.encode())
    for module in MODULES:
        found.update(module.encode() + source_of(module).read_bytes())
    return found.hexdigest()


def is_current() -> bool:
    """Whether there are compiled modules, made of these sources by this Python."""
    try:
        return (FOLDER / STAMP).read_text() == stamp()
    except OSError:
        return False


def is_used() -> bool:
    """Whether this process runs what is compiled."""
    return any(isinstance(finder, _Finder) for finder in sys.meta_path)


class _Finder(MetaPathFinder):
    """Finds what is compiled before its source."""

    def find_spec(
        self, fullname: str, _path: Sequence[str] | None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != LIBRARY and fullname not in MODULES:
            return None
        path = str(FOLDER.joinpath(*fullname.split("."))) + EXTENSION_SUFFIXES[0]
        return spec_from_file_location(fullname, path, loader=ExtensionFileLoader(fullname, path))


def use() -> None:
    """Import what is compiled from now on, where it is current and not turned off."""
    if os.environ.get("PENNYPOST_COMPILED") != "0" and not is_used() and is_current():
        sys.meta_path.insert(0, _Finder())
