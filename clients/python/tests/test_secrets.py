"""The token appears in no text form of a client or an error."""

from __future__ import annotations

import copy
import json
import pickle
import traceback
from typing import Any, Callable

import httpx
import pytest

import understudy
from conftest import Serve
from server import Connection
from understudy import AsyncUnderstudy, Understudy, UnderstudyError

TOKEN = "ust_canary-7f3a91"


def refuse(connection: Connection) -> None:
    """Repeats the token, as a server or a proxy with a fault does."""
    error = {
        "code": "validation_error",
        "message": f"Bearer {TOKEN} is invalid",
        "details": [{"field": TOKEN, "message": TOKEN}],
    }
    body = json.dumps({"error": error})
    connection.respond(body, "422 Unprocessable Entity", f"X-Request-Id: {TOKEN}")


def texts(value: Any, depth: int = 8) -> str:
    """Returns the texts of a value, of its attributes, and of their attributes."""
    inner: list[Any] = []
    if isinstance(value, dict):
        inner = list(value.values())
    elif isinstance(value, (list, tuple)):
        inner = list(value)
    elif hasattr(value, "__dict__") and not isinstance(value, type):
        inner = list(vars(value).values())
    parts = [repr(value), str(value), f"{value}"]
    return "\n".join(parts + [texts(each, depth - 1) for each in inner if depth > 0])


def test_a_client_never_shows_its_token() -> None:
    client = Understudy(TOKEN, "http://localhost:1")
    assert TOKEN not in texts(client)
    assert "localhost" in texts(client._caller.config)


@pytest.mark.parametrize("convert", [pickle.dumps, copy.copy, copy.deepcopy])
@pytest.mark.parametrize("kind", [Understudy, AsyncUnderstudy])
def test_a_client_cannot_be_pickled_or_copied(
    kind: Callable[..., Any], convert: Callable[[Any], Any]
) -> None:
    client = kind(TOKEN, "http://localhost:1")
    with pytest.raises(TypeError, match="contains a token") as caught:
        convert(client)
    assert TOKEN not in str(caught.value)


def test_an_error_of_the_server_never_shows_the_token(serve: Serve) -> None:
    server = serve(refuse)
    with Understudy(TOKEN, server.url) as client:
        with pytest.raises(understudy.ValidationError) as caught:
            client.jobs.get("job_1")
    assert_safe(caught.value)
    assert TOKEN.encode() in server.connections[0].request
    assert caught.value.request_id == "[token]"
    assert str(caught.value) == (
        "getSyncJob: 422 validation_error: Bearer [token] is invalid ([token])"
        "\n  [token]: [token]"
    )


def test_a_connection_error_never_holds_the_request_of_httpx(serve: Serve) -> None:
    server = serve(lambda connection: None)
    with Understudy(TOKEN, server.url, max_retries=0) as client:
        with pytest.raises(understudy.ApiConnectionError) as caught:
            client.jobs.get("job_1")
    assert_safe(caught.value)
    assert TOKEN.encode() in server.connections[0].request
    assert caught.value.__cause__ is None and caught.value.__context__ is None


async def test_an_error_of_the_async_client_never_shows_the_token(serve: Serve) -> None:
    server = serve(lambda connection: None)
    async with AsyncUnderstudy(TOKEN, server.url, max_retries=0) as client:
        with pytest.raises(understudy.ApiConnectionError) as caught:
            await client.jobs.get("job_1")
    assert_safe(caught.value)
    assert TOKEN.encode() in server.connections[0].request


def test_an_interrupted_stream_never_shows_the_token(serve: Serve) -> None:
    def cut(connection: Connection) -> None:
        head = "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\n"
        connection.send(
            f"{head}X-Generation-Count: 2\r\nContent-Length: 99\r\n\r\n{{}}\n"
        )

    server = serve(cut)
    with Understudy(TOKEN, server.url) as client:
        with pytest.raises(understudy.StreamInterruptedError) as caught:
            client.generate({"generators": {}, "output": []}, 2)
    assert caught.value.received == 1
    assert_safe(caught.value)


def test_an_error_within_a_stream_never_shows_the_token(serve: Serve) -> None:
    def fail(connection: Connection) -> None:
        error = {"code": TOKEN, "message": f"no {TOKEN}\x1b[2J"}
        body = json.dumps({"error": error})
        head = "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\n"
        head += f"X-Generation-Count: 2\r\nX-Request-Id: {TOKEN}\r\n"
        connection.send(f"{head}Content-Length: {len(body)}\r\n\r\n{body}")

    server = serve(fail)
    attempts: list[understudy.Attempt] = []
    with Understudy(TOKEN, server.url, on_attempt=attempts.append) as client:
        with pytest.raises(understudy.StreamInterruptedError) as caught:
            client.generate({"generators": {}, "output": []}, 2)
    assert str(caught.value) == (
        "generate: received 0 of 2 records: [token]: no [token] [2J"
    )
    assert TOKEN not in texts(attempts)


def test_a_malformed_token_is_refused_without_showing_it() -> None:
    with pytest.raises(understudy.ConfigurationError) as caught:
        Understudy(f"{TOKEN} with a space", "http://localhost:1")
    assert TOKEN not in str(caught.value)


def test_a_url_with_a_password_is_refused_without_showing_it() -> None:
    with pytest.raises(understudy.ConfigurationError) as caught:
        Understudy(TOKEN, "https://user:secret-word@example.com")
    assert "secret-word" not in str(caught.value)


def test_a_client_on_this_machine_ignores_proxies(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    server = serve(lambda connection: connection.respond('{"data": {"id": "1"}}'))
    with Understudy(TOKEN, server.url) as client:
        assert client.jobs.get("job_1")["id"] == "1"


def test_the_credentials_of_netrc_are_not_sent(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login user password secret-word\n")
    monkeypatch.setenv("NETRC", str(netrc))
    server = serve(lambda connection: connection.respond('{"openapi": "3.1.0"}'))
    with Understudy.without_token(server.url) as client:
        assert client.api_description() == {"openapi": "3.1.0"}
    assert b"authorization" not in server.connections[0].request.lower()


def assert_safe(error: UnderstudyError) -> None:
    """Checks all texts of an error, and the variables in the frames of this package."""
    shown = [texts(error), pickle.dumps(error).decode("latin-1")]
    shown += traceback.format_exception(error)
    frames = traceback.TracebackException.from_exception(error, capture_locals=True)
    for frame in frames.stack:
        if "/understudy/" in frame.filename:
            shown.append(str(frame.locals))
    assert TOKEN not in "\n".join(shown)
    assert not isinstance(error.__context__, httpx.HTTPError)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
    assert vars(pickle.loads(pickle.dumps(error))) == vars(error)
