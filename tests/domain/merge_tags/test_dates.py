"""The dates of merge tags: any text is one or none, and what is now is the time of rendering, where the organization is."""

import warnings
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.api.conftest import Api
from tests.api.mails import send
from tests.factories import make_template
from webapp.domain.merge_tags.dates import read_date, write_date
from webapp.models import Organization

PARTS = st.sampled_from(
    ["2016", "03", "14", "Mar", "monday", ":", "/", "-", ".", ",", " ", "T", "Z", "EST", "+02:00", "pm", "th", "9" * 12]
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


@given(st.integers(0, 10**11).map(lambda seconds: datetime.fromtimestamp(seconds, UTC)))
def test_a_date_that_is_written_reads_back_the_same(at: datetime) -> None:
    for pattern in ("%F %T", "%B %-d, %Y %T", "%a, %d %b %Y %T %z", "%d/%m/%Y %T", "%s"):
        assert read_date(write_date(at, pattern)) == at, pattern


@pytest.mark.usefixtures("account")
async def test_an_email_shows_the_time_of_the_organization(api: Api, acme: Organization) -> None:
    await Organization.filter(id=acme.id).update(timezone=FAR)
    template = {"id": str((await make_template(acme)).id)}
    _, body = await api.get(f"/v1/emails/{await send(api, html=None, subject=NOW, template=template)}")
    now = datetime.now(ZoneInfo(FAR))
    hours = [f"{at:%Y-%m-%d %H}" for at in (now, now - timedelta(minutes=5))]  # the hour may change meanwhile
    assert body["data"]["subject"] in hours
