"""Columns of an import with names of topics: those that people opted in to, and those that they left.

A file opts people in where they have not chosen themselves, and out always.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple
from uuid import UUID

from webapp import clock
from webapp.addresses import email_key
from webapp.domain.contacts import consent
from webapp.domain.contacts.columns import LEFT_TOPICS, TOPICS
from webapp.domain.contacts.consents import record_consents
from webapp.domain.contacts.upsert import RowResult, RowStatus
from webapp.domain.event_log import record_topics
from webapp.domain.inputs import NAME_LENGTH, storable
from webapp.domain.topics.choices import consent_of
from webapp.errors import ValidationError
from webapp.models import Contact, ContactImport, ImportChange, Organization, Topic, TopicChoice
from webapp.models.contact import ConsentKind
from webapp.models.contact_import import ImportStatus
from webapp.models.topic import MOST_TOPICS, Subscription, topic_key

SEPARATOR = ";"
NAME_SHOWN = 60
MOST_PARTS = 2 * MOST_TOPICS  # of a cell between separators, because a row may have 64 KiB of them
LONGEST_NAME = 2 * NAME_LENGTH  # characters of what is compared with names
Wanted = Mapping[UUID, Subscription]


class TopicReader:
    def __init__(self, topics: Sequence[Topic], mapping: Mapping[int, str]) -> None:
        self._ids = {topic.name_key: topic.id for topic in topics}
        self._lengths = sorted({1 + topic.name.count(SEPARATOR) for topic in topics}, reverse=True)  # in parts
        # Those that people left come last, because less mail wins.
        names = {TOPICS: Subscription.OPT_IN, LEFT_TOPICS: Subscription.OPT_OUT}
        self._columns = [(number, names[name]) for name in names for number, field in mapping.items() if field == name]

    def read(self, cells: Sequence[str], *, is_lenient: bool) -> dict[UUID, Subscription]:
        """The subscriptions in a row. Raises ValidationError for an unknown name unless `is_lenient`."""
        wanted: dict[UUID, Subscription] = {}
        for number, subscription in self._columns:
            cell = cells[number] if number < len(cells) else ""
            parts = [part.strip() for part in cell.split(SEPARATOR, MOST_PARTS)]
            if len(parts) > MOST_PARTS and not is_lenient:
                raise ValidationError.at(TOPICS, f"must have at most {MOST_PARTS} names")
            parts = parts[:MOST_PARTS]
            while parts:
                length, topic_id = self._first_of(parts)
                if topic_id is not None:
                    wanted[topic_id] = subscription
                elif parts[0] and not is_lenient:
                    name = storable(parts[0][:NAME_SHOWN])
                    raise ValidationError.at(
                        TOPICS, f"must be names of topics, separated by semicolons: “{name}” isn't one"
                    )
                del parts[:length]
        return wanted

    def _first_of(self, parts: Sequence[str]) -> tuple[int, UUID | None]:
        """The number of parts in the first topic's name, which may contain semicolons, and its id."""
        for length in self._lengths:
            name = f"{SEPARATOR} ".join(parts[:length])
            if len(name) <= LONGEST_NAME and (topic_id := self._ids.get(topic_key(name))):
                return length, topic_id
        return 1, None


class RowChoices(NamedTuple):
    """The former choices (or None) that a row changes, and all choices in the row, unchanged ones included."""

    before: dict[str, str | None]
    after: dict[str, str]


async def choose_topics(
    org: Organization,
    held: ContactImport,
    results: Sequence[RowResult],
    wanted: Sequence[Wanted],
    known: Collection[ImportChange],
) -> tuple[list[RowResult], list[RowChoices]]:
    """The results with what rows say about topics, and what each changes, which is saved unless it is a dry run.

    `known` are the changes of earlier batches.
    """
    if not any(wanted):
        return list(results), [RowChoices({}, {})] * len(results)
    is_dry_run = held.status == ImportStatus.CHECKING
    contacts = {result.contact.email_key: result.contact for result in results if result.contact is not None}
    own = await _own_choices(org, contacts)
    for change in known if is_dry_run else ():
        own[email_key(change.after["email"])] |= topics_in(change.after)
    chosen, choices = [], []
    for result, topics in zip(results, wanted, strict=True):
        row = RowChoices({}, {})
        if result.contact is not None:
            may_opt_in = held.overwrites or result.status is RowStatus.CREATED
            row = _changes_to(own[result.contact.email_key], topics, may_opt_in=may_opt_in)
        is_first = bool(row.before) and result.status is RowStatus.UNCHANGED
        chosen.append(replace(result, status=RowStatus.CHANGED) if is_first else result)
        choices.append(row)
    if not is_dry_run:
        await _save(org, results, choices)
    return chosen, choices


async def _own_choices(org: Organization, contacts: Mapping[str, Contact]) -> dict[str, dict[UUID, str]]:
    """The choices of existing contacts, by address."""
    own: dict[str, dict[UUID, str]] = {key: {} for key in contacts}
    there = {contact.id: contact.email_key for contact in await Contact.with_keys(org, contacts)}
    for choice in await TopicChoice.of_contacts(org, there):
        own[there[choice.contact_id]][choice.topic_id] = choice.subscription
    return own


def topics_in(values: Mapping[str, Any]) -> dict[UUID, str]:
    """The topics in the values of an import's change."""
    return {UUID(topic_id): subscription for topic_id, subscription in values.get(TOPICS, {}).items()}


def without_topics(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name != TOPICS}


def merged_values(earlier: Mapping[str, Any], later: Mapping[str, Any]) -> dict[str, Any]:
    topics = {**earlier.get(TOPICS, {}), **later.get(TOPICS, {})}
    return {**earlier, **later, **({TOPICS: topics} if topics else {})}


def _changes_to(own: dict[UUID, str], wanted: Wanted, *, may_opt_in: bool) -> RowChoices:
    """Also changes `own`."""
    before: dict[str, str | None] = {}
    after: dict[str, str] = {}
    for topic_id, subscription in wanted.items():
        known = own.get(topic_id)
        is_less = subscription == Subscription.OPT_OUT
        if known == subscription if is_less else (known is not None or not may_opt_in):
            if is_less:
                after[str(topic_id)] = subscription
            continue
        before[str(topic_id)], after[str(topic_id)] = known, subscription
        own[topic_id] = subscription
    return RowChoices(before, after)


async def _save(org: Organization, results: Sequence[RowResult], row_choices: Sequence[RowChoices]) -> None:
    """Saves choices of locked contacts in the outer transaction, with their events and consents."""
    contacts, choices = {}, defaultdict[UUID, dict[UUID, str]](dict)
    for result, made in zip(results, row_choices, strict=True):
        if result.contact is not None and made.before:
            contacts[result.contact.id] = result.contact
            choices[result.contact.id] |= {UUID(topic_id): made.after[topic_id] for topic_id in made.before}
    wanted = {topic_id for topics in choices.values() for topic_id in topics}
    topics = {topic.id: topic for topic in await Topic.lock_for_choices(org, wanted)}
    known = await TopicChoice.of_contacts(org, choices)
    await TopicChoice.delete_among([row.id for row in known if row.topic_id in choices[row.contact_id]])
    rows = [
        _choice(org, contact_id, topic_id, subscription)
        for contact_id, chosen in choices.items()
        for topic_id, subscription in chosen.items()
        if topic_id in topics
    ]
    await TopicChoice.insert_many(rows)
    await record_consents(consent_of(row, topics[row.topic_id]) for row in rows)
    # The consent log is for choices that mean less mail.
    left: dict[UUID, dict[UUID, str]] = defaultdict(dict)
    for row in rows:
        if row.subscription == Subscription.OPT_OUT:
            left[row.contact_id][row.topic_id] = row.subscription
    await consent.record([contacts[contact_id] for contact_id in left], topics=left)
    await record_topics(rows)


async def take_back_choices(
    org: Organization, changes: Sequence[tuple[Contact, ImportChange]], others: Mapping[UUID, Collection[UUID]]
) -> set[UUID]:
    """Undoes choices of locked contacts that are as the import left them; returns the ids of changed contacts.

    `others` are the topics that other imports opted the contacts out of.
    """
    contacts = {contact.id: contact for contact, _ in changes}
    rows = {(row.contact_id, row.topic_id): row for row in await TopicChoice.of_contacts(org, contacts)}
    removed, restored = list[TopicChoice](), list[TopicChoice]()
    for contact, change in changes:
        has_chosen = contact.chosen_at is not None and contact.chosen_at >= change.created_at
        after, before = topics_in(change.after), topics_in(change.before or {})
        for topic_id in before.keys() - others[contact.id] if not has_chosen else ():
            row = rows.get((contact.id, topic_id))
            if row is not None and (row.source, row.subscription) == (ConsentKind.IMPORT, after[topic_id]):
                removed.append(row)
                restored += [_choice(org, contact.id, topic_id, former)] if (former := before[topic_id]) else []
    await TopicChoice.delete_among([row.id for row in removed])
    await TopicChoice.insert_many(restored)
    await _record_undone(org, list(contacts.values()), removed, restored)
    return {row.contact_id for row in removed}


async def _record_undone(
    org: Organization, contacts: Sequence[Contact], removed: Sequence[TopicChoice], restored: Sequence[TopicChoice]
) -> None:
    """Contacts without a choice of their own get the topic's default again."""
    topics = {topic.id: topic for topic in await Topic.of(org).filter(id__in={row.topic_id for row in removed})}
    former = {(row.contact_id, row.topic_id): row.subscription for row in restored}
    loosened: dict[UUID, dict[UUID, str]] = defaultdict(dict)
    rows = [row for row in removed if row.topic_id in topics]
    for row in rows:
        was_left = row.subscription == Subscription.OPT_OUT
        default = topics[row.topic_id].default_subscription
        row.subscription = former.get((row.contact_id, row.topic_id), default)
        if was_left:
            loosened[row.contact_id][row.topic_id] = row.subscription
    consents = [consent_of(row, topics[row.topic_id]) for row in rows]
    await record_consents(made._replace(text=f"Import undone. {made.text}") for made in consents)
    await consent.record([contact for contact in contacts if contact.id in loosened], topics=loosened)
    await record_topics(rows)


def _choice(org: Organization, contact_id: UUID, topic_id: UUID, subscription: str) -> TopicChoice:
    now, source = clock.now(), ConsentKind.IMPORT
    about: dict[str, Any] = {"org_id": org.id, "contact_id": contact_id, "topic_id": topic_id}
    return TopicChoice(**about, subscription=subscription, source=source, changed_at=now)
