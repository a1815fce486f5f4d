"""What a program finds at the addresses of the API without knowing anything."""

from tests.api.conftest import Api
from webapp import __version__
from webapp.config import Settings

NOUNS = (
    *("accounts", "brand", "campaigns", "contacts", "emails", "events", "mail-logs", "media", "segments"),
    *("suppressions", "templates", "webhooks"),
)
FIELDS = ["name", "version", "documentation_url", "openapi_url", "resources"]


async def test_the_discovery_says_what_this_is_and_where_to_read_on(nobody: Api, settings: Settings) -> None:
    for path in ("/", "/v1", "/api/v1"):
        response = await nobody.send("GET", path, headers={"Accept": "application/json"})
        assert response.status_code == 200
        (data,) = (await response.get_json()).values()
        assert list(data) == FIELDS
        assert (data["name"], data["version"]) == ("Pennypost", __version__)
        assert data["documentation_url"] == f"{settings.base_url}/reference"
        assert data["openapi_url"] == f"{settings.base_url}/openapi.json"
        methods = ["DELETE", "GET", "PATCH", "POST"]
        assert data["resources"][0] == {"name": "accounts", "path": "/v1/accounts", "methods": methods}
        assert [one["path"] for one in data["resources"] if one["name"] != "compose"] == [f"/v1/{one}" for one in NOUNS]


async def test_what_it_names_is_there(nobody: Api, api: Api, settings: Settings) -> None:
    _, body = await nobody.get("/v1")
    for url in (body["data"]["documentation_url"], body["data"]["openapi_url"]):
        assert (await nobody.send("GET", url.removeprefix(settings.base_url))).status_code == 200
    for resource in body["data"]["resources"]:
        assert (await api.get(resource["path"]))[0] == 200
        assert (await nobody.get(resource["path"]))[0] == 401


async def test_a_browser_that_prefers_html_goes_to_the_dashboard_and_a_program_does_not(nobody: Api) -> None:
    for path, accept, status in (
        ("/", "text/html,application/xhtml+xml,*/*;q=0.8", 302),
        ("/", "*/*", 200),
        ("/", "application/json, text/html;q=0.5", 200),
        ("/v1", "text/html", 200),
    ):
        assert (await nobody.send("GET", path, headers={"Accept": accept})).status_code == status, accept


async def test_the_older_address_has_the_same_rows_and_names_its_successor(api: Api, rival_api: Api) -> None:
    _, made = await api.post("/api/v1/contacts", {"email": "ada@example.org"})
    path = f"/contacts/{made['data']['id']}"
    assert await api.get(f"/v1{path}") == await api.get(f"/api/v1{path}") == (200, made)
    assert (await rival_api.get(f"/api/v1{path}"))[0] == 404
    for method, where in (("GET", path), ("PATCH", path), ("DELETE", path), ("GET", "/nothing")):
        response = await api.send(method, f"/api/v1{where}", json={} if method == "PATCH" else None)
        assert response.headers["Link"] == f'</v1{where}>; rel="successor-version"'
        assert response.headers["Deprecation"].startswith("@")
        assert "Deprecation" not in (await api.send("GET", f"/v1{where}")).headers
