"""Names looked up in threads of their own."""

import asyncio
import socket
import threading
from typing import Any

import pytest

from webapp.sending.host_policy import MAX_THREADS, THREADS_EACH, Lookups


@pytest.mark.parametrize("spelled", ["127.0.0.1", "0x7f.1", "2130706433"])
async def test_an_address_is_found_at_once_however_it_is_spelled(spelled: str) -> None:
    looking = Lookups().find(spelled, 25)
    with pytest.raises(StopIteration) as ended:
        looking.send(None)  # its first step is the last: it waits for no thread
    found = ended.value.value
    assert (socket.AF_INET, ("127.0.0.1", 25)) in [(family, address) for family, _, _, _, address in found]


async def test_who_stops_waiting_does_not_stop_it_for_the_others() -> None:
    lookups = Lookups()
    impatient, patient = (asyncio.create_task(lookups.find("localhost", 25)) for _ in range(2))
    await asyncio.sleep(0)
    impatient.cancel()
    assert await asyncio.wait_for(patient, 10)
    with pytest.raises(asyncio.CancelledError):
        await impatient


async def test_a_lookup_without_a_thread_fails_and_the_next_one_begins_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    lookups, start = Lookups(), threading.Thread.start

    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)  # as the system does at its limit
    for _ in range(THREADS_EACH + 1):
        with pytest.raises(OSError, match="can't start new thread"):
            await asyncio.wait_for(lookups.find("localhost", 25), 2)
    monkeypatch.setattr(threading.Thread, "start", start)
    assert await asyncio.wait_for(lookups.find("localhost", 25), 10)


async def test_names_without_an_answer_take_only_their_callers_share(monkeypatch: pytest.MonkeyPatch) -> None:
    answered, asked, resolver = threading.Event(), list[str](), socket.getaddrinfo

    def resolve(host: str, *args: Any, flags: int = 0, **kwargs: Any) -> Any:
        if host.startswith("silent") and not flags:
            asked.append(host)
            answered.wait(20)
        return resolver("127.0.0.1" if not flags else host, *args, flags=flags, **kwargs)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)  # the system's resolver
    lookups = Lookups()

    names = [f"silent{number}.example" for number in range(2 * MAX_THREADS)]
    many = [asyncio.create_task(lookups.find(name, 25, "many")) for name in names]
    try:
        await asyncio.sleep(0.1)
        assert len(asked) == THREADS_EACH
        assert await asyncio.wait_for(lookups.find("mail.example", 25, "other"), 2)
        many[-1].cancel()  # it gives its place in the queue up
    finally:
        answered.set()
    *_, cancelled = await asyncio.gather(*many, return_exceptions=True)
    assert isinstance(cancelled, asyncio.CancelledError)
    assert len(asked) == len(many) - 1
