"""Names looked up in threads of their own."""

import asyncio
import socket
import threading

import pytest

from webapp.sending.dns import Lookups


@pytest.mark.parametrize("spelled", ["127.0.0.1", "0x7f.1", "2130706433"])
async def test_an_address_is_found_at_once_however_it_is_spelled(spelled: str) -> None:
    looking = Lookups().find(spelled, 25)
    with pytest.raises(StopIteration) as ended:
        looking.send(None)  # its first step is the last: it waits for no thread
    found = ended.value.value
    assert (socket.AF_INET, ("127.0.0.1", 25)) in [(family, address) for family, _, _, _, address in found]


async def test_a_name_that_does_not_exist_is_an_error_for_all_who_wait() -> None:
    lookups = Lookups()
    tries = [asyncio.create_task(lookups.find("no such name.invalid", 25)) for _ in range(5)]
    await asyncio.sleep(0)
    assert sum(thread.name == "dns no such name.invalid" for thread in threading.enumerate()) <= 1
    outcomes = await asyncio.gather(*tries, return_exceptions=True)
    assert all(isinstance(outcome, OSError) for outcome in outcomes)


async def test_who_stops_waiting_does_not_stop_it_for_the_others() -> None:
    lookups = Lookups()
    impatient, patient = (asyncio.create_task(lookups.find("localhost", 25)) for _ in range(2))
    await asyncio.sleep(0)
    impatient.cancel()
    assert await asyncio.wait_for(patient, 10)
    with pytest.raises(asyncio.CancelledError):
        await impatient
