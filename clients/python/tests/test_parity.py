"""Both clients have the same methods."""

from __future__ import annotations

import inspect
from typing import Any, Iterator

import httpx
import pytest

import understudy
from understudy import AsyncUnderstudy, Understudy
from understudy._generated import operations
from understudy._core.request import Operation


def members(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Returns the public methods of a client and of its resources."""
    for name in dir(value):
        if name.startswith("_"):
            continue
        member = getattr(value, name)
        if inspect.ismethod(member) or inspect.isfunction(member):
            yield path + name, member
        elif type(member).__module__.startswith("understudy."):
            yield from members(member, f"{path}{name}.")


async def test_each_method_exists_in_both_clients_with_the_same_arguments() -> None:
    with Understudy("token", "http://localhost") as client:
        sync = dict(members(client))
    async with AsyncUnderstudy("token", "http://localhost") as async_client:
        asynchronous = dict(members(async_client))
    assert sync.keys() == asynchronous.keys()
    for name, method in sync.items():
        if name == "without_token":
            continue
        arguments = inspect.signature(method).parameters
        assert inspect.signature(asynchronous[name]).parameters == arguments, name


def test_a_client_has_a_method_for_each_operation() -> None:
    with Understudy("token", "http://localhost") as client:
        names = dict(members(client))
    table = [each for each in vars(operations).values() if isinstance(each, Operation)]
    iterators = sum(operation.items is not None for operation in table)
    hand_written = {"generate", "generate_stream", "generate_csv", "close"}
    hand_written |= {"jobs.wait", "webhooks.verify", "without_token"}
    generated = names.keys() - hand_written
    assert len(generated) == len(table) - 1 + iterators


def test_each_public_name_is_documented() -> None:
    with Understudy("token", "http://localhost") as client:
        for name, method in members(client):
            assert method.__doc__, name
    for name in understudy.__all__:
        if name != "__version__":
            assert getattr(understudy, name).__doc__, name


def test_errors_and_clients_have_the_module_that_users_import() -> None:
    assert repr(understudy.NotFoundError) == "<class 'understudy.NotFoundError'>"
    assert repr(Understudy) == "<class 'understudy.Understudy'>"


def test_a_client_that_was_passed_is_used_and_stays_open() -> None:
    def respond(request: httpx.Request) -> httpx.Response:
        assert request.headers["Authorization"] == "Bearer token"
        return httpx.Response(200, json={"data": {"id": "job_1"}})

    with httpx.Client(transport=httpx.MockTransport(respond)) as http_client:
        with Understudy("token", "https://host", http_client=http_client) as client:
            assert client.jobs.get("job_1")["id"] == "job_1"
        assert not http_client.is_closed


async def test_an_async_client_that_was_passed_is_used_and_stays_open() -> None:
    transport = httpx.MockTransport(
        lambda request: httpx.Response(200, json={"data": {"id": "job_1"}})
    )
    async with httpx.AsyncClient(transport=transport) as http_client:
        options: Any = {"http_client": http_client}
        async with AsyncUnderstudy("token", "https://host", **options) as client:
            assert (await client.jobs.get("job_1"))["id"] == "job_1"
        assert not http_client.is_closed


async def test_a_context_manager_closes_the_client_that_it_created() -> None:
    with Understudy("token", "http://localhost") as client:
        http_client = client._caller._http
    assert http_client.is_closed
    with pytest.raises(understudy.ConfigurationError, match="is closed"):
        client.jobs.get("job_1")
    async with AsyncUnderstudy("token", "http://localhost") as async_client:
        async_http_client = async_client._caller._http
    assert async_http_client.is_closed
    with pytest.raises(understudy.ConfigurationError, match="is closed"):
        await async_client.jobs.get("job_1")
