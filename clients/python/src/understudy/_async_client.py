"""The asynchronous client."""

from __future__ import annotations

from types import TracebackType
from typing import Any, overload

import httpx

from ._async_caller import AsyncCaller
from ._construction import Construction
from ._core.attempts import send
from ._core.config import Config
from ._core.records import (
    CSV,
    NDJSON,
    CsvCounter,
    Generation,
    Record,
    Schema,
    read_generation,
)
from ._core.request import build_request
from ._generated import operations
from ._generated.async_resources import AsyncResources
from ._streams import AsyncBody, AsyncRecordStream, CsvFile, Target


class AsyncUnderstudy(Construction[httpx.AsyncClient], AsyncResources):
    """A client of the Understudy API.

    It runs on asyncio. Use it in an `async with` block, or await `close`.
    """

    def _open(self, config: Config, http_client: httpx.AsyncClient | None) -> None:
        self._base_url = config.base_url
        AsyncResources.__init__(self, AsyncCaller(config, http_client))

    async def generate(
        self,
        schema: Schema,
        count: int,
        *,
        seed: int | None = None,
        now: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> list[Record]:
        """Generates records and returns all of them.

        Args:
            schema: The generators by name, and the names of those that become the keys of
                each record.
            count: The number of records.
            seed: The same schema, seed and `now` give the same records. By default, the
                server chooses a seed.
            now: The time to which relative dates refer (ISO 8601). By default, the start
                of the current UTC day.
            timeout: Replaces `generate_timeout` of the client.

        Raises:
            StreamInterruptedError: The response ended early.
        """
        stream = await self.generate_stream(
            schema, count, seed=seed, now=now, timeout=timeout, max_retries=max_retries
        )
        async with stream:
            return [record async for record in stream]

    async def generate_stream(
        self,
        schema: Schema,
        count: int,
        *,
        seed: int | None = None,
        now: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncRecordStream:
        """Generates records and returns them while they arrive, with constant memory.

        The arguments are those of `generate`.
        """
        generation, body = await self._generate(
            NDJSON, "ndjson", schema, count, seed, now, timeout, max_retries
        )
        return AsyncRecordStream(self._caller.config, generation, body)

    @overload
    async def generate_csv(
        self,
        schema: Schema,
        count: int,
        *,
        to: None = None,
        seed: int | None = None,
        now: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> bytes:
        ...

    @overload
    async def generate_csv(
        self,
        schema: Schema,
        count: int,
        *,
        to: Target,
        seed: int | None = None,
        now: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> None:
        ...

    async def generate_csv(
        self,
        schema: Schema,
        count: int,
        *,
        to: Target | None = None,
        seed: int | None = None,
        now: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> bytes | None:
        """Generates records as CSV with a header row.

        Args:
            to: A path, or an open binary file. A file at a path appears under its name only
                when it is complete. By default, the bytes are returned.

        The other arguments are those of `generate`.

        Raises:
            StreamInterruptedError: The response ended early.
        """
        generation, body = await self._generate(
            CSV, "csv", schema, count, seed, now, timeout, max_retries
        )
        try:
            file = CsvFile(to)
            try:
                counter = CsvCounter(generation.count)
                async for piece in body:
                    counter.feed(piece)
                    file.write(piece)
                counter.finish(body.failure)
                return file.finish()
            finally:
                file.discard()
        finally:
            await body.close()

    async def close(self) -> None:
        """Closes the connections, except those of an `http_client` that you passed."""
        await self._caller.close()

    async def __aenter__(self) -> AsyncUnderstudy:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    async def _generate(
        self,
        accept: str,
        format: str,
        schema: Schema,
        count: int,
        seed: int | None,
        now: str | None,
        timeout: float | None,
        max_retries: int | None,
    ) -> tuple[Generation, AsyncBody]:
        config = self._caller.config
        body: dict[str, Any] = {"schema": schema, "count": count, "format": format}
        request = build_request(
            config,
            operations.GENERATE,
            body={**body, "seed": seed, "now": now},
            timeout=timeout,
            max_retries=max_retries,
            accept=accept,
        )
        reply = await self._caller.run(send(config, request))
        opened = AsyncBody(config, request, reply)
        try:
            return read_generation(config, request, reply, count), opened
        except BaseException:
            await opened.close()
            raise
