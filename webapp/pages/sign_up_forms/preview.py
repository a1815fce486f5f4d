"""The preview of a form that is being edited: its page and its confirmation, as people see them."""

from markupsafe import escape
from quart import Blueprint, Response, g

from webapp.domain.forms import forms
from webapp.domain.forms.inputs import NewForm
from webapp.domain.forms.letter import confirmation_letter
from webapp.domain.link_signing import ReaderLink, ReaderPath
from webapp.domain.reader_mail.letter import html_of
from webapp.domain.roles import Action
from webapp.domain.templates.brand import style_of
from webapp.errors import ApiError
from webapp.http.auth.permissions import guarded
from webapp.http.forms import Form
from webapp.models import SignUpForm
from webapp.pages.forms.public_form import form_page
from webapp.pages.mail.frame import mail_frame, text_frame
from webapp.pages.sign_up_forms import editor

blueprint = Blueprint("sign_up_form_preview", __name__, url_prefix="/forms")
SUBJECT = (
    '<!doctype html><div style="padding:12px 24px;border-bottom:1px solid #ccc;background:#f6f6f6;color:#333;'
    'font:600 15px/1.4 system-ui,sans-serif">{}</div>'
)
NAME = "Newsletter"  # while the form has none


@blueprint.post("/preview")
@guarded(Action.FORMS)
async def show() -> Response:
    form = await editor.sent_form()
    form.values.setdefault("name", NAME)
    form.values["rows"] = [row for row in form.values["rows"] if row.get("key")]  # others are just being added
    try:
        draft = await forms.draft_form(g.caller.org, editor.read_form(form, NewForm))
        return await (_mail(draft) if form.values.get("view") == editor.MAIL else _page(draft))
    except ApiError as refusal:
        return text_frame(" ".join(Form().refuse(refusal, editor.LABELS).errors.values()))


async def _page(draft: SignUpForm) -> Response:
    """The form's page in a frame, where nothing can be sent."""
    page = await form_page(draft)
    policy = page.headers["Content-Security-Policy"].replace("frame-ancestors 'none'", "frame-ancestors 'self'")
    page.headers["Content-Security-Policy"] = f"sandbox; {policy}"
    page.headers["X-Frame-Options"] = "SAMEORIGIN"
    return page


async def _mail(draft: SignUpForm) -> Response:
    link = ReaderLink(ReaderPath.CONFIRM, draft.id, draft.id)
    letter = await confirmation_letter(g.caller.org, draft, link, draft.language, None)
    if letter.html is None and letter.text is not None:
        return text_frame(f"{letter.subject}\n\n{letter.text}")
    html = letter.html or html_of(letter, await style_of(g.caller.org))
    return mail_frame(SUBJECT.format(escape(letter.subject)) + html, images=True)
