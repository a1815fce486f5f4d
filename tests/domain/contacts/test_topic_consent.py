"""Choices about topics and pauses in the consent log: they come back after a restore, towards less mail alone."""

import json
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest

from tests.api.conftest import Api
from tests.factories import make_contact, make_topic
from webapp.config import Settings
from webapp.domain.contacts.consent import write_waiting
from webapp.domain.instance.restore import apply_consent
from webapp.models import Consent, Contact, Organization, Topic, TopicChoice

UNTIL = datetime(2100, 1, 1, tzinfo=UTC)


async def choose(api: Api, contact: Contact, topic: Topic, subscription: str) -> None:
    body = {"topics": [{"id": str(topic.id), "subscription": subscription}]}
    assert (await api.patch(f"/v1/contacts/{contact.id}/topics", body))[0] == 200


async def choices_in(org: Organization) -> set[tuple[str, str, str]]:
    """Address, topic and subscription of each choice."""
    rows = await TopicChoice.of(org).select_related("contact", "topic")
    return {(row.contact.email, row.topic.name, row.subscription) for row in rows}


def lines_of(settings: Settings) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (settings.data_dir / "consent.log").read_text().splitlines() if line]


async def test_every_choice_is_logged_before_the_answer_and_the_same_one_is_not(
    api: Api, settings: Settings, acme: Organization
) -> None:
    contact, topic = await make_contact(acme), await make_topic(acme)
    for subscription in ("opt_out", "opt_out", "opt_in"):
        await choose(api, contact, topic, subscription)
    lines = lines_of(settings)
    assert [line["topics"] for line in lines] == [{str(topic.id): value} for value in ("opt_out", "opt_in")]
    assert (lines[0]["email"], lines[0]["status"]) == (contact.email, "subscribed")


async def test_a_restore_opts_out_again_who_left_a_topic_since(
    api: Api, acme: Organization, rival: Organization
) -> None:
    left, back, since, moved, gone = [
        await make_contact(acme, f"{name}@example.org") for name in ("left", "back", "since", "moved", "gone")
    ]
    theirs = await make_contact(rival, left.email)
    topic, joined = (
        await make_topic(acme, name="News"),
        await make_topic(acme, name="Beta", default_subscription="opt_out"),
    )
    later = await make_topic(acme, name="Later")
    for contact in (left, back, since, moved, gone):
        await choose(api, contact, topic, "opt_out")
    await choose(api, left, later, "opt_out")
    await choose(api, back, topic, "opt_in")
    await choose(api, left, joined, "opt_in")
    await api.patch(f"/v1/contacts/{left.id}", {"do_not_track": True})  # its line names no topics
    await api.patch(f"/v1/contacts/{moved.id}", {"email": "elsewhere@example.org"})
    await api.delete(f"/v1/contacts/{gone.id}")
    # The database is that of the backup, without the choices, a contact and a topic.
    await TopicChoice.of(acme).delete()
    await later.delete()
    await Contact.filter(id=since.id).delete()
    await Contact.filter(id=left.id).update(do_not_track=False)
    await Contact.filter(id=moved.id).update(email=moved.email, email_key=moved.email)
    consents = await Consent.of(acme).filter(kind="person").count()
    assert await apply_consent() > 0
    expected = {(f"{name}@example.org", "News", "opt_out") for name in ("left", "since", "moved")}
    assert await choices_in(acme) == expected
    assert await Contact.of(acme).filter(email=gone.email).count() == 0
    assert {row.status for row in await Contact.of(acme)} == {"subscribed"}
    assert await Consent.of(acme).filter(kind="person").count() == consents + 3
    assert await apply_consent() == 0
    assert await choices_in(rival) == set()
    await theirs.refresh_from_db()
    assert not theirs.do_not_track


async def test_who_was_made_again_gets_the_topics_that_they_get(api: Api, acme: Organization) -> None:
    contact, topic = await make_contact(acme, "ann@example.org"), await make_topic(acme)
    await choose(api, contact, topic, "opt_out")
    await api.delete(f"/v1/contacts/{contact.id}")
    assert (await api.post("/v1/contacts", {"email": contact.email}))[0] == 201
    assert await apply_consent() == 0
    assert await choices_in(acme) == set()


@pytest.mark.parametrize(
    "topics", [{"nonsense": "opt_out"}, {str(uuid4()): "opt_out"}, [], {str(uuid4()): 1}, None, {str(uuid4()): {}}]
)
async def test_a_line_with_unknown_topics_harms_nothing(
    api: Api, settings: Settings, acme: Organization, topics: object
) -> None:
    contact = await make_contact(acme)
    await choose(api, contact, await make_topic(acme), "opt_out")
    (line,) = lines_of(settings)
    with (settings.data_dir / "consent.log").open("a") as file:
        file.write(json.dumps(line | {"topics": topics}) + "\n")
    await TopicChoice.of(acme).delete()
    assert await apply_consent() == 1
    assert await apply_consent() == 0


async def test_a_restore_brings_pauses_back_and_never_shortens_one(api: Api, acme: Organization) -> None:
    names = ("paused", "longer", "over", "since")
    contacts = {name: await make_contact(acme, f"{name}@example.org") for name in names}
    for contact in contacts.values():
        await api.patch(f"/v1/contacts/{contact.id}", {"paused_until": UNTIL.isoformat()})
    await api.patch(f"/v1/contacts/{contacts['over'].id}", {"paused_until": None})
    # The database is that of the backup.
    await Contact.of(acme).update(paused_until=None)
    longer = UNTIL.replace(year=2101)
    await Contact.filter(id=contacts["longer"].id).update(paused_until=longer)
    await Contact.filter(id=contacts["since"].id).delete()
    await write_waiting()
    assert await apply_consent() == 2
    pauses = {row.email.partition("@")[0]: row.paused_until for row in await Contact.of(acme)}
    assert pauses == {"paused": UNTIL, "longer": longer, "over": None, "since": UNTIL}
    assert await apply_consent() == 0
