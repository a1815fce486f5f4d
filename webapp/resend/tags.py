"""Turns Resend's tags, like `{{{FIRST_NAME|there}}}`, into merge tags."""

import re
from collections.abc import Mapping

TAG = re.compile(r"\{\{\{\s*([A-Za-z_][\w.-]{0,99})\s*(?:\|([^{}]{0,500}))?\}\}\}", re.ASCII)
NAMES = {
    "FIRST_NAME": "first_name",
    "LAST_NAME": "last_name",
    "EMAIL": "email",
    "RESEND_UNSUBSCRIBE_URL": "unsubscribe_url",
    "UNSUBSCRIBE_URL": "unsubscribe_url",
}
OF_CONTACT = "contact."


def to_merge_tags(source: str, fallbacks: Mapping[str, object] | None = None) -> str:
    """`fallbacks` are used by tags without one of their own. Other text stays as it is."""

    def translate(tag: re.Match[str]) -> str:
        name, inline = tag[1], tag[2]
        merged = NAMES.get(name) or name.removeprefix(OF_CONTACT)
        fallback = inline.strip() if inline is not None else (fallbacks or {}).get(name)
        return f"{{{{ {merged} }}}}" if fallback is None else f"{{{{ {merged} | default: {_quoted(str(fallback))} }}}}"

    return TAG.sub(translate, source)


def _quoted(text: str) -> str:
    """Merge tags have no escapes in quoted texts, and end at the first braces."""
    text = text.replace("{", "(").replace("}", ")")
    if '"' not in text:
        return f'"{text}"'
    return "'" + text.replace("'", "\u2019") + "'"
