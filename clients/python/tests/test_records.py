"""Records are decoded in the same way for all lengths of the pieces."""

from __future__ import annotations

import csv
import io
import json
import random
from decimal import Decimal
from typing import Iterator

import pytest

from understudy import ConfigurationError, StreamInterruptedError
from understudy._core.records import CsvCounter, RecordDecoder
from understudy._core.request import Operation, _json
from understudy._core.response import parse_json


def pieces(data: bytes, source: random.Random) -> Iterator[bytes]:
    start = 0
    while start < len(data):
        end = start + source.randint(1, 7)
        yield data[start:end]
        start = end


def test_records_are_decoded_from_pieces_of_any_length() -> None:
    for seed in range(100):
        decode_records(random.Random(seed))


def decode_records(source: random.Random) -> None:
    records = [{"a": "é😀" * source.randint(0, 3)} for _ in range(source.randint(0, 6))]
    lines = [json.dumps(record, ensure_ascii=False) for record in records]
    text = "".join(line + source.choice(["\n", "\r\n", "\n\n"]) for line in lines)
    data = text.rstrip().encode() if source.random() < 0.3 else text.encode()
    decoder = RecordDecoder(len(records), str)
    decoded = [
        record for piece in pieces(data, source) for record in decoder.feed(piece)
    ]
    assert [*decoded, *decoder.finish(None)] == records


def test_rows_are_counted_from_pieces_of_any_length() -> None:
    for seed in range(100):
        count_rows(random.Random(seed))


def count_rows(source: random.Random) -> None:
    values = ['x"\n,', "y", '"', '\r\n""', "\n"]
    rows = [[source.choice(values)] for _ in range(source.randint(1, 6))]
    file = io.StringIO()
    csv.writer(file).writerows([["a"], *rows])
    text = file.getvalue()
    data = text.encode()
    counter = CsvCounter(len(rows))
    for piece in pieces(data, source):
        counter.feed(piece)
    counter.finish(None)
    cut = data[: source.randrange(len(data))]
    for received, expected in ((data, len(rows) + 1), (cut, len(rows))):
        with pytest.raises(StreamInterruptedError):
            wrong = CsvCounter(expected)
            wrong.feed(received)
            wrong.finish(None)


def test_a_record_of_16_mib_in_small_pieces_takes_linear_time() -> None:
    record = b'{"a": "' + b"x" * (16 * 1024 * 1024 - 9) + b'"}\n'
    decoder = RecordDecoder(1, str)
    decoded = []
    for start in range(0, len(record), 1024):
        decoded += decoder.feed(record[start : start + 1024])
    assert [*decoded, *decoder.finish(None)] == [json.loads(record)]


def test_a_larger_record_is_refused_before_it_is_complete() -> None:
    decoder = RecordDecoder(1, str)
    assert list(decoder.feed(b'{"a": "')) == []
    with pytest.raises(StreamInterruptedError) as caught:
        for _ in range(17):
            list(decoder.feed(b"x" * 1024 * 1024))
    assert caught.value.code == "record_too_large"


def test_numbers_that_a_double_cannot_hold_keep_their_digits_in_both_directions() -> None:
    encoded = "[0.10000000000000001,1E+400,123456789012345678901234567890,0.5,1e21]"
    numbers = parse_json(encoded)
    kinds = [Decimal, Decimal, int, float, float]
    assert [type(number) for number in numbers] == kinds
    operation = Operation("generate", "POST", "/generate")
    body, _ = _json(operation, {"numbers": numbers, "text": "0.1"})
    sent = json.loads(body, parse_float=Decimal)
    assert sent == {"numbers": json.loads(encoded, parse_float=Decimal), "text": "0.1"}
    for value in (Decimal("NaN"), object()):
        with pytest.raises(ConfigurationError):
            _json(operation, {"value": value})
