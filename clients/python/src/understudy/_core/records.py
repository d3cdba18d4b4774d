"""Decodes streams of generated records, and checks that they are complete."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Callable, Iterator, Mapping, Union

from .._generated import types
from .config import Config
from .errors import StreamInterruptedError
from .request import MARKED_ERRORS, Request
from .response import Reply, field_problems, parse_json, unexpected_response

NDJSON = "application/x-ndjson"
CSV = "text/csv"

# The record separator U+001E begins the line of an error. JSON cannot contain it, so no
# record can imitate it.
_MARK = "\x1e"

# The longest record in bytes.
_MAX_RECORD = 16 * 1024 * 1024

Record = dict[str, Any]

#: A schema of `generate`. It is often read from a file, so its type is open.
Schema = Union[types.GenerateSchema, Mapping[str, Any]]


@dataclass(frozen=True)
class Generation:
    """What the headers of a response report about the records.

    The same schema, seed, `now` and engine version give the same records. Each warning
    has `field` and `message`.
    """

    seed: int | None
    count: int
    now: str | None
    engine_version: str | None
    warnings: list[dict[str, str]]
    # Whether the server marks its errors in the stream.
    marks_errors: bool = field(default=False, repr=False)


def read_generation(
    config: Config, request: Request, reply: Reply, requested: int
) -> Generation:
    """Reads the headers of a stream.

    Args:
        requested: The requested number of records, for a response without a count.

    Raises:
        ApiError: The response is no stream of the requested kind.
    """
    headers = reply.headers
    count = _integer(headers.get("x-generation-count"))
    if reply.media_type != request.headers["Accept"]:
        raise unexpected_response(config, request, reply)
    return Generation(
        seed=_integer(headers.get("x-generation-seed")),
        count=requested if count is None else count,
        now=headers.get("x-generation-now"),
        engine_version=headers.get("x-generation-engine-version"),
        warnings=_warnings(config, headers.get("x-generation-warning-details", "[]")),
        marks_errors=all(
            headers.get(name.lower()) == value for name, value in MARKED_ERRORS.items()
        ),
    )


class RecordDecoder:
    """Decodes NDJSON from pieces of any length."""

    def __init__(
        self,
        expected: int,
        server_text: Callable[[str], str],
        marks_errors: bool = False,
    ) -> None:
        self.expected = expected
        self.received = 0
        self._server_text = server_text
        self._marks_errors = marks_errors
        # The line that is not complete yet.
        self._line = bytearray()
        # A line of a server that does not mark errors: an error if no line follows, and a
        # record otherwise.
        self._held: Record | None = None

    def feed(self, piece: bytes) -> Iterator[Record]:
        """Returns the records that are complete with this piece."""
        end = piece.rfind(b"\n") + 1
        self._line += piece[:end] if end > 0 else piece
        if end > 0:
            lines, self._line = self._line, bytearray(piece[end:])
            return self._read(lines)
        if len(self._line) > _MAX_RECORD:
            raise self._too_large()
        return iter(())

    def finish(self, failure: str | None) -> Iterator[Record]:
        """Returns the record of a last line without a line break.

        Args:
            failure: The reason if the connection broke.

        Raises:
            StreamInterruptedError: The stream ended early.
        """
        if failure is None or _is_object(self._line):
            yield from self._read(self._line)
        if self._held is not None:
            raise self._reported(self._held)
        if failure is not None or self.received != self.expected:
            raise self._interrupted(failure or "the response ended")

    def _read(self, lines: bytearray) -> Iterator[Record]:
        for line in lines.decode(errors="replace").split("\n"):
            if not line or line.isspace():
                continue
            # A proxy may have removed the header.
            if line.startswith(_MARK):
                raise self._reported(self._parse(line[1:]))
            record = self._parse(line)
            if self._held is not None:
                held, self._held = self._held, None
                yield self._counted(held)
            is_last = self.received < self.expected and not self._marks_errors
            if is_last and _is_error(record):
                self._held = record
            else:
                yield self._counted(record)

    def _reported(self, line: Record) -> StreamInterruptedError:
        if not _is_error(line):
            return self._interrupted("the server reported an error", "internal_error")
        code = self._server_text(line["error"]["code"])
        message = self._server_text(line["error"]["message"])
        return self._interrupted(f"{code}: {message}", code)

    def _counted(self, record: Record) -> Record:
        if self.received >= self.expected:
            raise self._interrupted("the server sent more records than it announced")
        self.received += 1
        return record

    def _parse(self, line: str) -> Record:
        if len(line) > _MAX_RECORD:
            raise self._too_large()
        try:
            record = parse_json(line)
        except ValueError:
            record = None
        if not isinstance(record, dict):
            raise self._interrupted("a line is not a JSON object", "malformed_record")
        return record

    def _too_large(self) -> StreamInterruptedError:
        reason = f"a record is larger than {_MAX_RECORD} bytes"
        return self._interrupted(reason, "record_too_large")

    def _interrupted(
        self, reason: str, code: str | None = None
    ) -> StreamInterruptedError:
        return interrupted(reason, self.received, self.expected, code)


class CsvCounter:
    """Counts the records of CSV from pieces of any length."""

    def __init__(self, expected: int) -> None:
        self._expected = expected
        self._rows = 0
        self._is_quoted = False
        self._ends_row = True

    def feed(self, piece: bytes) -> None:
        """Counts the line breaks outside of quotes. A doubled quote changes nothing."""
        parts = piece.split(b'"')
        unquoted = parts[1 if self._is_quoted else 0 :: 2]
        self._rows += sum(part.count(b"\n") for part in unquoted)
        self._is_quoted ^= len(parts) % 2 == 0
        if piece:
            self._ends_row = piece.endswith(b"\n") and not self._is_quoted

    def finish(self, failure: str | None) -> None:
        """Checks the number of records. The first row is the header.

        Raises:
            StreamInterruptedError: The stream ended early.
        """
        received = max(0, self._rows - 1)
        is_cut = received != self._expected or not self._ends_row
        if failure is not None or is_cut:
            reason = failure or "the response ended"
            raise interrupted(reason, received, self._expected)


def interrupted(
    reason: str, received: int, expected: int, code: str | None = None
) -> StreamInterruptedError:
    """Returns the error of a stream that ended early."""
    message = f"generate: received {received} of {expected} records: {reason}"
    return StreamInterruptedError(
        message, received=received, expected=expected, code=code
    )


def _is_error(record: Record) -> bool:
    error = record.get("error")
    return (
        len(record) == 1
        and isinstance(error, dict)
        and isinstance(error.get("code"), str)
        and isinstance(error.get("message"), str)
    )


def _is_object(line: bytearray) -> bool:
    try:
        return isinstance(parse_json(line.decode(errors="replace")), dict)
    except ValueError:
        return False


def _integer(text: str | None) -> int | None:
    if text is None or not re.fullmatch(r"-?[0-9]{1,16}", text):
        return None
    return int(text)


def _warnings(config: Config, text: str) -> list[dict[str, str]]:
    try:
        return field_problems(config, parse_json(text))
    except ValueError:
        return []  # records are worth more than their warnings
