"""Adds, changes, tests and replays webhooks, and shows what was posted."""

from typing import Any
from uuid import UUID

from quart import Blueprint, ResponseReturnValue, g, render_template, request

from webapp.domain.events.events import find_event
from webapp.domain.roles import Action
from webapp.domain.webhooks import log, webhooks
from webapp.domain.webhooks.webhooks import SUBSCRIBABLE, IssuedWebhook, NewWebhook, WebhookChanges
from webapp.errors import ApiError, NotFound
from webapp.http.auth.one_time_secret import read_secret, redirect_with, render_secret, seal_secret
from webapp.http.auth.permissions import guarded
from webapp.http.forms import FORM, Form, in_words, redirect, render_dialog, render_page, submit_once
from webapp.http.paging import ListPaging, query
from webapp.models import Webhook
from webapp.pages.api_reference.samples import VERIFICATION_SAMPLES
from webapp.pages.shared.event_feed import body_text, feed_lines
from webapp.pages.shared.search import SearchForm, read_search

blueprint = Blueprint("webhooks", __name__, url_prefix="/webhooks")
COOKIE = "fresh_webhook"
LABELS = {"url": "URL", "events": "Events"}
EVERYTHING = "*"


@blueprint.get("")
@guarded(Action.WEBHOOKS)
@query(ListPaging)
async def index(query_args: ListPaging) -> ResponseReturnValue:
    listed = await webhooks.list_webhooks(g.caller.org, query_args.wanted)
    return await render_template("webhooks/index.html", listed=listed, asked=query_args)


@blueprint.get("/new")
@blueprint.post("")
@guarded(Action.WEBHOOKS)
async def create() -> ResponseReturnValue:
    async def add() -> str:
        return _sealed(await webhooks.add_webhook(g.caller.org, form.read(NewWebhook)))

    form = await _sent({"events": [EVERYTHING]})
    if request.method == "POST":
        with form.refusing(LABELS):
            return redirect_with(await submit_once(form, add))
    return await render_page("webhooks/new.html", "webhooks/_form.html", form=form, **_choices())


@blueprint.get("/<uuid:webhook_id>")
@guarded(Action.WEBHOOKS, webhooks.find_webhook)
async def show(webhook: Webhook) -> ResponseReturnValue:
    asked = read_search(SearchForm, {})
    attempts = await log.list_attempts(webhook, asked.cursor)
    events = await log.events_of(g.caller.org, attempts.rows)
    lines = {line.event.id: line for line in await feed_lines(g.caller.org, events)}
    context = {
        "webhook": webhook,
        "attempts": attempts,
        "lines": lines,
        "asked": asked,
        "counts": await log.count_deliveries(webhook),
        "oldest": await log.oldest_waiting(webhook),
        "failure": await log.last_failure(webhook),
    }
    return await render_template("webhooks/show.html", **context)


@blueprint.get("/<uuid:webhook_id>/attempts/<uuid:attempt_id>")
@guarded(Action.WEBHOOKS)
async def show_attempt(webhook_id: UUID, attempt_id: UUID) -> ResponseReturnValue:
    webhook = await webhooks.find_webhook(g.caller.org, webhook_id)
    attempt = await log.find_attempt(webhook, attempt_id)
    try:
        view = await find_event(g.caller.org, attempt.event_id)
    except NotFound:  # the event was deleted
        view = None
    text = None if view is None else body_text(view)
    return await render_template("webhooks/attempt.html", webhook=webhook, attempt=attempt, view=view, text=text)


@blueprint.route("/<uuid:webhook_id>/edit", methods=FORM)
@guarded(Action.WEBHOOKS, webhooks.find_webhook)
async def edit(webhook: Webhook) -> ResponseReturnValue:
    form = await _sent({"url": webhook.url, "events": webhook.events})
    if request.method == "POST":
        with form.refusing(LABELS):
            await webhooks.change_webhook(g.caller.org, webhook, form.read(WebhookChanges, "url", "events"))
            return redirect(f"/webhooks/{webhook.id}", "Webhook saved.")
    return await render_page("webhooks/edit.html", "webhooks/_form.html", form=form, webhook=webhook, **_choices())


@blueprint.post("/<uuid:webhook_id>/status")
@guarded(Action.WEBHOOKS, webhooks.find_webhook)
async def status(webhook: Webhook) -> ResponseReturnValue:
    form = await Form.sent()
    changed = await webhooks.change_webhook(g.caller.org, webhook, form.read(WebhookChanges))
    words = (
        "Events are posted to it again."
        if changed.status == "enabled"
        else "Nothing is posted to it until you enable it."
    )
    return redirect(f"/webhooks/{webhook.id}", f"Webhook {changed.status}. {words}")


@blueprint.post("/<uuid:webhook_id>/test")
@guarded(Action.WEBHOOKS, webhooks.find_webhook)
async def test(webhook: Webhook) -> ResponseReturnValue:
    return await _act(webhook, log.send_test(webhook), "Test event queued. The attempt shows up below in a moment.")


@blueprint.post("/<uuid:webhook_id>/replay")
@guarded(Action.WEBHOOKS, webhooks.find_webhook)
async def replay_failed(webhook: Webhook) -> ResponseReturnValue:
    return await _act(webhook, log.replay_many(webhook), "Failed events queued again.")


@blueprint.post("/<uuid:webhook_id>/events/<uuid:event_id>/replay")
@guarded(Action.WEBHOOKS, log.find_to_replay)
async def replay_one(to_replay: log.ToReplay) -> ResponseReturnValue:
    return await _act(to_replay.webhook, log.replay(to_replay), "Event queued again.")


@blueprint.route("/<uuid:webhook_id>/rotate", methods=FORM)
@guarded(Action.WEBHOOKS, webhooks.find_webhook)
async def rotate(webhook: Webhook) -> ResponseReturnValue:
    if request.method == "POST":
        return redirect_with(_sealed(await webhooks.rotate_secret(g.caller.org, webhook)))
    return await render_dialog("webhooks/rotate.html", webhook=webhook)


@blueprint.get("/<uuid:webhook_id>/secret")
@guarded(Action.WEBHOOKS, webhooks.find_webhook)
async def secret(webhook: Webhook) -> ResponseReturnValue:
    text = read_secret(COOKIE, webhook.id)
    if text is None:
        lost = "Signing secrets are shown only once. If you lost this one, rotate it."
        return redirect(f"/webhooks/{webhook.id}", lost, "info")
    context = {"webhook": webhook, "secret": text, "samples": VERIFICATION_SAMPLES}
    return await render_secret("webhooks/secret.html", COOKIE, **context)


@blueprint.route("/<uuid:webhook_id>/delete", methods=FORM)
@guarded(Action.WEBHOOKS, webhooks.find_webhook)
async def delete(webhook: Webhook) -> ResponseReturnValue:
    if request.method == "POST":
        await webhooks.delete_webhook(g.caller.org, webhook)
        return redirect("/webhooks", "Webhook deleted.")
    return await render_dialog("webhooks/delete.html", webhook=webhook)


async def _act(webhook: Webhook, work: Any, done: str) -> ResponseReturnValue:
    try:
        await work
    except ApiError as refusal:
        return redirect(f"/webhooks/{webhook.id}", in_words(refusal), "bad")
    return redirect(f"/webhooks/{webhook.id}", done)


def _sealed(issued: IssuedWebhook) -> str:
    webhook = issued.webhook
    return seal_secret(COOKIE, webhook.id, issued.signing_secret, f"/webhooks/{webhook.id}/secret")


async def _sent(initial: dict[str, Any]) -> Form:
    """The form, with the ticked event types as a list."""
    form = await Form.sent(initial)
    if request.method == "POST":
        form.values["events"] = [name for name in (await request.form).getlist("events") if name]
    return form


def _choices() -> dict[str, Any]:
    groups: dict[str, list[str]] = {}
    for kind in SUBSCRIBABLE:
        groups.setdefault(kind.partition(".")[0], []).append(kind)
    return {"groups": groups, "everything": EVERYTHING}
