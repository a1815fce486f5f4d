"""What stands in a log, and what never does."""

import io
import json
import logging
import os
import sys
import time
from collections.abc import Iterator
from uuid import uuid4

import pytest

from webapp import crypto, logs
from webapp.domain import link_signing


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> Iterator[io.StringIO]:
    """The process's log, as it goes to standard error."""
    root = logging.getLogger()
    kept = root.handlers[:], root.level
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    logs.set_up_logging()
    yield stream
    root.handlers[:], root.level = kept
    logging.captureWarnings(capture=False)


def test_a_line_is_json_with_the_request_it_belongs_to(log: io.StringIO) -> None:
    token = logs.request_id.set("4bf92f3577b34da6")
    logging.getLogger("webapp.test").info("sent %d", 3, extra={"account": "Main"})
    logs.request_id.reset(token)
    line = json.loads(log.getvalue())
    assert line.pop("time").endswith("Z")
    about = {"message": "sent 3", "account": "Main", "request_id": "4bf92f3577b34da6"}
    assert line == {"level": "INFO", "logger": "webapp.test", "process": os.getpid()} | about


def test_a_line_that_repeats_too_often_is_counted_instead(log: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    def warn() -> None:
        logging.getLogger("webapp.test").warning("refused")

    for _ in range(logs.MOST_LINES + 20):
        warn()
    logging.getLogger("webapp.test").warning("another line")
    assert log.getvalue().count("\n") == logs.MOST_LINES + 1
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + logs.LINES_SECONDS)
    for _ in range(2):
        warn()
    lines = [json.loads(line) for line in log.getvalue().splitlines()[-2:]]
    assert [line.get("left_out") for line in lines] == [20, None]


def test_another_kind_of_error_of_the_same_statement_is_written(log: io.StringIO) -> None:
    for error in [*(ValueError("a") for _ in range(logs.MOST_LINES + 20)), KeyError("b")]:
        logging.getLogger("webapp.test").error("an unexpected error", exc_info=error)
    assert log.getvalue().count("ValueError") >= logs.MOST_LINES
    assert log.getvalue().count("KeyError") == 1


def test_the_format_can_be_chosen(log: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", log)
    logs.set_up_logging("text")
    logging.getLogger("webapp.test").warning("refused")
    assert log.getvalue().endswith("webapp.test: refused\n")
    logging.getLogger("webapp.test").warning("refused\n14:00:00 ERROR the database is away\x1b[2K")
    assert log.getvalue().endswith("refused\n    14:00:00 ERROR the database is away[2K\n")


def test_no_secret_stands_in_it(log: io.StringIO) -> None:
    key = crypto.new_api_key()
    error = ValueError(f"the key {key} and redis://:hunter2@localhost")
    extra = {"smtp_password": "hunter2", "settings": {"url": f"x?{key}"}}
    logging.getLogger("webapp.test").error("Authorization: Bearer %s", key, exc_info=error, extra=extra)
    assert key not in log.getvalue()
    assert "hunter2" not in log.getvalue()
    assert json.loads(log.getvalue())["smtp_password"] == logs.HIDDEN


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("550 <ada.b+c@example.org> unknown", "550 <[hidden]@example.org> unknown"),
        ("GET /v1/contacts/ada@example.org failed", "GET /v1/contacts/[hidden]@example.org failed"),
        ("?email=ada%40example.org&q=1", "?email=[hidden]%40example.org&q=1"),
        ("Key (email_key)=(jörg@exämple.de) already exists", "Key (email_key)=([hidden]@exämple.de) already exists"),
        ("version 1.2 @ 3.4, @decorated, a@b", "version 1.2 @ 3.4, @decorated, a@b"),
    ],
)
@pytest.mark.parametrize("form", ["json", "text"])
def test_no_local_part_of_an_address_stands_in_it(
    log: io.StringIO, monkeypatch: pytest.MonkeyPatch, text: str, shown: str, form: str
) -> None:
    monkeypatch.setattr(sys, "stderr", log)
    logs.set_up_logging(form)
    logging.getLogger("webapp.test").warning(text)
    message = log.getvalue().partition("webapp.test: ")[2].strip() or json.loads(log.getvalue())["message"]
    assert message == shown


@pytest.mark.usefixtures("settings")
@pytest.mark.parametrize("place", [*link_signing.ReaderPath, link_signing.VIEW])
def test_no_link_of_a_reader_stands_in_it(log: io.StringIO, place: str) -> None:
    token = link_signing.sign_ids(place, uuid4(), uuid4())
    logging.getLogger("webapp.test").error("POST /%s/%s/preferences failed, see /%s/pennypost.db", place, token, place)
    assert f"/{place}/{logs.HIDDEN}/preferences failed, see /{place}/pennypost.db" in log.getvalue()
    assert token.partition(".")[2] not in log.getvalue()


@pytest.mark.parametrize("place", ["claim", "join", "reset", "sign-up"])
def test_no_link_that_opens_something_stands_in_it(log: io.StringIO, place: str) -> None:
    logging.getLogger("webapp.test").warning("550 blocked: http://127.0.0.1:8000/%s/open-Sesame_1", place)
    assert "Sesame" not in log.getvalue()
    assert f"/{place}/{logs.HIDDEN}" in log.getvalue()
