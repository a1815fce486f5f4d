"""Exchange, Microsoft 365, Gmail, Yahoo and Amazon SES, and the complaints that mailbox providers pass on."""

from tests.sending.reports.samples import ANN, OURS, RETURNED, Right, Sample, mail, no_email, report
from tests.sending.reports.samples.servers import dedented
from webapp.sending.reports.parse import Kind

EXCHANGE = f"""
    From: <postmaster@corp.example.org>
    To: <news@example.com>
    Message-ID: <9f2e@EX01.corp.example.org>
    In-Reply-To: {OURS}
    References: {OURS}
    Subject: =?utf-8?B?VW56dXN0ZWxsYmFyOiBPdXIgb2ZmZXJz?=
    Auto-Submitted: auto-replied
    """
EXCHANGE_TEXT = """
    --=_inner
    Content-Type: text/plain; charset="us-ascii"

    Your message to ann@example.org couldn't be delivered.

    --=_inner
    Content-Type: text/html; charset="us-ascii"
    Content-Transfer-Encoding: base64

    PGh0bWw+PGJvZHk+RXM8L2JvZHk+PC9odG1sPg==

    --=_inner--
    """


def exchange(
    status: str, diagnostic: str, reporter: str = "dns;EX01.corp.example.org", returned: str = RETURNED
) -> bytes:
    fields = f"""
        Reporting-MTA: {reporter}

        Final-Recipient: rfc822;{ANN}
        Action: failed
        Status: {status}
        Diagnostic-Code: smtp;{diagnostic}
        """
    return report(
        EXCHANGE,
        ('multipart/alternative; differences=Content-Type;\n boundary="=_inner"', EXCHANGE_TEXT),
        ("message/delivery-status", dedented(fields)),
        ("message/rfc822", returned),
        boundary="_000_9f2e_",
    )


GMAIL = f"""
    From: Mail Delivery Subsystem <mailer-daemon@googlemail.com>
    To: news@example.com
    Auto-Submitted: auto-replied
    Subject: Delivery Status Notification (Failure)
    References: {OURS}
    In-Reply-To: {OURS}
    X-Failed-Recipients: {ANN}
    Message-ID: <68e2.1c0a@mx.google.com>
    """


def gmail(status: str, diagnostic: str) -> bytes:
    fields = f"""
        Reporting-MTA: dns; googlemail.com
        X-Original-Message-ID: {OURS}

        Final-Recipient: rfc822; {ANN}
        Action: failed
        Status: {status}
        Diagnostic-Code: smtp; {diagnostic}
        """
    return report(
        GMAIL,
        ('multipart/related; boundary="=_inner"', EXCHANGE_TEXT),
        ("message/delivery-status", dedented(fields)),
        ("message/rfc822", RETURNED),
        boundary="000000000000c6f3b60640a1b2c3",
    )


GMAIL_OF_OLD = f"""
    From: Mail Delivery Subsystem <mailer-daemon@googlemail.com>
    To: news@example.com
    Subject: Delivery Status Notification (Failure)
    X-Failed-Recipients: {ANN}
    Content-Type: text/plain; charset=ISO-8859-1

    Delivery to the following recipient failed permanently:

         {ANN}

    Technical details of permanent failure:
    Google tried to deliver your message, but it was rejected by the server for the recipient domain.

    The error that the other server returned was:
    550 550 5.1.1 <{ANN}>: Recipient address rejected: User unknown (state 13).

    ----- Original message -----

    From: News <news@example.com>
    Message-ID: {OURS}
    Subject: Our offers of October
    """
YAHOO = """
    From: mailer-daemon@yahoo.com
    To: news@example.com
    Subject: Failure Notice
    """


def yahoo(status: str, diagnostic: str) -> bytes:
    fields = f"""
        Reporting-MTA: dns; sonic305.mail.example
        Final-Recipient: rfc822;{ANN}
        Action: failed
        Status: {status}
        Diagnostic-Code: smtp;{diagnostic}
        """
    text = f"Sorry, we were unable to deliver your message to the following address.\n\n<{ANN}>:\n{diagnostic}\n"
    return report(
        YAHOO,
        ("text/plain; charset=UTF-8", text),
        ("message/delivery-status", dedented(fields)),  # no line between the fields of the message and the recipient's
        ("message/rfc822", RETURNED),
    )


YAHOO_OF_OLD = f"""
    From: MAILER-DAEMON@yahoo.com
    To: news@example.com
    Subject: Failure Notice

    Sorry, we were unable to deliver your message to the following address.

    <{ANN}>:
    Remote host said: 554 5.6.0 The attached file has a forbidden file type. [BODY]

    --- Below this line is a copy of the message.

    Message-ID: {OURS}
    """
SES = """
    From: MAILER-DAEMON@amazonses.com
    To: news@example.com
    Subject: Delivery Status Notification (Failure)
    Message-ID: <0100019b-1c2d@email.amazonses.com>
    """


def ses(status: str, diagnostic: str) -> bytes:
    fields = f"""
        Reporting-MTA: dns; a8-50.smtp-out.amazonses.com

        Action: failed
        Final-Recipient: rfc822; {ANN}
        Diagnostic-Code: {diagnostic}
        Status: {status}
        """
    return report(
        SES,
        (
            "text/plain; charset=us-ascii\nContent-Transfer-Encoding: 7bit",
            "An error occurred while trying to deliver the mail.",
        ),
        ("message/delivery-status\nContent-Transfer-Encoding: 7bit", dedented(fields)),
        ("message/rfc822\nContent-Transfer-Encoding: 7bit", RETURNED),
    )


def complaint(head: str, fields: str, returned: str = RETURNED) -> bytes:
    return report(
        head,
        ("text/plain; charset=US-ASCII\nContent-Transfer-Encoding: 7bit", "This is an email abuse report."),
        ("message/feedback-report", dedented(fields)),
        ("message/rfc822\nContent-Disposition: inline", returned),
        kind="feedback-report",
    )


YAHOO_FEEDBACK = """
    From: "Yahoo! Mail AntiSpam Feedback" <feedback@arf.mail.yahoo.com>
    To: abuse@example.com
    Subject: FW: Our offers of October
    """
MICROSOFT_FEEDBACK = """
    From: <staff@hotmail.com>
    To: <abuse@example.com>
    Subject: complaint about message from 192.0.2.1
    """
WITHHELD = RETURNED.replace(f"To: Ann <{ANN}>", "To: Redacted")

REPORTS = [
    Sample("Exchange: unknown user", exchange("5.1.1", "550 5.1.1 RESOLVER.ADR.RecipNotFound; not found"), [no_email(ANN)]),
    Sample(
        "Exchange: a rule about attachments",
        exchange("5.7.1", "550 5.7.1 TRANSPORT.RULES.RejectMessage; the message was rejected because of its attachment"),
        [Right(ANN, "5.7.1", "Transient", "AttachmentRejected", blames_sender=True)],
    ),
    Sample(
        "Microsoft 365: taken for spam",
        exchange("5.7.511", "550 5.7.511 Message rejected: its content was taken for spam", "dns;AS8PR03MB1234"),
        [Right(ANN, "5.7.511", "Transient", "ContentRejected", blames_sender=True)],
    ),
    Sample(
        "Microsoft 365: the sender's own quota, with the status of a full mailbox",
        exchange("5.2.2", "554 5.2.2 mailbox full; Submission quota exceeded for the sender", "dns;AS8PR03MB1234"),
        [Right(ANN, "5.2.2", "Transient", "General", blames_sender=True)],
    ),
    Sample(
        "Gmail: unknown user",
        gmail("5.1.1", "550-5.1.1 The email account that you tried to reach does not exist.\n\t550-5.1.1 Please try double-checking."),
        [no_email(ANN)],
    ),
    Sample("Gmail of old: prose", mail(GMAIL_OF_OLD), [no_email(ANN)]),
    Sample(
        "Yahoo: no account, without a status of its own",
        yahoo("5.0.0", "554 delivery error: dd This user doesn't have an account (ann@example.org) [0] - mta4001"),
        [no_email(ANN, "5.0.0")],
    ),
    Sample("Yahoo of old: prose", mail(YAHOO_OF_OLD), [Right(ANN, "5.6.0", "Transient", "AttachmentRejected")]),
    Sample(
        "Amazon SES: on its suppression list",
        ses("5.1.1", "Amazon SES has suppressed sending to this address because it has a recent history of bouncing."),
        [Right(ANN, "5.1.1", "Permanent", "Suppressed", suppresses=True)],
    ),
    Sample(
        "Yahoo: a complaint",
        complaint(
            YAHOO_FEEDBACK,
            f"""
            Feedback-Type: abuse
            User-Agent: Yahoo!-Mail-Feedback/2.0
            Version: 0.1
            Original-Mail-From: <bounces+7f3a@example.com>
            Original-Rcpt-To: <{ANN}>
            """,
        ),
        [Right(ANN, kind=Kind.COMPLAINT, feedback="abuse")],
    ),
    Sample(
        "Microsoft: a complaint that withholds the recipient",
        complaint(MICROSOFT_FEEDBACK, "Feedback-Type: abuse\nUser-Agent: JMRP/2.0\nVersion: 1\nSource-IP: 192.0.2.1", WITHHELD),
        [Right(None, kind=Kind.COMPLAINT, feedback="abuse")],
    ),
    Sample(
        "Hotmail: a complaint without a feedback report, by its own field",
        report(
            "From: staff@hotmail.com\nTo: abuse@example.com\nSubject: complaint about message from 192.0.2.7",
            ("message/rfc822\nContent-Disposition: inline", f"X-HmXmrOriginalRecipient: {ANN}\n{dedented(RETURNED)}"),
        ).replace(b"multipart/report", b"multipart/mixed"),
        [Right(ANN, kind=Kind.COMPLAINT, feedback="abuse")],
    ),
    Sample(
        "Fraud, of a recipient whom the returned message alone names",
        complaint(YAHOO_FEEDBACK, "Feedback-Type: fraud\nUser-Agent: SomeGenerator/1.0\nVersion: 1"),
        [Right(ANN, kind=Kind.COMPLAINT, feedback="fraud")],
    ),
]  # fmt: skip
