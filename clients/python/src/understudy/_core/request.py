"""Builds the request of a call."""

from __future__ import annotations

import json
import platform
import re
import secrets
import uuid
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Generic, Mapping, Sequence, TypeVar
from urllib.parse import quote, urlencode

from .config import Config, read_key, read_max_retries, read_timeout
from .errors import ConfigurationError

VERSION = "0.1.0"

_USER_AGENT = (
    f"understudy-python/{VERSION} "
    f"({platform.python_implementation()} {platform.python_version()})"
)

# The media type of a response that is a file.
FILE = "application/octet-stream"

T_co = TypeVar("T_co", covariant=True)

# Asks the server to mark its errors in a stream. A server that does so repeats the header.
MARKED_ERRORS = {"X-Generation-Errors": "marked"}


@dataclass(frozen=True)
class Operation(Generic[T_co]):
    """One operation of the API. The type parameter is the type of its result."""

    id: str
    method: str
    path: str
    repeatable: bool = True
    # Whether the operation accepts an idempotency key. The client then always sends one.
    idempotency_key: bool = False
    # Whether the operation needs no token. The client then sends none.
    public: bool = False
    # Whether the result is the field `data` of the response.
    enveloped: bool = True
    multipart: bool = False
    # Whether the response is a file. The result is its bytes.
    file: bool = False
    # The field with the items of a page.
    items: str | None = None


@dataclass(frozen=True)
class Request:
    """One request, the same for all attempts of a call. It does not contain the token."""

    operation: Operation[Any]
    url: str
    headers: Mapping[str, str]
    content: bytes | None = field(repr=False)
    authorized: bool
    timeout: float
    max_retries: int
    idempotency_key: str | None
    # The last value in the path: the id of the resource.
    subject: str
    # Whether the body of the response is read piece by piece.
    streamed: bool = False


def build_request(
    config: Config,
    operation: Operation[Any],
    path: Sequence[str] = (),
    query: Mapping[str, Any] | None = None,
    body: Mapping[str, Any] | None = None,
    *,
    timeout: float | None = None,
    max_retries: int | None = None,
    idempotency_key: str | None = None,
    accept: str | None = None,
) -> Request:
    """Builds the request. A value None in `query` and `body` is omitted.

    Args:
        accept: The media type of a response that is read piece by piece.

    Raises:
        ConfigurationError: An argument of the call is invalid.
    """
    authorized = not operation.public
    if authorized and config.token is None:
        raise ConfigurationError(
            f"{operation.id} needs a token: create the client with a token"
        )
    key = None
    if operation.idempotency_key:
        key = (
            str(uuid.uuid4()) if idempotency_key is None else read_key(idempotency_key)
        )
    headers = {
        "Accept": accept or (FILE if operation.file else "application/json"),
        "Accept-Encoding": "identity",
        "User-Agent": _USER_AGENT,
    }
    if accept:
        headers.update(MARKED_ERRORS)
    if key is not None:
        headers["Idempotency-Key"] = key
    content = None
    if body is not None:
        fields = {name: value for name, value in body.items() if value is not None}
        encode = _multipart if operation.multipart else _json
        content, headers["Content-Type"] = encode(operation, fields)
    default = config.generate_timeout if accept else config.timeout
    return Request(
        operation=operation,
        url=config.base_url + _path(operation, path) + _query(query or {}),
        headers=headers,
        content=content,
        authorized=authorized,
        timeout=read_timeout("timeout", timeout, default),
        max_retries=read_max_retries(max_retries, config.max_retries),
        idempotency_key=key,
        subject=path[-1] if path else "",
        streamed=accept is not None,
    )


def _path(operation: Operation[Any], values: Sequence[str]) -> str:
    path = operation.path
    for value in values:
        start, end = path.index("{"), path.index("}")
        path = path[:start] + _segment(operation, value) + path[end + 1 :]
    return path


def _segment(operation: Operation[Any], value: object) -> str:
    # URLs resolve the segments `.` and `..`, even if they are percent-encoded.
    if isinstance(value, str) and value not in ("", ".", ".."):
        try:
            return quote(value, safe="")
        except UnicodeEncodeError:
            pass
    raise ConfigurationError(f"{operation.id}: expected the id of a resource")


def _query(values: Mapping[str, Any]) -> str:
    given = {name: value for name, value in values.items() if value is not None}
    return f"?{urlencode(given)}" if given else ""


def _json(operation: Operation[Any], body: Mapping[str, Any]) -> tuple[bytes, str]:
    # The digits of a Decimal are marked with a random text, which no other text contains.
    mark = secrets.token_hex(16)

    def digits(value: object) -> str:
        if isinstance(value, Decimal) and value.is_finite():
            return f"{mark}{value}"
        raise TypeError(f"{type(value).__name__} is not JSON")

    try:
        text = json.dumps(
            body,
            ensure_ascii=False,
            allow_nan=False,
            separators=(",", ":"),
            default=digits,
        )
        text = re.sub(f'"{mark}([^"]*)"', r"\1", text)
        return text.encode(), "application/json"
    except (TypeError, ValueError, RecursionError) as error:
        reason = f"{error}"
    raise ConfigurationError(f"{operation.id}: expected values of JSON: {reason}")


def _multipart(operation: Operation[Any], body: Mapping[str, Any]) -> tuple[bytes, str]:
    """Encodes a form. A value that is neither text nor bytes is an open binary file."""
    boundary = secrets.token_hex(16)
    parts = bytearray()
    for name, value in body.items():
        parts += (
            f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"'.encode()
        )
        if isinstance(value, str):
            content = value.encode()
        else:
            parts += f'; filename="{name}"\r\n'.encode()
            parts += b"Content-Type: application/octet-stream"
            content = value if isinstance(value, (bytes, bytearray)) else value.read()
        if not isinstance(content, (bytes, bytearray)):
            raise ConfigurationError(
                f"{operation.id}: {name}: expected bytes or a file in binary mode"
            )
        parts += b"\r\n\r\n" + content + b"\r\n"
    parts += f"--{boundary}--\r\n".encode()
    return bytes(parts), f"multipart/form-data; boundary={boundary}"
