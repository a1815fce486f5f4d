"""Filters in SQL against a plain reading of the same trees, and what is refused of them."""

import random
import re
import unicodedata
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal, InvalidOperation
from typing import Any
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

import pytest

from tests.factories import make_account, make_campaign, make_contact, make_run, make_segment
from webapp import clock, db
from webapp.db.dialects import Values
from webapp.domain.contacts.search import ContactFilters, count_contacts
from webapp.domain.segments.filters import read_filter
from webapp.models import CampaignContact, CampaignRun, Contact, MailHit, MailLog, Organization
from webapp.models.queries.contacts.segment_filter import FilterQuery, resolve_days

TIMEZONE = "America/New_York"
TEXTS = (
    "Berlin", "BERLIN", "Berlin Mitte", "Köln", "KÖLN", "straße", "STRASSE", "", " ", "a%b", "a_b", 'say "hi"', "c:\\x",
    "42", "ﬁn",
)  # fmt: skip
VALUES = (
    *TEXTS, 42, 42.0, 42.5, -7, 0, True, False, None, "007", "2026-05-01", "2026-05-01T10:00:00Z", "1e3", "12,5",
    "1.5.2026", "31.12.2025 08:00", "31.02.2026", "1.5.20261", "1.2",
    "1.234,50", "1,234.50", "1,234", "1.234", "1.234.567", "-3,5", "0,125", "12.34,5",
)  # fmt: skip
NAMES = ("City", "city", "CITY", "age", "Größe", "since", 'x"y', "a\\b", "first name")


TEXT_OPS = ("is", "is_not", "contains", "not_contains", "starts_with", "ends_with")
TEXT_VALUES = (
    "Berlin", "berl", "KÖLN", "strasse", "a%b", "a_b", 'say "hi"', "c:\\x", "fin", 42, 42.0, 42.5, "007", "2026-05-01",
)  # fmt: skip
DATES = ("2026-05-01", "2025-12-31", "2026-11-20")
TIMES = ("2026-05-01T03:30:00Z", "2026-05-01T04:00:00+00:00", "2026-05-01T12:00:00.000001+02:00")
INSTANTS = ("created_at", "unsubscribed_at", "bounced_at")
POSITIVE = {"is_not": "is", "not_contains": "contains", "is_not_set": "is_set", "not_in": "in", "not_got": "got"}
POSITIVE["not_in_last_days"] = "in_last_days"
ENGAGED = ("opened", "clicked", "not_opened", "not_clicked")  # "not" leaves out who cannot be known to have
RELATIVE = ("this_month", "last_month")
YEARLY = ("anniversary_this_month", "anniversary_today")
EVERYBODY = {"field": "email", "op": "is_set"}


class Plain:
    """Reads a tree as its documentation says, of contacts that are Python objects."""

    def __init__(
        self, segments: Mapping[str, set[UUID]], campaigns: Mapping[str, Mapping[str, set[UUID]]], now: datetime
    ) -> None:
        self._segments, self._campaigns, self._now = segments, campaigns, now

    def holds(self, tree: Mapping[str, Any], contact: Contact) -> bool:
        if "and" in tree:
            return all(self.holds(one, contact) for one in tree["and"])
        if "or" in tree:
            return any(self.holds(one, contact) for one in tree["or"])
        if "not" in tree:
            return not self.holds(tree["not"], contact)
        if tree["op"] in POSITIVE:
            return not self.holds({**tree, "op": POSITIVE[tree["op"]]}, contact)
        return self._is_met(tree["field"], tree["op"], tree.get("value"), contact)

    def _is_met(self, field: str, op: str, value: Any, contact: Contact) -> bool:
        if field == "segment":
            return contact.id in self._segments[value]
        if field == "campaign":
            return contact.id in self._campaigns[value][op]
        if field in ("created_at", "unsubscribed_at", "bounced_at"):
            return self._instant(getattr(contact, field), op, value)
        if not field.startswith("custom_fields."):
            return self._text(getattr(contact, field), op, value)
        values = {fold(name): value for name, value in sorted(contact.custom_fields.items()) if fold(value)}
        return self._text(values.get(fold(field.removeprefix("custom_fields."))), op, value)

    def _instant(self, at: datetime | None, op: str, value: Any) -> bool:
        if op == "is_set" or at is None:
            return at is not None
        if op == "in_last_days":
            return at >= self._now - timedelta(days=value)
        if op in RELATIVE:
            return self._is_in_month(at.astimezone(ZoneInfo(TIMEZONE)).date(), op)
        if "T" in value:
            given = datetime.fromisoformat(value)
            return at < given if op == "before" else at > given
        day = at.astimezone(ZoneInfo(TIMEZONE)).date().isoformat()
        return {"before": day < value, "after": day > value, "on": day == value}[op]

    def _is_recent(self, day: date, op: str, value: Any) -> bool:
        if op in RELATIVE:
            return self._is_in_month(day, op)
        today = self._now.astimezone(ZoneInfo(TIMEZONE)).date()
        if op in YEARLY:
            return day.month == today.month and (op == "anniversary_this_month" or day.day == today.day)
        return timedelta(0) <= today - day <= timedelta(days=value)

    def _is_in_month(self, day: date, op: str) -> bool:
        today = self._now.astimezone(ZoneInfo(TIMEZONE))
        months = 12 * (today.year - day.year) + today.month - day.month
        return months == RELATIVE.index(op)

    def _text(self, stored: Any, op: str, value: Any) -> bool:
        text = fold(stored)
        if op == "is_set" or not text:
            return bool(text)
        if op in ("greater_than", "less_than"):
            number = number_of(text)
            return number is not None and (number > value if op == "greater_than" else number < value)
        if op in ("before", "after", "on"):
            day = day_of(text)
            return day is not None and {"before": day < value, "after": day > value, "on": day == value}[op]
        if op in ("in_last_days", *RELATIVE, *YEARLY):
            return (day := day_of(text)) is not None and self._is_recent(date.fromisoformat(day), op, value)
        part = fold(value)
        return {
            "is": text == part,
            "contains": part in text,
            "starts_with": text.startswith(part),
            "ends_with": text.endswith(part),
        }[op]


def fold(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value == int(value):
        value = int(value)
    return unicodedata.normalize("NFKC", str(value)).casefold().strip()


def number_of(text: str) -> float | None:
    """One sign of decimals, the last one, and thousands in groups of three before it; 1,234 may be either."""
    if any(character not in "+-.,0123456789" for character in text):
        return None
    whole, mark, decimals = text.rpartition("," if text.rfind(",") > text.rfind(".") else ".")
    other = {",": ".", ".": ","}.get(mark, "")
    if mark and whole.count(mark):  # it separates thousands
        whole, other, decimals = text, mark, ""
    groups = whole.lstrip("+-").split(other) if other else [whole]
    if len(groups) > 1 and (any(len(group) != 3 for group in groups[1:]) or not 1 <= len(groups[0]) <= 3):
        return None
    if mark == "," and len(groups) == 1 and len(decimals) == 3 and len(groups[0]) < 4 and groups[0][:1] != "0":
        return None
    try:
        return float(Decimal(f"{whole.replace(other, '') if other else whole}.{decimals or 0}" if mark else text))
    except InvalidOperation:
        return None


def day_of(text: str) -> str | None:
    if "." in text[:3]:
        day, month, year = (*text.partition(" ")[0].split("."), "", "")[:3]
        text = f"{year}-{month:0>2}-{day:0>2}"
    try:
        return date.fromisoformat(text[:10]).isoformat() if not text[10:11].isdigit() else None
    except ValueError:
        return None


class Trees:
    def __init__(self, chance: random.Random, segments: list[str], campaigns: list[str]) -> None:
        self._chance, self._segments, self._campaigns = chance, segments, campaigns

    def tree(self, depth: int = 1) -> dict[str, Any]:
        kind = self._chance.choice(("leaf", "leaf", "and", "or", "not")) if depth < 4 else "leaf"
        if kind == "leaf":
            return self._leaf()
        if kind == "not":
            return {"not": self.tree(depth + 1)}
        return {kind: [self.tree(depth + 1) for _ in range(self._chance.randint(1, 3))]}

    def _leaf(self) -> dict[str, Any]:
        field, ops, values = self._chance.choice(
            (
                (
                    self._chance.choice(("email", "first_name", "last_name", "phone")),
                    TEXT_OPS,
                    (*TEXT_VALUES, "@example.org", "b"),
                ),
                (self._custom(), TEXT_OPS, (*TEXT_VALUES, "true", "e")),
                (self._custom(), ("greater_than", "less_than"), (0, 41, 42, 42.5, -10)),
                (self._custom(), ("before", "after", "on"), DATES),
                (self._chance.choice((self._custom(), "first_name", *INSTANTS)), ("is_set", "is_not_set"), (None,)),
                ("status", ("is", "is_not"), ("subscribed", "unsubscribed")),
                (self._chance.choice(INSTANTS), ("before", "after", "on"), DATES),
                (self._chance.choice(INSTANTS), ("before", "after"), TIMES),
                (self._chance.choice((*INSTANTS, self._custom())), ("in_last_days", "not_in_last_days"), (1, 30, 400)),
                (self._chance.choice((*INSTANTS, self._custom())), RELATIVE, (None,)),
                (self._custom(), YEARLY, (None,)),
                ("segment", ("in", "not_in"), self._segments),
                ("campaign", ("got", "not_got", *ENGAGED), self._campaigns),
            )
        )
        value = self._chance.choice(values)
        return {"field": field, "op": self._chance.choice(ops)} | ({} if value is None else {"value": value})

    def _custom(self) -> str:
        return f"custom_fields.{self._chance.choice((*NAMES, 'nobody has it'))}"


async def make_contacts(org: Organization, chance: random.Random, number: int) -> list[Contact]:
    now, contacts = clock.now(), []
    edges = [
        datetime(2026, 5, 1, 3, 59, 59, 999_999, UTC),
        datetime(2026, 5, 1, 4, tzinfo=UTC),
        datetime(2026, 5, 2, 3, 30, tzinfo=UTC),
        now - timedelta(hours=1),
        now - timedelta(days=31),
    ]
    days = [
        (now + timedelta(days=offset)).strftime(form) for offset in (1, 0, -1, -31) for form in ("%Y-%m-%d", "%d.%m.%Y")
    ]
    for position in range(number):
        unsubscribed = chance.random() < 0.3
        contact = await make_contact(
            org,
            f"b{position}@Example.org",
            first_name=chance.choice((*TEXTS[:8], None)) or None,
            phone=chance.choice(("42", "+49 30 1", None)),
            custom_fields={
                name: chance.choice((*VALUES, *days)) for name in chance.sample(NAMES, chance.randint(0, 4))
            },
            status="unsubscribed" if unsubscribed else "subscribed",
            unsubscribed_at=chance.choice(edges) if unsubscribed else None,
            bounced_at=chance.choice((*edges, None, None)),
            do_not_track=chance.random() < 0.1,
        )
        await Contact.of(org).filter(id=contact.id).update(created_at=chance.choice(edges))
        contacts.append(contact)
    return await Contact.of(org).order_by("id")


async def send_some(
    org: Organization, contacts: list[Contact], chance: random.Random, runs: int
) -> tuple[str, dict[str, set[UUID]]]:
    """A campaign of some runs, the mail of some deleted since, and whom each operator finds.

    It got those whom it reached, or will reach by itself.
    """
    account, campaign_id = await make_account(org), (await make_campaign(org)).id
    statuses: dict[UUID, list[str]] = {contact.id: [] for contact in contacts if chance.random() < 0.6}
    for _ in range(runs):
        reached = chance.sample(sorted(statuses), len(statuses) // 2)
        run, rows = await make_run(org, [account], len(reached))
        tracking = {"opens": True, "clicks": chance.random() < 0.5}
        await CampaignRun.of(org).filter(id=run.id).update(campaign_id=campaign_id, tracking=tracking)
        for contact_id, row_id in zip(reached, rows, strict=True):
            status = chance.choice(("sent", "failed", "failed", "pending", "halted"))
            statuses[contact_id].append(status)
            await (
                MailLog.of(org).filter(id=row_id).update(contact_id=contact_id, campaign_id=campaign_id, status=status)
            )
    for contact_id in statuses:
        await CampaignContact.create(org=org, campaign_id=campaign_id, contact_id=contact_id)
    found = {
        "got": {one for one, states in statuses.items() if not states or set(states) - {"failed", "halted"}},
        "opened": set[UUID](),
        "clicked": set[UUID](),
    }
    may_have: dict[str, set[UUID]] = {"opened": set(), "clicked": set()}
    for contact_id in chance.sample(sorted(statuses), len(statuses) // 2):
        verdict, is_click = chance.choice(("person", "person", "proxy", "agent", None)), chance.random() < 0.4
        await MailHit.create(
            org=org,
            mail_log_id=uuid4(),
            campaign_id=campaign_id,
            contact_id=contact_id,
            link_id=uuid4() if is_click else None,
            agent="Firefox",
            network="n",
            verdict=verdict,
        )
        if verdict == "person":
            found["clicked" if is_click else "opened"].add(contact_id)
        if verdict != "agent":
            may_have["opened"].add(contact_id)
            may_have["clicked"].update({contact_id} if is_click else ())
    left = {one for one, states in statuses.items() if not states or set(states) - {"failed"}}
    left -= {contact.id for contact in contacts if contact.do_not_track}
    tracked = [run.tracking or {} for run in await CampaignRun.of(org).filter(campaign_id=campaign_id)]
    for op, kind in (("opened", "opens"), ("clicked", "clicks")):
        found[f"not_{op}"] = left - may_have[op] if any(tracking.get(kind) for tracking in tracked) else set()
    return str(campaign_id), found


async def matching(org: Organization, tree: Mapping[str, Any], now: datetime) -> set[UUID]:
    values = Values()
    condition = FilterQuery(org.id, values).matching(resolve_days(read_filter(tree), TIMEZONE, now))
    ids = await db.fetch_ids(
        f"SELECT c.id FROM contacts c WHERE c.org_id = {values.name(org.id)} AND {condition}", *values
    )
    return set(ids)


async def test_500_random_filters_match_whom_a_plain_reading_matches(acme: Organization, rival: Organization) -> None:
    seed = random.randrange(10**9)
    chance = random.Random(seed)
    contacts, stranger = await make_contacts(acme, chance, 200), await make_contact(rival, "b1@example.org")
    segments = {}
    for number in range(2):
        members = chance.sample(contacts, 60)
        segment = await make_segment(acme, *members, name=f"Segment {number}")
        segments[str(segment.id)] = {contact.id for contact in members}
    campaigns = dict([await send_some(acme, contacts, chance, runs) for runs in (1, 2, 3)])
    await send_some(rival, [stranger], chance, 1)
    theirs = await make_segment(rival, stranger)
    missing = (str(theirs.id), str(uuid4()))  # nobody matches what names them
    segments[missing[0]], campaigns[missing[1]] = set(), {op: set() for op in ("got", *ENGAGED)}
    now, trees, sizes = clock.now(), Trees(chance, list(segments), list(campaigns)), set[int]()
    plain = Plain(segments, campaigns, now)
    for campaign_id in campaigns:
        for op in ("got", "not_got", *ENGAGED):
            tree = {"field": "campaign", "op": op, "value": campaign_id}
            expected = {one.id for one in contacts if campaign_id not in missing and plain.holds(tree, one)}
            assert await matching(acme, tree, now) == expected, f"seed {seed}: {tree}"
            for filter_ in (tree, {"and": [{"or": [tree]}]}, {"and": [tree, EVERYBODY]}):
                assert await count_contacts(acme, ContactFilters(filter=filter_)) == len(expected), (
                    f"seed {seed}: {tree}"
                )
    for _ in range(500):
        tree = trees.tree()
        is_whole = not any(gone in str(tree) for gone in missing)
        expected = {contact.id for contact in contacts if is_whole and plain.holds(tree, contact)}
        assert await matching(acme, tree, now) == expected, f"seed {seed}: {tree}"
        assert read_filter(read_filter(tree)) == read_filter(tree)
        sizes.add(len(expected))
    assert len(sizes) > 50  # they tell contacts apart


CITY = {"field": "custom_fields.city", "op": "is", "value": "Berlin"}


@pytest.mark.parametrize(
    ("tree", "fault"),
    [
        ({}, "must have one of and, or, not, or field with op and value"),
        ({"or": [CITY, {"not": 1}]}, "at or.1.not must be an object"),
        ({**CITY, "value": " "}, "at value must be a text of 1 to 1,000 characters"),
        ({**CITY, "op": "greater_than", "value": "42"}, "at value must be a number like 4.50, of 15 digits at most"),
        ({"field": "created_at", "op": "in_last_days", "value": 0}, "at value must be an integer from 1 to 36,500"),
        (
            {"field": "created_at", "op": "this_month", "value": 1},
            "at value must not be given: the operator compares nothing",
        ),
        ({"field": "segment", "op": "in", "value": "Berlin"}, "at value must be a UUID"),
        ({"and": [CITY] * 51}, "has more than 50 conditions"),
        ({"not": {"not": {"not": {"not": {"not": {"not": CITY}}}}}}, "is nested deeper than 6 levels"),
    ],
)
def test_a_filter_that_cannot_be_read_is_refused_in_words(tree: Any, fault: str) -> None:
    with pytest.raises(ValueError, match=re.escape(fault)) as refused:
        read_filter(tree)
    assert str(refused.value) == fault
