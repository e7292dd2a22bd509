"""Bolt Unscrew: what the searches look at in a state. The rules themselves stay in `games`."""

from dataclasses import dataclass

from pipeline.games.bolt_unscrew import State
from pipeline.games.bolt_unscrew_rig import Rig

_RELEASED = 0.3
"""Tightness of a plank that no screw holds but that has not exited."""


@dataclass(frozen=True, slots=True)
class Look:
    """Counts and hole sets (bit masks) of one state."""

    remaining: int
    """Planks still on the panel."""
    holding: int
    """Holes whose screw holds at least one plank."""
    free: int
    """Holes a screw can go to."""
    tightness: float
    """Σ 1 − 2^−k over the planks held by k screws: the last screws of a plank count more than the first."""

    @property
    def bound(self) -> int:
        """Moves still needed at least: a screw that holds a plank must move, and one move moves one screw."""
        return max(self.holding.bit_count(), 1 if self.remaining else 0)


def look_at(rig: Rig, state: State) -> Look:
    """The look of a state."""
    screws = sum(1 << hole for hole in state.screws)
    remaining = holding = 0
    tightness = 0.0
    taken = screws
    for plank, pose in enumerate(state.poses):
        if pose is None:
            continue
        lying = rig.lying(plank, pose)
        held = lying.aligned & screws
        remaining += 1
        tightness += 1 - 0.5 ** held.bit_count() if held else _RELEASED
        holding |= held
        taken |= lying.blocked
    free = ~taken & (1 << len(rig.holes)) - 1
    return Look(remaining, holding, free, tightness)


def holes_of(mask: int) -> list[int]:
    """The holes of a mask, rising."""
    return [hole for hole in range(mask.bit_length()) if mask >> hole & 1]
