"""The real service as a process, and people with real browsers. Run apart from the other tests: see tests/run.py."""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, expect

from tests.browser.accessibility import Auditor
from tests.factories import make_org
from tests.fakes.google_server import CLIENT_ID, CLIENT_SECRET, GoogleServer
from tests.fakes.name_server import NameServer
from tests.fakes.smtp_server import SmtpServer
from tests.run import chromium
from tests.tools.showcase.instance import Instance, showcase, unclaimed
from webapp import crypto, db
from webapp.models import Membership, Organization, User

EXPECT_MS = 20_000  # for a page to show what is expected, on a machine that runs other tests
EMAIL, PASSWORD = "ada@acme.example", "correct horse battery"
_cookies: dict[str, str] = {}  # of Ada's session
PHONE: Any = {"width": 390, "height": 844}
QUIET = (
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--no-first-run", "--disable-quic",
)  # fmt: skip
without_javascript = pytest.mark.browser_context_args(java_script_enabled=False)
with_and_without_javascript = pytest.mark.parametrize(
    "javascript", ["on", pytest.param("off", marks=without_javascript)]
)
expect.set_options(timeout=EXPECT_MS)


@dataclass(frozen=True)
class Service:
    """Where `pennypost up` answers, the path of the claim link it printed, and its data directory."""

    base_url: str
    claim_link: str
    data: Path


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory, google: GoogleServer, names: NameServer) -> Iterator[Service]:
    """`pennypost up` on an empty data directory, with a Google of the test, which is Microsoft too, and its own DNS."""
    of_both = {
        "CLIENT_ID": CLIENT_ID,
        "CLIENT_SECRET": CLIENT_SECRET,
        "AUTH_URL": google.settings.auth_url.replace("127.0.0.1", "localhost"),  # another site
        "TOKEN_URL": google.settings.token_url,
        "API_URL": google.settings.api_url,
    }
    providers = ("GOOGLE", "MICROSOFT")
    settings = {f"PENNYPOST_{name}_{key}": value for name in providers for key, value in of_both.items()}
    settings["PENNYPOST_GOOGLE_SHEETS_URL"] = google.settings.sheets_url
    settings["PENNYPOST_DNS_SERVERS"] = f"127.0.0.1:{names.port}"
    data = tmp_path_factory.mktemp("data")
    with unclaimed(data, **settings) as instance:
        yield Service(instance.base_url, instance.stops[0].path, data)


@pytest.fixture(scope="session")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Instance]:
    """The showcase: an instance full of everything, in which nothing moves."""
    with showcase(tmp_path_factory.mktemp("showcase")) as instance:
        yield instance


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    return {"executable_path": chromium(), "args": list(QUIET)}


@pytest.fixture(scope="session")
def base_url(service: Service) -> str:
    return service.base_url


@pytest.fixture
def page(page: Page) -> Iterator[Page]:
    """A browser's page; at the end nothing may have gone wrong in it."""
    problems = watch(page)
    yield page
    assert problems == []


@pytest.fixture
def visit(browser: Browser, shown: Instance) -> Iterator[Callable[..., Page]]:
    """Opens a browser at the showcase, with somebody's session or none; at the end nothing may have gone wrong in it."""
    contexts, problems = list[BrowserContext](), list[list[str]]()

    def visit(person: str = "", **options: Any) -> Page:
        context = browser.new_context(base_url=shown.base_url, **options)
        contexts.append(context)
        if person:
            shown.sign_in(context, person)
        page = context.new_page()
        problems.append(watch(page))
        return page

    yield visit
    for context in contexts:
        context.close()
    assert not any(problems), problems


def watch(page: Page) -> list[str]:
    """What goes wrong from now on: errors in the console (a broken policy is one), scripts' errors, failed requests."""
    problems: list[str] = []

    def note_message(message: ConsoleMessage) -> None:
        # Refused forms and requests that a newer one replaced are no faults; htmx names other failures besides.
        is_usual = "status of 422" in message.text or message.text.startswith(("htmx:sendAbort", "htmx:afterRequest"))
        if message.type in ("error", "warning") and not is_usual:
            problems.append(f"{page.url}: {message.text}")

    def note_failure(request: Request) -> None:
        if "ERR_ABORTED" not in (request.failure or ""):  # left behind by going on to another page
            problems.append(f"{request.url}: {request.failure}")

    page.on("console", note_message)
    page.on("pageerror", lambda error: problems.append(f"{error} {error.stack}"))
    page.on("requestfailed", note_failure)
    return problems


@pytest.fixture(scope="session")
def claimed(browser: Browser, service: Service) -> Service:
    """The service after Ada has claimed it, by a page that is there only until then, and has no violation."""
    context = browser.new_context(base_url=service.base_url, timezone_id="Europe/Berlin", reduced_motion="reduce")
    auditor, page = Auditor(context), context.new_page()
    problems = watch(page)
    page.goto(service.claim_link)
    expect(page.get_by_role("button", name="Set up and sign in")).to_be_visible()
    assert auditor.violations(page) == []
    expect(page.get_by_label("Time zone")).to_have_value("Europe/Berlin")
    page.get_by_label("Organization").fill("Acme Library")
    page.get_by_label("Email").fill(EMAIL)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Set up and sign in").click()
    expect(page.get_by_role("heading", name="Dashboard")).to_be_visible()
    assert problems == []
    context.close()
    return service


def sign_in(page: Page) -> None:
    """Open the dashboard as Ada: by the session that she began first, as her password takes long to compare."""
    for name, value in _cookies.items():
        page.context.add_cookies([{"name": name, "value": value, "domain": "127.0.0.1", "path": "/"}])
    if _cookies:
        page.goto("/home")
    else:
        give_password(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("Dashboard")
    _cookies.update({one["name"]: one["value"] for one in page.context.cookies() if one["name"] == "session"})


def give_password(page: Page, email: str = EMAIL, password: str = PASSWORD) -> None:
    page.goto("/sign-in")
    page.get_by_label("Email").fill(email)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name="Sign in").click()


@pytest.fixture
def ada(page: Page, claimed: Service) -> Page:
    """Ada's browser, signed in."""
    sign_in(page)
    return page


@pytest.fixture(scope="session")
def relay() -> Iterator[SmtpServer]:
    """An SMTP server with a login."""
    server = SmtpServer(users={"ada": "secret"})
    with beside_the_browser(server):
        yield server


@pytest.fixture(scope="session")
def names() -> Iterator[NameServer]:
    """The name server that the service asks."""
    server = NameServer()
    with beside_the_browser(server):
        yield server


@pytest.fixture(scope="session")
def google() -> Iterator[GoogleServer]:
    """Google, whose consent page a browser can open."""
    server = GoogleServer(person="ada@gmail.example")
    with beside_the_browser(server):
        yield server


def in_database(service: Service, work: Callable[[], Coroutine[Any, Any, object]]) -> None:
    """Do something to the database of the service: in a thread, as the browser holds the test's loop."""

    async def connected() -> None:
        await db.connect(f"sqlite://{service.data / 'pennypost.db'}")
        try:
            await work()
        finally:
            await db.disconnect()

    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, connected()).result(60)


def in_acme(service: Service, work: Callable[[Organization], Coroutine[Any, Any, object]]) -> None:
    """Do something to Ada's organization."""

    async def act() -> None:
        (org,) = await Organization.all().order_by("id").limit(1)
        await work(org)

    in_database(service, act)


async def found_company(email: str) -> Organization:
    """Create an organization whose owner signs in with PASSWORD."""
    org = await make_org("New Company")
    user = await User.create(email=email, password_hash=await crypto.hash_password(PASSWORD))
    await Membership.create(org=org, user=user, role="owner")
    return org


@contextmanager
def beside_the_browser(server: AbstractAsyncContextManager[Any]) -> Iterator[None]:
    """Run a server in a loop and a thread of its own: the browser holds the test's."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    asyncio.run_coroutine_threadsafe(server.__aenter__(), loop).result(20)
    yield
    asyncio.run_coroutine_threadsafe(server.__aexit__(None, None, None), loop).result(20)
    loop.call_soon_threadsafe(loop.stop)
    thread.join(20)
    loop.close()
