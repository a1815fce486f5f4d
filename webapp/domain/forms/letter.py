"""The emails after a sign-up, which contain nothing that the visitor wrote."""

from collections import OrderedDict
from datetime import datetime
from typing import Any
from uuid import UUID

from webapp.domain.forms.confirm import link_of
from webapp.domain.forms.inputs import CONFIRM_URL
from webapp.domain.link_signing import ReaderLink, ReaderPath
from webapp.domain.merge_tags.budget import run_in_render_pool
from webapp.domain.merge_tags.rendering import MergeSource, Rendered, fill_in
from webapp.domain.reader_mail.letter import Letter
from webapp.domain.templates.brand import find_brand, translator
from webapp.languages import Translator
from webapp.models import Account, Contact, Organization, PendingSignUp, SignUpForm

MOST_RENDERED = 100
_rendered: OrderedDict[tuple[UUID, datetime, str, str], Rendered] = OrderedDict()  # own letters, the same for everyone


async def confirmation(org: Organization, sign_up: PendingSignUp, sender: Account) -> Letter:
    """Asks to confirm: in the form's own words, or in ours. Raises ValidationError if its own make no email."""
    return await confirmation_letter(org, sign_up.form, link_of(sign_up), sign_up.language, sender)


async def confirmation_letter(
    org: Organization, form: SignUpForm, link: ReaderLink, language: str | None, sender: Account | None
) -> Letter:
    """Raises ValidationError."""
    t = translator(await find_brand(org), language)
    values = {"sender": org.name}
    subject = t.plain("confirm.subject", **values)
    words = (t.plain("confirm.mail", **values), t.plain("confirm.button"), t.plain("confirm.mail_after"))
    letter = Letter(subject, *words, link, t.language, sender.id if sender else None)
    if not (form.subject or form.body):
        return letter
    own = await _own(org, form, subject, link)
    letter = letter._replace(subject=own.subject)
    return letter._replace(html=own.html, text=own.text) if form.body else letter


async def _own(org: Organization, form: SignUpForm, subject: str, link: ReaderLink) -> Rendered:
    """The form's own words; the subject or the link stand for what it has none of."""
    key = (form.id, form.updated_at, org.name, subject)
    if key not in _rendered:
        tags = {CONFIRM_URL: link.sample_url, "organization_name": org.name, "form_name": form.name}
        body = form.body or link.sample_url
        _rendered[key] = await run_in_render_pool(org.id, _render, form.subject or subject, body, tags)
        if len(_rendered) > MOST_RENDERED:
            _rendered.popitem(last=False)
    return _rendered[key]


def _render(subject: str, body: str, tags: dict[str, Any]) -> Rendered:
    return fill_in(MergeSource("subject", "subject", subject), MergeSource("body", "body", body), tags)


async def reminder(org: Organization, sign_up: PendingSignUp, contact: Contact, sender: Account) -> Letter:
    """Tells someone who is subscribed already where to change it."""
    t, values = await _translator(org, sign_up), {"sender": org.name}
    link = ReaderLink(ReaderPath.PREFERENCES, contact.id, sign_up.id)
    words = (t.plain("member.mail", **values), t.plain("preferences_link.label"), t.plain("preferences_link.after"))
    return Letter(t.plain("member.subject", **values), *words, link, t.language, sender.id)


async def _translator(org: Organization, sign_up: PendingSignUp) -> Translator:
    return translator(await find_brand(org), sign_up.language)
