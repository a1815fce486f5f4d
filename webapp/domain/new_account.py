"""What makes a sending account."""

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, ConfigDict, Field, StringConstraints

from webapp.domain.inputs import EmailAddress, Filled, Input, Name, OneLine, Whole, changes, without_default
from webapp.models.account import DEFAULT_CONCURRENCY

HOST = re.compile(r"[^\s/@\\?#\[\]<>\"'\x00-\x1f\x7f]{1,255}")
DEFAULT_DAILY_LIMIT = 500
HIGHEST_DAILY_LIMIT = 1_000_000_000
MOST_CONCURRENCY = 100
SECRET_LENGTH = 8_192  # Google's tokens have no stated limit


def _host(text: str) -> str:
    """The host without the dot that ends an absolute name (RFC 1034, 3.1)."""
    text = text.removesuffix(".")
    if not HOST.fullmatch(text) or not _can_resolve(text):
        raise ValueError("must be a host name or an address, like smtp.example.com")
    return text


def _can_resolve(host: str) -> bool:
    """Whether the labels are ones that DNS can hold: 1 to 63 octets (RFC 1035, 2.3.4), no hyphen at an end."""
    try:
        labels = host.encode("idna").decode().split(".")
    except UnicodeError:
        return False
    return not any(label.startswith("-") or label.endswith("-") for label in labels)


Host = Annotated[str, OneLine, Filled, AfterValidator(_host)]
Secret = Annotated[str, StringConstraints(min_length=1, max_length=SECRET_LENGTH), OneLine]


class NewAccount(Input):
    """A sending account. `smtp_host` and `smtp_port` are required for smtp, both tokens for google."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "name": "Newsletter",
                    "provider_type": "smtp",
                    "smtp_host": "smtp.example.com",
                    "smtp_port": 587,
                    "smtp_username": "news@example.com",
                    "smtp_password": "...",
                    "daily_mail_limit": 500,
                }
            ]
        }
    )

    name: Name = Field(description="What people call the account.")
    provider_type: Literal["smtp", "google"] = Field(description="How its mail leaves.")
    daily_mail_limit: Annotated[Whole, Field(ge=1, le=HIGHEST_DAILY_LIMIT)] = Field(
        default=DEFAULT_DAILY_LIMIT, description="Recipients a day, in the organization's timezone."
    )
    concurrency: Annotated[Whole, Field(ge=1, le=MOST_CONCURRENCY)] = Field(
        default=DEFAULT_CONCURRENCY,
        description="Connections at once, of each worker: as many as the server allows. For google, requests at once.",
    )
    smtp_host: Host | None = Field(default=None, description="The server to connect to.")
    smtp_port: Annotated[Whole, Field(ge=1, le=65535)] | None = Field(default=None, description="Its port.")
    smtp_username: Annotated[str, StringConstraints(min_length=1, max_length=320), OneLine] | None = Field(
        default=None, description="With `smtp_password`, or not at all for a relay without login."
    )
    smtp_password: Secret | None = Field(default=None, description="Never returned; omitted in a PATCH it stays.")
    smtp_security: Literal["auto", "tls", "starttls", "none"] = Field(
        default="auto",
        description="`auto`: TLS from the start on port 465, else STARTTLS where it is offered; `none` is clear text.",
    )
    google_access_token: Secret | None = Field(default=None, description="Never returned.")
    google_refresh_token: Secret | None = Field(default=None, description="Never returned.")
    google_email: EmailAddress | None = Field(default=None, description="The Google account's address.")
    from_email: EmailAddress | None = Field(
        default=None, description="The address to send from; else `google_email`, or an `smtp_username` that is one."
    )
    from_name: Name | None = Field(default=None, description="The name beside the address.")


@changes(NewAccount)
class AccountChanges(Input):
    """What to change of an account; a change also heals an account in `error`."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"daily_mail_limit": 1000, "status": "active"}]})

    status: Literal["active", "paused"] = Field(
        default="active", description="`paused` stops its mail.", json_schema_extra=without_default
    )
