"""Every route of the app, and what it does: the table that the guards are held against."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from quart import Quart

from webapp.domain.roles import Action

# Routes that anybody may ask.
PUBLIC = """
    GET /
    GET /v1
    GET /openapi.json
    GET /healthz
    GET /readyz
    GET /static/{}
    GET /reference
    GET /reference/{}
    GET /sign-in
    POST /sign-in
    GET /sign-in/code
    POST /sign-in/code
    POST /sign-out
    POST /theme
    GET /reset
    POST /reset
    GET /reset/sent
    GET /reset/{}
    POST /reset/{}
    GET /sign-up
    POST /sign-up
    GET /sign-up/sent
    GET /sign-up/{}
    POST /sign-up/{}
    GET /claim/{}
    POST /claim/{}
    GET /join/{}
    POST /join/{}
    GET /m/{}/{}
    GET /view/{}
    GET /t/{}
    GET /o/{}
    GET /unsubscribe/{}
    POST /unsubscribe/{}
    POST /unsubscribe/{}/undo
    POST /unsubscribe/{}/tracking
"""
# All others. Both addresses of the API have the same.
GUARDED = {
    Action.READ: """
        GET /v1/accounts
        GET /v1/accounts/{}
        GET /v1/segments
        GET /v1/segments/{}
        GET /v1/segments/{}/contacts
        GET /v1/contacts
        GET /v1/contacts/{}
        GET /v1/templates
        GET /v1/brand
        GET /v1/templates/{}
        GET /v1/templates/{}/versions
        GET /v1/templates/{}/versions/{}
        GET /v1/media
        GET /v1/media/{}
        GET /media
        GET /v1/campaigns
        GET /v1/campaigns/{}
        GET /v1/campaigns/{}/report
        GET /v1/campaigns/{}/runs
        GET /v1/campaigns/{}/runs/{}
        GET /v1/campaigns/{}/runs/{}/engagement
        GET /v1/events
        GET /v1/events/{}
        GET /events
        GET /events/{}
        GET /v1/emails
        GET /v1/emails/{}
        GET /v1/mail-logs
        GET /v1/mail-logs/{}
        GET /v1/suppressions
        GET /v1/suppressions/{}
        GET /home
        GET /home/chart
        GET /home/now
        GET /accounts
        GET /accounts/{}
        GET /accounts/{}/bounces
        GET /api-keys
        GET /usage
        GET /contacts
        GET /contacts/list
        GET /contacts/export.csv
        GET /contacts/{}
        GET /campaigns
        GET /campaigns/list
        GET /campaigns/{}
        GET /campaigns/{}/report
        GET /campaigns/{}/report.csv
        GET /campaigns/{}/runs/{}
        GET /campaigns/{}/runs/{}/progress
        GET /campaigns/{}/runs/{}/events
        GET /mail-logs
        GET /mail-logs/list
        GET /mail-logs/{}
        GET /mail-logs/{}/rendered
        GET /mail-logs/{}/attachments/{}
        GET /mail-logs/{}/raw.eml
        GET /mail-logs/export.csv
        GET /emails
        GET /emails/list
        GET /emails/{}
        GET /emails/{}/rendered
        GET /emails/{}/attachments/{}
        GET /emails/{}/raw.eml
        GET /emails/export.csv
        GET /sandbox
        GET /sandbox/list
        GET /sandbox/{}
        GET /sandbox/{}/rendered
        GET /sandbox/{}/attachments/{}
        GET /sandbox/{}/raw.eml
        GET /team
        GET /segments
        GET /segments/{}
        GET /templates
        GET /templates/{}
        GET /templates/{}/rendered
        GET /templates/{}/versions
        GET /templates/{}/versions/{}
        GET /templates/{}/versions/{}/rendered
        GET /segments/{}/sheet/state
        GET /suppressions
        GET /suppressions/export.csv
    """,
    Action.ONESELF: """
        GET /security
        POST /security/name
        POST /security/notifications
        POST /security/password
        POST /security/sessions/end-others
        GET /security/two-step
        POST /security/two-step
        GET /security/two-step/off
        POST /security/two-step/off
        GET /security/two-step/codes
        POST /security/two-step/codes
        POST /organizations/{}/switch
        GET /organizations/{}/leave
        POST /organizations/{}/leave
    """,
    Action.SEND: """
        POST /v1/emails
        POST /v1/emails/batch
        POST /v1/emails/{}/cancel
        GET /emails/{}/cancel
        POST /emails/{}/cancel
        POST /mail-logs/{}/retry
        POST /v1/campaigns/{}/send
        POST /v1/campaigns/{}/stop
        POST /v1/campaigns/{}/resume
        POST /v1/campaigns/{}/runs/{}/retry
        GET /campaigns/{}/review
        POST /campaigns/{}/send
        GET /campaigns/{}/stop
        POST /campaigns/{}/stop
        POST /campaigns/{}/resume
        GET /campaigns/{}/runs/{}/retry
        POST /campaigns/{}/runs/{}/retry
        POST /v1/compose
        GET /accounts/{}/test
        POST /accounts/{}/test
    """,
    Action.CONTACTS: """
        POST /v1/contacts
        PATCH /v1/contacts/{}
        DELETE /v1/contacts/{}
        GET /contacts/new
        POST /contacts
        GET /contacts/{}/edit
        POST /contacts/{}
        POST /contacts/{}/segments
        POST /contacts/{}/unsubscribe
        GET /contacts/{}/subscribe
        POST /contacts/{}/subscribe
        GET /contacts/{}/delete
        POST /contacts/{}/delete
        POST /contacts/ticked/segment
        POST /contacts/ticked/unsubscribe
        POST /contacts/ticked/ask-delete
        POST /contacts/ticked/delete
        GET /contacts/changes/{}
        POST /contacts/changes/{}/stop
        GET /imports
        GET /imports/new
        POST /imports
        GET /imports/{}
        GET /imports/{}/progress
        GET /imports/{}/columns
        POST /imports/{}/columns
        POST /imports/{}/reading
        POST /imports/{}/words
        POST /imports/{}/run
        GET /imports/{}/undo
        POST /imports/{}/undo
        GET /imports/{}/discard
        POST /imports/{}/discard
        GET /imports/{}/refused.csv
        POST /v1/suppressions
        POST /v1/suppressions/batch
        DELETE /v1/suppressions/{}
        GET /suppressions/new
        POST /suppressions
        GET /suppressions/{}/remove
        POST /suppressions/{}/remove
        POST /suppressions/ticked/ask-remove
        POST /suppressions/ticked/remove
        GET /suppressions/import
        POST /suppressions/import
    """,
    Action.SEGMENTS: """
        POST /v1/segments
        PATCH /v1/segments/{}
        DELETE /v1/segments/{}
        POST /v1/segments/{}/contacts
        DELETE /v1/segments/{}/contacts/{}
        GET /segments/new
        GET /segments/new/dynamic
        POST /segments/new/dynamic
        POST /segments/matches
        POST /segments
        GET /segments/{}/filter
        POST /segments/{}/filter
        GET /segments/{}/name
        POST /segments/{}/name
        GET /segments/{}/delete
        POST /segments/{}/delete
        GET /segments/{}/add
        POST /segments/{}/members
        POST /segments/{}/members/ticked
        POST /segments/{}/members/{}/remove
        GET /segments/{}/sheet
        POST /segments/{}/sheet
        POST /segments/{}/sheet/read
        GET /segments/{}/sheet/stop
        POST /segments/{}/sheet/stop
    """,
    Action.MEDIA: """
        POST /v1/media
        DELETE /v1/media/{}
        POST /media
        GET /media/{}/delete
        POST /media/{}/delete
    """,
    Action.TEMPLATES: """
        POST /v1/templates
        PATCH /v1/brand
        GET /organization/brand
        POST /organization/brand
        GET /organization/brand/sample
        PATCH /v1/templates/{}
        DELETE /v1/templates/{}
        POST /v1/templates/{}/versions/{}/restore
        POST /templates/{}/versions/{}/restore
        GET /templates/new
        GET /templates/starters
        GET /templates/starters/rendered
        POST /templates/file
        POST /templates
        POST /templates/{}
        POST /templates/preview
        POST /templates/blocks
        POST /templates/preview/mail
        POST /templates/{}/duplicate
        GET /templates/{}/delete
        POST /templates/{}/delete
    """,
    Action.CAMPAIGNS: """
        POST /v1/campaigns
        PATCH /v1/campaigns/{}
        DELETE /v1/campaigns/{}
        POST /v1/campaigns/{}/test
        GET /campaigns/new
        POST /campaigns
        GET /campaigns/{}/audience
        POST /campaigns/{}/audience
        GET /campaigns/{}/content
        POST /campaigns/{}/content
        GET /campaigns/{}/content/{}
        GET /campaigns/{}/senders
        POST /campaigns/{}/senders
        GET /campaigns/{}/schedule
        POST /campaigns/{}/schedule
        POST /campaigns/{}/test
        POST /campaigns/{}/duplicate
        GET /campaigns/{}/runs/{}/give-up
        POST /campaigns/{}/runs/{}/give-up
        GET /campaigns/{}/delete
        POST /campaigns/{}/delete
    """,
    Action.SANDBOX: """
        GET /sandbox/empty
        POST /sandbox/empty
    """,
    Action.ACCOUNTS: """
        POST /v1/accounts
        PATCH /v1/accounts/{}
        DELETE /v1/accounts/{}
        GET /accounts/new
        POST /accounts
        POST /accounts/{}
        POST /accounts/{}/bounces
        POST /accounts/{}/test-login
        POST /accounts/{}/pause
        POST /accounts/{}/resume
        GET /accounts/{}/delete
        POST /accounts/{}/delete
        GET /accounts/google
        GET /accounts/google/callback
        GET /accounts/{}/google
        GET /accounts/{}/google/sheets/{}
    """,
    Action.REQUESTS: """
        GET /requests
        GET /requests/list
        GET /requests/{}
    """,
    Action.AUDIT: """
        GET /audit
    """,
    Action.KEYS: """
        GET /api-keys/new
        POST /api-keys
        GET /api-keys/{}/secret
        GET /api-keys/{}/revoke
        POST /api-keys/{}/revoke
    """,
    Action.WEBHOOKS: """
        GET /v1/webhooks
        POST /v1/webhooks
        GET /v1/webhooks/{}
        PATCH /v1/webhooks/{}
        DELETE /v1/webhooks/{}
        POST /v1/webhooks/{}/signing-secret/rotate
        POST /v1/webhooks/{}/test
        GET /v1/webhooks/{}/events
        GET /v1/webhooks/{}/attempts
        POST /v1/webhooks/{}/events/{}/replay
        POST /v1/webhooks/{}/replay
        GET /webhooks
        GET /webhooks/new
        POST /webhooks
        GET /webhooks/{}
        GET /webhooks/{}/attempts/{}
        GET /webhooks/{}/edit
        POST /webhooks/{}/edit
        POST /webhooks/{}/status
        POST /webhooks/{}/test
        POST /webhooks/{}/replay
        POST /webhooks/{}/events/{}/replay
        GET /webhooks/{}/rotate
        POST /webhooks/{}/rotate
        GET /webhooks/{}/secret
        GET /webhooks/{}/delete
        POST /webhooks/{}/delete
    """,
    Action.TEAM: """
        GET /team/members/{}/role
        POST /team/members/{}/role
        GET /team/members/{}/remove
        POST /team/members/{}/remove
        GET /team/invitations/new
        POST /team/invitations
        GET /team/invitations/{}/link
        GET /team/invitations/{}/revoke
        POST /team/invitations/{}/revoke
    """,
    Action.ORGANIZATION: """
        GET /organization
        POST /organization
    """,
}


class Route(NamedTuple):
    """A method at a path of the app, with the endpoint that answers."""

    method: str
    path: str
    endpoint: str

    def __str__(self) -> str:
        """The route as the tables name it."""
        return f"{self.method} {re.sub(r'<[^>]+>', '{}', re.sub('^/api(?=/v1)', '', self.path))}"

    @property
    def is_api_path(self) -> bool:
        """Whether a key opens it, not a session."""
        return re.match(r"(/api)?/v1/", self.path) is not None

    @property
    def ids(self) -> list[str]:
        """What the path calls its ids."""
        return re.findall(r"<(?:[^>:]*:)?(\w+)>", self.path)

    def at(self, ids: Mapping[str, str]) -> str:
        """The path with ids in it."""
        return re.sub(r"<(?:[^>:]*:)?(\w+)>", lambda found: ids[found[1]], self.path)


def routes_of(app: Quart) -> list[Route]:
    """All there are."""
    return [
        Route(method, rule.rule, rule.endpoint)
        for rule in app.url_map.iter_rules()
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"})
    ]


def lines_of(text: str) -> set[str]:
    """The routes that a table names."""
    return {line.strip() for line in text.strip().splitlines()}
