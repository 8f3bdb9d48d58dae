import pytest

from systems.catalogue import CatalogueError
from systems.rulebook import load_rulebook

RULE = '[XX-001]\ntitle = "Heat"\nkind = "{kind}"\nstatus = "{status}"\nsource = "L1"\ntext = "Heat is bad."\n'


def test_a_rule_is_found_by_its_id(tmp_path):
    path = tmp_path / "rulebook.toml"
    path.write_text(RULE.format(kind="battle", status="planned"))
    rule = load_rulebook(path)["XX-001"]
    assert (rule.id, rule.title, rule.source) == ("XX-001", "Heat", "L1")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (RULE.format(kind="battle", status="finished"), "status: 'finished' is none of"),
        (RULE.format(kind="table-only", status="done"), "status: table-only"),
        (RULE.format(kind="battle", status="done").replace("XX-001", "heat"), "looks like MM-001"),
        (RULE.format(kind="battle", status="done").replace('text = "Heat is bad."', ""), "text: missing"),
    ],
)
def test_a_broken_rulebook_is_refused(tmp_path, text, complaint):
    path = tmp_path / "rulebook.toml"
    path.write_text(text)
    with pytest.raises(CatalogueError, match=complaint):
        load_rulebook(path)
