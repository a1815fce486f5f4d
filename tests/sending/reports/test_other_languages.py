"""Words of servers in other languages: what blames the sender or the mailbox's size never suppresses a person."""
# ruff: noqa: RUF001 - wordings of many languages

import pytest

from tests.sending.reports.samples import OURS, mail
from webapp.sending.reports.classification import classify
from webapp.sending.reports.parse import parse

OF_THE_SENDER = (
    "550 Die Domain des Absenders existiert nicht",
    "550 5.7.1 La cuenta de envío no existe",
    "550 5.7.1 IP bloqueado. Endereço de IP listado, não existe reverso",
    "550 5.7.1 Gönderen adresi reddedildi: alan adı bulunamadı",
    "550 Домен отправителя не существует",
    "553 DS: 发信人域名不存在",
    "550 送信者アドレスのドメインが存在しません",
)
FULL = (
    "550 5.1.1 Mailbox des Empfängers ist ausgelastet",
    "550 El buzon de correo ha superado la cuota, correo no existe espacio",
    "550 5.1.1 Posta kutusu dolu",
    "550 5.1.1 メールボックスがいっぱいです",
    "552 5.1.1 The recipient's account exceeded its limits",
)
OF_THE_MOMENT = ("552 5.1.1 okänt fel", "550 5.1.1 Recipient verify failed: could not complete callout")
OF_THE_MESSAGE = (
    "550 5.1.1 Subject line missing",
    "550 5.7.1 mailing list members only. You are not a subscribed user; unknown user",
    "517 Domain does not exist: sender.example. (Courier)",
)
GONE = (
    "550 Adressat unbekannt",
    "550 ユーザーが見つかりません",
    "550 Нет такого пользователя: ящик не существует",
    "550 This address is no longer in use",
    "553 sorry, this recipient is not in my validrcptto list (#5.7.1)",
)


@pytest.mark.parametrize("words", [*OF_THE_SENDER, *OF_THE_MOMENT, *OF_THE_MESSAGE])
@pytest.mark.parametrize("status", ["", "5.1.1"])
def test_a_refusal_for_another_reason_bars_no_recipient(words: str, status: str) -> None:
    assert classify(status, words).type == "Transient"


@pytest.mark.parametrize(
    ("words", "sub_type"), [*((words, "MailboxFull") for words in FULL), *((words, "NoEmail") for words in GONE)]
)
def test_a_full_mailbox_is_told_from_an_address_that_does_not_exist(words: str, sub_type: str) -> None:
    assert classify("", words).sub_type == sub_type


@pytest.mark.parametrize(
    "text",
    [
        "Die Nachricht an ann@example.org wurde nicht zugestellt. Es wird 5 Tage lang weiter versucht.",
        "Your message to ann@example.org could not be delivered so far. Delivery will be attempted again.",
    ],
)
def test_a_warning_of_a_delay_is_no_bounce(text: str) -> None:
    head = "From: MAILER-DAEMON@relay.example\nTo: news@example.com\nSubject: Mail\n"
    assert parse(mail(f"{head}\n{text}\n\n--- Below this line is a copy of the message.\n\nMessage-ID: {OURS}\n")) == []
