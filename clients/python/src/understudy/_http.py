"""The parts of both clients that use httpx."""

from __future__ import annotations

import asyncio
import socket
import time
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from typing import Any, Iterator, Mapping

import httpx

from ._core.config import Config
from ._core.request import Request
from ._core.response import Failure, Reply, request_id

# What httpx raises if no complete response arrives.
NETWORK_ERRORS = (
    httpx.HTTPError,
    httpx.StreamError,
    OSError,
    asyncio.TimeoutError,
)

# Sends the headers of the request as they are, without credentials from .netrc.
NO_AUTH = httpx.Auth()

_deadline: ContextVar[float | None] = ContextVar("understudy_deadline", default=None)


def headers_of(config: Config, request: Request) -> dict[str, str]:
    """Returns the headers of a request, with the token if the operation needs it."""
    if config.token is None or not request.authorized:
        return dict(request.headers)
    return {**request.headers, "Authorization": f"Bearer {config.token.reveal()}"}


def mounts_of(config: Config) -> Any:
    """Excludes a control plane on this machine from the proxies of the environment."""
    host = httpx.URL(config.base_url).host
    pattern = f"all://[{host}]" if ":" in host else f"all://{host}"
    return {pattern: None} if config.is_loopback else {}


def reply_of(
    response: httpx.Response, body: bytes, is_complete: bool, source: Any = None
) -> Reply:
    """Converts a response."""
    headers = {name.lower(): value for name, value in response.headers.items()}
    encoding = encoding_left(response)
    return Reply(response.status_code, headers, body, is_complete, source, encoding)


def encoding_left(response: httpx.Response) -> str:
    """Returns a content encoding that httpx does not decode, or an empty text."""
    encoding = response.headers.get("content-encoding", "")
    if all(_is_decoded(each.strip().lower()) for each in encoding.split(",")):
        return ""
    return str(encoding)


@lru_cache(maxsize=8)
def _is_decoded(encoding: str) -> bool:
    """Checks whether httpx decodes an encoding, which depends on installed packages."""
    if encoding in ("", "identity"):
        return True
    if not encoding.isascii():
        return False
    invalid = b"\xff" * 8
    try:
        probe = httpx.Response(
            200, headers={"Content-Encoding": encoding}, content=invalid
        )
    except httpx.DecodingError:
        return True
    return probe.content != invalid


def failure_of(
    config: Config,
    request: Request,
    error: BaseException,
    response: httpx.Response | None = None,
) -> Failure:
    """Converts an exception of httpx, which holds the request with the token."""
    url = httpx.URL(request.url)
    origin = f"{url.scheme}://{url.netloc.decode()}"
    status = None if response is None else response.status_code
    found = None if response is None else request_id(config, response.headers)
    if isinstance(error, (httpx.TimeoutException, TimeoutError, asyncio.TimeoutError)):
        reason = f"{origin} sent nothing within {request.timeout:g} s"
        return Failure(True, reason, status, found)
    text = str(error) or type(error).__name__
    reason = f"the connection to {origin} failed: {text}"
    return Failure(False, reason, status, found)


@contextmanager
def deadline_for_reads(deadline: float) -> Iterator[None]:
    """Limits all reads and writes in this context to a deadline of `time.monotonic`."""
    previous = _deadline.set(deadline)
    try:
        yield
    finally:
        _deadline.reset(previous)


def prepare_connection(event: str, info: Mapping[str, Any]) -> None:
    """Makes each new connection obey the deadline, and send without delay.

    The time limits of httpx apply to single reads. A server that sends one byte at a time
    could hold a call for ever. This function is passed to httpx as the extension `trace`.
    """
    if not event.endswith(("connect_tcp.complete", "start_tls.complete")):
        return
    stream = info["return_value"]
    # httpcore before 0.17 sends the body only after the server has acknowledged the headers.
    stream.get_extra_info("socket").setsockopt(
        socket.IPPROTO_TCP, socket.TCP_NODELAY, 1
    )
    read, write = stream.read, stream.write
    stream.read = lambda size, timeout=None: read(size, _remaining(timeout))
    stream.write = lambda data, timeout=None: write(data, _remaining(timeout))


def _remaining(timeout: float | None) -> float | None:
    deadline = _deadline.get()
    if deadline is None:
        return timeout
    # Zero would mean a socket that never waits, which has an error of its own.
    rest = max(deadline - time.monotonic(), 0.001)
    return rest if timeout is None else min(rest, timeout)
