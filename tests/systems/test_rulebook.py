import pytest

from systems.catalogue import CatalogueError
from systems.rulebook import load_rulebook, read_rulings

RULE = '[XX-001]\ntitle = "Heat"\nkind = "{kind}"\nstatus = "{status}"\nsource = "Heat"\ntext = "Heat is bad."\n'


def test_rule_is_found_by_id(tmp_path):
    path = tmp_path / "rulebook.toml"
    path.write_text(RULE.format(kind="battle", status="planned"))
    rule = load_rulebook(path)["XX-001"]
    assert (rule.id, rule.title, rule.source) == ("XX-001", "Heat", "Heat")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (RULE.format(kind="battle", status="finished"), "status: 'finished' is none of"),
        (RULE.format(kind="table-only", status="done"), "status: table-only"),
        (RULE.format(kind="battle", status="done").replace("XX-001", "heat"), "looks like MM-001"),
        (RULE.format(kind="battle", status="done").replace('text = "Heat is bad."', ""), "text: missing"),
    ],
)
def test_broken_rulebook_is_refused(tmp_path, text, complaint):
    path = tmp_path / "rulebook.toml"
    path.write_text(text)
    with pytest.raises(CatalogueError, match=complaint):
        load_rulebook(path)


def test_rule_has_its_origin(tmp_path):
    path = tmp_path / "rulebook.toml"
    rule = RULE.format(kind="battle", status="done")
    own = rule.replace("XX-001", "XX-002").replace('source = "Heat"', 'source = "ours"')
    path.write_text(rule + 'ours = "the figures."\n' + own)
    rules = load_rulebook(path)
    assert [each.is_ours for each in rules.values()] == [False, True]
    assert rules["XX-001"].origin == "The book: Heat. Muster’s own: the figures."
    assert rules["XX-002"].origin == "Muster’s own rule"


RULES = ("XX-001", "XX-002", "XX-003", "XX-AR01")
RULINGS = """# Rulings: X

What this is.

**2. Heat and cold (XX-002).** The book says nothing. Ours: neither
(`no-heat`). `tests/systems/x/test_heat.py::test_heat`,
`test_cold.py::test_cold`

## Later

**1. What is missed (XX-001 to XX-003, XX-AR01)?** All of it.
`test_heat.py::test_heat`

## Notes

- XX-003: of no ruling.
"""


def test_rulings_are_read_without_their_tests():
    first, second = read_rulings(RULINGS, RULES)
    assert (first.number, first.title, first.rules, first.text) == (1, "What is missed?", RULES, "All of it.")
    assert (first.heading, second.heading) == ("Ruling 1: What is missed?", "Ruling 2: Heat and cold.")
    assert (second.title, second.rules) == ("Heat and cold", ("XX-002",))
    assert second.text == "The book says nothing. Ours: neither (no-heat)."


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("**1. Heat (XX-009).** Text.", "no rule 'XX-009'"),
        ("**1. Heat (ledger 6.5).** Text.", "no rule 'ledger 6.5'"),
        ("**1. Heat.** Text.", "no rule ''"),
        ("**1. Heat (XX-001).** See `test_a.py::test_b` first. Text.", "tests are named at the end"),
        ("**1. Heat (XX-001).** `test_a.py::test_b`", "looks like"),
        ("**1. Heat (XX-001).** Text.\n**1. Cold (XX-002).** Text.", "two rulings have this number"),
    ],
)
def test_broken_ruling_is_refused(text, complaint):
    with pytest.raises(CatalogueError, match=complaint):
        read_rulings(text, RULES)


def test_rulings_belong_to_their_rules(tmp_path):
    path = tmp_path / "rulebook.toml"
    path.write_text(RULE.format(kind="battle", status="done"))
    path.with_name("rulings.md").write_text("**1. Heat (XX-001).** Text.\n")
    assert [ruling.title for ruling in load_rulebook(path)["XX-001"].rulings] == ["Heat"]
