"""The OAuth clients that the operator registered with Google and Microsoft, and the URLs of both."""

import re
from dataclasses import dataclass, field

from webapp.config.environment import Environment, split_web_url
from webapp.errors import ConfigError

# developers.google.com/identity/protocols/oauth2/web-server, developers.google.com/workspace/gmail/api/reference/rest
GOOGLE_AUTH_URL = "https://accounts.google.com/o/oauth2/v2/auth"
GOOGLE_TOKEN_URL = "https://oauth2.googleapis.com/token"  # noqa: S105 - an address
GMAIL_URL = "https://gmail.googleapis.com"
SHEETS_URL = "https://sheets.googleapis.com"
# learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow
MICROSOFT_URL = "https://login.microsoftonline.com/{tenant}/oauth2/v2.0"
GRAPH_URL = "https://graph.microsoft.com"
TENANT = re.compile(r"[A-Za-z0-9.-]{1,255}")


@dataclass(frozen=True)
class GoogleSettings:
    client_id: str | None = None
    client_secret: str | None = field(default=None, repr=False)
    auth_url: str = GOOGLE_AUTH_URL
    token_url: str = GOOGLE_TOKEN_URL
    api_url: str = GMAIL_URL
    sheets_url: str = SHEETS_URL

    @property
    def has_client(self) -> bool:
        return self.client_id is not None


@dataclass(frozen=True)
class MicrosoftSettings:
    client_id: str | None = None
    client_secret: str | None = field(default=None, repr=False)
    auth_url: str = MICROSOFT_URL.format(tenant="common") + "/authorize"
    token_url: str = MICROSOFT_URL.format(tenant="common") + "/token"
    api_url: str = GRAPH_URL

    @property
    def has_client(self) -> bool:
        return self.client_id is not None


def read_google(env: Environment) -> GoogleSettings:
    """Raises ConfigError with one line that names the variable."""
    client_id, client_secret = _read_client(env, "GOOGLE", "Google")
    return GoogleSettings(
        client_id=client_id,
        client_secret=client_secret,
        auth_url=env.get("PENNYPOST_GOOGLE_AUTH_URL", GOOGLE_AUTH_URL, _url),
        token_url=env.get("PENNYPOST_GOOGLE_TOKEN_URL", GOOGLE_TOKEN_URL, _url),
        api_url=env.get("PENNYPOST_GOOGLE_API_URL", GMAIL_URL, _url),
        sheets_url=env.get("PENNYPOST_GOOGLE_SHEETS_URL", SHEETS_URL, _url),
    )


def read_microsoft(env: Environment) -> MicrosoftSettings:
    """Raises ConfigError with one line that names the variable."""
    client_id, client_secret = _read_client(env, "MICROSOFT", "Microsoft")
    directory = MICROSOFT_URL.format(tenant=env.get("PENNYPOST_MICROSOFT_TENANT", "common", _tenant))
    return MicrosoftSettings(
        client_id=client_id,
        client_secret=client_secret,
        auth_url=env.get("PENNYPOST_MICROSOFT_AUTH_URL", f"{directory}/authorize", _url),
        token_url=env.get("PENNYPOST_MICROSOFT_TOKEN_URL", f"{directory}/token", _url),
        api_url=env.get("PENNYPOST_MICROSOFT_API_URL", GRAPH_URL, _url),
    )


def _read_client(env: Environment, prefix: str, provider: str) -> tuple[str | None, str | None]:
    names = f"PENNYPOST_{prefix}_CLIENT_ID", f"PENNYPOST_{prefix}_CLIENT_SECRET"
    client_id, client_secret = (env.find(name, _word) for name in names)
    if (client_id is None) != (client_secret is None):
        missing = names[client_id is not None]
        raise ConfigError(f"{missing} is required: a {provider} client has an id and a secret")
    return client_id, client_secret


def _word(text: str) -> str:
    if not text.isascii() or not text.isprintable() or " " in text:
        raise ValueError("must be a single word of ASCII characters, as the provider shows it")
    return text


def _tenant(text: str) -> str:
    if not TENANT.fullmatch(text):
        raise ValueError("must be common, organizations, consumers, or the ID or a domain of a tenant")
    return text


def _url(text: str) -> str:
    split_web_url(text, "https://accounts.example.com/auth")
    return text.rstrip("/")
