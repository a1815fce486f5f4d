"""Request bodies about suppressions."""

import unicodedata
from contextlib import suppress
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, WithJsonSchema

from webapp.addresses import email_key, normalize, shown
from webapp.domain.inputs import Input, examples
from webapp.errors import ValidationError
from webapp.models.base import parse_id
from webapp.models.suppression import EVERYONE, domain_key

AT_ONCE = 100  # entries per batch
Reason = Literal["bounce", "complaint", "manual", "import"]


def normalize_entry(text: str) -> str:
    """A normalized address, or `*@` and a domain. Raises ValueError."""
    local, _, domain = text.rpartition("@")
    pattern = unicodedata.normalize("NFKC", shown(local))  # also maps full-width asterisks
    if EVERYONE not in pattern:
        return normalize(text)
    if pattern.strip(EVERYONE):
        raise ValueError("must be an email address, or *@ and a domain, like *@example.com; no other patterns")
    return domain_key(normalize(f"x@{domain}"))


def _id_or_entry(text: str) -> str:
    with suppress(ValueError):
        return str(parse_id(text))
    return normalize_entry(text)


SCHEMA = WithJsonSchema({"type": "string", "examples": ["ada@example.org"]})
Entry = Annotated[str, AfterValidator(normalize_entry), SCHEMA]
IdOrEntry = Annotated[str, AfterValidator(_id_or_entry), SCHEMA]


class NewSuppression(Input):
    """An address or a domain that gets no email any more."""

    model_config = examples({"email": "ada@example.org", "reason": "complaint"})

    email: Entry = Field(description="The email address, or `*@example.com` for everyone at this domain.")
    reason: Reason = Field(default="manual", description="Why it is suppressed.")


class SuppressionChanges(Input):
    """Entries to add and to remove, 100 in all."""

    model_config = examples({"add": ["ada@example.org", "*@example.com"], "remove": ["bob@example.org"]})

    add: Annotated[list[Entry], Field(max_length=AT_ONCE)] = Field(
        default_factory=list, description="Email addresses and domains to add."
    )
    remove: Annotated[list[IdOrEntry], Field(max_length=AT_ONCE)] = Field(
        default_factory=list, description="Entries to remove, by address, domain or id. Unknown ones are ignored."
    )
    reason: Reason = Field(default="manual", description="The reason of those that are added.")

    def check(self) -> None:
        """Raises ValidationError for too many entries, or one that is both added and removed."""
        if len(self.add) + len(self.remove) > AT_ONCE:
            raise ValidationError.of("body", f"add and remove must have at most {AT_ONCE} entries in all")
        added = set(map(email_key, self.add))
        for index, entry in enumerate(self.remove):
            if email_key(entry) in added:
                raise ValidationError.at(f"remove.{index}", "is in add as well")
