"""Two organizations: one with rows of every kind in every state, and one where nothing has happened yet."""

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.message import EmailMessage
from typing import Any
from urllib.parse import urlsplit

from tests.factories import (
    make_account,
    make_bulk_change,
    make_campaign,
    make_invitation,
    make_org,
    make_request_details,
    make_suppression,
    make_template,
    make_version,
    make_webhook,
    make_webhook_attempt,
)
from tests.support.pictures import animation, picture
from tests.tools.showcase.bounces import fill_bounces
from tests.tools.showcase.forms import make_forms, sign_up_link
from tests.tools.showcase.from_checks import fill_from_checks
from tests.tools.showcase.mail import Mail, id_at
from tests.tools.showcase.paces import fill_forecast, fill_waiting, make_paced
from tests.tools.showcase.results import fill_results
from tests.tools.showcase.topics import make_topics
from tests.tools.showcase.words import (
    BLOCKS,
    CITIES,
    FIELDS,
    FIRST_NAMES,
    LAST_NAMES,
    LETTER,
    MAILBOXES,
    NO_ADDRESS,
    OWNER,
    PASSWORD,
    PATHS,
    REFUSED_ROWS,
    SAYS,
    SHOPS,
    SPAM,
    TEMPLATES,
)
from webapp import clock, crypto
from webapp.domain import link_signing
from webapp.domain.accounts import credentials
from webapp.domain.accounts.accounts import sandbox_account
from webapp.domain.api_keys import NewKey, issue_key
from webapp.domain.audit.audit import act_as
from webapp.domain.auth.one_time_links import Purpose, create_link
from webapp.domain.auth.sessions import Browser, open_session
from webapp.domain.auth.totp import new_secret
from webapp.domain.auth.two_step import CODES, binding
from webapp.domain.contacts.fields import snapshot
from webapp.domain.contacts.unsubscribe import sample_links, token_for
from webapp.domain.inputs import read_input
from webapp.domain.link_signing import ReaderLink, ReaderPath
from webapp.domain.media.media import add_media, url_of
from webapp.domain.merge_tags.budget import ContentKind
from webapp.domain.merge_tags.rendering import render_tags
from webapp.domain.plans.plans import PLANS
from webapp.domain.roles import Role
from webapp.domain.sandbox.sandbox import store_mail
from webapp.domain.templates.inputs import NewTemplate
from webapp.domain.templates.templates import add_template
from webapp.languages.spelling import search_form
from webapp.models import (
    Account,
    ApiRequest,
    Campaign,
    CampaignRun,
    Contact,
    ContactImport,
    CustomField,
    Email,
    Event,
    ImportChange,
    ImportChunk,
    ImportRefusal,
    MailLog,
    Membership,
    Organization,
    RecoveryCode,
    Segment,
    SegmentContact,
    SegmentSheet,
    Template,
    User,
    instance,
)
from webapp.models.contact_import import ImportStatus
from webapp.models.event import EventType
from webapp.models.mail_log import DEFERRED, FAILED, HALTED, PENDING, SENT
from webapp.models.queries.contacts.segment_filter import filter_values
from webapp.models.queries.event_log import MailChange, record_mail_events

ZONE = "Europe/Berlin"
DAYS = 29  # before today
CONTACTS, LETTER_READERS = 420, 260
CSV = "email;first_name;city\nada@example.org;Ada;Berlin\nben@example.org;Ben;Wien\n"
SHEET_READ = {
    "created": 4,
    "joined": 6,
    "changed": 2,
    "refused": 1,
    "refusals": [{"row": 18, "reason": NO_ADDRESS}],
}
IMPORTED = {"file_name": "fair-2026.csv", "size_bytes": len(CSV), "encoding": "utf-8", "delimiter": ";"}
CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36"


@dataclass
class Showcase:
    """What opens the pages: tokens of sessions by whose they are, and rows as the paths of their pages name them."""

    sessions: dict[str, str] = field(default_factory=dict)
    rows: list[dict[str, str]] = field(default_factory=list)
    waiting: list[tuple[str, str]] = field(default_factory=list)  # for what recipients' rows wait, and their ids
    doorsteps: list[str] = field(default_factory=list)  # the paths of links that were mailed
    sandbox_login: str = ""  # as a URL has it

    def note(self, **named: Any) -> None:
        """Add a row by the names that paths give it and those that it belongs to."""
        self.rows.append({name: str(getattr(row, "id", row)) for name, row in named.items()})


async def fill() -> Showcase:
    """Fill the connected database, which is empty."""
    await instance.load_signing_key()  # the links of mail are signed by it
    show = Showcase()
    org = await make_org("Northwind Books", timezone=ZONE, plan="scale")
    ada = await _people(show, org)
    accounts = await _accounts(show, org)
    contacts = await _contacts(show, org)
    segments = await _segments(show, org, contacts, accounts[2])
    for topic in await make_topics(org, contacts):
        show.note(topic_id=topic)
    for form in await make_forms(org, segments[0][0], accounts[0]):
        show.note(form_id=form)
        show.doorsteps += [f"/f/{form.key}", urlsplit(await sign_up_link(form)).path]
    templates = [
        await make_template(org, name=name, subject=subject, body=body, variables=tags)
        for name, subject, body, tags in TEMPLATES
    ]
    fields = {"name": "Winter letter", "subject": "Books for winter", "blocks": BLOCKS}
    templates.append(await add_template(org, read_input(NewTemplate, fields, strict=True)))
    for template in templates:
        show.note(template_id=template)
    version = await make_version(templates[0], subject="Rivers", body=LETTER)
    show.note(template_id=templates[0], version_id=version)
    mail = Mail(org)
    email = await mail.transactional(accounts[:2], contacts, DAYS)
    show.note(email_id=email, row_id=email, mail_log_id=email, number=1)
    show.note(campaign_id=await fill_forecast(org, segments[0][0], templates[0]))
    await _campaigns(show, mail, segments, templates, accounts)
    paced = await make_paced(org)
    show.note(account_id=paced)
    waiting = await fill_waiting(mail, paced, *segments[1], templates[1])
    show.note(campaign_id=waiting[0].campaign_id)
    show.note(row_id=waiting[1], mail_log_id=waiting[1], email_id=waiting[1])
    reasons = ("waiting for the window", "waiting for a provider", "waiting for the rates")
    show.waiting += [(why, str(row.id)) for why, row in zip(reasons, waiting, strict=True)]
    await mail.write()
    await fill_results(org)
    await _programs(show, org, ada, accounts[0])
    await _inbox(show, org)
    await _webhooks(show, org)
    await _suppressions(show, org, contacts, email)
    for row in await fill_bounces(org, accounts[0]):
        show.note(row_id=row, mail_log_id=row, email_id=row.email_id)
    await fill_from_checks(accounts[0], accounts[1], paced)
    await _media(show, org)
    await _imports(show, org, segments[1], contacts)
    done: dict[str, Any] = {
        "action": "segment",
        "segment_id": segments[1][0].id,
        "total": 1_954,
        "finished_at": clock.now(),
    }
    for failure, count in ((None, 1_954), ("The segment was deleted.", 500)):
        counts = {"reached_count": count, "changed_count": count - 29}
        show.note(change_id=await make_bulk_change(org, **done, **counts, failure=failure))
    show.note(org_id=org)
    empty = await make_org("Empty Shelf", timezone=ZONE, plan="free")
    await sandbox_account(empty)
    await _limited(show)
    viewed = next(row for row in mail.rows if row.campaign_run_id and row.status == SENT)
    show.sessions["empty"] = await _sign_in(await _person(empty, "erin@empty.example", Role.OWNER), empty)
    show.doorsteps += [
        f"/unsubscribe/{token_for(contacts[1].id, id_at(clock.now()))}",
        f"/unsubscribe/{token_for(contacts[5].id, id_at(clock.now()))}",
        f"/unsubscribe/{token_for(contacts[1].id, id_at(clock.now()))}/preferences",
        f"/preferences/{org.public_key}",
        f"/preferences/{org.public_key}/sent",
        *(
            urlsplit(ReaderLink(path, contacts[1].id, id_at(clock.now())).url).path
            for path in (ReaderPath.DATA, ReaderPath.ERASE)
        ),
        urlsplit(link_signing.browser_link(viewed.id, org.id)).path,
        f"/reset/{await create_link(Purpose.RESET, OWNER)}",
        f"/sign-up/{await create_link(Purpose.SIGN_UP, 'new@example.org')}",
    ]
    return show


async def _person(org: Organization, email: str, role: Role, name: str = "") -> User:
    first_name, _, last_name = name.partition(" ")
    user = await User.create(email=email, password_hash=await _hash(), first_name=first_name, last_name=last_name)
    await Membership.create(org=org, user=user, role=role)
    return user


_hashes: list[str] = []


async def _hash() -> str:
    if not _hashes:
        _hashes.append(await crypto.hash_password(PASSWORD))
    return _hashes[0]


async def _sign_in(user: User, org: Organization) -> str:
    return (await open_session(user, org, Browser("203.0.113.7", CHROME))).token


async def _people(show: Showcase, org: Organization) -> User:
    """The team, of whom the first is the owner; the invitations are open and over."""
    ada = await _person(org, OWNER, Role.OWNER, "Ada Lovelace")
    act_as(ada, "203.0.113.7")
    show.sessions["full"] = await _sign_in(ada, org)
    for name, local, role in (
        ("Ben Okafor", "ben", Role.ADMIN),
        ("Chloé Castellanos-Hernandez", "chloé.castellanos-hernandez", Role.EDITOR),
        ("", "dilara", Role.SENDER),
    ):
        user = await _person(org, f"{local}@northwind.example", role, name)
        show.note(member_id=await Membership.get(user_id=user.id))
        show.sessions[role] = await _sign_in(user, org)
        if role is Role.EDITOR:
            await _second_step(user)
    viewer = await _person(org, "vera@northwind.example", Role.VIEWER)
    show.sessions[Role.VIEWER] = await _sign_in(viewer, org)
    token, now = crypto.new_token(), clock.now()
    invited = await make_invitation(org, ada, email="emil@example.org", token_hash=crypto.digest(token))
    await make_invitation(org, ada, email="fatima@example.org", role="admin", expires_at=now - timedelta(days=1))
    show.note(invitation_id=invited)
    show.doorsteps.append(f"/join/{token}")
    return ada


async def _second_step(user: User) -> None:
    """Two-step sign-in as somebody has set it up who has used one recovery code since."""
    await User.filter(id=user.id).update(totp_secret=crypto.seal(new_secret(), binding(user)), totp_step=0)
    codes = [RecoveryCode(user=user, code_hash=crypto.digest(crypto.new_token())) for _ in range(CODES - 1)]
    await RecoveryCode.bulk_create(codes)


async def _limited(show: Showcase) -> None:
    """An organization whose plan allows no more accounts and templates."""
    org = await make_org("Full House", timezone=ZONE, plan="free")
    await sandbox_account(org)
    for number in range(PLANS["free"].max_accounts or 0):
        await make_account(org, name=f"Account {number + 1}")
    for number in range(PLANS["free"].max_templates or 0):
        await make_template(org, name=f"Template {number + 1}")
    show.sessions["limited"] = await _sign_in(await _person(org, "finn@full.example", Role.OWNER), org)


async def _accounts(show: Showcase, org: Organization) -> list[Account]:
    now = clock.now()
    own = {"smtp_host": "smtp.northwind.example", "smtp_port": 587, "smtp_security": "starttls"}
    google = {"provider_type": "google", "smtp_host": None, "smtp_port": None, "smtp_security": None}
    fields: list[dict[str, Any]] = [
        {"name": "Shop", "from_email": "shop@northwind.example", "daily_mail_limit": 2_000, **own},
        {"name": "Letters", "from_email": "letters@northwind.example", "daily_mail_limit": 250, **own},
        {"name": "Gmail of Ada", "from_email": "ada@gmail.example", "google_email": "ada@gmail.example", **google},
        {"name": "Old relay in the cellar of the old shop", "from_email": "old@northwind.example", "status": "error"}
        | {
            "last_error": "smtp.northwind.example rejected the login: 535 5.7.8 Authentication credentials invalid",
            **own,
        },
        {"name": "Summer", "from_email": "summer@northwind.example", "status": "paused", **own},
    ]
    made = [await make_account(org, **one, last_used_at=now - timedelta(minutes=3)) for one in fields]
    made[2].google_refresh_token = credentials.seal_secret(made[2], "google_refresh_token", "a token")
    await made[2].save()
    sandbox = await sandbox_account(org)
    show.sandbox_login = f"{sandbox.account_key}:{credentials.open_secret(sandbox, 'smtp_password')}"
    for account in made:
        show.note(account_id=account)
    return made


async def _contacts(show: Showcase, org: Organization) -> list[Contact]:
    """People from all over the world; some have left, of some the mail came back."""
    chance, now = random.Random(3), clock.now()
    made = []
    for number in range(CONTACTS):
        first, last = chance.choice(FIRST_NAMES), chance.choice(LAST_NAMES)
        at = now - timedelta(days=40 - number * 40 / CONTACTS, minutes=5)
        shop = chance.choice(SHOPS)
        email = f"{first}.{last}{number}@{MAILBOXES.get(number % 8, shop)}".lower()
        contact = Contact(
            id=id_at(at),
            created_at=at,
            org_id=org.id,
            email=email,
            email_key=email,
            first_name=None if number % 9 == 0 else first,
            last_name=last,
            phone=f"+49 30 5550{number:03}" if number % 3 else None,
            custom_fields={
                "city": chance.choice(CITIES),
                "orders": chance.randint(0, 40),
                "signup_date": f"{at:%Y-%m-%d}",
                "member": number % 3 == 0,
            },
            search_text=search_form(f"{email}\n{first} {last}"),
            status="unsubscribed" if number % 13 == 5 else "subscribed",
            unsubscribed_at=now - timedelta(days=2) if number % 13 == 5 else None,
            bounced_at=now - timedelta(days=5) if number % 31 == 7 else None,
        )
        contact.filter_values = filter_values(contact)
        made.append(contact)
    await Contact.bulk_create(made, batch_size=500)
    for position, (name, label, kind) in enumerate(FIELDS, 1):
        await CustomField.named(org, name, label=label, kind=kind, position=position).save()
    for contact in (made[0], made[5], made[7]):
        show.note(contact_id=contact)
    return made


async def _segments(
    show: Showcase, org: Organization, contacts: Sequence[Contact], google: Account
) -> list[tuple[Segment, Sequence[Contact]]]:
    """Segments with their members, of which one follows a sheet, and one is empty."""
    in_berlin = [contact for contact in contacts if contact.custom_fields["city"] == "Berlin"]
    made = []
    parts = {"Readers of the letter": contacts[:LETTER_READERS], "Berlin": in_berlin, "Book fair 2026": []}
    for name, members in parts.items():
        segment = await Segment.create(
            org=org,
            name=name,
            name_key=name.casefold(),
            contact_count=len(members),
            created_at=clock.now() - timedelta(days=40),
        )
        rows = [SegmentContact(org_id=org.id, segment_id=segment.id, contact_id=contact.id) for contact in members]
        await SegmentContact.bulk_create(rows, batch_size=500)
        show.note(segment_id=segment)
        made.append((segment, members))
    await SegmentSheet.create(
        org=org,
        segment=made[1][0],
        account_id=google.id,
        spreadsheet_id="1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms",
        title="Readers in Berlin",
        tab="Sheet1",
        synced_at=clock.now() - timedelta(minutes=20),
        next_sync_at=clock.now() + timedelta(minutes=40),
        report={"last": SHEET_READ | {"rows": len(in_berlin) + 1}, "most": None},
    )
    show.note(segment_id=made[1][0], account_id=google)
    return made


async def _campaigns(
    show: Showcase,
    mail: Mail,
    segments: Sequence[tuple[Segment, Sequence[Contact]]],
    templates: Sequence[Template],
    accounts: Sequence[Account],
) -> None:
    """One in each status: draft, scheduled in two ways, sending, sent and halted."""
    org, now, (readers, members) = mail.org, clock.now(), segments[0]
    whole = {"segment": readers, "template": templates[0]}
    letter = await make_campaign(
        org, title="Monthly letter", status="sent", description="Goes out each month.", **whole
    )
    for back in (26, 19, 12, 5):
        at = now - timedelta(days=back, hours=2)
        finished: dict[str, Any] = {
            "status": "completed",
            "finished_at": at + timedelta(minutes=9),
            "html": LETTER,
            "every": 2,
        }
        finished["tracking"] = {"opens": True, "clicks": True}
        run = await mail.run(letter, at, members, accounts[:3], ((SENT, 97), (FAILED, 3)), **finished)
        show.note(campaign_id=letter, run_id=run)
    letter.last_run_at = run.created_at
    await letter.save()
    left = [contact.id for contact in members[5::26]]
    await Contact.filter(id__in=left).update(unsubscribed_campaign_id=letter.id)
    at = now - timedelta(minutes=6)
    reading = whole | {"template": templates[2]}
    sending = await make_campaign(org, title="A reading on Thursday", status="sending", last_run_at=at, **reading)
    waits = ((SENT, 58), (FAILED, 3), (DEFERRED, 9), (PENDING, 30))
    reached = [contact for contact in members if contact.status == "subscribed" and not contact.bounced_at]
    opens = {"opens": True, "clicks": False}
    under_way = await mail.run(sending, at, reached, accounts[:3], waits, html=LETTER, tracking=opens, every=1)
    why = f"the last 20 emails were rejected with the same error ({SPAM[1]}). Fix the cause, then resume"
    at = now - timedelta(days=1)
    halted = await make_campaign(org, title="Winter sale", status="halted", halted_reason=why, last_run_at=at, **whole)
    stopped = ((SENT, 30), (FAILED, 25), (HALTED, 45))
    held: dict[str, Any] = {"status": "halted", "halted_reason": why, "html": LETTER}
    of_halted = await mail.run(halted, at, members[:120], accounts[:2], stopped, failure=SPAM, **held)
    summer = await _forgotten(org, now - timedelta(days=150), whole)
    soon = now + timedelta(days=3)
    timed = {"status": "scheduled", "scheduled_at": soon, "anchor_at": soon, "next_run_at": soon, **whole}
    excluded = [str(segments[1][0].id)]
    recurring = {"schedule_type": "recurring", "recurrence_interval": 2, "recurrence_unit": "week"}
    made = [
        letter,
        sending,
        halted,
        summer,
        await make_campaign(org, title="Advent calendar", schedule_type="scheduled_once", **timed),
        await make_campaign(org, title="Every other week", **recurring, **timed, **SAYS, exclude_segment_ids=excluded),
        await make_campaign(org, title="Half an idea", segment=segments[1][0]),
    ]
    for campaign in made:
        show.note(campaign_id=campaign)
    show.note(campaign_id=letter, template_id=templates[0])
    show.note(campaign_id=sending, run_id=under_way)
    show.note(campaign_id=halted, run_id=of_halted)
    for status in (FAILED, DEFERRED, HALTED, PENDING):
        row = next(row for row in reversed(mail.rows) if row.status == status)
        show.note(row_id=row, mail_log_id=row, **({"email_id": row} if row.email_id else {}))


async def _forgotten(org: Organization, at: datetime, whole: dict[str, Any]) -> Campaign:
    """A campaign sent so long ago that retention has deleted its mail logs."""
    campaign = await make_campaign(org, title="Summer letter", status="sent", last_run_at=at, **whole)
    counts = {"sent": 231, "failed": 4}
    await CampaignRun.create(
        id=id_at(at),
        created_at=at,
        org=org,
        campaign_id=campaign.id,
        trigger="dashboard",
        trigger_key=str(at),
        started_at=at,
        finished_at=at + timedelta(minutes=8),
        status="completed",
        materialised=True,
        is_counted=True,
        is_announced=True,
        bounced=5,
        complained=1,
        ended_counts=counts,
        frozen_counts=counts,
    )
    return campaign


async def _programs(show: Showcase, org: Organization, ada: User, account: Account) -> None:
    """Keys in every state, and what programs asked for."""
    now, chance = clock.now(), random.Random(5)
    keys = []
    scope = {
        "allowed_from": [account.from_email, "@mailings.northwind.example"],
        "allowed_account_ids": [account.id],
        "allowed_networks": ["203.0.113.0/24", "2001:db8::/48"],
    }
    of_keys: list[tuple[str, str, int | None, dict[str, Any]]] = [
        ("Web shop", "sender", None, {}),
        ("Nightly report", "viewer", 40, {}),
        ("Old website", "admin", 9, {}),
        ("Till in the shop", "sender", 300, scope),
    ]
    for name, role, days, limits in of_keys:
        fields = limits | {"name": name, "role": role, "expires_at": now + timedelta(days=days) if days else None}
        keys.append((await issue_key(org, NewKey(**fields), ada)).key)
        show.note(key_id=keys[-1])
    keys[0].last_used_at, keys[2].expires_at = now, now - timedelta(days=1)
    for key in keys:
        await key.save()
    times = [now - timedelta(minutes=11 * number) for number in range(180)]
    requests = [
        ApiRequest(
            id=id_at(at),
            created_at=at,
            org_id=org.id,
            key_id=chance.choice(keys).id,
            method=(method := chance.choice(("GET", "POST", "POST", "PATCH"))),
            path=chance.choice(PATHS),
            status=chance.choices((201 if method == "POST" else 200, 400, 404, 429), (80, 5, 4, 2))[0],
            duration_ms=chance.randint(4, 90),
            address=f"198.51.100.{chance.randint(1, 30)}",
            request_id=id_at(at).hex,
        )
        for at in times
    ]
    await ApiRequest.bulk_create(requests, batch_size=500)
    show.note(request_id=requests[0].id)
    sent = {"account_key": "shop", "from": "shop", "to": "ada@example.org", "subject": "Your order", "text": "Thanks!"}
    got = {"error": "ValidationError", "errors": [{"field": "from", "message": "from must be an email address"}]}
    headers = [["Content-Type", "application/json"], ["User-Agent", "shop/2.4 httpx/0.28"]]
    bodies = {"request_body": json.dumps(sent), "response_body": json.dumps(got)}
    await make_request_details(org, requests[0], headers=json.dumps(headers), **bodies)


async def _suppressions(show: Showcase, org: Organization, contacts: Sequence[Contact], email: Email) -> None:
    """One of each reason, of which one has its email, and a domain."""
    for number, (address, reason) in enumerate(
        [
            (contacts[3].email, "bounce"),
            (contacts[5].email, "complaint"),
            ("a.rather.long.address.that.a.phone.has.to.break@mailings.northwind.example", "import"),
            ("*@competitor.example", "manual"),
        ]
    ):
        source = email.id if number == 0 else None
        show.note(suppression_id=await make_suppression(org, address, reason=reason, mail_log_id=source))


async def _media(show: Showcase, org: Organization) -> None:
    """A banner, a wide logo with a long name, a tall photo, a small icon and an animation; a template has the banner."""
    for name, data in (
        ("spring-sale.jpg", picture("JPEG", (1200, 600), "seagreen")),
        ("northwind-books-logo-for-emails-with-a-name-that-is-far-too-long.png", picture("PNG", (900, 120), "navy")),
        ("Window display.webp", picture("WEBP", (600, 1100), "goldenrod")),
        ("icon.png", picture("PNG", (24, 24), "crimson")),
        ("Page turning.gif", animation(4, (320, 200))),
    ):
        media, _ = await add_media(org, name, data)
        if name == "spring-sale.jpg":
            await make_template(org, name="Spring sale", body=f'<img src="{url_of(media)}" alt="Spring sale">')
        show.note(media_id=media)


async def _webhooks(show: Showcase, org: Organization) -> None:
    """An endpoint that works now and then, one that is gone, and what happened."""
    sent = await MailLog.of(org).filter(email_id__isnull=False, status=SENT).order_by("-id").limit(6)
    for number, row in enumerate(sent):
        kind = (EventType.EMAIL_BOUNCED, EventType.EMAIL_SENT, EventType.EMAIL_DELIVERY_DELAYED)[number % 3]
        data: dict[EventType, dict[str, Any]] = {
            EventType.EMAIL_BOUNCED: {"bounce": {"type": "Permanent", "diagnosticCode": ["550 5.1.1 no such user"]}},
            EventType.EMAIL_DELIVERY_DELAYED: {"delayed": {"reason": "451 4.7.1 Greylisted, try again later"}},
        }
        await record_mail_events([MailChange(row.id, kind, data.get(kind, {}))])
    webhook = await make_webhook(org, "https://shop.northwind.example/hooks/pennypost?environment=production")
    gone = await make_webhook(
        org, "https://old.northwind.example/hooks", status="disabled", disabled_reason="it answered 410 Gone"
    )
    events = await Event.of(org).order_by("-id").limit(8)
    for number, event in enumerate(events):
        answers: list[dict[str, Any]] = [
            {"response_status": 200, "answer": "ok"},
            {
                "response_status": None,
                "answer": None,
                "error": "shop.northwind.example did not answer within 15 seconds",
            },
            {"response_status": 500, "answer": "<h1>Internal Server Error</h1>"},
        ]
        attempt = await make_webhook_attempt(webhook, event.id, milliseconds=7 + 83 * number, **answers[number % 3])
        show.note(event_id=event.id, webhook_id=webhook.id, attempt_id=attempt.id)
    await make_webhook_attempt(gone, events[0].id, response_status=410, answer="")
    show.note(webhook_id=gone.id)


async def _inbox(show: Showcase, org: Organization) -> None:
    """What the sandbox received, the newest with a file."""
    received = render_tags(LETTER, {"first_name": "Ada"} | sample_links(), ContentKind.HTML)
    for number in range(14):
        letter = EmailMessage()
        letter["Subject"] = f"Your order {1000 + number}: Grüße aus der Buchhandlung"
        letter["From"], letter["To"] = "Northwind Books <shop@northwind.example>", f"reader{number}@example.org"
        letter["Message-ID"] = f"<{number}@northwind.example>"
        letter.set_content("Thank you for your order. It leaves tomorrow morning.")
        letter.add_alternative(received, subtype="html")
        letter.add_attachment(b"%PDF-1.7\n", maintype="application", subtype="pdf", filename="receipt.pdf")
        mail = await store_mail(org.id, "shop@northwind.example", [f"reader{number}@example.org"], bytes(letter))
    show.note(mail_id=mail, number=4)  # the part that is the file


async def _imports(
    show: Showcase, org: Organization, segment: tuple[Segment, Sequence[Contact]], contacts: Sequence[Contact]
) -> None:
    """An import in each state."""
    now, mapping = clock.now(), {"0": "email", "1": "first_name", "2": "custom:city"}
    counts = {"created_count": 1_204, "changed_count": 87, "unchanged_count": 911, "refused_count": len(REFUSED_ROWS)}
    begun: dict[str, Any] = {"header": CSV.partition("\n")[0].split(";"), "made_by_name": OWNER}
    for status in ImportStatus:
        fields = begun | IMPORTED | {"status": status, "segment_id": segment[0].id}
        if status != ImportStatus.UPLOADED:
            fields |= {"mapping": mapping, **counts}
        if status in (ImportStatus.CHECKING, ImportStatus.RUNNING, ImportStatus.UNDOING):
            fields |= {"next_line": 900, "next_byte": len(CSV) // 2, "lease_until": now + timedelta(days=2)}
        if status in (ImportStatus.DONE, ImportStatus.UNDONE, ImportStatus.FAILED):
            fields |= {"finished_at": now - timedelta(hours=2), "next_line": 3, "next_byte": len(CSV)}
        if status == ImportStatus.FAILED:
            fields["failure"] = "The segment for its contacts was deleted"
        one = await ContactImport.create(org=org, **fields)
        await ImportChunk.create(contact_import=one, number=0, data=CSV.encode())
        for line, reason, cells in REFUSED_ROWS if "mapping" in fields else ():
            await ImportRefusal.create(contact_import=one, line=line, reason=reason, cells=cells)
        if status == ImportStatus.DONE:
            after = snapshot(contacts[0], ["first_name"])
            await ImportChange.create(contact_import=one, contact_id=contacts[0].id, before={}, after=after)
        show.note(import_id=one)
