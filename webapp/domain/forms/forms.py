"""Adds, changes and deletes sign-up forms."""

import secrets
from collections.abc import Collection
from typing import Any
from uuid import UUID

from uuid_utils.compat import uuid7

from webapp import db
from webapp.config import settings
from webapp.domain.accounts.selection import can_send_campaigns, check_scope, without_sandbox
from webapp.domain.audit.audit import AuditAction, record
from webapp.domain.contacts.contacts import check_static
from webapp.domain.forms.fields import declare_fields, stored_fields
from webapp.domain.forms.inputs import CONFIRM_URL, LETTER_TAGS, FormChanges, NewForm
from webapp.domain.inputs import nearest
from webapp.domain.merge_tags.budget import ContentKind, run_in_render_pool
from webapp.domain.merge_tags.parser import read_template
from webapp.domain.merge_tags.rendering import render_tags
from webapp.domain.pagination import Listed, Page, fetch_page
from webapp.domain.roles import Role
from webapp.errors import Conflict, FieldError, Forbidden, NotFound, ValidationError
from webapp.models import Account, Organization, PendingSignUp, Segment, SignUpForm, Topic
from webapp.models.account import AccountStatus

MOST_FORMS = 100  # per organization
KEY_BYTES = 16
VERSIONED = ("form_fields", "consent_text")
NAMED: dict[str, type[Account | Segment | Topic]] = {"segment_ids": Segment, "topic_ids": Topic, "account_id": Account}
AUDITED = {"form_fields": "fields", "segment_ids": "segments", "topic_ids": "topics", "account_id": "account"}
SAMPLE_URL = "https://example.com/f/confirm/sample"


async def list_forms(org: Organization, page: Page) -> Listed[SignUpForm]:
    """Newest first."""
    return await fetch_page(SignUpForm.of(org).order_by("-id"), page)


find_form = SignUpForm.one_of


def url_of(form: SignUpForm) -> str:
    """The address of the form's page."""
    return f"{settings().base_url}/f/{form.key}"


async def accounts_of(org: Organization) -> list[Account]:
    """Those that a form can name, oldest first."""
    return await Account.of(org).order_by("id")


async def sender_of(org: Organization, form: SignUpForm) -> Account | None:
    """The account that sends the form's confirmations; None if no account can, so that sign-up is closed."""
    return (await senders_of(org, [form]))[form.id]


async def has_sender(org: Organization) -> bool:
    """True if an account can send for forms that name none."""
    return await sender_of(org, SignUpForm()) is not None


async def senders_of(org: Organization, forms: Collection[SignUpForm]) -> dict[UUID, Account | None]:
    """By the forms' ids: the account that each names, or else the oldest active one."""
    accounts = await Account.of(org).order_by("id")
    usable = {account.id: account for account in accounts if _can_send(account)}
    defaults = [account for account in without_sandbox(accounts) if account.id in usable]
    default = min(defaults, key=lambda account: account.status != AccountStatus.ACTIVE, default=None)
    return {form.id: usable.get(form.account_id) if form.account_id else default for form in forms}


async def forms_without_sender(org: Organization) -> list[SignUpForm]:
    """The open ones, whose sign-up is closed until an account can send."""
    forms = await SignUpForm.of(org).filter(is_open=True).order_by("-id")
    senders = await senders_of(org, forms) if forms else {}
    return [form for form in forms if senders[form.id] is None]


def _can_send(account: Account) -> bool:
    """Also one in error, because emails wait for its repair."""
    return can_send_campaigns(account) and account.status != AccountStatus.PAUSED


async def draft_form(org: Organization, data: NewForm) -> SignUpForm:
    """The form, not saved. Raises ValidationError, NotFound, Conflict."""
    changes = await _columns(org, {name: getattr(data, name) for name in type(data).model_fields})
    return SignUpForm(id=uuid7(), org=org, key=secrets.token_urlsafe(KEY_BYTES), **changes)


async def add_form(org: Organization, data: NewForm, role: Role) -> SignUpForm:
    """Locks the organization. Raises ValidationError, NotFound, Conflict, Forbidden unless `role` allows it."""
    form = await draft_form(org, data)
    _check_role(role, is_double=form.double_opt_in, before=True)
    is_able = await sender_of(org, form) is not None
    if data.is_open:
        _check_sender(is_able=is_able)
    form.is_open = is_able if data.is_open is None else data.is_open
    async with db.write_transaction():
        await org.lock_settings()
        if await SignUpForm.of(org).count() >= MOST_FORMS:
            raise Conflict(f"an organization can have {MOST_FORMS} forms at most")
        await form.save(force_create=True)
        await declare_fields(org, form)
        await record(org, AuditAction.FORM_ADDED, form.id, form.name, double_opt_in=form.double_opt_in)
    return form


async def change_form(org: Organization, form: SignUpForm, data: FormChanges, role: Role) -> SignUpForm:
    """Locks the organization, then the form.

    Raises ValidationError, NotFound also if it was deleted since, Conflict, Forbidden.
    """
    changes = await _columns(org, data.given())
    async with db.write_transaction():
        await org.lock_settings()
        locked = await SignUpForm.of(org).select_for_update().get_or_none(id=form.id)
        if locked is None:
            raise NotFound
        before = {name: getattr(locked, name) for name in changes}
        locked.update_from_dict(changes)
        was_double = before.get("double_opt_in", locked.double_opt_in)
        _check_role(role, is_double=locked.double_opt_in, before=was_double)
        if changes.get("is_open"):
            _check_sender(is_able=await sender_of(org, locked) is not None)
        locked.version += any(before.get(name) != changes.get(name) for name in VERSIONED)
        await locked.save(update_fields=[*changes, "version", "updated_at"])
        await declare_fields(org, locked)
        changed = [name for name, old in before.items() if old != changes[name]]
        details = {
            AUDITED.get(name, name): [await _audited(org, name, values[name]) for values in (before, changes)]
            for name in changed
        }
        if details:
            await record(org, AuditAction.FORM_CHANGED, locked.id, locked.name, **details)
    return locked


async def _audited(org: Organization, column: str, value: Any) -> Any:
    """The value of a column as the audit log has it: the keys of fields, and the names of rows."""
    if column == "form_fields":
        return [field["key"] for field in value]
    if column not in NAMED or not value:
        return value
    ids = value if isinstance(value, list) else [value]
    return await NAMED[column].of(org).filter(id__in=ids).order_by("id").values_list("name", flat=True)


async def delete_form(org: Organization, form: SignUpForm) -> None:
    """Deletes the form and its sign-ups. Raises NotFound if it is gone."""
    async with db.write_transaction():
        await PendingSignUp.of(org).filter(form_id=form.id).delete()  # which confirmations lock before their form
        if not await SignUpForm.of(org).filter(id=form.id).delete():
            raise NotFound
        await record(org, AuditAction.FORM_DELETED, form.id, form.name)


def _check_role(role: Role, *, is_double: bool, before: bool) -> None:
    if before and not is_double and not role.allows(Role.ADMIN):
        raise Forbidden(
            f"insufficient role: you need the {Role.ADMIN} role to switch double_opt_in off (yours is {role})"
        )


def _check_sender(*, is_able: bool) -> None:
    if not is_able:
        raise ValidationError.at("is_open", "needs an active account that can send the confirmations")


async def _columns(org: Organization, values: dict[str, Any]) -> dict[str, Any]:
    """The columns of these values without `is_open: null`. Raises ValidationError, NotFound for a reference."""
    changes = {name: value for name, value in values.items() if name != "is_open" or value is not None}
    if "fields" in changes:
        changes["form_fields"] = await stored_fields(org, changes.pop("fields"))
    if changes.get("subject") or changes.get("body"):
        await run_in_render_pool(org.id, check_letter, changes.get("subject"), changes.get("body"))
    for name in ("segment_ids", "topic_ids"):
        if name in changes:
            changes[name] = [str(row_id) for row_id in dict.fromkeys(changes[name])]
    await _check_references(org, changes)
    await check_scope(org, [changes["account_id"]] if changes.get("account_id") else None, None)
    return changes


async def _check_references(org: Organization, changes: dict[str, Any]) -> None:
    if ids := changes.get("segment_ids"):
        segments = await Segment.of(org).filter(id__in=ids)
        if len(segments) < len(ids):
            raise NotFound("segment_ids: segment not found")
        for segment in segments:
            check_static(segment)
    if (ids := changes.get("topic_ids")) and await Topic.of(org).filter(id__in=ids).count() < len(ids):
        raise NotFound("topic_ids: topic not found")
    if (account_id := changes.get("account_id")) and not await Account.of(org).filter(id=account_id).exists():
        raise NotFound("account_id: account not found")


def check_letter(subject: str | None, body: str | None) -> None:
    """Raises ValidationError for merge tags that a confirmation does not have, or a body without its link."""
    faults = []
    for name, source in (("subject", subject), ("body", body)):
        try:
            unknown = [tag for tag in read_template(source or "").variables if tag not in LETTER_TAGS]
        except ValueError as error:
            faults.append(FieldError.at(name, error))
            continue
        if unknown:
            tags = ", ".join(f"{{{{ {tag} }}}}" for tag in LETTER_TAGS)
            near = nearest(unknown[0], LETTER_TAGS)
            meant = f": did you mean {{{{ {near} }}}}?" if near else ""
            faults.append(FieldError.at(name, f"can only have {tags}, not {{{{ {unknown[0]} }}}}{meant}"))
    if not faults and body is not None and SAMPLE_URL not in _sample(body):
        faults.append(FieldError.at("body", f"must contain {{{{ {CONFIRM_URL} }}}}"))
    if faults:
        raise ValidationError(details=faults)


def _sample(source: str) -> str:
    values = dict.fromkeys(LETTER_TAGS, "Acme") | {CONFIRM_URL: SAMPLE_URL}
    try:
        return render_tags(source, values, ContentKind.TEXT)
    except ValueError as fault:
        raise ValidationError.at("body", fault) from None
