"""`python -m systems`: check, resolve, forecast and verify documents on the command line, without a site.

Exit code 0; 1 if the answer is no (illegal, not the same); 2 for unusable input, with one line on stderr.
"""

from __future__ import annotations

import argparse
import os
import secrets
import sys
import time
from collections.abc import Sequence
from typing import NoReturn

from systems.documents import MAX_BYTES, DocumentError
from systems.simulation.commands import Answer, answer_check, answer_forecast, answer_resolve, answer_verify, read_file
from systems.simulation.odds import DEFAULT_SEED
from systems.simulation.records import MAX_RECORD_BYTES


class Parser(argparse.ArgumentParser):
    """A parser that reports wrong arguments in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{' '.join(message.split())}\n")


def parser() -> Parser:
    """Return the parser of the command line."""
    whole = Parser(prog="python -m systems", description="Checks and simulates Muster's documents.")
    commands = whole.add_subparsers(dest="command", metavar="COMMAND", required=True)

    def add(name: str, help_text: str) -> argparse.ArgumentParser:
        command = commands.add_parser(name, help=help_text, description=f"{help_text[0].upper()}{help_text[1:]}.")
        command.add_argument("file", metavar="FILE", help="the document; - reads standard input")
        return command

    check = add("check", "check a design, set-up or scenario against its game's rules")
    check.add_argument(
        "--release", metavar="N", default="", help="of the catalogue, for a design; the newest if absent"
    )
    resolve = add("resolve", "simulate one battle of a set-up and print its record as JSON lines")
    resolve.add_argument("--seed", help="0 to 2^64 - 1; drawn if absent")
    resolve.add_argument("--text", action="store_true", help="print a report to read instead")
    forecast = add("forecast", "simulate many battles of a set-up and print the odds as JSON")
    forecast.add_argument("--battles", required=True, metavar="N", help="how many")
    forecast.add_argument("--seed", help=f"0 to 2^64 - 1; {DEFAULT_SEED} if absent")
    forecast.add_argument("--plain", action="store_true", help="without the compiled rules: slow, the same counts")
    verify = add("verify", "simulate the battle of a record again and compare")
    verify.add_argument(
        "--hash", metavar="HASH", default="", help="of the provably fair dice, as published before the battle"
    )
    return whole


def answer(given: argparse.Namespace) -> Answer:
    """Return the answer for parsed arguments; raises DocumentError."""
    data = read_file(given.file, MAX_RECORD_BYTES if given.command == "verify" else MAX_BYTES)
    if given.command == "check":
        return answer_check(data, given.release)
    if given.command == "resolve":
        seed = secrets.randbits(64) if given.seed is None else given.seed
        return answer_resolve(data, seed, as_text=given.text)
    if given.command == "forecast":
        return answer_forecast(data, given.battles, given.seed, clock=time.perf_counter, is_plain=given.plain)
    return answer_verify(data, given.hash)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    given = parser().parse_args(arguments)
    try:
        found = answer(given)
    except DocumentError as error:
        sys.stderr.write(f"{' '.join(str(error).split())}\n")
        return 2
    try:
        sys.stdout.buffer.write(found.text.encode())  # as bytes: records are compared byte by byte
        sys.stdout.buffer.flush()
    except BrokenPipeError:  # the reader closed the pipe; Python's own flush at exit must not fail either
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0 if found.is_yes else 1


if __name__ == "__main__":
    raise SystemExit(main())
