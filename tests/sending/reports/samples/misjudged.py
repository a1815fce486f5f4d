"""Reports that were judged wrongly once, as they came: of a mail with OURS to ADA.

The names begin with what the mistake did: s suppressed a living person, p kept mail from one, m was missed, and h was
taken for something else.
"""

from tests.sending.reports.samples import mail, report

OURS, ADA = "<0f0f0f0f0f0f4f0f8f0f0f0f0f0f0f0f@sender.example>", "ada@rcpt.example"
RETURNED = f"Message-ID: {OURS}\nFrom: news@sender.example\nTo: {ADA}\nSubject: Hello\n\nHi\n"


def dsn(status: str, diagnostic: str, action: str = "failed", text: str = "Not delivered.") -> bytes:
    head = (
        "From: MAILER-DAEMON@relay.example (Mail Delivery System)\nSubject: Undelivered\nAuto-Submitted: auto-replied"
    )
    group = f"Final-Recipient: rfc822; {ADA}\nAction: {action}\nStatus: {status}\n{diagnostic and f'Diagnostic-Code: smtp; {diagnostic}'}\n"
    fields = f"Reporting-MTA: dns; relay.example\n\n{group}"
    return report(head, ("text/plain", text), ("message/delivery-status", fields), ("message/rfc822", RETURNED))


def prose(sender: str, text: str) -> bytes:
    return mail(f"From: {sender}\nTo: news@sender.example\nSubject: Mail delivery failed\n\n{text}{RETURNED}")


MISJUDGED = {
    "h1-571-no-such-user": dsn("5.7.1", "550 5.7.1 No such user c18si2365148hub"),
    "h3-500-user-unknown": dsn("5.0.0", "550 <ada@rcpt.example>: User unknown"),
    "h5-yahoo-doesnt-have": dsn("5.0.0", "554 delivery error: dd This user doesn't have a yahoo.com account (ada@rcpt.example) [0]"),
    "m1-yahoo": prose(
        "MAILER-DAEMON@yahoo.com",
        "Sorry, we were unable to deliver your message to the following address.\n\n<ada@rcpt.example>:\n550: 5.1.1 <ada@rcpt.example>... User Unknown\n\n--- Below this line is a copy of the message.\n\n",
    ),
    "m13-hotmail-jmrp": report(
        "From: staff@hotmail.example\nTo: abuse@sender.example\nSubject: complaint about message from 192.0.2.7",
        ("message/rfc822\nContent-Disposition: inline", f"X-HmXmrOriginalRecipient: {ADA}\n{RETURNED}"),
    ).replace(b"multipart/report", b"multipart/mixed"),
    "m2-zoho": prose(
        "mailer-daemon@mail.zoho.example",
        "This message was created automatically by mail delivery software.\nA message that you sent could not be delivered to one or more of its recipients. This is a permanent error.\n\nada@rcpt.example Invalid Address, ERROR_CODE :550, ERROR_CODE :5.1.1 <ada@rcpt.example>... User Unknown\n\n\nReceived:from mail.zoho.example\n",
    ),
    "m4-exim-no-status": prose(
        "Mail Delivery System <Mailer-Daemon@relay.example>\nX-Failed-Recipients: ada@rcpt.example",
        "This message was created automatically by mail delivery software.\n\nA message that you sent could not be delivered to one or more of its\nrecipients. This is a permanent error. The following address(es) failed:\n\n  ada@rcpt.example\n    host mx.rcpt.example [192.0.2.9]\n    SMTP error from remote mail server after RCPT TO:<ada@rcpt.example>:\n    550 <ada@rcpt.example>: User unknown\n\n------ This is a copy of the message, including all the headers. ------\n\n",
    ),
    "m5-exo-text-only": prose(
        "postmaster@tenant.onmicrosoft.example",
        "Delivery has failed to these recipients or groups:\n\nada@rcpt.example<mailto:ada@rcpt.example>\nThe email address you entered couldn't be found.\n\nDiagnostic information for administrators:\n\nGenerating server: S1.prod.outlook.example\n\nada@rcpt.example\nRemote Server returned '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup'\n\nOriginal message headers:\n\n",
    ),
    "m7-opensmtpd-action-error": dsn("5.1.1", "", "error", f"Not delivered.\n{ADA}: 550 5.1.1 no such user"),
    "m9-dragonfly": prose(
        "MAILER-DAEMON <>",
        "This is the DragonFly Mail Agent v0.13 at relay.example.\n\nThere was an error delivering your mail to <ada@rcpt.example>.\n\nmx.rcpt.example [192.0.2.9] did not like our RCPT TO:\n550 5.1.1 <ada@rcpt.example>: Recipient address rejected: User unknown.\n\nMessage headers follow.\n\n",
    ),
    "p1-exo-message-expired": dsn("5.4.316", "550 5.4.316 Message expired, connection refused(Socket error code 10061)"),
    "p11-mimecast-policy": dsn("5.0.0", "554 email rejected due to security policies - MCSpamSignature.sa.5.6"),
    "p13-too-many-recipients": dsn("5.0.0", "552 Too many recipients"),
    "p14-web.de-full": dsn("5.0.0", "550 <ada@rcpt.example> Benutzer hat zuviele Mails auf dem Server. / User has too many messages on the server."),
    "p16-ses-wrapped-full": dsn("5.1.0", "5.1.0 - Unknown address error 550-'5.2.2 <ada@rcpt.example>... Mailbox Full' (delivery attempts: 0)"),
    "p19-relaying": dsn("5.0.0", "550 <ada@rcpt.example>... Relaying denied"),
    "p4-spam-500": dsn("5.0.0", "551 5.0.0 This message was classified as spam"),
    "p6-spf-510": dsn("5.1.0", "550 5.1.0 192.0.2.7 is not allowed to send from <sender.example> per it's SPF Record. Please inspect your SPF settings"),
    "p9-ses-sandbox": dsn("5.0.0", "554 Message rejected: Email address is not verified. The following identities failed the check in region EU-WEST-1: news@sender.example"),
    "s1-gmail-receiving-rate": dsn("5.2.1", "550-5.2.1 The user you are trying to contact is receiving mail at a rate that\n    550-5.2.1 prevents additional messages from being delivered. For more\n    550 5.2.1 information, visit https://support.google.com/mail/?p=ReceivingRatePerm"),
    "s3-511-but-552-522-over-quota": dsn("5.1.1", "552 5.2.2 Over quota"),
}  # fmt: skip
