"""Words and advice for people on a failed account or delivery, shown only on pages."""

import re
from contextlib import suppress
from datetime import date

SUPPRESSION_REASONS = {
    "bounce": "Bounced",
    "complaint": "Reported as spam",
    "manual": "Added manually",
    "import": "Imported",
}
SUPPRESSED = re.compile(
    rf"(suppressed: (?:\S+, )?)({'|'.join(SUPPRESSION_REASONS)}) on ([0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}})"
)
# Our own texts in webapp/sending/smtp/connect.py and outcomes.py; no server's reply begins like them.
ADVICE = (
    (
        r".*(connect with Microsoft|reconnect the account|Microsoft 365 administrator)",
        "",
    ),  # the text already gives advice
    (r"could not connect to .* Check the host and port\b", "Some hosting providers block email ports until you ask."),
    (r"host \S+ not found", "Check the spelling of the host."),
    (r"host \S+ could not be looked up", "Check the DNS of the machine that runs Pennypost."),
    (r"\S+ rejected the login: 5", "Check the account's username and password, or reconnect it."),
    (
        r"the certificate of \S+ is not valid",
        "Enter the host name that the certificate is for, or renew the certificate.",
    ),
    (
        r"the password was|\S+ (does not offer STARTTLS|could not start TLS|ended the TLS|did not respond like)",
        "Check the port and encryption: 465 is usually for SSL/TLS, 587 for STARTTLS.",
    ),
    (r"\S+ (did not respond in time|closed the connection)", "If this continues, check the port and encryption."),
)


def advice_on(reason: str) -> str:
    """A sentence of advice, or an empty text."""
    return next((advice for pattern, advice in ADVICE if re.match(pattern, reason)), "")


def suppression_in_words(reason: str) -> str:
    """The reason with the words and days of pages if it is that of a suppressed address."""
    with suppress(ValueError):
        if known := SUPPRESSED.fullmatch(reason):
            before, why, day = known.groups()
            return f"{before}{SUPPRESSION_REASONS[why].lower()} on {date.fromisoformat(day):%-d %b %Y}"
    return reason
