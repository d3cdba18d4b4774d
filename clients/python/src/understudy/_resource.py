"""The base classes of the generated resources, with the methods that are hand-written."""

from __future__ import annotations

from typing import Callable, cast

from . import webhooks
from ._async_caller import AsyncCaller
from ._caller import Caller
from ._core.config import read_seconds
from ._core.job_wait import wait_for_job
from ._core.request import build_request
from ._generated import operations, types


class Resource:
    """A group of methods of `Understudy`."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller


class AsyncResource:
    """A group of methods of `AsyncUnderstudy`."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller


class JobsResource(Resource):
    """Adds `wait` to the sync jobs."""

    def wait(
        self,
        id: str,
        /,
        *,
        on_progress: Callable[[types.SyncJob], None] | None = None,
        timeout: float | None = None,
    ) -> types.SyncJob:
        """Waits until a job is completed, and returns it.

        Requests the job after one second, and then at intervals that grow to five seconds.
        Connection errors, 429 and 5xx do not end the wait until they have lasted for five
        minutes.

        Args:
            id: Id of the job.
            on_progress: Receives the job after each response. Only the last one has the
                lists of tables.
            timeout: The longest wait in seconds. By default, there is no limit.

        Raises:
            JobFailedError: The job failed.
            ApiTimeoutError: The job has not ended after `timeout`.
        """
        if timeout is not None:
            timeout = read_seconds("timeout", timeout)
        config = self._caller.config
        whole = build_request(config, operations.GET_SYNC_JOB, (id,))
        brief = build_request(config, operations.GET_SYNC_JOB, (id,), {"tables": "none"})
        steps = wait_for_job(config, brief, whole, on_progress, timeout)
        return cast(types.SyncJob, self._caller.run(steps))


class AsyncJobsResource(AsyncResource):
    """Adds `wait` to the sync jobs."""

    async def wait(
        self,
        id: str,
        /,
        *,
        on_progress: Callable[[types.SyncJob], None] | None = None,
        timeout: float | None = None,
    ) -> types.SyncJob:
        """Waits until a job is completed, and returns it. See `Jobs.wait`."""
        if timeout is not None:
            timeout = read_seconds("timeout", timeout)
        config = self._caller.config
        whole = build_request(config, operations.GET_SYNC_JOB, (id,))
        brief = build_request(config, operations.GET_SYNC_JOB, (id,), {"tables": "none"})
        steps = wait_for_job(config, brief, whole, on_progress, timeout)
        return cast(types.SyncJob, await self._caller.run(steps))


class WebhooksResource(Resource):
    """Adds `verify` to the webhooks."""

    verify = staticmethod(webhooks.verify)


class AsyncWebhooksResource(AsyncResource):
    """Adds `verify` to the webhooks. The method is not asynchronous."""

    verify = staticmethod(webhooks.verify)
