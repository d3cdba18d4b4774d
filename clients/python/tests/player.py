"""Carries out calls for the tests of all clients.

Reads one JSON object from each line of stdin, makes the call with the public methods of
the client, and writes one JSON object to stdout. clients/scenarios/README.md describes the
fields. With `--async`, it uses the asynchronous client.
"""

from __future__ import annotations

import asyncio
import base64
import dataclasses
import inspect
import json
import os
import pickle
import re
import sys
import time
import traceback
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

import understudy  # noqa: E402

CLIENT = understudy.AsyncUnderstudy if "--async" in sys.argv else understudy.Understudy
# The client of all requests with `keep_client`, and the attempts of the current one.
KEPT: dict[str, Any] = {"client": None, "attempts": []}
VARIABLES = ("UNDERSTUDY_API_TOKEN", "UNDERSTUDY_API_URL")
ERROR_FIELDS = (
    "message",
    "status",
    "code",
    "request_id",
    "details",
    "retry_after",
    "idempotency_key",
    "received",
    "expected",
    "reason",
    "job",
)


async def main() -> None:
    for line in sys.stdin:
        if line.strip():
            # The test reads the digits of a Decimal as text.
            print(json.dumps(await play(json.loads(line)), default=str), flush=True)


async def play(request: dict[str, Any]) -> dict[str, Any]:
    for name in VARIABLES:
        os.environ.pop(name, None)
    os.environ.update(request.get("env", {}))
    seen: dict[str, Any] = {"id": request["id"], "attempts": []}
    clients: list[Any] = []
    try:
        seen["result"] = await perform(request, seen, clients)
    except understudy.UnderstudyError as error:
        seen["error"] = describe(error, *clients)
    for client in clients:
        await settled(client.close())
    return seen


def create_client(request: dict[str, Any], seen: dict[str, Any]) -> Any:
    def on_attempt(attempt: understudy.Attempt) -> None:
        seen["attempts"].append(dataclasses.asdict(attempt))

    options = dict(request.get("client", {}), on_attempt=on_attempt)
    create: Any = CLIENT
    if options.pop("without_token", False):
        create = CLIENT.without_token
    return create(**options)


def kept_client(request: dict[str, Any], seen: dict[str, Any]) -> Any:
    KEPT["attempts"] = seen["attempts"]
    if KEPT["client"] is None:
        KEPT["client"] = create_client(request, KEPT)
    return KEPT["client"]


def replace_sleep(client: Any, request: dict[str, Any]) -> None:
    """Replaces the sleep of the client, and lets its clock advance by faked sleeps."""
    caller = client._caller
    slept = 0.0

    def sleep(seconds: float) -> Any:
        nonlocal slept
        if request.get("fake_sleep"):
            slept += seconds
            seconds = 0
        scaled = seconds * request.get("real_backoff_scale", 1)
        is_async = CLIENT is understudy.AsyncUnderstudy
        return asyncio.sleep(scaled) if is_async else time.sleep(scaled)

    caller.sleep = sleep
    caller.config = dataclasses.replace(
        caller.config, monotonic=lambda: time.monotonic() + slept
    )


async def perform(
    request: dict[str, Any], seen: dict[str, Any], clients: list[Any]
) -> Any:
    call = request["call"]
    if call == "webhooks.verify":
        return verify(request["verify"])
    if request.get("keep_client"):
        client = kept_client(request, seen)
    else:
        client = create_client(request, seen)
        clients.append(client)
    replace_sleep(client, request)
    if call == "construct":
        return {"base_url": client.base_url, "text": text_of(client)}
    options = request.get("options", {})
    if call.startswith("generate") and "." not in call:
        options = {**request.get("generate", {}), **options}
        arguments = (request["schema"], request["count"])
        return await generate(client, request, arguments, options, seen)
    if call == "jobs.wait":
        progress = seen.setdefault("progress", [])
        return await settled(
            client.jobs.wait(
                *request["path"],
                on_progress=lambda job: progress.append(job.get("status")),
                **request.get("wait", {}),
            )
        )
    method = client
    for name in call.split("."):
        method = getattr(method, snake(name))
    body = dict(request.get("body") or {})
    if isinstance(body.get("file"), dict):
        body["file"] = base64.b64decode(body["file"]["base64"])
    query = request.get("query") or {}
    given = {**query, **body, **options}
    result = method(*request.get("path", []), **given)
    if snake(call.split(".")[-1]).startswith("iterate"):
        return await collect(result, request, seen)
    data = await settled(result)
    if isinstance(data, bytes):
        return {"base64": base64.b64encode(data).decode()}
    return data


async def generate(
    client: Any,
    request: dict[str, Any],
    arguments: tuple[Any, ...],
    options: dict[str, Any],
    seen: dict[str, Any],
) -> Any:
    call = request["call"]
    if call == "generate":
        return await settled(client.generate(*arguments, **options))
    if call == "generateCsv":
        to = request.get("to")
        data = await settled(client.generate_csv(*arguments, to=to, **options))
        return {"base64": base64.b64encode(data).decode()} if to is None else None
    stream = await settled(client.generate_stream(*arguments, **options))
    seen["stream"] = {
        name: getattr(stream, name)
        for name in ("seed", "count", "now", "engine_version", "warnings")
    }
    return await collect(stream, request, seen)


async def collect(items: Any, request: dict[str, Any], seen: dict[str, Any]) -> Any:
    """Reads an iterator. `seen["records"]` keeps what it returned before an error."""
    take = request.get("take")
    discard = request.get("discard", False)
    records: list[Any] = []
    number = 0
    seen["received" if discard else "records"] = 0 if discard else records
    if take == 0:
        pass
    elif hasattr(items, "__aiter__"):
        async for item in items:
            number += 1
            if discard:
                seen["received"] = number
            else:
                records.append(item)
            if number == take:
                break
    else:
        for item in items:
            number += 1
            if discard:
                seen["received"] = number
            else:
                records.append(item)
            if number == take:
                break
    close = getattr(items, "close", None) or getattr(items, "aclose")
    await settled(close())
    return None if discard else records


def verify(request: dict[str, Any]) -> Any:
    options = {
        name: request[name]
        for name in ("tolerance", "now", "allow_untimed")
        if request.get(name)
    }
    body = base64.b64decode(request["body"])
    return understudy.webhooks.verify(
        body, request["headers"], request["secrets"], **options
    )


async def settled(value: Any) -> Any:
    return await value if inspect.isawaitable(value) else value


def describe(error: understudy.UnderstudyError, *clients: Any) -> dict[str, Any]:
    fields = {name: getattr(error, name, None) for name in ERROR_FIELDS}
    text = "\n".join(map(text_of, (error, *clients)))
    name = type(error).__name__
    if name in ("ApiConnectionError", "ApiTimeoutError"):
        name = name[len("Api") :]
    return {"class": name, **fields, "text": text}


def text_of(value: Any) -> str:
    """Returns everything that printing, dumping and serialising a value shows."""
    try:
        pickled = pickle.dumps(value).decode("latin-1")
    except Exception as error:
        pickled = repr(error)
    parts = [repr(value), str(value), pickled, dump(value, 8)]
    if isinstance(value, BaseException):
        parts += traceback.format_exception(value)
    return "\n".join(parts)


def dump(value: Any, depth: int) -> str:
    """Returns the texts of an object's attributes, and of theirs."""
    inner: list[Any] = []
    if isinstance(value, dict):
        inner = list(value.values())
    elif isinstance(value, (list, tuple)):
        inner = list(value)
    elif hasattr(value, "__dict__"):
        inner = list(vars(value).values())
    parts = [repr(value)]
    if depth > 0 and not isinstance(value, type):
        parts += [dump(each, depth - 1) for each in inner]
    return "\n".join(parts)


def snake(name: str) -> str:
    return re.sub(r"([A-Z])", lambda match: f"_{match[1].lower()}", name)


asyncio.run(main())
