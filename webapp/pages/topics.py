"""Topics, and on the page of a contact which of them it gets."""

from contextlib import suppress
from uuid import UUID

from quart import Blueprint, ResponseReturnValue, g, request

from webapp.domain.contacts import contacts
from webapp.domain.roles import Action
from webapp.domain.topics import choices, topics, uses
from webapp.domain.topics.choices import TopicSubscription, TopicSubscriptions
from webapp.domain.topics.topics import NewTopic, TopicChanges
from webapp.errors import NotFound
from webapp.http.auth.permissions import guarded
from webapp.http.flashes import flash
from webapp.http.forms import FORM, Form, redirect, render_dialog, render_page, submit_once
from webapp.models import Contact, Topic
from webapp.models.topic import MOST_COUNTED, MOST_TOPICS, Subscription, Visibility
from webapp.pages.shared.filters import counted

blueprint = Blueprint("topics", __name__)
LIST = "/topics"
LABELS = {"name": "The name", "description": "The description", "position": "The position"}
SHOWN = ("name", "description", "default_subscription", "visibility", "position")
DEFAULTS = {
    Subscription.OPT_IN: "Everyone, until they opt out",
    Subscription.OPT_OUT: "Only those who opt in",
}
VISIBILITIES = {visibility: visibility.capitalize() for visibility in (Visibility.PUBLIC, Visibility.PRIVATE)}


@blueprint.get(LIST)
@guarded(Action.READ)
async def index() -> ResponseReturnValue:
    rows = await topics.all_topics(g.caller.org)
    counts = await choices.count_choices(g.caller.org, rows)
    return await render_page("topics/index.html", topics=rows, counts=counts, most=MOST_COUNTED, defaults=DEFAULTS)


@blueprint.get(f"{LIST}/new")
@blueprint.post(LIST)
@guarded(Action.TOPICS)
async def create() -> ResponseReturnValue:
    async def add() -> str:
        topic = await topics.add_topic(g.caller.org, form.read(NewTopic, "name", "default_subscription"))
        flash(f"Topic “{topic.name}” created.")
        return LIST

    form = await Form.sent({"default_subscription": Subscription.OPT_IN, "visibility": Visibility.PUBLIC})
    if request.method == "POST":
        with form.refusing(LABELS, SHOWN):
            return redirect(await submit_once(form, add))
    return await _show_form(form, None)


@blueprint.route(f"{LIST}/<uuid:topic_id>", methods=FORM)
@guarded(Action.TOPICS, topics.find_topic)
async def edit(topic: Topic) -> ResponseReturnValue:
    names = ("name", "description", "visibility", "position")
    form = await Form.sent({name: getattr(topic, name) for name in names if getattr(topic, name) is not None})
    if request.method == "POST":
        form.values.setdefault("description", None)
        with form.refusing(LABELS, SHOWN):
            changed = await topics.change_topic(g.caller.org, topic, form.read(TopicChanges, "name"))
            return redirect(LIST, f"Topic “{changed.name}” saved.")
    return await _show_form(form, topic)


async def _show_form(form: Form, topic: Topic | None) -> ResponseReturnValue:
    context = {"topic": topic, "defaults": DEFAULTS, "visibilities": VISIBILITIES}
    return await render_page("topics/edit.html", "topics/_form.html", form=form, **context)


@blueprint.route(f"{LIST}/<uuid:topic_id>/delete", methods=FORM)
@guarded(Action.TOPICS, topics.find_topic)
async def delete(topic: Topic) -> ResponseReturnValue:
    if request.method == "POST":
        await topics.delete_topic(g.caller.org, topic)
        return redirect(LIST, f"Topic “{topic.name}” deleted.")
    counts = (await choices.count_choices(g.caller.org, [topic]))[topic.id]
    users = await uses.uses_of(g.caller.org, topic)
    return await render_dialog("topics/delete.html", topic=topic, users=users.campaigns, uses=users, counts=counts)


@blueprint.post("/contacts/<uuid:contact_id>/topics")
@guarded(Action.CONTACTS, contacts.find_contact)
async def choose(contact: Contact) -> ResponseReturnValue:
    """Saves what differs from what the page showed, because others may have changed the rest."""
    sent, path = await request.form, f"/contacts/{contact.id}"
    changes = []
    for name, shown in sent.items(multi=True):
        kind, _, topic_id = name.partition("-")
        if kind != "shown":
            continue
        with suppress(ValueError):
            subscription = Subscription.OPT_IN if f"topic-{topic_id}" in sent else Subscription.OPT_OUT
            if shown != subscription:
                changes.append(TopicSubscription(id=UUID(topic_id), subscription=subscription.value))
    if not changes:
        return redirect(path, "No topics changed.", "info")
    try:
        await choices.choose_topics(g.caller.org, contact, TopicSubscriptions(topics=changes[:MOST_TOPICS]))
    except NotFound as refusal:
        if refusal.message is None:
            raise
        return redirect(path, "A topic was deleted since. Nothing changed.", "info")
    return redirect(path, f"{counted(len(changes), 'topic')} of {contact.email} changed.")
