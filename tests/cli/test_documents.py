"""The requests of the documents, sent to a running service as a shell and curl would."""

import re
import shlex
from string import Template

import httpx2

from tests.cli.conftest import Pennypost, make_org
from tests.structure import ROOT

REQUEST = re.compile(r"```sh\n(curl .*?)```", re.DOTALL)
DOCUMENTS = ("README.md", "docs/quickstart-developers.md", "docs/api.md")


def test_each_request_is_accepted(pennypost: Pennypost) -> None:
    up = pennypost.start("up").wait_for(r"(?m)^ready$")
    key = pennypost.prints("create-key", make_org(pennypost), "--name", "reader", "--role", "admin")
    (account,) = httpx2.get(f"{up.url}/v1/accounts", headers={"Authorization": f"Bearer {key}"}).json()["data"]
    names = {"KEY": key, "ACCOUNT_KEY": account["account_key"], "ID": ""}
    requests = [one for name in DOCUMENTS for one in REQUEST.findall((ROOT / name).read_text())]
    assert len(requests) == 8
    for request in requests:
        filled = request.replace("YOUR_API_KEY", key).replace("YOUR_ACCOUNT_KEY", account["account_key"])
        answer = curl(Template(filled).substitute(names).replace("http://127.0.0.1:8000", up.url))
        assert answer.is_success, answer.text
        body = answer.json().get("data") or answer.json()
        names["ID"] = (body[0] if isinstance(body, list) else body).get("id", names["ID"])


def curl(command: str) -> httpx2.Response:
    """Sends what curl would with these words: a URL, headers (-H) and perhaps a body (-d)."""
    _, url, *options = shlex.split(command.replace("\\\n", ""))
    pairs = list(zip(options[::2], options[1::2], strict=True))
    assert {option for option, _ in pairs} <= {"-H", "-d"}
    headers = dict(value.split(": ", 1) for option, value in pairs if option == "-H")
    bodies = [value.encode() for option, value in pairs if option == "-d"]
    return httpx2.request("POST" if bodies else "GET", url, headers=headers, content=b"".join(bodies), timeout=30)
