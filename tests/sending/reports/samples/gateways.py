"""What further servers, gateways and networks say when they refuse, after their documents; see `systems`."""

from tests.sending.reports.samples import ANN
from tests.sending.reports.samples.servers import postfix, postfix_group
from tests.sending.reports.samples.systems import (
    BAD,
    CONTENT,
    FULL,
    GONE,
    LATER,
    UNCLEAR,
    Said,
    by_postfix,
    exim_in_text,
    of_exchange,
)


def after_message(system: str, text: str, verdict: tuple[str, str], status: str = "5.0.0") -> Said:
    """Postfix's report of a message that was refused at its end, as it says in its text alone."""
    message = postfix(postfix_group(ANN, status, f"smtp; {text}"))
    words = f"<{ANN}>: host mx.example.org[192.0.2.9] said: {text} (in reply to end of\n    DATA command)\n"
    return Said(system, text, verdict, message.replace(b"The mail system\r\n", b"The mail system\r\n" + words.encode()))


MORE_SAID = [
    of_exchange("5.2.0", "554 5.2.0 STOREDRV.Deliver.Exception:AccountDisabledException.MapiExceptionAccountDisabled; Failed to process message due to a permanent exception", LATER),
    of_exchange("5.2.1", "554 5.2.1 STOREDRV.Deliver.Exception:AccountDisabledException; account is disabled", LATER),
    of_exchange("5.2.0", "554 5.2.0 STOREDRV.Deliver.Exception:MailboxUnavailableException.MapiExceptionUnknownUser", LATER),
    of_exchange("5.1.351", "550 5.1.351 Remote server returned unknown recipient or mailbox unavailable -> 550 Requested action not taken", UNCLEAR),
    of_exchange("5.1.351", "550 5.1.351 Remote server returned unknown recipient or mailbox unavailable -> 550 5.1.1 User unknown", GONE),
    of_exchange("5.2.121", "550 5.2.121 Recipient's per hour message receive limit from specific sender exceeded", LATER),
    by_postfix("Comcast", "550 5.1.1 Not our Customer", GONE, "5.1.1"),
    by_postfix("Cox", "550 5.1.0 <news@example.com> sender rejected. Invalid reverse DNS IB510", LATER, "5.1.0"),
    by_postfix("AT&T", "553 5.3.0 flph829 DNSBL:RBL 521< 192.0.2.1 >_is_blocked. For assistance forward this error to abuse_rbl@abuse-att.net", LATER, "5.3.0"),
    by_postfix("Docomo", "550 Unknown user ann@docomo.example", GONE),
    after_message("Docomo", "550 Unknown user ann@docomo.example", BAD),
    exim_in_text("Docomo, text", "550 Unknown user ann@docomo.example", BAD, "after end of data:"),
    after_message("a server that looks later", "550 5.1.1 no such user", GONE, "5.1.1"),
    by_postfix("freenet", "550 inactive user", BAD),
    by_postfix("Aliyun", "554 Reject by behaviour spam at Rcpt State(Connection IP address:192.0.2.1)ANTISPAM_BAT", CONTENT),
    by_postfix("cPanel", '550 No Such User Here"', GONE),
    exim_in_text("cPanel, text", "550 Domain example.com has exceeded the max emails per hour (151/150 (100%)) allowed. Message discarded.", LATER),
    by_postfix("MDaemon", "550 <ann@example.org>, Recipient unknown", GONE),
    by_postfix("hMailServer", "550 Account is not active.", BAD),
    by_postfix("MailEnable", "550 Requested action not taken: mailbox unavailable or not local", BAD),
    by_postfix("IceWarp", "550 5.1.1 <ann@example.org>... User unknown; rejecting", GONE, "5.1.1"),
    by_postfix("a blocklist beside", "550 5.1.1 <ann@example.org> User unknown; rejecting (your IP 192.0.2.1)", LATER, "5.1.1"),
    by_postfix("CommuniGate", "550 ann@example.org unknown user account", GONE),
    by_postfix("CommuniGate", "551 ann@example.org we do not relay", LATER),
    by_postfix("Haraka", "550 I cannot deliver mail for {ann@example.org}", UNCLEAR),
    by_postfix("Oracle", "550 5.1.1 unknown or illegal alias: ann@example.org", GONE, "5.1.1"),
    by_postfix("MessageLabs", "550 Invalid recipient <ann@example.org> (#5.1.1)", GONE),
    by_postfix("MessageLabs", "553-SPF (Sender Policy Framework) domain authentication 553-fail. Refer to the Troubleshooting page at", LATER),
    by_postfix("SpamExperts", "550 A URL in this email (example.com) is listed on https://spamrl.example/. Please resolve and retry", LATER),
    by_postfix("Google Groups", "550-5.7.1 We're writing to let you know that the group you tried to contact (team) may not exist, or you may not have permission to post messages to the group.", LATER, "5.7.1"),
    by_postfix("GoDaddy", "550 Recipient not found. <http://x.example/irbounce>", GONE),
    by_postfix("Plesk", "554 5.2.2 <ann@example.org>: Recipient address rejected: mailbox is over quota", FULL, "5.2.2"),
    by_postfix("a probe", "550 5.1.1 <ann@example.org>: Recipient address rejected: unverified address: Address verification in progress", LATER, "5.1.1"),
    by_postfix("a probe", "550 5.1.1 <ann@example.org>: Recipient address rejected: undeliverable address: host mx.example.org[192.0.2.9] said: 550 5.1.1 user unknown", GONE, "5.1.1"),
    by_postfix("a directory", "550 5.1.1 LDAP directory unavailable, user not found", LATER, "5.1.1"),
    by_postfix("a hoster", "550 5.2.1 Service to this account is suspended for non-payment", BAD, "5.2.1"),
    by_postfix("a hoster", "550 5.1.1 Mailbox expired", BAD, "5.1.1"),
    by_postfix("a hoster", "550 5.2.1 This mailbox is closed", GONE, "5.2.1"),
]  # fmt: skip
