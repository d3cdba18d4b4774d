from __future__ import annotations

from typing import Callable, Iterator

import pytest

from server import Script, Server

Serve = Callable[[Script], Server]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Starts servers, which end with the test."""
    servers: list[Server] = []

    def start(script: Script) -> Server:
        servers.append(Server(script))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


@pytest.fixture(autouse=True)
def no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("UNDERSTUDY_API_TOKEN", "UNDERSTUDY_API_URL"):
        monkeypatch.delenv(name, raising=False)
