"""The HTML of a form for another site, which needs neither scripts nor styles of ours."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from webapp.domain.forms.fields import asked_fields
from webapp.domain.forms.forms import url_of
from webapp.domain.forms.inputs import HONEYPOT
from webapp.domain.templates.brand import find_brand, translator
from webapp.languages import Translator
from webapp.models import Organization, SignUpForm, Topic
from webapp.models.sign_up_form import FieldType
from webapp.models.topic import Subscription

INPUTS = {"email": 'type="email" autocomplete="email"', "phone": 'type="tel" autocomplete="tel"'}
INPUTS |= {"first_name": 'autocomplete="given-name"', "last_name": 'autocomplete="family-name"'}
# People don't see it; programs that fill in everything do.
UNSEEN = "position: absolute; left: -10000px"


async def embed_code(org: Organization, form: SignUpForm, topics: Sequence[Topic]) -> str:
    """The form in its language, with these topics to choose."""
    t = translator(await find_brand(org), form.language)
    lines = [line for field in asked_fields(form) for line in _lines_of(field, t)]
    if topics:  # without any, a sign-up chooses all of the form's
        lines.append('<input type="hidden" name="topics" value="">')
    for topic in topics:
        checked = " checked" if topic.default_subscription == Subscription.OPT_IN else ""
        lines += _box("topics", str(topic.id), topic.name, checked)
    if form.consent_text:
        lines.append(f"<p>{escape(form.consent_text)}</p>")
    trap = f'<input name="{HONEYPOT}" tabindex="-1" autocomplete="off">'
    lines.append(f'<p style="{UNSEEN}" aria-hidden="true"><label>Leave this empty {trap}</label></p>')
    lines.append(f'<p><button type="submit">{escape(t.plain("form.send"))}</button></p>')
    inside = "\n".join(f"  {line}" for line in lines)
    return f'<form action="{escape(url_of(form))}" method="post" accept-charset="utf-8">\n{inside}\n</form>\n'


def _lines_of(field: Mapping[str, Any], t: Translator) -> Iterator[str]:
    name = field["label"] or t.plain("preferences_link.email")
    key, label, required = escape(field["key"]), escape(name), " required" if field["required"] else ""
    if field["kind"] == FieldType.CHECKBOX:
        yield from _box(field["key"], "yes", name, required)
    elif field["kind"] == FieldType.CHOICE:
        yield f'<p><label>{label}<br><select name="{key}"{required}>'
        yield f'  <option value="">{escape(t.plain("form.choose"))}</option>'
        yield from (f"  <option>{escape(option)}</option>" for option in field["options"])
        yield "</select></label></p>"
    else:
        kind = 'type="date"' if field["kind"] == FieldType.DATE else INPUTS.get(field["key"], "")
        attributes = " ".join(filter(None, [f'name="{key}"', kind]))
        yield f"<p><label>{label}<br><input {attributes}{required}></label></p>"


def _box(name: str, value: str, label: str, attributes: str = "") -> Iterator[str]:
    box = f'<input type="checkbox" name="{escape(name)}" value="{escape(value)}"{attributes}>'
    yield f"<p><label>{box} {escape(label)}</label></p>"
