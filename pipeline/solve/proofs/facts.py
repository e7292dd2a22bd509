"""Facts of a claim that its game does not know: nobody checks them, so no certificate may carry them."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from pipeline.core.canonical import Json
from pipeline.core.errors import Problem

ONLY_DEAD_ENDS = frozenset({"can_dead_end"})
"""The one fact that is known of every game."""


def unknown_facts(claim: Mapping[str, Json], known: AbstractSet[str] = ONLY_DEAD_ENDS) -> list[Problem]:
    """A problem that names the facts of a claim that are not among the known ones, or none."""
    strange = sorted(set(claim["facts"]) - known)
    return (
        [Problem("fact_wrong", f"no fact of such a claim: {', '.join(strange)}.", "$.claim.facts")] if strange else []
    )
