"""The errors of the client."""

from __future__ import annotations

from typing import Any


class UnderstudyError(Exception):
    """The base class of all errors of this package."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class ConfigurationError(UnderstudyError):
    """An option of the client or of a call is invalid. No request was sent."""


class ApiError(UnderstudyError):
    """The server refused the request, or sent a response that is not one of the API.

    Attributes:
        status: The HTTP status.
        code: The stable code of the API, such as `validation_error`, or
            `unexpected_response` or `unexpected_redirect`.
        request_id: The id of the request in the server's log.
        details: The invalid fields, each with `field` and `message`.
        retry_after: The seconds after which the server accepts the request.
        idempotency_key: The key of the call. Pass it to repeat the call safely.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int = 0,
        code: str = "unexpected_response",
        request_id: str | None = None,
        details: list[dict[str, str]] | None = None,
        retry_after: float | None = None,
        idempotency_key: str | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.request_id = request_id
        self.details = details or []
        self.retry_after = retry_after
        self.idempotency_key = idempotency_key


class AuthenticationError(ApiError):
    """Status 401: the token is missing, wrong, expired or revoked."""


class QuotaExceededError(ApiError):
    """Status 402: the quota of the plan is used up."""


class PermissionDeniedError(ApiError):
    """Status 403: the role or the scopes of the token do not allow the operation."""


class NotFoundError(ApiError):
    """Status 404: the resource does not exist, or belongs to another organisation."""


class ConflictError(ApiError):
    """Status 409: the current state of the resource does not allow the request."""


class ValidationError(ApiError):
    """Status 400, 413, 415 or 422: the request is invalid. See `details`."""


class RateLimitError(ApiError):
    """Status 429: there were too many requests. See `retry_after`."""


class ServerError(ApiError):
    """A status from 500 to 599."""


class ApiConnectionError(UnderstudyError):
    """The server was not reached, or the connection broke.

    The server may have carried out the request. Repeat the call with
    `idempotency_key` to get its result without a second effect.
    """

    def __init__(self, message: str, *, idempotency_key: str | None = None) -> None:
        super().__init__(message)
        self.idempotency_key = idempotency_key


class ApiTimeoutError(ApiConnectionError):
    """No response arrived in time."""


class StreamInterruptedError(UnderstudyError):
    """A stream of records ended early.

    Attributes:
        received: The number of records that arrived.
        expected: The number of records that the server announced.
        code: The code of the server's error, if it sent one.
    """

    def __init__(
        self,
        message: str,
        *,
        received: int = 0,
        expected: int = 0,
        code: str | None = None,
    ) -> None:
        super().__init__(message)
        self.received = received
        self.expected = expected
        self.code = code


class JobFailedError(UnderstudyError):
    """`jobs.wait`: the job failed. `job` is the job, and `code` the code of its error."""

    def __init__(
        self,
        message: str,
        *,
        job: dict[str, Any] | None = None,
        code: str | None = None,
    ) -> None:
        super().__init__(message)
        self.job = job or {}
        self.code = code


class WebhookVerificationError(UnderstudyError):
    """The request is not an authentic webhook.

    `reason` is `missing_signature`, `malformed_signature`, `wrong_signature`,
    `timestamp_out_of_tolerance` or `malformed_body`.
    """

    def __init__(self, message: str, *, reason: str = "") -> None:
        super().__init__(message)
        self.reason = reason
