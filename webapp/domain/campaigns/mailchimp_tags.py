"""Finds tags of Mailchimp in subjects and bodies, and names what to write instead."""

import re
from collections.abc import Iterator

from webapp.domain.contacts.columns import FIELDS
from webapp.domain.contacts.status_words import plain_word

MAILCHIMP_TAG = re.compile(r"\*\|(\w+)(?::(\w*)[^|]*)?\|\*")
INSTEAD = {
    "UNSUB": "{{ unsubscribe_url }}",
    "UPDATE_PROFILE": "{{ preferences_url }}",
    "ARCHIVE": "{{ browser_url }}",
    "ELSE": "{% else %}",
    "END": "{% endif %}",
    "CURRENT_YEAR": '{{ "now" | date: "%Y" }}',
}


def mailchimp_faults(source: str) -> Iterator[str]:
    """A sentence for each of Mailchimp's tags, which stay as they are."""
    for tag, (name, about) in {tag[0]: (tag[1], tag[2]) for tag in MAILCHIMP_TAG.finditer(source)}.items():
        yield f"{tag} is a Mailchimp tag, which isn't filled in. {_instead(name, about)}"


def _instead(name: str, about: str | None) -> str:
    if name == "IF" and about:
        return f"Write {{% if {_field(about)} %}} instead."
    if name not in INSTEAD and about is not None:
        return "Remove it."
    return f"Write {INSTEAD.get(name) or f'{{{{ {_field(name)} }}}}'} instead."


def _field(name: str) -> str:
    return FIELDS.get(plain_word(name), name.lower())
