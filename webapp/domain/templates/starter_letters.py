"""Sample letters to start from, as blocks; `values` fill their merge tags only in the gallery."""

import copy
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

Blocks = list[dict[str, Any]]


class Starter(NamedTuple):
    key: str
    name: str
    about: str
    subject: str
    blocks: Blocks
    values: Mapping[str, Any] = MappingProxyType({})

    def as_fields(self) -> dict[str, Any]:
        return {"name": self.name, "subject": self.subject, "blocks": copy.deepcopy(self.blocks)}


def _heading(text: str, level: int = 1, **options: Any) -> dict[str, Any]:
    return {"type": "heading", "text": text, "level": level, **options}


def _text(*paragraphs: str, **options: Any) -> dict[str, Any]:
    return {"type": "text", "text": "\n\n".join(paragraphs), **options}


def _button(text: str, url: str, **options: Any) -> dict[str, Any]:
    return {"type": "button", "text": text, "url": url, **options}


def _columns(*columns: Blocks) -> dict[str, Any]:
    return {"type": "columns", "columns": list(columns)}


def _centered(title: str, words: str) -> Blocks:
    return [_heading(title, 2, align="center"), _text(words, align="center")]


def _space(height: int) -> dict[str, Any]:
    return {"type": "spacer", "height": height}


def _end(why: str) -> Blocks:
    return [_space(8), DIVIDER, {"type": "footer", "text": why + BROWSER, "unsubscribe": "Unsubscribe"}]


GREETING = 'Hi {{ first_name | default: "there" }},'
BROWSER = "{% if browser_url %}\n[View this email in your browser]({{ browser_url }}){% endif %}"
DIVIDER = {"type": "divider"}
RESET_URL = '{{ reset_url | default: "https://example.com/reset-password" }}'
# Your app sends the items; without them, the letter shows no table.
ITEMS = """\
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="border-collapse:collapse">
{% for item in items %}<tr>
<td style="padding:10px 16px 10px 0;border-bottom:1px solid #9ca3af">{{ item.name | default: "Item" }}</td>
<td align="right" style="padding:10px 0;border-bottom:1px solid #9ca3af;white-space:nowrap">\
{{ item.price | default: "included" }}</td>
</tr>{% endfor %}
<tr>
<td style="padding:12px 16px 0 0"><strong>Total</strong></td>
<td align="right" style="padding:12px 0 0;white-space:nowrap"><strong>\
{{ total | default: "see your account" }}</strong></td>
</tr>
</table>"""

STARTERS = (
    Starter(
        "letter",
        "Plain letter",
        "A few words from one person to another.",
        "We're open on Saturdays now",
        [
            _text(
                GREETING,
                "You've been with us for a while, so we wanted you to hear it first: from next month, we answer your"
                " questions on Saturdays, too.",
                "You don't need to do anything. And if there's something we could do better, just reply to this"
                " email. We read every answer.",
                "All the best,\nYour team",
            ),
            *_end("You get this email as a customer of ours."),
        ],
    ),
    Starter(
        "newsletter",
        "Newsletter",
        "One main story, two short ones and a way to read on.",
        "What's new this month",
        [
            _heading("What's new this month"),
            _text(
                'Hello {{ first_name | default: "and welcome" }}! Three things happened since our last letter. They'
                " take about four minutes to read."
            ),
            DIVIDER,
            _heading("We rebuilt the part you use most", 2),
            _text(
                "Search now finds what you mean, even with a typo. It looks through everything you've ever saved,"
                " and it answers before you've finished typing."
            ),
            _button("Read the story", "https://example.com/news/search"),
            _space(8),
            DIVIDER,
            _columns(
                [
                    _heading("Five questions for Maya", 3),
                    _text(
                        "How a two-person bakery plans its week, and what they stopped doing.",
                        "[Read the interview](https://example.com/news/maya)",
                    ),
                ],
                [
                    _heading("A small tip", 3),
                    _text(
                        "Press the slash key on any page to search. Your hands stay where they are.",
                        "[See all shortcuts](https://example.com/help/shortcuts)",
                    ),
                ],
            ),
            *_end("You signed up for this newsletter."),
        ],
    ),
    Starter(
        "announcement",
        "Announcement",
        "One piece of news, and what it means for the reader.",
        "Our prices change on March 1",
        [
            _space(16),
            _heading("Our prices change on March 1", align="center"),
            _text(
                'Good news first{% if first_name %}, {{ first_name | default: "" }}{% endif %}: your plan stays as it'
                " is until your next renewal.",
                align="center",
            ),
            _button("See the new prices", "https://example.com/prices", align="center"),
            _space(16),
            DIVIDER,
            _heading("What this means for you", 2),
            _text(
                "- **Until March 1** nothing changes.\n"
                "- **After that** you pay the new price from your next renewal on.\n"
                "- **If you renew early** you keep today's price for another year."
            ),
            _text("Questions? Reply to this email and a person will answer."),
            *_end("You get this email with your account."),
        ],
    ),
    Starter(
        "product",
        "Product",
        "Something new to buy, with three reasons for it.",
        "New: the notebook that lies flat",
        [
            _space(16),
            _heading("The notebook that lies flat", align="center"),
            _text("160 pages of heavy paper, sewn by hand. It opens and stays open.", align="center"),
            _button("Shop the notebook", "https://example.com/shop/notebook", align="center"),
            _space(16),
            DIVIDER,
            _columns(
                _centered("Flat", "A sewn spine. No page fights back."),
                _centered("Quiet", "No ink shows through."),
                _centered("Lasting", "A linen cover, and refills for life."),
            ),
            _space(8),
            DIVIDER,
            _text("*Four filled. The first one still looks new.*\nJun, who draws every day", align="center"),
            _text(
                'For you{% if first_name %}, {{ first_name | default: "" }}{% endif %}: **free shipping** until Sunday'
                " with the code FLAT.",
                align="center",
            ),
            _button("Order with free shipping", "https://example.com/shop/notebook?code=FLAT", align="center"),
            *_end("You asked for news about our products."),
        ],
    ),
    Starter(
        "event",
        "Event invitation",
        "When, where, what happens, and a button to accept.",
        "You're invited: an evening with our makers",
        [
            _space(16),
            _heading("You're invited", align="center"),
            _text(
                '{{ first_name | default: "Friends" }}, join us for an evening with the people behind our things.',
                align="center",
            ),
            _space(8),
            DIVIDER,
            _columns(
                _centered("When", "Thursday, May 14\n7 to 10 p.m.\nDoors open at 6:30"),
                _centered("Where", "The Old Print Works\n12 Canal Street\nStep-free entrance"),
            ),
            _space(8),
            _button("Save my seat", "https://example.com/events/may", align="center"),
            _space(8),
            DIVIDER,
            _heading("The evening", 2),
            _text(
                "- **7:00** Welcome, with something to drink\n"
                "- **7:30** Three short talks about things that went wrong\n"
                "- **8:30** Food, questions and a tour of the workshop"
            ),
            _text(
                "There are 60 seats, and they're free. Can't come?"
                " [Get the recording](https://example.com/events/may/recording)."
            ),
            *_end("You asked for news about our events."),
        ],
    ),
    Starter(
        "digest",
        "Digest",
        "A week in short: links to read, watch and try.",
        "Your week in five minutes",
        [
            _heading("Your week in five minutes"),
            _text('{{ first_name | default: "Hello" }}, here is the best of the past seven days.'),
            DIVIDER,
            _heading("Read", 2),
            _text(
                "1. [Why we stopped planning by quarter](https://example.com/read/planning)\n"
                "2. [The meeting that became an email](https://example.com/read/meeting)\n"
                "3. [Eleven ways to say no kindly](https://example.com/read/no)"
            ),
            _heading("Watch", 2),
            _text("[A tour of the new workshop](https://example.com/watch/tour), eight minutes, with captions."),
            _heading("Try", 2),
            _text("Leave your phone in another room until lunch. Tell us how it went: just reply."),
            _space(8),
            _button("See everything from this week", "https://example.com/week"),
            *_end("You get this digest every Friday."),
        ],
    ),
    Starter(
        "receipt",
        "Receipt",
        "What was bought and paid, sent by your app.",
        'Your receipt{% if order_number %} for order {{ order_number | default: "" }}{% endif %}',
        [
            _heading("Thank you for your order"),
            _text(GREETING, "We've received your payment. This is your receipt."),
            _text(
                '**Order:** {{ order_number | default: "see your account" }}\n'
                '**Date:** {{ order_date | default: "today" }}\n'
                '**Paid with:** {{ payment_method | default: "your saved payment method" }}'
            ),
            {"type": "code", "html": ITEMS, "show_when": "items"},
            _text("You'll find your order and its invoice in your account."),
            _button("View your order", '{{ order_url | default: "https://example.com/orders" }}'),
            _space(8),
            DIVIDER,
            _text("Is something not right? Reply to this email, and we'll sort it out."),
            _space(16),
        ],
        {
            "order_number": "1042",
            "order_date": "May 2",
            "payment_method": "Visa, ending in 4242",
            "items": [
                {"name": "Notebook, linen, blue", "price": "$24.00"},
                {"name": "Refill, 160 pages", "price": "$9.00"},
                {"name": "Shipping", "price": "$4.00"},
            ],
            "total": "$37.00",
        },
    ),
    Starter(
        "password-reset",
        "Password reset",
        "A link to choose a new password, sent by your app.",
        "Reset your password",
        [
            _heading("Reset your password"),
            _text(
                GREETING, "Someone, hopefully you, asked to reset the password of your account. Choose a new one here:"
            ),
            _button("Choose a new password", RESET_URL),
            _text('The link works once, for {{ valid_for | default: "one hour" }}.'),
            _space(8),
            DIVIDER,
            _text(
                "**Wasn't it you?** Then ignore this email. Your password stays as it is, and nobody can change it"
                " without this link."
            ),
            _text(f"If the button doesn't work, open this address:\n[{RESET_URL}]({RESET_URL})"),
            _space(16),
        ],
    ),
)
