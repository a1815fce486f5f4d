"""Files of other tools: only those who get mail there are subscribed here."""

import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.domain.contacts.test_consent_headings import statuses
from webapp.domain.contacts.columns import guess_columns, row_to_contact
from webapp.domain.contacts.consent_reader import LEFT, MOST_WORDS, SKIPPED, SUBSCRIBED, UNKNOWN, ConsentReader
from webapp.domain.contacts.known_exports import known_export
from webapp.domain.contacts.status_words import status_in
from webapp.models.contact import ContactStatus

# In each file "in" gets mail, "out" does not, and for "ask" somebody has to say.
EXPORTS = {
    "Mailchimp": """Email Address,Email Marketing Status,SMS Marketing Status,MEMBER_RATING,LEID,EUID
        in1@e.example,Subscribed,Never subscribed,3,1,a
        out1@e.example,Unsubscribed,,3,2,b
        out2@e.example,Non-subscribed,,3,3,c
        out3@e.example,Cleaned,,3,4,d""",
    "MailerLite": """Subscriber,Status,Sent,Opens,Clicks,Subscribed,Unsubscribed
        in1@e.example,Active,3,1,0,2024-01-01,
        out1@e.example,Unsubscribed,3,1,0,2024-01-01,2024-03-01
        out2@e.example,Junk,3,1,0,2024-01-01,
        out3@e.example,Unconfirmed,3,1,0,,
        out4@e.example,Active,3,1,0,2024-01-01,2024-03-01""",
    "Brevo": """CONTACT ID,EMAIL,DOUBLE_OPT-IN,OPT_IN,email_marketing
        1,in1@e.example,Yes,Yes,Subscribed
        2,out1@e.example,Yes,Yes,Blocklisted
        3,out2@e.example,Yes,No,Subscribed
        4,ask1@e.example,2,Yes,Subscribed""",
    "HubSpot": """Record ID,Email,Marketing contact status,Unsubscribed from all email,Email hard bounce reason
        1,in1@e.example,Marketing contact,,
        2,out1@e.example,Non-marketing contact,,
        3,out2@e.example,Marketing contact,true,
        4,out3@e.example,Marketing contact,,UNKNOWN_USER""",
    "Klaviyo": """Email,Email Marketing Consent,Email Suppressions
        in1@e.example,SUBSCRIBED,[]
        out1@e.example,NEVER_SUBSCRIBED,[]
        out2@e.example,SUBSCRIBED,['HARD_BOUNCE']""",
    "Constant Contact": """Email address,Email permission status,Email opt-out date
        in1@e.example,Explicit,
        in2@e.example,Implied,
        out1@e.example,No permissions set,
        out2@e.example,Temp hold,
        out3@e.example,Not set,
        out4@e.example,Explicit,2024-02-01""",
    "Buttondown": """email,notes,subscriber_type,creation_date
        in1@e.example,,regular,2024-01-01
        in2@e.example,,premium,2024-01-01
        out1@e.example,,unactivated,2024-01-01
        out2@e.example,,removed,2024-01-01
        out3@e.example,,spammy,2024-01-01
        ask1@e.example,,churned,2024-01-01""",
}
# Files without marks of their own are read by their headings.
OTHERS = {
    "a survey": """E-Mail,Consent
        in1@e.example,Granted
        out1@e.example,Denied
        out2@e.example,Not asked
        ask1@e.example,""",
    "a spreadsheet": """Email,Status
        in1@e.example,active
        out1@e.example,inactive
        out2@e.example,paused
        ask1@e.example,gold""",
    "inverted headings": """Email,Opted out,Do not email,is_opt_in_pending
        in1@e.example,0,no,false
        out1@e.example,1,no,false
        out2@e.example,0,yes,false
        out3@e.example,0,no,true""",
    "two columns that disagree": """Email,Subscribed,Status
        in1@e.example,yes,active
        out1@e.example,yes,unsubscribed
        out2@e.example,no,active
        out3@e.example,no,gold
        ask1@e.example,yes,gold""",
    "Japanese": """Email,ステータス
        in1@e.example,購読中
        out1@e.example,配信停止
        ask1@e.example,その他""",
}


@pytest.mark.parametrize("tool", [*EXPORTS, *OTHERS])
def test_of_an_export_only_those_who_get_mail_are_subscribed(tool: str) -> None:
    header, *rows = csv.reader(line.strip() for line in (EXPORTS | OTHERS)[tool].splitlines())
    export = known_export(header)
    assert (export.tool if export else None) == (tool if tool in EXPORTS else None)
    wanted = {"in": ("subscribed", None), "out": ("unsubscribed",), "ask": ("refused",)}
    for cells, status in zip(rows, statuses(header, *rows), strict=True):
        (address,) = [cell for cell in cells if "@" in cell]
        assert status in wanted[address.partition("@")[0].rstrip("0123456789")], address


@pytest.mark.parametrize(("words", "place"), [("unsubscribed", 0), ("Dado de baja", 4_999), ("配信停止", 9_999)])
def test_a_cell_that_says_somebody_left_is_found_anywhere_in_a_file(words: str, place: int) -> None:
    header = ["Email", "Grade"]
    rows = [[f"p{number}@e.example", "gold" if number % 2 else "silver"] for number in range(10_000)]
    rows[place][1] = words
    mapping = {0: "email", 1: "custom:grade"}
    consent = ConsentReader(header, mapping)
    read = [consent.read(cells) for cells in rows]
    assert [number for number, status in enumerate(read) if status == "unsubscribed"] == [place]
    report = {word.text: (word.rows, word.meaning) for word in consent.report()}
    assert report.keys() == {"gold", "silver", words}
    assert {meaning for _, meaning in report.values()} == {UNKNOWN}
    assert (report[words][0], sum(rows for rows, _ in report.values())) == (1, 10_000)


def test_answers_decide_about_words_that_are_not_known_and_no_others() -> None:
    answers = {"1": {"gold": SUBSCRIBED, "tin": LEFT, "none": SUBSCRIBED, "unsubscribed": SUBSCRIBED, "wood": SKIPPED}}
    consent = ConsentReader(["Email", "Status"], {0: "email", 1: "status"}, answers=answers)
    read = [consent.read(["", word]) for word in ("gold", "tin", "none", "Unsubscribed")]
    assert read == ["subscribed", *["unsubscribed"] * 3]
    for word, reason in (("wood", "“wood” in the column “Status” is skipped"), ("lead", "“lead” isn't recognized")):
        with pytest.raises(ValueError, match=reason):
            consent.read(["", word])


def test_words_beyond_the_most_are_skipped() -> None:
    consent = ConsentReader(["Email", "Status"], {0: "email", 1: "status"})
    for number in range(MOST_WORDS + 5):
        with pytest.raises(ValueError, match="isn't recognized"):
            consent.read(["", f"word {number}"])
    assert consent.read(["", "unsubscribed"]) == "unsubscribed"
    report = consent.report()
    assert [word.rows for word in report if word.meaning == SKIPPED] == [5]
    assert sum(word.meaning == UNKNOWN for word in report) == MOST_WORDS
    assert [word.text for word in report if word.meaning == LEFT] == ["unsubscribed"]


@pytest.mark.parametrize("left", ["unsubscribed", "inactive", "denied"])
@given(st.text(max_size=20), st.sampled_from(["subscribed", "active", "yes", ""]))
def test_no_words_around_one_of_leaving_subscribe_anybody(left: str, before: str, after: str) -> None:
    assert status_in(f"{before} {left} {after}") is not ContactStatus.SUBSCRIBED


@pytest.mark.parametrize(
    ("heading", "address"),
    [
        ("E-mail 1 - Value", "ada@e.example"),
        ("Subscriber", "<ada@e.example>"),
        ("Newsletter", "ada@e.example"),
        ("Kontakt", "mailto:ada@e.example"),
        ("", "Ada <ada@e.example>"),
    ],
)
def test_the_cells_say_which_column_has_the_addresses(heading: str, address: str) -> None:
    rows = [["Ada", "", address], ["Bob", "bob@work.example", address], ["Cy", "", address]]
    mapping = guess_columns(["Name", "Web", heading], rows)
    assert mapping[2] == "email"
    assert row_to_contact(rows[0], mapping, ConsentReader([], mapping)).email == "ada@e.example"


def test_a_heading_of_addresses_gives_way_to_another_column_that_has_them() -> None:
    assert guess_columns(["Email", "Login"], [["yes", "ada@e.example"]])[1] == "email"
    assert guess_columns(["Email", "Login"], [["", ""]])[0] == "email"
