"""A message that the API of a fake provider has taken."""

import email
import email.policy
from dataclasses import dataclass
from email.message import EmailMessage


@dataclass
class Sent:
    """A message that was taken: `raw` as it came, `delivered` as recipients see it."""

    id: str
    user: str
    raw: bytes
    path: str

    @property
    def message(self) -> EmailMessage:
        """The message as it came, parsed."""
        return email.message_from_bytes(self.raw, policy=email.policy.default)

    @property
    def recipients(self) -> list[str]:
        """Whom the provider sends it to: everyone in To, Cc and Bcc, once."""
        fields = [self.message[name] for name in ("To", "Cc", "Bcc") if self.message[name]]
        return list(dict.fromkeys(address.addr_spec for one in fields for address in one.addresses))

    @property
    def delivered(self) -> EmailMessage:
        """The message without Bcc."""
        message = self.message
        del message["Bcc"]
        return message
