"""The audit log's page."""

from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any, NamedTuple

from pydantic import BeforeValidator, StringConstraints
from quart import Blueprint, ResponseReturnValue, g, render_template

from webapp.domain.accounts.pace import ramp_text, window_text
from webapp.domain.api_keys import account_names
from webapp.domain.audit.audit import AuditAction, instant_of, list_entries
from webapp.domain.inputs import OneLine
from webapp.domain.instance.retention import audit_days
from webapp.domain.plans.plans import PLANS
from webapp.domain.roles import Action, Role
from webapp.domain.segments.segments import names_in_filter
from webapp.errors import InvalidValue
from webapp.http.auth.permissions import guarded
from webapp.models import AuditEntry, Organization
from webapp.models.account import AccountStatus
from webapp.models.event import WebhookStatus
from webapp.pages.accounts.accounts import GRANTS
from webapp.pages.accounts.bounces import MODES
from webapp.pages.contacts.fields import KINDS as KINDS_OF_FIELDS
from webapp.pages.segments.conditions import in_words
from webapp.pages.shared.failures import SUPPRESSION_REASONS
from webapp.pages.shared.filters import appointed, status_word
from webapp.pages.shared.search import SearchForm, read_search

blueprint = Blueprint("audit", __name__, url_prefix="/audit")
LABELS = {"who": "User or key", "what": "Category"}
KINDS = {
    "key": "API keys",
    "account": "Accounts",
    "member": "Team",
    "plan": "Plan",
    "organization": "Organization",
    "data": "Exports",
    "segment": "Google Sheets",
    "campaign": "Campaigns",
    "contacts": "Imports and contacts",
    "topic": "Topics",
    "form": "Forms",
    "suppressions": "Suppressions",
    "media": "Images",
    "webhook": "Webhooks",
}
DETAILS = {
    "provider_type": "provider",
    "kind": "type",
    "smtp_host": "host",
    "smtp_port": "port",
    "smtp_username": "username",
    "smtp_password": "password",
    "smtp_security": "encryption",
    "smtp_auth": "sign-in",
    "google_email": "Google account",
    "microsoft_email": "Microsoft account",
    "oauth_provider": "OAuth provider",
    "oauth_grant": "OAuth sign-in",
    "oauth_token_url": "token URL",
    "oauth_scope": "scope",
    "oauth_client_id": "client ID",
    "oauth_client_secret": "client secret",
    "oauth_access_token": "access token",
    "oauth_refresh_token": "refresh token",
    "bounce_reading": "bounces read from",
    "bounce_imap_host": "IMAP host",
    "bounce_imap_port": "IMAP port",
    "bounce_imap_security": "IMAP encryption",
    "bounce_imap_username": "IMAP username",
    "bounce_imap_password": "IMAP password",
    "bounce_verp": "tagged return paths",
    "google_access_token": "Google access",
    "google_refresh_token": "Google sign-in",
    "from_email": "From address",
    "from_name": "From name",
    "daily_mail_limit": "daily limit",
    "concurrency": "connections",
    "max_per_minute": "emails per minute",
    "max_per_hour": "emails per hour",
    "min_gap_seconds": "seconds between emails",
    "send_window": "sending window",
    "reserve_for_transactional": "reserved for transactional email",
    "expires_at": "expires",
    "q": "search",
    "filter": "conditions",
    "is_bounced": "bounced",
    "segment_id": "segment",
    "campaign_id": "campaign",
    "allowed_from": "sends as",
    "allowed_account_ids": "uses",
    "allowed_networks": "works from",
    "is_open": "open",
    "double_opt_in": "double opt-in",
    "confirm_by": "confirmed by",
}
INSTANTS = {"expires_at", "next_send"}
NAMED = ("segment_id", "campaign_id")
PACE_WORDS: dict[str, Callable[[Mapping[str, Any]], str]] = {"send_window": window_text, "ramp": ramp_text}
SECURITY = {"auto": "Automatic", "tls": "SSL/TLS", "starttls": "STARTTLS", "none": "None"}
WORDS: Mapping[str, Mapping[str, str]] = {  # of values
    "role": {role: role.capitalize() for role in Role},
    "plan": {name: name.capitalize() for name in PLANS},
    "status": {status: status_word(status) for status in (*AccountStatus, *WebhookStatus)},
    "kind": {str(kind): label for kind, label in KINDS_OF_FIELDS.items()},
    "reason": SUPPRESSION_REASONS,
    "provider_type": {"smtp": "SMTP", "google": "Google", "microsoft": "Microsoft"},
    "smtp_auth": {"password": "Password", "oauth2": "OAuth"},
    "smtp_security": SECURITY,
    "oauth_provider": {"microsoft": "Microsoft", "google": "Google", "custom": "Custom"},
    "oauth_grant": dict(GRANTS),
    "bounce_reading": dict(MODES),
    "bounce_imap_security": SECURITY,
    "events": {"*": "All events"},
}
CHANGE = 2  # a list of an old value and a new one
ADDED = (AuditAction.KEY_ISSUED, AuditAction.WEBHOOK_ADDED)  # whose lists are no changes


def _kind(value: Any) -> str:
    if value not in (*KINDS, *AuditAction):
        raise InvalidValue.choice("an option from the list")
    return str(value)


class AuditSearch(SearchForm):
    who: Annotated[str, StringConstraints(max_length=254), OneLine] | None = None
    what: Annotated[str, BeforeValidator(_kind)] | None = None


class Detail(NamedTuple):
    label: str
    value: str
    before: str | None = None


class AuditLine(NamedTuple):
    entry: AuditEntry
    action: str
    details: list[Detail]


@blueprint.get("")
@guarded(Action.AUDIT)
async def index() -> ResponseReturnValue:
    org, asked = g.caller.org, read_search(AuditSearch, LABELS)
    listed = await list_entries(org, asked.cursor, **asked.filters) if asked.is_valid else None
    entries = listed.rows if listed else []
    names = await _names_in(org, entries)
    context = {
        "asked": asked,
        "listed": listed,
        "lines": [_line(entry, org.timezone, names) for entry in entries],
        "kinds": KINDS.items(),
        "kept_days": audit_days(org),
    }
    return await render_template("audit/index.html", **context), asked.status


async def _names_in(org: Organization, entries: Iterable[AuditEntry]) -> dict[str, str]:
    """The names of the accounts, segments and campaigns whose ids are in entries and their filters."""
    details = [detail for entry in entries for detail in entry.details.items()]
    trees = [value for _, value in details if isinstance(value, dict)]
    trees += [
        {"field": DETAILS[name], "op": "in", "value": value} for name, value in details if name in NAMED and value
    ]
    scopes = [value for name, value in details if name == "allowed_account_ids"]
    names = await names_in_filter(org, {"or": trees}) if trees else {}
    return {**names, **await account_names(org, scopes)}


def _line(entry: AuditEntry, timezone: str, names: Mapping[str, str]) -> AuditLine:
    words = next((action.words for action in AuditAction if action == entry.action), entry.action)
    shown = {name: _worded(value, WORDS.get(name, {})) for name, value in entry.details.items() if value is not None}
    if entry.action in ADDED:
        shown = {name: _listed(value, names) if isinstance(value, list) else value for name, value in shown.items()}
    return AuditLine(entry, words, [_detail(name, value, timezone, names) for name, value in shown.items()])


def _worded(value: Any, words: Mapping[str, str]) -> Any:
    if isinstance(value, list):
        return [_worded(item, words) for item in value]
    return words.get(value, value) if isinstance(value, str) else value


def _listed(values: Iterable[Any], names: Mapping[str, str]) -> str:
    return ", ".join(names.get(str(value), str(value)) for value in values)


def _detail(name: str, value: Any, timezone: str, names: Mapping[str, str]) -> Detail:
    label = DETAILS.get(name, name.replace("_", " "))
    if name in PACE_WORDS:
        values = value if isinstance(value, list) else [None, value]
        before, after = (None if each is None else PACE_WORDS[name](each) for each in values)
        return Detail(label, _text(after), _text(before) if isinstance(value, list) else None)
    if isinstance(value, dict):
        return Detail(label, in_words(value, names))
    if name in NAMED:
        return Detail(label, names.get(value, "deleted"))
    if name in INSTANTS and (at := instant_of(value)) is not None:
        return Detail(label, appointed(at, timezone))
    if isinstance(value, list) and len(value) == CHANGE:
        before, after = value
        return Detail(label, _text(after), _text(before))
    return Detail(label, _text(value))


def _text(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(_text, value))
    return str(value)
