"""What the servers and providers in use say when they refuse, in the reports that they or a relay write.

The wordings follow their documents and public lists of their replies; addresses and hosts are examples.
"""

from typing import NamedTuple

from tests.sending.reports.samples import ANN, RETURNED, mail, report
from tests.sending.reports.samples.providers import exchange, gmail, ses
from tests.sending.reports.samples.servers import EXIM_TEXT, dedented, exim, postfix, postfix_group, qmail, sendmail

# The verdicts: an address that does not exist is suppressed, one that is bad in another way gets no more campaigns, and
# nothing else is about the address.
GONE, BAD, FULL, SIZE, CONTENT, LATER, UNCLEAR = (
    ("Permanent", "NoEmail"),
    ("Permanent", "General"),
    ("Transient", "MailboxFull"),
    ("Transient", "MessageTooLarge"),
    ("Transient", "ContentRejected"),
    ("Transient", "General"),
    ("Undetermined", "Undetermined"),
)


class Said(NamedTuple):
    system: str
    text: str  # of the server that refused
    verdict: tuple[str, str]
    message: bytes


def by_postfix(system: str, text: str, verdict: tuple[str, str], status: str = "5.0.0") -> Said:
    """Postfix reports what the system says, with 5.0.0 where that has no enhanced status."""
    return Said(system, text, verdict, postfix(postfix_group(ANN, status, f"smtp; {text}")))


def in_text(system: str, sender: str, text: str, verdict: tuple[str, str], said: str = "") -> Said:
    """A report in plain text that returns the message's header."""
    head = (
        f"From: {sender}\nTo: news@example.com\nSubject: Undeliverable\nMIME-Version: 1.0\nContent-Type: text/plain\n"
    )
    return Said(
        system, said or " ".join(text.split()), verdict, mail(f"{head}\n{dedented(text)}\n{dedented(RETURNED)}")
    )


def opensmtpd(text: str, status: str, verdict: tuple[str, str]) -> Said:
    head = "From: Mailer Daemon <MAILER-DAEMON@mx.example.com>\nSubject: Delivery status notification: error"
    words = f"Hi!\n\nThis is the MAILER-DAEMON, please DO NOT REPLY to this email.\n\nAn error has occurred while attempting\nto deliver a message for the following list of recipients:\n\n{ANN}: {text}\n\nBelow is a copy of the original message:\n"
    fields = f"Reporting-MTA: dns; mx.example.com\n\nFinal-Recipient: rfc822; {ANN}\nAction: error\nStatus: {status}\n"
    parts = [("text/plain", words), ("message/delivery-status", fields), ("text/rfc822-headers", RETURNED)]
    return Said("OpenSMTPD", text, verdict, report(head, *parts))


def workmail(text: str, status: str, verdict: tuple[str, str]) -> Said:
    head = "From: MAILER-DAEMON@eu-west-1.amazonses.com\nSubject: Delivery Status Notification (Failure)\nX-Mailer: Amazon WorkMail"
    words = f"An error occurred while trying to deliver the mail to the following recipients:\n{ANN}\n\nTechnical report:\n\nReporting-MTA: dsn; a27-85.smtp-out.eu-west-1.amazonses.com\n\nAction: failed\nFinal-Recipient: rfc822; {ANN}\nDiagnostic-Code: smtp; {text}\nStatus: {status}\n"
    message = report(head, ("text/plain", words), ("message/rfc822", RETURNED))
    return Said("Amazon WorkMail", text, verdict, message.replace(b"multipart/report", b"multipart/mixed"))


def exchange_in_text(text: str, verdict: tuple[str, str]) -> Said:
    words = f"""
        Delivery has failed to these recipients or groups:

        {ANN}<mailto:{ANN}>
        Your message couldn't be delivered.

        Diagnostic information for administrators:

        Generating server: AS8PR03MB1234.eurprd03.prod.outlook.com

        {ANN}
        Remote Server returned '{text}'

        Original message headers:
        """
    return in_text("Exchange Online, text", "postmaster@tenant.onmicrosoft.example", words, verdict, text)


def exim_in_text(system: str, text: str, verdict: tuple[str, str], step: str = f"after RCPT TO:<{ANN}>:") -> Said:
    words = f"{EXIM_TEXT}\n  {ANN}\n    host mx.example.org [192.0.2.9]\n    SMTP error from remote mail server {step}\n    {text}\n\n------ This is a copy of the message, including all the headers. ------\n"
    return in_text(system, "Mail Delivery System <Mailer-Daemon@mx.example.com>", words, verdict, text)


def dragonfly(text: str, verdict: tuple[str, str]) -> Said:
    words = f"This is the DragonFly Mail Agent v0.13 at mx.example.com.\n\nThere was an error delivering your mail to <{ANN}>.\n\nmx.example.org [192.0.2.9] did not like our RCPT TO:\n{text}\n\nMessage headers follow.\n"
    return in_text("DragonFly", "MAILER-DAEMON <>", words, verdict, text)


def zoho(text: str, verdict: tuple[str, str]) -> Said:
    words = f"This message was created automatically by mail delivery software.\nA message that you sent could not be delivered to one or more of its recipients. This is a permanent error.\n\n{ANN} {text}\n"
    return in_text("Zoho", "mailer-daemon@mail.zoho.example", words, verdict, text)


def gmx_in_text(text: str, verdict: tuple[str, str]) -> Said:
    words = f'This message was created automatically by mail delivery software.\n\nA message that you sent could not be delivered to one or more of\nits recipients. This is a permanent error. The following address\nfailed:\n\n"{ANN}":\nSMTP error from remote server after RCPT command:\nhost: mx.example.org\n{text}\n\n--- The header of the original message is following. ---\n'
    return in_text("GMX, text", "MAILER-DAEMON@mail.gmx.com", words, verdict, text)


def of_qmail(text: str, verdict: tuple[str, str]) -> Said:
    return Said("qmail", text, verdict, qmail(f"<{ANN}>:\n{text}\n"))


def of_exim(text: str, verdict: tuple[str, str]) -> Said:
    return Said("Exim", text, verdict, exim(text))


def of_gmail(status: str, text: str, verdict: tuple[str, str]) -> Said:
    return Said("Gmail", text, verdict, gmail(status, text))


def of_exchange(status: str, text: str, verdict: tuple[str, str]) -> Said:
    return Said("Exchange Online", text, verdict, exchange(status, text))


def of_ses(status: str, text: str, verdict: tuple[str, str]) -> Said:
    return Said("Amazon SES", text, verdict, ses(status, text))


def after_message(system: str, text: str, verdict: tuple[str, str], status: str = "5.0.0") -> Said:
    """Postfix's report of a message that was refused at its end, as it says in its text alone."""
    message = postfix(postfix_group(ANN, status, f"smtp; {text}"))
    words = f"<{ANN}>: host mx.example.org[192.0.2.9] said: {text} (in reply to end of\n    DATA command)\n"
    return Said(system, text, verdict, message.replace(b"The mail system\r\n", b"The mail system\r\n" + words.encode()))


SAID = [
    of_gmail("5.7.26", "550-5.7.26 Your email has been blocked because the sender is unauthenticated. Gmail requires all senders to authenticate with either SPF or DKIM.", LATER),
    of_gmail("5.4.5", "550-5.4.5 Daily user sending limit exceeded. For more information on Gmail sending limits go to", LATER),
    of_gmail("5.0.0", "DNS Error: DNS type 'mx' lookup of exmaple.org responded with code NXDOMAIN Domain name not found: exmaple.org", BAD),
    of_exchange("5.4.1", "550 5.4.1 Recipient address rejected: Access denied. AS(201806281)", BAD),
    of_exchange("5.4.316", "550 5.4.316 Message expired, connection refused(Socket error code 10061)", LATER),
    of_exchange("5.2.121", "550 5.2.121 RESOLVER.RST.RecipientThrottled; recipient's per hour message receive limit exceeded", LATER),
    of_exchange("5.2.2", "554 5.2.2 mailbox full; STOREDRV.Deliver.Exception:QuotaExceededException", FULL),
    exchange_in_text("550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup", GONE),
    by_postfix("Outlook.com", "550 5.7.1 Unfortunately, messages from [192.0.2.1] weren't sent. Please contact your Internet service provider since part of their network is on our block list (S3140).", LATER, "5.7.1"),
    by_postfix("GMX", "550 Requested action not taken: mailbox unavailable", BAD),
    by_postfix("GMX", "550 Requested action not taken: mailbox unavailable Reject due to policy restrictions. For explanation visit", LATER),
    by_postfix("web.de", "550 <ann@example.org> Benutzer hat zuviele Mails auf dem Server. / User has too many messages on the server.", FULL),
    gmx_in_text("5.1.1 <ann@example.org>... User unknown", GONE),
    by_postfix("T-Online", "554 IP=192.0.2.1 - A problem occurred. (Ask your postmaster for help or to contact tosa@rx.t-online.de to clarify.)", UNCLEAR),
    zoho("Invalid Address, ERROR_CODE :550, ERROR_CODE :5.1.1 <ann@example.org>... User Unknown", GONE),
    by_postfix("Mail.ru", "550 Message was not accepted -- invalid mailbox. Local mailbox ann@example.org is unavailable: account is disabled", BAD),
    by_postfix("Yandex", "550 5.7.1 No such user!", GONE, "5.7.1"),
    by_postfix("QQ", "550 The recipient may contain a non-existent account, please check the recipient address. http://service.mail.qq.com/detail/122/168", GONE),
    by_postfix("QQ", "550 Mailbox unavailable or access denied", LATER),
    by_postfix("Postfix", "450 4.1.1 <ann@example.org>: Recipient address rejected: User unknown in local recipient table", LATER, "4.1.1"),
    by_postfix("Postfix", "550 5.1.1 <news@example.com>: Sender address rejected: User unknown in virtual mailbox table", LATER, "5.1.1"),
    by_postfix("Postfix", "550 5.7.23 <ann@example.org>: Recipient address rejected: Message rejected due to: SPF fail - not authorized", LATER, "5.7.23"),
    Said("Postfix", "Domain example.org does not accept mail (nullMX)", GONE, postfix(postfix_group(ANN, "5.1.0", "X-Postfix; Domain example.org does not accept mail (nullMX)"))),
    Said("Postfix", "mail for example.org loops back to myself", LATER, postfix(postfix_group(ANN, "5.4.6", "X-Postfix; mail for example.org loops back to myself"))),
    by_postfix("Postfix", "553 5.1.2 <ann@exmaple.org>: Recipient address rejected: Domain not found", GONE, "5.1.2"),
    of_exim("550 Unrouteable address", BAD),
    of_exim("550 Verification failed for <news@example.com> Sender verify failed", LATER),
    exim_in_text("Exim, text", "550 <ann@example.org>: User unknown", GONE),
    exim_in_text("Exim, text", "451 Temporary local problem - please try later", LATER),
    Said("Sendmail", "552 5.2.2 Over quota", FULL, sendmail("5.1.1", "552 5.2.2 Over quota")),
    of_qmail("Sorry, I wasn't able to establish an SMTP connection. (#4.4.1)\nI'm not going to try again; this message has been in the queue too long.", LATER),
    of_qmail("192.0.2.25 does not like recipient.\nRemote host said: 553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)\nGiving up on 192.0.2.25.", LATER),
    opensmtpd("550 5.1.1 no such user", "5.1.1", GONE),
    opensmtpd("Domain does not exist", "5.0.0", BAD),
    dragonfly("550 5.1.1 <ann@example.org>: Recipient address rejected: User unknown.", GONE),
    workmail("550 5.1.1 <ann@example.org>... User Unknown", "5.1.1", GONE),
    of_ses("5.1.0", "smtp; 5.1.0 - Unknown address error 550-'5.2.2 <ann@example.org>... Mailbox Full' (delivery attempts: 0)", FULL),
    of_ses("5.0.0", "smtp; 554 Message rejected: Email address is not verified. The following identities failed the check in region EU-WEST-1", LATER),
    by_postfix("Cisco IronPort", "550 #5.1.0 Address rejected.", BAD, "5.1.0"),
    by_postfix("Cisco IronPort", "550 Too many invalid recipients this hour", LATER),
    by_postfix("Lotus Domino", "554 User ann (ann@example.org) not listed in Domino Directory", GONE),
    by_postfix("Orange", "550 5.1.1 Adresse d au moins un destinataire invalide. Invalid recipient. OFR_416 [416]", GONE, "5.1.1"),
    by_postfix("LaPoste", "550 5.5.0 Service refuse. Veuillez essayer plus tard. service refused, please try later. LPN007_510", LATER, "5.5.0"),
    by_postfix("Libero", "550 5.1.1 <ann@example.org> recipient rejected", GONE, "5.1.1"),
    by_postfix("IONOS", "550 Requested action not taken: mailbox unavailable invalid DNS MX or A/AAAA resource record. For explanation visit", LATER),
    by_postfix("a challenge", "550 5.7.1 Recipient accepts messages only from senders who confirm that they are human: https://challenge.example.org", LATER, "5.7.1"),
    by_postfix("an administrator", "552 5.3.4 Message size exceeds fixed limit", SIZE, "5.3.4"),
    by_postfix("a filter", "552 5.7.0 This message was blocked because its content presents a potential security issue", CONTENT, "5.7.0"),
    by_postfix("a server without a null reason", "550 5.7.27 Domain example.org does not accept mail", GONE, "5.7.27"),
    of_exchange("5.2.0", "554 5.2.0 STOREDRV.Deliver.Exception:AccountDisabledException.MapiExceptionAccountDisabled; Failed to process message due to a permanent exception", LATER),
    of_exchange("5.1.351", "550 5.1.351 Remote server returned unknown recipient or mailbox unavailable -> 550 Requested action not taken", UNCLEAR),
    of_exchange("5.1.351", "550 5.1.351 Remote server returned unknown recipient or mailbox unavailable -> 550 5.1.1 User unknown", GONE),
    by_postfix("Docomo", "550 Unknown user ann@docomo.example", GONE),
    after_message("Docomo", "550 Unknown user ann@docomo.example", BAD),
    exim_in_text("Docomo, text", "550 Unknown user ann@docomo.example", BAD, "after end of data:"),
    after_message("a server that looks later", "550 5.1.1 no such user", GONE, "5.1.1"),
    by_postfix("a blocklist beside", "550 5.1.1 <ann@example.org> User unknown; rejecting (your IP 192.0.2.1)", LATER, "5.1.1"),
    by_postfix("CommuniGate", "551 ann@example.org we do not relay", LATER),
    by_postfix("Google Groups", "550-5.7.1 We're writing to let you know that the group you tried to contact (team) may not exist, or you may not have permission to post messages to the group.", LATER, "5.7.1"),
    by_postfix("a probe", "550 5.1.1 <ann@example.org>: Recipient address rejected: unverified address: Address verification in progress", LATER, "5.1.1"),
    by_postfix("a probe", "550 5.1.1 <ann@example.org>: Recipient address rejected: undeliverable address: host mx.example.org[192.0.2.9] said: 550 5.1.1 user unknown", GONE, "5.1.1"),
    by_postfix("a directory", "550 5.1.1 LDAP directory unavailable, user not found", LATER, "5.1.1"),
    by_postfix("a hoster", "550 5.2.1 Service to this account is suspended for non-payment", BAD, "5.2.1"),
    by_postfix("a hoster", "550 5.2.1 This mailbox is closed", GONE, "5.2.1"),
]  # fmt: skip
