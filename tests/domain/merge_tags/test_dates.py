"""The dates of merge tags: any text is one or none, and what is now is the time of rendering, where the organization is."""

import warnings
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.api.conftest import Api, make_api
from tests.apps import app_of
from tests.factories import account_on, make_template
from tests.fakes.smtp_server import SmtpServer
from webapp import clock
from webapp.config import Settings
from webapp.domain.merge_tags.budget import ContentKind
from webapp.domain.merge_tags.dates import (
    OURS,
    PATTERN_LENGTH,
    PLAIN,
    pattern_fault,
    read_date,
    rendering_at,
    write_date,
)
from webapp.domain.merge_tags.rendering import render_tags
from webapp.models import Organization

PARTS = st.sampled_from(
    ["2016", "03", "14", "Mar", "monday", ":", "/", "-", ".", ",", " ", "T", "Z", "EST", "+02:00", "pm", "th", "9" * 12]
)
PATTERNS = st.lists(
    st.sampled_from([*(f"%{letter}" for letter in (*sorted(PLAIN), *OURS)), "%-d", "%^b", "%:z", "%3N", "é\ud800\0"]),
    max_size=30,
)
NOW = "{{ 'now' | date: '%Y-%m-%d %H' }}"
FAR = "Pacific/Kiritimati"  # UTC+14: another hour and mostly another day


@given(st.text(max_size=70) | st.lists(PARTS, max_size=9).map("".join) | st.integers().map(str) | st.floats().map(str))
def test_any_text_is_a_date_or_none(text: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = read_date(text)
    if found is not None:
        assert found.tzinfo is not None
        assert write_date(found, "%Y %s %z %Z %c")


@given(st.datetimes(timezones=st.timezones()), PATTERNS.map("".join))
def test_any_date_is_written_in_any_pattern(at: datetime, pattern: str) -> None:
    if len(pattern) <= PATTERN_LENGTH:
        assert pattern_fault(pattern) is None
    assert len(write_date(at, pattern)) <= 30 * len(pattern)


@given(st.integers(0, 10**11).map(lambda seconds: datetime.fromtimestamp(seconds, UTC)))
def test_a_date_that_is_written_reads_back_the_same(at: datetime) -> None:
    for pattern in (
        "%F %T",
        "%d %B %Y %H:%M:%S",
        "%B %-d, %Y %T",
        "%a, %d %b %Y %T %z",
        "%d/%m/%Y %T",
        "%Y/%m/%d %T",
        "%s",
    ):
        assert read_date(write_date(at, pattern)) == at, pattern


def test_what_is_shown_of_an_instant_is_the_same_later() -> None:
    with rendering_at(datetime(2016, 3, 14, 9, tzinfo=UTC)):
        assert render_tags(NOW, {}, ContentKind.TEXT) == "2016-03-14 09"
    assert render_tags(NOW, {}, ContentKind.TEXT).startswith(f"{clock.now():%Y-%m-}")


@pytest.fixture
async def far(acme: Organization) -> Organization:
    """Our organization, far from UTC."""
    acme.timezone = FAR
    await acme.save()
    return acme


@pytest.fixture
async def api(settings: Settings, far: Organization) -> Api:
    return await make_api(app_of(settings), far)


def hours() -> set[str]:
    """The hour that it is there, and the one before: a test may see it change."""
    now = datetime.now(ZoneInfo(FAR))
    return {f"{at:%Y-%m-%d %H}" for at in (now, now - timedelta(minutes=5))}


async def test_an_email_shows_the_time_of_the_organization(
    api: Api, far: Organization, smtp_server: SmtpServer
) -> None:
    account = await account_on(smtp_server, far)
    template = await make_template(far, subject=NOW, body=f"<p>{NOW}</p>")
    chosen = {"to": "ada@example.org", "account_key": account.account_key}
    status, made = await api.post(
        "/v1/emails", chosen | {"from": "a@acme.example", "template": {"id": str(template.id)}}
    )
    assert status == 200, made
    _, body = await api.get(f"/v1/emails/{made['id']}")
    assert body["data"]["subject"] in hours()


async def test_what_is_no_date_is_told_where_the_template_is_saved(api: Api) -> None:
    for source, words in (
        ("{{ 'soon' | date: '%Y' }}", "'soon' is not a date"),
        ("{{ day | date: '%Q' }}", "unknown date format '%Q'"),
    ):
        status, body = await api.post("/v1/templates", {"name": "A", "subject": "Hi", "body": f"a\n{source}"})
        assert (status, body["details"][0]["field"]) == (400, "body")
        assert "line 2, column" in body["message"]
        assert words in body["message"]
