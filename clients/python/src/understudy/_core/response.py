"""Reads responses: the result of a call, or its error."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from email.utils import parsedate_to_datetime
from typing import Any, Mapping, NoReturn, TypeGuard

from . import errors
from .config import Config
from .request import FILE, Request

# The longest body of a response that is read as a whole, in bytes.
MAX_BODY = 64 * 1024 * 1024

_HTTP_DATE = (
    "(Mon|Tue|Wed|Thu|Fri|Sat|Sun), [0-9]{2} [A-Z][a-z]{2} [0-9]{4} "
    "[0-9]{2}:[0-9]{2}:[0-9]{2} GMT"
)
_MAX_DETAILS = 100
# The largest number of invalid fields in a message.
_MAX_LINES = 20

_CLASSES: Mapping[int, type[errors.ApiError]] = {
    400: errors.ValidationError,
    401: errors.AuthenticationError,
    402: errors.QuotaExceededError,
    403: errors.PermissionDeniedError,
    404: errors.NotFoundError,
    409: errors.ConflictError,
    413: errors.ValidationError,
    415: errors.ValidationError,
    422: errors.ValidationError,
    429: errors.RateLimitError,
}


@dataclass(frozen=True)
class Reply:
    """A response. The names of the headers are in lower case."""

    status: int
    # Reports of errors with local variables show no text of the server.
    headers: Mapping[str, str] = field(repr=False)
    # The body. Of a stream, only the first piece; nothing of a body that is too long.
    body: bytes = field(repr=False)
    is_complete: bool = True
    # The open response of a stream.
    source: Any = field(default=None, repr=False)
    # The content encoding of a body that is still encoded, or an empty text.
    encoding: str = field(default="", repr=False)

    @property
    def media_type(self) -> str:
        text = self.headers.get("content-type", "").split(";")[0].strip().lower()
        return text if re.fullmatch(r"[\w.+-]{1,60}/[\w.+-]{1,60}", text) else ""


@dataclass(frozen=True)
class Failure:
    """An attempt without a complete response. `status` is set if its headers arrived."""

    timed_out: bool
    reason: str
    status: int | None = None
    request_id: str | None = None


def read_result(config: Config, request: Request, reply: Reply) -> Any:
    """Returns the result of a successful response.

    Raises:
        ApiError: The response is not one of the API.
    """
    if request.operation.file:
        if reply.is_complete and reply.media_type == FILE:
            return reply.body
        raise unexpected_response(config, request, reply)
    document = _read_object(reply)
    result = document.get("data") if request.operation.enveloped else document
    if not isinstance(result, dict):
        raise unexpected_response(config, request, reply)
    items = request.operation.items
    if items is not None and not isinstance(result.get(items), list):
        raise unexpected_response(config, request, reply)
    return result


def unexpected_response(
    config: Config, request: Request, reply: Reply
) -> errors.ApiError:
    """Returns the error of a response that is not one of the API."""
    return _api_error(config, request, reply, {}, "unexpected_response")


def read_error(
    config: Config, request: Request, outcome: Reply | Failure
) -> errors.UnderstudyError | None:
    """Returns the error of an attempt, or None if it was successful."""
    if isinstance(outcome, Failure):
        kind = (
            errors.ApiTimeoutError if outcome.timed_out else errors.ApiConnectionError
        )
        reason = config.server_text(outcome.reason)
        message = f"{request.operation.id}: {reason}"
        return kind(message, idempotency_key=request.idempotency_key)
    if 200 <= outcome.status < 300:
        if outcome.encoding:
            return unexpected_response(config, request, outcome)
        return None
    if 300 <= outcome.status < 400:
        return _api_error(config, request, outcome, {}, "unexpected_redirect")
    document = _read_object(outcome)
    error = document.get("error")
    if (
        not isinstance(error, dict)
        or not _is_short(error.get("code"))
        or not isinstance(error.get("message"), str)
    ):
        return unexpected_response(config, request, outcome)
    code = config.server_text(error["code"])
    return _api_error(config, request, outcome, document, code)


def request_id(
    config: Config, headers: Mapping[str, str], meta: object = None
) -> str | None:
    """Returns the id of the request from the header, or else from the body."""
    found: object = headers.get("x-request-id")
    if found is None and isinstance(meta, dict):
        found = meta.get("request_id")
    return config.server_text(found) if _is_short(found) else None


def retry_after(config: Config, reply: Reply) -> float | None:
    """Returns the seconds of the header `Retry-After`, or None without a valid one."""
    text = reply.headers.get("retry-after", "").strip()
    if re.fullmatch(r"[0-9]{1,100}", text):
        return float(text)
    if not re.fullmatch(_HTTP_DATE, text):
        return None
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - config.wall_clock())
    except (ValueError, OverflowError):
        return None


def _is_short(text: object) -> TypeGuard[str]:
    return isinstance(text, str) and bool(re.fullmatch(r"[\x21-\x7e]{1,200}", text))


def parse_json(text: str) -> Any:
    """Parses JSON strictly.

    Raises:
        ValueError: The text is not JSON, or is nested too deeply.
    """
    text = text.strip(" \t\r\n")
    try:
        # `decode` is slower, because it searches for white space with regular expressions.
        value, end = _DECODER.raw_decode(text)
    except RecursionError:
        raise ValueError("the JSON text is nested too deeply") from None
    if end != len(text):
        raise ValueError("the JSON text is followed by more text")
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _decimal(text: str) -> float | Decimal:
    """Returns the nearest double, or a Decimal if the double prints another value."""
    number = float(text)
    if len(text) <= 16 and "e" not in text and "E" not in text:
        return number  # a double holds 15 digits
    try:
        exact = Decimal(text)
    except InvalidOperation:
        raise ValueError("the exponent of a number is too large") from None
    return number if exact == Decimal(repr(number)) else exact


_DECODER = json.JSONDecoder(parse_float=_decimal, parse_constant=_refuse_constant)


def _read_object(reply: Reply) -> dict[str, Any]:
    """Returns the body as an object, which is empty if the body is something else."""
    if not reply.is_complete:
        return {}
    try:
        document = parse_json(reply.body.decode(errors="replace"))
    except ValueError:
        return {}
    return document if isinstance(document, dict) else {}


def _api_error(
    config: Config,
    request: Request,
    reply: Reply,
    document: Mapping[str, Any],
    code: str,
) -> errors.ApiError:
    error = document.get("error", {})
    details = field_problems(config, error.get("details"))
    if code == "unexpected_redirect":
        text = "the server sent a redirect, which is not followed: check base_url"
    elif code == "unexpected_response":
        received = reply.media_type or "no media type"
        if not reply.is_complete:
            received = f"more than {MAX_BODY} bytes"
        text = f"expected a response of the API, received {received}: check base_url"
        if reply.encoding:
            encoding = config.server_text(reply.encoding)
            text = (
                "expected a response without compression, received the content encoding "
                f'"{encoding}": turn it off in the server or the proxies before it'
            )
    else:
        text = config.server_text(error["message"])
    found = request_id(config, reply.headers, document.get("meta"))
    line = f"{request.operation.id}: {reply.status} {code}: {text}"
    if found is not None:
        line += f" ({found})"
    # The server's message often repeats the only problem.
    problems = [f"{detail['field']}: {detail['message']}" for detail in details]
    lines = [f"\n  {problem}" for problem in problems if problem not in text]
    if len(lines) > _MAX_LINES:
        lines[_MAX_LINES:] = [f"\n  and {len(lines) - _MAX_LINES} more fields"]
    kind = _CLASSES.get(reply.status, errors.ApiError)
    if 500 <= reply.status < 600:
        kind = errors.ServerError
    return kind(
        line + "".join(lines),
        status=reply.status,
        code=code,
        request_id=found,
        details=details,
        retry_after=retry_after(config, reply),
        idempotency_key=request.idempotency_key,
    )


def field_problems(config: Config, details: object) -> list[dict[str, str]]:
    """Returns the fields with valid entries, at most 100."""
    if not isinstance(details, list):
        return []
    return [
        {name: config.server_text(detail[name]) for name in ("field", "message")}
        for detail in details[:_MAX_DETAILS]
        if isinstance(detail, dict)
        and isinstance(detail.get("field"), str)
        and isinstance(detail.get("message"), str)
    ]
