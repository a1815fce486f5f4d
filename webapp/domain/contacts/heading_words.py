"""The words in headings of columns about consent, in many languages."""
# ruff: noqa: RUF001 - words of many languages

import re

from webapp.domain.contacts.status_words import YES, spaced

# Headings reduced to lower-case letters and digits without accents.
STATUS_HEADINGS = """emailmarketingstatus emailmarketingconsent emailmarketingsubscription marketingstatus
    marketingconsent marketingcontactstatus subscriptionstatus subscriberstatus subscribestatus subscribedstatus
    emailstatus emailsubscriptionstatus subscribedtoemails emailconsent emailoptinstatus optinstatus consentstatus
    memberstatus newsletterstatus acceptsmarketing acceptsemailmarketing abostatus abonnementstatus anmeldestatus
    kontaktstatus empfangerstatus versandstatus statutabonnement statutdabonnement estadodesuscripcion"""
LEFT = """unsub unsubscribe unsubscribed optout optedout optedoutofemail emailoptout cleaned clean bounce bounced
    hardbounce hardbounced hardbouncereason suppressed suppressions blacklisted blocklisted blocked disabled complained
    complaint complaints spam spamcomplaint spamcomplaints spamcomplaining markedasspam markedemailasspam hardbounces
    donotemail donotmail donotcontact pending optinpending pendingconfirmation confirmationpending awaitingconfirmation
    unconfirmed unverified notconfirmed excluded deleted removed deactivated archived onhold nomail dnc donotbulkemail
    robinson listarobinson robinsonliste gesperrt abgemeldet ausgetragen desabonne desinscrit"""
LEFT_HEADINGS = re.compile(
    rf"(?:is|has|email|date|time)?(?:{'|'.join(LEFT.split())})(?:at|am|on|date|time|fromallemails?|fromemails?)?"
)


def _in_languages(text: str) -> str:
    return "|".join(map(spaced, text.split()))


def _beginnings(text: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{_in_languages(text)})\w*")


# Words in other headings that hint at their subject; the column's cells decide.
OF_MAIL = re.compile(
    r"subscri|abonn|suscri|newsletter|\be ?news\b|marketing|marketable|mailing|mailable|emailable|contactable"
    r"|email ?campaigns|\be?mail updates|promotional|publicidad|publicite|\bwerb(?:ung|e)"
    r"|\b(?:receives?|wants?|accepts?|allows?|gets?|sends?|can|may|agrees?|ok)\b.*\b(?:e?mails?|news|offers|updates)\b"
    r"|\b(?:accepte|souhaite|recevoir|recoit|acepta|desea|recib\w+|aceita|deseja|receb\w+|accetta|desidera|ricev\w+"
    r"|wunscht|mochte|erhalten|erwunscht|ontvang\w*)\b.*\b(?:e?mails?|courriels?|correos?|offres|ofertas|infos?)\b"
    r"|\be?mails?\b.*\b(?:erwunscht|erhalten|souhaites?|deseados?)\b"
    r"|\boffres commerciales\b|\bpromo(?:cion|co|zion)es\b|\binfomail"
    r"|\bbulk emails?\b|\bhear from us\b|\b(?:stay|keep) in touch\b|\bemail preferences?\b"
    r"|\b(?:can|may|ok|allows?|agrees?)\b.*\bcontact|\be?mails?\b.*\b(?:allowed|ok|okay|permitted|accepted|agreed)\b|"
    + _in_languages(
        """iscrizione iscritt inscri infolettre boletin nieuwsbrief aangemeld nyhetsbrev nyhedsbrev prenumer tilmeld
        påmeld uutiskirje biuletyn subskryp zapisan odběr odber hírlevél feliratkoz bülten abonelik ενημερωτικ εγγραφ
        рассыл подписк подписан розсил підписк メルマガ 案内メール 配信 購読
        订阅 訂閱 구독 수신 ניוזלטר דיוור نشرة اشتراك"""
    )
)
OF_CONSENT = re.compile(
    r"consent|einwillig|zustimm|einverstand|\b(?:gdpr|dsgvo|rgpd)\b|(?<!ad)opt(?:ed|s)? ?ins?\b"
    r"|\bdoi (?:bestatigt|confirmed|status)\b|\bis th(?:e|is) (?:user|subscriber|account) confirmed\b|"
    + _in_languages(
        """erlaubnis consens permiso autorizaci autorizaç toestemming samtykke samtycke suostumus zgod souhlas súhlas
        hozzájárulás izin onay συγκαταθεσ согласи згод 同意 동의 הסכמה موافقة"""
    )
)
OF_LEAVING = re.compile(  # besides ANY_LEAVING
    r"opt(?:ed)? ?outs?\b|\b(?:black|block)list|\bsuppress(?:ed|ions?)?\b"
    r"|\bexclu\w+ (?:from|de|des|von|aus)\b.*\bcampa|\bexclu\w+ (?:from )?(?:e?mail|mailing|newsletter|marketing)"
    r"|\b(?:no|non|not|ne|nicht|niet|nao|nie)\b(?: \w+)?? (?:contact(?!ed|s)|contatt|kontakt|mailen|anschreiben"
    r"|envoy|envia|invia|sturen|escrib|scriv)|\bremoved? (?:from|off)\b"
    r"|\b(?:retire|eliminad|rimoss|verwijder|entfern)\w*\b.*\blist"
    r"|\bmarked\b.*\bspam\b|\bbaja\b|austrag\w*(?:ung|datum|grund)\b|\bwiderruf(?:en|s?datum)?\b"
    r"|\b\w*(?:werbe|mail)(?:sperre|verbot)|sperrvermerk|\brequests? no email|"
    + _in_languages("cancellazione rezygnac 解除日")
)
# With these words, “yes” may mean either: “Newsletter (yes = unsubscribed, no = subscribed)”.
EITHER_WAY_WORDS = """or if means empty blank
    oder wenn falls leer bedeutet
    ou vide
    o vacio vuoto leeg"""
WANTING = re.compile(
    r"\b(?:opt(?:ed)? ?in|wants?|wish\w*|subscribed?|mochte|will|wunscht|abonniert|angemeldet|souhaite|veut|abonnee?"
    r"|inscrite?|desea|quiere|suscrito|desidera|vuole|iscritto|wil|wenst|ingeschreven|aangemeld)\b"
)
# Mostly about contracts and memberships, so the review asks about them. One line per language.
ENDING = _beginnings(
    """cancel terminat quit lapse churn left leaving deactivat
    kündig gekündigt widerspruch widersprochen austritt ausgetreten ausgeschieden beendet beendigung
    résili annul sortie
    cancelad cancelación anulad
    disdett annullat recesso
    opgezegd opzeg beëindig
    cancelamento rescis
    avslutad uppsagd opsagt
    wypowiedz"""
)
ENDED_WORDS = """date time day on at of for since subscription membership member account customer user contract
    datum tag am zum seit abo vertrag mitglied mitgliedschaft kunde
    le la l d de du des depuis abonnement contrat adhesion compte
    fecha el por suscripcion cuenta
    data il di del della abbonamento contratto
    op van lidmaatschap klant
    em assinatura conta dato den dnia"""  # that such headings have besides
END_OF_SUBSCRIPTION = re.compile(
    r"(?:subscri|abonn|suscri|\babo\b).*\b(?:ends?|ended|ende|fin|fine|einde)\b"
    r"|\b(?:end|ende|fin|fine|einde)\b.*(?:subscri|abonn|suscri|\babo\b)"
)
# Frequencies of mail; “never” is a no.
OF_FREQUENCY = re.compile(r"frequen|\boften\b|\boft\b|haufigkeit|frecuencia|czestotliwosc|\bofta\b")
ABOUT_MAIL = re.compile(r"mail|newsletter|courriel|correo|versand|envoi|envio|invio|contact|^\w+$")
TAGS = re.compile(
    r"\b(?:tags?|labels?|keywords?|groups?|gruppen?|groupes?|grupos?|gruppi|lists?|listen?|listas?|categor\w+|kategori\w+"
    r"|schlagworter|stichworter|etiquet\w+|etichett\w+)\b"
)
NEGATING = re.compile(
    r"\b(?:no|not|non|never|dont|stop(?:ped)?|without|exclud\w+|withdr\w+|revoked?|refus\w+|declined?|rejected|denied"
    r"|object(?:ed|ions?|s)?|inactive|blocked|disabled|pending|unconfirmed|unverified|awaiting|widerruf\w*"
    r"|\w*widerspr\w*|ausstehend\w*|kein\w*|nicht|sans|sin|pas|nao|senza|geen|niet|zonder|ingen|inga|inte|ikke|uden|utan|ei|nie|bez"
    r"|nechc\w+|nem|fara|istemiyor|не|без)\b|\bnonmarketing"
)
# A filled cell means that the person left: “Unsubscribe reason”.
OF_LEAVING_ITSELF = re.compile(r"\b(?:reasons?|causes?|methods?|feedback|motiv\w*|motif|since)\b")
# Columns next to the answer: a count, a cause, a location, a paid plan.
DETAIL = re.compile(
    r"\b(?:names?|titles?|types?|ids?|ip|urls?|links?|sources?|reasons?|causes?|channels?|methods?|comments?|notes?"
    r"|by(?! e?mail)|count|number|no of|rates?|score|clicks?|clicked|open(?:ed|s)?|delivered|sent|replied|received"
    r"|read|bounce[ds]?|start\w*|begin\w*|ends?|ended|renew\w*|expir\w*"
    r"|first|last|since|until|plan|tier|level|price|amount|fee|budget|spend|paid|payment|billing"
    r"|stripe|premium|trial|subscriptions|active subscription|subscription active|frequency|topics?|interests?"
    r"|languages?|version|forms?|page|token|hash|key|referr\w+|utm|qualified|history|basis|tags?|segments?|address"
    r"|street|city|country|province|region|zip|postcode|mailing state|marketing (?:owner|agency|manager|director|team"
    r"|department|leads?|stage|persona|role))\b"
)
OF_TIME = re.compile(
    r"\b(?:dates?|times?|timestamp|at|on|\w*datum|fecha|am|le|el|il|op|em)$|^(?:date|datum|fecha|data)\b"
)
OF_CONSENT_TO_MAIL = re.compile(
    r"\bdoi\b|subscribed|newsletter|nieuwsbrief|abonniert|inscription|inscrit|suscri|iscri|aangemeld"
)
OF_ANOTHER_THING = re.compile(  # that people consent to
    r"\b(?:track\w*|cookies?|photos?|pictures?|images?|videos?|media|record\w*|parent\w*|guardian|medical|treatment"
    r"|health|travel|third|partners?|shar(?:e|ing)|sales?|sell\w*|location|publish\w*|delet\w+|eras\w+|export)\b"
)
OTHER_WAYS = re.compile(
    r"\b(?:sms|mms|text|texts|phones?|telephone|telefon\w*|mobile?|whatsapp|calls?|push|browser|postal|post|letters?"
    r"|fax|messenger)\b"
)
# A heading of only these and common words.
HEAD_WORDS = """
    opt status statuses statut statuts estatus stato situacao active enabled aktiv actif activo attivo
    confirmed verified permission permissions zustand toestand tila állapot stav stan durum durumu κατάσταση статус
    состояние ステータス 状態 状态 狀態 상태 סטטוס الحالة حالة"""
STATE_WORDS = "state etat estado"  # a region more often
COMMON_WORDS = """is has was flag current overall global general the in to of for send contact contacts contacted
    list lists mail mails email emails recipient recipients audience profile subscriber kontakt kontakte empfanger
    de del du des la el kontaktu kontaktov"""
TYPICAL = re.compile(r"subscri|unsub|opt(?:ed)?(?:in|out)|cleaned|bounced")
LINK_OR_ADDRESS = re.compile(r"https?://|www\.|[^\s@]+@[^\s@]+\.")

OF_STATUS = re.compile(r"status|statut|estado")  # also as a part of one word: “emailmarketingstatus”
CLEAR = frozenset(STATUS_HEADINGS.split())
STATES, COMMON = frozenset(STATE_WORDS.split()), frozenset(COMMON_WORDS.split())
EITHER_WAY = YES - {"1", "on", "x", "t", "da", "ok"} | frozenset(EITHER_WAY_WORDS.split())
ENDED = COMMON | frozenset(ENDED_WORDS.split())
HEADS = STATES | frozenset(spaced(word) for word in HEAD_WORDS.split())
