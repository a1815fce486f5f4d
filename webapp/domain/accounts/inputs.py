"""The fields of a sending account."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StringConstraints

from webapp import addresses
from webapp.domain.accounts.pace import (
    HIGHEST_DAILY_LIMIT,
    HIGHEST_PER_HOUR,
    HIGHEST_PER_MINUTE,
    LONGEST_GAP,
    RampInput,
    WindowInput,
)
from webapp.domain.inputs import EmailAddress, Input, Integer, Name, NonBlank, OneLine, drop_default, examples, partial
from webapp.hosts import host_of
from webapp.models.account import DEFAULT_CONCURRENCY

DEFAULT_DAILY_LIMIT = 500
MOST_CONCURRENCY = 100
SECRET_LENGTH = 8_192  # Google states no limit for its tokens


Host = Annotated[str, OneLine, NonBlank, AfterValidator(host_of)]
SenderName = Annotated[Name, AfterValidator(addresses.shown), NonBlank]
Url = Annotated[str, StringConstraints(min_length=1, max_length=2_048), OneLine]
Secret = Annotated[str, StringConstraints(min_length=1, max_length=SECRET_LENGTH), OneLine]


class NewAccount(Input):
    """A sending account. `smtp_host` and `smtp_port` are required for smtp, the tokens for google and microsoft."""

    model_config = examples(
        {
            "name": "Newsletter",
            "provider_type": "smtp",
            "smtp_host": "smtp.example.com",
            "smtp_port": 587,
            "smtp_username": "news@example.com",
            "smtp_password": "...",
            "daily_mail_limit": 500,
        }
    )

    name: Name = Field(description="A name for the account.")
    provider_type: Literal["smtp", "google", "microsoft"] = Field(
        description="How the account sends email: over SMTP, by the Gmail API or by Microsoft Graph."
    )
    daily_mail_limit: Annotated[Integer, Field(ge=1, le=HIGHEST_DAILY_LIMIT)] = Field(
        default=DEFAULT_DAILY_LIMIT, description="Maximum recipients per day, in the organization's time zone."
    )
    concurrency: Annotated[Integer, Field(ge=1, le=MOST_CONCURRENCY)] = Field(
        default=DEFAULT_CONCURRENCY, description="Concurrent connections per worker; requests for google and microsoft."
    )
    max_per_minute: Annotated[Integer, Field(ge=1, le=HIGHEST_PER_MINUTE)] | None = Field(
        default=None,
        description="Maximum emails per minute, however many workers there are, spread evenly: bursts have a tenth of "
        "them. `null`: no maximum.",
    )
    max_per_hour: Annotated[Integer, Field(ge=1, le=HIGHEST_PER_HOUR)] | None = Field(
        default=None, description="Maximum emails per hour, spread like those of a minute. `null`: no maximum."
    )
    min_gap_seconds: Annotated[Integer, Field(ge=1, le=LONGEST_GAP)] | None = Field(
        default=None, description="Minimum seconds between two emails. `null`: none."
    )
    send_window: WindowInput | None = Field(
        default=None, description="When the account sends campaigns. `null`: at any time."
    )
    ramp: RampInput | None = Field(
        default=None,
        description="Warms a new account up: a limit of a day beside `daily_mail_limit`. It stays the same after a day "
        "without emails, with an account error, or with over 5 % permanent refusals. Another `start` begins again.",
    )
    reserve_for_transactional: Annotated[Integer, Field(ge=0, le=HIGHEST_DAILY_LIMIT)] | None = Field(
        default=None, description="Recipients of the day's limit that campaigns leave to transactional email."
    )
    smtp_host: Host | None = Field(default=None, description="Host name or IP address of the server.")
    smtp_port: Annotated[Integer, Field(ge=1, le=65535)] | None = Field(default=None, description="Port of the server.")
    smtp_username: Annotated[str, StringConstraints(min_length=1, max_length=320), OneLine] | None = Field(
        default=None, description="Required with `smtp_password`; omit both if the server needs no login."
    )
    smtp_password: Secret | None = Field(
        default=None,
        description="Never returned. Omit it in a PATCH to keep it; a server of another domain, or weaker encryption, "
        "needs it again.",
    )
    smtp_security: Literal["auto", "tls", "starttls", "none"] = Field(
        default="auto", description="`auto`: TLS on port 465, otherwise STARTTLS if offered. `none`: unencrypted."
    )
    smtp_auth: Literal["password", "oauth2"] = Field(
        default="password",
        description="`oauth2`: sign in as `smtp_username` with an access token (XOAUTH2) instead of a password.",
    )
    oauth_provider: Literal["microsoft", "google", "custom"] | None = Field(
        default=None,
        description="Required for `oauth2`: who issues the tokens. `microsoft` and `google` renew them with this "
        "server's client, `custom` with the account's own. A microsoft account has `microsoft` by default.",
    )
    oauth_access_token: Secret | None = Field(
        default=None, description="Never returned. Fetched with the refresh token if omitted."
    )
    oauth_refresh_token: Secret | None = Field(
        default=None,
        description="Never returned. Required for `oauth2` and for microsoft unless the grant is `client_credentials`, "
        "and again for another provider, user, token URL or server.",
    )
    oauth_grant: Literal["refresh_token", "client_credentials"] = Field(
        default="refresh_token",
        description="`client_credentials`: the client of a `custom` provider signs in by itself, without a person and "
        "a refresh token, which suits shared mailboxes.",
    )
    oauth_scope: Annotated[str, StringConstraints(min_length=1, max_length=1_000), OneLine] | None = Field(
        default=None,
        description="Scopes to ask a `custom` token URL for; required for `client_credentials`, with Graph's as the "
        "default of a microsoft account.",
    )
    oauth_token_url: Url | None = Field(default=None, description="Token endpoint, for `custom`.")
    oauth_client_id: Annotated[str, StringConstraints(min_length=1, max_length=512), OneLine] | None = Field(
        default=None, description="For `custom`."
    )
    oauth_client_secret: Secret | None = Field(default=None, description="Never returned. For `custom`.")
    google_access_token: Secret | None = Field(default=None, description="Never returned.")
    google_refresh_token: Secret | None = Field(default=None, description="Never returned.")
    google_email: EmailAddress | None = Field(default=None, description="Email address of the Google account.")
    microsoft_email: EmailAddress | None = Field(default=None, description="Email address of the Microsoft mailbox.")
    bounce_reading: Literal["off", "account", "mailbox"] = Field(
        default="off",
        description="Where later bounces and complaints are read: `account`: the account's own mailbox; `mailbox`: a "
        "mailbox for bounces alone, of which every message is read. Nothing in a mailbox is changed.",
    )
    bounce_imap_host: Host | None = Field(
        default=None, description="IMAP server. Required unless a google account reads its own mailbox."
    )
    bounce_imap_port: Annotated[Integer, Field(ge=1, le=65535)] | None = Field(
        default=None, description="Port of the IMAP server; 993 by default."
    )
    bounce_imap_security: Literal["tls", "starttls", "none"] | None = Field(
        default=None, description="`tls` by default. `none`: unencrypted, for allowed private addresses alone."
    )
    bounce_imap_username: Annotated[str, StringConstraints(min_length=1, max_length=320), OneLine] | None = Field(
        default=None, description="Required for `mailbox`; the account's own mailbox has the login that sends."
    )
    bounce_imap_password: Secret | None = Field(
        default=None,
        description="Never returned. Omit it in a PATCH to keep it; a server of another domain, or weaker encryption, "
        "needs it again. The account's own mailbox uses it if `smtp_password` was entered for another domain.",
    )
    bounce_verp: bool = Field(
        default=False,
        description="Send each email from a return path of its own, `local+tag@domain` of `from_email` (VERP), so that "
        "a bounce that returns nothing else names its email. Used while bounces are read, once the server has "
        "accepted such a sender in a login test. smtp only.",
    )
    from_email: EmailAddress | None = Field(
        default=None,
        description="The address to send from. Defaults to `google_email`, `microsoft_email`, or to `smtp_username` if "
        "that is an address.",
    )
    from_name: SenderName | None = Field(default=None, description="The sender name shown with the address.")


@partial(NewAccount)
class AccountChanges(Input):
    """The account fields to change; any change also clears `error`."""

    model_config = examples({"daily_mail_limit": 1000, "status": "active"})

    status: Literal["active", "paused"] = Field(
        default="active", description="`paused` stops sending from the account.", json_schema_extra=drop_default
    )
