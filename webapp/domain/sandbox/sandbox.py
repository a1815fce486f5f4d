"""Stores and lists mail of the built-in inbox, and checks its logins."""

import asyncio
import re
from email.message import Message
from email.parser import BytesHeaderParser
from uuid import UUID

from webapp import crypto
from webapp.domain.accounts.credentials import open_secret
from webapp.domain.inputs import SUBJECT_LENGTH
from webapp.domain.pagination import Listed, Page, fetch_page, having_text
from webapp.domain.sandbox.message_view import without_links
from webapp.models import Account, Organization, SandboxMail
from webapp.sending.mime.decoding import decode_words

HEAD_BYTES = 256 * 1024  # in which the headers are searched
UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]+")
LISTED = ("id", "created_at", "org_id", "mail_from", "from_header", "rcpt_tos", "subject", "size")


async def sign_in(account_key: str, password: str) -> UUID | None:
    """The organization whose sandbox account has this key and password, or None."""
    account = await Account.across_orgs().filter(account_key=account_key, is_sandbox=True).get_or_none()
    expected = open_secret(account, "smtp_password") if account else None
    if account is None or expected is None or not crypto.same(password, expected):
        return None
    return account.org_id


async def store_mail(org_id: UUID, mail_from: str, rcpt_tos: list[str], data: bytes) -> SandboxMail:
    head = BytesHeaderParser().parsebytes(data[:HEAD_BYTES])
    return await SandboxMail.create(
        org_id=org_id,
        mail_from=mail_from,
        from_header=line_of(head, "from"),
        rcpt_tos=rcpt_tos,
        subject=line_of(head, "subject"),
        size=len(data),
        data=data,
    )


def line_of(head: "Message[str, str]", header: str) -> str:
    """The decoded header in one printable line (RFC 2047, RFC 6532), or empty."""
    raw = next((str(value) for name, value in head.raw_items() if name.lower() == header), "")
    unfolded = raw.replace("\r", "").replace("\n", "")
    return UNPRINTABLE.sub(" ", decode_words(unfolded)).strip()[:SUBJECT_LENGTH]


async def received_mails(org: Organization, page: Page, q: str = "") -> Listed[SandboxMail]:
    """Newest first; with `q`, those that have it in the subject, the From header or an address."""
    mails = SandboxMail.of(org).order_by("-id").only(*LISTED)
    return await fetch_page(
        having_text(mails, q, "subject", "mail_from", "COALESCE(from_header, '')", "CAST(rcpt_tos AS TEXT)"), page
    )


received_mail = SandboxMail.one_of


async def hide_links_unless(mail: SandboxMail, *, shows_links: bool) -> None:
    """Replaces the working unsubscribe links in its source, unless `shows_links`."""
    mail.data = bytes(mail.data)
    if not shows_links:
        mail.data = await asyncio.to_thread(without_links, mail.data)


async def count_received(org: Organization) -> int:
    return await SandboxMail.of(org).count()


async def clear(org: Organization) -> int:
    return await SandboxMail.of(org).delete()
