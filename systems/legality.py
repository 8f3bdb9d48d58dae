"""The result of a legality check, for every rule system; a check lists all problems, not only the first."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Problem:
    """A reason why a design or company is illegal."""

    rule: str
    message: str  # a sentence for the player
    place: str = ""  # "weapons", "systems[1]", "pilots[0]"
    code: str = ""  # the rule system's own code for this kind of problem, if it has one

    def moved(self, place: str) -> "Problem":
        """Return the same problem with its place in a larger document."""
        return Problem(self.rule, self.message, f"{place}.{self.place}" if self.place else place, self.code)


@dataclass(frozen=True, slots=True)
class BillLine:
    label: str
    points: int


@dataclass(frozen=True, slots=True)
class Check:
    """The result of a legality check. The points are the total of the bill, with or without problems."""

    points: int
    problems: tuple[Problem, ...] = ()
    warnings: tuple[Problem, ...] = ()
    bill: tuple[BillLine, ...] = field(default=())
    notes: tuple[str, ...] = ()

    @property
    def legal(self) -> bool:
        return not self.problems


def pluralize(number: int, singular: str, plural: str | None = None) -> str:
    """Return the number with its noun: `1 huge mount`, `2 huge mounts`, `no huge mount`."""
    if number == 0:
        return f"no {singular}"
    return f"{number} {singular if number == 1 else plural or singular + 's'}"


def join_words(names: list[str]) -> str:
    """Join names: `a`, `a and b`, `a, b and c`."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else ""
