"""Views of one mail: rendered, text, headers, files and raw; for a row of the log and for an email."""

from typing import Any, NamedTuple
from urllib.parse import quote

from quart import Response, request

from webapp.domain.mail_logs.mail_logs import MailLogView
from webapp.domain.mail_logs.raw_message import Files, attachment_of, attachments_of, build_raw_message, text_part
from webapp.domain.sandbox.message_view import ParsedMessage, open_message, render_message
from webapp.errors import NotFound
from webapp.models import MailLog, Organization
from webapp.pages.mail.frame import mail_frame, text_frame

VIEWS = {"rendered": "Rendered", "text": "Text", "headers": "Headers", "attachments": "Files", "raw": "Raw"}
RAW_BYTES = 2 * 1024 * 1024  # of files; a larger message is not built for the raw view


class File(NamedTuple):
    """A file of a mail; its URL has its number."""

    number: int
    filename: str
    content_type: str
    size: int


async def message_page(org: Organization, view: MailLogView) -> dict[str, Any]:
    row = view.row
    files = [File(one.position, one.filename, one.content_type, one.size) for one in await attachments_of(org, row)]
    found: ParsedMessage | None = None
    wanted = request.args.get("view", "")
    has_html = view.mail is not None and view.mail.html is not None
    chosen = wanted if wanted in VIEWS else "rendered" if has_html else "text"
    is_large = sum(one.size for one in files) > RAW_BYTES
    if chosen in ("text", "headers", "raw"):
        wanted_files = Files.ALL if chosen == "raw" and not is_large else Files.NONE
        data = await build_raw_message(org, row, wanted_files, shows_links=view.shows_links)
        found = None if data is None else await open_message(data)
    text = found.text if found else None
    if text is None and chosen == "text" and view.mail is not None:
        text = await text_part(org, view.mail)
    return {
        "view": chosen,
        "views": VIEWS,
        "opened": found,
        "has_html": has_html,
        "text": text,
        "files": files,
        "is_large": is_large,
    }


async def rendered(org: Organization, view: MailLogView) -> Response:
    if view.mail is None:
        return mail_frame("")
    if view.mail.html is None:
        return text_frame(view.mail.text or "")
    if "cid:" in view.mail.html:
        data = await build_raw_message(org, view.row, Files.INLINE, shows_links=view.shows_links)
        if data is not None:
            return mail_frame(await render_message(data))
    return mail_frame(view.mail.html)


async def raw(org: Organization, view: MailLogView) -> Response:
    """The message as a file. Raises NotFound when it can no longer be built."""
    data = await build_raw_message(org, view.row, Files.ALL, shows_links=view.shows_links)
    if data is None:
        raise NotFound
    return download(data, f"{view.row.id}.eml")


async def attachment(org: Organization, row: MailLog, number: int) -> Response:
    """Raises NotFound."""
    file = await attachment_of(org, row, number)
    return download(bytes(file.data), file.filename)


def download(data: bytes, filename: str) -> Response:
    """A file to save, never to show (RFC 6266; the name in RFC 8187's form)."""
    return Response(data, 200, saved_as(filename), content_type="application/octet-stream")


def saved_as(filename: str) -> dict[str, str]:
    return {
        "Content-Disposition": f"attachment; filename*=UTF-8''{quote(filename, safe='')}",
        "Content-Security-Policy": "sandbox; default-src 'none'",
        "Cache-Control": "private, no-store",
    }
