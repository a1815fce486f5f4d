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
    GET /help
    GET /help/{}
    GET POST /sign-in
    GET POST /sign-in/code
    POST /sign-out
    POST /theme
    GET POST /reset
    GET /reset/sent
    GET POST /reset/{}
    GET POST /sign-up
    GET /sign-up/sent
    GET POST /sign-up/{}
    GET POST /claim/{}
    GET POST /join/{}
    GET /m/{}/{}
    GET /view/{}
    GET /t/{}
    GET /o/{}
    GET POST /preferences/{}
    GET /preferences/{}/sent
    GET POST /f/{}
    GET POST /f/confirm/{}
    POST /f/confirm/{}/wrong
    GET POST /unsubscribe/{}
    POST /unsubscribe/{}/undo
    POST /unsubscribe/{}/{}
    GET POST /data/{}
    GET POST /erase/{}
    GET POST /unsubscribe/{}/preferences
"""
# All others. Both addresses of the API have the same.
GUARDED = {
    Action.READ: """
        GET /resend/contacts
        GET /resend/contacts/{}
        GET /resend/contacts/{}/segments
        GET /resend/contacts/{}/topics
        GET /resend/topics
        GET /resend/topics/{}
        GET /resend/contact-properties
        GET /resend/contact-properties/{}
        GET /resend/segments
        GET /resend/audiences
        GET /resend/segments/{}
        GET /resend/audiences/{}
        GET /resend/segments/{}/contacts
        GET /resend/audiences/{}/contacts
        GET /resend/segments/{}/contacts/{}
        GET /resend/audiences/{}/contacts/{}
        GET /resend/templates
        GET /resend/templates/{}
        GET /resend/broadcasts
        GET /resend/broadcasts/{}
        GET /resend/suppressions
        GET /resend/suppressions/{}
        GET /resend/domains
        GET /resend/domains/{}
        GET /resend/emails
        GET /resend/emails/{}
        GET /resend/emails/{}/attachments
        GET /resend/emails/{}/attachments/{}
        GET /v1/accounts
        GET /v1/accounts/{}
        GET /v1/accounts/{}/from-check
        GET /v1/topics
        GET /v1/topics/{}
        GET /v1/contacts/{}/topics
        GET /v1/segments
        GET /v1/segments/{}
        GET /v1/segments/{}/contacts
        GET /v1/forms
        GET /v1/forms/{}
        GET /v1/contacts
        GET /v1/contacts/{}
        GET /v1/contacts/{}/consents
        GET /v1/templates
        GET /v1/brand
        GET /v1/templates/{}
        POST /v1/templates/{}/render
        GET /v1/templates/{}/versions
        GET /v1/templates/{}/versions/{}
        GET /v1/media
        GET /v1/media/{}
        GET /media
        GET /media/choices
        GET /v1/campaigns
        GET /v1/campaigns/{}
        GET /v1/campaigns/{}/report
        GET /v1/campaigns/{}/runs
        GET /v1/campaigns/{}/runs/{}
        GET /v1/campaigns/{}/runs/{}/engagement
        GET /v1/metrics
        GET /v1/usage
        GET /v1/events
        GET /v1/events/{}
        GET /events
        GET /events/{}
        GET /v1/emails
        GET /v1/emails/{}
        GET /v1/emails/{}/attachments
        GET /v1/emails/{}/attachments/{}
        GET /v1/mail-logs
        GET /v1/mail-logs/{}
        GET /v1/sandbox/messages
        GET /v1/sandbox/messages/{}
        GET /v1/sandbox/messages/{}/raw
        GET /v1/suppressions
        GET /v1/suppressions/{}
        GET /home
        GET /home/chart
        GET /home/now
        GET /accounts
        GET /accounts/{}
        GET /accounts/{}/bounces
        GET /accounts/{}/from-check
        GET /accounts/{}/pace
        GET /api-keys
        GET /usage
        GET /contacts
        GET /contacts/list
        GET /contacts/export.csv
        GET POST /contacts/columns
        GET /contacts/fields
        GET /contacts/{}
        GET /campaigns
        GET /campaigns/list
        GET /campaigns/{}
        GET /campaigns/{}/report
        GET /campaigns/{}/report.csv
        GET /campaigns/{}/report/opens
        GET /campaigns/{}/report/opens.csv
        GET /campaigns/{}/report/clicks
        GET /campaigns/{}/report/clicks.csv
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
        GET /search
        GET /search/results
        GET /sandbox
        GET /sandbox/list
        GET /sandbox/{}
        GET /sandbox/{}/rendered
        GET /sandbox/{}/attachments/{}
        GET /sandbox/{}/raw.eml
        GET /team
        GET /topics
        GET /segments
        GET /forms
        GET /forms/{}
        GET /segments/{}
        GET /templates
        GET /templates/{}
        GET /templates/{}/rendered
        GET /templates/{}/thumbnail
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
        GET POST /security/two-step
        GET POST /security/two-step/off
        GET POST /security/two-step/codes
        POST /organizations/{}/switch
        GET POST /organizations/{}/leave
    """,
    Action.SEND: """
        POST /resend/broadcasts/{}/send
        POST /resend/broadcasts/{}/cancel
        POST /resend/emails
        POST /resend/emails/batch
        PATCH /resend/emails/{}
        POST /resend/emails/{}/cancel
        POST /v1/emails
        POST /v1/emails/batch
        PATCH /v1/emails/{}
        POST /v1/emails/{}/cancel
        GET POST /emails/{}/cancel
        POST /mail-logs/{}/retry
        POST /v1/campaigns/{}/send
        POST /v1/campaigns/{}/stop
        POST /v1/campaigns/{}/resume
        POST /v1/campaigns/{}/runs/{}/retry
        GET /campaigns/{}/review
        GET POST /campaigns/{}/send
        POST /campaigns/{}/stop
        GET POST /campaigns/{}/resume
        GET POST /campaigns/{}/runs/{}/retry
        POST /v1/compose
        GET POST /accounts/{}/test
    """,
    Action.CONTACTS: """
        POST /resend/contacts
        PATCH DELETE /resend/contacts/{}
        PATCH /resend/contacts/{}/topics
        PATCH /v1/contacts/{}/topics
        POST /resend/contact-properties
        DELETE /resend/contact-properties/{}
        POST /resend/segments/{}/contacts
        POST /resend/audiences/{}/contacts
        PATCH /resend/segments/{}/contacts/{}
        PATCH /resend/audiences/{}/contacts/{}
        POST /resend/suppressions
        POST /resend/suppressions/batch/add
        POST /resend/suppressions/batch/remove
        DELETE /resend/suppressions/{}
        POST /v1/contacts
        POST /v1/contacts/upsert
        POST /v1/contacts/batch
        PATCH DELETE /v1/contacts/{}
        GET /contacts/new
        POST /contacts
        GET /contacts/{}/edit
        POST /contacts/{}
        POST /contacts/{}/segments
        POST /contacts/{}/topics
        POST /contacts/{}/unsubscribe
        GET POST /contacts/{}/subscribe
        GET POST /contacts/{}/delete
        GET POST /contacts/fields/new
        GET POST /contacts/fields/edit
        GET POST /contacts/fields/delete
        POST /contacts/ticked/segment
        POST /contacts/ticked/unsubscribe
        POST /contacts/ticked/ask-delete
        POST /contacts/ticked/delete
        GET /contacts/changes/{}
        POST /contacts/changes/{}/stop
        GET POST /imports
        GET /imports/new
        GET /imports/{}
        GET /imports/{}/progress
        GET POST /imports/{}/columns
        POST /imports/{}/reading
        POST /imports/{}/words
        POST /imports/{}/run
        GET POST /imports/{}/undo
        GET POST /imports/{}/discard
        GET /imports/{}/refused.csv
        GET /imports/{}/misfits.csv
        POST /v1/suppressions
        POST /v1/suppressions/batch
        DELETE /v1/suppressions/{}
        GET /suppressions/new
        POST /suppressions
        GET POST /suppressions/{}/remove
        POST /suppressions/ticked/ask-remove
        POST /suppressions/ticked/remove
        GET POST /suppressions/import
    """,
    Action.SEGMENTS: """
        POST DELETE /resend/contacts/{}/segments/{}
        POST /resend/segments
        POST /resend/audiences
        PATCH DELETE /resend/segments/{}
        PATCH DELETE /resend/audiences/{}
        DELETE /resend/segments/{}/contacts/{}
        DELETE /resend/audiences/{}/contacts/{}
        POST /v1/segments
        PATCH DELETE /v1/segments/{}
        POST /v1/segments/{}/contacts
        DELETE /v1/segments/{}/contacts/{}
        GET /segments/new
        GET POST /segments/new/dynamic
        POST /segments/matches
        POST /segments
        GET POST /segments/{}/filter
        GET POST /segments/{}/name
        GET POST /segments/{}/delete
        GET /segments/{}/add
        POST /segments/{}/members
        POST /segments/{}/members/ticked
        POST /segments/{}/members/{}/remove
        GET POST /segments/{}/sheet
        POST /segments/{}/sheet/read
        GET POST /segments/{}/sheet/stop
    """,
    Action.FORMS: """
        POST /v1/forms
        PATCH DELETE /v1/forms/{}
        GET /forms/new
        POST /forms/preview
        POST /forms
        GET POST /forms/{}/edit
        GET POST /forms/{}/delete
        POST /v1/forms/{}/sign-ups
    """,
    Action.MEDIA: """
        POST /v1/media
        DELETE /v1/media/{}
        POST /media
        POST /media/choices
        GET POST /media/{}/delete
    """,
    Action.TOPICS: """
        GET /topics/new
        POST /topics
        GET POST /topics/{}
        GET POST /topics/{}/delete
        POST /resend/topics
        PATCH DELETE /resend/topics/{}
        POST /v1/topics
        PATCH DELETE /v1/topics/{}
    """,
    Action.TEMPLATES: """
        POST /resend/templates
        PATCH DELETE /resend/templates/{}
        POST /resend/templates/{}/publish
        POST /resend/templates/{}/duplicate
        POST /v1/templates
        PATCH /v1/brand
        GET POST /organization/brand
        GET POST /organization/brand/sample
        PATCH DELETE /v1/templates/{}
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
        GET POST /templates/{}/delete
    """,
    Action.CAMPAIGNS: """
        POST /resend/broadcasts
        PATCH DELETE /resend/broadcasts/{}
        POST /resend/broadcasts/{}/duplicate
        POST /v1/campaigns
        PATCH DELETE /v1/campaigns/{}
        POST /v1/campaigns/{}/test
        GET /campaigns/new
        POST /campaigns
        GET POST /campaigns/{}/audience
        GET POST /campaigns/{}/content
        GET /campaigns/{}/content/{}
        GET POST /campaigns/{}/senders
        GET POST /campaigns/{}/schedule
        POST /campaigns/{}/test
        POST /campaigns/{}/duplicate
        POST /campaigns/{}/follow-up
        GET POST /campaigns/{}/runs/{}/give-up
        GET POST /campaigns/{}/delete
    """,
    Action.SANDBOX: """
        DELETE /v1/sandbox/messages
        DELETE /v1/sandbox/messages/{}
        GET POST /sandbox/empty
    """,
    Action.ACCOUNTS: """
        POST /v1/accounts
        PATCH DELETE /v1/accounts/{}
        POST /v1/accounts/{}/from-check
        GET /accounts/new
        POST /accounts
        POST /accounts/{}
        POST /accounts/{}/bounces
        POST /accounts/{}/from-check
        POST /accounts/{}/from-check/dns
        POST /accounts/{}/pace
        POST /accounts/{}/test-login
        POST /accounts/{}/pause
        POST /accounts/{}/resume
        GET POST /accounts/{}/delete
        GET /accounts/google
        GET /accounts/google/callback
        GET /accounts/microsoft
        GET /accounts/microsoft/callback
        GET /accounts/graph
        GET /accounts/{}/google
        GET /accounts/{}/microsoft
        GET /accounts/{}/graph
        GET /accounts/{}/google/sheets/{}
    """,
    Action.PERSONAL_DATA: """
        GET /v1/contacts/{}/export
        POST /v1/contacts/{}/erase
        GET /contacts/{}/data.json
        GET POST /contacts/{}/erase
    """,
    Action.REQUESTS: """
        GET /resend/logs
        GET /resend/logs/{}
        GET /requests
        GET /requests/list
        GET /requests/{}
    """,
    Action.AUDIT: """
        GET /audit
    """,
    Action.KEYS: """
        GET POST /resend/api-keys
        DELETE /resend/api-keys/{}
        GET /api-keys/new
        POST /api-keys
        GET /api-keys/{}/secret
        GET POST /api-keys/{}/revoke
    """,
    Action.WEBHOOKS: """
        GET POST /resend/webhooks
        GET PATCH DELETE /resend/webhooks/{}
        POST /resend/webhooks/{}/signing-secret/rotate
        GET /resend/webhooks/{}/events
        GET /resend/webhooks/{}/events/{}
        POST /resend/webhooks/{}/events/{}/replay
        GET /resend/webhooks/{}/events/{}/attempts
        GET POST /v1/webhooks
        GET PATCH DELETE /v1/webhooks/{}
        POST /v1/webhooks/{}/signing-secret/rotate
        POST /v1/webhooks/{}/test
        GET /v1/webhooks/{}/events
        GET /v1/webhooks/{}/attempts
        POST /v1/webhooks/{}/events/{}/replay
        POST /v1/webhooks/{}/replay
        GET POST /webhooks
        GET /webhooks/new
        GET /webhooks/{}
        GET /webhooks/{}/attempts/{}
        GET POST /webhooks/{}/edit
        POST /webhooks/{}/status
        POST /webhooks/{}/test
        POST /webhooks/{}/replay
        POST /webhooks/{}/events/{}/replay
        GET POST /webhooks/{}/rotate
        GET /webhooks/{}/secret
        GET POST /webhooks/{}/delete
    """,
    Action.TEAM: """
        GET POST /team/members/{}/role
        GET POST /team/members/{}/remove
        GET /team/invitations/new
        POST /team/invitations
        GET /team/invitations/{}/link
        GET POST /team/invitations/{}/revoke
    """,
    Action.ORGANIZATION: """
        GET POST /organization
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
        return re.match(r"(/api/v1|/v1|/resend)/", self.path) is not None

    @property
    def is_resend(self) -> bool:
        """Whether it has Resend's shapes."""
        return self.path.startswith("/resend/")

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
    """The routes that a table names, each with one method."""
    lines = [line.split() for line in text.strip().splitlines()]
    return {f"{method} {path}" for *methods, path in lines for method in methods}
