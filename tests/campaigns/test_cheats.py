"""Every act in every state of a campaign, a season and a cup does what docs/who-may-when.md says, and moves nothing
else."""

import re
from copy import copy
from pathlib import Path

import pytest
from django.core.exceptions import ObjectDoesNotExist
from django.db import transaction

from rosters.services import RefusedError
from tests.campaigns import season_cheats as seasons
from tests.campaigns.cheats import ACTS, STATES, in_state, measured
from tests.campaigns.club_cheats import CLUB_ACTS

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.usefixtures("sixes")]
DOCUMENT = Path(__file__).parents[2] / "docs" / "who-may-when.md"
KINDS = {  # of tables: acts by heading, states, how a world comes to one, and what moves in it
    "campaign": (ACTS | CLUB_ACTS, STATES, in_state, measured),
    "season": (seasons.SEASON_ACTS, seasons.SEASON_STATES, seasons.in_season_state, seasons.season_measured),
    "cup": (seasons.CUP_ACTS, seasons.CUP_STATES, seasons.in_cup_state, seasons.cup_measured),
}
CELLS = [(kind, state) for kind, (_, states, _, _) in KINDS.items() for state in states]


class _TakenBack(Exception):
    """Ends the transaction of an act."""


def sections():
    """The tables of the document by heading: of each act its cells, by state."""
    found = {}
    for section in re.split(r"^## ", DOCUMENT.read_text(), flags=re.M)[1:]:
        heading, _, text = section.partition("\n")
        rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines() if line.startswith("| ")]
        if rows:
            states, *acts = rows
            found[heading] = {act: dict(zip(states[1:], cells, strict=True)) for act, *cells in acts}
            assert len(found[heading]) == len(acts), f"an act stands twice in {heading}"
    return found


def refusals():
    """The words that each refusal of the document is known by, by its number."""
    lines = re.findall(r"^(\d+)\. .*\((`.+`)\)$", DOCUMENT.read_text(), re.M)
    return {number: words.strip("`").split("`, `") for number, words in lines}


def fresh(world):
    """The world with its rows as they are now."""
    found = copy(world)
    for name in ("campaign", "ants", "bees"):
        if (row := getattr(world, name, None)) is not None:
            setattr(found, name, type(row).objects.get(pk=row.pk))
    return found


def answered(world, act, before, known, measure):
    """What the program answers to one act, as a cell; whatever it changed is taken back."""
    try:
        with transaction.atomic():
            act(fresh(world))
            after = measure(world) if not is_gone(world) else before
            raise _TakenBack
    except _TakenBack:
        return "".join(letter for letter in before if before[letter] != after[letter]) or "·"
    except (LookupError, ObjectDoesNotExist):
        return ""
    except RefusedError as refused:
        numbers = [number for number, words in known.items() if any(each in refused.reason for each in words)]
        return numbers[0] if numbers else f"refused, and the document knows no such reason: {refused.reason}"


def is_gone(world):
    """Whether the season was deleted."""
    ledger = getattr(world, "ledger", None)
    return ledger is not None and not type(ledger.season).objects.filter(pk=ledger.season.pk).exists()


def test_the_document_has_a_table_for_every_act_and_state(capsys):
    found = sections()
    wanted = {
        heading: (acts, states) for all_acts, states, _, _ in KINDS.values() for heading, acts in all_acts.items()
    }
    assert list(found) == [heading for all_acts, _, _, _ in KINDS.values() for heading in all_acts]
    for heading, (acts, states) in wanted.items():
        assert list(found[heading]) == list(acts), heading
        assert all(list(cells) == list(states) for cells in found[heading].values()), heading
    cells = [cell for acts in found.values() for act in acts.values() for cell in act.values()]
    with capsys.disabled():
        print(
            f" {sum(map(len, found.values()))} acts, {len(cells)} cells, {sum(map(bool, cells))} of them with an answer"
        )


@pytest.mark.parametrize("is_whole", [False, pytest.param(True, marks=pytest.mark.proof)], ids=["part", "whole"])
@pytest.mark.parametrize(("kind", "state"), CELLS)
def test_every_act_moves_what_the_table_says_and_nothing_else(kind, state, is_whole):
    """The part is every eighth act, and in the next state those after them: two or three states try each."""
    acts, states, in_that, measure = KINDS[kind]
    world, known, told = in_that(state), refusals(), sections()
    before = measure(world)
    wrong = []
    every = [(heading, act, done) for heading, those in acts.items() for act, done in those.items()]
    for heading, act, done in every if is_whole else every[list(states).index(state) % 8 :: 8]:
        found = answered(world, done, before, known, measure)
        if found != told[heading][act][state]:
            wrong.append(f"{act}: the table says {told[heading][act][state]!r}, found {found!r}")
    assert not wrong, f"in {state}:\n" + "\n".join(wrong)
    assert measure(world) == before
