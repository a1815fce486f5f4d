"""What columns of other tools say of who may get campaigns."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.table import table
from webapp.domain.contacts.columns import column_title, consent_reader, guess_columns, row_to_contact
from webapp.domain.contacts.consent_columns import CONSENT, consent_field
from webapp.domain.contacts.file_names import are_gone
from webapp.domain.contacts.inputs import NewContact
from webapp.errors import ValidationError

S, U = "status", "unsubscribed"


def read_consent(said: Sequence[tuple[str, str]]) -> str | None:
    """The status of a row with these cells, each below a heading of its kind."""
    mapping = {number: kind for number, (kind, _) in enumerate(said)}
    return consent_reader([kind for kind, _ in said], mapping).read([cell for _, cell in said])


def read_row(header: list[str], cells: list[str], mapping: dict[int, str], *, has_left: bool = False) -> NewContact:
    return row_to_contact(cells, mapping, consent_reader(header, mapping, has_left=has_left))


@table(
    ("heading", "cells", "kind"),
    [
        ("Status", [], S),
        ("STATUS", ["subscribed", "cleaned"], S),
        ("status", ["VIP", "gold"], S),
        ("Estado", ["Madrid", "Sevilla"], None),
        ("Estado", ["activo", "borrado"], S),
        ("status", ["VIP", "unsubscribed"], S),
        ("State", ["CA", "NY"], None),
        ("state", [], None),
        ("state", ["active", "cancelled"], S),
        ("Email Marketing Status", ["VIP"], S),
        ("Email Marketing Consent", ["NEVER_SUBSCRIBED"], S),
        ("Accepts Email Marketing", ["yes"], S),
        ("subscribed", ["true", "false"], S),
        ("subscribed", ["2024-01-31"], S),
        ("subscribed_to_emails", [], S),
        ("unsubscribed", ["true"], U),
        ("Unsubscribed?", [], U),
        ("unsubscribed_at", [], U),
        ("UNSUB_TIME", [], U),
        ("CLEAN_TIME", [], U),
        ("cleaned", [], U),
        ("opted out", [], U),
        ("opt-out", [], U),
        ("Has Opted Out of Email", [], U),
        ("Unsubscribed from all email", [], U),
        ("Email hard bounce reason", [], U),
        ("Email Suppressions", [], U),
        ("Blocklisted", [], U),
        ("Désabonné", [], U),
        ("OPTIN_TIME", [], None),
        ("UNSUB_CAMPAIGN_TITLE", [], None),
        ("UNSUB_REASON", [], U),
        ("Unsubscribe link", [], None),
        ("Lead Status", [], None),
        ("Company", ["unsubscribed"], S),
        ("", [], None),
    ],
)
def test_headings_say_which_kind_a_column_is(heading: str, cells: list[str], kind: str | None) -> None:
    assert consent_field(heading, cells) == kind


YES_OR_NO = ("yes", "no"), ("TRUE", "FALSE"), ("1", "0"), ("t", "f"), ("WAHR", "FALSCH"), ("oui", "non")
WORDS = ("Subscribed", "Unsubscribed"), ("Opted in", "Opted out"), ("active", "bounced"), ("confirmed", "cleaned")


@table("cells", [*YES_OR_NO, *WORDS, ("no", "no"), ("yes", "no", "n/a", "NULL")])
@table(
    "heading",
    [
        "email permission status", "Email Permission", "Permission", "Permission to email", "Contact status",
        "list status", "Mailing status", "Global Status", "Status 2", "Subscription", "Subscriber", "is_subscriber",
        "isSubscribed", "Newsletter", "News letter", "E-News", "Marketing", "marketing_opt_in", "marketingOptIn",
        "Email marketing", "email_marketing", "E-Mail Marketing (yes/no)", "GDPR consent", "GDPR", "Consent",
        "hasConsent", "DOUBLE_OPT-IN", "OPT_IN", "Opted in?", "Opt-in by email", "active", "is_active", "Active contact",
        "Email enabled", "Mailing list", "Accepts Marketing", "Receives emails", "Can we e-mail you?", "OK to email", "May we contact you?",
        "OK to contact", "Wants updates", "Email updates", "Promotional emails", "Werbung", "Acepta publicidad",
        "E-mail allowed", "Health newsletter", "Email and SMS consent", "Email address opted in", "Marketable",
        "Einwilligung", "Werbung: Zustimmung", "Statut d'abonné", "Would you like to get our newsletter? (Y/N)",
    ],
)  # fmt: skip
def test_cells_decide_under_a_heading_that_may_be_of_consent(heading: str, cells: tuple[str, ...]) -> None:
    assert consent_field(heading, cells) == S
    assert read_consent([(S, cells[1])]) == "unsubscribed"


@table("cells", [*YES_OR_NO, ("yes", ""), ("2024-01-31 10:00:00", "-"), ("Mar 5, 2024",), ()])
@table(
    "heading",
    [
        "marketing_opt_out", "Marketing opt-out", "Opted out of email: Marketing information", "Email opt-out date",
        "GDPR opt out", "Newsletter unsubscribed", "Unsubscribed from newsletter", "Unsubscribe date (newsletter)",
        "Do not send marketing", "Don't email", "No marketing", "Non-marketing contact", "Consent withdrawn",
        "Permission: no newsletter", "Confirmed Opt-Out Date", "is_inactive", "EMAIL_BLACKLISTED", "emailBlocklisted",
        "Marketing suppressed", "Excluded from marketing", "Keine Werbung (Newsletter)",
    ],
)  # fmt: skip
def test_yes_or_a_time_under_a_heading_of_leaving_is_that_of_somebody_who_left(
    heading: str, cells: tuple[str, ...]
) -> None:
    assert consent_field(heading, cells) == U
    for left in {"yes", "TRUE", "1", "t", "WAHR", "oui", "2024-01-31 10:00:00"} & set(cells):
        assert read_consent([(U, left)]) == "unsubscribed"
    for stays in {"no", "FALSE", "0", "f", "FALSCH", "non", "-"} & set(cells):
        assert read_consent([(U, stays)]) is None


@table("heading", ["Type", "Foo", "Mailchimp", "Audience", "Segment", "Note", "Opt-in type", ""])
def test_cells_that_mean_nothing_else_are_of_consent_under_any_heading(heading: str) -> None:
    for word in ("unsubscribed", "Opted out", "NEVER_SUBSCRIBED", "cleaned", "hard bounced", "Unsubscribed by admin"):
        cells = ["subscribed", "active", word]
        assert consent_field(heading, cells) == S
        assert read_consent([(S, word)]) == "unsubscribed"
    assert consent_field(heading, ["unsubscribed", *["subscribed"] * 17, "VIP"]) == S
    assert consent_field(heading, ["unsubscribed", "VIP", "gold"]) == S
    assert consent_field(heading, ["unsubscribed", *(f"a note on {number}" for number in range(20))]) is None


@table(
    ("heading", "cells"),
    [
        ("Active member", ["yes", "no"]),
        ("Active plan", ["yes", "no"]),
        ("active_subscription", ["true", "false"]),  # one that is paid for
        ("Paid subscription", ["yes", "no"]),
        ("Subscription plan", ["none", "on"]),
        ("Membership status", ["active", "cancelled"]),
        ("Order status", ["pending", "cancelled"]),
        ("Account status", ["active", "disabled"]),
        ("State", ["ON", "NO"]),
        ("State", ["none", "ON"]),
        ("Contact state", ["ON", "NO"]),
        ("Mailing State", ["ON", "NO"]),
        ("Mailing Country", ["NO", "SI"]),
        ("Country", ["NO", "SI"]),
        ("Region", ["on", "no"]),
        ("VIP", ["yes", "no"]),
        ("Attending", ["yes", "no"]),
        ("Newsletter name", ["Off", "On"]),
        ("Newsletters opened", ["0", "1"]),
        ("Marketing emails opened", ["0", "0"]),
        ("Marketing emails bounced", ["0", "1"]),
        ("No. of newsletters", ["0", "1"]),
        ("Bounce rate", ["0", "1"]),
        ("Marketing budget", ["0", "1"]),
        ("Marketing qualified lead", ["yes", "no"]),
        ("Marketing contact until next update", ["yes", "no"]),
        ("Description", ["no", "yes"]),
        ("Prescription", ["no", "yes"]),
        ("Adopting", ["no", "yes"]),
        ("Option", ["no", "yes"]),
        ("Permission level", ["none", "on"]),
        ("Permission to track", ["yes", "no"]),
        ("Consent to track", ["yes", "no"]),
        ("Photo consent", ["yes", "no"]),
        ("Parental consent", ["yes", "no"]),
        ("Opt-out of data sales", ["yes", "no"]),
        ("GDPR deletion", ["yes", "no"]),
        ("Accepts SMS Marketing", ["yes", "no"]),
        ("sms_marketing", ["Unsubscribed", "Subscribed"]),
        ("SMS consent", ["NEVER_SUBSCRIBED"]),
        ("SMS_BLACKLISTED", ["true"]),
        ("Push opt-out", ["true"]),
        ("Lifecycle Stage", ["subscriber", "subscriber"]),
        ("First name", ["No", "Si"]),
        ("Unsubscribe URL", ["https://example.org/u/1"]),
        ("Newsletter unsubscribe", ["https://example.org/u/1"]),
        ("Opt-in date", ["2024-01-31"]),
        ("Subscriber number", ["1", "0"]),
    ],
)
def test_columns_of_other_things_are_none_of_consent(heading: str, cells: list[str]) -> None:
    assert consent_field(heading, cells) is None


# Columns of exports as the tools document them: the cells of somebody who gets mail, and of some who do not.
EXPORTS: dict[str, tuple[dict[str, str], list[dict[str, str]]]] = {
    "Mailchimp": (
        {"Email Marketing Status": "Subscribed", "SMS Marketing Status": "Never subscribed", "MEMBER_RATING": "1"},
        [{"Email Marketing Status": "Unsubscribed"}, {"Email Marketing Status": "Non-subscribed"}],
    ),
    "Mailchimp, by file": ({"UNSUB_TIME": "", "CLEAN_TIME": ""}, [{"UNSUB_TIME": "2024-03-01 09:30:00"}]),
    "Brevo": (
        {"DOUBLE_OPT-IN": "Yes", "OPT_IN": "Yes", "email_marketing": "Subscribed", "sms_marketing": "Blocklisted"},
        [{"email_marketing": "Blocklisted"}, {"OPT_IN": "No"}],
    ),
    "HubSpot": (
        {
            "Marketing contact status": "Marketing contact", "Marketing contact until next update": "No",
            "Marketing emails bounced": "1", "Marketing emails opened": "0", "Unsubscribed from all email": "",
            "Opted out of email: Marketing Information": "No", "Lifecycle Stage": "subscriber",
        },
        [
            {"Marketing contact status": "Non-marketing contact"}, {"Unsubscribed from all email": "Yes"},
            {"Opted out of email: Marketing Information": "Yes"},
        ],
    ),
    "Klaviyo": (
        {"Email Marketing Consent": "SUBSCRIBED", "SMS Marketing Consent": "UNSUBSCRIBED", "Email Suppressions": "[]"},
        [{"Email Marketing Consent": "NEVER_SUBSCRIBED"}, {"Email Suppressions": "['HARD_BOUNCE']"}],
    ),
    "ActiveCampaign": (
        {"Status": "Active", "Unsubscribe Reason": ""},
        [{"Status": "Unsubscribed"}, {"Status": "Bounced"}, {"Status": "Unconfirmed"}],
    ),
    "Kit": ({"state": "active"}, [{"state": "cancelled"}, {"state": "bounced"}, {"state": "complained"}]),
    "MailerLite": (
        {"Status": "Active", "Unsubscribed": "", "Opens": "0"},
        [{"Status": "Junk"}, {"Unsubscribed": "2024-03-01 09:30:00"}],
    ),
    "Campaign Monitor": (
        {"State": "Active", "Permission to track": "No"},
        [{"State": "Unsubscribed"}, {"State": "Deleted"}, {"State": "Bounced"}],
    ),
    "Constant Contact": (
        {"Email permission status": "Explicit", "Email opt-out date": "", "Email opt-out source": "", "State": "NO"},
        [{"Email permission status": "Unsubscribed"}, {"Email opt-out date": "2024-03-01"}],
    ),
    "Shopify": ({"Accepts Email Marketing": "yes", "Accepts SMS Marketing": "no"}, [{"Accepts Email Marketing": "no"}]),
    "Substack": ({"active_subscription": "false", "email_disabled": "false"}, [{"email_disabled": "true"}]),
}  # fmt: skip


@table("tool", EXPORTS)
def test_of_an_export_of_another_tool_only_those_who_get_mail_are_subscribed(tool: str) -> None:
    stays, others = EXPORTS[tool]
    rows = [stays, *(stays | left for left in others)]
    header = ["Email", *stays]
    cells = [["ada@example.org", *(row[heading] for heading in stays)] for row in rows]
    mapping = guess_columns(header, cells)
    assert [read_row(header, row, mapping).status for row in cells] == ["subscribed", *["unsubscribed"] * len(others)]


def test_what_is_marked_as_a_custom_field_stays_one() -> None:
    for name in ("Permission", "is_active", "marketing_opt_out", "Subscription"):
        assert column_title(name) == f"custom:{name}"
        assert guess_columns([column_title(name)], [["no"], ["Unsubscribed"]]) == {0: f"custom:{name}"}


@table(
    ("kind", "said", "status"),
    [
        *((S, said, "subscribed") for said in ("subscribed", "SUBSCRIBED", "Active", "yes", "TRUE", "1", "opted in")),
        *((S, said, "unsubscribed") for said in ("Unsubscribed", "cleaned", "opted out", "opt-out", "Non-Subscribed")),
        *((S, said, "unsubscribed") for said in ("NEVER_SUBSCRIBED", "pending", "bounced", "no", "false", "0", "junk")),
        *(
            (U, said, "unsubscribed")
            for said in ("true", "Yes", "1", "x", "✓", "2024-01-31 10:00:00", "spam", "cleaned")
        ),
        *(
            (U, said, None)
            for said in ("false", "No", "0", "-", "n/a", "0000-00-00 00:00:00", "[]", "null", "subscribed")
        ),
    ],
)
def test_words_and_times_say_who_has_left(kind: str, said: str, status: str | None) -> None:
    assert read_consent([(kind, said)]) == status


def test_of_several_columns_the_one_for_less_mail_counts() -> None:
    assert read_consent([(S, "subscribed"), (U, "2024-01-31")]) == "unsubscribed"
    assert read_consent([(S, "subscribed"), (U, "false")]) == "subscribed"
    assert read_consent([(S, "gold"), (U, "yes")]) == read_consent([(U, "yes"), (S, "gold")]) == "unsubscribed"
    assert read_consent([]) is None


@given(st.text(), st.text(min_size=1))
def test_no_text_under_a_heading_of_leaving_subscribes_anybody(heading: str, cell: str) -> None:
    assert consent_field(heading, [cell]) in (*CONSENT, None)
    assert read_consent([(U, cell)]) in ("unsubscribed", None)


@table(
    ("name", "expected"),
    [
        ("subscribed_members_export_8a4f.csv", False),
        ("unsubscribed_members_export_8a4f.csv", True),
        ("cleaned_members_export_8a4f.csv", True),
        ("nonsubscribed_members_export_8a4f.csv", True),
        ("unsubscribed_email_audience_export_8a4f.csv", True),
        ("cleaned_email_audience_export_8a4f.csv", True),
        ("Non-subscribed contacts.csv", True),
        ("Suppression list.csv", True),
        ("opt-outs 2024.csv", True),
        ("contacts_cleaned.csv", False),
        ("all contacts, unsubscribed too.csv", False),
        ("subscribed and unsubscribed.csv", False),
        ("people.csv", False),
        ("unsubscribed_segment_export_8a4f.csv", True),
        ("UnsubscribedContacts.csv", True),
        ("Abmelder 2024.csv", True),
        ("Désinscriptions.csv", True),
        ("disiscritti_export.csv", True),
        ("afmeldingen.csv", True),
        ("ohne Abmelder.csv", False),
        ("mailchimpunsubscribes.csv", True),
        ("list of unsubscribes.csv", True),
        ("not subscribed.csv", True),
        ("no longer subscribed.csv", True),
        ("do-not-email.csv", True),
        ("cleaned_segment_export.csv", True),
        ("bounces.csv", True),
        ("bounced 2025.csv", True),
        ("bounce-list.csv", True),
        ("bounce.csv", True),
        ("hard bounces 2025.csv", True),
        ("excel bounces.csv", True),
        ("hardbounces.CSV", True),
        ("suppression-list.csv", True),
        ("spam complaints.csv", True),
        ("no-bounces.csv", False),
        ("NoBounces.csv", False),
        ("nobounces.csv", False),
        ("not-unsubscribed.csv", False),
        ("never unsubscribed.csv", False),
        ("customers_excluding_bounces.csv", False),
        ("customers excl. opt-outs.csv", False),
        ("without-unsubscribes.csv", False),
        ("all_except_bounced.csv", False),
        ("everyone but unsubscribed.csv", False),
        ("customers minus suppressions.csv", False),
        ("bounces removed.csv", False),
        ("customers w-o bounces.csv", False),
        ("unsubscribes filtered out.csv", False),
        ("customers including unsubscribed.csv", False),
        ("ohne Abgemeldete.csv", False),
        ("Bounce_House_Customers.csv", False),
        ("bouncehouse.csv", False),
        ("bounce-back coupon.csv", False),
        ("bounce rate.csv", False),
        ("contacts-cleaned-up.csv", False),
        ("", False),
    ],
)
def test_names_of_files_say_when_everyone_in_them_has_left(name: str, *, expected: bool) -> None:
    assert are_gone(name) == expected


def test_columns_of_consent_are_no_custom_fields_and_may_be_several() -> None:
    header = ["Email", "Status", "UNSUB_TIME", "CLEAN_TIME", "custom:status"]
    assert guess_columns(header) == {0: "email", 1: S, 2: U, 3: U, 4: "custom:status"}
    assert guess_columns(["Email", "Status"], [["a@b.example", "VIP"], ["b@b.example"]]) == {0: "email", 1: S}


def test_a_word_that_is_not_known_refuses_the_row() -> None:
    with pytest.raises(ValidationError) as refusal:
        read_row(["Email", "Status"], ["ada@example.org", "gold"], {0: "email", 1: S})
    assert str(refusal.value).startswith("status “gold” isn't recognized")


@table("said", ["-1", " -1", "- 1", "\u22121", "\u20131", "-yes"])
def test_a_word_behind_a_minus_is_not_known(said: str) -> None:
    with pytest.raises(ValueError, match=r"1|yes"):
        read_consent([(S, said)])


def test_of_somebody_who_has_left_the_address_is_enough() -> None:
    mapping = {0: "email", 1: S, 2: "phone", 3: "custom:note"}
    header = ["Email", "Status", "Phone", "Note"]
    cells = ["ada@example.org", "cleaned", "1" * 65, "x" * 17_000]
    assert read_row(header, cells, mapping).given() == {"email": "ada@example.org", "status": "unsubscribed"}
    for wrong in (["ada@", *cells[1:]], ["", *cells[1:]], [cells[0], "subscribed", *cells[2:]]):
        with pytest.raises(ValidationError):
            read_row(header, wrong, mapping)
    for word in ("subscribed", "gold", ""):
        assert read_row(header, ["ada@example.org", word], mapping, has_left=True).status == "unsubscribed"
