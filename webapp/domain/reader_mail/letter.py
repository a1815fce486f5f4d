"""A letter with one link, in the brand of its organization."""

from html import escape
from typing import NamedTuple
from uuid import UUID

from webapp.domain.auth.system_email import SystemEmail
from webapp.domain.link_signing import ReaderLink
from webapp.domain.templates.style import FONTS, LetterStyle
from webapp.languages import RIGHT_TO_LEFT


class Letter(NamedTuple):
    subject: str
    before: str  # paragraphs, separated by empty lines
    label: str  # of the link
    after: str
    link: ReaderLink
    language: str
    # The account that sends it, or else the oldest active one. None: the instance's own server, in our words alone.
    account_id: UUID | None = None
    # Own bodies with `link.sample_url`, which only an account can send.
    html: str | None = None
    text: str | None = None

    def as_system_email(self, to: str) -> SystemEmail:
        return SystemEmail(to, self.subject, self.before, self.link.url, self.label, self.after, language=self.language)


def text_of(letter: Letter) -> str:
    return f"{letter.before}\n\n{letter.link.sample_url}\n\n{letter.after}\n"


def html_of(letter: Letter, style: LetterStyle) -> str:
    direction = "rtl" if letter.language in RIGHT_TO_LEFT else "ltr"
    before = "".join(f'<p style="margin:0 0 16px">{escape(part)}</p>' for part in letter.before.split("\n\n"))
    url = escape(letter.link.sample_url)
    button = (
        f"display:inline-block;padding:12px 22px;border-radius:6px;background:{style.button};"
        f"color:{style.button_text};font-weight:bold;text-decoration:none"
    )
    quiet = f"margin:16px 0 0;font-size:14px;color:{style.quiet_text}"
    return (
        f'<!doctype html><html lang="{letter.language}" dir="{direction}"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width"><title>{escape(letter.subject)}</title></head>'
        f'<body style="margin:0;background:{style.background};color:{style.text};'
        f'font:16px/1.5 {escape(FONTS[style.font])}">'
        f'<div style="max-width:{style.width}px;margin:0 auto;padding:24px">{_head(style)}{before}'
        f'<p style="margin:24px 0"><a href="{url}" style="{button}">{escape(letter.label)}</a></p>'
        f'<p style="{quiet};word-break:break-all"><a href="{url}" style="color:{style.accent}">{url}</a></p>'
        f'<p style="{quiet}">{escape(letter.after)}</p>{_address(style, quiet)}</div></body></html>'
    )


def _head(style: LetterStyle) -> str:
    name = escape(style.sender)
    if style.logo_url is None:
        return f'<p style="margin:0 0 24px"><b>{name}</b></p>'
    image = "max-width:160px;max-height:80px;border:0"
    return f'<p style="margin:0 0 24px"><img src="{escape(style.logo_url)}" alt="{name}" style="{image}"></p>'


def _address(style: LetterStyle, quiet: str) -> str:
    lines = escape(style.address or "").replace("\n", "<br>")
    return f'<p style="{quiet}">{lines}</p>' if lines else ""
