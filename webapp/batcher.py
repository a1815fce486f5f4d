"""Batches concurrent requests: those that arrive during a call share the next call."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Sequence
from contextvars import Context
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Asked = TypeVar("Asked")
Answer = TypeVar("Answer")


class Batcher(Generic[Key, Asked, Answer]):
    """One call at a time per key, without waiting for a batch to fill."""

    def __init__(
        self, call: Callable[[Key, Sequence[Asked]], Awaitable[Sequence[Answer | Exception]]], limit: int
    ) -> None:
        """`call` answers up to `limit` requests, in order; an exception as an answer is raised for its caller."""
        self._call, self._limit = call, limit
        self._waiting: dict[Key, list[tuple[Asked, asyncio.Future[Answer]]]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def ask(self, key: Key, asked: Asked) -> asyncio.Future[Answer]:
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        waiting = self._waiting.get(key)
        if waiting is not None:
            waiting.append((asked, answer))
        else:
            self._waiting[key] = [(asked, answer)]
            # In a new context, because the first caller's transaction and limits must not apply to the others.
            task = asyncio.get_running_loop().create_task(self._answer_all(key), context=Context())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        return answer

    async def close(self) -> None:
        """Cancels running calls and those who wait for them."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _answer_all(self, key: Key) -> None:
        waiting = self._waiting[key]
        try:
            while waiting:
                batch = waiting[: self._limit]
                del waiting[: self._limit]
                await self._answer(key, batch)
        finally:
            del self._waiting[key]
            for _, answer in waiting:
                answer.cancel()

    async def _answer(self, key: Key, batch: Sequence[tuple[Asked, asyncio.Future[Answer]]]) -> None:
        try:
            answers = await self._call(key, [asked for asked, _ in batch])
        except Exception as error:  # noqa: BLE001 - raised for each caller
            answers = [error] * len(batch)
        except asyncio.CancelledError:
            for _, future in batch:
                future.cancel()
            raise
        for (_, future), answer in zip(batch, answers, strict=True):
            if future.done():  # its caller no longer waits
                continue
            if isinstance(answer, Exception):
                future.set_exception(answer)
            else:
                future.set_result(answer)
