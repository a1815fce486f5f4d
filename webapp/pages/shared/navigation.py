"""The pages that the navigation lists, and those that the search finds besides."""

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from quart import current_app, g, request

from webapp.domain.roles import Role
from webapp.http.auth.cookies import cookie_name, read_cookie
from webapp.http.auth.permissions import needed_role
from webapp.http.paths import is_under

OPEN_COOKIE = "nav"  # the names of open groups, written by app.js


class NavItem(NamedTuple):
    href: str
    label: str
    icon: str
    also: tuple[str, ...] = ()  # other paths of its pages
    keywords: str = ""  # other words for it, for the search


class NavGroup(NamedTuple):
    """Items that fold together, or are always visible if the group has no label."""

    name: str
    label: str
    items: tuple[NavItem, ...]


NAVIGATION = (
    NavGroup(
        "",
        "",
        (
            NavItem("/home", "Dashboard", "home", keywords="home start"),
            NavItem("/campaigns", "Campaigns", "campaigns", keywords="newsletters reports opens clicks pause stop"),
            NavItem("/contacts", "Contacts", "contacts", ("/imports",), "subscribers people audience"),
            NavItem("/segments", "Segments", "segments", keywords="lists groups audience google sheets"),
            NavItem("/topics", "Topics", "topics", keywords="preferences subscriptions interests opt out unsubscribe"),
            NavItem("/forms", "Forms", "forms", keywords="sign-up subscribe double opt-in embed"),
            NavItem("/templates", "Templates", "templates", keywords="designs"),
            NavItem("/media", "Media", "media", keywords="images pictures files"),
        ),
    ),
    NavGroup(
        "sending",
        "Sending",
        (
            NavItem(
                "/accounts",
                "Accounts",
                "accounts",
                keywords="senders smtp google gmail from address domains daily limit",
            ),
            NavItem("/emails", "Transactional", "emails", keywords="emails api"),
            NavItem("/mail-logs", "Deliveries", "mail_logs", keywords="mail logs sent failed bounces bounced"),
            NavItem(
                "/suppressions", "Suppressions", "suppressions", keywords="blocklist bounces complaints unsubscribed"
            ),
            NavItem("/sandbox", "Test inbox", "sandbox", keywords="sandbox test emails"),
        ),
    ),
    NavGroup(
        "developers",
        "Developers",
        (
            NavItem("/api-keys", "API keys", "api_keys", keywords="tokens secrets"),
            NavItem("/requests", "API requests", "requests", keywords="log"),
            NavItem("/events", "Events", "events", keywords="history"),
            NavItem("/webhooks", "Webhooks", "webhooks", keywords="callbacks"),
            NavItem("/reference", "API reference", "reference", keywords="documentation endpoints"),
        ),
    ),
    NavGroup(
        "organization",
        "Organization",
        (
            NavItem("/team", "Team", "team", keywords="members invitations roles users"),
            NavItem("/usage", "Usage", "usage", keywords="plan limits quota retention"),
            NavItem("/audit", "Audit log", "audit", keywords="changes history"),
            NavItem("/organization", "Settings", "settings", keywords="organization name time zone timezone tracking"),
        ),
    ),
)
OTHER_PAGES = (
    NavItem("/campaigns/new", "Create campaign", "plus", keywords="new newsletter"),
    NavItem("/campaigns?status=draft", "Draft campaigns", "campaigns", keywords="drafts unsent"),
    NavItem("/contacts/new", "Add contact", "plus", keywords="new subscriber"),
    NavItem("/imports/new", "Import contacts", "plus", keywords="csv upload subscribers"),
    NavItem("/contacts/fields", "Fields", "contacts", keywords="custom labels types of contacts merge tags"),
    NavItem("/contacts/columns", "Columns of contacts", "contacts", keywords="choose show fields list"),
    NavItem("/imports", "Recent imports", "file", keywords="csv undo"),
    NavItem("/segments/new", "Create segment", "plus", keywords="new list group"),
    NavItem("/topics/new", "Create topic", "plus", keywords="new preferences subscription"),
    NavItem("/forms/new", "Create form", "plus", keywords="new sign-up embed"),
    NavItem("/templates/starters", "Create template", "plus", keywords="new design starters gallery"),
    NavItem("/accounts/new", "Add account", "plus", keywords="new sender smtp"),
    NavItem("/accounts/google", "Connect Google", "plus", keywords="new sender gmail"),
    NavItem("/accounts/microsoft", "Connect Microsoft", "plus", keywords="new sender office 365 outlook exchange"),
    NavItem("/api-keys/new", "Create API key", "plus", keywords="new token"),
    NavItem("/webhooks/new", "Create webhook", "plus", keywords="new callback"),
    NavItem("/team/invitations/new", "Invite a teammate", "plus", keywords="team new user"),
    NavItem("/suppressions/new", "Suppress address", "plus", keywords="block unsubscribe"),
    NavItem("/suppressions/import", "Import suppressions", "plus", keywords="csv upload blocklist"),
    NavItem("/organization/brand", "Brand", "settings", keywords="logo colors fonts footer address"),
    NavItem(
        "/security",
        "Profile",
        "contacts",
        keywords="account name password sessions email notifications dark light mode theme colors",
    ),
    NavItem("/help", "Help", "help", keywords="documentation guides"),
    NavItem("/security/two-step", "Two-step sign-in", "settings", keywords="2fa totp authenticator recovery codes"),
)


def navigation(role: Role) -> list[dict[str, Any]]:
    """The groups with the items that the role may open."""
    here = g.get("nav_path", request.path)  # set by views whose path is below another item's
    remembered, groups = read_cookie(OPEN_COOKIE).split("."), []
    for group in NAVIGATION:
        items = [
            item._asdict() | {"current": is_under(here, [item.href, *item.also])}
            for item in group.items
            if item.href in _paths_open_to(role)
        ]
        is_open = group.name in remembered or any(item["current"] for item in items)
        groups.append({"name": group.name, "label": group.label, "items": items, "is_open": is_open})
    return groups


def navigation_cookie() -> str:
    return cookie_name(OPEN_COOKIE)


def find_pages(role: Role, query: str) -> list[NavItem]:
    """The pages that the role may open whose words begin with those of the query, in the label or else the keywords."""
    pages = [*(item for group in NAVIGATION for item in group.items), *OTHER_PAGES]
    open_pages = [item for item in pages if item.href.partition("?")[0] in _paths_open_to(role)]
    called = [item for item in open_pages if begin_words(item.label, query)]
    others = [item for item in open_pages if begin_words(f"{item.label} {item.keywords}", query)]
    return list(dict.fromkeys([*called, *others]))


def begin_words(text: str, query: str) -> bool:
    """True if each word of the query begins one of the text's, in any case."""
    words = text.casefold().replace("-", " ").split()
    return all(any(word.startswith(part) for word in words) for part in query.casefold().replace("-", " ").split())


@cache
def _paths_open_to(role: Role) -> set[str]:
    """The pages that a role may open; cached because collecting them takes a tenth of a page's time."""
    views: Mapping[str, Any] = current_app.view_functions
    needed = {
        rule.rule: needed_role(views[rule.endpoint])
        for rule in current_app.url_map.iter_rules()
        if "GET" in (rule.methods or ())
    }
    return {path for path, least in needed.items() if least is None or role.allows(least)}
