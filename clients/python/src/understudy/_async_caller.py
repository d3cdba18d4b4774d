"""Performs the steps of calls with `httpx.AsyncClient`."""

from __future__ import annotations

import asyncio
import time
from typing import (
    Any,
    AsyncIterator,
    Awaitable,
    Callable,
    Mapping,
    Sequence,
    TypeVar,
    cast,
)

import httpx

from ._core.attempts import Outcome, Sleep, Steps, call
from ._core.config import Config
from ._core.errors import ConfigurationError
from ._core.pages import Pages
from ._core.request import Operation, Request, build_request
from ._core.response import MAX_BODY, Reply
from ._http import (
    NETWORK_ERRORS,
    NO_AUTH,
    encoding_left,
    failure_of,
    headers_of,
    mounts_of,
    reply_of,
)

T = TypeVar("T")


class AsyncCaller:
    """Calls operations. It closes the HTTP client only if it created it."""

    def __init__(self, config: Config, http_client: httpx.AsyncClient | None) -> None:
        self.config = config
        self.sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
        self._owned = http_client is None
        self._http = http_client or httpx.AsyncClient(mounts=mounts_of(config))

    async def call(
        self,
        operation: Operation[T],
        path: Sequence[str] = (),
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        *,
        timeout: float | None,
        max_retries: int | None,
        idempotency_key: str | None = None,
    ) -> T:
        """Calls an operation and returns its result."""
        request = build_request(
            self.config,
            operation,
            path,
            query,
            body,
            timeout=timeout,
            max_retries=max_retries,
            idempotency_key=idempotency_key,
        )
        return cast(T, await self.run(call(self.config, request)))

    async def iterate(
        self,
        operation: Operation[Any],
        path: Sequence[str] = (),
        query: Mapping[str, Any] | None = None,
        *,
        timeout: float | None,
        max_retries: int | None,
    ) -> AsyncIterator[Any]:
        """Returns the items of all pages. Requests a page when its first item is needed."""
        pages = Pages(operation.items or "", query or {})
        while pages.has_more:
            page = await self.call(
                operation, path, pages.query, timeout=timeout, max_retries=max_retries
            )
            for item in pages.read(page):
                yield item

    async def run(self, steps: Steps[T]) -> T:
        """Performs steps until they return a result or raise an error."""
        outcome: Outcome | None = None
        while True:
            try:
                step = steps.send(outcome)
            except StopIteration as end:
                return cast(T, end.value)
            if isinstance(step, Sleep):
                await self.sleep(step.seconds)
                outcome = None
            else:
                outcome = await self._send(step)

    async def close(self) -> None:
        if self._owned:
            await self._http.aclose()

    async def _send(self, request: Request) -> Outcome:
        if self._http.is_closed:
            raise ConfigurationError("the client is closed: create a new one")
        end = time.monotonic() + request.timeout
        try:
            response = await asyncio.wait_for(self._open(request), request.timeout)
        except NETWORK_ERRORS as error:
            return failure_of(self.config, request, error)
        is_open = False
        try:
            reading = self._read(request, response)
            reply = await asyncio.wait_for(reading, max(0.0, end - time.monotonic()))
            is_open = reply.source is not None
            return reply
        except NETWORK_ERRORS as error:
            return failure_of(self.config, request, error, response)
        finally:
            if not is_open:
                await response.aclose()

    async def _open(self, request: Request) -> httpx.Response:
        return await self._http.send(
            self._http.build_request(
                request.operation.method,
                request.url,
                headers=headers_of(self.config, request),
                content=request.content,
                timeout=request.timeout,
            ),
            stream=True,
            auth=NO_AUTH,
            follow_redirects=False,
        )

    async def _read(self, request: Request, response: httpx.Response) -> Reply:
        """Reads the whole body, or the first piece of a stream."""
        if encoding_left(response):
            return reply_of(response, b"", False)
        is_stream = request.streamed and response.is_success
        pieces = response.aiter_bytes()
        body = bytearray()
        async for piece in pieces:
            body += piece
            if is_stream and body:
                break
            if len(body) > MAX_BODY:
                return reply_of(response, b"", False)
        source = (response, pieces) if is_stream else None
        return reply_of(response, bytes(body), True, source)
