"""Rebuilds a row's message; the server's additions, boundaries and names changed since may differ."""

from enum import StrEnum

from webapp.addresses import Address
from webapp.domain.contacts.unsubscribe import variables_of
from webapp.domain.delivery.campaign_builder import feedback_id_header, list_unsubscribe_headers
from webapp.domain.delivery.email_builder import build
from webapp.domain.mail_logs.files import OUTLINE, files_of_run
from webapp.domain.media.attachments import read_attachment
from webapp.domain.merge_tags.budget import run_in_render_pool
from webapp.domain.merge_tags.dates import rendering_at
from webapp.domain.merge_tags.rendering import Rendered, render_strict
from webapp.domain.tracking.placeholders import as_untracked
from webapp.errors import NotFound
from webapp.models import Account, Attachment, Content, Email, MailLog, Organization
from webapp.models.outbox.stored_emails import StoredEmail, StoredFile
from webapp.sending.mime import message as mime
from webapp.sending.mime.html_text import text_of

SHOWN_BYTES = 2 * 1024 * 1024  # of a submitted message


class Files(StrEnum):
    NONE = "none"
    INLINE = "inline"
    ALL = "all"


async def build_raw_message(org: Organization, row: MailLog, files: Files, *, shows_links: bool) -> bytes | None:
    """None if it can no longer be built; without `shows_links`, its link is a sample."""
    content = await Content.of(org).get_or_none(id=row.content_id)
    if content is None:
        return None
    try:
        shown = await as_untracked(org, content)
        if row.email_id:
            return await _of_email(org, row, shown, files)
        return await _of_single(org, row, shown, files, shows_links=shows_links)
    except (ValueError, NotFound):
        return None


async def text_part(org: Organization, mail: Rendered) -> str:
    return mail.text if mail.text is not None else await run_in_render_pool(org.id, text_of, mail.html or "")


async def _of_email(org: Organization, row: MailLog, content: Content, files: Files) -> bytes:
    email = await Email.one_of(org, row.email_id)  # type: ignore[arg-type]  # asked for where there is one
    source = await (email.read_source() if files is Files.ALL else email.read_source(SHOWN_BYTES))
    if source is not None:
        return source
    shown = tuple(
        StoredFile(f.filename, f.content_type, bytes(f.data), f.content_id)
        for f in await _attachments_of_email(org, row, files)
    )
    head = (email.message_id, email.sender, email.addresses, email.headers, email.size, None)
    stored = StoredEmail(email.id, email.org_id, *head, content.subject, content.html, content.text, shown)
    _, data = await build(stored, [row.to_email], row.sent_at or row.created_at)
    return bytes(data)


async def _attachments_of_email(org: Organization, row: MailLog, files: Files) -> list[Attachment]:
    """Without the data of others than `files`."""
    attached = Attachment.of(org).filter(email_id=row.email_id).order_by("position")
    if files is Files.ALL:
        return await attached
    listed = await attached.only(*OUTLINE)
    inline = {file.id: file for file in await attached.exclude(content_id=None)} if files is Files.INLINE else {}
    for file in listed:
        file.data = inline[file.id].data if file.id in inline else b""
    return listed


async def _of_single(
    org: Organization, row: MailLog, content: Content, files: Files, *, shows_links: bool
) -> bytes | None:
    if row.from_email is None:
        return None
    account = await Account.of(org).get_or_none(id=row.account_id) if row.account_id else None
    name = content.from_name or (account.from_name if account else None) or ""
    sender, reply_to = Address(name, row.from_email), (Address("", content.reply_to),) if content.reply_to else ()
    variables, date = variables_of(row, shows_links=shows_links), row.sent_at or row.created_at
    is_campaigns = row.campaign_run_id is not None and "unsubscribe_url" in variables
    headers = b""
    if is_campaigns and row.campaign_id is not None:
        headers = list_unsubscribe_headers(variables["unsubscribe_url"]) + feedback_id_header(row.campaign_id, org.id)
    listed = await files_of_run(org, row)
    if files is Files.ALL:
        attached = [await read_attachment(file) for file in listed]
    else:
        attached = [mime.AttachedFile(file.filename, file.content_type, b"") for file in listed]
    fields = mime.MessageFields((Address("", row.to_email),), row.message_id, date)

    def render() -> bytes:
        with rendering_at(date):
            mail = render_strict(content, variables)
        message = mime.MessageTemplate(mime.MessageContent(sender, *mail, reply_to, attachments=tuple(attached)))
        return bytes(message.render(fields, headers))

    return await run_in_render_pool(org.id, render)
