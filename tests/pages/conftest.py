"""People with browsers that have no JavaScript: they open pages, fill in the forms they find, and follow redirects."""

import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

import pytest
from bs4 import BeautifulSoup, Tag
from quart import Quart
from quart.wrappers import Response

from tests.apps import app_of
from tests.fakes.google_server import GoogleServer, google_for
from webapp.config import Settings
from webapp.domain.auth.sessions import Browser, open_session
from webapp.domain.roles import Role
from webapp.models import Membership, Organization, User

HOPS = 5
LEFT_OUT = re.compile('<wbr>|<svg class="icon.*?</svg>|<header class="top">.*?</header>', re.DOTALL)
PASSWORD = "correct horse battery"
COMMON = "This password is too common. Choose another one."  # said of password123


@dataclass
class Page:
    """What a browser shows."""

    status: int
    path: str
    data: bytes
    response: Response

    @cached_property
    def soup(self) -> BeautifulSoup:
        """Its tags, without icons, word breaks, and the phone menu, which repeats the navigation.

        To read them takes as long as the page itself, so only who looks at them has them read.
        """
        html = LEFT_OUT.sub("", self.data.decode())
        return BeautifulSoup(html, "html.parser", store_line_numbers=False)

    @property
    def title(self) -> str:
        """The heading of the page."""
        heading = self.soup.find("h1")
        return heading.get_text(" ", strip=True) if heading else ""

    @property
    def text(self) -> str:
        """All words of the page."""
        return " ".join(self.soup.get_text(" ").split())

    @property
    def notes(self) -> list[str]:
        """What the page says about what was just done."""
        return [note.get_text(" ", strip=True) for note in self.soup.select("#notes .note")]

    @property
    def rows(self) -> list[list[str]]:
        """The cells of its table."""
        return [
            [" ".join(cell.get_text(" ").split()) for cell in row.find_all("td")]
            for row in self.soup.select("tbody tr")
        ]

    @property
    def facts(self) -> dict[str, str]:
        """The names and values that it lists."""
        values = [" ".join(one.get_text(" ").split()) for one in self.soup.select("dl.facts dd")]
        return dict(zip([one.get_text() for one in self.soup.select("dl.facts dt")], values, strict=True))

    @property
    def token(self) -> str:
        """What each form of the page proves with that it is one of ours."""
        field = re.search(rb'<input type="hidden" name="csrf_token" value="([^"]+)">', self.data)
        assert field
        return field[1].decode()

    def form(self, action: str | None = None) -> Tag:
        """The form that is sent to `action`; without one the form of the page's content."""
        forms = [form for form in self.soup.select("form") if "theme" not in form.get_attribute_list("class")]
        found = [form for form in forms if action is None or form.get("action") == action]
        return next(form for form in found if form.get("action") != "/sign-out" or action == "/sign-out")

    def error_at(self, name: str) -> str | None:
        """What is wrong with a field, as its form says."""
        error = self.soup.find(id=f"f-{name}-error")
        return error.get_text(" ", strip=True) if error else None


class Visitor:
    """A browser: cookies, no JavaScript."""

    def __init__(self, app: Quart) -> None:
        self.app, self.client = app, app.test_client()
        self.headers: dict[str, str] = {"User-Agent": "tests"}

    async def get(self, path: str, *, follow: bool = True, **kwargs: Any) -> Page:
        return await self.send("GET", path, follow=follow, **kwargs)

    async def post(self, path: str, *, follow: bool = True, **kwargs: Any) -> Page:
        return await self.send("POST", path, follow=follow, **kwargs)

    async def submit(self, page: Page, action: str | None = None, *, follow: bool = True, **fields: Any) -> Page:
        """Fill in the form and send it, with all it holds already."""
        form = page.form(action)
        return await self.post(str(form.get("action") or page.path), form=content_of(form) | fields, follow=follow)

    async def send_form(self, path: str, **fields: Any) -> Page:
        """Send a form that its page may not even offer; a list is a field that is there several times."""
        token = (await self.get("/accounts")).token
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        return await self.post(path, data=urlencode({"csrf_token": token, **fields}, doseq=True), headers=kind)

    async def send(
        self, method: str, path: str, *, follow: bool, headers: dict[str, str] | None = None, **kwargs: Any
    ) -> Page:
        for _ in range(HOPS):
            response = await self.client.open(path, method=method, headers=self.headers | (headers or {}), **kwargs)
            if not follow or response.status_code not in (302, 303):
                break
            method, path, kwargs = "GET", response.headers["Location"], {}
        return Page(response.status_code, path, await response.get_data(as_text=False), response)

    def cookie(self, name: str) -> str | None:
        """The value of a cookie that the browser holds."""
        return next((cookie.value for cookie in self.client.cookie_jar or () if cookie.name == name), None)


def content_of(form: Tag) -> dict[str, Any]:
    """What a form holds, but for its boxes."""
    boxless = form.select("input[name]:not([type=checkbox])")
    typed = {str(tag["name"]): tag.get("value", "") for tag in boxless}
    typed |= {str(area["name"]): area.text.removeprefix("\n") for area in form.select("textarea[name]")}
    for select in form.select("select[name]"):
        chosen = select.select_one("option[selected]") or select.select_one("option")
        typed[str(select["name"])] = chosen["value"] if chosen else ""
    return typed


async def make_person(org: Organization, email: str, role: Role = Role.OWNER) -> User:
    """Somebody with a role in `org`, whose password nobody knows."""
    user = await User.create(email=email, password_hash="!")
    await Membership.create(org=org, user=user, role=role)
    return user


async def visitor_for(app: Quart, org: Organization, user: User) -> Visitor:
    """A browser in which `user` is signed in."""
    visitor = Visitor(app)
    opened = await open_session(user, org, Browser("127.0.0.1", "tests"))
    visitor.client.set_cookie("localhost", "session", opened.token)
    return visitor


@pytest.fixture
def app(settings: Settings, database: str) -> Quart:
    return app_of(settings)


@pytest.fixture
def stranger(app: Quart) -> Visitor:
    """Somebody who is not signed in."""
    return Visitor(app)


@pytest.fixture
async def owner(app: Quart, acme: Organization) -> Visitor:
    """The owner of our organization."""
    return await visitor_for(app, acme, await make_person(acme, "ada@acme.example"))


@pytest.fixture
async def viewer(app: Quart, acme: Organization) -> Visitor:
    """Somebody in our organization who may only look."""
    return await visitor_for(app, acme, await make_person(acme, "vera@acme.example", Role.VIEWER))


@pytest.fixture
async def rival_owner(app: Quart, rival: Organization) -> Visitor:
    """The owner of the other organization."""
    return await visitor_for(app, rival, await make_person(rival, "rita@rival.example"))


@pytest.fixture
async def google(settings: Settings, caplog: pytest.LogCaptureFixture) -> AsyncIterator[GoogleServer]:
    """A Google that the instance is registered with, and none of whose secrets is logged."""
    async with google_for(settings) as google:
        yield google
        assert not any(secret in caplog.text for secret in google.secrets)
