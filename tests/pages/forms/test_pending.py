"""People who have not confirmed get only the confirmation, in any order of events."""

import random
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from tests.api.conftest import Api, make_api
from tests.factories import make_campaign, make_form, make_segment, make_template
from tests.pages.conftest import Visitor
from tests.pages.forms.conftest import Inbox, ask
from webapp import clock
from webapp.domain.campaigns import run_rows
from webapp.domain.forms import sign_up
from webapp.domain.forms.sign_up import expire_sign_ups
from webapp.domain.imports import worker
from webapp.domain.imports.imports import ImportChoices, begin_run, choose_columns, store_upload
from webapp.domain.personal_data.erase import process_pending
from webapp.models import Account, Campaign, Contact, MailLog, Organization, PendingSignUp, Segment, SignUpForm, User

PEOPLE = [f"p{number}@example.org" for number in range(5)]
STEPS = 60


class World:
    """Events around a form, each with a random person."""

    def __init__(self, visitor: Visitor, api: Api, org: Organization, form: SignUpForm, segment: Segment) -> None:
        self.visitor, self.api, self.org, self.form, self.segment = visitor, api, org, form, segment
        self.inbox: Inbox
        self.confirmed: set[str] = set()  # or brought by the team
        self.erased: set[str] = set()

    async def ask(self, person: str) -> None:
        self.visitor.app.extensions.pop("sign_up_throttle", None)
        await ask(self.visitor, self.form, person)

    async def mail(self, _: str) -> None:
        await sign_up.queue.send()

    async def confirm(self, person: str) -> None:
        links = [link for link in await self.inbox.links(person) if link.startswith("/f/")]
        if links and (await self.visitor.post(links[-1])).title == "You're in":
            self.confirmed.add(person)
            self.erased.discard(person)

    async def leave(self, person: str) -> None:
        await Contact.of(self.org).filter(email=person).update(status="unsubscribed", unsubscribed_at=clock.now())

    async def bring(self, person: str) -> None:
        """By the team, which may try to bring erased people back."""
        if person in self.confirmed | self.erased:
            await self.api.post("/v1/contacts/upsert", {"email": person, "segments": [str(self.segment.id)]})

    async def import_file(self, _: str) -> None:
        """Import everyone whom the team knows, erased people included."""
        if not self.confirmed | self.erased:
            return

        async def pieces() -> AsyncIterator[bytes]:
            yield "\n".join(["email", *sorted(self.confirmed | self.erased)]).encode()

        maker = (await User.get_or_create(email="ada@acme.example", defaults={"password_hash": "!"}))[0]
        row = await store_upload(self.org, maker, "people.csv", pieces())
        row = await choose_columns(self.org, row, ImportChoices(mapping={0: "email"}, segment_id=self.segment.id))
        await worker.process_pending()
        await begin_run(self.org, row)
        await worker.process_pending()

    async def erase(self, person: str) -> None:
        contact = await Contact.of(self.org).get_or_none(email=person)
        if contact is not None:
            await self.api.post(f"/v1/contacts/{contact.id}/erase")
            await process_pending()
            self.confirmed.discard(person)
            self.erased.add(person)

    async def send(self, _: str) -> None:
        campaign: Campaign = await make_campaign(self.org, segment=self.segment, template=await make_template(self.org))
        await self.api.post(f"/v1/campaigns/{campaign.id}/send", {})
        await run_rows.create_pending_rows()

    async def expire(self, person: str) -> None:
        await PendingSignUp.of(self.org).filter(email=person).update(expires_at=clock.now())
        await expire_sign_ups()


@pytest.mark.parametrize("seed", range(3))
async def test_only_confirmed_people_get_campaigns(
    stranger: Visitor, acme: Organization, account: Account, inbox: Inbox, seed: int
) -> None:
    chance = random.Random(seed)
    segment = await make_segment(acme)
    form = await make_form(acme, segment_ids=[str(segment.id)])
    world = World(stranger, await make_api(stranger.app, acme), acme, form, segment)
    world.inbox = inbox
    events: list[Callable[[str], Awaitable[None]]] = [world.ask, world.mail, world.confirm, world.leave, world.bring]
    events += [world.send, world.expire, world.ask, world.send, world.erase, world.import_file]
    happened = []
    for _ in range(STEPS):
        event, person = chance.choice(events), chance.choice(PEOPLE)
        happened.append(f"{event.__name__} {person}")
        await event(person)
        contacts = {contact.email for contact in await Contact.of(acme)}
        campaigns = {row.to_email for row in await MailLog.of(acme).filter(kind="campaign").exclude(to_email="erased")}
        assert contacts | campaigns <= world.confirmed, happened
    for act in (world.ask, world.confirm, world.send):
        await act(PEOPLE[0])
    assert await MailLog.of(acme).filter(kind="campaign", to_email=PEOPLE[0]).exists()
    others = MailLog.of(acme).exclude(kind="campaign").exclude(to_email="erased")
    assert {row.to_email for row in await others} <= set(PEOPLE)
