"""How people connect accounts at Google and Microsoft: scopes, consent pages, and which accounts fit."""

from collections.abc import Mapping
from typing import NamedTuple

from webapp.config import settings
from webapp.config.oauth import GoogleSettings, MicrosoftSettings
from webapp.domain.accounts.credentials import is_at_microsoft
from webapp.domain.accounts.oauth_tokens import client_settings
from webapp.models import Account
from webapp.models.account import OAuthProvider, ProviderType
from webapp.sending.graph import SEND_SCOPE as GRAPH_SCOPE
from webapp.sending.oauth import Tokens
from webapp.sending.reports.gmail import READ_SCOPE as READ_MAIL_SCOPE
from webapp.sending.reports.imap import MICROSOFT_SCOPE as IMAP_SCOPE


class ConnectProvider(NamedTuple):
    """A way to connect an account; `reads` is the scope for bounces in the account's own mailbox."""

    name: str  # in paths
    provider: OAuthProvider
    label: str
    sends: str
    reads: str
    scopes: tuple[str, ...]
    query: Mapping[str, str]

    @property
    def client(self) -> GoogleSettings | MicrosoftSettings:
        return client_settings(self.provider)

    @property
    def redirect_uri(self) -> str:
        return f"{settings().base_url}/accounts/{self.provider}/callback"

    @property
    def token_scope(self) -> str | None:
        """The scopes of the first tokens where the consent covers two APIs: Entra issues tokens for one API each."""
        return " ".join(self.scopes) if self is GRAPH else None

    @property
    def not_to_send(self) -> str:
        return f"{self.label} didn't grant permission to send email. Try again and leave that box checked."

    def fits(self, account: Account) -> bool:
        """True if the account can be connected here; its key, limits and history stay."""
        if self.provider is OAuthProvider.GOOGLE:
            return account.provider_type == ProviderType.GOOGLE
        return is_at_microsoft(account)

    def may_send(self, tokens: Tokens) -> bool:
        granted = {scope.lower() for scope in tokens.scopes}
        return self.sends.lower() in granted or (self is GRAPH and GRAPH_SHORT in granted)


SEND_SCOPE = "https://www.googleapis.com/auth/gmail.send"
GOOGLE = ConnectProvider(
    "google",
    OAuthProvider.GOOGLE,
    "Google",
    SEND_SCOPE,
    READ_MAIL_SCOPE,
    ("openid", "email", SEND_SCOPE),
    # With a refresh token, which is only certain if the person is asked.
    {"include_granted_scopes": "true", "access_type": "offline", "prompt": "consent"},
)
# learn.microsoft.com/exchange/client-developer/legacy-protocols/
# how-to-authenticate-an-imap-pop-smtp-application-by-using-oauth
SMTP_SCOPE = "https://outlook.office.com/SMTP.Send"
MICROSOFT = ConnectProvider(
    "microsoft",
    OAuthProvider.MICROSOFT,
    "Microsoft",
    SMTP_SCOPE,
    IMAP_SCOPE,
    ("openid", "email", "offline_access", SMTP_SCOPE),
    {"prompt": "select_account"},
)
GRAPH_SHORT = "mail.send"  # Entra may name Graph's scopes without its address
GRAPH = MICROSOFT._replace(name="graph", sends=GRAPH_SCOPE, scopes=("openid", "email", "offline_access", GRAPH_SCOPE))
PROVIDERS = {provider.name: provider for provider in (GOOGLE, MICROSOFT, GRAPH)}


def connected_with(account: Account) -> ConnectProvider | None:
    """How a person connected the account; None if it has another sign-in."""
    if account.provider_type == ProviderType.GOOGLE:
        return GOOGLE
    if account.oauth_provider != OAuthProvider.MICROSOFT:
        return None
    return GRAPH if account.provider_type == ProviderType.MICROSOFT else MICROSOFT
