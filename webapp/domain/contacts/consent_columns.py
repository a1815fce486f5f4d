"""Columns of other tools' exports that say who may get campaigns; nothing here ever subscribes anybody again."""

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
LEFT = """unsub unsubscribe unsubscribed optout optedout optedoutofemail emailoptout cleaned clean bounce bounced
    hardbounce hardbounced hardbouncereason suppressed suppressions blacklisted blocklisted blocked disabled complained
    spamcomplaint donotemail donotmail donotcontact abgemeldet ausgetragen desabonne desinscrit"""
LEFT_HEADINGS = re.compile(
    rf"(?:is|has|email|date|time)?(?:{'|'.join(LEFT.split())})(?:at|am|on|date|time|fromallemails?|fromemails?)?"
)

# Other headings hint at their subject, in words separated by spaces; the cells of the column decide.
OF_MAIL = re.compile(
    r"subscri|abonn|suscri|newsletter|\be ?news\b|marketing|marketable|mailing|mailable|emailable|contactable"
    r"|email ?campaigns|\be?mail updates|promotional|publicidad|publicite|\bwerb(?:ung|e)"
    r"|\b(?:receives?|wants?|accepts?|allows?|gets?|sends?|can|may|agrees?|ok)\b.*\b(?:e?mails?|news|offers|updates)\b"
    r"|\b(?:can|may|ok|allows?|agrees?)\b.*\bcontact|\be?mails?\b.*\b(?:allowed|ok|okay|permitted|accepted|agreed)\b"
)
OF_CONSENT = re.compile(r"consent|einwillig|zustimm|einverstand|\b(?:gdpr|dsgvo|rgpd)\b|(?<!ad)opt(?:ed|s)? ?ins?\b")
OF_LEAVING = re.compile(
    r"unsub|desabonn|desinscri|abgemeldet|opt(?:ed|s)? ?outs?\b|\b(?:black|block)list|\bsuppress(?:ed|ions?)?\b"
    r"|\b(?:do not|dont|donot) (?:e?mail|contact|market|send)"
)
NEGATING = re.compile(
    r"\b(?:no|not|non|never|dont|stop(?:ped)?|without|exclud\w+|withdr\w+|revoked?|refus\w+|declined?|rejected|denied"
    r"|object(?:ed|ions?|s)?|inactive|blocked|disabled|widerruf\w*|widerspr\w*|kein\w*|nicht|sans|sin)\b|\bnonmarketing"
)
# Columns beside the answer itself: a count, a cause, a location, a paid plan.
DETAIL = re.compile(
    r"\b(?:names?|titles?|types?|ids?|ip|urls?|links?|sources?|reasons?|causes?|channels?|methods?|comments?|notes?"
    r"|by(?! e?mail)|count|number|no of|rates?|score|clicks?|clicked|open(?:ed|s)?|delivered|sent|replied|received"
    r"|read|bounce[ds]?|first|last|since|until|plan|tier|level|price|amount|fee|budget|spend|paid|payment|billing"
    r"|stripe|premium|trial|subscriptions|active subscription|subscription active|frequency|topics?|interests?"
    r"|languages?|version|forms?|page|token|hash|key|referr\w+|utm|qualified|history|basis|tags?|segments?|address"
    r"|street|city|country|province|region|zip|postcode|mailing state|marketing (?:owner|agency|manager|director|team"
    r"|department|leads?|stage|persona|role))\b"
)
OF_ANOTHER_THING = re.compile(  # that people consent to
    r"\b(?:track\w*|cookies?|photos?|pictures?|images?|videos?|media|record\w*|parent\w*|guardian|medical|treatment"
    r"|health|travel|third|partners?|shar(?:e|ing)|sales?|sell\w*|location|publish\w*|delet\w+|eras\w+|export)\b"
)
OTHER_WAYS = re.compile(
    r"\b(?:sms|mms|text|texts|phones?|telephone|telefon\w*|mobile?|whatsapp|calls?|push|browser|postal|post|letters?"
    r"|fax|messenger)\b"
)
ANSWERS = re.compile(
    r"\b(?:yes (?:or )?no|y n|ja (?:oder )?nein|oui (?:ou )?non|si (?:o )?no|true (?:or )?false|[01] [01])\b"
)
MAX_CHARACTERS = 200  # of a heading or a name; the rest is ignored
CUT_SHORT = re.compile(r"n['\u2019]t\b")
# A heading made of these words and the common ones alone.
HEAD_WORDS = """status statuses statut statuts estatus stato active enabled aktiv actif activo attivo
    permission permissions"""
STATE_WORDS = "state etat estado"  # a region more often
COMMON_WORDS = """is has was current overall global general the in to of for send contact contacts contacted list lists
    mail mails email emails recipient recipients audience profile subscriber"""

YES_OR_NO_WORDS = """yes y true t 1 on x ja wahr oui vrai si verdadero sim no n false f 0 off none never nein falsch non
    faux falso nee nao"""
SUBSCRIBED_WORDS = """subscribed subscriber active yes y true t 1 on x optin optedin singleoptin doubleoptin confirmed
    verified valid enabled accepted agreed granted given consented explicit express implicit implied allowed permitted
    marketing marketingcontact marketable abonniert angemeldet aktiv ja wahr zugestimmt erteilt abonne abonnee inscrit
    inscrite actif oui vrai accepte suscrito activo si verdadero sim iscritto attivo"""
LEFT_WORDS = """unsubscribed unsubscribe unsub cleaned bounced bounce hardbounce hardbounced softbounced optedout optout
    nonsubscribed notsubscribed neversubscribed nonsubscriber nonmarketingcontact nonmarketing transactional pending
    unconfirmed notconfirmed unverified validating waiting pendingconfirmation awaitingconfirmation nopermissionset
    nopermission noconsent notset temphold unknown unspecified notspecified notgiven notoptedin inactive suppressed
    blacklisted blocklisted blocked complained complaint spam spamcomplaint junk abuse reported archived cancelled
    canceled deleted removed dropped forgotten redacted invalid undeliverable disabled rejected refused declined denied
    revoked withdrawn no n false f 0 off none never abgemeldet ausgetragen inaktiv nein falsch widerrufen abgelehnt
    gesperrt desabonne desabonnee desinscrit desinscrite inactif refuse non faux baja dadodebaja inactivo falso
    disiscritto inattivo nee nao afgemeld uitgeschreven"""
LEFT_BEGINNING = re.compile(
    r"unsubscribed|opt(?:ed)?out|(?:non|not|never)(?:subscri|optedin)|(?:hard)?bounced|suppressed|(?:black|block)listed|nolonger"
    r"|donot(?:e?mail|contact|send|market)"
)
NOTHING_WORDS = """no n false f off none never null nil nan na nein falsch non faux falso nee nao subscribed
    subscriber notunsubscribed optin optedin abonniert angemeldet abonne inscrit suscrito"""
NOTHING_SIGNS = "0-/.:[]{}() "  # 0000-00-00 00:00:00 is no time, nor is []
EMPTY_WORDS = frozenset(("", "null", "nil", "nan", "na"))
TIME = re.compile(r"\d{1,4}[-./]\d{1,2}[-./]\d{1,4}|\d{9,13}$|\w{3,9}\.? \d{1,2},? \d{4}|\d{1,2}\.? \w{3,9}\.?,? \d{4}")
TYPICAL = re.compile(r"subscri|unsub|opt(?:ed)?(?:in|out)|cleaned|bounced")
# Words that mean consent under any heading. A “subscriber” may be a stage of a sale.
UNMISTAKABLE = re.compile(
    rf"{LEFT_BEGINNING.pattern}|(?:subscribed|unsub|opted(?:in|out)|cleaned|softbounced|abgemeldet|ausgetragen"
    r"|desabonnee?|desinscrite?)$"
)

CLEAR, YES_OR_NO = frozenset(STATUS_HEADINGS.split()), frozenset(YES_OR_NO_WORDS.split())
STATES, COMMON = frozenset(STATE_WORDS.split()), frozenset(COMMON_WORDS.split())
HEADS = STATES | frozenset(HEAD_WORDS.split())
MEANINGS: Mapping[str, ContactStatus] = dict.fromkeys(LEFT_WORDS.split(), ContactStatus.UNSUBSCRIBED) | dict.fromkeys(
    SUBSCRIBED_WORDS.split(), ContactStatus.SUBSCRIBED
)
NOTHING = frozenset(NOTHING_WORDS.split())

# In names of files: words are separated by spaces, and every word for leaving is replaced by LEFT.
LEAVING = re.compile(
    r"\b(?:(?:non|not|never|no longer) ?(?:subscri\w+|opted in)|(?!no)\w*unsub\w*|\w*opt(?:ed)? ?outs?"
    r"|cleaned ?(?=members?|email|segment|audience|contacts|subscribers|addresses)|(?!no)\w*bounce[ds]"
    r"|(?:hard|soft|e?mail) ?bounce|bounce(?= (?:list|report|export|log|e?mails?|addresses|contacts|members|\d)|$)"
    r"|suppress\w*|\w*complain\w*|(?:black|block) ?list\w*|do ?not ?(?:e?mail|contact|market|send)\w*|abgemeldet\w*"
    r"|ausgetragen\w*|desabonn\w*|desinscri\w*)"
)
STAYING = re.compile(
    r"\b(?:no|not|non|never|without|excl\w*|except\w*|minus|less|but|w o|free of|cleaned of|sans|ohne|sin|remov\w+"
    r"|filter\w+|scrub\w+|incl\w*|plus)\b.*\bLEFT\b|\bLEFT\b.*\b(?:removed|excluded|filtered|free|too)\b"
    r"|\b(?:subscribed|active|all)\b"
)


def consent_field(heading: str, cells: Iterable[str]) -> str | None:
    plain, asked = plain_word(heading), _spaced(heading)
    if LEFT_HEADINGS.fullmatch(plain):
        return UNSUBSCRIBED
    if plain in CLEAR:
        return STATUS
    if OTHER_WAYS.search(asked) and not re.search(r"email|newsletter", asked):
        return None
    filled = [(cell, word) for cell in cells if (word := plain_word(cell)) not in EMPTY_WORDS]
    words = [word for _, word in filled]
    if _is_of_leaving(asked) and not any(TYPICAL.search(word) for word in words):
        return UNSUBSCRIBED if _are_most(word in YES_OR_NO or TIME.match(cell) for cell, word in filled) else None
    return STATUS if _are_statuses(asked, words) else None


def _are_statuses(asked: str, words: Sequence[str]) -> bool:
    if not words:
        return asked == STATUS
    are_known = _are_most(_meaning(word) for word in words)
    if not _is_of_consent(asked):
        return are_known and any(UNMISTAKABLE.match(word) for word in words)
    if STATES & set(asked.split()) and not OF_MAIL.search(asked) and YES_OR_NO.issuperset(words):
        return False  # ON is Ontario, and NO is Norway
    return are_known or any(TYPICAL.search(word) for word in words)


def says_who_left(cells: Iterable[str]) -> bool:
    return any(LEFT_BEGINNING.match(plain_word(cell)) for cell in cells)


def speaks_of_consent(heading: str) -> bool:
    return _is_of_consent(_spaced(heading))


def _is_of_consent(asked: str) -> bool:
    words = {word for word in asked.split() if not word.isdigit()}
    is_bare = bool(words & HEADS) and words <= HEADS | COMMON
    return is_bare or _is_of_leaving(asked) or _is_of_mail(asked)


def _is_of_mail(asked: str) -> bool:
    if DETAIL.search(asked):
        return False
    return bool(OF_MAIL.search(asked) or (OF_CONSENT.search(asked) and not OF_ANOTHER_THING.search(asked)))


def _is_of_leaving(asked: str) -> bool:
    """True if "yes" under this heading means that somebody has left."""
    words = set(asked.split())
    if "inactive" in words and words <= COMMON | {"inactive"}:
        return True
    if OF_LEAVING.search(asked) and not DETAIL.search(asked):
        return not OF_ANOTHER_THING.search(asked) or bool(OF_MAIL.search(asked))
    return bool(NEGATING.search(asked)) and _is_of_mail(asked)


def _are_most(said: Iterable[object]) -> bool:
    each = [bool(one) for one in said]
    return sum(each) * 10 >= len(each) * 9


def _meaning(word: str) -> ContactStatus | None:
    return MEANINGS.get(word) or (ContactStatus.UNSUBSCRIBED if LEFT_BEGINNING.match(word) else None)


def are_gone(file_name: str) -> bool:
    """True if the file's name says that everyone in it has left, as a Mailchimp export's does."""
    name = LEAVING.sub("LEFT ", _spaced(re.sub(r"\.\w+$", "", file_name)))
    return "LEFT" in name and not STAYING.search(name)


def _spaced(text: str) -> str:
    apart = unicodedata.normalize(
        "NFKD", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", CUT_SHORT.sub("nt", text[:MAX_CHARACTERS]))
    ).casefold()
    bare = "".join(character for character in apart if not unicodedata.combining(character))
    words = ANSWERS.sub(" ", " ".join(re.findall(r"[^\W_]+", bare)))
    return re.sub(r"\be mail", "email", words).replace("email address", "email").replace("news letter", "newsletter")


def plain_word(text: str) -> str:
    apart = unicodedata.normalize("NFKD", text).casefold()  # an accent is a character of its own there
    return "".join(character for character in apart if character.isalnum())


def read_consent(said: Sequence[tuple[str, str]]) -> ContactStatus | None:
    """The status in a row's cells, each with its kind; unsubscribed wins. Raises ValueError for an unknown word."""
    if any(_says_left(kind, text) for kind, text in said):
        return ContactStatus.UNSUBSCRIBED
    statuses = [text for kind, text in said if kind == STATUS]
    for text in statuses:
        if _meaning(plain_word(text)) is None:
            raise ValueError(
                f"“{text[:40]}” isn't recognized. Use subscribed or unsubscribed, "
                "or import the column as a custom field"
            )
    return ContactStatus.SUBSCRIBED if statuses else None


def _says_left(kind: str, text: str) -> bool:
    if kind == UNSUBSCRIBED:
        return plain_word(text) not in NOTHING and bool(text.strip(NOTHING_SIGNS))
    return _meaning(plain_word(text)) is ContactStatus.UNSUBSCRIBED
