"""Columns of tables that say who may get campaigns, as other mailing tools export them.

There are two kinds. A `status` says it in a word: subscribed, unsubscribed, cleaned. An `unsubscribed` column holds yes
or the time for whoever has left, and nothing for others. Nothing here ever subscribes anybody again.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence

from webapp.models.contact import ContactStatus

STATUS, UNSUBSCRIBED = "status", "unsubscribed"
CONSENT = (STATUS, UNSUBSCRIBED)

# Headings and words in letters and digits alone, without case and accents.
STATUS_HEADINGS = """emailmarketingstatus emailmarketingconsent emailmarketingsubscription marketingstatus
    marketingconsent marketingcontactstatus subscriptionstatus subscriberstatus subscribestatus subscribedstatus
    emailstatus emailsubscriptionstatus subscribedtoemails emailconsent emailoptinstatus optinstatus consentstatus
    memberstatus newsletterstatus acceptsmarketing acceptsemailmarketing abostatus abonnementstatus anmeldestatus
    statutabonnement statutdabonnement estadodesuscripcion"""
# These may hold anything: what stands in the column decides.
VAGUE_HEADINGS = """status state statut etat estado subscribed issubscribed optin newsletter consent emailcampaigns"""
LEFT = """unsub unsubscribe unsubscribed optout optedout optedoutofemail emailoptout cleaned clean bounce bounced
    hardbounce hardbounced hardbouncereason suppressed suppressions blacklisted blocklisted blocked disabled complained
    spamcomplaint donotemail donotmail donotcontact abgemeldet ausgetragen desabonne desinscrit"""
LEFT_HEADINGS = re.compile(
    rf"(?:is|has|email|date|time)?(?:{'|'.join(LEFT.split())})(?:at|am|on|date|time|fromallemails?|fromemails?)?"
)
FILE_OF_LEFT = re.compile(
    r"unsub|(?:non|not|never)subscribed|optout|optedout|cleaned(?:members|email|segment)|bounce|suppress|complain"
    r"|blacklist|blocklist"
)
NOT_SUBSCRIBED = re.compile(r"(?<![a-z])(non|not|never)[\W_]+(?=subscribed)")

SUBSCRIBED_WORDS = """subscribed subscriber active yes y true 1 on x optin optedin singleoptin doubleoptin confirmed
    verified enabled accepted granted marketing marketingcontact abonniert angemeldet aktiv ja abonne inscrit actif oui
    suscrito activo si"""
LEFT_WORDS = """unsubscribed unsubscribe unsub cleaned bounced bounce hardbounce hardbounced softbounced optedout optout
    nonsubscribed notsubscribed neversubscribed nonsubscriber nonmarketingcontact nonmarketing transactional pending
    unconfirmed notconfirmed unverified validating waiting nopermissionset inactive suppressed blacklisted blocklisted
    blocked complained complaint spam spamcomplaint junk abuse reported archived cancelled canceled deleted removed
    forgotten redacted invalid undeliverable disabled rejected declined denied revoked withdrawn no n false 0 off none
    never abgemeldet ausgetragen inaktiv nein desabonne desinscrit inactif non baja dadodebaja inactivo"""
NOTHING_WORDS = """no n false f off none never null nil nan na nein non subscribed subscriber notunsubscribed optin
    optedin abonniert angemeldet abonne inscrit suscrito"""
NOTHING_SIGNS = "0-/.:[]{}() "  # 0000-00-00 00:00:00 is no time, nor is []
TYPICAL = re.compile(r"subscri|unsub|opt(?:ed)?(?:in|out)|cleaned|bounced")

CLEAR, VAGUE = frozenset(STATUS_HEADINGS.split()), frozenset(VAGUE_HEADINGS.split())
MEANINGS: Mapping[str, ContactStatus] = dict.fromkeys(LEFT_WORDS.split(), ContactStatus.UNSUBSCRIBED) | dict.fromkeys(
    SUBSCRIBED_WORDS.split(), ContactStatus.SUBSCRIBED
)
NOTHING = frozenset(NOTHING_WORDS.split())


def consent_field(heading: str, cells: Iterable[str]) -> str | None:
    """What a column with this heading, and some cells of it, says of consent; None where it says nothing."""
    plain = plain_word(heading)
    if LEFT_HEADINGS.fullmatch(plain):
        return UNSUBSCRIBED
    if plain in CLEAR:
        return STATUS
    if plain not in VAGUE:
        return None
    words = [plain_word(cell) for cell in cells]
    is_known = all(word in MEANINGS for word in words) and (words or plain == STATUS)
    return STATUS if is_known or any(TYPICAL.search(word) for word in words) else None


def are_gone(file_name: str) -> bool:
    """Whether the name of a file says that everyone in it has left, like those of a Mailchimp export."""
    parts = re.split(r"[\W_]+", NOT_SUBSCRIBED.sub(r"\1", file_name.casefold()))
    return bool(FILE_OF_LEFT.search("".join(parts))) and not {"subscribed", "active", "all"} & set(parts)


def plain_word(text: str) -> str:
    """Letters and digits alone, without case and accents."""
    apart = unicodedata.normalize("NFKD", text).casefold()  # an accent is a character of its own there
    return "".join(character for character in apart if character.isalnum())


def read_consent(said: Sequence[tuple[str, str]]) -> ContactStatus | None:
    """The status that a row's filled cells give it, each with the kind of its column; None where they give none.

    Of several the one that means less mail counts. Raises ValueError with a sentence for a word that nobody knows.
    """
    if any(_says_left(kind, text) for kind, text in said):
        return ContactStatus.UNSUBSCRIBED
    statuses = [text for kind, text in said if kind == STATUS]
    for text in statuses:
        if plain_word(text) not in MEANINGS:
            raise ValueError(
                f"is “{text[:40]}”, which is none that is known: write subscribed or unsubscribed, "
                "or import the column as a custom field"
            )
    return ContactStatus.SUBSCRIBED if statuses else None


def _says_left(kind: str, text: str) -> bool:
    if kind == UNSUBSCRIBED:
        return plain_word(text) not in NOTHING and bool(text.strip(NOTHING_SIGNS))
    return MEANINGS.get(plain_word(text)) is ContactStatus.UNSUBSCRIBED
