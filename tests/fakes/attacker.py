"""An organization that wishes the others ill, in a process of its own: `attacker.py SECONDS`, its Target in JSON as input.

It prints the statuses that it was answered.
"""

import asyncio
import json
import sys
from collections.abc import Callable, Coroutine
from dataclasses import asdict, dataclass
from typing import Any

import httpx2

PATIENCE = 120.0  # seconds
ATTACKERS = 2  # of each kind at once
SEARCHERS = 20

ROWS = "".join(f"<tr>{'<td>1</td>' * 200}</tr>" for _ in range(200))
BOMBS = (
    '<div style="padding-left:100000em">' * 20 + "x<br>" * 250,
    f"<table><tr><td>{'x' * 100_000}</td><td>{'y<br>' * 5_000}</td></tr></table>",
    "<p" + "<" * 200_000,
    "<!--" + "<" * 200_000,
    f"<table>{ROWS}</table>",
    f"<a {' '.join(f'a{number}=1' for number in range(40_000))}>x</a>",
    "<div>" * 50_000 + "x",
    "<font>" * 480 + "</b>" * 100_000,
    "<p>&#" + "9" * 500_000,
)
ENDLESS = "{% for a in (1..300) %}{% for b in (1..300) %}<b>{{ a }}</b>{% endfor %}{% endfor %}"
HEAVY = "<p>{{ email }}</p>{% for a in (1..100) %}{% for b in (1..100) %}<b>{{ a }}</b>{% endfor %}{% endfor %}"


@dataclass(frozen=True)
class Target:
    """Where the service is, and who one is there."""

    base_url: str
    key: str
    account_key: str
    session: str
    csrf_token: str

    def program(self) -> httpx2.AsyncClient:
        headers = {"Authorization": f"Bearer {self.key}"}
        return httpx2.AsyncClient(base_url=f"{self.base_url}/v1", headers=headers, timeout=PATIENCE)

    def person(self) -> httpx2.AsyncClient:
        return httpx2.AsyncClient(base_url=self.base_url, cookies={"session": self.session}, timeout=PATIENCE)


async def send_bombs(target: Target, statuses: list[int]) -> None:
    """Send one bomb after the other as an email."""
    async with target.program() as client:
        while True:
            for html in BOMBS:
                await send(client, target, statuses, {"subject": "Hello", "html": html})


async def send_loops(target: Target, statuses: list[int]) -> None:
    """Send an email with a template that loops, again and again."""
    async with target.program() as client:
        template = await client.post("/templates", json={"name": "Loops", "subject": "Hello", "body": HEAVY})
        content = {"template": {"id": template.json()["data"]["id"], "variables": {"email": "x"}}}
        while True:
            await send(client, target, statuses, content)


async def send(client: httpx2.AsyncClient, target: Target, statuses: list[int], content: dict[str, Any]) -> None:
    mail = {"from": "hello@rival.example", "to": ["bomb@example.org"], "account_key": target.account_key}
    statuses.append((await client.post("/emails", json=mail | content)).status_code)


async def preview(target: Target, statuses: list[int]) -> None:
    """Look at each bomb in the editor, and at templates that loop."""
    form = {"csrf_token": target.csrf_token, "subject": "Hello", "name": "x", "view": "text"}
    async with target.person() as client:
        while True:
            for html in (ENDLESS, HEAVY, *BOMBS):
                answer = await client.post("/templates/preview/mail", data=form | {"body": html})
                statuses.append(answer.status_code)


async def search(target: Target, statuses: list[int]) -> None:
    """Search all contacts for what none of them has."""
    async with target.program() as client:
        while True:
            statuses.append((await client.get("/contacts", params={"q": "nobody's"})).status_code)


Work = Callable[[Target, list[int]], Coroutine[Any, Any, None]]
KINDS: dict[str, list[Work]] = {
    "bombs": [send_bombs, send_loops, preview] * ATTACKERS,
    "searches": [search] * SEARCHERS,
}


async def attack(kind: str, target: Target, seconds: float) -> list[int]:
    """Attack from a process of its own; the statuses that it was answered."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, __file__, kind, str(seconds)), stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    printed, _ = await asyncio.wait_for(process.communicate(json.dumps(asdict(target)).encode()), seconds + 60)
    assert process.returncode == 0
    statuses: list[int] = json.loads(printed)
    return statuses


async def main(kind: str, seconds: float) -> None:
    target, statuses = Target(**json.load(sys.stdin)), list[int]()
    tasks = [asyncio.create_task(work(target, statuses)) for work in KINDS[kind]]
    done, going_on = await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
    for task in going_on:
        task.cancel()
    await asyncio.gather(*going_on, return_exceptions=True)
    for task in done:
        task.result()
    print(json.dumps(statuses))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], float(sys.argv[2])))
