"""Simulates the battle of a record again and compares, and says whose seed it used."""

from django.core.management.base import CommandParser

from battles.management.documents import DocumentCommand
from systems.documents import DocumentError
from systems.simulation.resolve import Difference, HeaderDice, read_header, verify


class Command(DocumentCommand):
    help = (
        "Fights a record's battle again: `same` and what is known of its dice, or the first line that differs and "
        "exit code 1."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--hash", metavar="HASH", help="of the sealed dice, as it was published before the battle: were these they?"
        )

    def answer(self, data: bytes, options: dict[str, object]) -> None:
        try:
            text = data.decode()
        except UnicodeDecodeError as error:
            raise DocumentError("document", f"not UTF-8 text (byte {error.start})") from None
        difference = verify(text)
        if difference is None:
            dice, hash_given = read_header(text).dice, str(options["hash"] or "").strip().lower()
            difference = _of_other_dice(dice, hash_given)
        if difference is None:
            self.stdout.write("same")
            self.stdout.write(_describe_dice(dice, bool(hash_given)))
            return
        self.stdout.write(f"line {difference.line} differs")
        self.stdout.write(f"expected: {difference.expected}")
        self.stdout.write(f"found:    {difference.found}")
        if difference.reason:
            self.stdout.write(f"the line: {difference.reason}")
        raise SystemExit(1)


def _of_other_dice(dice: HeaderDice | None, hash_given: str) -> Difference | None:
    """Return the difference if the reader has noted another hash than the record's."""
    if not hash_given or (dice is not None and dice.commitment == hash_given):
        return None
    found = f"dice of the hash {dice.commitment}" if dice else "no sealed dice: the seed was chosen"
    return Difference(1, f"dice of the hash {hash_given}", found)


def _describe_dice(dice: HeaderDice | None, is_known: bool) -> str:
    if dice is None:
        return "seed: chosen, not sealed; whoever had this battle fought could try seeds until one pleased him"
    words = ", ".join(f'"{text}"' for text in dice.words) or "none"
    known = "the one you gave" if is_known else "compare it with the one published before the battle"
    return f"seed: follows from sealed dice; for: {dice.purpose}; words: {words}; hash: {dice.commitment} ({known})"
