"""A user's name, password, email notifications and sessions."""

from typing import Any

from quart import Blueprint, ResponseReturnValue, current_app, g, render_template

from webapp.domain.auth import sessions, system_email, two_step
from webapp.domain.auth.names import PersonName, change_name
from webapp.domain.auth.passwords import PasswordChange, change_password
from webapp.domain.notifications.notifications import change_preferences, list_preferences
from webapp.domain.organizations import is_only_one
from webapp.domain.roles import Action, Role
from webapp.http.auth.permissions import guarded
from webapp.http.auth.session import start_session, this_browser
from webapp.http.forms import Form, checked_ids, redirect, render_page
from webapp.models.notification import NotificationKind

blueprint = Blueprint("security", __name__, url_prefix="/security")
LABELS = {"new_password": "New password", "first_name": "First name", "last_name": "Last name"}
NOTIFICATIONS = (
    (NotificationKind.FINISHED, "A campaign has finished", "With its results. Not for sends to each new member."),
    (NotificationKind.HALTED, "A campaign was paused", "With the reason, unless you paused it yourself."),
    (NotificationKind.ACCOUNT, "An account can't send", "With its error, at most once an hour for each account."),
    (NotificationKind.WEBHOOK, "A webhook was disabled", "Because its endpoint failed for 5 days or is gone."),
    (NotificationKind.FORM, "A form was closed for an hour", "Because bots signed up and hardly anyone confirmed."),
    (NotificationKind.ERASED, "Someone deleted their data", "By the link that they were mailed, not by your team."),
)


@blueprint.get("")
@guarded(Action.ONESELF)
async def show() -> ResponseReturnValue:
    return await render_template("security/show.html", **await _about(Form(), _name_form()))


@blueprint.post("/name")
@guarded(Action.ONESELF)
async def set_name() -> ResponseReturnValue:
    form = await Form.sent()
    with form.refusing(LABELS):
        await change_name(g.visit, form.read(PersonName))
        return redirect("/security", "Name saved.")
    return await render_page("security/show.html", **await _about(Form(), form))


@blueprint.post("/password")
@guarded(Action.ONESELF)
async def set_password() -> ResponseReturnValue:
    form, throttle = await Form.sent(), current_app.extensions["sign_in_throttle"]
    with form.refusing(LABELS):
        opened = await change_password(g.visit, form.read(PasswordChange), this_browser(), throttle)
        saved = redirect("/security", "Password changed. You've been signed out of all other browsers.")
        return await start_session(saved, opened)
    return await render_page("security/show.html", **await _about(form, _name_form()))


@blueprint.post("/notifications")
@guarded(Action.ONESELF)
async def set_notifications() -> ResponseReturnValue:
    chosen = {kind: await checked_ids(kind) for kind in NotificationKind}
    await change_preferences(g.visit.user, await checked_ids("org"), chosen)
    return redirect("/security", "Notifications saved.")


@blueprint.post("/sessions/end-others")
@guarded(Action.ONESELF)
async def end_others() -> ResponseReturnValue:
    ended = await sessions.end_other_sessions(g.visit)
    return redirect("/security", f"Signed out of {ended:,} other session{'' if ended == 1 else 's'}.")


def _name_form() -> Form:
    return Form({"first_name": g.visit.user.first_name, "last_name": g.visit.user.last_name})


async def _about(form: Form, name_form: Form) -> dict[str, Any]:
    user, current = g.visit.user, g.visit.session.id
    listed = await sessions.list_sessions(user)
    return {
        "form": form,
        "name_form": name_form,
        "sessions": sorted(listed, key=lambda session: session.id != current),
        "current": current,
        "has_second_step": user.totp_secret is not None,
        "preferences": await list_preferences(user),
        "notification_kinds": NOTIFICATIONS,
        "can_mail": system_email.is_set_up(),
        "runs_instance": g.visit.role == Role.OWNER and await is_only_one(),
        "recovery_codes": await two_step.count_recovery_codes(user),
    }
