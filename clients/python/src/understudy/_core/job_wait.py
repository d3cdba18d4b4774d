"""Waits until a sync job has ended."""

from __future__ import annotations

from typing import Any, Callable

from .attempts import Sleep, Steps, call
from .config import Config
from .errors import (
    ApiConnectionError,
    ApiTimeoutError,
    JobFailedError,
    RateLimitError,
    ServerError,
    UnderstudyError,
)
from .request import Request

_FIRST_INTERVAL = 1.0
_LONGEST_INTERVAL = 5.0
_GROWTH = 1.5
# How long the server may be unreachable, in seconds.
_TOLERANCE = 300.0


def wait_for_job(
    config: Config,
    brief: Request,
    whole: Request,
    on_progress: Callable[[Any], None] | None,
    timeout: float | None,
) -> Steps[Any]:
    """Requests the job until it has ended, and returns it.

    Args:
        brief: Requests the job without its tables.
        whole: Requests the job with its tables, after it has ended.

    Raises:
        JobFailedError: The job failed.
        ApiTimeoutError: The job has not ended after `timeout` seconds.
        UnderstudyError: The job does not exist, or the server was unreachable for five
            minutes.
    """
    started = config.monotonic()
    reachable_at = started
    interval = _FIRST_INTERVAL
    status = "unknown"
    while True:
        elapsed = config.monotonic() - started
        yield Sleep(interval if timeout is None else min(interval, timeout - elapsed))
        try:
            job = yield from call(config, brief)
            if job.get("status") in ("completed", "failed"):
                job = yield from call(config, whole)
        except (ApiConnectionError, RateLimitError, ServerError) as error:
            if config.monotonic() - reachable_at >= _TOLERANCE:
                raise
            wait = _retry_after(error)
        else:
            reachable_at = config.monotonic()
            wait = 0.0
            status = config.server_text(str(job.get("status")))
            if on_progress is not None:
                on_progress(job)
            if status == "completed":
                return job
            if status == "failed":
                raise _job_failed(config, job)
        if timeout is not None and config.monotonic() - started >= timeout:
            raise ApiTimeoutError(
                f"job {whole.subject} has not ended after {timeout:g} s, "
                f"its last known status is {status}"
            )
        interval = max(min(interval * _GROWTH, _LONGEST_INTERVAL), wait)


def _retry_after(error: UnderstudyError) -> float:
    seconds = getattr(error, "retry_after", None)
    return min(seconds or 0.0, _TOLERANCE)


def _job_failed(config: Config, job: Any) -> JobFailedError:
    error = job.get("error")
    fields = error if isinstance(error, dict) else {}
    code = config.server_text(str(fields.get("code", "no code")))
    message = config.server_text(str(fields.get("message")))
    text = f"job {config.server_text(str(job.get('id')))} failed: {code}: {message}"
    return JobFailedError(text, job=job, code=code)
