"""An organization that searches without end, in a process of its own: `searcher.py BASE_URL KEY SECONDS`.

It prints the statuses that it was answered.
"""

import asyncio
import contextlib
import json
import sys

import httpx2

PATIENCE = 120.0  # seconds
AT_ONCE = 20


async def search(base_url: str, key: str, seconds: float) -> list[int]:
    """Search from a process of its own; the statuses that it was answered."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, __file__, base_url, key, str(seconds)), stdout=asyncio.subprocess.PIPE
    )
    printed, _ = await asyncio.wait_for(process.communicate(), seconds + 60)
    assert process.returncode == 0
    statuses: list[int] = json.loads(printed)
    return statuses


async def ask(base_url: str, key: str, statuses: list[int]) -> None:
    """Search all contacts for what none of them has, again and again."""
    headers = {"Authorization": f"Bearer {key}"}
    async with httpx2.AsyncClient(base_url=f"{base_url}/v1", headers=headers, timeout=PATIENCE) as client:
        while True:
            statuses.append((await client.get("/contacts", params={"q": "nobody's"})).status_code)


async def main(base_url: str, key: str, seconds: float) -> None:
    statuses: list[int] = []
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds), asyncio.TaskGroup() as searches:
            for _ in range(AT_ONCE):
                searches.create_task(ask(base_url, key, statuses))
    print(json.dumps(statuses))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], float(sys.argv[3])))
