"""Signing up by a form.

A request only saves the sign-up, so that it takes the same time for every address; a worker decides what follows.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import timedelta
from typing import Annotated, Any, NamedTuple

from pydantic import ConfigDict, Field
from tortoise.exceptions import IntegrityError
from uuid_utils.compat import uuid7

from webapp import clock, db
from webapp.addresses import email_key
from webapp.domain.accounts.selection import check_scope
from webapp.domain.event_log import record_submitted
from webapp.domain.forms import floods, letter, proof
from webapp.domain.forms.answers import read_answers
from webapp.domain.forms.confirm import LIFETIME, accept_sign_up, lock_person
from webapp.domain.forms.floods import SignUpThrottle
from webapp.domain.forms.forms import sender_of
from webapp.domain.forms.inputs import HONEYPOT, PROOF, STAMP
from webapp.domain.inputs import EmailAddress, Input, examples, read_input, unknown_fields
from webapp.domain.reader_mail.letter import Letter
from webapp.domain.reader_mail.queue import ReaderMailQueue
from webapp.domain.templates.brand import find_brand
from webapp.domain.topics.choices import list_choices
from webapp.errors import Conflict, FieldError, NotFound, ValidationError
from webapp.models import (
    Account,
    Contact,
    Organization,
    PendingSignUp,
    ReaderMail,
    Segment,
    SegmentContact,
    SignUpForm,
    Tombstone,
)
from webapp.models.contact import ContactStatus
from webapp.models.queries.contacts.suppressed import suppressions_against
from webapp.models.queries.sign_ups import count_sign_up, expire_some, save_sign_up
from webapp.models.segment import SegmentKind
from webapp.models.sign_up_form import Submission
from webapp.models.topic import MOST_TOPICS

KEY = re.compile(r"[\w-]{22}", re.ASCII)
DAY = timedelta(days=1)
PAGE_URL_LENGTH = 2_000
EXPIRE_SECONDS = 4.0


class NewSignUp(Input):
    """A person who signs up: the address, and the form's fields by their keys."""

    model_config = ConfigDict(extra="allow", **examples({"email": "ada@example.org", "first_name": "Ada"}))

    email: EmailAddress = Field(description="The address that gets the email to confirm.")
    topics: Annotated[list[str], Field(max_length=MOST_TOPICS)] | None = Field(
        default=None, description="The ids of the chosen ones of the form's topics; all by default."
    )

    def answers(self) -> dict[str, Any]:
        topics = {} if self.topics is None else {"topics": self.topics}
        return {**(self.model_extra or {}), "email": self.email, **topics}

    def ignored(self, form: SignUpForm) -> list[str]:
        """A sentence for each field that the form does not ask for."""
        asked = ("email", "topics", *(field["key"] for field in form.form_fields))
        return unknown_fields(asked, self.model_extra or {})


class Address(Input):
    email: EmailAddress


class Visit(NamedTuple):
    """Where a person signed up; a program's requests have no network."""

    network: str | None = None
    page_url: str | None = None
    language: str | None = None  # of the page


async def find_public_form(key: str) -> SignUpForm:
    """The form with this key, of any organization, with its organization. Raises NotFound."""
    rows = SignUpForm.across_orgs().filter(key=key).select_related("org")
    form = await rows.first() if KEY.fullmatch(key) else None
    if form is None:
        raise NotFound
    return form


async def is_open(org: Organization, form: SignUpForm) -> bool:
    """False as well if no account can send its confirmations."""
    return form.is_open and await sender_of(org, form) is not None


async def sign_up_by_program(org: Organization, form: SignUpForm, data: NewSignUp, throttle: SignUpThrottle) -> None:
    """Signs a person up without the limits of networks.

    Raises Conflict if the form is closed, OutsideScope if the key may not use its account, ValidationError.
    """
    sender = await sender_of(org, form)
    if sender is None or not await is_open(org, form):
        raise Conflict("the form is closed, or no account can send its confirmations")
    await check_scope(org, [sender.id], None)
    language = form.language or (await find_brand(org)).language
    await sign_up(org, form, data.answers(), Visit(language=language), throttle)


async def sign_up(
    org: Organization, form: SignUpForm, body: Mapping[str, Any], visit: Visit, throttle: SignUpThrottle
) -> None:
    """Saves the sign-up, or silently nothing if it exceeds a limit. Raises ValidationError, NotFound."""
    email, values, topic_ids = await _read(org, form, body, are_typed=visit.network is not None)
    if visit.network is not None and not await _is_by_a_person(form, body, visit.network, throttle):
        return
    if await throttle.admits_address(email):
        page_url = (visit.page_url or "")[:PAGE_URL_LENGTH] or None
        about = (form.consent_text, visit.language, visit.network, page_url)
        try:
            await _save(org, form, email, Submission(form.version, topic_ids, values, *about))
        except Exception:
            await throttle.refund_address(email)  # or the person's next try would get the usual answer and no mail
            raise


async def _read(
    org: Organization, form: SignUpForm, body: Mapping[str, Any], *, are_typed: bool
) -> tuple[str, dict[str, Any], list[str]]:
    """The address, the fields and the topics. Raises ValidationError with all faults."""
    faults, email, values = list[FieldError](), "", dict[str, Any]()
    typed = body.get("email")
    try:
        address = typed.strip() if isinstance(typed, str) else typed
        email = read_input(Address, {"email": address} if address else {}, strict=True).email
    except ValidationError as refusal:
        faults += refusal.details
    try:
        values = await read_answers(org, form, body, are_typed=are_typed)
    except ValidationError as refusal:
        faults += refusal.details
    topic_ids = body.get("topics", form.topic_ids)
    if not isinstance(topic_ids, list) or not all(topic_id in form.topic_ids for topic_id in topic_ids):
        faults.append(FieldError.at("topics", "must be a list of topics that the form offers"))
    if faults:
        raise ValidationError(details=faults)
    return email, values, list(dict.fromkeys(topic_ids))


async def _is_by_a_person(form: SignUpForm, body: Mapping[str, Any], network: str, throttle: SignUpThrottle) -> bool:
    age = floods.seconds_since(form, str(body.get(STAMP, "")))
    is_stamped = age is not None
    if body.get(HONEYPOT) or (age is not None and age < floods.LEAST_SECONDS):
        return False
    if not await throttle.admits_network(form, network, is_stamped=is_stamped):
        return False
    if not proof.is_needed(form) or await proof.is_solved(form, body.get(PROOF), throttle):
        return True
    counts_twice = await throttle.admits_network(form, network, is_stamped=is_stamped)
    return counts_twice and await throttle.admits_unproven(form)


async def _save(org: Organization, form: SignUpForm, email: str, submission: Submission) -> None:
    now = clock.now()
    new = PendingSignUp(
        id=uuid7(),
        org_id=form.org_id,
        form_id=form.id,
        email=email,
        email_key=email_key(email),
        values={str(uuid7()): asdict(submission)},
        topic_ids=submission.topic_ids,
        version=submission.version,
        language=submission.language,
        network=submission.network,
        page_url=submission.page_url,
        expires_at=now + LIFETIME,
        created_at=now,
    )
    async with db.write_transaction():
        try:
            sign_up_id = await save_sign_up(new)
        except IntegrityError:
            raise NotFound from None  # the form was just deleted
        await queue.add(org, email, language=submission.language, subject_id=sign_up_id)


async def _settle(mail: ReaderMail) -> Letter | None:
    """Decides what follows a sign-up: a letter with a link, a contact without one, or nothing."""
    waiting = await PendingSignUp.of(mail.org).select_related("form").get_or_none(id=mail.subject_id)
    if waiting is None:
        return None
    if not waiting.form.double_opt_in:  # so that no choice of the person is made between the reading and the writing
        await lock_person(mail.org, waiting.email)
    locked = await PendingSignUp.of(mail.org).select_for_update().get_or_none(id=waiting.id)
    if locked is None:
        return None
    locked.form = waiting.form
    letter = await _answer(mail.org, locked) if locked.values else None  # empty once it is confirmed
    await record_submitted(waiting.form, waiting.page_url)
    await count_sign_up(waiting.form_id, "submitted")  # last, because confirmations lock the form after the contact
    return letter


async def _answer(org: Organization, waiting: PendingSignUp) -> Letter | None:
    form = waiting.form
    sender = await sender_of(org, form) if form.is_open else None
    if (
        sender is None
        or await floods.is_barred(org, waiting.email)
        or await suppressions_against(org.id, [waiting.email])
    ):
        return None
    contacts = await Contact.with_keys(org, [waiting.email_key])
    is_subscribed = bool(contacts) and contacts[0].status == ContactStatus.SUBSCRIBED
    if is_subscribed and await _adds_nothing(org, waiting, contacts[0]):
        return await _remind(org, waiting, contacts[0], sender)
    is_erased = bool(await Tombstone.words_against(org.id, [waiting.email_key]))
    if not form.double_opt_in and not is_erased and not await _has_left(org, waiting, contacts):
        await accept_sign_up(org, waiting, Submission(**waiting.values[str(waiting.latest_id)]))
        return None
    if await sender.lock_against_deletion() is None:  # before the form, which the deletion of an account locks last
        raise Conflict("the account was just deleted")
    await count_sign_up(form.id, "mailed")
    await _record_mail(waiting)
    return await letter.confirmation(org, waiting, sender)


async def _has_left(org: Organization, waiting: PendingSignUp, contacts: Sequence[Contact]) -> bool:
    """True if only the person may undo that the contact unsubscribed, or left a topic of the sign-up."""
    for contact in contacts:
        left = {str(choice.topic.id) for choice in await list_choices(org, contact) if choice.has_left}
        return contact.status != ContactStatus.SUBSCRIBED or not left.isdisjoint(waiting.topic_ids)
    return False


async def _adds_nothing(org: Organization, waiting: PendingSignUp, contact: Contact) -> bool:
    """True if the contact is in all segments and gets all topics of the sign-up."""
    segments = Segment.of(org).filter(id__in=waiting.form.segment_ids, kind=SegmentKind.STATIC)
    joined = (await SegmentContact.segments_of(org, [contact.id])).get(contact.id, set())
    if not joined.issuperset(await segments.values_list("id", flat=True)):
        return False
    missing = {str(choice.topic.id) for choice in await list_choices(org, contact) if choice.subscription == "opt_out"}
    return missing.isdisjoint(waiting.topic_ids)


async def _remind(org: Organization, waiting: PendingSignUp, contact: Contact, sender: Account) -> Letter | None:
    """The link to the preferences of someone who is subscribed, once a day."""
    now = clock.now()
    if waiting.contact_id is not None and waiting.mailed_at is not None and now - waiting.mailed_at < DAY:
        return None
    waiting.contact_id = contact.id
    await _record_mail(waiting)
    return await letter.reminder(org, waiting, contact, sender)


async def _record_mail(waiting: PendingSignUp) -> None:
    waiting.mails, waiting.mailed_at = waiting.mails + 1, clock.now()
    await waiting.save(update_fields=["mails", "mailed_at", "contact_id"])


queue = ReaderMailQueue("sign-up", _settle)


async def expire_sign_ups() -> None:
    """Deletes sign-ups that nobody confirmed in time, and what is no longer needed of others."""

    async def expire() -> bool:
        async with db.write_transaction():
            return await expire_some(clock.now())

    await db.in_batches(expire, EXPIRE_SECONDS)
    await floods.forget_old_bars()
