"""Streams of generated records."""

from __future__ import annotations

import os
import secrets
from types import TracebackType
from typing import IO, AsyncIterator, Iterator, Union

from ._core.config import Config
from ._core.records import Generation, Record, RecordDecoder
from ._core.request import Request
from ._core.response import Reply
from ._http import NETWORK_ERRORS, failure_of

# The path of a file, or an open binary file.
Target = Union[str, "os.PathLike[str]", IO[bytes]]


class Body:
    """The body of an open response. After the iteration, `failure` is set if it broke."""

    def __init__(self, config: Config, request: Request, reply: Reply) -> None:
        self._first = reply.body
        self._response, self._pieces = reply.source
        self._config, self._request = config, request
        self.failure: str | None = None

    def __iter__(self) -> Iterator[bytes]:
        first, self._first = self._first, b""
        yield first
        try:
            yield from self._pieces
        except NETWORK_ERRORS as error:
            failure = failure_of(self._config, self._request, error)
            self.failure = self._config.server_text(failure.reason)

    def close(self) -> None:
        self._response.close()


class AsyncBody:
    """The body of an open response. After the iteration, `failure` is set if it broke."""

    def __init__(self, config: Config, request: Request, reply: Reply) -> None:
        self._first = reply.body
        self._response, self._pieces = reply.source
        self._config, self._request = config, request
        self.failure: str | None = None

    async def __aiter__(self) -> AsyncIterator[bytes]:
        first, self._first = self._first, b""
        yield first
        try:
            async for piece in self._pieces:
                yield piece
        except NETWORK_ERRORS as error:
            failure = failure_of(self._config, self._request, error)
            self.failure = self._config.server_text(failure.reason)

    async def close(self) -> None:
        await self._response.aclose()


class _RecordStream:
    """The metadata of a stream: see `Generation`."""

    def __init__(self, config: Config, generation: Generation) -> None:
        self.seed = generation.seed
        self.count = generation.count
        self.now = generation.now
        self.engine_version = generation.engine_version
        self.warnings = generation.warnings
        self._decoder = RecordDecoder(
            generation.count, config.server_text, generation.marks_errors
        )


class RecordStream(_RecordStream):
    """An iterable of records, which arrive while you use them. Iterate over it once.

    The connection is closed at the end of the iteration, at the end of a `with` block, and
    by `close`.
    """

    def __init__(self, config: Config, generation: Generation, body: Body) -> None:
        super().__init__(config, generation)
        self._body = body

    def __iter__(self) -> Iterator[Record]:
        """Returns the records.

        Raises:
            StreamInterruptedError: The stream ended early.
        """
        try:
            for piece in self._body:
                yield from self._decoder.feed(piece)
            yield from self._decoder.finish(self._body.failure)
        finally:
            self.close()

    def close(self) -> None:
        self._body.close()

    def __enter__(self) -> RecordStream:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


class AsyncRecordStream(_RecordStream):
    """An asynchronous iterable of records. See `RecordStream`."""

    def __init__(self, config: Config, generation: Generation, body: AsyncBody) -> None:
        super().__init__(config, generation)
        self._body = body

    async def __aiter__(self) -> AsyncIterator[Record]:
        try:
            async for piece in self._body:
                for record in self._decoder.feed(piece):
                    yield record
            for record in self._decoder.finish(self._body.failure):
                yield record
        finally:
            await self.close()

    async def close(self) -> None:
        await self._body.close()

    async def __aenter__(self) -> AsyncRecordStream:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()


class CsvFile:
    """Collects the bytes of a file, or writes them to a path or an open file.

    A file at a path appears under its name only when it is complete.
    """

    def __init__(self, to: Target | None) -> None:
        self._collected = bytearray()
        self._path = os.fspath(to) if isinstance(to, (str, os.PathLike)) else None
        self._part = f"{self._path}.{secrets.token_hex(4)}.part"
        self._file: IO[bytes] | None = None
        if self._path is not None:
            self._file = open(self._part, "xb")
        elif to is not None:
            self._file = to  # type: ignore[assignment]

    def write(self, piece: bytes) -> None:
        if self._file is None:
            self._collected += piece
        else:
            self._file.write(piece)

    def finish(self) -> bytes | None:
        """Completes the file. Returns the bytes if there is no path and no file."""
        if self._path is not None and self._file is not None:
            self._file.close()
            os.replace(self._part, self._path)
            self._path = None
        return bytes(self._collected) if self._file is None else None

    def discard(self) -> None:
        """Removes the file at the path, unless it is complete."""
        if self._path is not None and self._file is not None:
            self._file.close()
            os.unlink(self._part)
