"""The links, settings, commands and tests that the documents name exist."""

import re
from pathlib import Path

import pytest

from tests.structure import ROOT, sources
from webapp.cli import command
from webapp.config import read_settings

DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
LINK = re.compile(r"\]\((?!https?:|mailto:)([^)#\s]*)(?:#[^)]*)?\)|(?:src|srcset)=\"([^\"]+)\"")
ROW = re.compile(r"^\| (.*?) \|", re.MULTILINE)


def rows_of(name: str, pattern: str) -> set[str]:
    """The words in the first columns of a document's tables that match the pattern."""
    return {word for row in ROW.findall((ROOT / "docs" / name).read_text()) for word in re.findall(pattern, row)}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_to_files(document: Path) -> None:
    for match in LINK.finditer(document.read_text()):
        target = match[1] if match[1] is not None else match[2]
        assert not target or (document.parent / target).exists(), match[0]


def test_every_setting_is_in_the_table_and_the_table_has_no_other(tmp_path: Path) -> None:
    read = set[str]()

    class Variables(dict[str, str]):
        def get(self, name: str, default: str = "") -> str:  # type: ignore[override]  # Environment passes no other types
            read.add(name)
            return super().get(name, default)

    read_settings(Variables(PENNYPOST_DATA_DIR=str(tmp_path)))
    assert rows_of("settings.md", r"`((?:PENNYPOST_|DATABASE_URL|REDIS_URL)\w*)`") == read


def test_every_command_is_in_the_table() -> None:
    assert rows_of("commands.md", r"^`([\w-]+)") == set(command.commands)


def test_the_tests_that_promises_name_exist() -> None:
    existing = {name for path in sources("tests") for name in re.findall(r"def (test_\w+)", path.read_text())}
    text = (ROOT / "docs/promises.md").read_text()
    assert set(re.findall(r"`(test_\w+)`", text)) - existing == set()
    assert [path for path in re.findall(r"`(tests/[\w/]+\.py)`", text) if not (ROOT / path).exists()] == []
