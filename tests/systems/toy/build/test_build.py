"""What a company of toys may own."""

import pytest

from systems.documents import DocumentError
from systems.roster import CompanyMember
from tests.toy.build import SYSTEM


@pytest.mark.rule("TY-003")
@pytest.mark.parametrize(("kind", "hits", "points"), [("knight", 3, 5), ("runner", 2, 3)])
def test_toys_have_their_hits_and_points(kind: str, hits: int, points: int):
    spec = SYSTEM.parse_spec({"kind": kind})
    sheet = SYSTEM.datasheet(spec, name="Tom", design_name=kind)
    assert (sheet.hits, sheet.points, SYSTEM.check_design(spec).points) == (hits, points, points)


def test_unknown_toy_is_refused_with_suggestion():
    with pytest.raises(DocumentError, match="knight"):
        SYSTEM.parse_spec({"kind": "kniht"})


def test_company_may_have_any_number_of_toys():
    members = [CompanyMember(f"Tom {at}", SYSTEM.parse_spec({"kind": "knight"}), None) for at in range(30)]
    check = SYSTEM.check_company("skirmish", members)
    assert (check.points, check.legal, len(check.bill)) == (150, True, 30)


def test_toy_has_no_pilot():
    assert not SYSTEM.needs_pilot({"kind": "knight"})
    assert SYSTEM.parse_pilot(None).skills == ()
    with pytest.raises(DocumentError, match="Toy Soldiers has no pilots"):
        SYSTEM.parse_pilot({"experience": "green"})


def test_own_scenario_is_refused():
    with pytest.raises(DocumentError, match="Toy Soldiers has no custom scenarios"):
        SYSTEM.parse_scenario({"name": "Under the sofa"})
