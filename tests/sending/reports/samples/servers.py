"""Postfix, Exim, Sendmail and qmail."""

from tests.sending.reports.samples import ANN, BOB, OURS, RETURNED, Right, Sample, mail, no_email, report
from webapp.sending.reports.parse import Kind

POSTFIX = """
    From: MAILER-DAEMON@mx.example.com (Mail Delivery System)
    Subject: Undelivered Mail Returned to Sender
    To: bounces+7f3a@example.com
    Auto-Submitted: auto-replied
    Message-Id: <20261005100001.3C0F04200D@mx.example.com>
    """
POSTFIX_TEXT = """
    This is the mail system at host mx.example.com.

    I'm sorry to have to inform you that your message could not
    be delivered to one or more recipients. It's attached below.

                       The mail system
    """


def postfix(groups: str, returned: str = "message/rfc822", status: str = "message/delivery-status") -> bytes:
    fields = f"Reporting-MTA: dns; mx.example.com\n\n{dedented(groups)}"
    return report(
        POSTFIX,
        ("text/plain; charset=us-ascii\nContent-Description: Notification", POSTFIX_TEXT),
        (f"{status}\nContent-Description: Delivery report", fields),
        (f"{returned}\nContent-Description: Undelivered Message", RETURNED),
        boundary="3C0F04200D.1759658401/mx.example.com",
    )


def dedented(text: str) -> str:
    return "\n".join(line.strip(" ") for line in text.strip().split("\n")) + "\n"


def postfix_group(address: str, status: str, diagnostic: str, action: str = "failed") -> str:
    return f"""
        Final-Recipient: rfc822; {address}
        Original-Recipient: rfc822;{address}
        Action: {action}
        Status: {status}
        Diagnostic-Code: {diagnostic}

        """


EXIM = f"""
    X-Failed-Recipients: {ANN}
    Auto-Submitted: auto-replied
    From: Mail Delivery System <Mailer-Daemon@mail.example.com>
    To: news@example.com
    References: {OURS}
    Subject: Mail delivery failed: returning message to sender
    Message-Id: <E1sv0xY-0001aB-2c@mail.example.com>
    """
EXIM_TEXT = """
    This message was created automatically by mail delivery software.

    A message that you sent could not be delivered to one or more of its
    recipients. This is a permanent error. The following address(es) failed:
    """


def exim(diagnostic: str, status: str = "5.0.0") -> bytes:
    fields = f"""
        Reporting-MTA: dns; mail.example.com

        Action: failed
        Final-Recipient: rfc822;{ANN}
        Status: {status}
        Diagnostic-Code: smtp; {diagnostic}
        """
    return report(
        EXIM,
        ("text/plain; charset=us-ascii", EXIM_TEXT + f"\n  {ANN}\n    host mx.example.org: {diagnostic}\n"),
        ("message/delivery-status", dedented(fields)),
        ("message/rfc822", RETURNED),
        boundary="1759658401-eximdsn-1804289383",
        end="\n",
        field="Content-type",
    )


EXIM_OF_OLD = f"""
    From: Mail Delivery System <Mailer-Daemon@mail.example.com>
    To: news@example.com
    Subject: Mail delivery failed: returning message to sender
    X-Failed-Recipients: {ANN},
      {BOB}

    This message was created automatically by mail delivery software.

    A message that you sent could not be delivered to one or more of its
    recipients. This is a permanent error. The following address(es) failed:

      {ANN}
        SMTP error from remote mail server after RCPT TO:<{ANN}>:
        host mx.example.org [192.0.2.25]: 550 5.1.1 <{ANN}>:
        Recipient address rejected: User unknown in virtual mailbox table
      {BOB}
        SMTP error from remote mail server after end of data:
        host mx.example.net [192.0.2.26]: 552 5.3.4 Message size exceeds fixed limit

    ------ This is a copy of the message, including all the headers. ------

    Message-ID: {OURS}
    Subject: What 550 5.7.1 means

    Dear Ann, ...
    """
SENDMAIL = """
    From: Mail Delivery Subsystem <MAILER-DAEMON@mail.example.com>
    Message-Id: <202610051000.495A01Kx012345@mail.example.com>
    To: <news@example.com>
    Subject: Returned mail: see transcript for details
    Auto-Submitted: auto-generated (failure)
    """


def sendmail(status: str, diagnostic: str) -> bytes:
    text = f"""
        The original message was received at Mon, 5 Oct 2026 10:00:00 GMT
        from sender.example.com [192.0.2.1]

           ----- The following addresses had permanent fatal errors -----
        <{ANN}>
            (reason: {diagnostic})

           ----- Transcript of session follows -----
        ... while talking to mx.example.org.:
        >>> DATA
        """
    fields = f"""
        Reporting-MTA: dns; mail.example.com

        Original-Recipient: rfc822;{ANN}
        Final-Recipient: RFC822; {ANN}
        Action: failed
        Status: {status}
        Diagnostic-Code: SMTP; {diagnostic}
        """
    head, end = SENDMAIL, "495A01Kx012345.1759658401/mail.example.com"
    parts = [("\nContent-Type: text/plain", text), ("message/delivery-status", dedented(fields))]
    return report(head, *parts, ("text/rfc822-headers", RETURNED), boundary=end)


def qmail(recipients: str) -> bytes:
    text = """
        From: MAILER-DAEMON@qmail.example.com
        To: news@example.com
        Subject: failure notice

        Hi. This is the qmail-send program at qmail.example.com.
        I'm afraid I wasn't able to deliver your message to the following addresses.
        This is a permanent error; I've given up. Sorry it didn't work out.

        """
    after = f"""
        --- Below this line is a copy of the message.

        Message-ID: {OURS}
        Subject: Our offers of October

        <{BOB}>:
        #5.1.1 is what one of your customers wrote.
        """
    return mail(dedented(text) + "\n" + dedented(recipients) + "\n" + dedented(after), end="\n")


REPORTS = [
    Sample(
        "Postfix: unknown user",
        postfix(postfix_group(ANN, "5.1.1", "smtp; 550 5.1.1 <ann@example.org>: Recipient address rejected: User\n\tunknown")),
        [no_email(ANN, original=ANN)],
    ),
    Sample(
        "Postfix: no such domain, of which a resolver may be guilty",
        postfix(postfix_group(ANN, "5.4.4", "X-Postfix; Host or domain name not found. Name service error for name=example.org")),
        [Right(ANN, "5.4.4", "Permanent", "General", original=ANN)],
    ),
    Sample(
        "Postfix: too large",
        postfix(postfix_group(ANN, "5.3.4", "smtp; 552 5.3.4 Message size exceeds fixed limit"), "text/rfc822-headers"),
        [Right(ANN, "5.3.4", "Transient", "MessageTooLarge", original=ANN)],
    ),
    Sample(
        "Postfix: two recipients, one of them refused by policy",
        postfix(
            postfix_group(ANN, "5.1.1", "smtp; 550 5.1.1 User unknown")
            + postfix_group(BOB, "5.7.1", "smtp; 554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org")
        ),
        [no_email(ANN, original=ANN), Right(BOB, "5.7.1", "Transient", "General", blames_sender=True, original=BOB)],
    ),
    Sample(
        "Postfix: an address beyond ASCII (RFC 6533)",
        postfix(
            "Final-Recipient: utf-8; j\\x{F6}rg@example.org\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 unknown",
            "message/global-headers",
            "message/global-delivery-status",
        ),
        [no_email("jörg@example.org")],
    ),
    Sample(
        "Postfix: delivered, as was asked for",
        postfix(postfix_group(ANN, "2.0.0", "smtp; 250 2.0.0 Ok: queued as 4Zx1", action="delivered")),
        [Right(ANN, kind=Kind.DELIVERED, original=ANN)],
    ),
    Sample("Exim: the status is in the diagnostic alone", exim(f"550 5.1.1 <{ANN}>: User unknown"), [no_email(ANN)]),
    Sample("Exim: no status at all", exim("550 User unknown"), [no_email(ANN, "5.0.0")]),
    Sample(
        "Exim of old: two recipients in prose",
        mail(EXIM_OF_OLD, end="\n"),
        [no_email(ANN), Right(BOB, "5.3.4", "Transient", "MessageTooLarge")],
    ),
    Sample(
        "Sendmail: a block list, which it reports as an unknown user",
        sendmail("5.1.1", "550 Mail from 192.0.2.1 blocked, see https://www.spamhaus.org/query/ip/192.0.2.1"),
        [Right(ANN, "5.1.1", "Transient", "General", blames_sender=True, original=ANN)],
    ),
    Sample("qmail: unknown user", qmail(f"<{ANN}>:\nSorry, no mailbox here by that name. (#5.1.1)\n"), [no_email(ANN)]),
    Sample(
        "qmail: two recipients",
        qmail(f"<{ANN}>:\nSorry, I couldn't find any host named example.org. (#5.1.2)\n\n<{BOB}>:\nMailbox over quota. (#5.2.2)\n"),
        [no_email(ANN, "5.1.2"), Right(BOB, "5.2.2", "Transient", "MailboxFull")],
    ),
    Sample("qmail: no status", qmail(f"<{ANN}>:\nRemote host said: 550 User unknown\n"), [no_email(ANN, "")]),
]  # fmt: skip
