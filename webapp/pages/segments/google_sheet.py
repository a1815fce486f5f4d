"""Links, reads and unlinks the Google Sheet of a segment."""

from typing import Any

from quart import Blueprint, ResponseReturnValue, g, render_template, request

from webapp.domain.plans.plans import plan_named
from webapp.domain.roles import Action
from webapp.domain.segments import google_sheet, segments
from webapp.domain.segments.google_sheet import NewSheet, ScopeMissing
from webapp.http.auth.permissions import guarded
from webapp.http.forms import FORM, Form, redirect, render_dialog, render_page, wants_fragment
from webapp.models import Segment

blueprint = Blueprint("segment_sheets", __name__, url_prefix="/segments/<uuid:segment_id>/sheet")
LABELS = {"sheet": "The sheet", "account_id": "The account", "tab": "The tab"}


@blueprint.route("", methods=FORM)
@guarded(Action.SEGMENTS, segments.find_segment)
async def show(segment: Segment) -> ResponseReturnValue:
    if request.method == "POST":
        form = await Form.sent()
        with form.refusing(LABELS):
            sheet = await google_sheet.follow_sheet(g.caller.org, segment, form.read(NewSheet))
            return redirect(f"/segments/{segment.id}", f"“{sheet.title}” is now syncing to “{segment.name}”.")
        context = {"asks_google": isinstance(form.refusal, ScopeMissing), **await _about(segment)}
        return await render_page("segments/sheet.html", "segments/_sheet_form.html", form=form, **context)
    followed, form = await google_sheet.sheet_of(g.caller.org, segment), Form()
    if followed is not None:
        link = f"https://docs.google.com/spreadsheets/d/{followed.spreadsheet_id}/edit"
        form.values = {"sheet": link, "account_id": str(followed.account_id), "tab": followed.tab or ""}
    return await render_template("segments/sheet.html", form=form, **await _about(segment), sheet=followed)


async def _about(segment: Segment) -> dict[str, Any]:
    accounts = await google_sheet.google_accounts(g.caller.org)
    return {
        "segment": segment,
        "accounts": [(account.id, account.google_email or account.name) for account in accounts],
        "is_allowed": plan_named(g.caller.org.plan).allow_google_sheet_sync,
        "plan": g.caller.org.plan,
    }


@blueprint.get("/state")
@guarded(Action.READ, segments.find_segment)
async def state(segment: Segment) -> ResponseReturnValue:
    sheet = await google_sheet.sheet_of(g.caller.org, segment)
    template = "segments/_sheet.html" if sheet else "segments/_sheet_none.html"
    return await render_template(template, segment=segment, sheet=sheet)


@blueprint.post("/read")
@guarded(Action.SEGMENTS, segments.find_segment)
async def read(segment: Segment) -> ResponseReturnValue:
    await google_sheet.read_soon(await google_sheet.find_sheet(g.caller.org, segment))
    if wants_fragment():
        sheet = await google_sheet.find_sheet(g.caller.org, segment)
        return await render_template("segments/_sheet.html", segment=segment, sheet=sheet)
    return redirect(f"/segments/{segment.id}", "Syncing the sheet.")


@blueprint.route("/stop", methods=FORM)
@guarded(Action.SEGMENTS, segments.find_segment)
async def stop(segment: Segment) -> ResponseReturnValue:
    path = f"/segments/{segment.id}"
    if request.method == "POST":
        await google_sheet.unlink(g.caller.org, segment)
        return redirect(path, f"“{segment.name}” no longer syncs with a sheet. Its members are kept.")
    sheet = await google_sheet.sheet_of(g.caller.org, segment)
    if sheet is None:
        return redirect(path)
    return await render_dialog("segments/sheet_stop.html", segment=segment, sheet=sheet)
