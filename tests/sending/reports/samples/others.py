"""Messages that are no reports, however much some of them resemble one, and reports that change nothing."""

from tests.sending.reports.samples import ANN, OURS, RETURNED, Sample, mail, report
from tests.sending.reports.samples.providers import YAHOO_FEEDBACK, complaint
from tests.sending.reports.samples.servers import EXIM, POSTFIX, dedented, postfix, postfix_group, qmail


def forwarded() -> bytes:
    attached = qmail(f"<{ANN}>:\nSorry, no mailbox here by that name. (#5.1.1)\n").decode()
    head = "From: Bob <bob@example.com>\nSubject: Fwd: failure notice\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x"
    return f"{head}\n\n--x\n\nWhat is this?\n--x\nContent-Type: message/rfc822\n\n{attached}\n--x--\n".encode()


NO_REPORTS = [
    Sample(
        "out of office",
        mail(f"""
            From: Ann <{ANN}>
            To: news@example.com
            Subject: Automatic reply: Our offers of October
            Auto-Submitted: auto-generated
            X-Auto-Response-Suppress: All
            In-Reply-To: {OURS}

            I am out of the office until 12 October. If it is urgent, call 550 5.1.1.
            """),
        [],
    ),
    Sample(
        "has left the company",
        mail(f"""
            From: Ann <{ANN}>
            Auto-Submitted: auto-replied
            In-Reply-To: {OURS}
            Subject: Ann has left the company

            {ANN} has left the company, her mailbox is no longer in use. Please write to bob@example.org.
            """),
        [],
    ),
    Sample(
        "the same, of a postmaster who names no status",
        mail(f"""
            From: Postmaster <postmaster@example.org>
            Subject: Undeliverable: Our offers of October
            In-Reply-To: {OURS}

            <{ANN}>:
            This mailbox does not exist any more. We use version 5.1.1 of our mail system.
            """),
        [],
    ),
    Sample(
        "a reply that quotes a report",
        mail(f"""
            From: Bob <bob@example.net>
            In-Reply-To: <E1sv0xY-0001aB-2c@mail.example.com>
            Subject: Re: Mail delivery failed

            > <{ANN}>:
            > 550 5.1.1 User unknown

            <{ANN}>:
            550 5.1.1 User unknown
            That is what I got. What shall I do?
            """),
        [],
    ),
    Sample("a report that somebody forwards", forwarded(), []),
    Sample(
        "a newsletter about bounces",
        mail("""
            From: Deliverability Weekly <weekly@example.net>
            List-Unsubscribe: <https://example.net/u>
            Subject: 550 5.1.1 and other friends
            Content-Type: text/html

            <p>Final-Recipient: rfc822; ann@example.org<br>Action: failed<br>Status: 5.1.1</p>
            """),
        [],
    ),
    Sample(
        "a read receipt (RFC 8098)",
        report(
            f"From: Ann <{ANN}>\nSubject: Read: Our offers",
            ("text/plain", "Your message was read."),
            (
                "message/disposition-notification",
                f"Final-Recipient: rfc822;{ANN}\nOriginal-Message-ID: {OURS}\nDisposition: manual-action/MDN-sent-manually; displayed\n",
            ),
            kind="disposition-notification",
        ),
        [],
    ),
    Sample(
        "a mailer that asks for confirmation",
        mail(f"""
            From: Mailer-Daemon <mailer-daemon@example.org>
            Subject: Please confirm your message
            In-Reply-To: {OURS}

            {ANN} accepts mail after a click: https://example.org/confirm/5.1.1
            """),
        [],
    ),
]

NOTHING_HAPPENED = [
    Sample("a delay", postfix(postfix_group(ANN, "4.4.1", "smtp; 451 4.4.1 try later", action="delayed")), []),
    Sample("Exim's delay", mail(EXIM.replace("X-Failed-Recipients", "X-Other") + f"\n    Message {OURS} to {ANN} is delayed: 451 4.4.1.\n"), []),
    Sample("an expanded list", postfix(postfix_group(ANN, "2.0.0", "smtp; 250 ok", action="expanded")), []),
    Sample("a recipient that is no address", postfix(postfix_group("ann", "5.1.1", "smtp; 550 5.1.1 no")), []),
    Sample("not spam", complaint(YAHOO_FEEDBACK, f"Feedback-Type: not-spam\nVersion: 1\nOriginal-Rcpt-To: {ANN}"), []),
    Sample("a failed signature (RFC 6591)", complaint(YAHOO_FEEDBACK, "Feedback-Type: auth-failure\nVersion: 1\nAuth-Failure: dkim"), []),
    Sample("a report without its machine part", report(POSTFIX, ("text/plain", "Sorry."), ("message/rfc822", RETURNED)), []),
    Sample("an empty machine part", report(POSTFIX, ("message/delivery-status", dedented("\n")), ("message/rfc822", RETURNED)), []),
]  # fmt: skip
