"""Values of `verify` that no text of a shared scenario can have."""

from __future__ import annotations

import base64
import hashlib
import hmac
from typing import Any

import pytest

from understudy import webhooks
from understudy._core.errors import ConfigurationError, WebhookVerificationError

HEADERS = {
    "webhook-id": "evt_1",
    "webhook-timestamp": "1",
    "webhook-signature": "v1," + base64.b64encode(bytes(32)).decode(),
}
SECRET = "whsec_c2VjcmV0"


@pytest.mark.parametrize("tolerance", [float("nan"), float("inf"), -1, "300"])
def test_refuses_a_tolerance_that_is_no_number_of_seconds(tolerance: Any) -> None:
    with pytest.raises(ConfigurationError, match="tolerance"):
        webhooks.verify(b"{}", HEADERS, SECRET, tolerance)


def test_refuses_any_request_if_the_clock_is_no_number() -> None:
    mac = hmac.new(b"secret", b"evt_1.1.{}", hashlib.sha256).digest()
    signature = "v1," + base64.b64encode(mac).decode()
    with pytest.raises(WebhookVerificationError) as failure:
        webhooks.verify(
            b"{}", {**HEADERS, "webhook-signature": signature}, SECRET, now=float("nan")
        )
    assert failure.value.reason == "timestamp_out_of_tolerance"


@pytest.mark.parametrize("body, event_id", [("\ud800", "evt_1"), ("{}", "evt_\udcff")])
def test_refuses_half_of_a_surrogate_pair(body: str, event_id: str) -> None:
    with pytest.raises(WebhookVerificationError) as failure:
        webhooks.verify(body, {**HEADERS, "webhook-id": event_id}, SECRET)
    assert failure.value.reason == "wrong_signature"
