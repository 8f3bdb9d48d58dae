"""The headline and lead of a gazette. They are made when an edition is written or amended, and stored with it."""

from __future__ import annotations

from campaigns.gazette.document import GazetteDocument

WAR_WON = {
    "attacker": "The attackers have won the war",
    "defender": "The defenders have won the war",
    "draw": "The war ends with nobody ahead",
}


def build_headline(content: GazetteDocument) -> str:
    """Return the headline: the most memorable fact of the round."""
    if content.war is not None and content.war.winner:
        return WAR_WON[content.war.winner]
    upset = content.upset
    if upset is not None:
        return f"{upset.winner} beat {upset.loser} against the {'odds' if upset.by == 'odds' else 'table'}"
    if _has_played(content):
        return f"{content.standings[0].name} lead after round {content.round}"
    return f"Round {content.round} is over"


def build_lead(content: GazetteDocument) -> str:
    """Return a summary of the round in one to three sentences."""
    decided = [line for line in content.results if line.look in ("won", "draw", "forfeit")]
    killed = sum(line.what == "killed" for line in content.pilots)
    parts = [f"{_pluralize(len(decided), 'match', 'matches')} decided"]
    open_ = sum(line.look in ("unknown", "reported", "disputed") for line in content.results)
    if open_:
        parts.append(f"{open_} still open")
    if content.units_lost:
        parts.append(f"{_pluralize(content.units_lost, 'unit', 'units')} {content.lost_word}")
    if killed:
        parts.append(f"{_pluralize(killed, 'pilot', 'pilots')} killed")
    text = f"{', '.join(parts)}."
    return f"{text} {_upset(content)}".strip()


def _upset(content: GazetteDocument) -> str:
    upset = content.upset
    if upset is None:
        return ""
    if upset.by == "odds" and upset.chance is not None:
        return (
            f"The odds published beforehand gave {upset.winner} {upset.chance:.1%} to win, "
            f"counted over {upset.battles or 0:,} battles."
        )
    assert upset.points is not None
    own, other = upset.points
    return f"{upset.winner} came into the round with {_pluralize(own, 'point', 'points')}, {upset.loser} with {other}."


def _has_played(content: GazetteDocument) -> bool:
    return any(line.points for line in content.standings)


def _pluralize(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
