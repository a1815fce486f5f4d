"""The security headers of every answer."""

import gzip
from dataclasses import replace

from tests.pages.conftest import Visitor
from webapp import config
from webapp.app import create_app
from webapp.config import Settings

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; form-action 'self'; frame-src 'self'; frame-ancestors 'none'; base-uri 'none'"
)


async def test_every_answer_is_hardened(owner: Visitor) -> None:
    for path in ("/sign-in", "/home", "/nothing-here", "/static/app.css", "/claim/none"):
        headers = (await owner.get(path, follow=False)).response.headers
        assert headers["Content-Security-Policy"] == POLICY, path
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["X-Frame-Options"] == "DENY"
        assert headers["Referrer-Policy"] == "same-origin"
        assert "Strict-Transport-Security" not in headers
        assert "Access-Control-Allow-Origin" not in headers


async def test_https_is_pinned_and_its_cookies_are_this_hosts_alone(settings: Settings, database: str) -> None:
    secure = replace(settings, base_url="https://mail.example.com")
    config.configure(secure)
    response = (await Visitor(create_app(secure)).get("/sign-in")).response
    assert response.headers["Strict-Transport-Security"].startswith("max-age=")
    (cookie,) = response.headers.getlist("Set-Cookie")
    assert cookie.startswith("__Host-door=")
    assert "Secure" in cookie
    assert "Path=/;" in f"{cookie};"


async def test_no_page_has_inline_script_or_style(owner: Visitor) -> None:
    for path in ("/home", "/accounts/new", "/api-keys", "/api-keys/new", "/mail-logs", "/sandbox", "/sign-in"):
        page = await owner.get(path, follow=False)
        assert not page.soup.select("style, [style]")
        assert not [tag for tag in page.soup.find_all("script") if not tag.get("src")]
        assert not [name for tag in page.soup.find_all(True) for name in tag.attrs if name.startswith("on")]


async def test_htmx_is_held_to_the_policy(owner: Visitor) -> None:
    settings = (await owner.get("/home")).soup.select_one("meta[name=htmx-config]")["content"]
    for part in ('"allowEval":false', '"includeIndicatorStyles":false', '"selfRequestsOnly":true', '"422","swap":true'):
        assert part in settings


async def test_caches_store_no_answers(owner: Visitor) -> None:
    for path in ("/home", "/nothing-here", "/", "/contacts/export.csv", "/campaigns/list", "/v1/contacts", "/api/v1/x"):
        for headers in ({}, {"If-None-Match": "*"}, {"Accept": "application/json"}):
            answer = await owner.get(path, headers=headers, follow=False)
            assert answer.response.headers.getlist("Cache-Control") == ["no-store"], (path, headers)


async def test_static_files_are_kept_until_they_change(owner: Visitor) -> None:
    page = await owner.get("/home")
    address = page.soup.select_one("link[rel=stylesheet]")["href"]
    assert address.startswith("/static/app.css?v=")
    assert "immutable" in (await owner.get(address)).response.headers["Cache-Control"]
    assert "immutable" not in (await owner.get("/static/app.css")).response.headers["Cache-Control"]


async def test_static_files_are_compressed_for_who_takes_it_and_pages_never(owner: Visitor) -> None:
    accepts = {"Accept-Encoding": "gzip, br"}
    plain = (await owner.get("/static/app.css")).response
    packed = (await owner.get("/static/app.css", headers=accepts)).response
    assert "Content-Encoding" not in plain.headers
    assert plain.headers["Vary"] == packed.headers["Vary"] == "Accept-Encoding"
    assert packed.headers["Content-Encoding"] == "gzip"
    body = await packed.get_data(as_text=False)
    assert gzip.decompress(body) == await plain.get_data(as_text=False)
    assert int(packed.headers["Content-Length"]) == len(body) < int(plain.headers["Content-Length"]) / 3
    known = accepts | {"If-None-Match": packed.headers["ETag"]}
    assert (await owner.get("/static/app.css", headers=known)).status == 304
    assert "Content-Encoding" not in (await owner.get("/home", headers=accepts)).response.headers
