"""The client of Understudy, which generates records and copies masked databases.

    from understudy import Understudy

    with Understudy() as client:
        records = client.generate(schema, 10)

`AsyncUnderstudy` has the same methods for asyncio.
"""

from . import types, webhooks
from ._async_client import AsyncUnderstudy
from ._client import Understudy
from ._core.config import Attempt
from ._core.errors import (
    ApiConnectionError,
    ApiError,
    ApiTimeoutError,
    AuthenticationError,
    ConfigurationError,
    ConflictError,
    JobFailedError,
    NotFoundError,
    PermissionDeniedError,
    QuotaExceededError,
    RateLimitError,
    ServerError,
    StreamInterruptedError,
    UnderstudyError,
    ValidationError,
    WebhookVerificationError,
)
from ._core.request import VERSION as __version__
from ._streams import AsyncRecordStream, RecordStream

__all__ = [
    "ApiConnectionError",
    "ApiError",
    "ApiTimeoutError",
    "AsyncRecordStream",
    "AsyncUnderstudy",
    "Attempt",
    "AuthenticationError",
    "ConfigurationError",
    "ConflictError",
    "JobFailedError",
    "NotFoundError",
    "PermissionDeniedError",
    "QuotaExceededError",
    "RateLimitError",
    "RecordStream",
    "ServerError",
    "StreamInterruptedError",
    "Understudy",
    "UnderstudyError",
    "ValidationError",
    "WebhookVerificationError",
    "__version__",
    "types",
    "webhooks",
]

# Tracebacks and documentation show the names that users import.
for _name in __all__:
    if isinstance(globals()[_name], type):
        globals()[_name].__module__ = __name__
