"""A server for tests that sends scripted bytes, one script for each connection."""

from __future__ import annotations

import socket
import threading
from typing import Callable

Script = Callable[["Connection"], None]


class Connection:
    """One connection. `closed` is set when the client has closed it."""

    def __init__(self, sock: socket.socket) -> None:
        self._socket = sock
        self.request = b""
        self.closed = threading.Event()

    def read_request(self) -> None:
        """Reads a request up to the end of its headers, and its body if it has a length."""
        data = b""
        while b"\r\n\r\n" not in data:
            data += self._receive()
        head, _, body = data.partition(b"\r\n\r\n")
        length = 0
        for line in head.split(b"\r\n"):
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        while len(body) < length:
            body += self._receive()
        self.request = head + b"\r\n\r\n" + body

    def send(self, data: bytes | str) -> None:
        self._socket.sendall(data.encode() if isinstance(data, str) else data)

    def respond(self, body: str, status: str = "200 OK", *headers: str) -> None:
        lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body.encode())}"]
        lines += ["Content-Type: application/json", "Connection: close", *headers]
        self.send("\r\n".join(lines) + "\r\n\r\n" + body)

    def wait_until_closed(self) -> None:
        """Waits until the client closes the connection."""
        try:
            while self._socket.recv(65536):
                pass
        except OSError:
            pass  # a reset is a close, too
        self.closed.set()

    def _receive(self) -> bytes:
        data = self._socket.recv(65536)
        if not data:
            raise ConnectionError("the client closed the connection")
        return data


class Server:
    """Plays a script on each connection, on its own thread."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.connections: list[Connection] = []
        self._sockets: list[socket.socket] = []
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    def close(self) -> None:
        """Closes all connections, and waits until all scripts have ended."""
        self._listener.shutdown(socket.SHUT_RDWR)
        self._threads[0].join()
        self._listener.close()
        for sock in self._sockets:
            try:
                sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # the client has closed it
        for thread in self._threads[1:]:
            thread.join()

    def _accept(self) -> None:
        while True:
            try:
                sock, _ = self._listener.accept()
            except OSError:
                return
            self._sockets.append(sock)
            connection = Connection(sock)
            self.connections.append(connection)
            thread = threading.Thread(target=self._play, args=(sock, connection))
            self._threads.append(thread)
            thread.start()

    def _play(self, sock: socket.socket, connection: Connection) -> None:
        with sock:
            try:
                connection.read_request()
                self._script(connection)
            except OSError:
                pass  # the client or the test ended the connection
