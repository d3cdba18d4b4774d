"""Verifies the signatures of webhooks. No client is needed."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import math
import re
import time
from typing import Any, Iterable, Mapping, Protocol, Sequence, TypedDict, cast

from ._core.errors import ConfigurationError, WebhookVerificationError
from ._core.response import parse_json

__all__ = ["Event", "Headers", "verify"]

_PREFIX = "whsec_"
# The largest number of signatures that are compared. A rotation has two.
_MAX_SIGNATURES = 20
# A signature of 32 bytes. Spaces separate several ones, and commas if HTTP joined headers.
_SIGNATURE = re.compile(
    r"(?:^|[ \t,])v1,([A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=)(?=\Z|[ \t,])"
)


class Event(TypedDict):
    """The body of a webhook. `data` depends on `event`."""

    id: str
    event: str
    timestamp: str
    data: dict[str, Any]


class Headers(Protocol):
    """The headers of any framework for web servers: a dictionary or a similar object."""

    def items(self) -> Iterable[tuple[str, Any]]:
        ...


def verify(
    raw_body: bytes | str,
    headers: Headers,
    secrets: str | Sequence[str],
    tolerance: float = 300,
    *,
    now: float | None = None,
    allow_untimed: bool = False,
) -> Event:
    """Checks the signature of a webhook, and returns its event.

    `webhook-signature` covers the time of the request, so a recorded request is refused
    later. A request without this header is refused, unless you pass `allow_untimed`. An
    event can arrive twice: store the ids of the events that you processed.

    Args:
        raw_body: The body as it was received, before it was parsed.
        headers: The headers of the request. Names are compared without case.
        secrets: The secret (`whsec_…`), or several ones while you rotate it.
        tolerance: The longest difference between the signed time and the clock, in
            seconds.
        now: The current Unix time in seconds. By default, the clock is read.
        allow_untimed: Accepts a request that has only `X-Service-Signature`. This signature
            covers no time, so anybody who recorded a request can send it again.

    Raises:
        WebhookVerificationError: The request is not authentic. See `reason`.
        ConfigurationError: `secrets` contains no secret, or `tolerance` is no finite number
            of seconds from 0.
    """
    body = _encode(raw_body) if isinstance(raw_body, str) else bytes(raw_body)
    keys = [secrets] if isinstance(secrets, str) else list(secrets)
    if not keys or not all(isinstance(key, str) and key for key in keys):
        raise ConfigurationError("secrets: expected one secret or several ones")
    if not isinstance(tolerance, (int, float)) or not 0 <= tolerance < math.inf:
        raise ConfigurationError("tolerance: expected a number of seconds, at least 0")
    by_name = _joined(headers)
    if "webhook-signature" in by_name:
        clock = time.time() if now is None else now
        _check_standard(body, by_name, keys, tolerance, clock)
    elif allow_untimed and "x-service-signature" in by_name:
        _check_plain(body, by_name["x-service-signature"], keys)
    else:
        raise _missing("x-service-signature" in by_name)
    return _read_event(body)


def _encode(text: str) -> bytes:
    """Encodes text of any caller. A half surrogate pair gets bytes that nobody signed."""
    return text.encode("utf-8", "surrogatepass")


def _joined(headers: Headers) -> dict[str, str]:
    """Joins the values of each header as HTTP does.

    Two timestamps or ids then never pass for one of them.
    """
    by_name: dict[str, list[str]] = {}
    for name, value in headers.items():
        values = value if isinstance(value, (list, tuple)) else [value]
        given = [str(each) for each in values if each is not None]
        by_name.setdefault(str(name).lower(), []).extend(given)
    return {name: ", ".join(values) for name, values in by_name.items() if values}


def _check_standard(
    body: bytes,
    headers: Mapping[str, str],
    secrets: Sequence[str],
    tolerance: float,
    now: float,
) -> None:
    """Checks the signature of Standard Webhooks."""
    event_id, timestamp = headers.get("webhook-id"), headers.get("webhook-timestamp")
    if not event_id or not timestamp:
        raise _refused(
            "missing_signature", "expected the headers webhook-id and webhook-timestamp"
        )
    given = _SIGNATURE.findall(headers["webhook-signature"])[:_MAX_SIGNATURES]
    if not given or not re.fullmatch(r"[0-9]{1,12}", timestamp):
        raise _refused(
            "malformed_signature",
            "expected webhook-signature with v1,<signature>, and webhook-timestamp "
            "in seconds",
        )
    signed = _encode(f"{event_id}.{timestamp}.") + body
    digests = [
        base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
        for key in map(_key, secrets)
        if key
    ]
    if not _any_equal(digests, [signature.encode() for signature in given]):
        raise _wrong()
    # The comparison is false for a clock that is no number.
    if not abs(now - int(timestamp)) <= tolerance:
        raise _refused(
            "timestamp_out_of_tolerance",
            f"expected a request that was signed at most {tolerance:g} s ago: "
            "check the clock of this machine",
        )


def _check_plain(body: bytes, signature: str, secrets: Sequence[str]) -> None:
    """Checks `X-Service-Signature`, whose key is the whole secret."""
    if not re.fullmatch(r"[0-9a-fA-F]{64}", signature.strip()):
        raise _refused(
            "malformed_signature", "expected X-Service-Signature with 64 hex digits"
        )
    digests = [
        hmac.new(secret.encode(), body, hashlib.sha256).hexdigest().encode()
        for secret in secrets
    ]
    if not _any_equal(digests, [signature.strip().lower().encode()]):
        raise _wrong()


def _any_equal(expected: Sequence[bytes], given: Sequence[bytes]) -> bool:
    """Compares each pair in constant time."""
    results = [
        hmac.compare_digest(digest, signature)
        for digest in expected
        for signature in given
    ]
    return any(results)


def _key(secret: str) -> bytes:
    """Returns the key of a secret, which is empty if the secret is malformed."""
    text = secret[len(_PREFIX) :] if secret.startswith(_PREFIX) else secret
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        return b""


def _read_event(body: bytes) -> Event:
    try:
        event = parse_json(body.decode())
    except ValueError:
        event = None
    if not isinstance(event, dict):
        raise _refused("malformed_body", "expected a body that is a JSON object")
    return cast(Event, event)


def _missing(is_untimed: bool) -> WebhookVerificationError:
    hint = (
        ": to accept X-Service-Signature, which covers no time, pass allow_untimed"
        if is_untimed
        else ""
    )
    return _refused(
        "missing_signature", f"expected the header webhook-signature{hint}"
    )


def _wrong() -> WebhookVerificationError:
    return _refused(
        "wrong_signature",
        "the signature belongs to another body or another secret: "
        "pass the body as it was received, and check the secret",
    )


def _refused(reason: str, message: str) -> WebhookVerificationError:
    return WebhookVerificationError(f"{reason}: {message}", reason=reason)
