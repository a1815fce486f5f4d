"""Words that say who may get campaigns; unknown words subscribe nobody."""
# ruff: noqa: RUF001 - words of many languages

import re
import unicodedata
from collections.abc import Iterable, Mapping
from itertools import groupby
from operator import itemgetter

from webapp.models.contact import ContactStatus

MAX_CHARACTERS = 200  # per heading, name or list of tags
LONGEST_WORD = 60  # characters; longer cells are prose
NO_WORD = re.compile(r"[^a-z0-9]+")
NOT_ALPHANUMERIC = re.compile(r"[\W_]+")
SEPARATORS = re.compile(r"[,;|\n]")  # of tags
CUT_SHORT = re.compile(r"n['\u2019]t\b")
ANSWERS = re.compile(
    r"\b(?:yes (?:or )?no|y n|ja (?:oder )?nein|oui (?:ou )?non|si (?:o )?no|true (?:or )?false|[01] [01])\b"
)
TICKS = str.maketrans(dict.fromkeys("✓✔☑✅", "x") | dict.fromkeys("✗✘☐❌", "0"))


def plain_word(text: str) -> str:
    """Lower-case letters and digits without accents."""
    return _bare(text if text.isascii() else text.translate(TICKS))


def _bare(text: str) -> str:
    if text.isascii():  # the common case
        return NO_WORD.sub("", text.lower())
    return NOT_ALPHANUMERIC.sub("", unicodedata.normalize("NFKD", text).casefold())


def spaced(text: str) -> str:
    """Lower-case words without accents, separated by spaces."""
    words = ANSWERS.sub(" ", _words(text))
    return re.sub(r"\be mail", "email", words).replace("email address", "email").replace("news letter", "newsletter")


def has_answers(heading: str) -> bool:
    """True if the heading lists its possible answers, like “Newsletter (Y/N)”."""
    return bool(ANSWERS.search(_words(heading)))


def _words(text: str) -> str:
    apart = unicodedata.normalize(
        "NFKD", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", CUT_SHORT.sub("nt", text[:MAX_CHARACTERS]))
    ).casefold()
    bare = "".join(character for character in apart if not unicodedata.combining(character))
    return " ".join(re.findall(r"[^\W_]+", bare))


def _phrases(text: str) -> frozenset[str]:
    return frozenset(plain_word(phrase) for phrase in text.replace("\n", ",").split(",") if phrase.strip())


# One line a language: en, de, fr, es, it, pt, nl, sv/da/no, fi, pl, cs/sk, hu, ro, tr, el, ru, uk, ja, zh, ko, he, ar.
YES = _phrases(
    """yes, y, true, t, 1, on, x, checked, ok
    ja, j, wahr
    oui, vrai
    si, verdadero
    vero
    sim, verdadeiro
    waar
    kylla
    tak, prawda
    ano, pravda
    igen, igaz
    da, adevarat
    evet, dogru
    ναι
    да, истина
    так
    はい, 有
    是
    예, 네
    כן
    نعم"""
)
NO = _phrases(
    """no, n, false, f, 0, off, none, never, unchecked
    nein, falsch, niemals
    non, faux, jamais
    falso, nunca
    mai
    nao
    nee, onwaar, nooit
    nej, nei, aldrig, aldri
    ei
    nie, falsz, nigdy
    ne, nepravda
    nem, hamis
    nu, fals
    hayir, yanlis
    όχι
    нет, ложь, никогда
    ні
    いいえ, 無
    否
    아니요, 아니오
    לא
    لا"""
)
SUBSCRIBED = _phrases(
    """subscribed, subscriber, active, opt in, opted in, single opt in, double opt in, confirmed, verified, valid
    enabled, accepted, agreed, granted, given, consented, explicit, express, implicit, implied, allow, allowed
    permitted, marketing, marketing contact, marketable, not unsubscribed
    abonniert, angemeldet, aktiv, zugestimmt, erteilt, bestätigt, eingewilligt
    abonné, abonnée, inscrit, inscrite, actif, accepté, confirmé
    suscrito, suscrita, activo, activa, confirmado, aceptado
    iscritto, iscritta, attivo, attiva, confermato
    inscrito, inscrita, assinante, ativo, ativa
    ingeschreven, aangemeld, actief, geabonneerd, bevestigd
    prenumererar, prenumerant, aktiverad, tilmeldt, påmeldt, abonnerer
    tilannut, tilaaja, aktiivinen, vahvistettu
    zapisany, zapisana, aktywny, subskrybowany, subskrybent, potwierdzony
    přihlášen, odběratel, aktivní, prihlásený, odoberateľ, aktívny, potvrzeno
    feliratkozott, feliratkozva, aktív, megerősített
    abonat, abonată, activ, activă
    abone, aktif, onaylandı, kayıtlı
    εγγεγραμμένος, ενεργός
    подписан, подписана, активен, активный, подтвержден
    підписаний, підписана, активний
    購読中, 登録済み, 配信中, 有効
    已订阅, 已訂閱, 订阅, 訂閱, 活跃, 有效
    구독, 구독중, 수신동의, 동의, 활성
    מנוי, פעיל
    مشترك, نشط"""
)
# Words that mean in any column that the person left.
LEFT_ANYWHERE = _phrases(
    """cleaned, hard bounce, reported spam, reported as spam, complained, abuse complaint, non marketable
    gebounct, gebounced, als spam markiert, als spam gemeldet, nicht abonniert, nicht angemeldet
    signalé comme spam
    marcado como spam
    segnalato come spam
    perunut tilauksen, poistunut listalta"""
)
# Parts of words that mean the same in cells and headings, like “Abmeldedatum”.
LEAVING_PARTS = _phrases(
    """unsub, opt out, opted out, blacklisted, blocklisted, do not email, do not mail, do not contact, do not send
    do not market, do not bulk, dont email, dont mail, dont contact, marked as spam, marked email as spam
    spam complain
    abgemeldet, abmeld, ausgetragen, abbestellt
    désabonn, désinscri
    dado de baja, dada de baja, desuscri, cancelo la suscripcion
    disiscri
    descadastr, cancelou a inscrição
    afgemeld, afmeld, uitgeschreven, uitschrij
    avregistr, avprenumer, avslutat prenumeration, frameld, avmeld, udmeld
    wypisan, wypisał, anulował subskrypcj
    odhlás
    leiratkoz
    dezabon
    abonelikten
    διαγραμμέν, απεγγεγραμμέν
    отпис, отказался от рассылки
    відпис
    配信停止, 購読解除, 登録解除, 退会, オプトアウト
    退订, 退訂, 取消订阅, 取消訂閱
    수신거부, 구독취소, 구독해지
    הוסר מהרשימה, ביטל מנוי
    ألغى الاشتراك, غير مشترك"""
)


def _any_of(words: Iterable[str]) -> re.Pattern[str]:
    """Grouped by first letters, which takes a third of the time."""
    groups = groupby(sorted(words), key=itemgetter(0))
    return re.compile("|".join(f"{first}(?:{'|'.join(word[1:] for word in group)})" for first, group in groups))


ANY_LEAVING = re.compile(rf"(?:{'|'.join(sorted(LEAVING_PARTS))})(?!\w*(?:link|url))")
LEAVING_BEGINNING = re.compile(
    r"(?:non|not|never)(?:subscri|optedin)|(?:hard|soft)?bounced|suppressed|nolonger|donotallow"
)
NOT = ("not", "never", "nicht", "pas", "niet", "inte", "ikke", "не")
SUSPICIOUS = _any_of(
    LEAVING_PARTS | LEFT_ANYWHERE | _phrases("subscri, opted in, bounced, suppressed, no longer, do not allow")
)
LEFT = LEFT_ANYWHERE | _phrases(
    """bounce, hard bounce, soft bounce, nonsubscriber, non marketing, non marketing contact, transactional, pending
    pending confirmation, awaiting confirmation, unconfirmed, unverified, unactivated, validating, waiting
    invitable, no permissions set, no permission set, no permission, no consent, not set, not asked, not given
    not specified, temp hold, unknown, unspecified, undetermined, unreachable, inactive, paused, suspended, invalid
    undeliverable, needs attention, skipped, suppressed, blocked, complaint, spam, spammy, junk, abuse
    reported, archived, cancelled, canceled, deleted, removed, dropped, forgotten, redacted, disabled
    rejected, refused, declined, denied, revoked, withdrawn, expired, excluded, banned, error, failed
    inaktiv, widerrufen, abgelehnt, gesperrt, pausiert, ausstehend, unbestätigt, deaktiviert, gelöscht, blockiert
    widersprochen, zurückgewiesen, unzustellbar, ungültig, verweigert, gekündigt, unbekannt, offen, wartend
    rebond, inactif, inactive, refusé, refusée, en attente, suspendu, bloqué, bloquée, supprimé, rejeté, invalide
    baja, inactivo, inactiva, rebotado, pendiente, bloqueado, eliminado, rechazado, denegado, borrado, cancelado
    inattivo, inattiva, cancellato, in attesa, rimbalzato, rifiutato, sospeso, bloccato, non confermato, eliminato
    inativo, inativa, pendente, rejeitado, recusado, excluído, removido, suspenso, não confirmado
    inactief, geweigerd, geblokkeerd, in afwachting, onbevestigd, verwijderd, gestopt
    inaktiverad, väntande, avvisad, blockerad, borttagen, obekräftad, afventer, afvist, slettet, blokeret
    passiivinen, odottaa, estetty, poistettu
    nieaktywny, nieaktywna, oczekujący, odrzucony, zablokowany, usunięty, niepotwierdzony
    neaktivní, čekající, odmítnuto, zablokován, smazán, neaktívny, čakajúci
    inaktív, függőben, elutasítva, törölt, letiltva
    inactiv, în așteptare, respins, șters, blocat
    pasif, beklemede, reddedildi, silindi, engellendi
    ανενεργός, εκκρεμεί
    неактивен, неактивный, ожидает, отклонен, удален, заблокирован, не подтвержден, отказ
    неактивний, очікує, видалений, заблокований, відмова
    停止, 無効, 解除, 保留, 未確認, 拒否
    无效, 無效, 待确认, 拒绝, 未订阅, 未訂閱
    비활성, 미동의, 거부, 대기
    לא פעיל
    غير نشط, قيد الانتظار"""
)
NEGATIONS = _phrases(
    """no, not, non, never, none, nicht, kein, keine, keiner, nie, pas, aucun, aucune, sin, sem, senza, niet, geen
    inte, ikke, ei, nao, ne, nem, nu, değil, не, нет, немає, без"""
)
EMPTY = frozenset(("", "null", "nil", "nan", "na"))
NOTHING = NO | EMPTY | SUBSCRIBED  # under a heading like “Unsubscribed”
NOTHING_SIGNS = "0-/.:[]{}() "  # 0000-00-00 00:00:00 is not a time, nor is []
TIME = re.compile(r"\d{1,4}[-./]\d{1,2}[-./]\d{1,4}|\d{9,13}$|\w{3,9}\.? \d{1,2},? \d{4}|\d{1,2}\.? \w{3,9}\.?,? \d{4}")
YES_OR_NO = YES | NO
MINUS = ("-", "\u2212", "\u2013")  # “-1” is AcyMailing's word for unsubscribed
MEANINGS: Mapping[str, ContactStatus] = dict.fromkeys(LEFT | NO, ContactStatus.UNSUBSCRIBED) | dict.fromkeys(
    (SUBSCRIBED | YES) - LEFT, ContactStatus.SUBSCRIBED
)


def status_in(text: str) -> ContactStatus | None:
    """The status that a status cell means; None if the word is unknown."""
    word = plain_word(text)
    if word in MEANINGS and not text.lstrip().startswith(MINUS):
        return MEANINGS[word]
    words = spaced(text).split()
    negated = words[1:] if words and words[0] in NEGATIONS else []
    if negated:  # “not confirmed” means unsubscribed, “not bounced” nothing
        return None if any(map(_is_left, negated)) else ContactStatus.UNSUBSCRIBED
    if words and all(plain_word(word) in SUBSCRIBED for word in words):
        return ContactStatus.SUBSCRIBED
    return ContactStatus.UNSUBSCRIBED if is_leaving(word) or any(map(_is_left, words)) else None


def _is_left(text: str) -> bool:
    word = plain_word(text)
    return word in LEFT or is_leaving(word)


def is_leaving(word: str) -> bool:
    """True if a part of the `plain_word` means that the person left."""
    part = ANY_LEAVING.search(word)
    is_part = part is not None and not word[: part.start()].endswith(NOT)
    return is_part or bool(LEAVING_BEGINNING.match(word))


def may_say_left(text: str) -> bool:
    """False if `word_of_leaving` is surely empty for every cell of the row."""
    return bool(SUSPICIOUS.search(_bare(text)))


def word_of_leaving(text: str) -> str:
    """The cell, or its tag, that means in any column that the person left; or empty."""
    if len(text) <= MAX_CHARACTERS and may_say_left(text):
        for part in SEPARATORS.split(text):
            word = plain_word(part)
            if len(part) <= LONGEST_WORD and (word in LEFT_ANYWHERE or is_leaving(word)):
                return part.strip()
    return ""


def says_yes(text: str) -> bool:
    """True if the cell confirms a heading like “Unsubscribed”, for example with a date."""
    return plain_word(text) not in NOTHING and bool(text.translate(TICKS).strip(NOTHING_SIGNS))
