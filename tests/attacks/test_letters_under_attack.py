"""Two thousand hostile letters at a running service, which goes on answering others."""

import asyncio
import statistics
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import httpx2
import pytest

from tests.attacks.conftest import target_of
from tests.factories import make_account
from tests.fakes.attacker import Target
from tests.faults.support.processes import FROM_NOTHING
from tests.faults.support.web import answer_times, web_running, with_port
from tests.figures import Figures
from tests.plans import use_plans
from tests.support.hostile_letters import letters
from tests.support.memory import watched_service
from tests.support.starter import children_of
from webapp.config import Settings
from webapp.models import Organization

LETTERS, CALLERS = 2_000, 4
PLANS = {"free": {"requests_per_second": 1_000, "burst": 1_000, "max_templates": None}}
ALLOWED = {200, 201, 302, 303, 400, 413, 422, 503}


async def send(
    target: Target, program: httpx2.AsyncClient, person: httpx2.AsyncClient, kind: str, text: str
) -> list[int]:
    """Send a letter to the doors of its kind, one after the other; the statuses."""
    form = {"csrf_token": target.csrf_token, "name": "x", "subject": "x"}
    saved: dict[str, Any] = {"mjml": text}
    shown = {"kind": "mjml", "mjml": text}
    if kind != "mjml":
        saved = {"blocks": [{"type": "code", "html": text or "x"}]}
        shown = {"kind": "html", "body": text, "view": "text"}
    answers = [
        await program.post("/templates", json={"name": "x"} | saved),
        await person.post("/templates/preview/mail", data=form | shown),
    ]
    return [answer.status_code for answer in answers]


async def attack(target: Target, hostile: Iterator[tuple[str, str]], statuses: list[int]) -> None:
    async with target.program() as program, target.person() as person:
        for number, (kind, text) in enumerate(hostile):
            statuses += await send(target, program, person, kind, text)
            if number % 50 == 0:
                form = {"csrf_token": target.csrf_token, "font": "arial", "width": "600"}
                form["text"] = f"#{number % 60:02}0000"
                statuses.append((await person.post("/organization/brand", data=form)).status_code)


@pytest.mark.soak
@pytest.mark.alone
@pytest.mark.timeout(2_000)
async def test_hostile_letters_stop_no_process_and_hold_up_no_answer(
    acme: Organization, rival: Organization, settings: Settings, figures: Figures
) -> None:
    settings = with_port(use_plans(settings, PLANS))
    hostile, statuses, asked, is_done = letters(Random(43), LETTERS), list[int](), list[float](), asyncio.Event()

    async def ask() -> None:
        while not is_done.is_set():
            asked.extend(await answer_times(f"{settings.base_url}/healthz", 5))

    async with web_running(settings, "up", program=FROM_NOTHING) as service:
        targets = [await target_of(settings, org, await make_account(org)) for org in (acme, rival)]
        webs = set(children_of(service.pid))
        asking = asyncio.create_task(ask())
        with watched_service(service.pid) as memory:
            async with asyncio.TaskGroup() as attackers:
                for number in range(CALLERS):
                    attackers.create_task(attack(targets[number % 2], hostile, statuses))
        is_done.set()
        await asking
        assert service.returncode is None
        assert webs <= set(children_of(service.pid))
    print(f"answers: {dict(Counter(statuses))}, /healthz asked {len(asked)} times, at most {max(asked):.2f} s")
    figures("answers to hostile letters", len(statuses), at_least=2 * LETTERS)
    figures("seconds that /healthz took, p99", statistics.quantiles(asked, n=100)[-1], below=0.5)
    figures("MB of memory of the whole service at most", max(memory) / 1e6, below=500)
    assert set(statuses) <= ALLOWED
