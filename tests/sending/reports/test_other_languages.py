"""Words of servers in other languages: what blames the sender or the mailbox's size never suppresses a person."""
# ruff: noqa: RUF001 - wordings of many languages

import pytest

from tests.sending.reports.samples import OURS, mail
from webapp.sending.reports.classification import classify
from webapp.sending.reports.parse import parse

OF_THE_SENDER = (
    "550 Die Domain des Absenders existiert nicht",
    "550 5.7.1 Bitte melden Sie sich an, Benutzer nicht angemeldet",
    "554 IP-Adresse nicht zugelassen, unbekannter Reverse-DNS",
    "550 Adresse de l'émetteur inconnue",
    "550 5.1.1 Domaine de l'expediteur inexistant",
    "554 5.7.1 adresse IP inconnue ou sans reverse",
    "550 5.7.1 Su dirección IP no existe en nuestra lista; correo rechazado",
    "550 5.7.1 La cuenta de envío no existe",
    "550 5.1.1 Direccion del emisor no existe",
    "550 5.7.1 IP bloqueado. Endereço de IP listado, não existe reverso",
    "550 conta de envio inválida: autenticação necessária",
    "550 5.7.1 Indirizzo IP non valido, nessun reverse",
    "550 Dominio del mittente inesistente",
    "550 Domena nadawcy nie istnieje",
    "550 Doména odesílatele neexistuje",
    "550 A feladó címe nem létezik",
    "550 Domein van afzender bestaat niet",
    "550 Avsändarens domän finns inte",
    "550 5.7.1 Gönderen adresi reddedildi: alan adı bulunamadı",
    "550 5.7.1 Отказано в доступе: ваш IP адрес неизвестен",
    "550 5.7.1 Необходима аутентификация, пользователь не найден",
    "550 Домен отправителя не существует",
    "553 DS: 发信人域名不存在",
    "550 5.7.1 发件域名不存在，拒绝接收",
    "550 5.7.1 认证失败，用户不存在",
    "550 寄件者網域不存在",
    "550 送信元アドレスが存在しません",
    "550 送信者アドレスのドメインが存在しません",
    "550 5.7.1 발신 도메인이 존재하지 않습니다",
    "550 보낸 사람의 주소가 존재하지 않습니다",
)
FULL = (
    "550 5.1.1 Mailbox des Empfängers ist ausgelastet",
    "550 5.1.1 quota messagerie atteint",
    "550 El buzon de correo ha superado la cuota, correo no existe espacio",
    "550 5.1.1 La casella ha superato lo spazio disponibile",
    "550 5.1.1 Brak miejsca w skrzynce",
    "550 5.1.1 Przekroczona pojemność skrzynki",
    "550 5.1.1 Plný mailbox příjemce",
    "550 5.1.1 A postafiók betelt",
    "550 5.1.1 Posta kutusu dolu",
    "550 5.1.1 Ящик заполнен",
    "550 5.1.1 недостаточно места в почтовом ящике",
    "550 對方信箱已滿",
    "550 5.1.1 メールボックスがいっぱいです",
    "550 5.1.1 받은편지함이 가득 찼습니다",
    "552 5.1.1 The recipient's account exceeded its limits",
    "550 5.1.1 <ann@example.org> quota exceded",
)
OF_THE_MOMENT = (
    "552 5.1.1 okänt fel",
    "550 LDAP lookup failure; user not found in directory because server down",
    "550 5.1.1 Recipient verify failed: could not complete callout",
    "550 5.1.1 <ann@example.org> mailbox is currently being moved",
    "550 5.1.1 this domain is currently suspended for non-payment",
    "550 5.1.1 Delivery has been delayed",
    "550 5.1.1 server license expired",
    "554 5.1.1 Account has exceeded bandwidth",
    "550 5.1.1 user out of office",
)
OF_THE_MESSAGE = (
    "550 5.1.1 Subject line missing",
    "550 5.1.1 Message contains bare LF and is violating 822.bis section 2.3",
    "550 5.1.1 Encrypted message required for this recipient",
    "550 Invalid user credentials for relay, user unknown",
    "550 5.1.1 recipient refuses mail from your address",
    "550 5.1.1 User has opted out of messages from you",
    "550 5.1.1 The group ann isn't set up to receive messages from you",
    "550 5.7.1 mailing list members only. You are not a subscribed user; unknown user",
    "550 5.1.1 mailbox for internal use only",
    "550 bounce address invalid: cannot verify postmaster@example.com",
    "517 Domain does not exist: sender.example. (Courier)",
    "550 Access denied - no such user as sender",
    "550 unregistered sender; user not registered",
    "550 5.4.4 Invalid domain in MAIL FROM",
    "554 5.6.0 Message contains invalid recipient in Cc header",
    "550 list address unknown subscriber: you must subscribe first",
    "550 5.7.1 user disabled receiving mail from outside",
    "550 This mailbox is not available at the moment",
)
GONE = (
    "550 Adressat unbekannt",
    "550 5.2.1 This account was deleted",
    "550 Address not found",
    "550 Böyle bir kullanıcı yok",
    "550 A címzett nem létezik",
    "550 Mottagaren finns inte",
    "550 Ukendt bruger",
    "550 ユーザーが見つかりません",
    "550 해당 사용자가 없습니다",
    "550 无效的收件人",
    "550 無此帳號",
    "550 Нет такого пользователя: ящик не существует",
    "550 This address is no longer in use",
    "553 sorry, this recipient is not in my validrcptto list (#5.7.1)",
)


@pytest.mark.parametrize("words", [*OF_THE_SENDER, *OF_THE_MOMENT, *OF_THE_MESSAGE])
@pytest.mark.parametrize("status", ["", "5.1.1"])
def test_a_refusal_for_another_reason_bars_no_recipient(words: str, status: str) -> None:
    assert classify(status, words).type == "Transient"


@pytest.mark.parametrize("words", FULL)
def test_a_full_mailbox_bars_no_recipient(words: str) -> None:
    assert classify("", words)[:2] == ("Transient", "MailboxFull")


@pytest.mark.parametrize("words", GONE)
def test_an_address_that_does_not_exist_is_suppressed(words: str) -> None:
    assert classify("", words).suppresses


@pytest.mark.parametrize(
    "text",
    [
        "Ihre Nachricht an ann@example.org konnte noch nicht zugestellt werden.",
        "Die Nachricht an ann@example.org wurde nicht zugestellt. Es wird 5 Tage lang weiter versucht.",
        "Votre message à ann@example.org n'a pas encore été remis.",
        "Su mensaje a ann@example.org no se ha podido entregar todavía. Se volverá a intentar.",
        "Il messaggio per ann@example.org non è stato ancora consegnato. Verranno effettuati altri tentativi.",
        "Your message to ann@example.org could not be delivered so far. Delivery will be attempted again.",
    ],
)
def test_a_warning_of_a_delay_is_no_bounce(text: str) -> None:
    head = "From: MAILER-DAEMON@relay.example\nTo: news@example.com\nSubject: Mail\n"
    assert parse(mail(f"{head}\n{text}\n\n--- Below this line is a copy of the message.\n\nMessage-ID: {OURS}\n")) == []
