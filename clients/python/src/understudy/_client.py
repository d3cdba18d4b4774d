"""The client."""

from __future__ import annotations

from types import TracebackType
from typing import Any, overload

import httpx

from ._caller import Caller
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
from ._generated.resources import Resources
from ._streams import Body, CsvFile, RecordStream, Target


class Understudy(Construction[httpx.Client], Resources):
    """A client of the Understudy API.

    Threads can share it. Use it in a `with` block, or call `close`.
    """

    def _open(self, config: Config, http_client: httpx.Client | None) -> None:
        self._base_url = config.base_url
        Resources.__init__(self, Caller(config, http_client))

    def generate(
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
        with self.generate_stream(
            schema, count, seed=seed, now=now, timeout=timeout, max_retries=max_retries
        ) as stream:
            return list(stream)

    def generate_stream(
        self,
        schema: Schema,
        count: int,
        *,
        seed: int | None = None,
        now: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> RecordStream:
        """Generates records and returns them while they arrive, with constant memory.

        The arguments are those of `generate`.
        """
        generation, body = self._generate(
            NDJSON, "ndjson", schema, count, seed, now, timeout, max_retries
        )
        return RecordStream(self._caller.config, generation, body)

    @overload
    def generate_csv(
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
    def generate_csv(
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

    def generate_csv(
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
        generation, body = self._generate(
            CSV, "csv", schema, count, seed, now, timeout, max_retries
        )
        try:
            file = CsvFile(to)
            try:
                counter = CsvCounter(generation.count)
                for piece in body:
                    counter.feed(piece)
                    file.write(piece)
                counter.finish(body.failure)
                return file.finish()
            finally:
                file.discard()
        finally:
            body.close()

    def close(self) -> None:
        """Closes the connections, except those of an `http_client` that you passed."""
        self._caller.close()

    def __enter__(self) -> Understudy:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _generate(
        self,
        accept: str,
        format: str,
        schema: Schema,
        count: int,
        seed: int | None,
        now: str | None,
        timeout: float | None,
        max_retries: int | None,
    ) -> tuple[Generation, Body]:
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
        reply = self._caller.run(send(config, request))
        opened = Body(config, request, reply)
        try:
            return read_generation(config, request, reply, count), opened
        except BaseException:
            opened.close()
            raise
