"""Reads and checks the options of a client."""

from __future__ import annotations

import ipaddress
import math
import os
import random
import re
import time
from dataclasses import dataclass, field
from typing import Callable, NoReturn
from urllib.parse import urlsplit

from .errors import ConfigurationError

_MAX_SECONDS = 3600
_MAX_RETRIES = 10
_LONGEST_TEXT = 2000
# A shorter token could be a part of any text.
_SHORTEST_HIDDEN = 8


@dataclass(frozen=True)
class Attempt:
    """One attempt of a call, for `on_attempt`.

    `operation` is the operation's id in the API document, `attempt` counts from 1,
    `status` is None without a response, and `delay` is the time in seconds until the
    next attempt, or None if there is none.
    """

    operation: str
    attempt: int
    status: int | None
    request_id: str | None
    delay: float | None


class Secret:
    """Holds a text that no text form of the object shows."""

    __slots__ = ("reveal",)

    def __init__(self, text: str) -> None:
        self.reveal: Callable[[], str] = lambda: text

    def __repr__(self) -> str:
        return "Secret(***)"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a client contains a token and cannot be pickled or copied")


@dataclass(frozen=True)
class Config:
    """The checked options of a client. Times are in seconds."""

    token: Secret | None
    base_url: str
    is_loopback: bool
    timeout: float
    generate_timeout: float
    max_retries: int
    max_wait: float
    retry_base: float
    on_attempt: Callable[[Attempt], None] | None
    random: Callable[[], float] = field(default=random.random, repr=False)
    monotonic: Callable[[], float] = field(default=time.monotonic, repr=False)
    wall_clock: Callable[[], float] = field(default=time.time, repr=False)

    def server_text(self, text: str) -> str:
        """Makes a text of the server safe to show in an error.

        Hides the token, which a server or a proxy may repeat. Replaces control characters,
        which could change a terminal, and shortens the text to 2,000 characters.
        """
        token = "" if self.token is None else self.token.reveal()
        if len(token) >= _SHORTEST_HIDDEN:
            text = text.replace(token, "[token]")
        return re.sub(r"[\x00-\x1f\x7f-\x9f]+", " ", text[:_LONGEST_TEXT])


def read_token(token: str | None) -> Secret:
    """Checks the token of the argument or of `UNDERSTUDY_API_TOKEN`.

    Raises:
        ConfigurationError: The token is missing or malformed.
    """
    if token is None:
        token = os.environ.get("UNDERSTUDY_API_TOKEN") or None
    if token is None:
        raise ConfigurationError(
            "expected a token: pass token, or set UNDERSTUDY_API_TOKEN"
        )
    if not isinstance(token, str) or not re.fullmatch(r"[\x21-\x7e]{1,512}", token):
        raise ConfigurationError(
            "expected a token of 1 to 512 visible ASCII characters without spaces: "
            "check token, or UNDERSTUDY_API_TOKEN"
        )
    return Secret(token)


def read_base_url(base_url: str | None, allow_plaintext: bool) -> tuple[str, bool]:
    """Checks the URL of the argument or of `UNDERSTUDY_API_URL`.

    Returns:
        The URL with `/v1` and without a slash at its end, and whether its host is this
        machine.

    Raises:
        ConfigurationError: The URL is missing or invalid. The message contains no part
            of the URL that can be secret.
    """
    if base_url is None:
        base_url = os.environ.get("UNDERSTUDY_API_URL") or None
    if base_url is None:
        raise ConfigurationError(
            "expected the URL of the control plane: "
            "pass base_url, or set UNDERSTUDY_API_URL"
        )
    if not isinstance(base_url, str) or re.search(r"[\s\\\x00-\x1f\x7f]", base_url):
        raise ConfigurationError("base_url: expected a URL without spaces")
    try:
        url = urlsplit(base_url)
        port = url.port
    except ValueError:
        raise ConfigurationError("base_url: expected a valid URL") from None
    if "?" in base_url or "#" in base_url or "@" in url.netloc:
        raise ConfigurationError(
            "base_url: expected a URL without user name, password, query and fragment"
        )
    if url.scheme not in ("https", "http") or not url.hostname:
        raise ConfigurationError(
            "base_url: expected a URL such as https://understudy.example.com"
        )
    is_loopback = _is_loopback(url.hostname)
    if url.scheme == "http" and not is_loopback and not allow_plaintext:
        raise ConfigurationError(
            "base_url: expected https://, received http:// with a host that is not "
            "this machine: use https://, or pass allow_plaintext=True"
        )
    host = f"[{url.hostname}]" if ":" in url.hostname else url.hostname
    origin = f"{url.scheme}://{host}{'' if port is None else f':{port}'}"
    path = url.path.rstrip("/")
    return origin + (path if path.endswith("/v1") else f"{path}/v1"), is_loopback


def read_seconds(
    name: str, value: object, at_most: float = math.inf, default: float | None = None
) -> float:
    """Checks a time in seconds. Returns `default` if there is one and no value."""
    if value is None and default is not None:
        return default
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        if 0 <= value <= at_most and value < math.inf:
            return float(value)
    bounds = "at least 0" if math.isinf(at_most) else f"from 0 to {at_most:g}"
    raise ConfigurationError(
        f"{name}: expected a number of seconds {bounds}, received {_shown(value)}"
    )


def read_timeout(name: str, value: object, default: float | None = None) -> float:
    """Checks the time limit of an attempt."""
    return read_seconds(name, value, _MAX_SECONDS, default)


def read_max_retries(value: object, default: int | None = None) -> int:
    """Checks the number of attempts after the first one."""
    if value is None and default is not None:
        return default
    if isinstance(value, int) and not isinstance(value, bool):
        if 0 <= value <= _MAX_RETRIES:
            return value
    raise ConfigurationError(
        f"max_retries: expected an integer from 0 to {_MAX_RETRIES}, "
        f"received {_shown(value)}"
    )


def read_key(key: str) -> str:
    """Checks an idempotency key."""
    if not isinstance(key, str) or not re.fullmatch(r"[\x21-\x7e]{1,255}", key):
        raise ConfigurationError(
            "idempotency_key: expected 1 to 255 visible ASCII characters without spaces"
        )
    return key


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return address.version == 4 and address.is_loopback or host == "::1"


def _shown(value: object) -> str:
    return f"{value:g}" if isinstance(value, (int, float)) else type(value).__name__
