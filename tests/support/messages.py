"""Reading what arrived, with the standard library's parser."""

import email
import email.policy
from email.message import EmailMessage


def parsed(content: bytes) -> EmailMessage:
    """The message in `content`."""
    return email.message_from_bytes(content, policy=email.policy.default)


def part(message: EmailMessage, kind: str) -> str:
    """The body of one kind, `plain` or `html`, without the white space around it."""
    body = message.get_body((kind,))
    assert body is not None, f"there is no {kind}"
    content: str = body.get_content()
    return content.strip()
