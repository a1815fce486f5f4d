"""Views of a mail log or an email: rendered, text, headers, files and raw."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any
from uuid import UUID

from quart import Blueprint, Response, g, request

from webapp.domain.mail_logs.export import record_mail_export
from webapp.domain.mail_logs.files import attachment_of, attachments_of
from webapp.domain.mail_logs.mail_logs import MailLogView
from webapp.domain.mail_logs.raw_message import Files, build_raw_message, text_part
from webapp.domain.mail_logs.search import MailLogSearch
from webapp.domain.roles import Action
from webapp.domain.sandbox.message_view import ParsedMessage, parse, render
from webapp.errors import NotFound
from webapp.http.auth.permissions import guarded
from webapp.http.downloads import download, stream_csv
from webapp.models import Organization
from webapp.pages.mail.filters import LABELS
from webapp.pages.mail.frame import mail_frame, text_frame
from webapp.pages.shared.search import SearchForm, read_search

VIEWS = {"rendered": "Preview", "text": "Plain text", "headers": "Headers", "attachments": "Attachments", "raw": "Raw"}
RAW_BYTES = 2 * 1024 * 1024  # of files; the raw view leaves larger ones out


async def message_page(org: Organization, view: MailLogView) -> dict[str, Any]:
    row = view.row
    files = await attachments_of(org, row)
    message: ParsedMessage | None = None
    wanted = request.args.get("view", "")
    has_html = view.mail is not None and view.mail.html is not None
    chosen = wanted if wanted in VIEWS else "rendered" if has_html else "text"
    is_large = sum(file.size for file in files) > RAW_BYTES
    if chosen in ("text", "headers", "raw"):
        wanted_files = Files.ALL if chosen == "raw" and not is_large else Files.NONE
        data = await build_raw_message(org, row, wanted_files, shows_links=view.shows_links)
        message = None if data is None else await asyncio.to_thread(parse, data[: 2 * RAW_BYTES])
    text = message.text if message else None
    if text is None and chosen == "text" and view.mail is not None:
        text = await text_part(org, view.mail)
    return {
        "view": chosen,
        "views": VIEWS,
        "opened": message,
        "has_html": has_html,
        "text": text,
        "files": files,
        "is_large": is_large,
    }


def add_parts(blueprint: Blueprint, find: Callable[[Organization, UUID], Awaitable[MailLogView]]) -> None:
    @blueprint.get("/<uuid:row_id>/rendered")
    @guarded(Action.READ, find)
    async def rendered(view: MailLogView) -> Response:
        if view.mail is None:
            return mail_frame("")
        if view.mail.html is None:
            return text_frame(view.mail.text or "")
        if "cid:" in view.mail.html:
            data = await build_raw_message(g.caller.org, view.row, Files.INLINE, shows_links=view.shows_links)
            if data is not None:
                return mail_frame(await asyncio.to_thread(render, data))
        return mail_frame(view.mail.html)

    @blueprint.get("/<uuid:row_id>/attachments/<int(max=999):number>")
    @guarded(Action.READ)
    async def attachment(row_id: UUID, number: int) -> Response:
        view = await find(g.caller.org, row_id)
        name, data = await attachment_of(g.caller.org, view.row, number)
        return download(data, name)

    @blueprint.get("/<uuid:row_id>/raw.eml")
    @guarded(Action.READ, find)
    async def raw(view: MailLogView) -> Response:
        data = await build_raw_message(g.caller.org, view.row, Files.ALL, shows_links=view.shows_links)
        if data is None:  # the message cannot be rebuilt any more
            raise NotFound
        return download(data, f"{view.row.id}.eml")


def add_export(
    blueprint: Blueprint, form: type[SearchForm], lines: Callable[[Organization, MailLogSearch], AsyncIterator[bytes]]
) -> None:
    """Exports what a search finds as CSV, and names the file after the blueprint."""

    @blueprint.get("/export.csv")
    @guarded(Action.READ)
    async def export() -> Response:
        org, search = g.caller.org, MailLogSearch(**read_search(form, LABELS).valid_filters)
        name = blueprint.name.replace("_", " ")
        await record_mail_export(org, name, search)
        return stream_csv(lines(org, search), f"{name.replace(' ', '-')}.csv")
