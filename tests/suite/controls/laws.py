"""What the controls of every game keep: gestures make the moves they are meant to, and events only legal ones."""

import json
import math
import random
from collections.abc import Callable
from typing import Any

from pipeline.suite.controls.contract import AnyControls
from pipeline.suite.gestures import BOARD, Arrow, Cancel, Click, Drag, Event, Gesture, Key, Point, Pointer, events

ARROWS: tuple[Arrow, ...] = ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown")
FAR = (-1e300, -5000.0, -1.0, 0.0, 450.0, 899.5, 901.0, 5000.0, 1e300)


def check_performing(controls: AnyControls, board: Any, choices: random.Random, jitter: float, steps: int = 6) -> None:
    """Along a random play, every move is what its gestures make, however they are carried out.

    `jitter`: pixels by which every point may miss.
    """
    game, state, hand = controls.game, controls.game.start(board), None
    check_small(controls.layout(board))
    for _ in range(steps):
        moves = game.moves(board, state)
        if not moves:
            return
        for move in choices.sample(moves, min(len(moves), 12)):
            gestures = controls.perform(board, state, move)
            assert all(0 <= x <= BOARD and 0 <= y <= BOARD for gesture in gestures for x, y in points_of(gesture))
            for carried_out in (as_meant, in_corners, in_small_steps, trembling(choices, jitter)):
                done = [carried_out(gesture) for gesture in gestures]
                assert controls.interpret(board, state, done) == [move], (carried_out, board, state, done)
                assert controls.interpret(board, state, done, hand) == [move]
        move = choices.choice(moves)
        hand = hand_after(controls, board, state, hand, controls.perform(board, state, move))
        state = game.apply(board, state, move)


def check_events(controls: AnyControls, board: Any, choices: random.Random, number: int) -> int:
    """Random events never raise, and change the state by legal moves only; the number of moves they made."""
    game, state, hand, made, at = controls.game, controls.game.start(board), None, 0, (450.0, 450.0)
    promising = promising_points(controls, board, state)
    for _ in range(number):
        at = random_point(at, promising, choices)
        event = random_event(at, choices)
        touch = controls.touch(board, state, hand, event)
        assert touch == controls.touch(board, state, hand, event)
        hand = touch.hand
        hash(hand)
        if touch.move is not None:
            state = game.apply(board, state, touch.move)
            made += 1
        if isinstance(event, Cancel):
            assert controls.touch(board, state, hand, Pointer("up", at)).move is None
        check_small(controls.shown(board, state, hand))
        check_small(touch.refused)
        if game.won(board, state) or game.lost_at_sight(board, state):
            state, hand = game.start(board), None
        if touch.move is not None:
            promising = promising_points(controls, board, state)
    return made


def check_small(shown: Any) -> None:
    """JSON that reads back as itself, of a few kilobytes."""
    text = json.dumps(shown, allow_nan=False)
    assert json.loads(text) == shown
    assert len(text) < 20_000


def random_event(at: Point, choices: random.Random) -> Event:
    """Mostly something the pointer does at a point; keys and cancels in between, whatever is held."""
    way = choices.random()
    if way < 0.05:
        return Cancel()
    if way < 0.15:
        return Key(choices.choice(ARROWS))
    return Pointer(choices.choice(("down", "move", "move", "up")), at)


def random_point(before: Point, promising: list[Point], choices: random.Random) -> Point:
    """Near the point before, where a move begins or ends, anywhere, or far outside."""
    way = choices.random()
    if way < 0.05:
        return choices.choice(FAR), choices.choice(FAR)
    if way < 0.4 and promising:
        return choices.choice(promising)
    if way < 0.7:
        x, y = (max(-50.0, min(950.0, value)) for value in before)
        return x + choices.gauss(0, 60), y + choices.gauss(0, 60)
    return choices.uniform(-20, 920), choices.uniform(-20, 920)


def promising_points(controls: AnyControls, board: Any, state: Any) -> list[Point]:
    """Points of the gestures of some legal moves."""
    moves = controls.game.moves(board, state)[:40]
    return [point for move in moves for gesture in controls.perform(board, state, move) for point in points_of(gesture)]


def hand_after(controls: AnyControls, board: Any, state: Any, hand: Any, gestures: tuple[Gesture, ...]) -> Any:
    """What gestures leave in the hand."""
    for event in (event for gesture in gestures for event in events(gesture)):
        touch = controls.touch(board, state, hand, event)
        hand = touch.hand
        if touch.move is not None:
            state = controls.game.apply(board, state, touch.move)
    return hand


# -- ways to carry out a gesture ----------------------------------------------------------------
def as_meant(gesture: Gesture) -> Gesture:
    return gesture


def in_corners(gesture: Gesture) -> Gesture:
    """A drag without the points between which it goes straight on."""
    if not isinstance(gesture, Drag):
        return gesture
    points = gesture.points
    kept = [points[0]]
    for before, at, after in zip(points, points[1:], points[2:], strict=False):
        if math.dist(before, at) + math.dist(at, after) - math.dist(before, after) > 1e-6:
            kept.append(at)
    return Drag((*kept, points[-1]))


def in_small_steps(gesture: Gesture) -> Gesture:
    """A drag with twenty points between any two."""
    if not isinstance(gesture, Drag):
        return gesture
    points = [gesture.points[0]]
    for (ax, ay), (bx, by) in zip(gesture.points, gesture.points[1:], strict=False):
        points += [(ax + (bx - ax) * k / 21, ay + (by - ay) * k / 21) for k in range(1, 22)]
    return Drag(tuple(points))


def trembling(choices: random.Random, jitter: float) -> Callable[[Gesture], Gesture]:
    """Every point misses by up to `jitter` pixels each way."""

    def missed(point: Point) -> Point:
        return point[0] + choices.uniform(-jitter, jitter), point[1] + choices.uniform(-jitter, jitter)

    def carried_out(gesture: Gesture) -> Gesture:
        match gesture:
            case Click(at):
                return Click(missed(at))
            case Drag(points):
                return Drag(tuple(missed(point) for point in points))
        return gesture

    return carried_out


def points_of(gesture: Gesture) -> tuple[Point, ...]:
    match gesture:
        case Click(at):
            return (at,)
        case Drag(points):
            return points
    return ()
