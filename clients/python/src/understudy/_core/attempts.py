"""Makes the attempts of a call.

The functions are generators. They yield what has to be done, a `Request` to send or a
`Sleep`, and receive the outcome. Each client performs these steps in its own way, so the
rules for retries exist once.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Generator, TypeVar, Union

from .config import Attempt, Config
from .errors import ApiError, UnderstudyError
from .request import Request
from .response import Failure, Reply, read_error, read_result, request_id, retry_after

_LONGEST_BACKOFF = 8.0
_REPEATED = frozenset({408, 429, 500, 502, 503, 504})


@dataclass(frozen=True)
class Sleep:
    """Waits before the next step."""

    seconds: float


T = TypeVar("T")
Outcome = Union[Reply, Failure]
Steps = Generator[Union[Request, Sleep], Union[Outcome, None], T]


def call(config: Config, request: Request) -> Steps[Any]:
    """Makes a call and returns its result."""
    reply = yield from send(config, request)
    return read_result(config, request, reply)


def send(config: Config, request: Request) -> Steps[Reply]:
    """Sends a request until an attempt succeeds or must not be repeated.

    Raises:
        ApiError: The server refused the request.
        ApiConnectionError: No attempt received a response.
    """
    attempt = 0
    while True:
        outcome = yield request
        assert outcome is not None
        error = read_error(config, request, outcome)
        delay = None
        if error is not None and attempt < request.max_retries:
            delay = _delay(config, request, outcome, attempt)
        _report(config, request, outcome, error, attempt, delay)
        if isinstance(outcome, Reply):
            if error is None:
                return outcome
            if _is_deleted(request, outcome, attempt):
                return _deleted(request)
        if delay is None:
            assert error is not None
            raise error
        yield Sleep(delay)
        attempt += 1


def _delay(
    config: Config, request: Request, outcome: Outcome, attempt: int
) -> float | None:
    """Returns the time until the next attempt, or None if there is none."""
    if not request.operation.repeatable:
        return None
    if isinstance(outcome, Reply):
        wait = retry_after(config, outcome)
        if outcome.status not in _REPEATED and not (
            outcome.status == 409 and wait is not None
        ):
            return None
        if wait is not None:
            return wait if wait <= config.max_wait else None
    longest = min(_LONGEST_BACKOFF, config.retry_base * 2.0**attempt)
    return config.random() * longest


def _is_deleted(request: Request, reply: Reply, attempt: int) -> bool:
    """Checks whether an earlier attempt has deleted the resource."""
    is_repeated_delete = request.operation.method == "DELETE" and attempt > 0
    return is_repeated_delete and reply.status == 404


def _deleted(request: Request) -> Reply:
    body = json.dumps({"data": {"id": request.subject, "deleted": True}}).encode()
    return Reply(status=200, headers={}, body=body)


def _report(
    config: Config,
    request: Request,
    outcome: Outcome,
    error: UnderstudyError | None,
    attempt: int,
    delay: float | None,
) -> None:
    if config.on_attempt is None:
        return
    if isinstance(outcome, Failure):
        found = outcome.request_id
    elif isinstance(error, ApiError):
        found = error.request_id
    else:
        found = request_id(config, outcome.headers)
    config.on_attempt(
        Attempt(
            operation=request.operation.id,
            attempt=attempt + 1,
            status=outcome.status,
            request_id=found,
            delay=delay,
        )
    )
