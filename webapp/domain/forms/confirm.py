"""Confirming a sign-up by the signed link of its email, or saying that it was someone else's."""

from datetime import timedelta
from enum import StrEnum
from typing import Any, NamedTuple
from uuid import UUID

from tortoise.exceptions import IntegrityError

from webapp import clock, db
from webapp.addresses import email_key
from webapp.domain import link_signing
from webapp.domain.contacts import consent
from webapp.domain.contacts.consents import NewConsent, choices_of, record_consents
from webapp.domain.contacts.contacts import add_members, forget_bounces, lock_known, save_new
from webapp.domain.contacts.fields import apply_fields, new_contact, restraints
from webapp.domain.contacts.inputs import check_custom_fields
from webapp.domain.contacts.unsubscribe import token_for
from webapp.domain.event_log import record_changes, record_confirmed
from webapp.domain.forms import floods
from webapp.domain.link_signing import ReaderLink, ReaderPath
from webapp.domain.personal_data.erase import forget_tombstone
from webapp.domain.plans import limits
from webapp.domain.topics.choices import change_choices
from webapp.errors import Conflict, NotFound
from webapp.languages import is_language_tag
from webapp.models import Contact, Organization, PendingSignUp, SignUpForm, Tombstone, Topic
from webapp.models.base.row import time_of_id
from webapp.models.contact import ConsentKind, ContactStatus
from webapp.models.queries.sign_ups import count_sign_up
from webapp.models.sign_up_form import Submission
from webapp.models.suppression import address_digest
from webapp.models.topic import Subscription
from webapp.models.usage import Metric

LIFETIME = timedelta(days=7)


class State(StrEnum):
    WAITING = "waiting"
    DONE = "done"
    LEFT = "left"  # unsubscribed or deleted after the confirmation


class Confirmation(NamedTuple):
    sign_up: PendingSignUp  # with its form and organization
    submission: Submission | None  # None once one is confirmed
    state: State

    @property
    def org(self) -> Organization:
        return self.sign_up.org

    @property
    def form(self) -> SignUpForm:
        return self.sign_up.form


def link_of(sign_up: PendingSignUp) -> ReaderLink:
    """The link of the latest submission."""
    return ReaderLink(ReaderPath.CONFIRM, sign_up.id, sign_up.latest_id)


async def find_confirmation(token: str) -> Confirmation:
    """Raises NotFound if the link is invalid or expired."""
    sign_up_id, submission_id = link_signing.ids_in(ReaderPath.CONFIRM, token)
    rows = PendingSignUp.across_orgs().filter(id=sign_up_id, expires_at__gt=clock.now())
    sign_up = await rows.select_related("form", "org").first()
    if sign_up is None:
        raise NotFound
    if sign_up.confirmed_at is not None:
        return Confirmation(sign_up, None, await _state_of(sign_up))
    submission = sign_up.submission(submission_id)
    if submission is None or clock.now() - time_of_id(submission_id) > LIFETIME:
        raise NotFound
    return Confirmation(sign_up, submission, State.WAITING)


async def _state_of(sign_up: PendingSignUp) -> State:
    contact = Contact.of(sign_up.org).filter(id=sign_up.contact_id, status=ContactStatus.SUBSCRIBED)
    return State.DONE if await contact.exists() else State.LEFT


async def preferences_token(confirmation: Confirmation) -> str | None:
    """The token of the link to the subscribed contact's preferences, unless the contact has another address by now."""
    sign_up = confirmation.sign_up
    rows = Contact.of(confirmation.org).filter(id=sign_up.contact_id, status=ContactStatus.SUBSCRIBED)
    contact = await rows.get_or_none(email_key=sign_up.email_key)
    return None if contact is None else token_for(contact.id, sign_up.id)


async def record_opening(confirmation: Confirmation) -> None:
    """Counts the first time that someone opened the link."""
    sign_up = confirmation.sign_up
    if sign_up.opened_at is None:
        async with db.write_transaction():
            unopened = PendingSignUp.of(confirmation.org).filter(id=sign_up.id, opened_at__isnull=True)
            if await unopened.update(opened_at=clock.now()):
                await count_sign_up(sign_up.form_id, "opened")


async def confirm(token: str) -> Confirmation:
    """Makes the contact, once. Raises NotFound, PlanLimitExceeded, Conflict."""
    sign_up = (await find_confirmation(token)).sign_up
    async with db.write_transaction():
        await lock_person(sign_up.org, sign_up.email)
        known = await _locked(token)
        if known.submission is not None:
            await accept_sign_up(known.org, known.sign_up, known.submission)
    return await find_confirmation(token)


async def lock_person(org: Organization, email: str) -> None:
    """Locks what an erasure locks before the person's sign-ups, in its order."""
    await limits.release(org, Metric.CONTACTS, 0)
    await lock_known(org, email)
    await Tombstone.of(org).filter(digest=address_digest(org.id, email_key(email))).select_for_update()


async def refuse(token: str) -> Confirmation:
    """Bars the address from the organization's forms and deletes its sign-ups, unless it is confirmed.

    Raises NotFound.
    """
    sign_up = (await find_confirmation(token)).sign_up
    org = sign_up.org
    async with db.write_transaction():
        await lock_person(org, sign_up.email)
        # All in one order, because the person may refuse several at once.
        await PendingSignUp.of(org).filter(email_key=sign_up.email_key).order_by("id").select_for_update()
        known = await _locked(token)
        if known.state is State.WAITING:
            await floods.bar_address(org, known.sign_up)
            key = known.sign_up.email_key
            await PendingSignUp.of(org).filter(email_key=key, confirmed_at__isnull=True).delete()
    return known


async def _locked(token: str) -> Confirmation:
    """Locks the sign-up. Raises NotFound."""
    known = await find_confirmation(token)
    rows = PendingSignUp.of(known.org).filter(id=known.sign_up.id)
    if await rows.select_for_update().first() is None:
        raise NotFound
    return await find_confirmation(token)


async def accept_sign_up(org: Organization, sign_up: PendingSignUp, submission: Submission) -> Contact:
    """Makes or re-subscribes the contact of a submission in the outer transaction, which locked nothing of the org's.

    Raises PlanLimitExceeded, Conflict.
    """
    form = sign_up.form
    await forget_tombstone(org, sign_up.email)
    contact, before = await _subscribe(org, sign_up.email, submission)
    for segment_id in sorted(form.segment_ids):
        await _join(org, segment_id, contact)
    await _choose_topics(org, form, submission, contact, is_new=before is None)
    about = (submission.consent_text, None, form.id, submission.version, submission.network, submission.page_url)
    await record_consents([NewConsent(org.id, contact.id, ConsentKind.FORM, *about)])
    await record_confirmed(contact, form)
    sign_up.confirmed_at, sign_up.contact_id = clock.now(), contact.id
    sign_up.values, sign_up.topic_ids = {}, []
    await sign_up.save(update_fields=["confirmed_at", "contact_id", "values", "topic_ids"])
    await count_sign_up(form.id, "confirmed")
    return contact


async def _subscribe(org: Organization, email: str, submission: Submission) -> tuple[Contact, dict[str, Any] | None]:
    """The locked contact, subscribed and with its empty fields filled in; its former choices, None if it is new."""
    contact = await lock_known(org, email)
    if contact is None:
        contact = new_contact(org, {"email": email})
        apply_fields(contact, _missing_values(contact, submission))
        contact.chosen_at = clock.now()
        try:
            await save_new(org, contact)
        except IntegrityError:
            contact = await lock_known(org, email)
        else:
            return contact, None
    if contact is None:
        raise Conflict(f"{email} was just deleted. Try again")
    before, status, has_bounced = choices_of(contact), contact.status, contact.bounced_at is not None
    values = _missing_values(contact, submission)
    apply_fields(contact, values | {"status": ContactStatus.SUBSCRIBED})
    contact.chosen_at = clock.now()
    await Contact.save_fields([contact])
    if has_bounced:
        await Contact.of(org).filter(id=contact.id).update(bounced_at=None)
        await forget_bounces(org, [contact])
    if values or status != contact.status:
        await record_changes([(contact, status)])
    if restraints(before):
        await consent.record([contact])
    return contact, before


def _missing_values(contact: Contact, submission: Submission) -> dict[str, Any]:
    """What was typed for fields that are empty."""
    typed = dict(submission.fields)
    answers: dict[str, Any] = typed.pop("custom_fields", {})
    values: dict[str, Any] = {name: value for name, value in typed.items() if not getattr(contact, name)}
    if not contact.language and is_language_tag(submission.language or ""):
        values["language"] = submission.language
    filled = {name: value for name, value in contact.custom_fields.items() if value not in (None, "")}
    try:
        custom = check_custom_fields(contact.custom_fields | answers | filled)
    except ValueError:  # together they are too long; the contact matters more
        return values
    return values if custom == contact.custom_fields else values | {"custom_fields": custom}


async def _choose_topics(
    org: Organization, form: SignUpForm, submission: Submission, contact: Contact, *, is_new: bool
) -> None:
    """Opts in to the chosen topics, and a new contact out of the form's others, as far as they still exist."""
    offered = {str(row_id) for row_id in await Topic.of(org).filter(id__in=form.topic_ids).values_list("id", flat=True)}
    chosen = offered & set(submission.topic_ids)
    choices = {UUID(topic_id): str(Subscription.OPT_IN) for topic_id in sorted(chosen)}
    if is_new:
        choices |= {UUID(topic_id): str(Subscription.OPT_OUT) for topic_id in sorted(offered - chosen)}
    if choices:
        await change_choices(org, contact, choices, ConsentKind.FORM)


async def _join(org: Organization, segment_id: str, contact: Contact) -> None:
    """Does nothing for a segment that was deleted or made dynamic since."""
    try:
        await add_members(org, UUID(segment_id), [contact.id])
    except (NotFound, Conflict):
        return
