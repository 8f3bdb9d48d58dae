"""Every act in every state does what docs/who-may-when.md says, and changes nothing else.

Checked for campaigns, seasons and cups.
"""

import re
from copy import copy
from pathlib import Path

import pytest
from django.core.exceptions import ObjectDoesNotExist
from django.db import transaction

from rosters.services import RefusedError
from tests.campaigns import season_acts
from tests.campaigns.campaign_acts import ACTS, STATES, in_state, measure_campaign
from tests.campaigns.club_acts import CLUB_ACTS

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.usefixtures("sixes")]
DOCUMENT = Path(__file__).parents[2] / "docs" / "who-may-when.md"
KINDS = {  # of tables: acts by heading, states, how to build a world in a state, and what is measured
    "campaign": (ACTS | CLUB_ACTS, STATES, in_state, measure_campaign),
    "season": (
        season_acts.SEASON_ACTS,
        season_acts.SEASON_STATES,
        season_acts.in_season_state,
        season_acts.measure_season,
    ),
    "cup": (season_acts.CUP_ACTS, season_acts.CUP_STATES, season_acts.in_cup_state, season_acts.measure_cup),
}
CELLS = [
    pytest.param(kind, state, marks=() if number % 2 else pytest.mark.slow)  # test_buttons.py has the others
    for kind, (_, states, _, _) in KINDS.items()
    for number, state in enumerate(states)
]


class _RollBack(Exception):
    """Roll back an act's transaction."""


def sections():
    """Return the document's tables by heading: each act's cells by state."""
    found = {}
    for section in re.split(r"^## ", DOCUMENT.read_text(), flags=re.M)[1:]:
        heading, _, text = section.partition("\n")
        rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines() if line.startswith("| ")]
        if rows:
            states, *acts = rows
            found[heading] = {act: dict(zip(states[1:], cells, strict=True)) for act, *cells in acts}
            assert len(found[heading]) == len(acts), f"an act occurs twice in {heading}"
    return found


def refusals():
    """Return the words that identify each of the document's refusals, by its number."""
    lines = re.findall(r"^(\d+)\. .*\((`.+`)\)$", DOCUMENT.read_text(), re.M)
    return {number: words.strip("`").split("`, `") for number, words in lines}


def fresh(world):
    """Return the world with its rows reloaded."""
    found = copy(world)
    for name in ("campaign", "ants", "bees"):
        if (row := getattr(world, name, None)) is not None:
            setattr(found, name, type(row).objects.get(pk=row.pk))
    return found


def try_act(world, act, before, known, measure):
    """Return the result of one act as a cell, and roll it back."""
    try:
        with transaction.atomic():
            act(fresh(world))
            after = measure(world) if not is_deleted(world) else before
            raise _RollBack
    except _RollBack:
        return "".join(letter for letter in before if before[letter] != after[letter]) or "·"
    except (LookupError, ObjectDoesNotExist):
        return ""
    except RefusedError as refused:
        numbers = [number for number, words in known.items() if any(each in refused.reason for each in words)]
        return numbers[0] if numbers else f"refused, and the document knows no such reason: {refused.reason}"


def is_deleted(world):
    """Return whether the season was deleted."""
    ledger = getattr(world, "ledger", None)
    return ledger is not None and not type(ledger.season).objects.filter(pk=ledger.season.pk).exists()


def test_document_has_a_table_for_every_act_and_state(capsys):
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
def test_acts_change_only_the_documented_values(kind, state, is_whole):
    """The partial run checks every eighth act, shifted by one for each state, so that two or three states try each."""
    acts, states, in_that, measure = KINDS[kind]
    world, known, documented = in_that(state), refusals(), sections()
    before = measure(world)
    wrong = []
    every = [(heading, act, done) for heading, those in acts.items() for act, done in those.items()]
    for heading, act, done in every if is_whole else every[list(states).index(state) % 8 :: 8]:
        found = try_act(world, done, before, known, measure)
        if found != documented[heading][act][state]:
            wrong.append(f"{act}: the table says {documented[heading][act][state]!r}, found {found!r}")
    assert not wrong, f"in {state}:\n" + "\n".join(wrong)
    assert measure(world) == before
