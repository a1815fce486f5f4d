"""The team downloads and erases the data of a person, and so does the person by mailed links."""

import io
import json
import re
from datetime import timedelta
from zipfile import ZipFile

import pytest

from tests.factories import account_on, make_contact, make_suppression
from tests.fakes.smtp_server import SmtpServer
from tests.fakes.worker import deliver_all
from tests.pages.conftest import Visitor, make_person, visitor_for
from tests.support.instance_mail import body_of, mailing_by, read
from webapp import clock
from webapp.config import Settings
from webapp.domain.contacts.unsubscribe import token_for
from webapp.domain.link_signing import ReaderLink, ReaderPath
from webapp.domain.notifications.notifications import send_notifications
from webapp.domain.personal_data.by_person import data_queue, erase_queue, link_id
from webapp.domain.roles import Role
from webapp.models import AuditEntry, Contact, MailLog, Organization, Tombstone
from webapp.models.base.row import id_lower_bound

ADA = "ada@example.org"


@pytest.fixture
async def contact(acme: Organization, smtp_server: SmtpServer) -> Contact:
    await account_on(smtp_server, acme, from_email="hello@acme.example")
    return await make_contact(acme, ADA, first_name="Ada")


class TestTeam:
    async def test_the_typed_address_must_be_the_contacts(self, owner: Visitor, contact: Contact) -> None:
        place = f"/contacts/{contact.id}/erase"
        page = await owner.get(place)
        refused = await owner.submit(page, place, typed="bob@example.org")
        assert (refused.status, await Contact.filter(id=contact.id).count()) == (422, 1)
        assert "Type the address exactly" in refused.text
        await owner.submit(refused, place, typed=" Ada@example.org ")
        assert await Contact.filter(id=contact.id).count() == 0

    async def test_the_data_is_a_file(self, owner: Visitor, contact: Contact) -> None:
        file = await owner.get(f"/contacts/{contact.id}/data.json")
        assert json.loads(file.data)["data"]["contact"]["first_name"] == "Ada"

    async def test_editors_and_strangers_see_no_button(
        self, app: object, acme: Organization, rival_owner: Visitor, contact: Contact
    ) -> None:
        person = await make_person(acme, "eve@acme.example", role=Role.EDITOR)
        editor = await visitor_for(app, acme, person)  # type: ignore[arg-type]  # the fixture is a Quart
        assert "Erase contact" not in (await editor.get(f"/contacts/{contact.id}")).text
        assert (await rival_owner.get(f"/contacts/{contact.id}/erase")).status == 404


class TestPerson:
    @pytest.fixture(autouse=True)
    def _world(self, settings: Settings, smtp_server: SmtpServer, contact: Contact) -> None:
        self.settings, self.server, self.contact = settings, smtp_server, contact

    async def ask(self, stranger: Visitor, wanted: str) -> str:
        """Presses the button on the page of the preferences; the path of the mailed link."""
        await self.press(stranger, wanted)
        paths = re.findall(rf"{re.escape(self.settings.base_url)}(/\S+)", body_of(read(self.server.messages[-1])))
        return str(paths[0])

    async def press(self, stranger: Visitor, wanted: str) -> None:
        link = f"/unsubscribe/{token_for(self.contact.id, self.contact.id)}"
        sent = await stranger.submit(await stranger.get(link), f"{link}/{wanted}")
        assert ADA in sent.text
        for queue in (data_queue, erase_queue):
            await queue.send()
        await deliver_all(self.settings)

    async def test_a_mailed_link_downloads_everything_once(self, stranger: Visitor) -> None:
        link = await self.ask(stranger, "data")
        for _ in range(2):  # opening it uses nothing up
            page = await stranger.get(link)
            assert page.status == 200
        file = await stranger.submit(page, link)
        archive = ZipFile(io.BytesIO(file.data))
        assert json.loads(archive.read("data.json"))["data"]["contact"]["email"] == ADA
        assert {"contact.csv", "emails.csv", "consents.csv"} < set(archive.namelist())
        assert ADA in archive.read("contact.csv").decode("utf-8-sig")
        for again in (await stranger.get(link), await stranger.submit(page, link)):
            assert (again.status, "already used" in again.text) == (404, True)
        entry = await AuditEntry.get(action="data.exported")
        assert ADA not in f"{entry.target}{entry.details}"

    async def test_a_mailed_link_erases(self, stranger: Visitor, acme: Organization) -> None:
        link = await self.ask(stranger, "erase")
        page = await stranger.get(link)
        assert await Contact.filter(id=self.contact.id).count() == 1
        done = await stranger.submit(page, link)
        assert (done.status, done.title) == (200, "Your data was deleted")
        assert await Contact.filter(id=self.contact.id).count() == 0
        assert await Tombstone.of(acme).count() == 1
        assert [row.to_email for row in await MailLog.of(acme)] == ["erased"]  # of the mail with the link
        assert (await stranger.submit(page, link)).status == 404

    async def test_who_erased_their_data_is_told_so_in_their_language(self, stranger: Visitor) -> None:
        await Contact.filter(id=self.contact.id).update(language="de")
        link = await self.ask(stranger, "erase")
        assert (await stranger.post(link)).title == "Ihre Daten wurden gelöscht"

    async def test_admins_are_mailed_about_an_erasure_by_link_without_the_address(
        self, stranger: Visitor, acme: Organization, rival: Organization
    ) -> None:
        link = await self.ask(stranger, "erase")
        mailing_by(self.server, self.settings)
        await make_person(acme, "boss@acme.example")
        await make_person(acme, "eve@acme.example", role=Role.EDITOR)
        await make_person(rival, "boss@rival.example")
        self.server.messages.clear()
        done = await stranger.post(link, scope_base={"client": ("203.0.113.77", 1)})
        assert done.title == "Your data was deleted"
        for _ in range(2):
            await send_notifications()
        (mail,) = self.server.messages
        assert mail.recipients == ["boss@acme.example"]
        assert "203.0.113.0/24" in body_of(read(mail))
        assert ADA not in mail.content.decode()
        assert str((await AuditEntry.get(action="contacts.erased")).address) == "203.0.113.0/24"

    @pytest.mark.parametrize("path", [ReaderPath.DATA, ReaderPath.ERASE])
    async def test_old_and_foreign_links_do_nothing(self, stranger: Visitor, path: ReaderPath) -> None:
        mail_id = id_lower_bound(clock.now() - timedelta(hours=25))
        old = ReaderLink(path, self.contact.id, link_id(self.contact, mail_id))
        other = {ReaderPath.DATA: ReaderPath.ERASE, ReaderPath.ERASE: ReaderPath.DATA}[path]
        foreign = ReaderLink(other, self.contact.id, id_lower_bound(clock.now())).url  # signed for the other page
        for url in (old.url, foreign.replace(f"/{other}/", f"/{path}/")):
            assert (await stranger.get(url.removeprefix(self.settings.base_url))).status == 404

    @pytest.mark.parametrize("wanted", ["data", "erase"])
    async def test_a_link_ends_when_the_contact_gets_another_address(self, stranger: Visitor, wanted: str) -> None:
        link = await self.ask(stranger, wanted)
        page = await stranger.get(link)
        await Contact.filter(id=self.contact.id).update(email="eve@example.org", email_key="eve@example.org")
        for answer in (await stranger.get(link), await stranger.submit(page, link)):
            assert answer.status == 404
        assert await Contact.filter(id=self.contact.id).exists()

    @pytest.mark.parametrize(("reason", "mails"), [("complaint", 1), ("manual", 1), ("import", 1), ("bounce", 0)])
    @pytest.mark.parametrize("wanted", ["data", "erase"])
    async def test_suppressed_people_get_their_links_unless_they_bounced(
        self, stranger: Visitor, acme: Organization, wanted: str, reason: str, mails: int
    ) -> None:
        await make_suppression(acme, ADA, reason=reason)
        await self.press(stranger, wanted)
        assert [mail.recipients for mail in self.server.messages] == [[ADA]] * mails

    async def test_an_address_gets_three_mails_an_hour(self, stranger: Visitor) -> None:
        for _ in range(5):
            await self.ask(stranger, "data")
        assert len(self.server.messages) == 3
