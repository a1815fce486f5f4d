"""The pages around signing in, in the language of the visitor's browser."""

from typing import Any

from markupsafe import Markup
from quart import Response

from webapp.errors import RateLimitExceeded
from webapp.http.forms import Form, render_page
from webapp.languages import DEFAULT, Translator, sentences
from webapp.pages.shared.reader_page import page_language

MINUTE_SECONDS = 60
RESET_COMMAND = Markup("<code>pennypost reset-password</code>")


def account_words() -> Translator:
    return Translator(page_language() or DEFAULT, {})


async def render_account_page(
    template: str, *, status: int = 200, form: Form | None = None, **context: Any
) -> Response:
    """The page with the errors of its form; `status` is that of a page without any."""
    t = account_words()
    if form is not None and t.language != DEFAULT:
        form.errors = _translated(form, t)
    page = await render_page(template, form=form or Form(), t=t, reset_command=RESET_COMMAND, **context)
    if not form or not form.errors:
        page.status_code = status
    return page


def _translated(form: Form, t: Translator) -> dict[str, str]:
    """The form's errors in the language; those of rare faults stay English."""
    if isinstance(form.refusal, RateLimitExceeded) and form.refusal.retry_after is not None:
        return {"": t.plain("account.too_many", minutes=str(-(-form.refusal.retry_after // MINUTE_SECONDS)))}
    keys = {text: key for key, text in sentences(DEFAULT).items()}
    return {name: t.plain(keys[text]) if text in keys else text for name, text in form.errors.items()}
