"""Google's URLs, and the OAuth client that the operator registered."""

from dataclasses import dataclass, field

from webapp.config.environment import Environment, split_web_url
from webapp.errors import ConfigError

# developers.google.com/identity/protocols/oauth2/web-server, developers.google.com/workspace/gmail/api/reference/rest
AUTH_URL = "https://accounts.google.com/o/oauth2/v2/auth"
TOKEN_URL = "https://oauth2.googleapis.com/token"  # noqa: S105 - an address
API_URL = "https://gmail.googleapis.com"
SHEETS_URL = "https://sheets.googleapis.com"


@dataclass(frozen=True)
class GoogleSettings:
    client_id: str | None = None
    client_secret: str | None = field(default=None, repr=False)
    auth_url: str = AUTH_URL
    token_url: str = TOKEN_URL
    api_url: str = API_URL
    sheets_url: str = SHEETS_URL

    @property
    def has_client(self) -> bool:
        return self.client_id is not None


def read_google(env: Environment) -> GoogleSettings:
    """Raises ConfigError with one line that names the variable."""
    client_id = env.find("PENNYPOST_GOOGLE_CLIENT_ID", _word)
    client_secret = env.find("PENNYPOST_GOOGLE_CLIENT_SECRET", _word)
    if (client_id is None) != (client_secret is None):
        missing = "PENNYPOST_GOOGLE_CLIENT_ID" if client_id is None else "PENNYPOST_GOOGLE_CLIENT_SECRET"
        raise ConfigError(f"{missing} is required: a Google client has an id and a secret")
    return GoogleSettings(
        client_id=client_id,
        client_secret=client_secret,
        auth_url=env.get("PENNYPOST_GOOGLE_AUTH_URL", AUTH_URL, _url),
        token_url=env.get("PENNYPOST_GOOGLE_TOKEN_URL", TOKEN_URL, _url),
        api_url=env.get("PENNYPOST_GOOGLE_API_URL", API_URL, _url),
        sheets_url=env.get("PENNYPOST_GOOGLE_SHEETS_URL", SHEETS_URL, _url),
    )


def _word(text: str) -> str:
    if not text.isascii() or not text.isprintable() or " " in text:
        raise ValueError("must be a single word of ASCII characters, as Google shows it")
    return text


def _url(text: str) -> str:
    split_web_url(text, "https://accounts.example.com/auth")
    return text.rstrip("/")
