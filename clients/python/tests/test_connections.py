"""Slow servers, streams that are left early, and cancelled calls."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from typing import Any

import httpx
import pytest

from conftest import Serve
from server import Connection
from understudy import (
    ApiTimeoutError,
    AsyncUnderstudy,
    StreamInterruptedError,
    Understudy,
)

SCHEMA: Any = {"generators": {}, "output": []}
HEAD = (
    "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\n"
    "X-Generation-Count: 1000000\r\nTransfer-Encoding: chunked\r\n\r\n"
)
CREATED = (
    "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: 11\r\n\r\n"
    '{"data":{}}'
)
# Only stops a test that hangs.
LONGEST = 60.0


def endless_records(connection: Connection) -> None:
    connection.send(HEAD + "9\r\n" + '{"a": 1}\n' + "\r\n")
    connection.wait_until_closed()


def trickle_headers(connection: Connection) -> None:
    connection.send("HTTP/1.1 200 OK\r\n")
    for number in range(2000):
        connection.send(f"X-{number}: 1\r\n")
        time.sleep(0.03)


def trickle_body(connection: Connection) -> None:
    connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n")
    for _ in range(2000):
        connection.send(" ")
        time.sleep(0.03)


@pytest.mark.parametrize("script", [trickle_headers, trickle_body])
def test_a_server_that_trickles_cannot_hold_a_call(serve: Serve, script: Any) -> None:
    # The server needs a minute, and never pauses for as long as the timeout.
    server = serve(script)
    with Understudy("token", server.url, timeout=0.5, max_retries=0) as client:
        with pytest.raises(ApiTimeoutError, match="sent nothing within 0.5 s"):
            client.jobs.get("job_1")


@pytest.mark.parametrize("script", [trickle_headers, trickle_body])
async def test_a_server_that_trickles_cannot_hold_an_async_call(
    serve: Serve, script: Any
) -> None:
    server = serve(script)
    options = {"timeout": 0.5, "max_retries": 0}
    async with AsyncUnderstudy("token", server.url, **options) as client:
        with pytest.raises(ApiTimeoutError, match="sent nothing within 0.5 s"):
            await client.jobs.get("job_1")


def test_a_request_is_sent_without_a_wait_for_acknowledgements(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    # httpx sends the headers and the body one after the other. By default, a kept connection
    # delays the body by 40 ms, until the headers are acknowledged.
    def create(connection: Connection) -> None:
        connection.send(CREATED)
        connection.wait_until_closed()

    server = serve(create)
    connections: list[socket.socket] = []
    connect = socket.create_connection

    def remember(*args: Any, **options: Any) -> socket.socket:
        connections.append(connect(*args, **options))
        return connections[-1]

    monkeypatch.setattr(socket, "create_connection", remember)
    with Understudy("token", server.url) as client:
        client.enrolment_tokens.create()
        [only] = connections
        assert only.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0


def test_a_connection_that_is_used_again_obeys_the_new_deadline(serve: Serve) -> None:
    def answer_once(connection: Connection) -> None:
        body = '{"data": {"id": "job_1"}}'
        head = f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\n\r\n"
        connection.send(head + body)
        connection.read_request()
        trickle_headers(connection)

    server = serve(answer_once)
    with Understudy("token", server.url, max_retries=0) as client:
        assert client.jobs.get("job_1")["id"] == "job_1"
        with pytest.raises(ApiTimeoutError):
            client.jobs.get("job_1", timeout=0.5)
    assert len(server.connections) == 1


def test_a_passed_client_obeys_the_deadline(serve: Serve) -> None:
    server = serve(trickle_headers)
    with httpx.Client() as http_client:
        options: Any = {"timeout": 0.5, "max_retries": 0, "http_client": http_client}
        client = Understudy("token", server.url, **options)
        with pytest.raises(ApiTimeoutError):
            client.jobs.get("job_1")


def test_a_stream_without_data_ends_after_the_idle_timeout(serve: Serve) -> None:
    server = serve(endless_records)
    with Understudy("token", server.url, generate_timeout=2) as client:
        records = []
        with pytest.raises(StreamInterruptedError, match="within 2 s") as caught:
            for record in client.generate_stream(SCHEMA, 1_000_000):
                records.append(record)
    assert records == [{"a": 1}]
    assert (caught.value.received, caught.value.expected) == (1, 1_000_000)


def test_leaving_a_loop_closes_the_connection(serve: Serve) -> None:
    server = serve(endless_records)
    with Understudy("token", server.url) as client:
        for _record in client.generate_stream(SCHEMA, 1_000_000):
            break
        assert server.connections[0].closed.wait(LONGEST)


def test_a_second_loop_over_a_stream_returns_no_record_again(serve: Serve) -> None:
    def respond(connection: Connection) -> None:
        head = HEAD.replace("1000000", "2")
        connection.send(head + "6\r\n{}\n{}\n\r\n0\r\n\r\n")

    server = serve(respond)
    with Understudy("token", server.url) as client:
        stream = client.generate_stream(SCHEMA, 2)
        assert [list(stream), list(stream)] == [[{}, {}], []]


def test_a_loop_over_a_stream_that_was_left_reports_what_is_missing(
    serve: Serve,
) -> None:
    server = serve(endless_records)
    with Understudy("token", server.url) as client:
        stream = client.generate_stream(SCHEMA, 1_000_000)
        for _record in stream:
            break
        with pytest.raises(StreamInterruptedError) as caught:
            list(stream)
    assert caught.value.received == 1


def test_the_end_of_a_with_block_closes_the_connection(serve: Serve) -> None:
    server = serve(endless_records)
    with Understudy("token", server.url) as client:
        with client.generate_stream(SCHEMA, 1_000_000) as stream:
            assert stream.count == 1_000_000
        assert server.connections[0].closed.wait(LONGEST)


async def test_cancelling_a_task_closes_the_connection_of_its_stream(
    serve: Serve,
) -> None:
    server = serve(endless_records)
    received = asyncio.Event()
    async with AsyncUnderstudy("token", server.url) as client:

        async def read() -> None:
            async for _record in await client.generate_stream(SCHEMA, 1_000_000):
                received.set()

        task = asyncio.create_task(read())
        await asyncio.wait_for(received.wait(), LONGEST)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        closed = server.connections[0].closed.wait
        assert await asyncio.to_thread(closed, LONGEST)


async def test_cancelling_a_call_closes_its_connection_and_is_not_retried(
    serve: Serve,
) -> None:
    arrived = threading.Event()

    def hang(connection: Connection) -> None:
        arrived.set()
        connection.wait_until_closed()

    server = serve(hang)
    async with AsyncUnderstudy("token", server.url) as client:
        task = asyncio.create_task(client.jobs.get("job_1"))
        assert await asyncio.to_thread(arrived.wait, LONGEST)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        closed = server.connections[0].closed.wait
        assert await asyncio.to_thread(closed, LONGEST)
    assert len(server.connections) == 1


def test_an_error_of_the_caller_in_a_loop_stays_what_it_is(serve: Serve) -> None:
    server = serve(endless_records)
    with Understudy("token", server.url) as client:
        with pytest.raises(OSError, match="disk is full"):
            for _record in client.generate_stream(SCHEMA, 1_000_000):
                raise OSError("disk is full")
        assert server.connections[0].closed.wait(LONGEST)


def test_a_csv_file_that_cannot_be_written_reports_the_cause(
    serve: Serve, tmp_path: Any
) -> None:
    def respond(connection: Connection) -> None:
        head = HEAD.replace("application/x-ndjson", "text/csv")
        connection.send(head + "2\r\na\n\r\n")
        connection.wait_until_closed()

    server = serve(respond)
    with Understudy("token", server.url) as client:
        with pytest.raises(FileNotFoundError):
            client.generate_csv(SCHEMA, 1_000_000, to=tmp_path / "missing" / "a.csv")
        assert server.connections[0].closed.wait(LONGEST)
    assert list(tmp_path.iterdir()) == []
