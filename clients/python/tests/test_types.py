"""The types of the package accept good programs and refuse bad ones."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).parents[1]
PROGRAM = PACKAGE / "tests" / "user_program.py"


def test_mypy_finds_exactly_the_marked_errors_in_a_program() -> None:
    found = mypy("--strict", str(PROGRAM))
    reported = set(re.findall(r"user_program\.py:(\d+): error: .*\[([\w-]+)\]", found))
    lines = enumerate(PROGRAM.read_text().splitlines(), 1)
    marked = {
        (str(number), mark[1])
        for number, line in lines
        if (mark := re.search(r"# error: ([\w-]+)", line))
    }
    assert len(marked) == 9
    assert reported == marked, found


def test_the_package_is_marked_as_typed() -> None:
    assert (PACKAGE / "src" / "understudy" / "py.typed").exists()


def mypy(*arguments: str) -> str:
    command = [sys.executable, "-m", "mypy", "--no-error-summary", *arguments]
    done = subprocess.run(
        command, cwd=PACKAGE, capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr
