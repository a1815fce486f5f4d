"""Topics in files: what people chose goes out and comes back, and a file opts in only those who have not chosen."""

import asyncio
from csv import DictReader
from io import StringIO

import pytest

from tests.factories import make_contact, make_topic
from tests.pages.conftest import Visitor
from tests.pages.contacts.test_imports import check, confirm, counts, undo, upload
from tests.support.topics import choose
from webapp.domain.imports.worker import ROWS_AT_ONCE
from webapp.models import Consent, Contact, Event, Organization, Topic, TopicChoice

COLUMNS = {"column-1": "topics", "column-2": "left_topics"}
HEAD = "email,what they like,what they left\n"
Choices = dict[tuple[str, str], tuple[str, str]]


@pytest.fixture
async def topics(acme: Organization, rival: Organization) -> dict[str, Topic]:
    await make_topic(rival, name="Theirs")
    names = {"News": "opt_in", "Beta; early": "opt_out"}
    return {name: await make_topic(acme, name=name, default_subscription=default) for name, default in names.items()}


async def choices_of(org: Organization) -> Choices:
    """The subscription and its source by address and topic."""
    rows = await TopicChoice.of(org).select_related("contact", "topic")
    return {(row.contact.email, row.topic.name): (row.subscription, row.source) for row in rows}


async def test_a_file_opts_in_those_without_a_choice_and_out_always(
    owner: Visitor, acme: Organization, topics: dict[str, Topic]
) -> None:
    ada, bob = [await make_contact(acme, f"{name}@example.org") for name in ("ada", "bob")]
    await choose(topics["News"], ada, subscription="opt_out")
    await choose(topics["Beta; early"], bob, subscription="opt_in")
    rows = (
        "ada@example.org,NEWS;Beta; early,\n"  # she left one of them
        'bob@example.org,News,"beta;  EARLY"\n'
        "eve@example.org,News,News\n"  # less mail wins
        "fay@example.org,,\n"
    )
    page = await check(owner, await upload(owner, HEAD + rows), **COLUMNS)
    assert counts(page) == [2, 2, 0, 0]
    assert len(await choices_of(acme)) == 2
    page = await confirm(owner, page)
    assert counts(page) == [2, 2, 0, 0]
    changed: Choices = {
        ("ada@example.org", "Beta; early"): ("opt_in", "import"),
        ("bob@example.org", "News"): ("opt_in", "import"),
        ("bob@example.org", "Beta; early"): ("opt_out", "import"),
        ("eve@example.org", "News"): ("opt_out", "import"),
    }
    assert await choices_of(acme) == {("ada@example.org", "News"): ("opt_out", "person")} | changed
    consents = await Consent.of(acme).filter(kind="import", topic_id__not_isnull=True).select_related("contact")
    assert {(row.contact.email, row.topic_id) for row in consents} == {
        (email, topics[name].id) for email, name in changed
    }
    events = await Event.of(acme).filter(type="contact.topic_changed")
    assert [event.data["source"] for event in events] == ["import"] * len(changed)
    again = await check(owner, await upload(owner, HEAD + rows), **COLUMNS)
    assert counts(again) == [0, 0, 4, 0]
    page = await undo(owner, page)
    assert await choices_of(acme) == {
        ("ada@example.org", "News"): ("opt_out", "person"),
        ("bob@example.org", "Beta; early"): ("opt_in", "import"),
    }
    assert await Contact.of(acme).count() == 2


async def test_undoing_keeps_what_people_and_other_files_chose_since(
    owner: Visitor, acme: Organization, topics: dict[str, Topic]
) -> None:
    people = [await make_contact(acme, f"{name}@example.org") for name in ("ada", "bob", "cy")]
    data = HEAD + "ada@example.org,News,\nbob@example.org,News,\ncy@example.org,,News\n"
    first = await confirm(owner, await check(owner, await upload(owner, data), **COLUMNS))
    again = HEAD + "cy@example.org,,News\ndan@example.org,,\n"
    await confirm(owner, await check(owner, await upload(owner, again), **COLUMNS))
    await choose(topics["News"], people[0], subscription="opt_out")
    page = await undo(owner, first)
    assert "1 restored" in page.text
    assert await choices_of(acme) == {
        ("ada@example.org", "News"): ("opt_out", "person"),
        ("cy@example.org", "News"): ("opt_out", "import"),
    }


@pytest.mark.parametrize("known", ["change", "leave"])
async def test_known_contacts_that_stay_unchanged_are_opted_out_alone(
    owner: Visitor, acme: Organization, topics: dict[str, Topic], known: str
) -> None:
    await make_contact(acme, "ada@example.org")
    data = HEAD + "ada@example.org,News,Beta; early\nnew@example.org,News,\n"
    await confirm(owner, await check(owner, await upload(owner, data), known=known, **COLUMNS))
    expected = {("ada@example.org", "Beta; early"), ("new@example.org", "News")}
    assert (await choices_of(acme)).keys() == expected | ({("ada@example.org", "News")} if known == "change" else set())


async def test_rows_with_unknown_topics_are_skipped_unless_they_say_that_someone_left(
    owner: Visitor, acme: Organization, topics: dict[str, Topic]
) -> None:
    rows = (
        'a@example.org,"News, Beta",,\nb@example.org,Theirs,,\nc@example.org,Theirs;News,,yes\nd@example.org,News,,\n'
    )
    page = await upload(owner, "email,topics,left,unsubscribed\n" + rows)
    page = await confirm(owner, await check(owner, page, **COLUMNS))
    assert counts(page) == [2, 0, 0, 2]
    assert [row[1] for row in page.rows if row[0].isdigit()] == [
        f"Topics must be names of topics, separated by semicolons: “{name}” isn't one"
        for name in ("News, Beta", "Theirs")
    ]
    people = {contact.email: contact.status for contact in await Contact.of(acme)}
    assert people == {"c@example.org": "unsubscribed", "d@example.org": "subscribed"}
    assert (await choices_of(acme)).keys() == {("c@example.org", "News"), ("d@example.org", "News")}


async def test_cells_full_of_separators_cost_no_time(
    owner: Visitor, acme: Organization, topics: dict[str, Topic]
) -> None:
    rows = "".join(f"p{number}@example.org,{';' * 60_000},{left}\n" for number in range(20) for left in ("", "yes"))
    page = await upload(owner, "email,topics,unsubscribed\n" + rows)
    async with asyncio.timeout(20):  # 90 seconds if each separator moves the others
        page = await check(owner, page, **{"column-1": "topics"})
    assert counts(page) == [20, 0, 0, 20]
    assert "Topics must have at most 100 names" in page.text


async def test_columns_of_topics_are_offered_where_there_are_topics(owner: Visitor, acme: Organization) -> None:
    page = await upload(owner, HEAD)
    for has_topics in (False, True):
        offered = {option["value"] for option in page.soup.select("[name=column-1] option")}
        assert (set(COLUMNS.values()) <= offered, "separated by semicolons" in page.text) == (has_topics, has_topics)
        await make_topic(acme)
        page = await owner.get(page.path)


async def test_an_export_comes_back_with_its_choices(
    owner: Visitor, rival_owner: Visitor, acme: Organization, rival: Organization, topics: dict[str, Topic]
) -> None:
    ada = await make_contact(acme, "ada@example.org", custom_fields={"topics": "own"})
    bob = await make_contact(acme, "bob@example.org")
    for name, subscription in (("News", "opt_out"), ("Beta; early", "opt_in")):
        await choose(topics[name], ada, subscription=subscription)
    await choose(topics["News"], bob, subscription="opt_in")
    before = await choices_of(acme)
    data = (await owner.get("/contacts/export.csv")).data
    rows = {row["email"]: row for row in DictReader(StringIO(data.decode("utf-8-sig")))}
    assert [rows["ada@example.org"][name] for name in ("topics", "left_topics", "custom:topics")] == [
        *("Beta; early", "News", "own")
    ]
    assert [rows["bob@example.org"][name] for name in ("topics", "left_topics")] == ["News", ""]
    assert counts(await check(owner, await upload(owner, data))) == [0, 0, 2, 0]
    assert counts(await check(rival_owner, await upload(rival_owner, data))) == [0, 0, 0, 2]
    for name in topics:
        await make_topic(rival, name=name.upper())
    await confirm(rival_owner, await check(rival_owner, await upload(rival_owner, data)))
    theirs = {(email, name): (subscription, "import") for (email, name), (subscription, _) in before.items()}
    assert {(email, name.upper()): chosen for (email, name), chosen in theirs.items()} == await choices_of(rival)
    assert await choices_of(acme) == before


async def test_a_row_of_a_later_batch_adds_to_the_choices_of_an_earlier_one(
    owner: Visitor, acme: Organization, topics: dict[str, Topic]
) -> None:
    others = "".join(f"p{number}@example.org,,\n" for number in range(ROWS_AT_ONCE))
    data = f"{HEAD}ada@example.org,News,\n{others}ada@example.org,Beta; early,News\n"
    page = await check(owner, await upload(owner, data), **COLUMNS)
    assert counts(page)[0] == ROWS_AT_ONCE + 1
    await confirm(owner, page)
    assert await choices_of(acme) == {
        ("ada@example.org", "News"): ("opt_out", "import"),
        ("ada@example.org", "Beta; early"): ("opt_in", "import"),
    }
