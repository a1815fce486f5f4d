"""Exports of known tools and our own: columns that say who may get campaigns, and words that only that tool uses."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from webapp.domain.contacts.consent_columns import STATUS, UNSUBSCRIBED
from webapp.domain.contacts.status_words import plain_word
from webapp.models.contact import ContactStatus

TOPIC_COLUMNS = ("topics", "left_topics")  # of organizations with topics: names of those that a person chose, and left
ADDED = ("segments", "added_at")  # columns that our own exports add
OUR_CONSENT = {STATUS: STATUS, "unsubscribed_at": UNSUBSCRIBED}
OUR_HEADINGS = {*OUR_CONSENT, *ADDED, "bounced_at"}  # in each of our own exports


class KnownExport(NamedTuple):
    tool: str
    marks: frozenset[str]  # headings that only its files have together
    columns: Mapping[str, str]  # STATUS or UNSUBSCRIBED by heading; others are read like in any file
    words: Mapping[str, ContactStatus]
    useless: frozenset[str] = frozenset()  # headings of the tool's own ids and statistics


def _export(
    tool: str, marks: str, status: str = "", unsubscribed: str = "", words: str = "", useless: str = ""
) -> KnownExport:
    """Takes headings and words in the form of `plain_word`; `words` are those of people who get campaigns."""
    columns = dict.fromkeys(status.split(), STATUS) | dict.fromkeys(unsubscribed.split(), UNSUBSCRIBED)
    subscribed = dict.fromkeys(words.split(), ContactStatus.SUBSCRIBED)
    return KnownExport(tool, frozenset(marks.split()), columns, subscribed, frozenset(useless.split()))


EXPORTS = (
    _export(
        "Mailchimp",
        "memberrating leid euid",
        "emailmarketingstatus",
        "unsubtime cleantime",
        useless="""memberrating latitude longitude gmtoff dstoff lastchanged leid euid
            unsubcampaigntitle unsubcampaignid cleancampaigntitle cleancampaignid""",
    ),
    _export("MailerLite", "subscriber sent opens clicks subscribed", "status", "unsubscribed"),
    _export("Brevo", "contactid email doubleoptin", "optin emailmarketing", "blacklist emailblacklisted blocklisted"),
    _export(
        "Mailjet",
        "email isexcludedfromcampaigns isoptinpending",
        "",
        "isexcludedfromcampaigns isoptinpending isspamcomplaining isunsubscribed",
    ),
    _export("Sendy", "name email lastactivity status", "status"),
    _export("beehiiv", "email status subscriptiontier", "status", "unsubscribedat"),
    _export("Substack", "email activesubscription emaildisabled", "", "emaildisabled"),
    _export("Kit", "email state tags createdat", "state", "cancelledat"),
    _export("ActiveCampaign", "contactid email status ipaddress", "status", "unsubscribedate"),
    _export(
        "HubSpot",
        "recordid email marketingcontactstatus",
        "marketingcontactstatus",
        "unsubscribedfromallemail emailhardbouncereason",
    ),
    _export("Klaviyo", "email emailmarketingconsent emailsuppressions", "emailmarketingconsent", "emailsuppressions"),
    _export("Campaign Monitor", "emailaddress state datesubscribed", "state", "dateunsubscribed"),
    _export("Constant Contact", "emailaddress emailpermissionstatus", "emailpermissionstatus", "emailoptoutdate"),
    _export("AWeber", "email status subscribemethod", "status", "unsubscribedat stoptime"),
    _export("CleverReach", "email activated deactivated", "", "deactivated"),
    _export("Ghost", "email subscribedtoemails complimentaryplan", "subscribedtoemails", "deletedat"),
    _export("listmonk", "uuid email attributes status", "status subscriptionstatus"),
    _export("Keila", "email firstname lastname data status", "status"),
    _export("Buttondown", "email subscribertype creationdate", "subscribertype", "", "regular premium gifted trialed"),
    _export(
        "Buttondown", "emailaddress type creationdate", "type", "unsubscriptiondate", "regular premium gifted trialed"
    ),
    _export("EmailOctopus", "emailaddress status subscribedat", "status", "unsubscribedat"),
    _export("Loops", "email subscribed usergroup", "subscribed optinstatus"),
    _export("Resend", "email unsubscribed createdat", "", "unsubscribed"),
    _export("Salesforce", "emailoptout leadsource", "", "emailoptout donotcontact emailbounceddate hasoptedoutofemail"),
    _export("Zoho CRM", "recordid emailoptout", "", "emailoptout unsubscribedtime"),
    _export("MailPoet", "email globalstatus liststatus", "globalstatus liststatus"),
    _export("iContact", "email status contactid business", "status", "", "normal"),
)


def is_our_export(header: Sequence[str]) -> bool:
    return set(header) >= OUR_HEADINGS


def known_export(header: Sequence[str]) -> KnownExport | None:
    headings = {plain_word(heading) for heading in header}
    return next((export for export in EXPORTS if export.marks <= headings), None)
