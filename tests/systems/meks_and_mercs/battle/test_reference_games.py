"""Whole games on the map against the ledger's own games (MM-R21 to MM-R44) and our printed odds."""

from pathlib import Path

import pytest

from systems.simulation.odds import tally

from .games import COMPANIES
from .references import REFERENCES, Rates, Row, every_row, rates_of

FEW, MANY = 2_000, 100_000  # games of each row: in every test run, and in the proof run
SEED = 914
STANDARD_ERRORS = 4
DOCS = Path(__file__).resolve().parents[4] / "docs"
PRINTED, COMPARED = DOCS / "odds-meks-and-mercs.md", DOCS / "rulings" / "meks-and-mercs-odds.md"
PRINTED_GAMES = 100_000
HALF_A_DIGIT = 0.0005  # shares are printed in tenths of a percent
LEDGER = ("MM-012", "MM-015", "MM-A17", "MM-A19", "MM-A38", "MM-A39", "MM-A40", "MM-A41", "MM-A42")


def printed(page: Path) -> list[list[str]]:
    """Return the cells of the page's table of odds, for the ledger's companies."""
    lines = page.read_text(encoding="utf-8").splitlines()
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]
    return [cells for cells in rows if cells and cells[0] in COMPANIES]


def printed_rates() -> dict[Row, Rates]:
    """Return the rates that the page prints beside the references."""
    found = {}
    for scenario, attacker, defender, support, *shares, turns in (cells[:8] for cells in printed(COMPARED)):
        chances = tuple(float(share.rstrip("%")) / 100 for share in shares)
        found[Row(scenario, (attacker, defender), support == "yes")] = Rates(PRINTED_GAMES, chances, float(turns))
    return found


def sample_rates(row: Row, games: int) -> Rates:
    return rates_of(tally(row.setup, SEED, 0, games).battle)


@pytest.mark.rule(*LEDGER)
@pytest.mark.parametrize("name", REFERENCES)
def test_whole_games_match_ledger_rates(name):
    row, expected = REFERENCES[name]
    ours = sample_rates(row, FEW)
    assert ours.errors_off(expected) <= STANDARD_ERRORS, f"{ours}, the ledger has {expected}"


@pytest.mark.proof
@pytest.mark.parametrize("name", REFERENCES)
def test_many_whole_games_match_ledger_rates(name):
    row, expected = REFERENCES[name]
    ours = sample_rates(row, MANY)
    assert ours.errors_off(expected) <= STANDARD_ERRORS, f"{ours}, the ledger has {expected}"


def test_page_prints_every_scenario_style_pair_and_support():
    assert set(printed_rates()) == set(every_row())
    assert len(set(every_row())) == 6 * 4 * 2


def test_both_pages_agree():
    beside = [[*cells[:3], *cells[4:7]] for cells in printed(COMPARED) if cells[3] == "yes"]
    assert sorted(beside) == sorted(cells[:6] for cells in printed(PRINTED))


@pytest.mark.rule("MM-A06", "MM-014", *LEDGER)
@pytest.mark.parametrize("row", list(every_row()), ids=str)
def test_whole_games_match_printed_odds(row):
    expected = printed_rates()[row]
    assert sample_rates(row, FEW).errors_off(expected, HALF_A_DIGIT) <= STANDARD_ERRORS


@pytest.mark.proof
@pytest.mark.parametrize("row", list(every_row()), ids=str)
def test_many_whole_games_match_printed_odds(row):
    expected = printed_rates()[row]
    assert sample_rates(row, MANY).errors_off(expected, HALF_A_DIGIT) <= STANDARD_ERRORS
