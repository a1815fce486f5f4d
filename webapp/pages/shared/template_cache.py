"""Compiled templates, kept on the disk: else the first visits after a start would take a tenth of a second longer."""

import contextlib
from pathlib import Path

from jinja2 import FileSystemBytecodeCache
from jinja2.bccache import Bucket
from quart import Quart

from webapp.file_locks import make_data_dir


class _Compiled(FileSystemBytecodeCache):
    """Templates by their name and text, so that another version's are never taken for these."""

    def dump_bytecode(self, bucket: Bucket) -> None:
        with contextlib.suppress(OSError):  # a disk that is full costs the next start time, and nobody a page
            super().dump_bytecode(bucket)


def cache_compiled_templates(app: Quart, folder: Path) -> None:
    """Keep the app's compiled templates in a folder for this user alone: what lies there is run. Raises ConfigError."""
    make_data_dir(folder)
    app.jinja_env.bytecode_cache = _Compiled(str(folder))
